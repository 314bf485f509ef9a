"""The verbs for a program that hosts the queue manager in its own process."""

import copy
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import BackedOut, Broken, MQError, NoMessage
from kew.codes.options import (
    MQENC_NATIVE,
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_CONVERT,
    MQGMO_WAIT,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_GROUP_ID,
    MQMO_MATCH_MSG_ID,
    MQMO_MATCH_MSG_SEQ_NUMBER,
    MQMO_MATCH_OFFSET,
    MQOO_RESOLVE_LOCAL_Q,
    MQOT_NAMELIST,
    MQOT_PROCESS,
    MQOT_Q,
    MQOT_Q_MGR,
    MQOT_TOPIC,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_RESOLVE_LOCAL_Q,
    MQSTAT_TYPE_ASYNC_ERROR,
    MQSTAT_TYPE_RECONNECTION,
    MQSTAT_TYPE_RECONNECTION_ERROR,
)
from kew.codes.reasons import (
    MQRC_CHAR_ATTR_LENGTH_ERROR,
    MQRC_HCONN_ERROR,
    MQRC_HOBJ_ERROR,
    MQRC_NONE,
    MQRC_OBJECT_STRING_ERROR,
    MQRC_OBJECT_TYPE_ERROR,
    MQRC_SELECTION_STRING_ERROR,
    MQRC_STAT_TYPE_ERROR,
    MQRC_TRUNCATED_MSG_ACCEPTED,
)
from kew.codes.selectors import character_length, is_character
from kew.faces.descriptors import descriptor_of, fill, id_field, name_field, tell_group
from kew.faces.distributionlists import LocalLists
from kew.faces.records import is_list
from kew.faces.subscriptions import completed, request_of, text_of
from kew.faces.verbs import ConsumedMessage, Consumer, Message
from kew.formats.dataconversion import convert
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.mqi.local.queuewatch import QueueWatch
from kew.mqi.messages.extension import absorb
from kew.mqi.publishing.publish import HIGHEST_LEVEL, TopicOutlet
from kew.mqi.puts.remote import Resolved, resolved

_BY_IDS: Final = MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID
_PLACES: Final = MQMO_MATCH_MSG_SEQ_NUMBER | MQMO_MATCH_OFFSET
_IDS: Final = _BY_IDS | MQMO_MATCH_GROUP_ID
_DEFINITIONS: Final = {MQOT_Q_MGR: "QMGR", MQOT_NAMELIST: "NAMELIST", MQOT_PROCESS: "PROCESS"}
_PASSES: Final = MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT  # the context of another handle's message
_MOST_NAMES: Final = 1000
UTF_8: Final = 1208  # the character set of programs that name none
_BREATH: Final = 1.0  # seconds between checks for what no bell announces: expired messages, gets allowed again


