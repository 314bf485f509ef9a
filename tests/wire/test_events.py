"""Events of channels: who was kept out, why, and what an operator stopped."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.support.certificates import certify, found
from tests.support.network import NAME, Reachable, reachable
from tests.support.pcf import plain

from kew import client
from kew.accounting.events import CHANNEL_QUEUE, MANAGER_QUEUE
from kew.client.tls import client_context
from kew.codes import attributes as a
from kew.codes import reasons as r
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQGMO_WAIT, MQOO_INPUT_SHARED
from kew.formats import pcf
from kew.objects.schema.values import Value

WAIT = 20000


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Reachable]:
    with reachable(tmp_path) as running:
        yield running


def told(site: Reachable, queue: str = CHANNEL_QUEUE, wait: int = WAIT) -> tuple[int, dict[int, Value]]:
    """The next event: its reason and its parameters."""
    site.manager.host.event_writer.write_pending()
    connection = site.manager.connect("reader")
    try:
        got = connection.get(connection.open(queue, MQOO_INPUT_SHARED), MQGMO_WAIT, wait)
    finally:
        connection.disconnect()
    message = pcf.decode(got.data)
    return message.header.reason, plain(message)


def nothing(site: Reachable, queue: str = CHANNEL_QUEUE) -> None:
    with pytest.raises(NoMessage):
        told(site, queue, 0)


def refused(site: Reachable, channel: str, tls: ssl.SSLContext | None = None) -> None:
    with pytest.raises(MQError):
        client.connect(NAME, site.address, channel, "app", "password", "tests", tls=tls)


def test_client_connections_do_not_start_and_stop(site: Reachable) -> None:
    site.mqsc("ALTER QMGR CHLEV(ENABLED) SSLEV(ENABLED)")
    site.connect().disconnect()
    nothing(site)


def test_who_is_blocked(site: Reachable) -> None:
    site.define_channel("SHUT", "")
    site.mqsc("SET CHLAUTH(SHUT) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(NOACCESS)")
    refused(site, "SHUT")
    nothing(site)
    site.mqsc("ALTER QMGR CHLEV(EXCEPTION)")
    refused(site, "SHUT")
    reason, values = told(site)
    assert reason == r.MQRC_CHANNEL_BLOCKED
    assert values[a.MQIACF_REASON_QUALIFIER] == a.MQRQ_CHANNEL_BLOCKED_NOACCESS
    assert values[a.MQCACH_CHANNEL_NAME] == "SHUT"
    assert values[a.MQCACH_CONNECTION_NAME] == "127.0.0.1"
    site.mqsc("SET CHLAUTH(SHUT) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(NOACCESS) WARN(YES) ACTION(REPLACE)")
    client.connect(NAME, site.address, "SHUT", "app", "password", "tests").disconnect()
    assert told(site)[0] == r.MQRC_CHANNEL_BLOCKED_WARNING
    site.mqsc("SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('127.0.0.1')")
    refused(site, "SHUT")
    reason, values = told(site)
    assert values[a.MQIACF_REASON_QUALIFIER] == a.MQRQ_CHANNEL_BLOCKED_ADDRESS
    assert a.MQCACH_CHANNEL_NAME not in values


def test_limits_and_stops(site: Reachable) -> None:
    site.mqsc("ALTER QMGR CHLEV(EXCEPTION)")
    site.define_channel("ONE", "MAXINST(1)")
    site.define_channel("EACH", "MAXINSTC(1)")
    for channel, qualifier in (("ONE", a.MQRQ_SVRCONN_INST_LIMIT), ("EACH", a.MQRQ_CLIENT_INST_LIMIT)):
        with site.connect(1, channel):
            refused(site, channel)
        reason, values = told(site)
        assert (reason, values[a.MQIACF_REASON_QUALIFIER]) == (r.MQRC_CHANNEL_NOT_AVAILABLE, qualifier)
    site.mqsc("STOP CHANNEL(ONE)")
    reason, values = told(site)
    assert reason == r.MQRC_CHANNEL_STOPPED_BY_USER
    assert values[a.MQIACF_REASON_QUALIFIER] == a.MQRQ_CHANNEL_STOPPED_DISABLED
    assert values[a.MQCACH_CHANNEL_NAME] == "ONE"


def test_tls_that_does_not_fit(site: Reachable, tmp_path: Path) -> None:
    authority = found(tmp_path, "ca", "/O=Kew/CN=Authority")
    certify(tmp_path, "qm", "/O=Kew/CN=QM1", authority)
    certify(tmp_path, "app", "/O=Kew/CN=app", authority)
    (tmp_path / "qm.ca.pem").write_text(authority.certificate_pem)
    (tmp_path / "known.pem").write_text((tmp_path / "app.pem").read_text() + authority.certificate_pem)
    site.mqsc(f"ALTER QMGR SSLKEYR('{tmp_path}/qm') SSLEV(ENABLED)")
    site.mqsc("REFRESH SECURITY TYPE(SSL)")
    site.define_channel("NEW", "SSLCIPH(TLS_AES_256_GCM_SHA384) SSLCAUTH(REQUIRED)")
    site.define_channel("PEER", "SSLCIPH(ANY_TLS13) SSLPEER('CN=other')")
    known = client_context("ANY_TLS13", str(tmp_path / "known"))
    unknown = client_context("ANY_TLS13", str(tmp_path / "ca.crt"))
    old = client_context("ANY_TLS12", str(tmp_path / "known"))
    for channel, tls, qualifier in (
        ("NEW", None, a.MQRQ_SSL_CIPHER_SPEC_ERROR),
        ("NEW", old, a.MQRQ_SSL_CIPHER_SPEC_ERROR),
        ("NEW", unknown, a.MQRQ_SSL_CLIENT_AUTH_ERROR),
        ("PEER", known, a.MQRQ_SSL_PEER_NAME_ERROR),
    ):
        refused(site, channel, tls)
        reason, values = told(site)
        assert (reason, values[a.MQIACF_REASON_QUALIFIER]) == (r.MQRC_CHANNEL_SSL_ERROR, qualifier)
        assert values[a.MQCACH_CHANNEL_NAME] == channel
    with socket.create_connection(("127.0.0.1", site.port)) as rubbish:
        rubbish.sendall(b"\x16\x03\x01\x00\x05rubbish, not a handshake")
        with suppress(ConnectionError):
            while rubbish.recv(100):
                pass
    reason, values = told(site)
    assert (reason, values[a.MQIACF_REASON_QUALIFIER]) == (r.MQRC_CHANNEL_SSL_ERROR, a.MQRQ_SSL_HANDSHAKE_ERROR)


def test_passwords_and_all_checks(site: Reachable) -> None:
    assert told(site, MANAGER_QUEUE)[0] == r.MQRC_Q_MGR_ACTIVE
    site.mqsc("ALTER QMGR AUTHOREV(ENABLED)")
    with pytest.raises(MQError):
        site.connect(1, password="wrong")
    reason, values = told(site, MANAGER_QUEUE)
    assert (reason, values[a.MQIACF_REASON_QUALIFIER]) == (r.MQRC_NOT_AUTHORIZED, a.MQRQ_CSP_NOT_AUTHORIZED)
    assert values[a.MQCACF_CSP_USER_IDENTIFIER] == "app"
    site.connect().disconnect()
    nothing(site, MANAGER_QUEUE)
    for scope, expected in (
        ("ALLCONNS", [a.MQRQ_CONN_AUTHORIZED]),
        ("ALLCHECKS", [a.MQRQ_CONN_AUTHORIZED, a.MQRQ_OPEN_AUTHORIZED]),
    ):
        site.mqsc(f"ALTER QMGR AUTHEVSC({scope})")
        with site.connect() as connection:
            connection.open("DEV.QUEUE.1", MQOO_INPUT_SHARED).close()
        site.mqsc("ALTER QMGR AUTHEVSC(FAILURES)")
        for qualifier in expected:
            reason, values = told(site, MANAGER_QUEUE)
            assert (reason, values[a.MQIACF_REASON_QUALIFIER]) == (r.MQRCCF_AUTHORIZED, qualifier)
            assert values[a.MQCACF_USER_IDENTIFIER] == "app"
        nothing(site, MANAGER_QUEUE)
