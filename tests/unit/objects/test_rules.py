"""Attributes that do not go together are refused, naming them."""

import pytest

from kew.objects.definition import Definition
from kew.objects.rules import BadDefinition, check

GOOD: list[tuple[str, str, dict[str, str]]] = [
    ("QLOCAL", "Q", {"CLUSTER": "C", "STREAMQ": "S"}),
    ("QLOCAL", "Q", {"QSGDISP": "SHARED", "CFSTRUCT": "APP1"}),
    ("QLOCAL", "Q", {"CUSTOM": "CAPEXPRY(5)"}),
    ("QREMOTE", "Q", {"RNAME": "X", "RQMNAME": "QM2"}),
    ("SDR", "C", {"CONNAME": "host(1414)", "XMITQ": "QM2"}),
    ("RCVR", "C", {}),
    ("SVRCONN", "C", {}),
    ("CFSTRUCT", "S", {"CFLEVEL": "5"}),
    ("ADDRESSMAP", "C", {"ADDRESS": "10.*", "MCAUSER": "app"}),
    ("BLOCKADDR", "*", {"ADDRLIST": "10.0.0.1"}),
    ("POLICY", "Q", {"SIGNALG": "SHA256"}),
    ("POLICY", "Q", {"ENCALG": "AES256", "RECIP": "CN=bob", "KEYREUSE": "32"}),
    ("QMGR", "QM", {"REPOS": "C"}),
    ("AUTHREC", "Q", {"ENTITY": "app"}),
    ("TOPIC", "T", {"TOPICSTR": "a/b"}),
    ("SUB", "S", {"TOPICSTR": "a", "DEST": "Q"}),
    ("SUB", "S", {"TOPICOBJ": "T", "DESTCLAS": "MANAGED"}),
]
BAD: list[tuple[str, str, dict[str, str], str]] = [
    ("QLOCAL", "Q", {"CLUSTER": "C", "CLUSNL": "N"}, "CLUSNL"),
    ("QLOCAL", "Q", {"QSGDISP": "SHARED"}, "CFSTRUCT"),
    ("QLOCAL", "Q", {"QDEPTHLO": "90"}, "QDEPTHLO"),
    ("QLOCAL", "Q", {"CUSTOM": "CAPEXPRY(5)", "CAPEXPRY": "6"}, "CAPEXPRY"),
    ("SDR", "C", {"XMITQ": "Q"}, "CONNAME"),
    ("SDR", "C", {"CONNAME": "h"}, "XMITQ"),
    ("CLNTCONN", "C", {}, "CONNAME"),
    ("QMGR", "QM", {"REPOS": "C", "REPOSNL": "N"}, "REPOSNL"),
    ("QMGR", "QM", {"OPORTMIN": "5"}, "OPORTMIN"),
    ("CFSTRUCT", "S", {"CFLEVEL": "4"}, "OFFLOAD"),
    ("CFSTRUCT", "S", {"CFLEVEL": "2", "OFFLOAD": "NONE", "RECOVER": "YES"}, "RECOVER"),
    ("ADDRESSMAP", "C", {"USERSRC": "NOACCESS"}, "ADDRESS"),
    ("ADDRESSMAP", "C", {"ADDRESS": "*"}, "MCAUSER"),
    ("ADDRESSMAP", "C", {"ADDRESS": "*", "USERSRC": "CHANNEL", "MCAUSER": "x"}, "MCAUSER"),
    ("BLOCKADDR", "C", {"ADDRLIST": "10.0.0.1"}, "CHLAUTH"),
    ("BLOCKUSER", "C", {}, "USERLIST"),
    ("POLICY", "Q", {"ENCALG": "AES256"}, "RECIP"),
    ("POLICY", "Q", {"RECIP": "CN=bob", "SIGNALG": "SHA256"}, "RECIP"),
    ("POLICY", "Q", {"KEYREUSE": "32", "SIGNALG": "SHA256", "ENCALG": "AES256", "RECIP": "CN=bob"}, "KEYREUSE"),
    ("POLICY", "Q", {"SIGNER": "CN=alice", "ENCALG": "AES256", "RECIP": "CN=bob"}, "SIGNER"),
    ("POLICY", "Q", {}, "SIGNALG"),
    ("POLICY", "Q", {"ENCALG": "AES256", "RECIP": "bob"}, "RECIP"),
    ("POLICY", "Q", {"SIGNALG": "SHA256", "SIGNER": "COLOUR=red"}, "SIGNER"),
    ("AUTHREC", "Q", {}, "ENTITY"),
    ("TOPIC", "T", {}, "TOPICSTR"),
    ("SUB", "S", {"DEST": "Q"}, "TOPICOBJ"),
    ("SUB", "S", {"TOPICSTR": "a"}, "DEST"),
    ("SUB", "S", {"TOPICSTR": "a", "DEST": "Q", "DESTCLAS": "MANAGED"}, "managed"),
]


@pytest.mark.parametrize(("kind", "name", "spelled"), GOOD)
def test_attributes_that_agree(kind: str, name: str, spelled: dict[str, str]) -> None:
    check(Definition.of(kind, name, spelled))


@pytest.mark.parametrize(("kind", "name", "spelled", "named"), BAD)
def test_attributes_that_do_not(kind: str, name: str, spelled: dict[str, str], named: str) -> None:
    with pytest.raises(BadDefinition, match=named) as caught:
        check(Definition.of(kind, name, spelled))
    assert caught.value.keywords
    assert caught.value.why


def test_a_channel_names_a_cipher_that_there_is() -> None:
    good = Definition.of("SVRCONN", "C", {"SSLCIPH": "TLS_AES_256_GCM_SHA384"})
    check(good)
    wrong = Definition.of("SVRCONN", "C", {"SSLCIPH": "TLS_AES_256_GCM_SHA348"})
    with pytest.raises(BadDefinition, match="the nearest is TLS_AES_256_GCM_SHA384"):
        check(wrong)
