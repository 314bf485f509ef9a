"""Read-ahead by clients other than Kew's: what IBM's do on the wire (docs/protocol.md), said word for word."""

import re
from collections.abc import Iterator

import pytest
from tests.support.network import Reachable, eventually, reachable

from kew import client
from kew.channels.protocol import spi
from kew.channels.protocol.delivery import (
    CONN_STATE,
    CONSUMER,
    FINAL_ATTEMPT,
    GET_INHIBITED,
    MATCH_CORRELATION_ID,
    Q_STATE,
    Q_STATE_REPLY,
    STREAMING_FAILURE,
    STREAMING_TXN_PAUSED,
    SYNCHRONOUS_GET,
    Notification,
    RequestMessages,
    Selection,
)
from kew.channels.protocol.descriptor import from_canonical
from kew.channels.protocol.dialect import padded
from kew.channels.protocol.distribution import set_destinations
from kew.channels.protocol.events import WARNING, Event
from kew.channels.protocol.messages import Put1
from kew.channels.protocol.segments import CONFIRM_REQUEST
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import requests
from kew.codes.errors import BackedOut, MQError
from kew.codes.options import (
    MQGMO_NO_SYNCPOINT,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGMO_WAIT,
    MQMF_LAST_MSG_IN_GROUP,
    MQMF_LAST_SEGMENT,
    MQMF_MSG_IN_GROUP,
    MQMF_SEGMENT,
    MQMF_SEGMENTATION_ALLOWED,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
)
from kew.codes.reasons import (
    MQRC_HCONN_ERROR,
    MQRC_PRIORITY_EXCEEDS_MAXIMUM,
    MQRC_UNKNOWN_OBJECT_NAME,
    MQRC_XWAIT_CANCELED,
)
from kew.formats.mqmd import MessageDescriptor, encode

QUEUE = "DEV.QUEUE.1"
WINDOW = 102400
NOTHING, PAUSED = Q_STATE_REPLY, STREAMING_TXN_PAUSED
PERSISTENT, PASSING = 1, 0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


class Foreign:
    """A program with a queue open whose client is not Kew's."""

    def __init__(self, site: Reachable, connection: client.Connection) -> None:
        self.connection = connection
        self._driver = connection.driver
        self._link = connection.verbs.link
        assert self._link.session.extended
        self._link.session.extended = False
        for agent in site.network.agents.all:
            agent.session.extended = False
        self.handle = connection.open(QUEUE, MQOO_INPUT_SHARED).opened.handle
        self._selected = 0
        self._last = 0  # the number of the last message that the program has had
        self.statuses: list[int] = []  # of those that it has had

    def ask(self, wait: bool = True, options: int = MQGMO_NO_SYNCPOINT, wanted: bytes = b"") -> None:
        """Ask for as many messages as the window has room for; without a wait the answer is to be confirmed."""
        self.say(self.request(wait, options, wanted))

    def say(self, *segments: bytes) -> None:
        """Say something in one breath."""
        with self._driver.lock:
            self._driver._write(b"".join(segments))

    def request(self, wait: bool, options: int = MQGMO_NO_SYNCPOINT, wanted: bytes = b"") -> bytes:
        """What asks for messages."""
        request = RequestMessages(self.handle)
        request.requested_bytes = WINDOW
        request.options = options | MQGMO_WAIT * wait
        request.wait_interval = 60_000 * wait
        request.request_flags = SYNCHRONOUS_GET
        request.last_index = self._last
        if not wait:
            request.flags |= CONFIRM_REQUEST
            request.request_flags |= FINAL_ATTEMPT
        if wanted or not self._selected:
            self._selected += 1
            request.selection = Selection()
            request.selection.index = self._selected
            request.selection.match_options = MATCH_CORRELATION_ID if wanted else 0
            request.selection.correlation_id = wanted.ljust(24, b"\0")
        return self.sent(request)

    def sent(self, event: Event) -> bytes:
        """A call as it goes to the queue manager."""
        event.conversation_id = self.connection.verbs.conversation_id
        return self._link.session.send(event)

    def put_one(self, queue: str, body: bytes, syncpoint: bool, *more: str) -> bytes:
        """What puts a message to a queue, or to a list of them, without waiting for an answer."""
        dialect = self._link.session.dialect
        target = ObjectDescriptor()
        if not more:
            target.object_name = padded(queue, 48)
        else:
            set_destinations(target, [(each, "") for each in (queue, *more)], dialect)
        descriptor = from_canonical(encode(MessageDescriptor(persistence=PASSING)), dialect)
        return self.sent(Put1(target, descriptor, requests.put_options(syncpoint, True), body))

    def ask_for_one(self) -> None:
        """Wait for one message, as without read-ahead."""
        request = RequestMessages(self.handle)
        request.requested_bytes = 1
        request.options = MQGMO_NO_SYNCPOINT | MQGMO_WAIT
        request.wait_interval = 60_000
        request.request_flags = SYNCHRONOUS_GET
        request.selection = Selection()
        self.say(self.sent(request))

    def reply(self) -> Event:
        """The reply that came to a call."""
        inbox = self._link.inboxes[self.connection.verbs.conversation_id]
        while inbox.reply is None:
            with self._driver.lock:
                assert self._driver._read(None)
        reply, inbox.reply = inbox.reply, None
        return reply

    def settle(self) -> None:
        """Return once all that was said has been heard."""
        self.connection.commit()

    def hear(self, count: int) -> list[bytes | int]:
        """The next so many messages, and codes of notifications behind those that came before them."""
        inbox = self._link.inboxes[self.connection.verbs.conversation_id]
        heard: list[bytes | int] = []
        while len(heard) < count:
            messages = inbox.messages.get(self.handle)
            if messages:
                message = messages.popleft()
                self._last = message.global_index
                self.statuses.append(message.status)
                heard.append(message.payload)
            elif inbox.notifications:
                heard.append(inbox.notifications.popleft().code)
            else:
                with self._driver.lock:
                    assert self._driver._read(None)
                self._link.check()
        return heard


