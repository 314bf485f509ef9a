"""Data sets as TSO's TRANSMIT writes them."""

from collections.abc import Sequence


def _segments(data: bytes, control: int = 0) -> bytes:
    pieces = [data[at : at + 253] for at in range(0, len(data), 253)] or [b""]
    found = b""
    for number, piece in enumerate(pieces):
        flags = control | (0x80 if number == 0 else 0) | (0x40 if number == len(pieces) - 1 else 0)
        found += bytes([len(piece) + 2, flags]) + piece
    return found


def _unit(key: int, *values: bytes) -> bytes:
    listed = b"".join(len(value).to_bytes(2, "big") + value for value in values)
    return key.to_bytes(2, "big") + len(values).to_bytes(2, "big") + listed


def _control(name: str, data: bytes) -> bytes:
    return _segments(name.encode("cp037") + data, 0x20)


def transmitted(records: Sequence[bytes], recfm: int, program: str = "INMCOPY") -> bytes:
    """The file of a data set with these records, in records of 80 bytes."""
    texts = [part.encode("cp037") for part in ("SYS1", "SMF", "DUMP")]
    unload = _unit(0x1028, program.encode("cp037")) + _unit(0x3C, b"\x40\x00") + _unit(0x49, recfm.to_bytes(2, "big"))
    data = _control("INMR01", _unit(0x42, b"\x50") + _unit(0x1011, "NODE1".encode("cp037")))
    data += _control("INMR02", (1).to_bytes(4, "big") + unload + _unit(2, *texts))
    data += _control("INMR03", _unit(0x3C, b"\x40\x00") + _unit(0x49, b"\x00\x01"))
    data += b"".join(_segments(record) for record in records) + _control("INMR06", b"")
    return data + bytes(-len(data) % 80)
