"""The ways to a queue manager: what programs and MQ's environment variables say."""

import json
import socket
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.support.network import NAME, Reachable
from tests.support.programs import elsewhere

from kew import ibmmq, pymqi
from kew.codes.errors import MQError
from kew.faces.clientfile import client_file
from kew.faces.connecting import ConnectRequest, _settings, connect, parse_server, text
from kew.ibmmq import CD, CMQC, CMQXC, CNO, CSP, SCO


def refused(call: Any) -> int:
    with pytest.raises((ibmmq.MQMIError, pymqi.MQMIError)) as failure:
        call()
    error: Any = failure.value
    reason: int = error.reason
    return reason


def name_of(manager: Any) -> bytes:
    name: bytes = manager.inquire(CMQC.MQCA_Q_MGR_NAME).strip()
    manager.disconnect()
    return name


@pytest.mark.parametrize("face", [ibmmq, pymqi])
def test_in_this_process(place: Reachable, face: Any) -> None:
    assert name_of(face.connect(NAME)) == b"QM1"
    assert name_of(face.QueueManager(NAME.encode())) == b"QM1"
    assert name_of(face.QueueManager("")) == b"QM1"  # the only one is the default
    manager = face.QueueManager(None)
    manager.connect_with_options(NAME, opts=CMQC.MQCNO_FASTPATH_BINDING)
    assert name_of(manager) == b"QM1"


