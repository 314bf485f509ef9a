"""Groups and segments against a model: any interleaving of puts in logical order, gets of every kind, and units."""

from dataclasses import dataclass

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.support.audit import check_space
from tests.support.engines import open_engine
from tests.support.world import NAME, PLACES, Told, create, small

from kew.codes.errors import NoMessage
from kew.codes.options import (
    MQGMO_ALL_MSGS_AVAILABLE,
    MQGMO_ALL_SEGMENTS_AVAILABLE,
    MQGMO_BROWSE_FIRST,
    MQGMO_COMPLETE_MSG,
    MQGMO_LOGICAL_ORDER,
    MQGMO_SYNCPOINT,
    MQMF_LAST_MSG_IN_GROUP,
    MQMF_LAST_SEGMENT,
    MQMF_MSG_IN_GROUP,
    MQMF_SEGMENT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPER_PERSISTENT,
    MQPMO_LOGICAL_ORDER,
    MQPMO_SYNCPOINT,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.gets.request import Got
from kew.qmgr.assemble import Host

SETTINGS = small(pool=60)
PUTTERS = 2
GETTERS = 2
GROUPS = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP
SEGMENTS = MQMF_SEGMENT | MQMF_LAST_SEGMENT
flags = st.booleans()
wholes = st.sampled_from((0, MQGMO_COMPLETE_MSG, MQGMO_ALL_MSGS_AVAILABLE, MQGMO_ALL_SEGMENTS_AVAILABLE))


@dataclass(eq=False)
class Message:
    """A physical message of the model."""

    group: bytes
    sequence: int
    offset: int
    flags: int
    data: bytes
    persistent: bool
    put_by: "Putter | None" = None
    got_by: "Getter | None" = None

    def live(self) -> bool:
        return self.put_by is None and self.got_by is None


class Putter:
    """A program that puts in logical order, each group with the same persistence and in or out of syncpoint."""

    def __init__(self, host: Host) -> None:
        self.connection = host.connect("putter")
        self.handle = self.connection.open("Q", MQOO_OUTPUT)
        self.last = 0  # flags of the message before
        self.persistent = False
        self.syncpoint = False


class Getter:
    """A program that gets; `place` is what must come next in the group it is in."""

    def __init__(self, host: Host) -> None:
        self.connection = host.connect("getter")
        self.handle = self.connection.open("Q", MQOO_INPUT_SHARED | MQOO_BROWSE)
        self.place: tuple[bytes, int, int] | None = None
        self.syncpoint = False


class GroupMachine(RuleBasedStateMachine):
    """One queue; every get is foretold by going through the list of messages."""

    @initialize(index=st.sampled_from((0, 5)))
    def make(self, index: int) -> None:
        self.disk = create(SETTINGS)
        self.host = open_engine(self.disk, NAME, PLACES, SETTINGS, Told(), threads=False)
        self.host.administration.define("QLOCAL", "Q", {"INDXTYPE": index})
        self.messages: list[Message] = []
        self.serial = 0
        self.join()

    def join(self) -> None:
        self.putters = [Putter(self.host) for _ in range(PUTTERS)]
        self.getters = [Getter(self.host) for _ in range(GETTERS)]

    # -- putting ------------------------------------------------------------------------------------------------------

    @rule(
        who=st.integers(0, PUTTERS - 1),
        kind=st.sampled_from((0, MQMF_MSG_IN_GROUP, GROUPS)),
        cut=st.sampled_from((0, MQMF_SEGMENT, SEGMENTS)),
        length=st.sampled_from((1, 40, 5000)),
        persistent=flags,
        syncpoint=flags,
    )
    def put(self, who: int, kind: int, cut: int, length: int, persistent: bool, syncpoint: bool) -> None:
        putter = self.putters[who]
        in_message = putter.last & SEGMENTS == MQMF_SEGMENT
        if in_message:
            kind, cut = putter.last & GROUPS, cut or SEGMENTS
        elif putter.last & GROUPS == MQMF_MSG_IN_GROUP:
            kind = kind or GROUPS
        if not putter.last:
            putter.persistent, putter.syncpoint = persistent, syncpoint
        self.serial += 1
        data = (b"%d " % self.serial).ljust(length, b".")
        descriptor = MessageDescriptor(
            message_flags=kind | cut, persistence=MQPER_PERSISTENT if putter.persistent else 0
        )
        options = MQPMO_LOGICAL_ORDER | (MQPMO_SYNCPOINT if putter.syncpoint else 0)
        putter.connection.put(putter.handle, descriptor, data, options)
        message = Message(
            descriptor.group_id,
            descriptor.sequence_number,
            descriptor.offset,
            descriptor.message_flags,
            data,
            putter.persistent,
            putter if putter.syncpoint else None,
        )
        self.messages.append(message)
        over = (kind | cut) & GROUPS != MQMF_MSG_IN_GROUP and (kind | cut) & SEGMENTS != MQMF_SEGMENT
        putter.last = 0 if over else kind | cut

    @rule(who=st.integers(0, PUTTERS - 1), commit=flags)
    def end_puts(self, who: int, commit: bool) -> None:
        putter = self.putters[who]
        mine = [message for message in self.messages if message.put_by is putter]
        if commit:
            putter.connection.commit()
        else:
            putter.connection.backout()
        for message in mine:
            if commit:
                message.put_by = None
            else:
                self.messages.remove(message)

    # -- what a get should find ---------------------------------------------------------------------------------------

    def segments(self, group: bytes, sequence: int) -> list[Message] | None:
        found: list[Message] = []
        offset = 0
        while True:
            fits = [
                each
                for each in self.messages
                if each.live() and (each.group, each.sequence, each.offset) == (group, sequence, offset)
            ]
            if not fits:
                return None
            found.append(fits[0])
            if fits[0].flags & SEGMENTS != MQMF_SEGMENT:
                return found
            offset += len(fits[0].data)

    def whole_group(self, group: bytes) -> bool:
        sequence = 1
        while True:
            found = self.segments(group, sequence)
            if found is None:
                return False
            if found[0].flags & MQMF_LAST_MSG_IN_GROUP:
                return True
            sequence += 1

    def foretell(self, place: tuple[bytes, int, int] | None, options: int) -> list[Message]:
        """Give the physical messages that a get brings; none when there is nothing for it."""
        whole = options & (MQGMO_COMPLETE_MSG | MQGMO_ALL_MSGS_AVAILABLE | MQGMO_ALL_SEGMENTS_AVAILABLE)
        for each in self.messages:
            if not each.live():
                continue
            if options & MQGMO_LOGICAL_ORDER and place is not None:
                if (each.group, each.sequence, each.offset) != place:
                    continue
            elif options & MQGMO_LOGICAL_ORDER and (each.sequence > 1 or each.offset):
                continue
            if place is None or not options & MQGMO_LOGICAL_ORDER:
                if options & MQGMO_COMPLETE_MSG and each.offset:
                    continue
                if options & MQGMO_ALL_MSGS_AVAILABLE and each.flags & GROUPS:
                    if not self.whole_group(each.group):
                        continue
                elif whole and each.flags & SEGMENTS and self.segments(each.group, each.sequence) is None:
                    continue
            elif whole and not each.offset and self.segments(each.group, each.sequence) is None:
                return []
            if options & MQGMO_COMPLETE_MSG and each.flags & SEGMENTS and not each.offset:
                return self.segments(each.group, each.sequence) or []
            return [each]
        return []

    def check(self, got: Got | None, expected: list[Message]) -> None:
        assert (got is None) == (not expected), (got, expected)
        if got is not None:
            assert got.data == b"".join([each.data for each in expected])
            assert got.descriptor.sequence_number == expected[0].sequence

    # -- getting ------------------------------------------------------------------------------------------------------

    @rule(who=st.integers(0, GETTERS - 1), logical=flags, whole=wholes, syncpoint=flags)
    def get(self, who: int, logical: bool, whole: int, syncpoint: bool) -> None:
        getter = self.getters[who]
        if logical and getter.place is not None:
            syncpoint = getter.syncpoint
        options = whole | (MQGMO_LOGICAL_ORDER if logical else 0)
        expected = self.foretell(getter.place if logical else None, options)
        try:
            got = getter.connection.get(getter.handle, options | (MQGMO_SYNCPOINT if syncpoint else 0))
        except NoMessage:
            got = None
        self.check(got, expected)
        if got is None:
            return
        for each in expected:
            if syncpoint:
                each.got_by = getter
            else:
                self.messages.remove(each)
        getter.place = self.after(expected) if logical else None
        getter.syncpoint = syncpoint

    def after(self, got: list[Message]) -> tuple[bytes, int, int] | None:
        last = got[-1]
        if last.flags & SEGMENTS == MQMF_SEGMENT:
            return last.group, last.sequence, last.offset + len(last.data)
        if last.flags & GROUPS == MQMF_MSG_IN_GROUP:
            return last.group, last.sequence + 1, 0
        return None

    @rule(who=st.integers(0, GETTERS - 1), logical=flags, whole=wholes)
    def browse(self, who: int, logical: bool, whole: int) -> None:
        getter = self.getters[who]
        options = whole | (MQGMO_LOGICAL_ORDER if logical else 0)
        expected = self.foretell(None, options)
        try:
            got = getter.connection.get(getter.handle, options | MQGMO_BROWSE_FIRST)
        except NoMessage:
            got = None
        self.check(got, expected)

    @rule(who=st.integers(0, GETTERS - 1), commit=flags)
    def end_gets(self, who: int, commit: bool) -> None:
        getter = self.getters[who]
        if commit:
            getter.connection.commit()
        else:
            getter.connection.backout()
        for each in [message for message in self.messages if message.got_by is getter]:
            if commit:
                self.messages.remove(each)
            else:
                each.got_by = None

    # -- the queue manager --------------------------------------------------------------------------------------------

    @rule()
    def write_pages(self) -> None:
        self.host.writer.flush()

    @rule(index=st.sampled_from((0, 1, 5)))
    def change_index(self, index: int) -> None:
        self.host.administration.alter("Q", {"INDXTYPE": index})

    @rule()
    def crash(self) -> None:
        """What was put is kept as far as it is persistent and committed; what was got is back."""
        self.disk = self.disk.crash(keep="none")
        self.host = open_engine(self.disk, NAME, PLACES, SETTINGS, Told(), threads=False)
        self.messages = [each for each in self.messages if each.persistent and each.put_by is None]
        for each in self.messages:
            each.got_by = None
        self.join()

    @invariant()
    def counts_agree(self) -> None:
        if not hasattr(self, "messages"):
            return
        self.host.writer.write_due()
        queue = self.host.queues.by_name["Q"]
        assert queue.depth == sum(1 for each in self.messages if each.got_by is None)
        assert queue.available() == sum(1 for each in self.messages if each.live())

    def teardown(self) -> None:
        if not hasattr(self, "messages"):
            return
        for connection in [each.connection for each in self.putters] + [each.connection for each in self.getters]:
            connection.abandon()
        self.host.stop()
        self.host = open_engine(self.disk, NAME, PLACES, SETTINGS, Told(), threads=False)
        check_space(self.host)
        self.host.stop()


GroupMachine.TestCase.settings = settings(
    max_examples=50,
    stateful_step_count=50,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestGroupMachine = GroupMachine.TestCase
