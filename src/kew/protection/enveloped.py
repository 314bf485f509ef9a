"""AuthEnvelopedData (RFC 5083, RFC 5084): a content encrypted by AES-GCM with a key that is wrapped for its recipients.

    SEQUENCE                                    ContentInfo
      OBJECT id-ct-authEnvelopedData
      [0] SEQUENCE
        INTEGER 0
        SET                                     recipients, one for each (recipients.py)
        SEQUENCE
          OBJECT id-data
          SEQUENCE OBJECT id-aes*-GCM
            SEQUENCE OCTET STRING nonce of 12   INTEGER 16
          [0] encrypted content
        OCTET STRING tag of 16

Nonces are random, so a content key may serve 2^32 messages at most; `envelope.py` makes a new one long before. What is
not in this picture (attributes, certificates of the sender) is refused, since nothing would protect it.
"""

import os
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import GCM as GCM_MODE

from kew.protection import der
from kew.protection.algorithms import AUTH_ENVELOPED, DATA, GCM, GCM_SIZE
from kew.protection.errors import DECRYPTION, Unprotectable

NONCE: Final = 12
TAG: Final = 16
LONG: Final = 32768  # bytes from which a copy costs more than a cipher that is made for one message
_TAG_SIZE: Final = der.integer(TAG)
_TAG_HEAD: Final = der.head(der.OCTET_STRING, TAG)
_VERSION: Final = der.integer(0)


class ContentKey:
    """A content key, ready for use, and the recipients' part that goes with it."""

    def __init__(self, key: bytes, infos: bytes, digest: bytes) -> None:
        self.size = len(key)
        self.cipher = AESGCM(key)
        self.algorithm = AES(key)
        self.infos = infos
        self.digest = digest
        self.uses = 0
        self.checked = 0.0  # when the certificates of the recipients were looked at


def _encrypted(key: ContentKey, nonce: bytes, parts: tuple[bytes, ...], length: int) -> tuple[bytes | memoryview, ...]:
    """Give the encrypted parts, and the tag; long ones without a copy of their own, since that costs as much."""
    if length < LONG:
        whole = memoryview(key.cipher.encrypt(nonce, b"".join(parts), None))
        return whole[:length], whole[length:]
    encryptor = Cipher(key.algorithm, GCM_MODE(nonce)).encryptor()
    made = [encryptor.update(part) for part in parts]
    encryptor.finalize()
    return *made, encryptor.tag


def seal(key: ContentKey, parts: tuple[bytes, ...]) -> tuple[bytes | memoryview, ...]:
    """Give the structure with a content encrypted, in parts as the content is."""
    nonce = os.urandom(NONCE)
    algorithm = der.value(
        der.SEQUENCE,
        GCM[key.size],
        der.value(der.SEQUENCE, der.value(der.OCTET_STRING, nonce), _TAG_SIZE),
    )
    length = sum([len(part) for part in parts])
    before = DATA + algorithm + der.head(der.CONTEXT | 0, length)
    inner = der.head(der.SEQUENCE, len(before) + length)
    tail = len(_TAG_HEAD) + TAG
    body = _VERSION + key.infos + inner + before
    size = len(body) + length + tail
    sequence = der.head(der.SEQUENCE, size)
    tagged = der.head(der.EXPLICIT | 0, len(sequence) + size)
    outer = der.head(der.SEQUENCE, len(AUTH_ENVELOPED) + len(tagged) + len(sequence) + size)
    *encrypted, tag = _encrypted(key, nonce, parts, length)
    return outer + AUTH_ENVELOPED + tagged + sequence + body, *encrypted, _TAG_HEAD, tag


class Sealed:
    """An encrypted content that was read, and what is needed to open it."""

    def __init__(self, data: bytes, offset: int) -> None:
        outer = der.Reader(data, offset, len(data))
        info = outer.inside(der.SEQUENCE)
        outer.done()
        info.expect(AUTH_ENVELOPED, "AuthEnvelopedData")
        tagged = info.inside(der.EXPLICIT | 0)
        info.done()
        reader = tagged.inside(der.SEQUENCE)
        tagged.done()
        reader.expect(_VERSION, "version 0 of AuthEnvelopedData")
        self.infos = reader.whole(der.SET)
        inner = reader.inside(der.SEQUENCE)
        inner.expect(DATA, "encrypted data")
        algorithm = inner.inside(der.SEQUENCE)
        size = GCM_SIZE.get(algorithm.whole(der.OBJECT))
        if size is None:
            raise Unprotectable(DECRYPTION, "the content is encrypted by another algorithm than AES-GCM")
        self.size = size
        parameters = algorithm.inside(der.SEQUENCE)
        algorithm.done()
        self.nonce = parameters.body(der.OCTET_STRING)
        parameters.expect(_TAG_SIZE, "a tag of 16 bytes")
        parameters.done()
        if len(self.nonce) != NONCE:
            raise Unprotectable(DECRYPTION, f"the nonce has {len(self.nonce)} bytes, expected {NONCE}")
        start, end = inner.take(der.CONTEXT | 0)
        inner.done()
        self.tag = reader.take(der.OCTET_STRING)
        reader.done()
        if self.tag[1] - self.tag[0] != TAG:
            raise Unprotectable(DECRYPTION, f"the tag has not {TAG} bytes")
        self._data = data
        self._start, self._end = start, end

    def open(self, key: ContentKey, head: int) -> tuple[bytes, bytes]:
        """Give the first bytes of the content, and the rest; a single changed bit is noticed."""
        if key.size != self.size:
            raise Unprotectable(DECRYPTION, "the content key has another length than the algorithm")
        view = memoryview(self._data)
        start, end, tag = self._start, self._end, view[self.tag[0] : self.tag[1]]
        try:
            if end - start < LONG:
                whole = key.cipher.decrypt(self.nonce, b"".join((view[start:end], tag)), None)
                return whole[:head], whole[head:]
            decryptor = Cipher(key.algorithm, GCM_MODE(self.nonce, bytes(tag))).decryptor()
            first, rest = decryptor.update(view[start : start + head]), decryptor.update(view[start + head : end])
            decryptor.finalize()
            return first, rest
        except InvalidTag as problem:
            raise Unprotectable(DECRYPTION, "the content was changed, or is encrypted with another key") from problem
