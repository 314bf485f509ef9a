"""MQOPEN, MQCLOSE, MQINQ and MQSET of one conversation, by call and by SPI."""

from functools import partial
from typing import Final

from kew.channels.agents.callqueue import CallQueue
from kew.channels.agents.distributionlists import is_list, judge, list_of, tell_opened
from kew.channels.agents.getcalls import GetCalls
from kew.channels.agents.subscriptions import text_in, text_out
from kew.channels.protocol import mqapi, spi
from kew.channels.protocol.dialect import Dialect, name, padded, words
from kew.channels.protocol.events import FAILED, NO_HANDLE, WARNING, Call, plain_reply
from kew.channels.protocol.structures import ObjectDescriptor
from kew.codes import attributes as a
from kew.codes.attributes import MQRQ_OPEN_NOT_AUTHORIZED
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_NONE,
    MQOO_NO_READ_AHEAD,
    MQOO_OUTPUT,
    MQOO_READ_AHEAD,
    MQOO_RESOLVE_LOCAL_Q,
    MQOO_RESOLVE_NAMES,
    MQOO_SAVE_ALL_CONTEXT,
    MQOT_NAMELIST,
    MQOT_PROCESS,
    MQOT_Q,
    MQOT_Q_MGR,
    MQOT_TOPIC,
    MQPRT_SYNC_RESPONSE,
)
from kew.codes.reasons import (
    MQRC_CHAR_ATTR_LENGTH_ERROR,
    MQRC_CHAR_ATTRS_TOO_SHORT,
    MQRC_HOBJ_ERROR,
    MQRC_INT_ATTR_COUNT_ERROR,
    MQRC_INT_ATTR_COUNT_TOO_SMALL,
    MQRC_NONE,
    MQRC_OBJECT_STRING_ERROR,
    MQRC_OBJECT_TYPE_ERROR,
    MQRC_SELECTION_STRING_ERROR,
    MQRC_SELECTOR_ERROR,
    MQRC_SELECTOR_INVALID_FOR_TYPE,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
)
from kew.codes.selectors import character_length, is_character
from kew.formats import charset
from kew.formats.binary import FormatError
from kew.mqi.connections import metering
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Engine
from kew.mqi.gets.setaside import ERROR_QUEUE
from kew.mqi.local.connection import LocalConnection
from kew.mqi.objects import open as opening
from kew.mqi.objects.distribution import DistributionList
from kew.mqi.objects.policies import PROTECTED, policy_named, policy_of
from kew.mqi.options import INPUT
from kew.mqi.publishing import topics
from kew.mqi.publishing.publish import TopicOutlet
from kew.mqi.puts.remote import resolved
from kew.objects.catalogue import AttributeValue
from kew.protection.policy import encode, from_values
from kew.queues.queue import PREDEFINED
from kew.security.rights import OUTPUT
from kew.storage.stall import Stall

# Options of the conversation, not of the queue: read-ahead, and which names are given back.
_OURS: Final = MQOO_READ_AHEAD | MQOO_NO_READ_AHEAD | MQOO_RESOLVE_LOCAL_Q | MQOO_RESOLVE_NAMES
_DEFINITIONS: Final = {MQOT_Q_MGR: "QMGR", MQOT_NAMELIST: "NAMELIST", MQOT_PROCESS: "PROCESS"}


class Opening:
    """An MQOPEN under way: its request, and the handle once there is one."""

    def __init__(self, target: ObjectDescriptor, options: int, dialect: Dialect | None) -> None:
        assert dialect is not None
        self.target = target
        self.dialect = dialect
        self.destinations: DistributionList | None = None  # of a distribution list
        self.options = options & ~_OURS
        self.ours = options & _OURS
        self.resolves_locally = options & MQOO_RESOLVE_LOCAL_Q != 0
        self.name = name(target.object_name)
        self.alternate_user = words(target.alternate_user, dialect)
        self.other = ""  # the queue manager that the queue is at, if that is another
        self.selection = ""
        self.handle: Handle | None = None