class LocalVerbs:
    """A connection in this process; threads that share it wait for each other."""

    def __init__(self, connection: LocalConnection, shared: bool = False) -> None:
        self._connection = connection
        self._shared = shared
        self._name = connection.engine.name
        self._padded_name = self._name.encode().ljust(48)
        self._lock = threading.RLock()
        self._names: dict[str, bytes] = {}  # of queues, as wide as their field
        self._lists = LocalLists(connection)
        self._async_puts: int = 0
        self._watch: QueueWatch | None = None

    # Objects.

    def open(self, od: Any, options: int) -> int:
        """MQOPEN."""
        kind = od.ObjectType
        name, other = _text(od.ObjectName), _text(od.AlternateUserId)
        with self._lock:
            if is_list(od):
                return self._lists.open(od, options, other)
            if kind in _DEFINITIONS:
                handle = self._connection.open_definition(_DEFINITIONS[kind], name, options)
            elif kind == MQOT_Q:
                selection = _selection(od) if od.Version >= 4 else ""
                where = _text(od.ObjectQMgrName)
                dynamic = _text(od.DynamicQName)
                handle = self._connection.open(name, options, dynamic, other, selection, where)
                found = resolved(handle, self._name, options & MQOO_RESOLVE_LOCAL_Q != 0)
                od.ObjectName = handle.name.encode().ljust(48) if handle.created else name_field(od.ObjectName, 48)
                if od.Version >= 2:
                    od.KnownDestCount, od.UnknownDestCount, od.InvalidDestCount = found.counts()
                if od.Version >= 3:
                    od.ResolvedQName = found.queue.encode().ljust(48)
                    od.ResolvedQMgrName = found.manager.encode().ljust(48)
                if od.Version >= 4:
                    od.ResolvedType = MQOT_Q
            elif kind == MQOT_TOPIC:
                string = text_of(od, "ObjectString", MQRC_OBJECT_STRING_ERROR)
                handle = self._connection.open_topic(name, string, options, other)
            else:
                raise MQError(MQRC_OBJECT_TYPE_ERROR, type=kind)
        return handle.number

    def _padded(self, handle: Handle) -> bytes:
        name = handle.name
        padded = self._names.get(name)
        if padded is None:
            if len(self._names) >= _MOST_NAMES:
                self._names.clear()
            padded = self._names[name] = name.encode().ljust(48)
        return padded

    def _handle(self, number: int) -> Handle:
        handle = self._connection.connection.handles.get(number)
        if handle is None:
            raise MQError(MQRC_HOBJ_ERROR, handle=number)
        return handle

    def _context(self, pmo: Any) -> Handle | None:
        """Give the handle whose message context is passed on, if the put asks for that; the put checks it."""
        return self._connection.connection.handles.get(pmo.Context) if pmo.Options & _PASSES else None

    def property_control(self, handle: int) -> int:
        """Give PROPCTL of an open queue."""
        return self._handle(handle).property_control()

    def close(self, handle: int, options: int) -> None:
        """MQCLOSE."""
        with self._lock:
            self._connection.close(self._handle(handle), options)

    def inquire(self, handle: int, selectors: Sequence[int]) -> dict[int, int | bytes]:
        """MQINQ."""
        with self._lock:
            found = self._connection.inquire(self._handle(handle), selectors)
        if found.reason:
            raise MQError(found.reason, completion=MQCC_WARNING)
        result: dict[int, int | bytes] = {}
        for selector, value in found.items():
            if is_character(selector):
                result[selector] = str(value).encode().ljust(character_length(selector))
            else:
                result[selector] = int(value) if isinstance(value, int) else 0
        return result

    def set(self, handle: int, values: dict[int, int | bytes]) -> None:
        """MQSET."""
        said: dict[int, int | str] = {}
        for selector, value in values.items():
            if isinstance(value, int):
                said[selector] = value
                continue
            if len(value) > character_length(selector):
                raise MQError(MQRC_CHAR_ATTR_LENGTH_ERROR, selector=selector)
            said[selector] = value.partition(b"\0")[0].decode("latin-1").rstrip()
        with self._lock:
            self._connection.set(self._handle(handle), said)

    # Messages.

    def put(self, handle: int, md: Any, pmo: Any, data: bytes) -> None:
        """MQPUT."""
        options: int = pmo.Options
        descriptor = descriptor_of(md)
        target = self._handle(handle)
        source = self._context(pmo)
        if md.Version < 2:
            data = absorb(descriptor, data)
        if isinstance(target.outlet, TopicOutlet):
            target.outlet.level = pmo.PubLevel if pmo.Version >= 3 else HIGHEST_LEVEL
        if pmo.RecsPresent or target.outlet is not None:
            self._lists.set_records(target, pmo)
        with self._lock:
            try:
                self._connection.put(target, descriptor, data, options & ~MQPMO_ASYNC_RESPONSE, source)
            except MQError as error:
                if error.completion == MQCC_WARNING:
                    self._was_put(target, md, pmo, descriptor)
                else:
                    self._lists.tell(target, pmo)
                raise
        if options & MQPMO_ASYNC_RESPONSE:
            self._async_puts += 1
        self._was_put(target, md, pmo, descriptor)

    def _was_put(self, target: Handle, md: Any, pmo: Any, descriptor: MessageDescriptor) -> None:
        """Give the program the resolved names and the status of its put."""
        fill(md, descriptor)
        if target.outlet is None:
            pmo.KnownDestCount, pmo.UnknownDestCount, pmo.InvalidDestCount = 1, 0, 0
            pmo.ResolvedQName = self._padded(target)
            pmo.ResolvedQMgrName = self._padded_name
        else:
            _tell_resolved(pmo, resolved(target, self._name, pmo.Options & MQPMO_RESOLVE_LOCAL_Q != 0))
            self._lists.tell(target, pmo)

    def put1(self, od: Any, md: Any, pmo: Any, data: bytes) -> None:
        """MQPUT1."""
        if od.ObjectType not in (MQOT_Q, MQOT_TOPIC):
            raise MQError(MQRC_OBJECT_TYPE_ERROR, type=od.ObjectType)
        topic = od.ObjectType == MQOT_TOPIC
        descriptor = descriptor_of(md)
        name, other = _text(od.ObjectName), _text(od.AlternateUserId)
        if md.Version < 2:
            data = absorb(descriptor, data)
        with self._lock, _told(md, descriptor):
            context = self._context(pmo)
            options = pmo.Options & ~MQPMO_ASYNC_RESPONSE
            if is_list(od):
                self._lists.put1(od, descriptor, pmo, data, context, other)
            elif topic:
                string = text_of(od, "ObjectString", MQRC_OBJECT_STRING_ERROR)
                self._connection.publish(name, string, descriptor, data, options, context, other)
                _tell_resolved(pmo, Resolved("", self._name, False))
            else:
                where = _text(od.ObjectQMgrName)
                found = self._connection.put1(name, descriptor, data, options, context, other, manager=where)
                _tell_resolved(pmo, found)
        if pmo.Options & MQPMO_ASYNC_RESPONSE:
            self._async_puts += 1

    def get(self, handle: int, md: Any, gmo: Any, length: int) -> Message:
        """MQGET."""
        options: int = gmo.Options
        version: int = gmo.Version
        match: int = gmo.MatchOptions if version >= 2 else _BY_IDS
        wanted = _wanted(md, match)
        ccsid: int = md.CodedCharSetId or UTF_8
        encoding: int = md.Encoding or MQENC_NATIVE
        target = self._handle(handle)
        with self._lock:
            got = self._connection.get(
                target,
                options & ~MQGMO_CONVERT,
                gmo.WaitInterval,
                match if wanted is not None else match & ~_IDS,
                wanted,
                length,
                1 if md.Version < 2 else 2,
                bytes(gmo.MsgToken).ljust(16, b"\0") if version >= 3 else b"",
            )
        descriptor, message = got.descriptor, Message(got.data, got.length, got.reason)
        if options & MQGMO_CONVERT and got.reason in (MQRC_NONE, MQRC_TRUNCATED_MSG_ACCEPTED):
            cuts = options & MQGMO_ACCEPT_TRUNCATED_MSG != 0
            converted = convert(descriptor, got.data, ccsid, encoding, length, got.length if got.reason else -1, cuts)
            message = Message(converted.data, converted.length, converted.reason)
        fill(md, descriptor)
        gmo.ResolvedQName = self._padded(target)
        tell_group(gmo, got.descriptor)
        if version >= 3:
            gmo.MsgToken = got.token.ljust(16, b"\0")
            gmo.ReturnedLength = len(message.data)
        return message

    # Units of work, and the end.

    def begin(self) -> None:
        """MQBEGIN; the absence of other participants is a warning."""
        if self._shared:
            raise MQError(MQRC_HCONN_ERROR, why="MQBEGIN is for a handle that threads do not share")
        with self._lock:
            reason = self._connection.begin()
        raise MQError(reason, completion=MQCC_WARNING)

    def commit(self) -> None:
        """MQCMIT."""
        with self._lock:
            self._connection.commit()

    def back_out(self) -> None:
        """MQBACK."""
        with self._lock:
            self._connection.backout()

    def status(self, kind: int, sts: Any) -> None:
        """MQSTAT: a put in this process is done when it returns, so all asynchronous ones have succeeded."""
        if kind == MQSTAT_TYPE_ASYNC_ERROR:
            sts.PutSuccessCount = self._async_puts
            self._async_puts = 0
        elif kind not in (MQSTAT_TYPE_RECONNECTION, MQSTAT_TYPE_RECONNECTION_ERROR):
            raise MQError(MQRC_STAT_TYPE_ERROR, type=kind)

    def idle(self) -> bool:
        """Say whether a verb could begin now."""
        if not self._lock.acquire(blocking=False):
            return False
        self._lock.release()
        return True

    def disconnect(self) -> None:
        """MQDISC."""
        with self._lock:
            self._connection.disconnect()

    # Callbacks.

    def consume(self, consumers: Sequence[Consumer], stopped: Callable[[], bool]) -> ConsumedMessage | None:
        """Wait for a message for one of several consumers; they are tried in turn, so that none starves."""
        watch = QueueWatch(self._connection.engine)
        self._watch = watch
        try:
            for consumer in consumers:
                queue = self._handle(consumer.handle).queue
                if queue is not None:
                    watch.add(queue)
            while not stopped():
                for consumer in consumers:
                    md, gmo = copy.copy(consumer.md), copy.copy(consumer.gmo)
                    gmo.Options &= ~MQGMO_WAIT
                    try:
                        return ConsumedMessage(
                            consumer, md, gmo, self.get(consumer.handle, md, gmo, consumer.max_length)
                        )
                    except NoMessage:
                        continue
                    except MQError as error:
                        if not isinstance(error, Broken | BackedOut):
                            error.facts["consumer"] = consumer.handle
                        raise
                watch.wait(_BREATH)
        finally:
            self._watch = None
            watch.stop()
        return None

    def announce(self, handle: int, state: int) -> None:
        """Record the state of asynchronous consumption, for DISPLAY CONN."""
        self._connection.connection.note_consumption(handle, state)

    def wake(self) -> None:
        """Make a waiting `consume` check whether it is time to stop."""
        watch = self._watch
        if watch is not None:
            watch.ring()

    # Publish and subscribe.

    def subscribe(self, sd: Any, handle: int) -> tuple[int, int]:
        """MQSUB."""
        with self._lock:
            queue = self._handle(handle) if handle > 0 else None
            made = self._connection.subscribe(request_of(sd), queue)
        completed(sd, made)
        return made.queue.number, made.handle.number

    def request(self, handle: int, action: int, sro: Any) -> None:
        """MQSUBRQ."""
        with self._lock:
            sro.NumPubs = self._connection.request_publications(self._handle(handle), action, sro.Options)


