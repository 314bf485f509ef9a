"""The protection of messages of one connection: its keystore, its content keys, and both directions.

A content key serves as many messages as the policy's KEYREUSE says, on the same connection and for the same recipients.
The receiving end keeps an unwrapped content key for further messages under the same key. Nothing is kept longer than
the connection. A change of the data or of a protected field is detected; `header.py` says which fields are protected.
"""

import datetime
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

from cryptography import x509
from cryptography.hazmat.primitives import serialization

from kew.codes.options import MQCCSI_Q_MGR
from kew.formats import mqrfh2
from kew.formats.mqmd import MessageDescriptor
from kew.protection import enveloped, foreign, header
from kew.protection.algorithms import SIGNATURE_DIGEST, STRENGTH
from kew.protection.counters import Counters
from kew.protection.enveloped import ContentKey, Sealed
from kew.protection.errors import (
    CERTIFICATE,
    HEADER,
    QUALITY,
    SIGNER,
    KeystoreError,
    Unprotectable,
)
from kew.protection.errors import (
    STRENGTH as WEAKNESS,
)
from kew.protection.header import INNER_SIZE, NOT_BOUND, OUTER_SIZE, Inner, Outer
from kew.protection.keystore import UNREADABLE, Keystore
from kew.protection.names import is_same, read_name, shown
from kew.protection.policy import (
    CONFIDENTIALITY,
    INTEGRITY,
    KEY_SIZES,
    QUALITIES,
    UNLIMITED,
    Policy,
)
from kew.protection.recipients import digest_of, unwrap, wrap
from kew.protection.signed import Signed, certificates_of, sign
from kew.protection.subjects import name_of

MOST_USES: Final = 1 << 31  # of a content key: random nonces allow 2^32
MOST_KEPT: Final = 256  # content keys, in each direction
BELIEVED_SECONDS: Final = 60.0  # for which a certificate that was checked is not checked again

K = TypeVar("K")

TOTAL: Final = Counters()  # of the process


