"""TLS for clients: from a CipherSpec and a key repository, as MQ names them, to a context of Python's ssl.

The key repository is a PEM file, with or without its suffix `.pem` in the name: certificates of authorities, and the
client's own certificate with its key where the server asks for one. The server must present a certificate of one of
these authorities; its host name does not matter to MQ. There is one certificate of the client, so it needs no label.
"""

import os
import ssl
from typing import Final

from kew.channels.transport import openssl
from kew.channels.transport.tls import ANY, CIPHER_SPECS, NOT_FIPS, SUITES, TLS12, TLS13
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_KEY_REPOSITORY_ERROR, MQRC_SSL_INITIALIZATION_ERROR

_VERSIONS: Final = {TLS12: ssl.TLSVersion.TLSv1_2, TLS13: ssl.TLSVersion.TLSv1_3}


def client_context(cipher_spec: str, key_repository: str, password: str = "", fips: bool = False) -> ssl.SSLContext:
    """A context that speaks one CipherSpec, if need be of FIPS 140, and trusts the authorities of a key repository."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    if fips and cipher_spec in NOT_FIPS:
        raise MQError(MQRC_SSL_INITIALIZATION_ERROR, cipher_spec=cipher_spec, why="FIPS 140 does not know it")
    _choose(context, cipher_spec)
    if fips and cipher_spec in ANY:
        openssl.choose_suites(context, [name for name in SUITES if name not in NOT_FIPS])
    path = _found(key_repository)
    try:
        context.load_verify_locations(path)
        if _has_key(path):
            context.load_cert_chain(path, password=password or None)
    except (OSError, ssl.SSLError) as problem:
        raise MQError(MQRC_KEY_REPOSITORY_ERROR, repository=path, why=str(problem)) from problem
    return context


def _choose(context: ssl.SSLContext, cipher_spec: str) -> None:
    if cipher_spec in ANY:
        versions = ANY[cipher_spec]
    elif cipher_spec not in CIPHER_SPECS:
        raise MQError(MQRC_SSL_INITIALIZATION_ERROR, cipher_spec=cipher_spec, why="there is no such CipherSpec")
    elif CIPHER_SPECS[cipher_spec] == cipher_spec:
        # Where OpenSSL cannot be told, the server's channel refuses all but its own.
        versions = (TLS13,)
        openssl.choose_suites(context, [cipher_spec])
    else:
        versions = (TLS12,)
        context.set_ciphers(CIPHER_SPECS[cipher_spec])
    context.minimum_version, context.maximum_version = _VERSIONS[versions[0]], _VERSIONS[versions[-1]]


def _found(key_repository: str) -> str:
    for path in (key_repository, key_repository + ".pem"):
        if key_repository and os.path.isfile(path):
            return path
    raise MQError(MQRC_KEY_REPOSITORY_ERROR, repository=key_repository, why="there is no such PEM file")


def _has_key(path: str) -> bool:
    with open(path, encoding="latin-1") as file:
        return "PRIVATE KEY-----" in file.read()
