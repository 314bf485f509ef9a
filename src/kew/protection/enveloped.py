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

Nonces are random, so a content key may serve 2^32 messages at most; `protector.py` makes a new one long before. Parts
that are not in this picture (attributes, certificates of the sender) are refused, since nothing would protect them.
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
MOST_FRAMES: Final = 64
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
        self.frames: dict[int, tuple[bytes, bytes]] = {}  # by length of the content; see _frame
        self.lengths: dict[int, int] = {}  # of the content, by that of the structure
        self.checked = 0.0  # when the certificates of the recipients were looked at


def _encrypted(key: ContentKey, nonce: bytes, parts: tuple[bytes, ...], length: int) -> tuple[bytes | memoryview, ...]:
    """Encrypt a content; gives its parts and the tag. A long content is encrypted part by part, which saves a copy."""
    if length < LONG:
        whole = memoryview(key.cipher.encrypt(nonce, b"".join(parts), None))
        return whole[:length], whole[length:]
    encryptor = Cipher(key.algorithm, GCM_MODE(nonce)).encryptor()
    made = [encryptor.update(part) for part in parts]
    encryptor.finalize()
    return *made, encryptor.tag


def _frame(key: ContentKey, length: int) -> tuple[bytes, bytes]:
    """Encode the two constant parts for a content of a length: before the nonce, and between nonce and content."""
    known = key.frames.get(length)
    if known is not None:
        return known
    sealing = der.head(der.CONTEXT | 0, length)
    parameters = der.head(der.SEQUENCE, 2 + NONCE + len(_TAG_SIZE)) + der.head(der.OCTET_STRING, NONCE)
    algorithm = GCM[key.size] + parameters
    algorithm = der.head(der.SEQUENCE, len(algorithm) + NONCE + len(_TAG_SIZE)) + algorithm
    content = DATA + algorithm
    inner = len(content) + NONCE + len(_TAG_SIZE) + len(sealing) + length
    body = _VERSION + key.infos + der.head(der.SEQUENCE, inner)
    size = len(body) + inner + len(_TAG_HEAD) + TAG
    sequence = der.head(der.SEQUENCE, size)
    tagged = der.head(der.EXPLICIT | 0, len(sequence) + size)
    outer = der.head(der.SEQUENCE, len(AUTH_ENVELOPED) + len(tagged) + len(sequence) + size)
    if len(key.frames) >= MOST_FRAMES:
        key.frames.clear()
        key.lengths.clear()
    made = outer + AUTH_ENVELOPED + tagged + sequence + body + content, _TAG_SIZE + sealing
    key.frames[length] = made
    return made


def seal(key: ContentKey, parts: tuple[bytes, ...]) -> tuple[bytes | memoryview, ...]:
    """Encrypt a content given in parts; gives the structure in parts too."""
    nonce = os.urandom(NONCE)
    length = sum([len(part) for part in parts])
    before, after = _frame(key, length)
    *encrypted, tag = _encrypted(key, nonce, parts, length)
    return before, nonce, after, *encrypted, _TAG_HEAD, tag


class Sealed:
    """An encrypted content that was read, and the parameters for its decryption."""

    def __init__(self, data: bytes, size: int, infos: bytes, nonce: bytes, content: der.Span, tag: der.Span) -> None:
        self.size = size  # of the content key
        self.infos = infos
        self.nonce = nonce
        self.tag = tag
        self._data = data
        self._start, self._end = content

    @property
    def length(self) -> int:
        """The length of the content."""
        return self._end - self._start

    def open(self, key: ContentKey, head: int) -> tuple[bytes, bytes]:
        """Decrypt the content; gives its first bytes, and the rest. Raises Unprotectable if any bit was changed."""
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


def parse(data: bytes, offset: int) -> Sealed:
    """Read an AuthEnvelopedData structure."""
    outer = der.Reader(data, offset, len(data))
    info = outer.inside(der.SEQUENCE)
    outer.done()
    info.expect(AUTH_ENVELOPED, "AuthEnvelopedData")
    tagged = info.inside(der.EXPLICIT | 0)
    info.done()
    reader = tagged.inside(der.SEQUENCE)
    tagged.done()
    reader.expect(_VERSION, "version 0 of AuthEnvelopedData")
    infos = reader.whole(der.SET)
    inner = reader.inside(der.SEQUENCE)
    inner.expect(DATA, "encrypted data")
    algorithm = inner.inside(der.SEQUENCE)
    size = GCM_SIZE.get(algorithm.whole(der.OBJECT))
    if size is None:
        raise Unprotectable(DECRYPTION, "the content is encrypted by another algorithm than AES-GCM")
    parameters = algorithm.inside(der.SEQUENCE)
    algorithm.done()
    nonce = parameters.body(der.OCTET_STRING)
    parameters.expect(_TAG_SIZE, "a tag of 16 bytes")
    parameters.done()
    if len(nonce) != NONCE:
        raise Unprotectable(DECRYPTION, f"the nonce has {len(nonce)} bytes, expected {NONCE}")
    content = inner.take(der.CONTEXT | 0)
    inner.done()
    tag = reader.take(der.OCTET_STRING)
    reader.done()
    if tag[1] - tag[0] != TAG:
        raise Unprotectable(DECRYPTION, f"the tag has not {TAG} bytes")
    return Sealed(data, size, infos, nonce, content, tag)


def parse_again(key: ContentKey, data: bytes, offset: int) -> Sealed | None:
    """Read a structure that differs from an earlier one only in nonce, content and tag, by comparing; else None."""
    length = key.lengths.get(len(data) - offset)
    frame = None if length is None else key.frames.get(length)
    if length is None or frame is None:
        return None
    before, after = frame
    nonce = offset + len(before)
    start = nonce + NONCE + len(after)
    end = start + length
    tag = end + len(_TAG_HEAD)
    if not data.startswith(before, offset) or not data.startswith(after, nonce + NONCE):
        return None
    if data[end:tag] != _TAG_HEAD or tag + TAG != len(data):
        return None
    return Sealed(data, key.size, key.infos, data[nonce : nonce + NONCE], (start, end), (tag, tag + TAG))


def remember(key: ContentKey, sealed: Sealed, size: int) -> None:
    """Record the length of a structure whose content was decrypted, for `parse_again` of the next."""
    before, after = _frame(key, sealed.length)
    if len(before) + NONCE + len(after) + sealed.length + len(_TAG_HEAD) + TAG == size:
        key.lengths[size] = sealed.length