@contextmanager
def _told(md: Any, descriptor: MessageDescriptor) -> Iterator[None]:
    """Give the program the completed descriptor of its put, also with a warning."""
    try:
        yield
    except MQError as error:
        if error.completion == MQCC_WARNING:
            fill(md, descriptor)
        raise
    fill(md, descriptor)


def _tell_resolved(pmo: Any, found: Resolved) -> None:
    pmo.KnownDestCount, pmo.UnknownDestCount, pmo.InvalidDestCount = found.counts()
    pmo.ResolvedQName = found.queue.encode().ljust(48)
    pmo.ResolvedQMgrName = found.manager.encode().ljust(48)


def _text(name: bytes | str) -> str:
    raw = name.encode("ascii") if isinstance(name, str) else name
    return raw.partition(b"\0")[0].decode("latin-1").rstrip()


def _selection(od: Any) -> str:
    raw: bytes = od.get_vs("SelectionString") or b""
    try:
        return raw.partition(b"\0")[0].decode("utf-8")
    except UnicodeDecodeError as problem:
        raise MQError(MQRC_SELECTION_STRING_ERROR, why=str(problem)) from problem


def _wanted(md: Any, match: int) -> MessageDescriptor | None:
    """Give the descriptor whose ids a get matches; None if it matches none."""
    message_id = md.MsgId if match & MQMO_MATCH_MSG_ID else b""
    correlation_id = md.CorrelId if match & MQMO_MATCH_CORREL_ID else b""
    group_id = md.GroupId if match & MQMO_MATCH_GROUP_ID and md.Version >= 2 else b""
    if not message_id and not correlation_id and not group_id and not match & _PLACES:
        return None
    wanted = MessageDescriptor(
        message_id=id_field(message_id, 24),
        correlation_id=id_field(correlation_id, 24),
        group_id=id_field(group_id, 24),
    )
    if md.Version >= 2:
        wanted.sequence_number = md.MsgSeqNumber
        wanted.offset = md.Offset
    return wanted
