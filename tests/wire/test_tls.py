"""Channels with TLS: CipherSpecs, certificates of clients, and what does not fit."""

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.certificates import certify, openssl
from tests.support.network import NAME, Reachable, eventually, reachable

from kew import client
from kew.channels.transport.tls import CIPHER_SPECS, KeyProblem, server_context
from kew.codes import ciphers
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.codes.reasons import MQRC_SSL_INITIALIZATION_ERROR, MQRC_SSL_PEER_NAME_MISMATCH

QUEUE = "DEV.QUEUE.1"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    authority = ("-keyout", str(folder / "ca.key"), "-out", str(folder / "ca.crt"), "-days", "2")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/O=Kew/CN=Authority", *authority)
    certify(folder, "qm", "/O=Kew/CN=QM1", "ca")
    certify(folder, "app", "/C=GB/O=Kew/OU=Tests/CN=app", "ca")
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
            assert len(queue.get(5).data) == size
        shown = site.mqsc(f"DISPLAY CHSTATUS({channel}) ALL")
        assert f"SSLCIPH({cipher})" in shown
        assert f"SECPROT({protocol})" in shown


def test_certificates_of_clients(site: Reachable, keys: Path) -> None:
    with connect(site, "BOTH", context(keys, certificate=True)):
        assert "SSLPEER(CN=app,OU=Tests,O=Kew,C=GB)" in site.mqsc("DISPLAY CHSTATUS(BOTH) ALL")
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


def test_a_channel_with_tls_takes_nobody_in_clear(site: Reachable) -> None:
    for channel in ("ANY", "NEW", "OLD", "BOTH"):
        with pytest.raises(MQError) as problem:
            connect(site, channel, None)
        assert problem.value.reason == MQRC_SSL_INITIALIZATION_ERROR
    connect(site, "PLAIN", None).disconnect()


def test_every_cipher_spec_that_a_channel_may_name_is_known() -> None:
    assert set(CIPHER_SPECS) == {*ciphers.TLS_1_2, *ciphers.TLS_1_3}


def test_a_key_with_a_password(keys: Path) -> None:
    chain = (keys / "qm.pem").read_text()
    openssl("rsa", "-aes256", "-passout", "pass:hush", "-in", str(keys / "qm.pem"), "-out", str(keys / "locked.key"))
    certificates = chain[chain.index("-----BEGIN CERTIFICATE") :]
    (keys / "locked.pem").write_text((keys / "locked.key").read_text() + certificates.split("-----BEGIN PRIVATE")[0])
    assert server_context(str(keys / "locked"), "hush").get_ciphers()
    for wrong in ("", "loud"):
        with pytest.raises(KeyProblem, match="locked"):
            server_context(str(keys / "locked"), wrong)
