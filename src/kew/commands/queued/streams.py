"""Streams of the queued publish/subscribe interface, and their topic strings.

A stream is a queue that SYSTEM.QPUBSUB.QUEUE.NAMELIST names. Topics of the default stream are topics like any other;
those of another are below the topic string of the TOPIC object that has the stream's name. A subscription point of an
MQRFH2 is likewise a TOPIC object, which SYSTEM.QPUBSUB.SUBPOINT.NAMELIST names.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_RFH_PARM_ERROR, MQRCCF_INCORRECT_STREAM, MQRCCF_STREAM_ERROR, MQRCCF_UNKNOWN_STREAM
from kew.commands.queued import words
from kew.commands.queued.request import Request
from kew.mqi.engine import Engine
from kew.topics.tree import FAMILY, string_of

CONTROL_QUEUE: Final = "SYSTEM.BROKER.CONTROL.QUEUE"
DEFAULT_STREAM: Final = "SYSTEM.BROKER.DEFAULT.STREAM"
_QUEUES: Final = ("NAMELIST", "SYSTEM.QPUBSUB.QUEUE.NAMELIST")
_POINTS: Final = ("NAMELIST", "SYSTEM.QPUBSUB.SUBPOINT.NAMELIST")
_LONGEST: Final = 48
_DEFAULT_POINT: Final = "SYSTEM.BROKER.DEFAULT.SUBPOINT"


class TopicStream:
    """The topics of one stream."""

    def __init__(self, name: str, prefix: str) -> None:
        self.name = name
        self.prefix = prefix  # blank: all topics

    def whole(self, topic: str) -> str:
        """Give the topic string that a topic of the stream has."""
        return f"{self.prefix}/{topic}" if self.prefix else topic


def stream_queues(engine: Engine) -> list[str]:
    """Give the names of the queues of streams."""
    return _names(engine, _QUEUES)


def _names(engine: Engine, key: tuple[str, str]) -> list[str]:
    record = engine.catalogue.records.get(key)
    listed = () if record is None else record.values["NAMES"]
    return [str(name) for name in listed if name] if isinstance(listed, tuple | list) else []


def topic_stream_of(engine: Engine, request: Request, queue: str) -> TopicStream:
    """Give the stream of a command that was got from a queue."""
    name = request.values.get(words.STREAM, "").strip(" \0")
    if len(name) > _LONGEST:
        raise MQError(MQRCCF_STREAM_ERROR, stream=name)
    if queue != CONTROL_QUEUE:
        if name and name != queue:
            raise MQError(MQRCCF_INCORRECT_STREAM, stream=name, queue=queue)
        name = queue
    name = name or DEFAULT_STREAM
    prefix = ""
    if name != DEFAULT_STREAM:
        record = engine.catalogue.records.get((FAMILY, name))
        if record is None or name not in stream_queues(engine):
            raise MQError(MQRCCF_UNKNOWN_STREAM, stream=name)
        prefix = string_of(record)
    return TopicStream(name, _at_point(engine, request, prefix))


def _at_point(engine: Engine, request: Request, prefix: str) -> str:
    point = request.values.get(words.POINT, "").strip(" \0")
    if not point:
        return prefix
    for name in _names(engine, _POINTS):
        record = engine.catalogue.records.get((FAMILY, name))
        if record is not None and string_of(record) == point:
            return prefix if name == _DEFAULT_POINT else "/".join([each for each in (prefix, point) if each])
    raise MQError(MQRC_RFH_PARM_ERROR, parameter=words.POINT, value=point)
