"""Client configuration files: where they are, what they say, and what is refused with file, line and expected form."""

from pathlib import Path

import pytest

from kew.codes.errors import MQError
from kew.codes.options import MQCNO_RECONNECT_Q_MGR
from kew.codes.reasons import MQRC_CHANNEL_CONFIG_ERROR
from kew.faces.clientfile import NAME, client_file

WHOLE = """# of all stanzas
channels:
   CCSID=819
   ChannelDefinitionDirectory=/etc/mq
   ChannelDefinitionFile=ccdt.json
   DEFRECON=qmgr
   MQReconnectTimeout=60
   ReconDelay=(1000,200)(2000, 200) (4000)
   ServerConnectionParms=ONE/TCP/here(1414)
   Put1DefaultAlwaysSync=YES
SSL:
   SSLKeyRepository=/etc/mq/key
   SSLFipsRequired=YES
   SSLKeyResetCount=65536
TCP:
   KeepAlive=YES
   Connect_Timeout=5
   ClntRcvBuffSize=1
MessageBuffer:
   MaximumSize=100
ClientExitPath:
   ExitsDefaultPath=/var/mqm/exits
"""


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("here", "data", "home"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("KEW_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MQCLNTCF", raising=False)


def test_everything_that_is_heeded(tmp_path: Path) -> None:
    (tmp_path / "here" / NAME).write_text(WHOLE)
    found = client_file()
    assert found.number("CCSID") == 819
    assert found.text("ChannelDefinitionDirectory") == "/etc/mq"
    assert found.text("ChannelDefinitionFile") == "ccdt.json"
    assert found.number("DefRecon") == MQCNO_RECONNECT_Q_MGR
    assert found.number("MQReconnectTimeout") == 60
    assert found.delays() == ((1.0, 0.2), (2.0, 0.2), (4.0, 0.0))
    assert found.text("ServerConnectionParms") == "ONE/TCP/here(1414)"
    assert found.text("SSLKeyRepository") == "/etc/mq/key"
    assert found.yes("SSLFipsRequired")
    assert found.number("SSLKeyResetCount") == 65536
    assert found.yes("KeepAlive")
    assert found.number("Connect_Timeout") == 5


def test_where_it_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client_file().number("CCSID") is None
    for number, name in enumerate(("home", "data", "here"), 1):
        (tmp_path / name / NAME).write_text(f"CHANNELS:\nCCSID={number}\n")
        assert client_file().number("CCSID") == number
    named = tmp_path / "named.ini"
    named.write_text("CHANNELS:\nCCSID=4\n")
    monkeypatch.setenv("MQCLNTCF", str(named))
    assert client_file().number("CCSID") == 4
    named.unlink()
    with pytest.raises(MQError) as refused:
        client_file()
    assert str(named) in str(refused.value)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("CHANNELS:\nCCSID=many\n", 2, "'CCSID' cannot be 'many': a number"),
        ("CHANNELS:\n\nDefRecon=MAYBE\n", 3, "'DefRecon' cannot be 'MAYBE': NO, YES, QMGR or DISABLED"),
        ("CHANNELS:\nReconDelay=1000\n", 2, "'ReconDelay' cannot be '1000': milliseconds, as in (1000,200)(2000,200)"),
        ("CHANNELS:\nServerConnectionParms=X\n", 2, "'ServerConnectionParms' cannot be 'X': CHANNEL/TCP/host(port)"),
        ("TCP:\nKeepAlive=1\n", 2, "'KeepAlive' cannot be '1': YES or NO"),
        ("SSL:\nCertificateLabel=me\n", 2, "unknown attribute 'CertificateLabel'; known: SSLFipsRequired,"),
        ("CHANELS:\n", 1, "unknown stanza 'CHANELS'; known: CHANNELS, SSL, TCP, MessageBuffer"),
        ("CCSID=1\n", 1, "'CCSID' cannot be '1': first a stanza"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = tmp_path / "here" / NAME
    path.write_text(text)
    with pytest.raises(MQError) as refused:
        client_file()
    assert refused.value.reason == MQRC_CHANNEL_CONFIG_ERROR
    assert f"{NAME}, line {line}: {said}" in str(refused.value.facts["why"])
