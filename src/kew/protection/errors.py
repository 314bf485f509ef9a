"""Errors of message protection."""

from typing import Final

QUALITY: Final = "quality of protection"
HEADER: Final = "header"
SIGNATURE: Final = "signature"
SIGNER: Final = "signer"
DECRYPTION: Final = "decryption"
STRENGTH: Final = "strength of the algorithm"
SIZE: Final = "size"
CERTIFICATE: Final = "certificate"


class Unprotectable(Exception):
    """A message that does not meet its policy, or that cannot be read; has the kind of the failure and the reason."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind
        self.why = why


class KeystoreError(Exception):
    """A keystore, its configuration, or a certificate in it that cannot be used; the text names the file."""
