"""Keys and certificates for tests."""

from pathlib import Path

from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, load_pem_private_key
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from cryptography.x509 import load_pem_x509_certificate, load_pem_x509_certificates

from kew.security.certificates import Authority, Parts

DAYS = 2


def name(text: str) -> Parts:
    """A name as openssl writes it: /O=Kew/CN=QM1."""
    pairs = [part.partition("=") for part in text.strip("/").split("/")]
    return tuple([(kind, value) for kind, _equals, value in pairs])


def found(folder: Path, file: str, subject: str) -> Authority:
    """Make an authority, whose certificate is kept in a file."""
    authority = Authority.make(name(subject), DAYS)
    (folder / f"{file}.crt").write_text(authority.certificate_pem)
    return authority


def certify(folder: Path, file: str, subject: str, authority: Authority, with_rsa: bool = True) -> None:
    """Make a key and a certificate that an authority vouches for, in one file."""
    made = authority.vouch(name(subject), DAYS, ("localhost", "127.0.0.1"), with_rsa)
    (folder / f"{file}.pem").write_text(made.pem)


def pack(folder: Path, file: str, authority: Authority, password: bytes, with_key: bool = True) -> None:
    """Put the key and certificate of a file, and that of their authority, into one of PKCS #12."""
    pem = (folder / f"{file}.pem").read_bytes()
    key, own = (load_pem_private_key(pem, None), load_pem_x509_certificates(pem)[0]) if with_key else (None, None)
    trusted = [load_pem_x509_certificate(authority.certificate_pem.encode())]
    packed = serialize_key_and_certificates(b"app", key, own, trusted, BestAvailableEncryption(password))  # type: ignore[arg-type]
    (folder / f"{file}.p12").write_bytes(packed)
