"""TLS contexts of clients."""

import ssl
from pathlib import Path

import pytest
from tests.support.certificates import certify, found, pack

from kew.client.tls import client_context
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_KEY_REPOSITORY_ERROR, MQRC_SSL_INITIALIZATION_ERROR


def reason_of(cipher_spec: str, repository: str) -> int:
    with pytest.raises(MQError) as failure:
        client_context(cipher_spec, repository)
    return failure.value.reason


@pytest.fixture
def authorities() -> str:
    """A PEM file with certificates: those that the machine trusts."""
    found = ssl.get_default_verify_paths()
    for path in (found.cafile, found.openssl_cafile, "/etc/ssl/certs/ca-certificates.crt"):
        if path and Path(path).is_file():
            return path
    pytest.fail("this machine trusts nobody")


def test_cipher_specs(authorities: str) -> None:
    old = client_context("ECDHE_RSA_AES_256_GCM_SHA384", authorities)
    assert (old.minimum_version, old.maximum_version) == (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2)
    assert "ECDHE-RSA-AES256-GCM-SHA384" in [each["name"] for each in old.get_ciphers()]
    new = client_context("TLS_AES_256_GCM_SHA384", authorities)
    assert (new.minimum_version, new.maximum_version) == (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_3)
    either = client_context("ANY_TLS12_OR_HIGHER", authorities)
    assert either.minimum_version == ssl.TLSVersion.TLSv1_2
    assert either.verify_mode == ssl.CERT_REQUIRED
    assert not either.check_hostname


def test_what_makes_no_context(authorities: str, tmp_path: Path) -> None:
    assert reason_of("NULL_MD5", authorities) == MQRC_SSL_INITIALIZATION_ERROR
    assert reason_of("ANY_TLS12", "") == MQRC_KEY_REPOSITORY_ERROR
    assert reason_of("ANY_TLS12", str(tmp_path / "nothing")) == MQRC_KEY_REPOSITORY_ERROR
    (tmp_path / "key.pem").write_text("not a certificate")
    assert reason_of("ANY_TLS12", str(tmp_path / "key")) == MQRC_KEY_REPOSITORY_ERROR


def test_repositories_of_other_kinds(tmp_path: Path) -> None:
    authority = found(tmp_path, "ca", "/O=Kew/CN=Authority")
    certify(tmp_path, "key", "/O=Kew/CN=app", authority)
    pack(tmp_path, "key", authority, b"secret")
    (tmp_path / "key.pem").unlink()
    (tmp_path / "key.kdb").write_bytes(b"what only IBM's libraries read")
    for name in ("key", "key.p12", "key.kdb"):
        context = client_context("ANY_TLS12", str(tmp_path / name), "secret")
        assert {"subject": ((("organizationName", "Kew"),), (("commonName", "Authority"),))}.items() <= (
            context.get_ca_certs()[0].items()
        )
    assert reason_of("ANY_TLS12", str(tmp_path / "key")) == MQRC_KEY_REPOSITORY_ERROR  # without its password
    (tmp_path / "key.p12").unlink()
    for name in ("key", "key.kdb"):
        with pytest.raises(MQError, match="in CMS cannot be read"):
            client_context("ANY_TLS12", str(tmp_path / name))
