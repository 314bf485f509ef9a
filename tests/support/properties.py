"""Messages with properties, as a program's header carries them."""

from kew.formats.charset import UTF_8
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh2 import RulesHeader, encode
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection


def header(*folders: str, format: bytes = b"MQSTR   ") -> bytes:
    """A header with folders before data of a format."""
    return encode(RulesHeader(546, UTF_8, format, 0, UTF_8, list(folders)))


def user(**values: str | int) -> str:
    """The folder of users' properties."""
    parts = [f"<{k}>{v}</{k}>" if isinstance(v, str) else f"<{k} dt='i8'>{v}</{k}>" for k, v in values.items()]
    return f"<usr>{''.join(parts)}</usr>"


def put(
    connection: LocalConnection,
    queue: Handle,
    data: bytes,
    options: int = 0,
    descriptor: MessageDescriptor | None = None,
    **values: str | int,
) -> None:
    """Put a message with properties."""
    descriptor = descriptor or MessageDescriptor()
    descriptor.format = RFH2_FORMAT
    connection.put(queue, descriptor, header(user(**values)) + data, options)


def body(data: bytes) -> bytes:
    """What lies behind the header at the front of a message."""
    return data[int.from_bytes(data[8:12], "little") :] if data[:4] == b"RFH " else data