@pytest.fixture
def foreign(site: Reachable) -> Iterator[Foreign]:
    with site.connect() as connected:
        yield Foreign(site, connected)
    assert eventually(lambda: site.manager.host.queues.by_name[QUEUE].handles == 0)
    site.mqsc(f"CLEAR QLOCAL({QUEUE})")


@pytest.fixture
def other(site: Reachable, foreign: Foreign) -> Iterator[client.Queue]:
    with site.connect() as connected, connected.open(QUEUE, MQOO_OUTPUT) as queue:
        yield queue


def notify_call(foreign: Foreign, connection: int) -> spi.SpiCall:
    """What IBM's JMS says when a program closes what another of its threads receives from."""
    dialect = foreign.connection.verbs.link.session.dialect
    call = spi.SpiCall(spi.NOTIFY)
    call.reply_size = 12
    call.in_out = b"SPNU" + dialect.word(1) + dialect.word(12)
    words = [dialect.word(number) for number in (1, 44, 1, MQRC_XWAIT_CANCELED)]
    call.structure = b"SPNI" + b"".join(words) + b"AMQCQM1".ljust(16) + connection.to_bytes(8, "big")
    return call


def put(queue: client.Queue, persistence: int, *bodies: bytes) -> None:
    for body in bodies:
        queue.put(body, MessageDescriptor(persistence=persistence))


def test_after_it_was_told_of_nothing_messages_come_without_being_asked_for(
    foreign: Foreign, other: client.Queue
) -> None:
    foreign.ask(wait=False)
    assert foreign.hear(1) == [NOTHING]
    put(other, PASSING, b"one", b"two")
    assert foreign.hear(2) == [b"one", b"two"]


def test_nothing_persistent_is_sent_that_the_program_has_not_asked_for(
    site: Reachable, foreign: Foreign, other: client.Queue
) -> None:
    put(other, PASSING, b"one")
    put(other, PERSISTENT, b"two", b"three")
    put(other, PASSING, b"four")
    foreign.ask(wait=False)
    assert foreign.hear(2) == [b"one", NOTHING]
    foreign.ask()
    assert foreign.hear(1) == [b"two"]
    assert site.depth(QUEUE) == 2
    foreign.ask()
    assert foreign.hear(2) == [b"three", b"four"]


