"""The one exception that bytes from a peer can raise."""

from kew.channels.protocol.status import INVALID_DATA


class ProtocolError(Exception):
    """A peer broke the protocol: offset in the segment, expected value, and the STATUS code to answer."""

    def __init__(self, offset: int, expected: str, found: object = None, status: int = INVALID_DATA) -> None:
        super().__init__(offset, expected, found, status)
        self.offset = offset
        self.expected = expected
        self.found = found
        self.status = status

    def __str__(self) -> str:
        tail = "" if self.found is None else f", found {self.found!r}"
        return f"at offset {self.offset}: expected {self.expected}{tail}"
