"""The queue manager under test, as a worker sees it."""

import functools
import ssl
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """The address of the queue manager, and the user to connect as."""

    name: str
    data: str = ""  # where queue managers live, of one on this machine
    address: str = ""  # HOST(PORT), of one that is reached over TCP
    channel: str = "DEV.ADMIN.SVRCONN"
    user: str = "admin"
    password: str = "password"
    sharecnv: int = 1
    cipher: str = ""
    key_repository: str = ""
    compression: str = ""

    def tls_context(self) -> ssl.SSLContext | None:
        """Make the TLS context of a CipherSpec; None without a CipherSpec."""
        return _context(self.cipher, self.key_repository) if self.cipher else None


@functools.cache
def _context(cipher: str, key_repository: str) -> ssl.SSLContext:
    from kew.client.tls import client_context

    return client_context(cipher, key_repository)