def test_a_persistent_message_that_comes_later_makes_it_ask_again(foreign: Foreign, other: client.Queue) -> None:
    foreign.ask(wait=False)
    assert foreign.hear(1) == [NOTHING]
    put(other, PERSISTENT, b"one")
    assert foreign.hear(1) == [PAUSED]
    foreign.ask()
    assert foreign.hear(1) == [PAUSED]  # who asked may have been about to give up
    foreign.ask()
    assert foreign.hear(1) == [b"one"]


def test_a_request_that_follows_word_of_nothing_may_not_be_the_programs(foreign: Foreign, other: client.Queue) -> None:
    foreign.ask()
    foreign.ask(wait=False)
    assert foreign.hear(1) == [NOTHING]
    foreign.ask()
    foreign.settle()
    put(other, PERSISTENT, b"one")
    assert foreign.hear(1) == [PAUSED]
    foreign.ask()
    assert foreign.hear(1) == [b"one"]


def test_who_waits_is_sent_the_first_persistent_message_at_once_and_the_next_when_it_asks(
    site: Reachable, foreign: Foreign, other: client.Queue
) -> None:
    foreign.ask()
    foreign.settle()
    put(other, PERSISTENT, b"one", b"two")
    assert foreign.hear(1) == [b"one"]
    assert site.depth(QUEUE) == 1
    foreign.ask()
    assert foreign.hear(1) == [b"two"]


def test_who_asks_while_a_message_is_on_its_way_is_content_with_that(
    site: Reachable, foreign: Foreign, other: client.Queue
) -> None:
    foreign.ask()
    foreign.settle()
    put(other, PASSING, b"one")
    put(other, PERSISTENT, b"two")
    assert eventually(lambda: site.depth(QUEUE) == 1)
    foreign.ask(wait=False)
    assert foreign.hear(2) == [b"one", NOTHING]
    assert site.depth(QUEUE) == 1
    foreign.ask(wait=False)
    assert foreign.hear(2) == [b"two", NOTHING]


def test_what_is_on_its_way_is_nothing_to_who_asks_for_another(foreign: Foreign, other: client.Queue) -> None:
    foreign.ask()
    foreign.settle()
    put(other, PASSING, b"one")
    other.put(b"two", MessageDescriptor(persistence=PERSISTENT, correlation_id=b"two".ljust(24, b"\0")))
    foreign.ask(wait=False, wanted=b"two")
    assert foreign.hear(3) == [b"one", b"two", NOTHING]


def test_a_listener_may_ask_again_as_it_does_after_a_reconnection(
    site: Reachable, foreign: Foreign, other: client.Queue
) -> None:
    request = RequestMessages(foreign.handle)
    request.request_flags = CONSUMER
    request.options = MQGMO_SYNCPOINT_IF_PERSISTENT
    foreign.say(foreign.sent(request), foreign.sent(request))
    foreign.settle()
    put(other, PERSISTENT, b"one", b"two")
    assert foreign.hear(1) == [b"one"]
    assert site.depth(QUEUE) == 1
    foreign.say(foreign.sent(request))
    assert foreign.hear(1) == [b"two"]


def test_the_state_of_a_listener_is_shown(site: Reachable, foreign: Foreign) -> None:
    for notification, states in (
        (Notification(foreign.handle, Q_STATE, 16), ["INACTIVE", "NONE"]),
        (Notification(-1, CONN_STATE, 2), ["ACTIVE", "STARTED"]),
        (Notification(-1, CONN_STATE, 3), ["INACTIVE", "STOPPED"]),
    ):
        foreign.say(foreign.sent(notification))
        foreign.settle()
        shown = site.mqsc(f"DISPLAY CONN(*) TYPE(HANDLE) ASTATE WHERE(OBJNAME EQ {QUEUE})")
        (number,) = re.findall(r" CONN\((\w+)\)", shown)
        shown += site.mqsc(f"DISPLAY CONN({number}) TYPE(CONN) ASTATE")
        assert re.findall(r"ASTATE\((\w+)\)", shown) == states


