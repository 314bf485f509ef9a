"""Patterns of addresses and of distinguished names."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.channels.transport.tls import _distinguished
from kew.formats.distinguishedname import BadName
from kew.security.addresses import AddressPattern, BadAddress, parts_of
from kew.security.peernames import PeerPattern, read_name

ADDRESSES = [
    ("192.0.2.0", "192.0.2.0", True),
    ("192.0.2.0", "192.0.2.1", False),
    ("192.0.2.*", "192.0.2.200", True),
    ("192.0.*", "192.0.9.9", True),
    ("192.0.*", "192.1.9.9", False),
    ("192.0.*.2", "192.0.7.2", True),
    ("192.*.2", "192.5.6.2", True),
    ("192.*.2", "192.5.6.3", False),
    ("*", "192.5.6.2", True),
    ("*", "2001:db8::1", True),
    ("192.0.2.1-8", "192.0.2.8", True),
    ("192.0.2.1-8", "192.0.2.9", False),
    ("192.0.*.1-8", "192.0.44.3", True),
    ("2001:DB8:0:0:0:0:0:0", "2001:db8::", True),
    ("2001:DB8::5", "2001:db8::5", True),
    ("2001:DB8:0:0:0:*:0:1", "2001:db8::7:0:1", True),
    ("2001:*:1", "2001:db8::1", True),
    ("2001:*:1", "2001:db8::2", False),
    ("2001:DB8:0:0:0:0:0:0-8", "2001:db8::8", True),
    ("2001:DB8:0:0:0:0:0:0-8", "2001:db8::9", False),
    ("192.0.2.*", "::ffff:192.0.2.7", True),
    ("::ffff:192.0.2.7", "192.0.2.7", True),
    ("192.0.2.*", "2001:db8::1", False),
]


@pytest.mark.parametrize(("pattern", "address", "expected"), ADDRESSES)
def test_which_addresses_a_pattern_is_about(pattern: str, address: str, expected: bool) -> None:
    assert AddressPattern(pattern).matches(parts_of(address)) is expected


WRONG = ["192.0.2", "1.2.3.4.5", "1.2.3.256", "1.2.3.8-1", "1.2.3.", "a.b.c.d", "host.example.com", "*.1.*", "", "1..2"]
WRONG += ["2001:db8::*", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:10000", "::1-5", "1.2.3.-", "-", "1.2.3.٣"]


@pytest.mark.parametrize("pattern", WRONG)
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(BadAddress):
        AddressPattern(pattern)


@given(st.text(alphabet="0123456789.*-:abf", max_size=20))
def test_no_text_does_worse_than_be_refused(text: str) -> None:
    try:
        AddressPattern(text)
    except BadAddress:
        return


@given(st.integers(0, 2**32 - 1))
def test_every_address_matches_itself_and_its_prefixes(number: int) -> None:
    address = str(ipaddress.IPv4Address(number))
    words = address.split(".")
    parts = parts_of(address)
    ranks = []
    for length in (4, 3, 2, 1):
        pattern = AddressPattern(".".join(words[:length]) + (".*" if length < 4 else ""))
        assert pattern.matches(parts)
        ranks.append(pattern.rank)
    assert ranks == sorted(ranks)
    assert ranks[-1] < AddressPattern("*").rank


NAME = "CN=John Smith, O=IBM ,OU=Large Unit,OU=Medium Unit,OU=Small Unit, C=GB"
PEERS = [
    ("", True),
    ("CN=John Smith", True),
    ("cn=john smith", True),
    ('CN="John Smith"', True),
    ("CN=John*", True),
    ("CN=*Smith", True),
    ("CN=*hn Sm*", True),
    ("CN=*", True),
    ("CN=Jane*", False),
    ("O=IBM;C=GB", True),
    ("OU=Large Unit,OU=Medium Unit", True),
    ("OU=*,OU=Medium Unit,OU=Small Unit", True),
    ("OU=Medium Unit", False),
    ("L=Hursley", False),
    ("OU=*,OU=*,OU=*,OU=*", False),
]


@pytest.mark.parametrize(("pattern", "expected"), PEERS)
def test_which_names_a_pattern_is_about(pattern: str, expected: bool) -> None:
    assert PeerPattern(pattern).matches(NAME) is expected


@pytest.mark.parametrize("pattern", ["CN", "=x", 'CN="x', "CN=a\\", "XX=y"])
def test_what_is_no_name_is_refused(pattern: str) -> None:
    with pytest.raises(BadName):
        PeerPattern(pattern)


def test_a_separator_may_be_part_of_a_value() -> None:
    assert read_name('CN="Smith, John",O=a\\,b') == {"CN": ["smith, john"], "O": ["a,b"]}


def test_a_name_that_cannot_be_read_fits_nothing() -> None:
    assert not PeerPattern("CN=*").matches("no name at all")


def test_the_more_telling_attribute_makes_the_pattern_more_specific() -> None:
    ordered = ["SERIALNUMBER=1", "CN=a,O=b", "CN=a", "CN=a*,O=b", "OU=x,O=b", "O=b", "C=GB", ""]
    patterns = [PeerPattern(text) for text in sorted(ordered)]
    assert [pattern.text for pattern in sorted(patterns, key=lambda pattern: pattern.rank)] == ordered


@pytest.mark.parametrize("evil", ["x;O=Kew", "x,O=Kew", "x+O=Kew", 'x",O=Kew', "x\\,O=Kew", 'x"', "x\\"])
def test_a_certificate_claims_no_attribute_within_the_value_of_another(evil: str) -> None:
    subject = _distinguished(((("organizationName", "Evil"),), (("commonName", evil),)))
    assert read_name(subject) == {"CN": [evil.lower()], "O": ["evil"]}
    assert not PeerPattern("O=Kew").matches(subject)
