"""Where the copies of a queue's messages go: STREAMQ and STRMQOS of its definition."""

from collections.abc import Mapping

from kew.codes.attributes import MQST_MUST_DUP
from kew.objects.catalogue import AttributeValue


class Stream:
    """The stream of one queue. What the name leads to is looked up at each put, as it is then."""

    def __init__(self, name: str, must: bool) -> None:
        self.name = name
        self.must = must  # the message and its copy are both put, or neither is


def stream_of(values: Mapping[str, AttributeValue]) -> Stream | None:
    """Give the stream that a definition asks for."""
    name = str(values["STREAMQ"])
    return Stream(name, values["STRMQOS"] == MQST_MUST_DUP) if name else None
