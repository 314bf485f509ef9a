"""Messages come back as they were put, to those who may read them, and changed in any bit they do not come back."""

import datetime
import random
from collections.abc import Callable

import pytest
from tests.support.protection import (
    AES128,
    SHA384,
    confidentiality,
    descriptor,
    integrity,
    keystore,
    person,
    privacy,
    protector,
    revocations,
    vouched,
)

from kew.formats import mqrfh2
from kew.formats.mqrfh2 import RulesHeader
from kew.protection import header
from kew.protection.errors import (
    CERTIFICATE,
    DECRYPTION,
    HEADER,
    QUALITY,
    SIGNER,
    STRENGTH,
    KeystoreError,
    Unprotectable,
)
from kew.protection.header import OUTER_SIZE
from kew.protection.policy import Policy
from kew.protection.protector import Protector

POLICIES: list[Callable[[], Policy]] = [
    lambda: integrity("alice"),
    lambda: privacy("bob", "carol"),
    lambda: confidentiality("bob", "carol", reuse=32),
]
WHICH = ["integrity", "privacy", "confidentiality"]


def alice() -> Protector:
    return protector(person("alice"), person("bob"), person("carol"))


def got(who: Protector, policy: Policy, data: bytes) -> bytes:
    return who.unprotect(policy, descriptor(header.FORMAT, 1208, header.ENCODING), data)


@pytest.mark.parametrize("make", POLICIES, ids=WHICH)
@pytest.mark.parametrize("reader", ["bob", "carol"])
@pytest.mark.parametrize("size", [0, 1, 127, 128, 65536])
def test_a_message_comes_back_with_format_and_encoding(make: Callable[[], Policy], reader: str, size: int) -> None:
    policy, body = make(), random.Random(size).randbytes(size)
    put = descriptor(b"MYFORMAT", 37, 785)
    data = alice().protect(policy, put, body)
    assert (put.format, put.encoding, put.ccsid) == (header.FORMAT, header.ENCODING, 37)
    found = put.copy()
    assert protector(person(reader), person("alice")).unprotect(policy, found, data) == body
    assert (found.format, found.encoding, found.ccsid) == (b"MYFORMAT", 785, 37)
    assert policy.quality == 1 or size < 16 or body not in data


@pytest.mark.parametrize("make", POLICIES, ids=WHICH)
def test_no_bit_can_be_changed(make: Callable[[], Policy]) -> None:
    """Not one bit of any byte: of the header, of the structure, of other recipients' keys, of the data."""
    policy = make()
    data = alice().protect(policy, descriptor(), b"pay bob 100")
    bob = protector(person("bob"), person("alice"))
    assert got(bob, policy, data) == b"pay bob 100"
    for place in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[place] ^= 1 << bit
            with pytest.raises(Unprotectable):
                got(bob, policy, bytes(changed))


@pytest.mark.parametrize("make", POLICIES, ids=WHICH)
def test_what_is_cut_or_longer_is_refused(make: Callable[[], Policy]) -> None:
    policy = make()
    data = alice().protect(policy, descriptor(), b"pay bob 100")
    bob = protector(person("bob"), person("alice"))
    for length in range(len(data)):
        with pytest.raises(Unprotectable):
            got(bob, policy, data[:length])
    with pytest.raises(Unprotectable):
        got(bob, policy, data + b"\0")


def test_no_outsider_reads_it() -> None:
    for policy in (privacy("bob"), confidentiality("bob")):
        data = alice().protect(policy, descriptor(), b"secret")
        with pytest.raises(Unprotectable) as refused:
            got(protector(person("mallory"), person("alice")), policy, data)
        assert refused.value.kind == DECRYPTION


def test_only_the_signers_of_the_policy_are_believed() -> None:
    data = protector(person("mallory")).protect(integrity(), descriptor(), b"x")
    bob = protector(person("bob"))
    assert got(bob, integrity(), data) == b"x"  # no signers in the policy: any that the keystore vouches for
    with pytest.raises(Unprotectable) as refused:
        got(bob, integrity("alice"), data)
    assert refused.value.kind == SIGNER


def test_a_signer_that_nobody_vouches_for_is_refused() -> None:
    from kew.security.certificates import Authority

    other = Authority.make((("O", "Other"), ("CN", "Other authority")))
    alike = other.vouch((("C", "GB"), ("O", "Kew"), ("CN", "alice")))
    from kew.protection.keystore import Keystore

    made = Protector(Keystore("other", alike.key, alike.certificate, [other.certificate]))
    data = made.protect(integrity("alice"), descriptor(), b"x")
    with pytest.raises(Unprotectable) as refused:
        got(protector(person("bob")), integrity("alice"), data)
    assert refused.value.kind == CERTIFICATE


