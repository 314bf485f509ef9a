"""The CipherSpecs that a channel may name are those that TLS knows."""

from kew.channels.transport import tls
from kew.codes import ciphers


def test_names_are_those_of_the_transport() -> None:
    assert set(ciphers.CIPHER_SPECS) == {*tls.CIPHER_SPECS, *tls.ANY}