@pytest.mark.parametrize("face", [ibmmq, pymqi])
def test_over_the_network(place: Reachable, face: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert name_of(face.connect(NAME, "DEV.APP.SVRCONN", place.address, "app", "password")) == b"QM1"
    assert name_of(face.connect("", b"DEV.APP.SVRCONN", place.address, "app", "password")) == b"QM1"
    manager = face.QueueManager(None)
    cd = face.CD(ChannelName=b"DEV.APP.SVRCONN", ConnectionName=place.address.encode())
    manager.connect_with_options(NAME, cd, user="app", password="password")
    assert name_of(manager) == b"QM1"
    # The addresses of a list are tried in turn.
    listed = f"127.0.0.1(1),{place.address}"
    assert name_of(face.connect(NAME, "DEV.APP.SVRCONN", listed, "app", "password")) == b"QM1"
    monkeypatch.setenv("MQSERVER", f"DEV.APP.SVRCONN/TCP/{place.address}")
    manager = face.QueueManager(None)
    manager.connect_with_options(NAME, opts=CMQC.MQCNO_CLIENT_BINDING, user="app", password="password")
    assert name_of(manager) == b"QM1"


@pytest.mark.parametrize("face", [ibmmq, pymqi])
def test_on_this_machine(place: Reachable, face: Any) -> None:
    with elsewhere(place):
        assert name_of(face.connect(NAME)) == b"QM1"
        assert refused(lambda: face.connect("QM2")) == CMQC.MQRC_Q_MGR_NAME_ERROR
        assert refused(lambda: face.QueueManager("")) == CMQC.MQRC_Q_MGR_NAME_ERROR


def test_a_queue_manager_that_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kew.qmgr import manager

    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    manager.create("SLEEPY", data=str(tmp_path))
    assert refused(lambda: ibmmq.connect("SLEEPY")) == CMQC.MQRC_Q_MGR_NOT_AVAILABLE


def test_who_is_refused(place: Reachable) -> None:
    def attempt(channel: str, address: str, user: str, password: str) -> int:
        return refused(lambda: ibmmq.connect(NAME, channel, address, user, password))

    assert attempt("DEV.APP.SVRCONN", place.address, "app", "wrong") == CMQC.MQRC_NOT_AUTHORIZED
    assert attempt("NO.SUCH", place.address, "app", "password") == CMQC.MQRC_UNKNOWN_CHANNEL_NAME
    assert attempt("DEV.APP.SVRCONN", "127.0.0.1(1)", "app", "password") == CMQC.MQRC_HOST_NOT_AVAILABLE
    assert attempt("DEV.APP.SVRCONN", "a(b)c", "app", "password") == CMQC.MQRC_CD_ERROR
    assert refused(lambda: ibmmq.connect("OTHER", "DEV.APP.SVRCONN", place.address, "app", "password")) == 2058


def test_structures_of_mqconnx(place: Reachable) -> None:
    csp = CSP(CSPUserId="app", CSPPassword="password")
    manager = ibmmq.connect(NAME, "DEV.APP.SVRCONN", place.address, csp=csp, cno=CNO(), sco=SCO(), cd=CD())
    assert csp.AuthenticationType == CMQC.MQCSP_AUTH_USER_ID_AND_PWD
    assert (csp.CSPUserId, csp.CSPPassword) == (b"app", b"password")
    assert manager.get_name() == "QM1"
    manager.disconnect()
    wrong = CSP()
    wrong.UserId = "app"
    with pytest.raises(ibmmq.PYIFError, match="UserId field in CSP class is called CSPUserId"):
        ibmmq.connect(NAME, csp=wrong)
    wrong = CSP()
    wrong.Password = "app"
    with pytest.raises(ibmmq.PYIFError, match="Password field in CSP class is called CSPPassword"):
        ibmmq.connect(NAME, csp=wrong)
    for key in ("cno", "csp", "sco"):
        with pytest.raises(TypeError, match=f"{key} must be an instance of {key.upper()}"):
            ibmmq.QueueManager(None).connect_with_options(NAME, **{key: CD()})


@pytest.mark.parametrize("face", [ibmmq, pymqi])
def test_arguments_that_make_no_sense(face: Any) -> None:
    with pytest.raises(TypeError, match="Invalid arguments"):
        face.connect("")
    manager = face.QueueManager(None)
    with pytest.raises(ValueError, match="Password must not be None"):
        manager.connect_with_options(NAME, user="app")
    with pytest.raises(ValueError, match="must be instances of str or bytes"):
        manager.connect_with_options(NAME, user=5, password="x")
    with pytest.raises(TypeError):
        manager.connect_with_options(NAME, 1, 2, 3)


@pytest.mark.parametrize("value", ["", "A", "A/TCP", "A/LU62/x", "/TCP/x", "A/TCP/"])
def test_values_of_mqserver_that_are_none(value: str) -> None:
    with pytest.raises(MQError) as failure:
        parse_server(value)
    assert failure.value.reason == CMQC.MQRC_CHANNEL_CONFIG_ERROR


def test_text_of_fields() -> None:
    assert [text(each) for each in (None, 0, b"", b"a \0b", "x ", b"\xff")] == ["", "", "", "a", "x", "\ufffd"]
    request = ConnectRequest(b"NOWHERE")
    request.options = CMQC.MQCNO_CLIENT_BINDING
    with pytest.raises(MQError) as failure:
        connect(request)
    assert failure.value.reason == CMQC.MQRC_Q_MGR_NAME_ERROR


def table_at(path: Path, *channels: tuple[str, str, str]) -> str:
    entries = [
        {
            "name": name,
            "type": "clientConnection",
            "clientConnection": {
                "connection": [{"host": "127.0.0.1", "port": int(address.partition("(")[2][:-1])}],
                "queueManager": manager,
            },
        }
        for name, manager, address in channels
    ]
    path.write_text(json.dumps({"channel": entries}))
    return path.as_uri()


def test_by_a_channel_table(place: Reachable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    away = "127.0.0.1(1)"
    location = table_at(
        tmp_path / "ccdt.json",
        ("A.AWAY", "QM1", away),
        ("DEV.APP.SVRCONN", "QM1", place.address),
        ("DEV.APP.SVRCONN", "GROUP", place.address),
        ("A.AWAY", "FAR", away),
    )

    def reached(name: str, **given: Any) -> bytes:
        manager = ibmmq.QueueManager(None)
        manager.connect_with_options(name, user="app", password="password", **given)
        return name_of(manager)

    assert reached("QM1", cno=CNO(CCDTUrl=location)) == b"QM1"
    assert reached("*GROUP", cno=CNO(CCDTUrl=location)) == b"QM1"
    assert refused(lambda: reached("FAR", cno=CNO(CCDTUrl=location))) == CMQC.MQRC_HOST_NOT_AVAILABLE
    assert refused(lambda: reached("NONE", cno=CNO(CCDTUrl=location))) == CMQC.MQRC_Q_MGR_NAME_ERROR
    monkeypatch.setenv("MQCCDTURL", location)
    assert reached("QM1", opts=CMQC.MQCNO_CLIENT_BINDING) == b"QM1"
    monkeypatch.delenv("MQCCDTURL")
    monkeypatch.setenv("MQCHLLIB", str(tmp_path))
    monkeypatch.setenv("MQCHLTAB", "ccdt.json")
    assert reached("QM1", opts=CMQC.MQCNO_CLIENT_BINDING) == b"QM1"


def test_what_is_not_supported_is_refused(place: Reachable, tmp_path: Path) -> None:
    def attempt(**fields: Any) -> int:
        cd = CD(**fields)
        return refused(lambda: ibmmq.connect(NAME, "DEV.APP.SVRCONN", place.address, "app", "password", cd=cd))

    assert attempt(SSLCipherSpec="ANY_TLS12") == CMQC.MQRC_KEY_REPOSITORY_ERROR
    for fields, reason in (
        ({"SecurityExit": b"exit"}, CMQC.MQRC_CLIENT_EXIT_LOAD_ERROR),
        ({"LocalAddress": b"127.0.0.1"}, CMQC.MQRC_FUNCTION_NOT_SUPPORTED),
        ({"CertificateLabel": b"mine"}, CMQC.MQRC_FUNCTION_NOT_SUPPORTED),
        ({"MsgCompList": [-7, *[-1] * 15]}, CMQC.MQRC_CD_ERROR),
    ):
        assert attempt(**fields) == reason
    token = CSP(Token="abc")
    assert refused(lambda: ibmmq.connect(NAME, "DEV.APP.SVRCONN", place.address, csp=token)) == 2298
    assert token.AuthenticationType == CMQC.MQCSP_AUTH_ID_TOKEN


@pytest.mark.parametrize("face", [ibmmq, pymqi])
@pytest.mark.parametrize("where", ["process", "socket", "isolated"])
def test_user_and_password_on_this_machine(place: Reachable, face: Any, where: str) -> None:
    """CONNAUTH has them checked, as it does over a channel, and who they belong to is who puts."""

    def attempt(user: str, password: str) -> Any:
        manager = face.QueueManager(None)
        options = CMQC.MQCNO_ISOLATED_BINDING if where == "isolated" else CMQC.MQCNO_NONE
        with nullcontext() if where == "process" else elsewhere(place):
            manager.connect_with_options(NAME, user=user, password=password, opts=options)
        return manager

    def who(manager: Any) -> bytes:
        md = face.MD()
        queue = face.Queue(manager, "DEV.QUEUE.1")
        queue.put(b"x", md)
        face.Queue(manager, "DEV.QUEUE.1").get()
        queue.close()
        manager.disconnect()
        user: bytes = md.UserIdentifier.strip()
        return user

    place.mqsc("ALTER AUTHINFO(DEV.AUTHINFO) AUTHTYPE(IDPWOS) FAILDLAY(0)")
    assert who(attempt("app", "password")) == b"app"
    assert refused(lambda: attempt("app", "wrong")) == CMQC.MQRC_NOT_AUTHORIZED
    assert refused(lambda: attempt("nobody.known", "password")) == CMQC.MQRC_NOT_AUTHORIZED
    place.mqsc("ALTER AUTHINFO(DEV.AUTHINFO) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED)")
    try:
        assert refused(lambda: attempt("", "")) == CMQC.MQRC_NOT_AUTHORIZED
        assert who(attempt("app", "password")) == b"app"
        place.mqsc("ALTER AUTHINFO(DEV.AUTHINFO) AUTHTYPE(IDPWOS) CHCKLOCL(NONE)")
        assert who(attempt("app", "wrong")) == place.manager.host.authority.owner.encode()[:12]
    finally:
        place.mqsc("ALTER AUTHINFO(DEV.AUTHINFO) AUTHTYPE(IDPWOS) CHCKLOCL(OPTIONAL) FAILDLAY(1)")


@pytest.mark.parametrize("where", ["process", "socket"])
def test_a_token_on_this_machine(place: Reachable, where: str) -> None:
    csp = CSP(Token=b"a.b.c")
    with nullcontext() if where == "process" else elsewhere(place):
        assert refused(lambda: ibmmq.connect(NAME, csp=csp)) == CMQC.MQRC_FUNCTION_NOT_SUPPORTED


@pytest.mark.parametrize("face", [ibmmq, pymqi])
def test_what_the_environment_says(place: Reachable, face: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def connections(manager: Any) -> str:
        md = face.MD()
        manager.put1("DEV.QUEUE.3", b"x", md)
        face.Queue(manager, "DEV.QUEUE.3").get()
        manager.disconnect()
        name: bytes = md.PutApplName.strip()
        return name.decode()

    monkeypatch.setenv("MQAPPLNAME", "orders")
    assert connections(face.QueueManager(NAME)) == "orders"
    monkeypatch.setenv("MQ_CONNECT_TYPE", "CLIENT")
    monkeypatch.setenv("MQSERVER", "DEV.APP.SVRCONN/TCP/127.0.0.1(1)")
    assert refused(lambda: face.QueueManager(NAME)) == CMQC.MQRC_HOST_NOT_AVAILABLE
    manager = face.QueueManager(None)
    manager.connect_with_options(NAME, opts=CMQC.MQCNO_LOCAL_BINDING)
    assert connections(manager) == "orders"


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write the client configuration file."""
    path = tmp_path / "client.ini"
    monkeypatch.setenv("MQCLNTCF", str(path))
    monkeypatch.setenv("MQ_CONNECT_TYPE", "CLIENT")
    return path.write_text


def as_client(face: Any, **more: Any) -> Any:
    manager = face.QueueManager(None)
    manager.connect_with_options(NAME, user="app", password="password", **more)
    return manager


@pytest.mark.parametrize("face", [ibmmq, pymqi])
def test_what_the_client_file_says(
    place: Reachable, face: Any, configured: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refused(lambda: as_client(face)) == CMQC.MQRC_CHANNEL_CONFIG_ERROR  # it is named, and is not there
    server = f"ServerConnectionParms=DEV.APP.SVRCONN/TCP/{place.address}\n"
    configured(f"CHANNELS:\n{server}TCP:\nKeepAlive=YES\nConnect_Timeout=7\n")
    manager = as_client(face)
    endpoint = manager._verbs._connection.driver.endpoint
    assert endpoint.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert name_of(manager) == b"QM1"
    monkeypatch.setenv("MQSERVER", "DEV.APP.SVRCONN/TCP/127.0.0.1(1)")  # comes before the file
    assert refused(lambda: as_client(face)) == CMQC.MQRC_HOST_NOT_AVAILABLE
    monkeypatch.delenv("MQSERVER")
    table_at(tmp_path / "ccdt.json", ("DEV.APP.SVRCONN", NAME, place.address))
    configured(f"CHANNELS:\nChannelDefinitionDirectory={tmp_path}\nChannelDefinitionFile=ccdt.json\n")
    assert name_of(as_client(face)) == b"QM1"
    monkeypatch.setenv("MQCHLTAB", "none.json")
    assert refused(lambda: as_client(face)) != 0
    configured("CHANNELS:\nDefRecon=PERHAPS\n")
    assert refused(lambda: as_client(face)) == CMQC.MQRC_CHANNEL_CONFIG_ERROR
    monkeypatch.delenv("MQ_CONNECT_TYPE")
    assert name_of(face.QueueManager(NAME)) == b"QM1"  # in this process: no client, no file


def test_tls_and_limits_by_the_client_file(configured: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    configured("TCP:\nConnect_Timeout=7\nSSL:\nSSLKeyRepository=/none/of/mine\nSSLKeyResetCount=70000\n")
    request = ConnectRequest(NAME.encode())
    request.file = client_file()
    reach = _settings(request)
    assert (reach.timeout, reach.key_reset) == (7, 70000)
    request.cipher = "ANY_TLS13"
    with pytest.raises(MQError) as problem:
        _settings(request)
    assert "/none/of/mine" in str(problem.value)
    monkeypatch.setenv("MQSSLKEYR", "/none/of/yours")
    with pytest.raises(MQError) as problem:
        _settings(request)
    assert "/none/of/yours" in str(problem.value)
    request.cipher = "TLS_CHACHA20_POLY1305_SHA256"
    configured("SSL:\nSSLFipsRequired=YES\n")
    request.file = client_file()
    with pytest.raises(MQError, match="FIPS 140"):
        _settings(request)
    monkeypatch.setenv("MQSSLFIPS", "NO")  # comes before the file
    with pytest.raises(MQError, match="/none/of/yours"):
        _settings(request)


def test_reconnection_by_the_client_file(place: Reachable, configured: Any) -> None:
    server = f"CHANNELS:\nServerConnectionParms=DEV.APP.SVRCONN/TCP/{place.address}\n"

    def reconnects(says: str, options: int = 0, channel: int | None = None) -> tuple[bool, Any]:
        configured(server + says)
        more: dict[str, Any] = {"opts": options}
        if channel is not None:
            cd = CD(ChannelName=b"DEV.APP.SVRCONN", ConnectionName=place.address.encode(), DefReconnect=channel)
            more["cd"] = cd
        manager = as_client(ibmmq, **more)
        recovery = manager._verbs._connection._recovery
        manager.disconnect()
        return recovery is not None, recovery

    assert not reconnects("")[0]
    assert reconnects("DefRecon=YES\n")[0]
    found, recovery = reconnects("DefRecon=QMGR\nMQReconnectTimeout=9\nReconDelay=(10,5)(20)\n")
    assert found
    assert (recovery.same_manager, recovery.timeout, recovery.schedule) == (True, 9, ((0.01, 0.005), (0.02, 0.0)))
    assert reconnects("DefRecon=NO\n", CMQC.MQCNO_RECONNECT)[0]
    assert not reconnects("DefRecon=DISABLED\n", CMQC.MQCNO_RECONNECT)[0]
    assert not reconnects("DefRecon=YES\n", CMQC.MQCNO_RECONNECT_DISABLED)[0]
    assert reconnects("", 0, CMQXC.MQRCN_YES)[0]
    assert not reconnects("DefRecon=NO\n", 0, CMQXC.MQRCN_YES)[0]


@pytest.mark.parametrize("how", ["environment", "file"])
def test_the_character_set_of_programs(
    place: Reachable, configured: Any, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "CCSID=819\n" if how == "file" else "CCSID=37\n"  # which the environment comes before
    configured(f"CHANNELS:\nServerConnectionParms=DEV.APP.SVRCONN/TCP/{place.address}\n{said}")
    if how == "environment":
        monkeypatch.setenv("MQCCSID", "819")
    manager = as_client(ibmmq)
    queue = ibmmq.Queue(manager, "DEV.QUEUE.2", CMQC.MQOO_OUTPUT | CMQC.MQOO_INPUT_SHARED)
    utf8 = ibmmq.MD(Format=CMQC.MQFMT_STRING, CodedCharSetId=1208)
    queue.put("Grüße".encode(), utf8)
    md = ibmmq.MD(CodedCharSetId=CMQC.MQCCSI_Q_MGR)
    assert queue.get(None, md, ibmmq.GMO(Options=CMQC.MQGMO_CONVERT)) == "Grüße".encode("latin-1")
    assert md.CodedCharSetId == 819
    queue.put("Grüße".encode("latin-1"), ibmmq.MD(Format=CMQC.MQFMT_STRING, CodedCharSetId=CMQC.MQCCSI_Q_MGR))
    md = ibmmq.MD()
    queue.get(None, md)
    assert md.CodedCharSetId == 819
    manager.disconnect()
    monkeypatch.setenv("MQCCSID", "latin")
    assert refused(lambda: as_client(ibmmq)) == CMQC.MQRC_CHANNEL_CONFIG_ERROR
