"""Programs that connect with TLS, by a CipherSpec and a key repository."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.certificates import certify, found, pack
from tests.support.network import NAME, Reachable, reachable

from kew import ibmmq, pymqi
from kew.ibmmq import CMQC


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    known, _stranger = [found(folder, name, f"/O=Kew/CN={name}") for name in ("ca", "stranger")]
    certify(folder, "qm", "/O=Kew/CN=QM1", known)
    certify(folder, "app", "/O=Kew/CN=app", known)
    authority = (folder / "ca.crt").read_text()
    (folder / "qm.ca.pem").write_text(authority)
    (folder / "trusting.pem").write_text(authority)
    (folder / "known.pem").write_text((folder / "app.pem").read_text() + authority)
    pack(folder, "app", known, b"secret")
    certify(folder, "packed", "/O=Kew/CN=nobody", known)
    pack(folder, "packed", known, b"secret", with_key=False)
    return folder


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory, keys: Path) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        assert "AMQ8005I" in running.mqsc(f"ALTER QMGR SSLKEYR('{keys}/qm')")
        assert "AMQ8560I" in running.mqsc("REFRESH SECURITY TYPE(SSL)")
        running.define_channel("NEW", "SSLCIPH(TLS_AES_256_GCM_SHA384) SSLCAUTH(OPTIONAL)")
        running.define_channel("OLD", "SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384) SSLCAUTH(OPTIONAL)")
        running.define_channel("BOTH", "SSLCIPH(ANY_TLS13) SSLCAUTH(REQUIRED)")
        yield running


def connected(face: Any, place: Reachable, channel: str, cipher: bytes, repository: Path) -> Any:
    manager = face.QueueManager(None)
    cd = face.CD(ChannelName=channel.encode(), ConnectionName=place.address.encode(), SSLCipherSpec=cipher)
    sco = face.SCO(KeyRepository=str(repository).encode())
    manager.connect_with_options(NAME, cd=cd, sco=sco, user="app", password="password")
    return manager


@pytest.mark.parametrize("face", [ibmmq, pymqi])
@pytest.mark.parametrize(
    ("channel", "cipher", "repository"),
    [
        ("NEW", b"TLS_AES_256_GCM_SHA384", "trusting"),
        ("OLD", b"ECDHE_RSA_AES_256_GCM_SHA384", "trusting.pem"),
        ("BOTH", b"ANY_TLS13", "known"),
    ],
)
def test_messages_over_tls(
    face: Any, secure: Reachable, keys: Path, channel: str, cipher: bytes, repository: str
) -> None:
    manager = connected(face, secure, channel, cipher, keys / repository)
    manager.put1("DEV.QUEUE.1", b"in secret")
    assert face.Queue(manager, "DEV.QUEUE.1").get() == b"in secret"
    manager.disconnect()


@pytest.mark.parametrize(("channel", "repository"), [("BOTH", "app.p12"), ("NEW", "packed.p12")])
def test_a_repository_in_pkcs_12(secure: Reachable, keys: Path, channel: str, repository: str) -> None:
    manager = ibmmq.QueueManager(None)
    cd = ibmmq.CD(ChannelName=channel, ConnectionName=secure.address, SSLCipherSpec="ANY_TLS13")
    sco = ibmmq.SCO(KeyRepository=str(keys / repository), KeyRepoPassword="secret")
    manager.connect_with_options(NAME, cd=cd, sco=sco, user="app", password="password")
    assert ("SSLPEER(CN=app,O=Kew)" in secure.mqsc(f"DISPLAY CHSTATUS({channel}) SSLPEER")) == (repository == "app.p12")
    manager.disconnect()


@pytest.mark.parametrize(
    ("channel", "cipher", "repository", "reason"),
    [
        ("NEW", b"TLS_AES_256_GCM_SHA384", "stranger.crt", CMQC.MQRC_SSL_INITIALIZATION_ERROR),
        ("OLD", b"TLS_AES_256_GCM_SHA384", "trusting", CMQC.MQRC_SSL_INITIALIZATION_ERROR),
        ("BOTH", b"ANY_TLS13", "trusting", CMQC.MQRC_SSL_INITIALIZATION_ERROR),
        ("NEW", b"TLS_AES_256_GCM_SHA384", "nothing", CMQC.MQRC_KEY_REPOSITORY_ERROR),
    ],
)
def test_what_does_not_fit(
    secure: Reachable, keys: Path, channel: str, cipher: bytes, repository: str, reason: int
) -> None:
    with pytest.raises(ibmmq.MQMIError) as failure:
        connected(ibmmq, secure, channel, cipher, keys / repository)
    assert failure.value.reason == reason


@pytest.mark.parametrize("face", [ibmmq, pymqi])
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"CryptoHardware": b"GSK_PKCS11"}, CMQC.MQRC_CRYPTO_HARDWARE_ERROR),
        ({"AuthInfoRecCount": 1}, CMQC.MQRC_FUNCTION_NOT_SUPPORTED),
        ({"CertificateLabel": b"mine"}, CMQC.MQRC_KEY_REPOSITORY_ERROR),
        ({"EncryptionPolicySuiteB": [2, 0, 0, 0]}, CMQC.MQRC_SUITE_B_ERROR),
        ({"KeyResetCount": -1}, CMQC.MQRC_SSL_INITIALIZATION_ERROR),
    ],
)
def test_keys_that_cannot_be_had(face: Any, secure: Reachable, fields: dict[str, Any], reason: int) -> None:
    sco = face.SCO()
    for field, value in fields.items():
        setattr(sco, field, value)
    cd = face.CD(ChannelName=b"NEW", ConnectionName=secure.address.encode(), SSLCipherSpec=b"TLS_AES_256_GCM_SHA384")
    with pytest.raises(face.MQMIError) as failure:
        face.QueueManager(None).connect_with_options(NAME, cd=cd, sco=sco)
    assert failure.value.reason == reason


def by(secure: Reachable, keys: Path, cd: Any, sco: Any = None, **more: Any) -> Any:
    manager = ibmmq.QueueManager(None)
    cd.ConnectionName = secure.address.encode()
    sco = sco or ibmmq.SCO(KeyRepository=str(keys / "trusting").encode())
    manager.connect_with_options(NAME, cd=cd, sco=sco, user="app", password="password", **more)
    return manager


@pytest.mark.parametrize(
    ("peer", "reason"),
    [("CN=QM1", 0), ("CN=OTHER", CMQC.MQRC_SSL_PEER_NAME_MISMATCH), ("XX=1", CMQC.MQRC_SSL_PEER_NAME_ERROR)],
)
def test_the_name_of_the_queue_manager(secure: Reachable, keys: Path, peer: str, reason: int) -> None:
    cd = ibmmq.CD(ChannelName=b"NEW", SSLCipherSpec=b"TLS_AES_256_GCM_SHA384", SSLPeerNamePtr=peer)
    if not reason:
        by(secure, keys, cd).disconnect()
        return
    with pytest.raises(ibmmq.MQMIError) as failure:
        by(secure, keys, cd)
    assert failure.value.reason == reason


def test_keys_are_renewed_as_a_program_asks(secure: Reachable, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cd = ibmmq.CD(ChannelName=b"NEW", SSLCipherSpec=b"TLS_AES_256_GCM_SHA384")
    asked = ibmmq.SCO(KeyRepository=str(keys / "trusting").encode(), KeyResetCount=40_000)
    for sco in (asked, None):
        manager = by(secure, keys, cd, sco)
        for _turn in range(10):
            manager.put1("DEV.QUEUE.1", bytes(20_000))
            ibmmq.Queue(manager, "DEV.QUEUE.1").get()
        shown = secure.mqsc("DISPLAY CHSTATUS(NEW) SSLRKEYS")
        assert int(shown.partition("SSLRKEYS(")[2].partition(")")[0]) >= 2
        manager.disconnect()
        monkeypatch.setenv("MQSSLRESET", "40000")


def test_messages_are_compressed_as_a_program_asks(secure: Reachable, keys: Path) -> None:
    secure.define_channel("PACKED", "SSLCIPH(ANY_TLS13) SSLCAUTH(OPTIONAL) COMPMSG(ANY) COMPHDR(SYSTEM)")
    cd = ibmmq.CD(ChannelName=b"PACKED", SSLCipherSpec=b"ANY_TLS13", HdrCompList=[8, -1], MsgCompList=[16, *[-1] * 15])
    manager = by(secure, keys, cd, bno=ibmmq.BNO())
    manager.put1("DEV.QUEUE.1", b"again and again " * 1000)
    shown = secure.mqsc("DISPLAY CHSTATUS(PACKED) COMPMSG COMPHDR")
    assert "COMPMSG(LZ4FAST" in shown
    assert "COMPHDR(SYSTEM" in shown
    manager.disconnect()
    with pytest.raises(ibmmq.MQMIError) as failure:
        by(secure, keys, cd, bno=ibmmq.BNO(ApplType=7))
    assert failure.value.reason == CMQC.MQRC_BNO_ERROR


def test_the_key_repository_of_the_environment(secure: Reachable, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(**fields: Any) -> Any:
        cd = ibmmq.CD(SSLCipherSpec=b"TLS_AES_256_GCM_SHA384")
        sco = ibmmq.SCO(**fields) if fields else None
        return ibmmq.connect(NAME, "NEW", secure.address, "app", "password", cd=cd, sco=sco)

    monkeypatch.setenv("MQSSLKEYR", str(keys / "trusting"))
    connect().disconnect()
    with pytest.raises(ibmmq.MQMIError) as failure:
        connect(KeyRepository=str(keys / "none"))  # what a program says goes first
    assert failure.value.reason == CMQC.MQRC_KEY_REPOSITORY_ERROR
    monkeypatch.setenv("MQSSLFIPS", "YES")
    connect().disconnect()
