"""The form in which a client is told of a policy."""

import pytest

from kew.formats.binary import FormatError
from kew.protection import policy
from kew.protection.policy import CONFIDENTIALITY, INTEGRITY, PRIVACY, Policy


def test_a_policy_comes_back() -> None:
    one = Policy("Q1", 4, 5, ("CN=alice", "CN=ärger"), ("CN=bob",), True, -1)
    assert vars(policy.decode(policy.encode(one))) == vars(one)


def test_quality() -> None:
    assert [Policy("Q", 4, 0).quality, Policy("Q", 4, 5).quality, Policy("Q", 0, 4).quality] == [
        INTEGRITY,
        PRIVACY,
        CONFIDENTIALITY,
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: data[:10],
        lambda data: b"XXXX" + data[4:],
        lambda data: data[:5] + b"\2" + data[6:],
        lambda data: data[:7] + b"\1" + data[8:],  # MD5
        lambda data: data[:6] + bytes(4) + data[10:],
        lambda data: data[:12] + b"\xff\xff\xff\xfe" + data[16:],
        lambda data: data[:16] + b"\xff\xff" + data[18:],
    ],
)
def test_what_is_not_a_policy_is_refused(change: object) -> None:
    assert callable(change)
    data = change(policy.encode(Policy("Q1", 4, 5, ("CN=alice",), ("CN=bob",))))
    with pytest.raises(FormatError):
        policy.decode(data)
