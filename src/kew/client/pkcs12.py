"""Key repositories in PKCS #12, as IBM's tools make them: their certificates and key into a context of Python's ssl.

Python's ssl takes a key from a file of PEM only. So the key is in a file for a moment, encrypted with a password that
is made for it, in a directory that only this user can read.
"""

import secrets
import ssl
import tempfile
from pathlib import Path

from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12


def load(context: ssl.SSLContext, path: str, password: str) -> None:
    """Trust the certificates of a repository, and show its own if it has a key; ValueError where it cannot be read."""
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
