"""TLS for clients: makes an ssl context from a CipherSpec and a key repository, as MQ names them.

The key repository is a file in PEM or PKCS #12 format, named with or without its suffix `.pem` or `.p12`: certificates
of authorities, and the client's own certificate with its key if the server asks for one. The server must present a
certificate of one of these authorities; as in MQ, its host name is not checked. The repository has one certificate of
the client, so it needs no label.
"""

import os
import secrets
import ssl
import tempfile
from pathlib import Path
from typing import Final

from kew.channels.transport import openssl
from kew.channels.transport.tls import ANY, NOT_FIPS, SUITES, KeyProblem, choose
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_KEY_REPOSITORY_ERROR, MQRC_SSL_INITIALIZATION_ERROR

PKCS12: Final = ".p12"
SUFFIXES: Final = (".pem", PKCS12)
CMS: Final = ".kdb"  # read by IBM's own libraries only


def client_context(cipher_spec: str, key_repository: str, password: str = "", fips: bool = False) -> ssl.SSLContext:
    """Make a context for one CipherSpec, of FIPS 140 if asked for, that trusts the authorities of a key repository."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    if fips and cipher_spec in NOT_FIPS:
        raise MQError(MQRC_SSL_INITIALIZATION_ERROR, cipher_spec=cipher_spec, why="FIPS 140 does not know it")
    try:
        choose(context, cipher_spec)
    except KeyProblem as problem:
        raise MQError(MQRC_SSL_INITIALIZATION_ERROR, cipher_spec=cipher_spec, why=str(problem)) from problem
    if fips and cipher_spec in ANY:
        openssl.choose_suites(context, [name for name in SUITES if name not in NOT_FIPS])
    path = _found(key_repository)
    try:
        if path.endswith(PKCS12):
            _load_pkcs12(context, path, password)
            return context
        context.load_verify_locations(path)
        if _has_key(path):
            context.load_cert_chain(path, password=password or None)
    except (OSError, ValueError) as problem:  # errors of ssl are OSError too
        raise MQError(MQRC_KEY_REPOSITORY_ERROR, repository=path, why=str(problem)) from problem
    return context


def _found(key_repository: str) -> str:
    stem = key_repository.removesuffix(CMS)  # a repository in another format beside a key database takes its place
    for path in (stem, *[stem + suffix for suffix in SUFFIXES]):
        if stem and os.path.isfile(path):
            return path
    why = "there is no such file, nor one that ends in .pem or .p12"
    if stem and os.path.isfile(stem + CMS):
        why = "a key database in CMS cannot be read; runmqakm converts it to PKCS #12"
    raise MQError(MQRC_KEY_REPOSITORY_ERROR, repository=key_repository, why=why)


def _has_key(path: str) -> bool:
    with open(path, encoding="latin-1") as file:
        return "PRIVATE KEY-----" in file.read()


def _load_pkcs12(context: ssl.SSLContext, path: str, password: str) -> None:
    """Trust the certificates of a PKCS #12 repository, and present its own certificate if it has a key.

    Python's ssl takes a key from a PEM file only. So the key is in a file for a moment, encrypted with a password that
    is made for it, in a directory that only this user can read. ValueError where the repository cannot be read.
    """
    # The library takes a while to load, and few programs need it.
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
    from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12

    with open(path, "rb") as file:
        store = load_pkcs12(file.read(), password.encode() or None)
    others = [each.certificate.public_bytes(Encoding.PEM) for each in store.additional_certs]
    own = store.cert.certificate.public_bytes(Encoding.PEM) if store.cert is not None else b""
    context.load_verify_locations(cadata=b"".join([*others, own]).decode("ascii"))
    if store.key is None or not own:
        return
    secret = secrets.token_hex(32).encode()
    key = store.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(secret))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "key.pem")
        place.write_bytes(b"".join([key, own, *others]))
        context.load_cert_chain(place, password=secret)
