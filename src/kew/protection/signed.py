"""SignedData (RFC 5652 section 5): a content with the signature and the certificate of one signer.

    SEQUENCE                                    ContentInfo
      OBJECT id-signedData
      [0] SEQUENCE
        INTEGER 1
        SET       digest algorithm
        SEQUENCE  OBJECT id-data   [0] OCTET STRING content
        [0]       certificate of the signer
        SET SEQUENCE                            the signer
          INTEGER 1
          SEQUENCE  issuer and serial number of the certificate
          SEQUENCE  digest algorithm
          [0]       signed attributes: content type, message digest
          SEQUENCE  signature algorithm
          OCTET STRING signature

Parts that are not in this picture (several signers, unsigned attributes, revocation lists) are refused. Whether the
signer is trusted is not decided here.
"""

from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from kew.protection import der
from kew.protection.algorithms import (
    CONTENT_TYPE,
    DATA,
    DIGEST_BARE,
    DIGEST_OF,
    ECDSA_SIGNATURE,
    HASHES,
    MESSAGE_DIGEST,
    RSA_PLAIN,
    RSA_SIGNATURE,
    SIGNED,
)
from kew.protection.counters import Counters
from kew.protection.errors import SIGNATURE, KeystoreError, Unprotectable
from kew.protection.recipients import PrivateKey, identifier_of, key_identifier_of

MOST_CERTIFICATES: Final = 16
MOST_ATTRIBUTES: Final = 32
_V1: Final = der.integer(1)
_V3: Final = der.integer(3)
_TYPE_IS_DATA: Final = der.value(der.SEQUENCE, CONTENT_TYPE, der.value(der.SET, DATA))


def _digest(name: str, *parts: bytes | memoryview) -> bytes:
    digest = hashes.Hash(HASHES[name])
    for part in parts:
        digest.update(part)
    return digest.finalize()


def certificates_of(certificate: x509.Certificate) -> bytes:
    """Encode the certificates' part of a structure with one signer."""
    return der.value(der.EXPLICIT | 0, certificate.public_bytes(serialization.Encoding.DER))


def sign(
    parts: tuple[bytes, ...], digest: str, certificate: x509.Certificate, key: PrivateKey, counters: Counters
) -> bytes:
    """Sign a content that is given in parts; gives the structure with content and signature."""
    attributes = sorted(
        (
            _TYPE_IS_DATA,
            der.value(
                der.SEQUENCE,
                MESSAGE_DIGEST,
                der.value(der.SET, der.value(der.OCTET_STRING, _digest(digest, *parts))),
            ),
        )
    )
    covered = der.value(der.SET, *attributes)
    counters.signed += 1
    if isinstance(key, rsa.RSAPrivateKey):
        algorithm = RSA_SIGNATURE[digest]
        signature = key.sign(covered, padding.PKCS1v15(), HASHES[digest])
    elif isinstance(key, ec.EllipticCurvePrivateKey):
        algorithm = ECDSA_SIGNATURE[digest]
        signature = key.sign(covered, ec.ECDSA(HASHES[digest]))
    else:
        raise KeystoreError("only keys of RSA and on elliptic curves sign")
    signer = der.value(
        der.SEQUENCE,
        _V1,
        identifier_of(certificate),
        DIGEST_BARE[digest],
        der.value(der.EXPLICIT | 0, *attributes),
        algorithm,
        der.value(der.OCTET_STRING, signature),
    )
    after = certificates_of(certificate) + der.value(der.SET, signer)
    length = sum([len(part) for part in parts])
    octets = der.head(der.OCTET_STRING, length)
    tagged = der.head(der.EXPLICIT | 0, len(octets) + length)
    content = der.head(der.SEQUENCE, len(DATA) + len(tagged) + len(octets) + length)
    before = _V1 + der.value(der.SET, DIGEST_BARE[digest]) + content + DATA + tagged + octets
    size = len(before) + length + len(after)
    sequence = der.head(der.SEQUENCE, size)
    explicit = der.head(der.EXPLICIT | 0, len(sequence) + size)
    outer = der.head(der.SEQUENCE, len(SIGNED) + len(explicit) + len(sequence) + size)
    return b"".join((outer, SIGNED, explicit, sequence, before, *parts, after))


