"""Channels with TLS: CipherSpecs, certificates of clients, and what does not fit."""

import asyncio
import gc
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.certificates import certify, found, name
from tests.support.network import NAME, Reachable, eventually, reachable

from kew import client
from kew.channels.transport import openssl
from kew.channels.transport.tls import CIPHER_SPECS, KeyProblem, server_context
from kew.client import aio
from kew.client.securesocket import SecureSocket
from kew.client.tls import client_context
from kew.codes import ciphers
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.codes.reasons import MQRC_SSL_INITIALIZATION_ERROR, MQRC_SSL_PEER_NAME_MISMATCH
from kew.security.certificates import Authority

QUEUE = "DEV.QUEUE.1"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    authority = found(folder, "ca", "/O=Kew/CN=Authority")
    certify(folder, "qm", "/O=Kew/CN=QM1", authority)
    certify(folder, "app", "/C=GB/O=Kew/OU=Tests/OU=Wire/CN=app", authority)
    (folder / "qm.ca.pem").write_text((folder / "ca.crt").read_text())
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, keys: Path) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        assert "AMQ8005I" in running.mqsc(f"ALTER QMGR SSLKEYR('{keys}/qm')")
        assert "AMQ8560I" in running.mqsc("REFRESH SECURITY TYPE(SSL)")
        running.define_channel("PLAIN", "")
        running.define_channel("ANY", "SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(OPTIONAL)")
        running.define_channel("NEW", "SSLCIPH(TLS_AES_256_GCM_SHA384) SSLCAUTH(OPTIONAL)")
        running.define_channel("OLD", "SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384) SSLCAUTH(OPTIONAL)")
        running.define_channel("BOTH", "SSLCIPH(ANY_TLS13) SSLCAUTH(REQUIRED)")
        running.define_channel("TESTS", "SSLCIPH(ANY_TLS13) SSLPEER('OU=Tests')")
        running.define_channel("OTHERS", "SSLCIPH(ANY_TLS13) SSLPEER('OU=Others')")
        yield running


def context(keys: Path, certificate: bool = False, version: ssl.TLSVersion | None = None) -> ssl.SSLContext:
    made = ssl.create_default_context(cafile=str(keys / "ca.crt"))
    made.check_hostname = False
    if certificate:
        made.load_cert_chain(keys / "app.pem")
    if version is not None:
        made.maximum_version = version
    return made


def connect(site: Reachable, channel: str, tls: ssl.SSLContext | None) -> client.Connection:
    return client.connect(NAME, site.address, channel, "app", "password", "tests", tls=tls)


@pytest.mark.parametrize(
    ("channel", "version", "cipher", "protocol"),
    [
        ("ANY", None, "TLS_AES_256_GCM_SHA384", "TLSV13"),
        ("ANY", ssl.TLSVersion.TLSv1_2, "ECDHE_RSA_AES_256_GCM_SHA384", "TLSV12"),
        ("NEW", None, "TLS_AES_256_GCM_SHA384", "TLSV13"),
        ("OLD", ssl.TLSVersion.TLSv1_2, "ECDHE_RSA_AES_256_GCM_SHA384", "TLSV12"),
    ],
)
def test_messages_over_tls(
    site: Reachable, keys: Path, channel: str, version: ssl.TLSVersion | None, cipher: str, protocol: str
) -> None:
    with connect(site, channel, context(keys, version=version)) as connection:
        queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        for size in (10, 2048, 1_000_000):
            queue.put(b"x" * size)
            assert len(queue.get(30).data) == size
        shown = site.mqsc(f"DISPLAY CHSTATUS({channel}) ALL")
        assert f"SSLCIPH({cipher})" in shown
        assert f"SECPROT({protocol})" in shown


def test_certificates_of_clients(site: Reachable, keys: Path) -> None:
    with connect(site, "BOTH", context(keys, certificate=True)):
        assert "SSLPEER(CN=app,OU=Tests,OU=Wire,O=Kew,C=GB)" in site.mqsc("DISPLAY CHSTATUS(BOTH) ALL")
    connect(site, "TESTS", context(keys, certificate=True)).disconnect()


@pytest.mark.parametrize(
    ("channel", "certificate", "version", "reason"),
    [
        ("BOTH", False, None, MQRC_SSL_INITIALIZATION_ERROR),
        ("OTHERS", True, None, MQRC_SSL_PEER_NAME_MISMATCH),
        ("NEW", False, ssl.TLSVersion.TLSv1_2, MQRC_SSL_INITIALIZATION_ERROR),
        ("OLD", False, None, MQRC_SSL_INITIALIZATION_ERROR),
        ("PLAIN", False, None, MQRC_SSL_INITIALIZATION_ERROR),
    ],
)
def test_what_does_not_fit_is_refused(
    site: Reachable, keys: Path, channel: str, certificate: bool, version: ssl.TLSVersion | None, reason: int
) -> None:
    with pytest.raises(MQError) as problem:
        connect(site, channel, context(keys, certificate, version))
    assert problem.value.reason == reason
    assert eventually(lambda: not site.network.agents.all)


