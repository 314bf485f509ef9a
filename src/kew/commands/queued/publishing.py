"""Commands of publishers: Publish, DeletePub, RegPub and DeregPub.

A publication is put to its topics as by any program, in the unit of work in which the command was got, under the
authority of the user of the command's message. Publishers need not be registered, so RegPub only checks that authority.
"""

from collections.abc import Callable
from functools import partial

from kew.codes import attributes as a
from kew.codes.errors import Broken, MQError
from kew.codes.options import (
    MQMT_DATAGRAM,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_OUTPUT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_RETAIN,
    MQPMO_SYNCPOINT,
    MQRO_NONE,
)
from kew.codes.reasons import (
    MQRC_PUBLICATION_FAILURE,
    MQRC_PUT_NOT_RETAINED,
    MQRC_RFH_PARM_MISSING,
    MQRC_TOPIC_STRING_ERROR,
    MQRCCF_REG_OPTIONS_ERROR,
    MQRCCF_TOPIC_ERROR,
)
from kew.commands.queued import words
from kew.commands.queued.request import Request
from kew.commands.queued.response import Answer, refused
from kew.commands.queued.streams import TopicStream
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh import format_pairs
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Engine, wait_for_log
from kew.mqi.local.connection import LocalConnection
from kew.mqi.publishing.publish import TopicOutlet
from kew.storage.log import LogAddress
from kew.topics.patterns import CharacterPattern, has_level_wildcard, levels_of
from kew.topics.retained import matching

UNDELIVERED = (MQRC_PUBLICATION_FAILURE, MQRC_PUT_NOT_RETAINED)  # for which a command is tried again
_BLANK = b" " * 48


class Publisher:
    """The commands of one publisher."""

    def __init__(
        self,
        connection: LocalConnection,
        request: Request,
        descriptor: MessageDescriptor,
        stream: TopicStream,
        in_unit: bool,
        last: bool,
    ) -> None:
        self._connection = connection
        self._engine = connection.engine
        self._request = request
        self._descriptor = descriptor
        self._stream = stream
        self._in_unit = in_unit
        self._last = last  # what cannot be delivered is not tried again
        self._user = descriptor.user_identifier.rstrip(b" \0").decode(errors="replace")

    def publish(self) -> list[Answer]:
        """Carry out Publish: put the publication to each of its topics; raises a put's error, for a later retry."""
        return self._on_topics(self._publish)

    def delete(self) -> list[Answer]:
        """Carry out DeletePub: remove the retained publications of some topics."""
        return self._on_topics(self._delete)

    def register(self) -> list[Answer]:
        """Carry out RegPub: check whether the publisher may publish."""
        if self._request.registering & a.MQREGO_DEREGISTER_ALL:
            raise MQError(MQRCCF_REG_OPTIONS_ERROR)
        return self._on_topics(self._may_publish)

    def deregister(self) -> list[Answer]:
        """Carry out DeregPub, which has no effect."""
        if self._request.registering & a.MQREGO_DEREGISTER_ALL and not self._request.topics:
            return [Answer()]
        return self._on_topics(Answer)

    def _on_topics(self, act: Callable[[str], Answer]) -> list[Answer]:
        if not self._request.topics:
            raise MQError(MQRC_RFH_PARM_MISSING, parameter=words.TOPIC)
        answers = []
        for topic in self._request.topics:
            try:
                answers.append(act(topic))
            except Broken:
                raise
            except MQError as error:
                if error.reason in UNDELIVERED and not self._last:
                    raise
                if error.reason == MQRC_TOPIC_STRING_ERROR:
                    error = MQError(MQRCCF_TOPIC_ERROR)
                answers.append(refused(error, topic))
        return answers

    def _open(self, topic: str) -> Handle:
        if self._is_pattern(topic):
            raise MQError(MQRCCF_TOPIC_ERROR, topic=topic)
        options = MQOO_OUTPUT | MQOO_ALTERNATE_USER_AUTHORITY
        return self._connection.open_topic("", self._stream.whole(topic), options, self._user)

    def _is_pattern(self, topic: str) -> bool:
        if self._request.form == 1:
            return not topic or not CharacterPattern(topic).exact
        return not topic or has_level_wildcard(levels_of(topic))

    def _publish(self, topic: str) -> Answer:
        request = self._request
        handle = self._open(topic)
        try:
            if isinstance(handle.outlet, TopicOutlet):
                handle.outlet.further = format_pairs(request.further)
                handle.outlet.but_for = self._own()
            options = MQPMO_SYNCPOINT if self._in_unit else MQPMO_NO_SYNCPOINT
            if request.publishing & a.MQPUBO_RETAIN_PUBLICATION:
                options |= MQPMO_RETAIN
            self._connection.put(handle, self._publication(), request.body, options)
        finally:
            self._connection.close(handle)
        return Answer(topic)

    def _own(self) -> tuple[str, str, bytes]:
        """Give queue manager, queue and correlation id of a publisher that does not want its own publications."""
        request, descriptor = self._request, self._descriptor
        if not request.publishing & a.MQPUBO_OTHER_SUBSCRIBERS_ONLY:
            return "", "", b""
        as_id = request.publishing & a.MQPUBO_CORREL_ID_AS_IDENTITY != 0
        manager = request.name(words.MANAGER, descriptor.reply_to_queue_manager)
        queue = request.name(words.QUEUE, descriptor.reply_to_queue)
        own = "" if manager == self._engine.name else manager
        return own, queue, request.correlation_id(descriptor, as_id)

    def _publication(self) -> MessageDescriptor:
        """Give the descriptor of the publication: the command's, without the fields that concern only the command."""
        published = self._descriptor.copy()
        published.message_type, published.report = MQMT_DATAGRAM, MQRO_NONE
        published.reply_to_queue = published.reply_to_queue_manager = _BLANK
        published.message_id = bytes(24)
        published.backout_count = 0
        published.stored = b""
        request = self._request
        published.format, published.encoding, published.ccsid = request.format, request.encoding, request.ccsid
        return published

    def _may_publish(self, topic: str) -> Answer:
        self._connection.close(self._open(topic))
        return Answer(topic)

    def _delete(self, topic: str) -> Answer:
        engine, whole = self._engine, self._stream.whole(topic)
        topics = [whole]
        if self._is_pattern(topic):
            topics = matching(engine.run(engine.topics.retained.topics), whole, self._request.form == 1)
        for each in topics:
            options = MQOO_OUTPUT | MQOO_ALTERNATE_USER_AUTHORITY
            self._connection.close(self._connection.open_topic("", each, options, self._user))
            wait_for_log(engine, engine.run(partial(_drop, engine, each)))
        return Answer(topic)


def _drop(engine: Engine, topic: str) -> LogAddress:
    """Remove the retained publication of a topic; gives the log address to wait for. May stall."""
    kept = engine.topics.retained
    for item in kept.live(topic):
        assert kept.queue is not None
        kept.queue.take(item, None)
    kept.forget_gone(topic)
    return engine.log.next_address