class Signed:
    """A signed content that was read; its signature is not yet verified."""

    def __init__(self, data: bytes, offset: int) -> None:
        outer = der.Reader(data, offset, len(data))
        info = outer.inside(der.SEQUENCE)
        outer.done()
        info.expect(SIGNED, "SignedData")
        tagged = info.inside(der.EXPLICIT | 0)
        info.done()
        reader = tagged.inside(der.SEQUENCE)
        tagged.done()
        version = reader.whole(der.INTEGER)
        digests = reader.body(der.SET)
        content = reader.inside(der.SEQUENCE)
        content.expect(DATA, "signed data")
        octets = content.inside(der.EXPLICIT | 0)
        content.done()
        self.start, self.end = octets.take(der.OCTET_STRING)
        octets.done()
        self.certificates = reader.whole(der.EXPLICIT | 0)
        signers = reader.inside(der.SET)
        reader.done()
        signer = signers.inside(der.SEQUENCE)
        signers.done()
        self._read_signer(signer, version, digests)
        self.certificate = self._choose()
        self._data = data

    def _read_signer(self, signer: der.Reader, version: bytes, digests: bytes) -> None:
        own = signer.whole(der.INTEGER)
        self._by_key = signer.peek() != der.SEQUENCE
        self._named = signer.body(der.CONTEXT | 0) if self._by_key else signer.whole(der.SEQUENCE)
        wanted = _V3 if self._by_key else _V1
        if own != wanted or version != wanted:
            raise Unprotectable(SIGNATURE, "the version does not go with how the signer is named")
        algorithm = signer.whole(der.SEQUENCE)
        digest = DIGEST_OF.get(algorithm)
        if digest is None or digests != algorithm:
            raise Unprotectable(SIGNATURE, "the digest is not the one of SHA-256, SHA-384 or SHA-512 that is stated")
        self.digest = digest
        self._attributes = signer.body(der.EXPLICIT | 0)
        self._algorithm = signer.whole(der.SEQUENCE)
        self._signature = signer.body(der.OCTET_STRING)
        signer.done()

    def _choose(self) -> x509.Certificate:
        reader = der.Reader(self.certificates, 0, len(self.certificates)).inside(der.EXPLICIT | 0)
        for _ in range(MOST_CERTIFICATES):
            if not reader.peek():
                break
            try:
                certificate = x509.load_der_x509_certificate(reader.whole(der.SEQUENCE))
                if self._by_key and key_identifier_of(certificate) == self._named:
                    return certificate
                if not self._by_key and identifier_of(certificate) == self._named:
                    return certificate
            except ValueError as problem:
                raise Unprotectable(SIGNATURE, "a certificate cannot be read") from problem
        raise Unprotectable(SIGNATURE, "the certificate of the signer is not with the signature")

    def verify(self, counters: Counters) -> None:
        """Refuse a content, or attributes, that the signer has not signed."""
        found = _digest(self.digest, memoryview(self._data)[self.start : self.end])
        reader = der.Reader(self._attributes, 0, len(self._attributes))
        kinds: list[bytes] = []
        for _ in range(MOST_ATTRIBUTES):
            if not reader.peek():
                break
            attribute = reader.inside(der.SEQUENCE)
            kind = attribute.whole(der.OBJECT)
            members = attribute.inside(der.SET)
            attribute.done()
            kinds.append(kind)
            if kind == CONTENT_TYPE:
                members.expect(DATA, "signed data")
                members.done()
            elif kind == MESSAGE_DIGEST:
                if members.body(der.OCTET_STRING) != found:
                    raise Unprotectable(SIGNATURE, "the content was changed after it was signed")
                members.done()
        reader.done()
        if kinds.count(CONTENT_TYPE) != 1 or kinds.count(MESSAGE_DIGEST) != 1:
            raise Unprotectable(SIGNATURE, "the signed attributes lack content type or digest, or have them twice")
        counters.verified += 1
        key = self.certificate.public_key()
        covered = der.value(der.SET, self._attributes)
        try:
            if isinstance(key, rsa.RSAPublicKey) and self._algorithm in (RSA_PLAIN, RSA_SIGNATURE[self.digest]):
                key.verify(self._signature, covered, padding.PKCS1v15(), HASHES[self.digest])
            elif isinstance(key, ec.EllipticCurvePublicKey) and self._algorithm == ECDSA_SIGNATURE[self.digest]:
                key.verify(self._signature, covered, ec.ECDSA(HASHES[self.digest]))
            else:
                raise Unprotectable(SIGNATURE, "the algorithm of the signature does not go with the signer's key")
        except InvalidSignature as problem:
            raise Unprotectable(SIGNATURE, "the signature is not that of the signer") from problem

    def content(self, head: int) -> tuple[bytes, bytes]:
        """Give the first bytes of the signed content, and the rest."""
        middle = min(self.start + head, self.end)
        return self._data[self.start : middle], self._data[middle : self.end]