def test_a_pattern_of_an_older_definition_that_cannot_be_read_fits_nobody(site: Reachable, keys: Path) -> None:
    site.define_channel("ODD", "SSLCIPH(ANY_TLS13)")
    record = site.manager.host.engine.catalogue.records["CHANNEL", "ODD"]
    record.values = {**record.values, "SSLPEER": "Fred"}
    with pytest.raises(MQError) as problem:
        connect(site, "ODD", context(keys, certificate=True))
    assert problem.value.reason == MQRC_SSL_PEER_NAME_MISMATCH


def test_a_channel_with_tls_takes_nobody_in_clear(site: Reachable) -> None:
    for channel in ("ANY", "NEW", "OLD", "BOTH"):
        with pytest.raises(MQError) as problem:
            connect(site, channel, None)
        assert problem.value.reason == MQRC_SSL_INITIALIZATION_ERROR
    connect(site, "PLAIN", None).disconnect()


def test_every_cipher_spec_that_a_channel_may_name_is_known() -> None:
    assert set(CIPHER_SPECS) == {*ciphers.TLS_1_2, *ciphers.TLS_1_3}


def test_a_key_with_a_password(keys: Path) -> None:
    locked = Authority.make(name("/O=Kew/CN=Authority")).vouch(name("/O=Kew/CN=QM1"))
    (keys / "locked.pem").write_text(locked.certificate_pem + locked.key_pem("hush"))
    assert server_context(str(keys / "locked"), "hush").get_ciphers()
    for wrong in ("", "loud"):
        with pytest.raises(KeyProblem, match="locked"):
            server_context(str(keys / "locked"), wrong)


@pytest.mark.parametrize("cipher", ["ECDHE_RSA_AES_256_GCM_SHA384", "ANY_TLS13"])
@pytest.mark.parametrize("who", ["server", "client"])
def test_keys_are_renewed_on_the_way(tmp_path: Path, keys: Path, cipher: str, who: str) -> None:
    with reachable(tmp_path) as running:
        bytes_between = 40_000 if who == "server" else 0
        running.mqsc(f"ALTER QMGR SSLKEYR('{keys}/qm') SSLRKEYC({bytes_between})")
        running.mqsc("REFRESH SECURITY TYPE(SSL)")
        running.define_channel("FRESH", f"SSLCIPH({cipher}) SSLCAUTH(OPTIONAL)")
        tls = client_context(cipher, str(keys / "ca.crt"))
        renew_after = 40_000 if who == "client" else 0
        with client.connect(
            NAME, running.address, "FRESH", "app", "password", "tests", tls=tls, key_reset=renew_after
        ) as connection:
            queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
            for number in range(20):
                queue.put(b"%d" % number * 10_000)
                assert queue.get(30).data == b"%d" % number * 10_000
            shown = running.mqsc("DISPLAY CHSTATUS(FRESH) SSLRKEYS SSLKEYDA SSLKEYTI")
        count = int(shown.partition("SSLRKEYS(")[2].partition(")")[0])
        # Twenty times at least 20,000 bytes in both directions, and never more often than asked for.
        assert 4 <= count <= 20
        assert "SSLKEYDA(2" in shown


@pytest.mark.parametrize("cipher", ["ECDHE_RSA_AES_256_GCM_SHA384", "ANY_TLS13"])
def test_keys_are_renewed_by_the_asyncio_client(site: Reachable, keys: Path, cipher: str) -> None:
    async def work() -> str:
        tls = client_context(cipher, str(keys / "ca.crt"))
        connection = await aio.connect(
            NAME, site.address, channel, "app", "password", "tests", tls=tls, key_reset=40_000
        )
        async with connection, await connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED) as queue:
            for number in range(20):
                await queue.put(b"%d" % number * 10_000)
                assert (await queue.get(30)).data == b"%d" % number * 10_000
            return await asyncio.to_thread(site.mqsc, f"DISPLAY CHSTATUS({channel}) SSLRKEYS")

    channel = f"FRESH.{cipher[:8]}"
    site.define_channel(channel, f"SSLCIPH({cipher}) SSLCAUTH(OPTIONAL)")
    count = int(asyncio.run(work()).partition("SSLRKEYS(")[2].partition(")")[0])
    assert 4 <= count <= 20


