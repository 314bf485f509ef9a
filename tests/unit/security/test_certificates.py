"""Certificates for development: believed by who looks at them strictly."""

import ssl
from pathlib import Path

import pytest

from kew.security.certificates import Authority


def _shake_hands(client: ssl.SSLObject, server: ssl.SSLObject) -> None:
    for _turn in range(4):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue


@pytest.mark.parametrize("with_rsa", [True, False])
def test_a_strict_client_believes_a_server(tmp_path: Path, with_rsa: bool) -> None:
    authority = Authority.make((("O", "Kew"), ("CN", "Authority")))
    keys = tmp_path / "qm.pem"
    keys.write_text(authority.vouch((("O", "Kew"), ("CN", "QM1")), hosts=("localhost",), with_rsa=with_rsa).pem)
    strict = ssl.create_default_context(cadata=authority.certificate_pem)
    strict.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN  # the default from Python 3.13 on
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(keys)
    here, there = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = strict.wrap_bio(there, here, server_hostname="localhost")
    _shake_hands(client, context.wrap_bio(here, there, server_side=True))
    assert client.version() == "TLSv1.3"
