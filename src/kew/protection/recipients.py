"""The recipients' part of CMS: one content key, wrapped for each of them (RFC 5652 section 6.2, RFC 5753).

A certificate with an RSA key gets the content key by RSAES-OAEP with SHA-256, one with a key on P-256, P-384 or P-521
by ECDH with a key made for the purpose, the X9.63 derivation with SHA-256, and AES key wrap. RSA with the older padding
(PKCS #1 v1.5) is also read, since `openssl cms` writes it by default. Each wrapping and each unwrapping is counted.
"""

from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from kew.protection import der
from kew.protection.algorithms import (
    CURVES,
    EC,
    HASHES,
    KDF,
    KDF_DIGEST,
    OAEP_OF,
    OAEP_READ,
    RSA_PLAIN,
    WRAP,
    WRAP_SIZE,
)
from kew.protection.counters import Counters
from kew.protection.errors import DECRYPTION, HEADER, KeystoreError, Unprotectable
from kew.protection.names import shown
from kew.protection.subjects import name_of

MOST: Final = 128  # recipients of a message
SMALLEST_RSA: Final = 2048  # bits
PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


def identifier_of(certificate: x509.Certificate) -> bytes:
    """Encode the issuer and serial number of a certificate, which identify it."""
    return der.value(der.SEQUENCE, certificate.issuer.public_bytes(), der.integer(certificate.serial_number))


def key_identifier_of(certificate: x509.Certificate) -> bytes:
    """Give the subject key identifier of a certificate, which can identify it too; empty if it has none."""
    try:
        return certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest
    except (x509.ExtensionNotFound, ValueError):
        return b""


def check_key(certificate: x509.Certificate) -> None:
    """Refuse a certificate with a key that cannot wrap a content key."""
    key = certificate.public_key()
    if isinstance(key, rsa.RSAPublicKey) and key.key_size >= SMALLEST_RSA:
        return
    if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, CURVES):
        return
    expected = f"RSA of {SMALLEST_RSA} bits or more, or a curve of NIST (P-256, P-384, P-521)"
    subject = shown(name_of(certificate.subject))
    raise KeystoreError(f"the certificate of {subject} has a key of another kind than {expected}")


def wrap(content_key: bytes, certificates: list[x509.Certificate], counters: Counters) -> bytes:
    """Wrap a content key for each certificate; gives the recipients' part."""
    infos = []
    for certificate in certificates:
        check_key(certificate)
        key = certificate.public_key()
        counters.wrapped += 1
        if isinstance(key, rsa.RSAPublicKey):
            infos.append(_transported(content_key, certificate, key))
        elif isinstance(key, ec.EllipticCurvePublicKey):
            infos.append(_agreed(content_key, certificate, key))
    return der.set_of(*infos)


def _oaep(digest: str) -> padding.OAEP:
    algorithm = HASHES[digest]
    return padding.OAEP(padding.MGF1(algorithm), algorithm, None)


def _transported(content_key: bytes, certificate: x509.Certificate, key: rsa.RSAPublicKey) -> bytes:
    return der.value(
        der.SEQUENCE,
        der.integer(0),
        identifier_of(certificate),
        OAEP_OF["SHA256"],
        der.value(der.OCTET_STRING, key.encrypt(content_key, _oaep("SHA256"))),
    )


def _shared_info(wrapping: bytes, size: int, material: bytes) -> bytes:
    """Encode the ECC-CMS-SharedInfo, an input of the key derivation (RFC 5753 section 7.2)."""
    own = der.value(der.EXPLICIT | 0, der.value(der.OCTET_STRING, material)) if material else b""
    length = der.value(der.EXPLICIT | 2, der.value(der.OCTET_STRING, (size * 8).to_bytes(4, "big")))
    return der.value(der.SEQUENCE, wrapping, own, length)


def _derived(secret: bytes, wrapping: bytes, digest: str, material: bytes = b"") -> bytes:
    size = WRAP_SIZE[wrapping]
    info = _shared_info(wrapping, size, material)
    return X963KDF(algorithm=HASHES[digest], length=size, sharedinfo=info).derive(secret)


def _agreed(content_key: bytes, certificate: x509.Certificate, key: ec.EllipticCurvePublicKey) -> bytes:
    own = ec.generate_private_key(key.curve)
    point = own.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    wrapping = WRAP[len(content_key)]
    wrapped = aes_key_wrap(_derived(own.exchange(ec.ECDH(), key), wrapping, "SHA256"), content_key)
    return der.value(
        der.EXPLICIT | 1,
        der.integer(3),
        der.value(
            der.EXPLICIT | 0,
            der.value(
                der.EXPLICIT | 1,
                der.value(der.SEQUENCE, EC),
                der.value(der.BIT_STRING, b"\0", point),
            ),
        ),
        der.value(der.SEQUENCE, KDF["SHA256"], wrapping),
        der.value(
            der.SEQUENCE,
            der.value(der.SEQUENCE, identifier_of(certificate), der.value(der.OCTET_STRING, wrapped)),
        ),
    )