def test_the_quality_must_be_that_of_the_policy() -> None:
    bob = protector(person("bob"), person("alice"))
    policies = [make() for make in POLICIES]
    for put in policies:
        data = alice().protect(put, descriptor(), b"x")
        for wanted in policies:
            if wanted is put:
                continue
            with pytest.raises(Unprotectable) as refused:
                got(bob, wanted, data)
            assert refused.value.kind == QUALITY


def test_a_message_without_protection_is_refused_or_tolerated() -> None:
    bob = protector(person("bob"))
    with pytest.raises(Unprotectable) as refused:
        bob.unprotect(integrity(), descriptor(), b"plain")
    assert refused.value.kind == QUALITY
    found = descriptor()
    assert bob.unprotect(integrity(tolerates=True), found, b"plain") == b"plain"
    assert found.format == b"MQSTR   "
    broken = alice().protect(integrity(), descriptor(), b"signed")[:-1]
    with pytest.raises(Unprotectable):  # what is protected is not tolerated when it is broken
        got(bob, integrity(tolerates=True), broken)


def test_weaker_algorithms_than_the_policys_are_refused() -> None:
    bob = protector(person("bob"), person("alice"))
    for put, wanted in (
        (integrity(), integrity(signature=SHA384)),
        (confidentiality("bob", encryption=AES128), confidentiality("bob")),
        (privacy("bob", encryption=AES128), privacy("bob")),
    ):
        data = alice().protect(put, descriptor(), b"x")
        with pytest.raises(Unprotectable) as refused:
            got(bob, wanted, data)
        assert refused.value.kind == STRENGTH
    stronger = alice().protect(integrity(signature=SHA384), descriptor(), b"x")
    assert got(bob, integrity(), stronger) == b"x"


@pytest.mark.parametrize(("reuse", "wrapped"), [(0, 10), (1, 10), (4, 3), (32, 1), (-1, 1)])
def test_a_content_key_serves_as_many_messages_as_the_policy_says(reuse: int, wrapped: int) -> None:
    policy = confidentiality("bob", reuse=reuse)
    sender, bob = alice(), protector(person("bob"))
    for number in range(10):
        assert got(bob, policy, sender.protect(policy, descriptor(), b"%d" % number)) == b"%d" % number
    assert sender.counters.asymmetric == sender.counters.wrapped == wrapped
    assert bob.counters.asymmetric == bob.counters.unwrapped == wrapped
    assert (sender.counters.protected, bob.counters.unprotected) == (10, 10)


def test_a_key_is_wrapped_anew_for_others() -> None:
    sender = alice()
    sender.protect(confidentiality("bob", reuse=-1), descriptor(), b"x")
    sender.protect(confidentiality("bob", "carol", reuse=-1), descriptor(), b"x")
    assert sender.counters.wrapped == 3


def test_properties_stay_in_the_clear_before_the_protected_part() -> None:
    folder = "<usr><colour>red</colour></usr>"
    before = mqrfh2.encode(RulesHeader(546, 1208, b"MQSTR   ", folders=[folder]))
    for policy in (integrity(), confidentiality("bob")):
        put = descriptor(header.RFH2_FORMAT)
        data = alice().protect(policy, put, before + b"body")
        assert put.format == header.RFH2_FORMAT
        assert mqrfh2.decode(data).folders == [folder]
        assert mqrfh2.following(data)[2] == header.FORMAT
        found = put.copy()
        assert protector(person("bob")).unprotect(policy, found, data) == before + b"body"
        assert found.format == header.RFH2_FORMAT


def test_a_recipient_without_a_certificate_fails_the_put() -> None:
    with pytest.raises(KeystoreError, match="CN=nobody,O=Kew,C=GB"):
        alice().protect(confidentiality("nobody"), descriptor(), b"x")


