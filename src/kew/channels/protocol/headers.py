"""The headers of a message from a partner with another byte order or character set than this queue manager.

Each side writes its own form and the reader converts: the MQXQH with its MQMD, and an MQMDE directly behind it. Ids and
the accounting token are bytes and stay; so does everything behind these headers, whose form the MQMD states.
"""

from typing import Final

from kew.channels.protocol.descriptor import MD1_SIZE, from_canonical, to_canonical
from kew.channels.protocol.dialect import LITTLE, SERVER_DIALECT, Dialect, Ranges, pair

XQH_SIZE: Final = 428
MDE_SIZE: Final = 72

_DESCRIPTOR: Final = 104
_FORMAT: Final = _DESCRIPTOR + 32
_NAMES: Final[Ranges] = ((0, 4), (8, 104))
_MDE: Final = pair("4siiii8si24siiii")
_MDE_TEXT: Final[Ranges] = ((0, 4), (20, 28))
_MDE_FORMAT: Final = b"MQHMDE  "


def is_own(dialect: Dialect, kew: bool) -> bool:
    """Say whether headers are in the queue manager's own form. Another Kew states Latin-1 but writes UTF-8."""
    return kew and not dialect.ebcdic and dialect.byte_order == LITTLE


def own_headers(message: bytes, dialect: Dialect) -> bytes:
    """Give a message with its MQXQH, MQMD and MQMDE in the queue manager's form; the MQXQH must be complete."""
    head = dialect.latin(message, 0, _DESCRIPTOR, _NAMES) if dialect.ebcdic else message[:_DESCRIPTOR]
    version = dialect.i4(message, 4)
    descriptor = to_canonical(message[_DESCRIPTOR:XQH_SIZE], dialect)
    plain = from_canonical(descriptor, SERVER_DIALECT, 1)[:MD1_SIZE]
    own = head[:4] + version.to_bytes(4, "little", signed=True) + head[8:] + plain
    rest = message[XQH_SIZE:]
    if own[_FORMAT : _FORMAT + 8] == _MDE_FORMAT and len(rest) >= MDE_SIZE:
        extension = dialect.latin(rest, 0, MDE_SIZE, _MDE_TEXT) if dialect.ebcdic else rest[:MDE_SIZE]
        rest = _MDE[1].pack(*_MDE[dialect.order].unpack(extension)) + rest[MDE_SIZE:]
    return own + rest
