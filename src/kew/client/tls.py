"""TLS for clients: from a CipherSpec and a key repository, as MQ names them, to a context of Python's ssl.

The key repository is a PEM file, with or without its suffix `.pem` in the name: certificates of authorities, and the
client's own certificate with its key where the server asks for one. The server must present a certificate of one of
these authorities; its host name does not matter to MQ. There is one certificate of the client, so it needs no label.
"""

import os
import ssl
from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_KEY_REPOSITORY_ERROR, MQRC_SSL_INITIALIZATION_ERROR

_V12: Final = ssl.TLSVersion.TLSv1_2
_V13: Final = ssl.TLSVersion.TLSv1_3

_ANY: Final = {
    "ANY": (_V12, ssl.TLSVersion.MAXIMUM_SUPPORTED),
    "ANY_TLS12": (_V12, _V12),
    "ANY_TLS12_OR_HIGHER": (_V12, ssl.TLSVersion.MAXIMUM_SUPPORTED),
    "ANY_TLS13": (_V13, _V13),
    "ANY_TLS13_OR_HIGHER": (_V13, ssl.TLSVersion.MAXIMUM_SUPPORTED),
}
_TLS13: Final = frozenset(
    {
        "TLS_AES_128_GCM_SHA256",
        "TLS_AES_256_GCM_SHA384",
        "TLS_CHACHA20_POLY1305_SHA256",
        "TLS_AES_128_CCM_SHA256",
        "TLS_AES_128_CCM_8_SHA256",
    }
)
_TLS12: Final = {
    "ECDHE_ECDSA_AES_128_CBC_SHA256": "ECDHE-ECDSA-AES128-SHA256",
    "ECDHE_ECDSA_AES_128_GCM_SHA256": "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE_ECDSA_AES_256_CBC_SHA384": "ECDHE-ECDSA-AES256-SHA384",
    "ECDHE_ECDSA_AES_256_GCM_SHA384": "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE_RSA_AES_128_CBC_SHA256": "ECDHE-RSA-AES128-SHA256",
    "ECDHE_RSA_AES_128_GCM_SHA256": "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE_RSA_AES_256_CBC_SHA384": "ECDHE-RSA-AES256-SHA384",
    "ECDHE_RSA_AES_256_GCM_SHA384": "ECDHE-RSA-AES256-GCM-SHA384",
    "TLS_RSA_WITH_AES_128_CBC_SHA256": "AES128-SHA256",
    "TLS_RSA_WITH_AES_128_GCM_SHA256": "AES128-GCM-SHA256",
    "TLS_RSA_WITH_AES_256_CBC_SHA256": "AES256-SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384": "AES256-GCM-SHA384",
}


def client_context(cipher_spec: str, key_repository: str, password: str = "") -> ssl.SSLContext:
    """A context that speaks one CipherSpec and trusts the authorities of a key repository."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    _choose(context, cipher_spec)
    path = _found(key_repository)
    try:
        context.load_verify_locations(path)
        if _has_key(path):
            context.load_cert_chain(path, password=password or None)
    except (OSError, ssl.SSLError) as problem:
        raise MQError(MQRC_KEY_REPOSITORY_ERROR, repository=path, why=str(problem)) from problem
    return context


def _choose(context: ssl.SSLContext, cipher_spec: str) -> None:
    if cipher_spec in _ANY:
        context.minimum_version, context.maximum_version = _ANY[cipher_spec]
    elif cipher_spec in _TLS13:
        # Which of the ciphers of TLS 1.3 it is the server's channel decides: it refuses all but its own.
        context.minimum_version = context.maximum_version = _V13
    elif cipher_spec in _TLS12:
        context.minimum_version = context.maximum_version = _V12
        context.set_ciphers(_TLS12[cipher_spec])
    else:
        raise MQError(MQRC_SSL_INITIALIZATION_ERROR, cipher_spec=cipher_spec, why="there is no such CipherSpec")


def _found(key_repository: str) -> str:
    for path in (key_repository, key_repository + ".pem"):
        if key_repository and os.path.isfile(path):
            return path
    raise MQError(MQRC_KEY_REPOSITORY_ERROR, repository=key_repository, why="there is no such PEM file")


def _has_key(path: str) -> bool:
    with open(path, encoding="latin-1") as file:
        return "PRIVATE KEY-----" in file.read()
