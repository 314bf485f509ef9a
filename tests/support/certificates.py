"""Keys and certificates for tests."""

from pathlib import Path

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