def test_an_asynchronous_put_of_one_message_is_not_answered(site: Reachable, foreign: Foreign) -> None:
    foreign.say(*[foreign.put_one(QUEUE, b"%d" % number, False) for number in range(3)])
    foreign.say(foreign.put_one("NO.SUCH.QUEUE", b"x", False))
    report = foreign.connection.driver.run(foreign.connection.verbs.status(0))  # whose answer is its own
    assert (report.put_successes, report.put_failures, report.reason) == (3, 1, MQRC_UNKNOWN_OBJECT_NAME)
    assert report.object_name.rstrip() == b"NO.SUCH.QUEUE"
    assert site.depth(QUEUE) == 3


def test_one_that_succeeds_with_a_warning_is_counted_as_such(site: Reachable, foreign: Foreign) -> None:
    with foreign.connection.open(QUEUE, MQOO_OUTPUT) as queue:
        queue.put(b"urgent", MessageDescriptor(persistence=0, priority=77), asynchronous=True)
    report = foreign.connection.driver.run(foreign.connection.verbs.status(0))
    assert (report.put_successes, report.put_warnings, report.put_failures) == (0, 1, 0)
    assert (report.completion, report.reason) == (WARNING, MQRC_PRIORITY_EXCEEDS_MAXIMUM)
    assert site.depth(QUEUE) == 1


@pytest.mark.parametrize(("more", "counts"), [("DEV.QUEUE.2", (1, 0, 0)), ("NO.SUCH.QUEUE", (0, 1, 0))])
def test_nor_is_one_to_a_list(site: Reachable, foreign: Foreign, more: str, counts: tuple[int, int, int]) -> None:
    foreign.say(foreign.put_one(QUEUE, b"x", False, more))
    report = foreign.connection.driver.run(foreign.connection.verbs.status(0))
    assert (report.put_successes, report.put_warnings, report.put_failures) == counts
    assert site.depth(QUEUE) == 1
    site.mqsc("CLEAR QLOCAL(DEV.QUEUE.2)")


def test_a_unit_with_one_that_failed_is_backed_out(site: Reachable, foreign: Foreign) -> None:
    foreign.say(foreign.put_one(QUEUE, b"with it", True), foreign.put_one("NO.SUCH.QUEUE", b"x", True))
    with pytest.raises(BackedOut):
        foreign.connection.commit()
    assert site.depth(QUEUE) == 0


def test_units_of_work_as_the_message_says(site: Reachable, foreign: Foreign, other: client.Queue) -> None:
    put(other, PASSING, b"one", b"two")
    put(other, PERSISTENT, b"three")
    foreign.ask(options=MQGMO_SYNCPOINT_IF_PERSISTENT)
    assert foreign.hear(2) == [b"one", b"two"]
    foreign.ask(options=MQGMO_SYNCPOINT_IF_PERSISTENT)
    assert foreign.hear(1) == [b"three"]
    foreign.connection.back_out()
    assert site.depth(QUEUE) == 1


def test_in_a_unit_of_work_nothing_is_sent_that_the_program_has_not_asked_for(
    site: Reachable, foreign: Foreign, other: client.Queue
) -> None:
    foreign.ask(wait=False, options=MQGMO_SYNCPOINT)
    assert foreign.hear(1) == [NOTHING]
    put(other, PASSING, b"one", b"two")
    assert foreign.hear(1) == [PAUSED]
    foreign.connection.commit()
    assert site.depth(QUEUE) == 2
    foreign.ask(options=MQGMO_SYNCPOINT)
    assert foreign.hear(1) == [PAUSED]
    foreign.ask(options=MQGMO_SYNCPOINT)
    assert foreign.hear(1) == [b"one"]
    foreign.connection.commit()
    assert site.depth(QUEUE) == 1