class Protector:
    """Protects and unprotects for one connection; any thread may call it."""

    def __init__(self, keystore: Keystore, clock: Callable[[], float] = time.time) -> None:
        self.keystore = keystore
        self.counters = Counters()
        self._clock = clock
        self._lock = threading.Lock()
        self._sending: OrderedDict[tuple[str, int, tuple[str, ...]], ContentKey] = OrderedDict()
        self._received: OrderedDict[bytes, ContentKey] = OrderedDict()
        self._last: ContentKey | None = None  # by which a message was opened last
        self._believed: OrderedDict[bytes, float] = OrderedDict()
        self._chosen: OrderedDict[tuple[str, ...], tuple[float, list[x509.Certificate]]] = OrderedDict()

    # To protect.

    def check(self, policy: Policy) -> None:
        """Refuse a policy under which no message can be protected: a certificate is not usable for its purpose."""
        self._recipients(policy)
        if policy.signs:
            try:
                self.keystore.check_signer(self.keystore.certificate, self._now())
            except Unprotectable as problem:
                raise KeystoreError(problem.why) from problem

    def protect(self, policy: Policy, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the protected form of a message, and set its descriptor to match; raises KeystoreError if that fails."""
        offset, last = header.clear_length(descriptor.format, data)
        encoding, ccsid, text = descriptor.encoding, descriptor.ccsid, descriptor.format
        if last >= 0:
            encoding, ccsid, text = mqrfh2.following(data, last)
        if text == header.FORMAT:
            raise KeystoreError("the message says of itself that it is protected already")
        clear = data[:offset]
        body = data[offset:] if offset else data
        before = Counters()
        structure = self._structure(policy, body, encoding, ccsid, text, before)
        outer = header.encode_outer(policy.quality, len(body), sum([len(part) for part in structure]))
        if last >= 0:
            clear = mqrfh2.with_following(clear, last, header.ENCODING, ccsid, header.FORMAT)
        else:
            descriptor.format, descriptor.encoding = header.FORMAT, header.ENCODING
        before.protected += 1
        self._count(before)
        return b"".join((clear, outer, *structure))

    def _structure(
        self, policy: Policy, body: bytes, encoding: int, ccsid: int, text: bytes, counters: Counters
    ) -> tuple[bytes | memoryview, ...]:
        key = self._sending_key(policy, counters) if policy.encrypts else None
        own = self.keystore.certificate
        digest = digest_of(certificates_of(own)) if key is None else key.digest
        inner = header.encode_inner(Inner(policy.quality, encoding, ccsid, text, len(body), digest))
        if policy.signs:
            name = SIGNATURE_DIGEST[policy.signature]
            signed = sign((inner, body), name, own, self.keystore.key, counters)
            return (signed,) if key is None else enveloped.seal(key, (signed,))
        assert key is not None
        return enveloped.seal(key, (inner, body))

    def _sending_key(self, policy: Policy, counters: Counters) -> ContentKey:
        size = KEY_SIZES[policy.encryption]
        if not policy.key_reuse or policy.signs:
            return self._made(policy, size, counters)
        most = MOST_USES if policy.key_reuse == UNLIMITED else policy.key_reuse
        which = policy.name, size, policy.recipients
        with self._lock:
            key = self._sending.get(which)
            usable = key is not None and key.uses < most
            if key is not None and usable:
                key.uses += 1
        if key is not None and usable:
            now = self._clock()
            if not 0 <= now - key.checked < BELIEVED_SECONDS:
                self._recipients(policy)
                key.checked = now
            return key
        key = self._made(policy, size, counters)
        key.uses = 1
        with self._lock:
            self._keep(self._sending, which, key)
        return key

    def _made(self, policy: Policy, size: int, counters: Counters) -> ContentKey:
        key = os.urandom(size)
        infos = wrap(key, self._recipients(policy), counters)
        made = ContentKey(key, infos, digest_of(infos))
        made.checked = self._clock()
        return made

    def _recipients(self, policy: Policy) -> list[x509.Certificate]:
        """Give the certificates of the recipients; a recent choice is used again."""
        now = self._clock()
        with self._lock:
            chosen = self._chosen.get(policy.recipients)
        if chosen is not None and 0 <= now - chosen[0] < BELIEVED_SECONDS:
            current = not any(_has_ended(each, now) for each in chosen[1])
            if current:
                return chosen[1]
        found = [self.keystore.recipient(each, self._now()) for each in policy.recipients]
        with self._lock:
            self._chosen[policy.recipients] = now, found
            if len(self._chosen) > MOST_KEPT:
                self._chosen.popitem(last=False)
        return found

    # To unprotect.

    def unprotect(self, policy: Policy, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the message as it was put; raises Unprotectable if it does not meet the policy or cannot be read."""
        counters = Counters()
        try:
            found = self._unprotected(policy, descriptor, data, counters)
        except Unprotectable:
            counters.rejected += 1
            raise
        except UNREADABLE as problem:
            counters.rejected += 1
            raise Unprotectable(CERTIFICATE, "a certificate with the message cannot be read") from problem
        finally:
            self._count(counters)
        return found

    def _unprotected(self, policy: Policy, descriptor: MessageDescriptor, data: bytes, counters: Counters) -> bytes:
        offset = header.find(descriptor.format, data)
        if offset < 0:
            if policy.tolerates:
                return data
            raise Unprotectable(
                QUALITY, f"the message is not protected, the policy asks for {QUALITIES[policy.quality]}"
            )
        outer = header.read_whole(data, offset)
        if outer.quality != policy.quality:
            found, wanted = QUALITIES[outer.quality], QUALITIES[policy.quality]
            raise Unprotectable(QUALITY, f"the message is protected by {found}, the policy asks for {wanted}")
        inner, content = self._content(policy, outer, data, offset + OUTER_SIZE, counters)
        last = header.clear_length(descriptor.format, data[:offset])[1] if offset else -1
        counters.unprotected += 1
        if last >= 0:
            clear = mqrfh2.with_following(data[:offset], last, inner.encoding, inner.ccsid, inner.format)
            return clear + content
        descriptor.format, descriptor.encoding = inner.format, inner.encoding
        if inner.ccsid != MQCCSI_Q_MGR:  # else the queue manager has said in the descriptor which it is
            descriptor.ccsid = inner.ccsid
        return content

    def _content(
        self, policy: Policy, outer: Outer, data: bytes, offset: int, counters: Counters
    ) -> tuple[Inner, bytes]:
        digest, head = NOT_BOUND, b""
        content = data
        if outer.quality != INTEGRITY:
            key, sealed = self._sealed(content, offset, counters)
            if sealed.size < KEY_SIZES[policy.encryption]:
                raise Unprotectable(WEAKNESS, f"AES of {sealed.size * 8} bits is weaker than the policy asks for")
            size = len(content) - offset
            head, content = sealed.open(key, INNER_SIZE if outer.quality == CONFIDENTIALITY else 0)
            if self._last is not key:
                self._last = key
            if size not in key.lengths:
                enveloped.remember(key, sealed, size)
            offset, digest = 0, key.digest
        if outer.quality != CONFIDENTIALITY:
            content, offset = foreign.canonical(content, offset)
            signed = Signed(content, offset)
            self._check_signature(policy, signed, counters)
            if outer.quality == INTEGRITY:
                digest = digest_of(signed.certificates)
            head, content = signed.content(INNER_SIZE)
        inner = header.read_inner(head, len(content), outer)
        if inner.digest not in (NOT_BOUND, digest):
            raise Unprotectable(
                HEADER, "the recipients or the certificates were changed after the message was protected"
            )
        return inner, content

    def _sealed(self, data: bytes, offset: int, counters: Counters) -> tuple[ContentKey, Sealed]:
        """Read an encrypted structure, and find its content key; the key of the message before is tried first."""
        last = self._last
        if last is not None:
            again = enveloped.parse_again(last, data, offset)
            if again is not None:
                return last, again
        data, offset = foreign.canonical(data, offset)
        sealed = enveloped.parse(data, offset)
        return self._receiving_key(sealed, counters), sealed

    def _receiving_key(self, sealed: Sealed, counters: Counters) -> ContentKey:
        with self._lock:
            key = self._received.get(sealed.infos)
            if key is not None:
                self._received.move_to_end(sealed.infos)
                return key
        content_key = unwrap(sealed.infos, self.keystore.certificate, self.keystore.key, counters)
        if len(content_key) != sealed.size:
            raise Unprotectable(HEADER, "the content key has another length than the algorithm")
        key = ContentKey(content_key, sealed.infos, digest_of(sealed.infos))
        with self._lock:
            self._keep(self._received, sealed.infos, key)
        return key

    def _check_signature(self, policy: Policy, signed: Signed, counters: Counters) -> None:
        if STRENGTH[signed.digest] < STRENGTH[SIGNATURE_DIGEST[policy.signature]]:
            raise Unprotectable(WEAKNESS, f"a signature with {signed.digest} is weaker than the policy asks for")
        name = name_of(signed.certificate.subject)
        if policy.signers and not any(is_same(name, read_name(each)) for each in policy.signers):
            raise Unprotectable(SIGNER, f"{shown(name)} is not one of the signers of the policy")
        self._believe(signed.certificate)
        signed.verify(counters)

    def _believe(self, certificate: x509.Certificate) -> None:
        """Check the certificate of a signer, unless it was checked in the last BELIEVED_SECONDS."""
        now = self._clock()
        mark = certificate.public_bytes(serialization.Encoding.DER)
        with self._lock:
            checked = self._believed.get(mark)
        if checked is not None and 0 <= now - checked < BELIEVED_SECONDS and not _has_ended(certificate, now):
            return
        self.keystore.check_signer(certificate, self._now())
        with self._lock:
            self._believed[mark] = now
            if len(self._believed) > MOST_KEPT:
                self._believed.popitem(last=False)

    # Both.

    def _now(self) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self._clock(), datetime.UTC)

    def _count(self, counters: Counters) -> None:
        with self._lock:
            self.counters.add(counters)
        with _TOTAL_LOCK:
            TOTAL.add(counters)

    @staticmethod
    def _keep(kept: "OrderedDict[K, ContentKey]", which: K, key: ContentKey) -> None:
        kept[which] = key
        kept.move_to_end(which)
        if len(kept) > MOST_KEPT:
            kept.popitem(last=False)


_TOTAL_LOCK: Final = threading.Lock()


def _has_ended(certificate: x509.Certificate, now: float) -> bool:
    return certificate.not_valid_after_utc.timestamp() < now
