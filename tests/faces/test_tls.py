"""Programs that connect with TLS, by a CipherSpec and a key repository."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.certificates import certify, found
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
