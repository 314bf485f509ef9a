"""The error log says why somebody was refused on a channel, and who went without a word."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.support.certificates import certify, found
from tests.support.network import CHANNEL, NAME, Reachable, eventually, reachable
from tests.support.proxy import Proxy

from kew import client
from kew.client.tls import client_context
from kew.codes.errors import MQError
from kew.codes.options import MQOO_OUTPUT
from kew.qmgr.config import ChannelsConfiguration, Configuration, LogConfiguration


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Reachable]:
    with reachable(tmp_path) as running:
        yield running


def said(site: Reachable) -> str:
    """Give what the error log has."""
    site.manager.errors.write_pending()
    return (Path(site.manager.places.errors) / "AMQERR01.LOG").read_text(encoding="utf-8")


def says(site: Reachable, *words: str) -> bool:
    """Say whether one entry has all of some words, sooner or later."""
    return eventually(lambda: any(all(word in entry for word in words) for entry in said(site).split("-----\n")), 20)


def refused(site: Reachable, channel: str) -> None:
    with pytest.raises(MQError):
        site.connect(1, channel)


def test_channels_that_let_nobody_in(site: Reachable) -> None:
    site.mqsc("DEFINE CHANNEL(TO.US) CHLTYPE(RCVR)")
    refused(site, "NO.SUCH")
    refused(site, "TO.US")
    site.mqsc(f"STOP CHANNEL({CHANNEL})")
    refused(site, CHANNEL)
    assert says(site, "AMQ9519E: Channel 'NO.SUCH' not found.", "127.0.0.1")
    assert says(site, "AMQ9502E", "'TO.US'")
    assert says(site, f"AMQ9534E: Channel '{CHANNEL}' is currently not enabled.", "127.0.0.1")


def test_limits(tmp_path: Path) -> None:
    few = Configuration(log=LogConfiguration(file_pages=64), channels=ChannelsConfiguration(max_channels=2))
    with reachable(tmp_path, few) as site:
        site.define_channel("ONE", "MAXINST(1)")
        site.define_channel("ONE.EACH", "MAXINSTC(1)")
        for channel, entry in (
            ("ONE", "AMQ9489E: The maximum number of instances, 1, of channel 'ONE' was reached."),
            ("ONE.EACH", "AMQ9490E: The maximum number of instances, 1, of channel 'ONE.EACH' was reached for an"),
        ):
            with site.connect(1, channel):
                refused(site, channel)
            assert says(site, entry)
            assert eventually(lambda: not site.network.channel_states())
        with site.connect(), site.connect():
            refused(site, CHANNEL)
        assert says(site, "AMQ9513E: Maximum number of channels reached.", CHANNEL)


def test_tls_that_does_not_fit(site: Reachable, tmp_path: Path) -> None:
    authority = found(tmp_path, "ca", "/O=Kew/CN=Authority")
    stranger = found(tmp_path, "other", "/O=Other/CN=Authority")
    certify(tmp_path, "qm", "/O=Kew/CN=QM1", authority)
    certify(tmp_path, "app", "/O=Kew/CN=app", authority)
    certify(tmp_path, "forged", "/O=Other/CN=app", stranger)
    (tmp_path / "qm.ca.pem").write_text(authority.certificate_pem)
    for name in ("app", "forged"):
        both = (tmp_path / f"{name}.pem").read_text() + authority.certificate_pem
        (tmp_path / f"{name}.both.pem").write_text(both)
    site.mqsc(f"ALTER QMGR SSLKEYR('{tmp_path}/qm')")
    site.mqsc("REFRESH SECURITY TYPE(SSL)")
    site.define_channel("NEW", "SSLCIPH(TLS_AES_256_GCM_SHA384) SSLCAUTH(REQUIRED)")
    site.define_channel("PEER", "SSLCIPH(ANY_TLS13) SSLPEER('CN=other')")
    site.define_channel("PLAIN", "")
    known = client_context("ANY_TLS13", str(tmp_path / "app.both"))
    unnamed = client_context("ANY_TLS13", str(tmp_path / "ca.crt"))
    old = client_context("ANY_TLS12", str(tmp_path / "app.both"))
    for channel, tls, words in (
        ("NEW", None, ("AMQ9639E: Remote channel 'NEW' did not specify a CipherSpec.",)),
        ("NEW", old, ("AMQ9631E", "'NEW'", "ECDHE_RSA_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384")),
        ("NEW", unnamed, ("AMQ9637E: Channel 'NEW' is lacking a certificate.",)),
        ("PEER", known, ("AMQ9636E", "channel 'PEER'", "CN=app,O=Kew", "CN=other")),
        ("PLAIN", known, ("AMQ9635E: Channel 'PLAIN' did not specify a valid CipherSpec.",)),
    ):
        with pytest.raises(MQError):
            client.connect(NAME, site.address, channel, "app", "password", "tests", tls=tls)
        assert says(site, "127.0.0.1", *words)
    forged = client_context("ANY_TLS12", str(tmp_path / "forged.both"))
    with pytest.raises(MQError):
        client.connect(NAME, site.address, "NEW", "app", "password", "tests", tls=forged)
    assert says(site, "AMQ9633E: Bad TLS certificate from host '127.0.0.1'.")


def spoken(site: Reachable, data: bytes) -> None:
    with socket.create_connection(("127.0.0.1", site.port)) as rubbish:
        rubbish.sendall(data)
        with suppress(ConnectionError):
            while rubbish.recv(100):
                pass


def test_who_does_not_speak_as_a_client_does(site: Reachable, tmp_path: Path) -> None:
    spoken(site, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    assert says(site, "AMQ9207E: The data received from host '127.0.0.1' is not valid.")
    authority = found(tmp_path, "ca", "/O=Kew/CN=Authority")
    certify(tmp_path, "qm", "/O=Kew/CN=QM1", authority)
    site.mqsc(f"ALTER QMGR SSLKEYR('{tmp_path}/qm')")
    site.mqsc("REFRESH SECURITY TYPE(SSL)")
    spoken(site, b"\x16\x03\x01\x00\x05rubbish, not a handshake")
    assert says(site, "AMQ9620E: TLS handshake with host '127.0.0.1' failed")
    with socket.create_connection(("127.0.0.1", site.port)) as leaver:
        leaver.sendall(b"\x16\x03\x01\x02\x00\x01")
    assert says(site, "AMQ9665E: TLS connection closed by remote end at host '127.0.0.1'.")


def test_who_goes_without_disconnecting(site: Reachable) -> None:
    site.connect().disconnect()
    with socket.create_connection(("127.0.0.1", site.port)):
        pass  # somebody who looks whether the port is open
    assert eventually(lambda: not site.network.agents.all)
    assert "AMQ92" not in said(site)
    with Proxy(site.port) as proxy:
        connection = client.connect(NAME, proxy.address, CHANNEL, "app", "password")
    # The proxy is gone, and the line with it.
    with pytest.raises(MQError):
        connection.open("DEV.QUEUE.1", MQOO_OUTPUT)
    assert says(site, f"AMQ9209E: Connection to host '127.0.0.1' for channel '{CHANNEL}' closed.")
