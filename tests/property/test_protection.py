"""Any message under any policy comes back to each of its recipients, and to nobody else."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.protection import AES128, AES256, SHA256, SHA384, SHA512, dn, person, protector

from kew.formats.mqmd import MessageDescriptor
from kew.protection import header, policy
from kew.protection.errors import Unprotectable
from kew.protection.policy import Policy
from kew.protection.protector import Protector

PEOPLE = ("alice", "bob", "carol", "erin")
WORDS = st.integers(-(2**31), 2**31 - 1)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    signature = draw(st.sampled_from([0, SHA256, SHA384, SHA512]))
    encryption = draw(st.sampled_from([0, AES128, AES256] if signature else [AES128, AES256]))
    recipients = draw(st.lists(st.sampled_from(PEOPLE), min_size=1, unique=True)) if encryption else []
    signers = draw(st.lists(st.sampled_from(PEOPLE[1:]), unique=True)) if signature else []
    if signers:
        signers.append("alice")
    reuse = 0 if signature else draw(st.sampled_from([0, 1, 2, 32, -1]))
    return Policy("Q1", signature, encryption, tuple(map(dn, signers)), tuple(map(dn, recipients)), False, reuse)


def protectors() -> dict[str, Protector]:
    return {name: protector(person(name), *[person(other) for other in PEOPLE]) for name in PEOPLE}


EVERYBODY = protectors()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    one=policies(),
    bodies=st.lists(st.binary(max_size=3000), min_size=1, max_size=3),
    text=st.binary(min_size=8, max_size=8).filter(lambda each: each not in (header.FORMAT, header.RFH2_FORMAT)),
    ccsid=WORDS,
    encoding=WORDS,
)
def test_a_message_comes_back_to_its_recipients(
    one: Policy, bodies: list[bytes], text: bytes, ccsid: int, encoding: int
) -> None:
    told = policy.decode(policy.encode(one))
    for body in bodies:
        put = MessageDescriptor()
        put.format, put.ccsid, put.encoding = text, ccsid, encoding
        data = EVERYBODY["alice"].protect(one, put, body)
        for name, reader in EVERYBODY.items():
            found = put.copy()
            if one.recipients and dn(name) not in one.recipients:
                try:
                    reader.unprotect(told, found, data)
                except Unprotectable:
                    continue
                raise AssertionError(f"{name} has read it")
            assert reader.unprotect(told, found, data) == body
            assert (found.format, found.ccsid, found.encoding) == (text, ccsid, encoding)
