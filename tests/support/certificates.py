"""Keys and certificates for tests, made by openssl."""

import subprocess
from pathlib import Path


def openssl(*arguments: str) -> None:
    """Run openssl."""
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def certify(folder: Path, name: str, subject: str, authority: str) -> None:
    """Make a key and a certificate that an authority vouches for, in one file."""
    key, asked, signed = (str(folder / f"{name}.{kind}") for kind in ("key", "csr", "crt"))
    curve = ("-newkey", "rsa:2048", "-nodes", "-keyout", key)
    openssl("req", "-new", *curve, "-subj", subject, "-out", asked)
    vouch = ("-CA", str(folder / f"{authority}.crt"), "-CAkey", str(folder / f"{authority}.key"), "-CAcreateserial")
    openssl("x509", "-req", "-in", asked, *vouch, "-days", "2", "-out", signed)
    Path(folder / f"{name}.pem").write_text(Path(signed).read_text() + Path(key).read_text())