class Objects:
    """The open objects of a conversation."""

    def __init__(self, call_queue: CallQueue, local: LocalConnection, gets: GetCalls) -> None:
        self._call_queue = call_queue
        self._local = local
        self._connection = local.connection
        self._gets = gets
        self._engine = local.engine
        self._administration = local.administration
        self._lock = local.engine.lock

    # MQOPEN.

    def open(self, call: mqapi.Open) -> None:
        """Carry out MQOPEN."""
        wanted = Opening(call.target, call.options, call.dialect)
        self._open(wanted, partial(self._opened, call, wanted))

    def spi_open(self, call: spi.SpiCall, inside: spi.SpiOpen) -> None:
        """Carry out an SPI OPEN, which IBM's clients send in place of MQOPEN."""
        options = inside.options.options
        if inside.options.lpi_options & spi.SAVES_CONTEXT and options & INPUT:
            options |= MQOO_SAVE_ALL_CONTEXT
        wanted = Opening(inside.target, options, call.dialect)
        self._open(wanted, partial(self._spi_opened, call, inside, wanted))

    def _open(self, wanted: Opening, then: "partial[None]") -> None:
        try:
            if self._open_now(wanted):
                then(MQRC_NONE)
                return
        except Stall:
            pass
        except MQError as error:
            then(error.reason)
            return
        self._call_queue.slowly(partial(self._open_slowly, wanted), then)

    def _open_now(self, wanted: Opening) -> bool:
        """Open an object if that needs no disk; say whether it was opened."""
        target = wanted.target
        if is_list(target):
            wanted.destinations = list_of(target, wanted.dialect)
            return False
        wanted.other = check_target(target, self._engine, wanted.options)
        wanted.selection = selection_of(target)
        selector = opening.selector_for(wanted.options, wanted.selection) if wanted.selection else None
        if selector is not None and target.object_type != MQOT_Q:
            raise MQError(MQRC_SELECTOR_INVALID_FOR_TYPE, kind=target.object_type)
        if target.object_type == MQOT_TOPIC:
            with self._lock:
                if self._engine.metered:
                    metering.enter(self._connection, None)
                opening.check_request(self._connection, wanted.options)
                wanted.handle = topics.open_topic(
                    self._connection,
                    wanted.name,
                    topic_string_of(target),
                    wanted.options,
                    wanted.alternate_user,
                )
                if self._engine.metered:
                    metering.opened(self._connection, wanted.handle)
            return True
        if target.object_type != MQOT_Q:
            return False
        if not wanted.other and opening.find_model(self._administration, wanted.name) is not None:
            return False
        guarded = wanted.options & PROTECTED and not self._call_queue.session.extended
        if guarded and policy_named(self._engine.catalogue, wanted.name) is not None:
            return False
        with self._lock:
            if self._engine.metered:
                metering.enter(self._connection, None)
            opening.check_request(self._connection, wanted.options)
            wanted.handle = opening.open_named(
                self._connection,
                self._administration,
                wanted.name,
                wanted.options,
                wanted.alternate_user,
                wanted.other,
            )
            wanted.handle.selector = selector
            if self._engine.metered:
                metering.opened(self._connection, wanted.handle)
        return True

    def _open_slowly(self, wanted: Opening) -> None:
        target = wanted.target
        alternate = wanted.alternate_user
        if wanted.destinations is not None:
            wanted.handle = self._local.open_list(wanted.destinations, wanted.options, alternate)
            return
        kind = _DEFINITIONS.get(target.object_type)
        if kind is None:
            dynamic = name(target.dynamic_name)
            where = wanted.other
            wanted.handle = self._local.open(wanted.name, wanted.options, dynamic, alternate, wanted.selection, where)
        else:
            wanted.handle = self._local.open_definition(kind, wanted.name, wanted.options, alternate)

    def _opened(self, call: mqapi.Open, wanted: Opening, reason: int) -> None:
        handle = wanted.handle
        if handle is None:
            refusal = mqapi.open_refusal(call, reason)
            if wanted.destinations is not None:
                tell_opened(refusal.target, wanted.destinations, wanted.dialect)
            self._call_queue.say(refusal)
            return
        policy = b""
        if self._call_queue.session.extended:
            try:
                policy = self._policy(wanted, handle)
            except MQError as error:
                then = partial(self._not_opened, call, error.reason)
                self._call_queue.slowly(partial(self._local.close, handle, MQCO_NONE), then)
                return
        handle.options |= wanted.ours
        self._name_back(wanted, handle)
        reply = mqapi.open_reply(call, handle.number)
        reply.extra = policy
        if reply.defaults is not None:
            values = self._values(handle)
            reply.defaults.persistence = handle.default_persistence()
            reply.defaults.put_response = _number(values, "DEFPRESP")
            reply.defaults.read_ahead = _number(values, "DEFREADA")
            reply.defaults.property_control = _number(values, "PROPCTL")
            if policy:
                reply.defaults.policy_error_queue = padded(ERROR_QUEUE, 48)
                reply.defaults.policy_length = len(policy)
        if wanted.destinations is not None:
            tell_opened(reply.target, wanted.destinations, wanted.dialect)
            judge(reply, wanted.destinations)
        self._call_queue.say(reply)

    def _policy(self, wanted: Opening, handle: Handle) -> bytes:
        """Give the policy of a queue, for a client of Kew to protect its messages; most queues have none.

        A program that gets from the queue needs authority to put on the error queue, since its client puts invalid
        messages there.
        """
        if wanted.destinations is not None or not wanted.options & PROTECTED:
            return b""
        record = policy_of(self._engine.catalogue, handle, wanted.name)
        if record is None:
            return b""
        if handle.input:
            authority, user = self._engine.authority, self._connection.principal
            authority.authorise(user, MQOT_Q, ERROR_QUEUE, OUTPUT, MQRQ_OPEN_NOT_AUTHORIZED, MQOO_OUTPUT)
        return encode(from_values(record.name, record.values))

    def _not_opened(self, call: mqapi.Open, reason: int, _reason: int) -> None:
        self._call_queue.say(mqapi.open_refusal(call, reason))

    def _spi_opened(self, call: spi.SpiCall, inside: spi.SpiOpen, wanted: Opening, reason: int) -> None:
        dialect = call.dialect
        assert dialect is not None
        handle = wanted.handle
        if handle is None:
            self._call_queue.say(spi.open_refusal(call, reason, dialect))
            return
        handle.options |= wanted.ours
        self._name_back(wanted, handle)
        values = self._values(handle)
        options = inside.options
        options.persistence = handle.default_persistence()
        options.put_response = _number(values, "DEFPRESP")
        options.read_ahead = _number(values, "DEFREADA")
        options.property_control = _number(values, "PROPCTL")
        inside.policy = spi.no_policy(handle.name)
        if wanted.destinations is not None:
            tell_opened(inside.target, wanted.destinations, dialect)
        reply = spi.open_reply(call, inside, handle.number, dialect)
        if wanted.destinations is not None:
            judge(reply, wanted.destinations)
        self._call_queue.say(reply)

    def _name_back(self, wanted: Opening, handle: Handle) -> None:
        """Write back the names that the queue manager resolved or generated; a distribution list has none."""
        target = wanted.target
        if wanted.destinations is not None:
            return
        if handle.created:
            target.object_name = padded(handle.name, 48)
            target.queue_manager = padded(self._engine.name, 48)
        found = resolved(handle, self._engine.name, wanted.resolves_locally)
        target.known, target.unknown, target.invalid = found.counts()
        target.resolved_queue_manager = padded(found.manager, 48)
        if isinstance(handle.outlet, TopicOutlet):  # perhaps through an alias
            target.resolved_type = MQOT_TOPIC
            if target.version >= 4:
                string = text_out(handle.name, target.resolved_object_string)
                target.set_strings(
                    target.text_of(target.object_string), target.text_of(target.selection_string), string
                )
            return
        target.resolved_queue = padded(found.queue, 48)
        target.resolved_type = target.object_type

    def _values(self, handle: Handle) -> dict[str, AttributeValue]:
        if isinstance(handle.outlet, DistributionList):
            return {"DEFPRESP": MQPRT_SYNC_RESPONSE}
        if handle.alias_values is not None:
            return handle.alias_values
        if isinstance(handle.outlet, TopicOutlet):
            return self._engine.topics.tree.settings(handle.name).values
        record = self._administration.find(handle.name) or self._administration.temporary.get(handle.name)
        return record.values if record is not None else {}

    # MQCLOSE.

    def close(self, call: mqapi.Close) -> None:
        """Carry out MQCLOSE."""
        handle = self._connection.handles.get(call.handle)
        if handle is None:
            self._closed(call, MQRC_HOBJ_ERROR)
            return
        self._gets.closing(handle)
        left = handle.logical.left() if handle.logical is not None else MQRC_NONE
        handle.logical = None
        try:
            queue = handle.put_to()
            quick = call.options == MQCO_NONE and handle.subscription is None
            quick = quick and not isinstance(handle.outlet, DistributionList)
            if quick and (queue is None or (queue.dynamic == PREDEFINED and not queue.deleted)):
                with self._lock:
                    if self._engine.metered:
                        metering.enter(self._connection, None)
                    opening.close(self._connection, handle, call.options)
                    if self._engine.metered:
                        metering.closed(self._connection, handle, queue)
                self._closed(call, MQRC_NONE, left)
                return
        except Stall:
            pass
        except MQError as error:
            self._closed(call, error.reason)
            return
        self._call_queue.slowly(
            partial(self._local.close, handle, call.options), partial(self._closed, call, warning=left)
        )

    def _closed(self, call: Call, reason: int, warning: int = MQRC_NONE) -> None:
        reply = plain_reply(call, FAILED, reason) if reason else plain_reply(call)
        if warning and not reason:
            reply.fail(warning, WARNING)
        reply.handle = call.handle if reason else NO_HANDLE
        self._call_queue.say(reply)

    # MQINQ and MQSET.

    def inquire(self, call: mqapi.Attributes) -> None:
        """Carry out MQINQ: the reply has integers, then characters, each in the order of their selectors."""
        try:
            handle = self._connection.handle(call.handle)
            for selector in call.selectors:
                if not is_character(selector) and not a.MQIA_FIRST <= selector <= a.MQIA_LAST:
                    raise MQError(MQRC_SELECTOR_ERROR, selector=selector)
            found = self._local.inquire(handle, call.selectors)
        except MQError as error:
            self._answer(call, error.reason)
            return
        integers: list[int] = []
        characters = b""
        for selector in call.selectors:
            value = found[selector]
            if is_character(selector):
                characters += _characters(value, character_length(selector))
            else:
                integers.append(value if isinstance(value, int) else 0)
        warning = found.reason
        if len(characters) > call.character_length:
            warning = MQRC_CHAR_ATTRS_TOO_SHORT
            characters = characters[: _whole(call)].ljust(call.character_length)
        if len(integers) > call.integer_count:
            warning = MQRC_INT_ATTR_COUNT_TOO_SMALL
            del integers[call.integer_count :]
        reply = mqapi.inquire_reply(call, integers, characters)
        if warning:
            reply.fail(warning, WARNING)
        self._call_queue.say(reply)

    def set(self, call: mqapi.Attributes) -> None:
        """Carry out MQSET."""
        values: dict[int, int | str] = {}
        integers = iter(call.integers)
        place = 0
        for selector in call.selectors:
            if is_character(selector):
                end = place + character_length(selector)
                if end > len(call.characters):
                    self._answer(call, MQRC_CHAR_ATTR_LENGTH_ERROR)
                    return
                values[selector] = name(call.characters[place:end])
                place = end
            else:
                number = next(integers, None)
                if number is None:
                    self._answer(call, MQRC_INT_ATTR_COUNT_ERROR)
                    return
                values[selector] = number
        try:
            handle = self._connection.handle(call.handle)
        except MQError as error:
            self._answer(call, error.reason)
            return
        self._call_queue.slowly(partial(self._local.set, handle, values), partial(self._answer, call))

    def _answer(self, call: Call, reason: int) -> None:
        self._call_queue.say(plain_reply(call, FAILED, reason) if reason else plain_reply(call))