def test_a_long_message_while_keys_are_renewed(tmp_path: Path, keys: Path) -> None:
    with reachable(tmp_path) as running:
        running.mqsc(f"ALTER QMGR SSLKEYR('{keys}/qm') SSLRKEYC(40000)")
        running.mqsc("REFRESH SECURITY TYPE(SSL)")
        for channel, cipher in (("NEW", "ANY_TLS13"), ("OLD", "ANY_TLS12")):
            running.define_channel(channel, f"SSLCIPH({cipher}) SSLCAUTH(OPTIONAL)")
            tls = client_context(cipher, str(keys / "ca.crt"))
            with connect(running, channel, tls) as connection:
                queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
                for _turn in range(3):
                    queue.put(b"long" * 500_000)
                    assert queue.get(30).data == b"long" * 500_000


def test_a_closed_socket_has_no_keys_to_renew(site: Reachable, keys: Path) -> None:
    connection = connect(site, "ANY", context(keys))
    connection.disconnect()
    endpoint = connection.driver.endpoint
    assert isinstance(endpoint, SecureSocket)
    assert not endpoint.renew_keys()


def renew_without_end(connection: client.Connection) -> None:
    endpoint = connection.driver.endpoint
    assert isinstance(endpoint, SecureSocket)
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    for _turn in range(40):
        with connection.driver.lock:  # a thread looks after idle connections
            assert connection.driver.closed or endpoint.renew_keys()
        queue.put(b"x")
        queue.get(30)


@pytest.mark.parametrize("own", [0, 40_000])
def test_who_renews_keys_without_end_is_shown_out(site: Reachable, keys: Path, own: int) -> None:
    site.network.agents.renew_after = own
    connection = connect(site, "ANY", context(keys, version=ssl.TLSVersion.TLSv1_2))
    with pytest.raises((MQError, OSError)):
        renew_without_end(connection)
    connection.driver.close()
    assert eventually(lambda: not site.clients())
    site.network.agents.renew_after = 0


@pytest.mark.parametrize("cipher", ["TLS_AES_128_CCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"])
def test_each_suite_of_tls_1_3_can_be_asked_for(site: Reachable, keys: Path, cipher: str) -> None:
    site.define_channel(f"BY.{cipher[4:20]}", f"SSLCIPH({cipher}) SSLCAUTH(OPTIONAL)")
    with connect(site, f"BY.{cipher[4:20]}", client_context(cipher, str(keys / "ca.crt"))):
        assert f"SSLCIPH({cipher})" in site.mqsc(f"DISPLAY CHSTATUS(BY.{cipher[4:20]}) SSLCIPH")


def test_fips_leaves_out_what_it_does_not_know(tmp_path: Path, keys: Path) -> None:
    with reachable(tmp_path) as running:
        running.mqsc(f"ALTER QMGR SSLKEYR('{keys}/qm') SSLFIPS(YES)")
        running.mqsc("REFRESH SECURITY TYPE(SSL)")
        running.define_channel("ANY", "SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(OPTIONAL)")
        connect(running, "ANY", client_context("TLS_AES_256_GCM_SHA384", str(keys / "ca.crt"))).disconnect()
        with pytest.raises(MQError) as problem:
            connect(running, "ANY", client_context("TLS_CHACHA20_POLY1305_SHA256", str(keys / "ca.crt")))
        assert problem.value.reason == MQRC_SSL_INITIALIZATION_ERROR


def test_units_of_an_organisation_are_named_from_the_top(site: Reachable, keys: Path) -> None:
    site.define_channel("DOWN", "SSLCIPH(ANY_TLS13) SSLPEER('OU=Tests,OU=Wire')")
    site.define_channel("UP", "SSLCIPH(ANY_TLS13) SSLPEER('OU=Wire,OU=Tests')")
    connect(site, "DOWN", context(keys, certificate=True)).disconnect()
    with pytest.raises(MQError) as problem:
        connect(site, "UP", context(keys, certificate=True))
    assert problem.value.reason == MQRC_SSL_PEER_NAME_MISMATCH


def test_keys_that_cannot_be_renewed_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openssl, "usable", False)
    with reachable(tmp_path) as running:
        running.mqsc("ALTER QMGR SSLRKEYC(40000)")
        running.mqsc("REFRESH SECURITY TYPE(SSL)")
        running.manager.errors.write_pending()
        log = running.manager.places.errors
        assert "CSQX901W" in Path(log, "AMQERR01.LOG").read_text()
        assert running.network.agents.renew_after == 0


def test_what_tls_keeps_goes_with_the_connection(site: Reachable, keys: Path) -> None:
    def kept() -> int:
        return len([each for each in gc.get_objects() if type(each).__name__ == "_SSLSocket"])

    def all_gone() -> bool:
        gc.collect()
        return not site.network.agents.all and not kept()

    assert eventually(all_gone)  # those of other tests may be about to go
    gc.disable()  # the collector comes late, since it does not know how much memory hangs on each
    try:
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", site.port)) as leaver:
                leaver.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
                assert eventually(lambda: kept() > 0)
        connect(site, "ANY", context(keys)).disconnect()
        assert eventually(lambda: not site.network.agents.all)
        assert eventually(lambda: not kept(), 20)
    finally:
        gc.enable()