def unwrap(infos: bytes, certificate: x509.Certificate, key: PrivateKey, counters: Counters) -> bytes:
    """Unwrap the content key from the recipients' part, as the recipient with this certificate and key."""
    mine = identifier_of(certificate)
    mine_too = key_identifier_of(certificate)
    reader = der.Reader(infos, 0, len(infos)).inside(der.SET)
    found = b""
    for _ in range(MOST):
        tag = reader.peek()
        if not tag:
            break
        if tag == der.SEQUENCE:
            content_key = _transport(reader.inside(tag), mine, mine_too, key, counters)
        elif tag == der.EXPLICIT | 1:
            content_key = _agreement(reader.inside(tag), mine, mine_too, key, counters)
        else:
            reader.take(tag)  # of a kind that no certificate is meant by
            continue
        found = found or content_key
    reader.done()
    if not found:
        raise Unprotectable(DECRYPTION, f"{shown(name_of(certificate.subject))} is not one of the recipients")
    return found


def _is_mine(reader: der.Reader, key_tag: int, mine: bytes, mine_too: bytes) -> tuple[bool, bool]:
    """Say whether a recipient is this one, and whether the recipient is identified by a key identifier."""
    if reader.peek() == der.SEQUENCE:
        return reader.whole(der.SEQUENCE) == mine, False
    named = reader.body(key_tag)
    if key_tag != der.CONTEXT | 0:  # RecipientKeyIdentifier is a sequence
        inner = der.Reader(named, 0, len(named))
        named = inner.body(der.OCTET_STRING)
    return bool(mine_too) and named == mine_too, True


def _transport(reader: der.Reader, mine: bytes, mine_too: bytes, key: PrivateKey, counters: Counters) -> bytes:
    version = reader.body(der.INTEGER)
    is_mine, by_key = _is_mine(reader, der.CONTEXT | 0, mine, mine_too)
    algorithm = reader.whole(der.SEQUENCE)
    wrapped = reader.body(der.OCTET_STRING)
    reader.done()
    if version != (b"\x02" if by_key else b"\x00"):
        raise Unprotectable(HEADER, "the version of a recipient does not go with how it is named")
    if not is_mine:
        return b""
    if not isinstance(key, rsa.RSAPrivateKey):
        raise Unprotectable(DECRYPTION, "the content key is wrapped for a key of RSA, and this is another")
    counters.unwrapped += 1
    digest = OAEP_READ.get(algorithm)
    try:
        if digest is not None:
            return key.decrypt(wrapped, _oaep(digest))
        if algorithm == RSA_PLAIN:
            return key.decrypt(wrapped, padding.PKCS1v15())
    except ValueError as problem:
        raise Unprotectable(DECRYPTION, "the content key cannot be unwrapped") from problem
    raise Unprotectable(DECRYPTION, "the content key is wrapped by an algorithm that is not known")


def _agreement(reader: der.Reader, mine: bytes, mine_too: bytes, key: PrivateKey, counters: Counters) -> bytes:
    reader.expect(der.integer(3), "version 3 of a recipient by key agreement")
    originator = reader.inside(der.EXPLICIT | 0)
    public = originator.inside(der.EXPLICIT | 1)
    originator.done()
    kind = public.inside(der.SEQUENCE)
    kind.expect(EC, "a key on an elliptic curve")
    if kind.peek() == der.OBJECT:
        kind.take(der.OBJECT)  # the curve, which must be that of the recipient's key anyway
    elif kind.peek() == der.NULL[0]:
        kind.expect(der.NULL, "NULL")
    kind.done()
    point = public.body(der.BIT_STRING)
    public.done()
    material = b""
    if reader.peek() == der.EXPLICIT | 1:
        outer = reader.inside(der.EXPLICIT | 1)
        material = outer.body(der.OCTET_STRING)
        outer.done()
    algorithm = reader.inside(der.SEQUENCE)
    derivation, wrapping = algorithm.whole(der.OBJECT), algorithm.whole(der.SEQUENCE)
    algorithm.done()
    keys = reader.inside(der.SEQUENCE)
    reader.done()
    wrapped = b""
    for _ in range(MOST):
        if not keys.peek():
            break
        one = keys.inside(der.SEQUENCE)
        is_mine, _by_key = _is_mine(one, der.EXPLICIT | 0, mine, mine_too)
        encrypted = one.body(der.OCTET_STRING)
        one.done()
        if is_mine and not wrapped:
            wrapped = encrypted
    keys.done()
    if not wrapped:
        return b""
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise Unprotectable(DECRYPTION, "the content key is wrapped for a key on a curve, and this is another")
    digest = KDF_DIGEST.get(derivation)
    if digest is None or wrapping not in WRAP_SIZE:
        raise Unprotectable(DECRYPTION, "the content key is wrapped by an algorithm that is not known")
    counters.unwrapped += 1
    try:
        if point[:1] != b"\0":
            raise ValueError("a key has unused bits")
        other = ec.EllipticCurvePublicKey.from_encoded_point(key.curve, point[1:])
        secret = key.exchange(ec.ECDH(), other)
        return aes_key_unwrap(_derived(secret, wrapping, digest, material), wrapped)
    except (ValueError, InvalidUnwrap) as problem:
        raise Unprotectable(DECRYPTION, "the content key cannot be unwrapped") from problem


def digest_of(part: bytes) -> bytes:
    """Give the digest of a part of the structure, which the header within the protected part repeats."""
    digest = hashes.Hash(hashes.SHA256())
    digest.update(part)
    return digest.finalize()
