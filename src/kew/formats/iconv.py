"""Character sets of the C library that Python lacks, such as the mixed ones of East Asian mainframes.

The GNU library names a character set of IBM by its CCSID: IBM930 is 930. If the library has no `iconv`, or not the set
(another library, a container image without the modules), the set is unknown here too.
"""

import ctypes
import errno
from collections.abc import Callable
from functools import lru_cache
from typing import Final

_UNICODE: Final = b"UTF-8"
_ROOM: Final = 1 << 16  # bytes that are converted before they are put away
_FAILED: Final = ctypes.c_size_t(-1).value
_HIGHEST: Final = 65535

_Pointer = ctypes.POINTER(ctypes.c_char_p)
_Size = ctypes.POINTER(ctypes.c_size_t)


class NotInSet(Exception):
    """The error for data that is not valid in its character set, with the offset of the first wrong byte."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


def _loaded() -> ctypes.CDLL | None:
    library = ctypes.CDLL(None, use_errno=True)
    try:
        library.iconv_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        library.iconv_open.restype = ctypes.c_void_p
        library.iconv.argtypes = [ctypes.c_void_p, ctypes.c_void_p, _Size, ctypes.c_void_p, _Size]
        library.iconv.restype = ctypes.c_size_t
        library.iconv_close.argtypes = [ctypes.c_void_p]
    except AttributeError:
        return None
    return library


_library: Final = _loaded()


@lru_cache(maxsize=256)
def knows(ccsid: int) -> bool:
    """Say whether the library can both decode and encode a character set."""
    if _library is None or not 0 < ccsid <= _HIGHEST:
        return False
    name = _name(ccsid)
    for pair in ((_UNICODE, name), (name, _UNICODE)):
        handle = _library.iconv_open(*pair)
        if handle == _FAILED:
            return False
        _library.iconv_close(handle)
    return True


def decode(data: bytes, ccsid: int) -> str:
    """Decode bytes in a known character set."""
    return _convert(data, _name(ccsid), _UNICODE).decode()


def encode(text: str, ccsid: int) -> bytes:
    """Encode text in a known character set; the bytes end in the initial shift state."""
    raw = text.encode("utf-8", "surrogatepass")
    try:
        return _convert(raw, _UNICODE, _name(ccsid))
    except NotInSet as problem:
        raise NotInSet(len(raw[: problem.at].decode("utf-8", "surrogatepass"))) from None


def _name(ccsid: int) -> bytes:
    return b"IBM%03d" % ccsid


def _convert(data: bytes, source: bytes, target: bytes) -> bytes:
    assert _library is not None
    handle = _library.iconv_open(target, source)
    if handle == _FAILED:
        raise NotInSet(0)
    try:
        return _pump(_library.iconv, handle, data)
    finally:
        _library.iconv_close(handle)


def _pump(iconv: Callable[..., int], handle: int, data: bytes) -> bytes:
    """Convert all of the data, and then return to the initial shift state."""
    room = ctypes.create_string_buffer(_ROOM)
    source, left = ctypes.c_char_p(data), ctypes.c_size_t(len(data))
    done = bytearray()
    for origin in (ctypes.byref(source), None):
        going = True
        while going:
            target, free = ctypes.cast(room, ctypes.c_char_p), ctypes.c_size_t(_ROOM)
            status = iconv(handle, origin, ctypes.byref(left), ctypes.byref(target), ctypes.byref(free))
            going = status == _FAILED
            if going and ctypes.get_errno() != errno.E2BIG:
                raise NotInSet(len(data) - left.value)
            done += ctypes.string_at(room, _ROOM - free.value)
    return bytes(done)
