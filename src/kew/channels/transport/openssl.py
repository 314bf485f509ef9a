"""Functions of OpenSSL that Python's ssl lacks: renewal of keys, and the suites of TLS 1.3.

SSLRKEYC asks for new keys after so many bytes. In TLS 1.3 that is a KeyUpdate (SSL_key_update), in TLS 1.2 a new
handshake on the same socket (SSL_renegotiate). Python's ssl module calls neither, so both are called in the OpenSSL
library that the module has loaded. An object of the module has OpenSSL's object at an offset:

    offset   _ssl._SSLSocket          _ssl._SSLContext
       16    the socket               SSL_CTX *
       24    SSL *
       32    its context

The offsets are verified: `usable` is true only if a socket object made for the test has its context at 32, and OpenSSL
gives, for the SSL at 24, the SSL_CTX that this context has at 16. Where Python was built otherwise (a static OpenSSL,
another interpreter), keys are not renewed and the CipherSpecs with CCM are not offered.

OpenSSL's objects are for one thread at a time, which Python 3.11 does not ensure: no other thread may use the socket
during a call.
"""

import _ssl
import ctypes
import ssl
import time
from collections.abc import Callable, Iterable
from typing import Final

Endpoint = ssl.SSLSocket | ssl.SSLObject

_IN_CONTEXT: Final = 16
_IN_SOCKET: Final = 24
_CONTEXT_OF_SOCKET: Final = 32
_ANSWER_WANTED: Final = 1  # SSL_KEY_UPDATE_REQUESTED: the other side renews its key too
ALLOW_CLIENT_RENEGOTIATION: Final = 1 << 8  # SSL_OP_ALLOW_CLIENT_RENEGOTIATION
# The states in which a key has just been renewed: each side reads one KeyUpdate, or the end of one handshake.
_RENEWED: Final = (b"TRCKU", b"TRSKU", b"TRFIN")
_Observer: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_int)


class Renewals:
    """The number of key renewals of a socket, and the time of the last."""

    def __init__(self) -> None:
        self.count = 0
        self.last = 0.0  # seconds since 1970; 0 for never


_watched: Final[dict[int, Renewals]] = {}


def _word(thing: object, offset: int) -> int:
    return ctypes.c_size_t.from_address(id(thing) + offset).value


def _raw(endpoint: Endpoint) -> object:
    return endpoint._sslobj  # type: ignore[union-attr]


def _loaded() -> ctypes.CDLL | None:
    """Give the library that Python's ssl uses, if it has the known layout."""
    try:
        library = ctypes.CDLL(_ssl.__file__)  # the libraries that the module is linked with are found through it
        library.SSL_get_SSL_CTX.argtypes = [ctypes.c_void_p]
        library.SSL_get_SSL_CTX.restype = ctypes.c_void_p
        library.SSL_CTX_set_ciphersuites.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        library.SSL_key_update.argtypes = [ctypes.c_void_p, ctypes.c_int]
        library.SSL_renegotiate.argtypes = [ctypes.c_void_p]
        library.SSL_state_string.argtypes = [ctypes.c_void_p]
        library.SSL_state_string.restype = ctypes.c_char_p
        library.SSL_set_info_callback.argtypes = [ctypes.c_void_p, _Observer]
        library.SSL_set_info_callback.restype = None
    except (AttributeError, OSError):
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    raw = _raw(context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_side=True))
    size = getattr(type(raw), "__basicsize__", 0)
    if size <= _CONTEXT_OF_SOCKET or _word(raw, _CONTEXT_OF_SOCKET) != id(context):
        return None
    if library.SSL_get_SSL_CTX(_word(raw, _IN_SOCKET)) != _word(context, _IN_CONTEXT):
        return None
    return library


_library: Final = _loaded()
usable: Final = _library is not None


def _observed(pointer: int, _where: int, _result: int) -> None:
    renewals = _watched.get(pointer)
    if renewals is not None and _library is not None and _library.SSL_state_string(pointer) in _RENEWED:
        renewals.count += 1
        renewals.last = time.time()


_observer: Final = _Observer(_observed)  # OpenSSL keeps the address of the callback, so it must live on


def choose_suites(context: ssl.SSLContext, names: Iterable[str]) -> bool:
    """Set the ciphers of TLS 1.3 of a context; say whether that was possible."""
    if _library is None:
        return False
    return bool(_library.SSL_CTX_set_ciphersuites(_word(context, _IN_CONTEXT), ":".join(names).encode()))


def records(endpoint: Endpoint) -> tuple[Callable[[int], bytes], Callable[[bytes], int]]:
    """Give functions that read and write a TLS record directly, without Python's layers.

    A connection that ends without close_notify raises SSLEOFError, instead of ending the data.
    """
    raw = endpoint._sslobj  # type: ignore[union-attr]
    return raw.read, raw.write


def watch(endpoint: Endpoint) -> Renewals:
    """Count key renewals by either side from now on, after the handshake."""
    renewals = Renewals()
    raw = _raw(endpoint)
    if _library is not None and raw is not None:
        pointer = _word(raw, _IN_SOCKET)
        _watched[pointer] = renewals
        _library.SSL_set_info_callback(pointer, _observer)
    return renewals


def forget(endpoint: Endpoint) -> None:
    """Stop counting; before the socket is closed."""
    raw = _raw(endpoint)
    if _library is not None and raw is not None:
        _watched.pop(_word(raw, _IN_SOCKET), None)


def renew(endpoint: Endpoint) -> bool:
    """Renew the keys with the next bytes sent; say whether that was possible, which it is not on a closed socket."""
    raw = _raw(endpoint)
    if _library is None or raw is None:
        return False
    pointer = _word(raw, _IN_SOCKET)
    if endpoint.version() == "TLSv1.3":
        return bool(_library.SSL_key_update(pointer, _ANSWER_WANTED))
    return bool(_library.SSL_renegotiate(pointer))