def _whole(call: mqapi.Attributes) -> int:
    """Give the length of the character attributes before the first that does not fit the buffer whole."""
    room = 0
    for selector in call.selectors:
        if is_character(selector):
            if room + character_length(selector) > call.character_length:
                break
            room += character_length(selector)
    return room


def check_target(target: ObjectDescriptor, engine: Engine, options: int) -> str:
    """Refuse a remote object that is not a queue; gives the queue manager of the queue if that is another one."""
    if target.object_type == MQOT_TOPIC:
        return ""  # a topic is local to each queue manager
    if target.object_type != MQOT_Q and target.object_type not in _DEFINITIONS:
        raise MQError(MQRC_OBJECT_TYPE_ERROR, kind=target.object_type)
    where = name(target.queue_manager)
    if target.object_type == MQOT_Q:
        return opening.other_manager(engine, where, options)
    if where and where != engine.name:
        raise MQError(MQRC_UNKNOWN_REMOTE_Q_MGR, name=name(target.object_name), queue_manager=where)
    return ""


def selection_of(target: ObjectDescriptor) -> str:
    """Give the selection string of an open, blank for none."""
    raw = target.text_of(target.selection_string) if target.version >= 4 else b""
    if not raw:
        return ""
    try:
        return charset.decode(raw, target.selection_string.ccsid).rstrip("\0")
    except FormatError as problem:
        raise MQError(MQRC_SELECTION_STRING_ERROR, why=str(problem)) from problem


def topic_string_of(target: ObjectDescriptor) -> str:
    """Give the topic string of an open, blank for none."""
    if target.version < 4:
        return ""
    return text_in(target.text_of(target.object_string), target.object_string, MQRC_OBJECT_STRING_ERROR)


def _number(values: dict[str, AttributeValue], keyword: str) -> int:
    value = values.get(keyword, 0)
    return value if isinstance(value, int) else 0


def _characters(value: AttributeValue, width: int) -> bytes:
    if isinstance(value, tuple):  # the names of a namelist
        return b"".join([padded(str(each), width) for each in value])
    if isinstance(value, bytes):
        return value[:width].ljust(width, b"\0")
    return padded(str(value), width)