def test_what_has_expired_or_was_revoked_is_noticed() -> None:
    old = vouched("old", days=1)
    now = datetime.datetime.now(datetime.UTC).timestamp()
    later = now + 3 * 86400
    data = protector(old).protect(integrity("old"), descriptor(), b"x")
    assert got(protector(person("bob")), integrity("old"), data) == b"x"
    with pytest.raises(Unprotectable, match="expired"):
        got(Protector(keystore(person("bob")), lambda: later), integrity("old"), data)
    with pytest.raises(KeystoreError, match="expired"):
        Protector(keystore(person("alice"), old), lambda: later).protect(confidentiality("old"), descriptor(), b"x")
    revoked = Protector(keystore(person("bob"), crls=[revocations(old)]))
    with pytest.raises(Unprotectable, match="revoked"):
        got(revoked, integrity("old"), data)
    with pytest.raises(KeystoreError, match="revoked"):
        Protector(keystore(person("alice"), old, crls=[revocations(old)])).protect(
            confidentiality("old"), descriptor(), b"x"
        )
    others = Protector(keystore(person("bob"), crls=[revocations(vouched("other"))]))
    assert got(others, integrity("old"), data) == b"x"


def test_a_certificate_that_expires_while_it_is_used_is_noticed() -> None:
    moment = [datetime.datetime.now(datetime.UTC).timestamp()]
    old = vouched("brief", days=1)
    sender = Protector(keystore(person("alice"), old), lambda: moment[0])
    reader = Protector(keystore(person("bob")), lambda: moment[0])
    signed = protector(old).protect(integrity(), descriptor(), b"x")
    policy = confidentiality("brief", reuse=-1)
    sender.protect(policy, descriptor(), b"x")
    got(reader, integrity(), signed)
    moment[0] += 3 * 86400
    with pytest.raises(KeystoreError, match="expired"):
        sender.protect(policy, descriptor(), b"x")
    with pytest.raises(Unprotectable, match="expired"):
        got(reader, integrity(), signed)


def test_a_revocation_list_out_of_date_or_of_others_fails() -> None:
    from tests.support.protection import authority

    from kew.security.certificates import Authority

    data = protector(person("alice")).protect(integrity(), descriptor(), b"x")
    late = revocations(next_update=datetime.timedelta(days=-1))
    with pytest.raises(Unprotectable, match="out of date"):
        got(Protector(keystore(person("bob"), crls=[late])), integrity(), data)
    impostor = Authority.make((("O", "Kew"), ("CN", "Test authority")))
    assert impostor.certificate.subject == authority().certificate.subject
    with pytest.raises(Unprotectable, match="not signed"):
        got(Protector(keystore(person("bob"), crls=[revocations(issuer=impostor)])), integrity(), data)


def test_a_message_of_another_length_than_its_header_says_is_refused() -> None:
    data = alice().protect(confidentiality("bob"), descriptor(), b"four")
    longer = data[:8] + (5).to_bytes(4, "big") + data[12:]
    with pytest.raises(Unprotectable) as refused:
        got(protector(person("bob")), confidentiality("bob"), longer)
    assert refused.value.kind == HEADER
    huge = data[:8] + (2**31).to_bytes(4, "big") + data[12:]
    with pytest.raises(Unprotectable):
        got(protector(person("bob")), confidentiality("bob"), huge)
    assert data[OUTER_SIZE] == 0x30


def test_nothing_is_protected_twice() -> None:
    data = alice().protect(integrity(), descriptor(), b"x")
    with pytest.raises(KeystoreError, match="already"):
        alice().protect(integrity(), descriptor(header.FORMAT), data)


def test_the_character_set_of_the_queue_manager_comes_from_the_descriptor() -> None:
    put = descriptor(ccsid=0)
    data = alice().protect(confidentiality("bob"), put, b"x")
    put.ccsid = 1208  # as the queue manager fills it in
    protector(person("bob")).unprotect(confidentiality("bob"), put, data)
    assert put.ccsid == 1208


@pytest.mark.parametrize("size", [0, 11, 100, 1000, 40000])
def test_no_bit_can_be_changed_of_messages_that_are_alike(size: int) -> None:
    """A message that is like the one before is read by comparison: that notices as much."""
    policy, body = confidentiality("bob", "carol", reuse=-1), bytes(size)
    sender, bob = alice(), protector(person("bob"))
    for number in range(3):
        assert got(bob, policy, sender.protect(policy, descriptor(), body)) == body, number
    assert bob.counters.unwrapped == 1
    data = sender.protect(policy, descriptor(), body)
    places = range(len(data)) if size < 1000 else [*range(1200), *range(len(data) - 40, len(data))]
    for place in places:
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        with pytest.raises(Unprotectable):
            got(bob, policy, bytes(changed))
    assert got(bob, policy, data) == body
    with pytest.raises(Unprotectable):
        got(bob, policy, data[:-1])