def test_who_gives_up_while_a_pause_is_near_is_answered_with_what_is_there(
    foreign: Foreign, other: client.Queue
) -> None:
    foreign.ask(wait=False)
    assert foreign.hear(1) == [NOTHING]
    put(other, PERSISTENT, b"one", b"two")
    assert foreign.hear(1) == [PAUSED]
    foreign.say(foreign.request(wait=True), foreign.request(wait=False))
    assert foreign.hear(2) == [b"one", NOTHING]


def test_what_comes_is_what_was_asked_for_last(foreign: Foreign, other: client.Queue) -> None:
    foreign.ask(wait=False)
    assert foreign.hear(1) == [NOTHING]
    foreign.ask(wait=False, wanted=b"red")
    assert foreign.hear(1) == [NOTHING]
    other.put(b"blue", MessageDescriptor(persistence=PASSING, correlation_id=b"blue".ljust(24, b"\0")))
    other.put(b"red", MessageDescriptor(persistence=PASSING, correlation_id=b"red".ljust(24, b"\0")))
    assert foreign.hear(1) == [b"red"]


@pytest.mark.parametrize(
    ("flags", "status"),
    [
        (0, 0x01),
        (MQMF_SEGMENTATION_ALLOWED, 0x03),
        (MQMF_MSG_IN_GROUP, 0x11),
        (MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP, 0x31),
        (MQMF_SEGMENT, 0x05),
        (MQMF_SEGMENT | MQMF_LAST_SEGMENT, 0x0D),
    ],
)
def test_the_status_of_a_message_says_its_place_in_a_group_and_among_segments(
    foreign: Foreign, other: client.Queue, flags: int, status: int
) -> None:
    other.put(b"x", MessageDescriptor(persistence=PASSING, message_flags=flags, group_id=b"g" * 24))
    foreign.ask(wait=False)
    assert foreign.hear(2) == [b"x", NOTHING]
    assert foreign.statuses == [status]


def test_who_is_not_waiting_does_not_keep_the_channel_from_being_idle(
    site: Reachable, foreign: Foreign, other: client.Queue
) -> None:
    del other
    (gets,) = [
        caller.program.gets
        for agent in site.network.agents.all
        for caller in agent.callers.values()
        if caller.program is not None
        and foreign.handle in caller.program.local.connection.handles
        and not agent.session.extended
    ]
    foreign.ask()
    assert eventually(lambda: gets.waiting)
    foreign.ask(wait=False)
    assert foreign.hear(1) == [NOTHING]
    assert not gets.waiting


def test_a_listener_outlives_that_gets_are_inhibited(site: Reachable, foreign: Foreign, other: client.Queue) -> None:
    request = RequestMessages(foreign.handle)
    request.requested_bytes = 1
    request.options = MQGMO_NO_SYNCPOINT
    request.request_flags = CONSUMER
    request.selection = Selection()
    foreign.say(foreign.sent(request))
    foreign.settle()
    site.mqsc(f"ALTER QLOCAL({QUEUE}) GET(DISABLED)")
    try:
        assert foreign.hear(1) == [GET_INHIBITED]
        put(other, PASSING, b"meanwhile")
    finally:
        site.mqsc(f"ALTER QLOCAL({QUEUE}) GET(ENABLED)")
    assert foreign.hear(1) == [b"meanwhile"]


@pytest.mark.parametrize("mine", [True, False])
def test_a_wait_ends_when_another_thread_closes_what_it_waits_on(site: Reachable, foreign: Foreign, mine: bool) -> None:
    with site.connect(10) as other:
        foreign.ask_for_one()
        foreign.settle()
        (waiter,) = site.manager.host.queues.by_name[QUEUE].waiters.all()
        call = notify_call(foreign, waiter.owner)
        if mine:
            foreign.say(foreign.sent(call))
            assert foreign.hear(1) == [STREAMING_FAILURE]
            reply = foreign.reply()
            assert isinstance(reply, spi.SpiCall)
            assert reply.structure[:4] == b"SPNO"
        else:
            with pytest.raises(MQError) as refused:
                other.driver.run(other.verbs._call(call))
            assert refused.value.reason == MQRC_HCONN_ERROR
            assert site.manager.host.queues.by_name[QUEUE].waiters.count == 1
