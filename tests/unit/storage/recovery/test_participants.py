"""Units of work whose participants are the pages and something else: both are kept, or both are undone."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from tests.support.hosting import NAME, ROOT, Notes, create, lasting, opened, queue_of, small
from tests.support.participants import NUMBER, Shelf, ShelfParticipant
from tests.support.simdisk import Keep, PowerLoss, SimDisk

from kew.codes.errors import NoMessage
from kew.codes.options import MQGMO_SYNCPOINT, MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.mqi.connections.handles import Handle
from kew.mqi.gets.positions import stable_end
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host
from kew.qmgr.files import Places
from kew.storage.log import Log, LogAddress
from kew.storage.log.ticket import LogTicket, Ticket
from kew.storage.pages import records
from kew.storage.recovery.redo import resolve
from kew.storage.recovery.units import MAX_PARTICIPANT_DATA, UnknownParticipant
from kew.storage.unit import BEGIN, IN_FLIGHT, Operation, Unit

XID = b"a global transaction"


class Site:
    """A queue manager with a shelf."""

    def __init__(self, host: Host, participant: ShelfParticipant) -> None:
        self.host = host
        self.participant = participant

    def connect(self) -> tuple[LocalConnection, Handle]:
        return opened(self.host)

    def add(self, connection: LocalConnection, change: str) -> None:
        """Change something on the shelf in the unit of work of a connection."""
        with self.host.lock:
            unit = connection.connection.unit_for_work()
            self.host.units.enlist(unit, self.participant)
            unit.operations.append(self.participant.work(unit, change))

    def messages(self) -> list[bytes]:
        connection, queue = self.connect()
        found: list[bytes] = []
        while True:
            try:
                found.append(connection.get(queue).data)
            except NoMessage:
                return found


def open_site(disk: SimDisk, shelf: Shelf, slow: bool = False) -> Site:
    """Start the queue manager, and tell the shelf what the restart has found."""
    settings = small()
    log = Log.open(disk, settings.log, Places(ROOT).log, Notes())
    host = Host(disk, NAME, Places(ROOT), settings, Notes(), log)
    participant = ShelfParticipant(shelf, log)
    host.units.register(participant)
    host.restart()
    participant.restarted()
    participant.slow = slow
    return Site(host, participant)


def new_site(slow: bool = False) -> tuple[SimDisk, Shelf, Site]:
    disk = SimDisk()
    host = create(disk, small())
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"old")
    host.stop()
    shelf = Shelf()
    shelf.things.add("old")
    return disk, shelf, open_site(disk, shelf, slow)


def work(site: Site, connection: LocalConnection, queue: Handle) -> None:
    """Get and put a message, take and add a thing, in turns."""
    connection.get(queue, MQGMO_SYNCPOINT)
    site.add(connection, "-old")
    connection.put(queue, lasting(), b"new", MQPMO_SYNCPOINT)
    site.add(connection, "+new")


def committed(site: Site) -> None:
    connection, queue = site.connect()
    work(site, connection, queue)
    connection.commit()


def backed_out(site: Site) -> None:
    connection, queue = site.connect()
    work(site, connection, queue)
    connection.backout()


def prepared(site: Site) -> LocalConnection:
    connection, queue = site.connect()
    connection.start_branch(XID)
    work(site, connection, queue)
    connection.end_branch()
    connection.prepare(XID)
    return connection


def two_phase_commit(site: Site) -> None:
    prepared(site).commit_branch(XID)


def two_phase_backout(site: Site) -> None:
    prepared(site).back_out_branch(XID)


def rewritten(site: Site) -> None:
    connection = prepared(site)
    site.host.checkpointer.take()
    site.host.writer.flush()  # so that restart has no need of what was logged before
    site.host.checkpointer.take()
    connection.commit_branch(XID)


HISTORIES: list[Callable[[Site], None]] = [committed, backed_out, two_phase_commit, two_phase_backout, rewritten]


def outcome(site: Site, shelf: Shelf) -> str:
    """Say what has become of the work; both halves must say the same."""
    messages, things = site.messages(), shelf.things
    assert not shelf.held, f"{shelf.held} is still held"
    assert [each.decode() for each in messages] == sorted(things), f"messages {messages}, things {things}"
    return messages[0].decode()


@pytest.mark.parametrize("history", HISTORIES)
def test_both_halves_end_alike(history: Callable[[Site], None]) -> None:
    _disk, shelf, site = new_site()
    history(site)
    assert outcome(site, shelf) == ("old" if "backout" in history.__name__ or history is backed_out else "new")
    assert not site.host.units.active
    assert len(shelf.ended) == 1


@pytest.mark.parametrize("keep", ["none", "random", "all"])
@pytest.mark.parametrize("history", HISTORIES)
def test_both_halves_end_alike_wherever_the_power_is_lost(history: Callable[[Site], None], keep: Keep) -> None:
    disk, shelf, site = new_site()
    site.host.stop()
    begun, shelf_begun = disk.crash(Random(0), "all"), shelf.copy()
    stop, outcomes = 1, set()
    while True:
        disk, shelf = begun.crash(Random(0), "all"), shelf_begun.copy()
        site = open_site(disk, shelf)
        disk.stop_after(stop)
        try:
            history(site)
        except PowerLoss:
            pass
        else:
            break
        again = open_site(disk.crash(Random(stop), keep), shelf)
        if again.host.units.in_doubt():
            assert shelf.held, "what a unit in doubt holds is gone"
            connection = again.host.connect()
            (connection.commit_branch if stop % 2 else connection.back_out_branch)(XID)
        outcomes.add(outcome(again, shelf))
        stop += 1
    assert stop >= 3
    assert outcomes == {"old"} if history is backed_out else keep != "none" or "old" in outcomes


def test_a_crash_of_the_restart_is_just_another_crash() -> None:
    disk, shelf, site = new_site()
    connection, queue = site.connect()
    work(site, connection, queue)
    unit = connection.connection.unit
    assert unit is not None
    with site.host.lock, pytest.raises(LogTicket):
        site.host.units.commit(unit)  # decided, and neither half of the shelf's is done
    site.host.log.force(site.host.log.next_address)
    stop = 1
    while True:
        after, kept = disk.crash(Random(stop), "all"), shelf.copy()
        after.stop_after(stop)
        try:
            open_site(after, kept)
        except PowerLoss:
            pass
        else:
            break
        assert outcome(open_site(after.crash(Random(stop)), kept), kept) == "new"
        stop += 1
    assert stop >= 3


def test_a_restart_decides_before_the_shelf_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    disk, shelf, site = new_site()
    connection, queue = site.connect()
    work(site, connection, queue)
    unit = connection.connection.unit
    assert unit is not None
    with site.host.lock:
        site.host.units._describe(unit, [site.participant])  # and the crash comes before the decision is logged
    site.host.log.force(site.host.log.next_address)
    waited: list[int] = []

    def heard(participant: ShelfParticipant, unit: Unit, operation: Operation) -> None:
        waited.append(participant.log.durable - unit.decided)
        undo(participant, unit, operation)

    undo = ShelfParticipant.undo
    monkeypatch.setattr(ShelfParticipant, "undo", heard)
    again = open_site(disk.crash(Random(0), "all"), shelf)
    assert again.participant.restored == [unit.id]
    assert waited[0] < 0, "the decision to back out was on disk before anybody waited for it"
    assert max(waited[1:]) >= 0
    assert outcome(again, shelf) == "old"


def test_the_shelf_hears_of_nothing_before_the_decision_is_durable() -> None:
    _disk, shelf, site = new_site()
    connection, queue = site.connect()
    work(site, connection, queue)
    unit = connection.connection.unit
    assert unit is not None
    with site.host.lock, pytest.raises(LogTicket) as stall:
        site.host.units.commit(unit)
    assert shelf.things == {"old"}
    resolve(stall.value)
    assert site.host.log.durable >= unit.decided
    connection.commit()
    assert shelf.things == {"new"}


def test_a_verb_waits_for_an_answer_and_goes_on_where_it_was() -> None:
    _disk, shelf, site = new_site(slow=True)
    connection, queue = site.connect()
    work(site, connection, queue)
    unit = connection.connection.unit
    assert unit is not None
    seen: list[str] = []
    address = LogAddress(0)
    while not address:
        try:
            with site.host.lock:
                address = site.host.units.commit(unit)
        except LogTicket as stall:
            resolve(stall)
        except Ticket as ticket:
            seen.append(str(ticket))
            site.participant.answer()
            resolve(ticket)
    assert seen == [f"prepare {unit.id}", "commit -old", "commit +new"]
    assert site.host.log.durable >= address
    assert shelf.things == {"new"}


def test_operations_are_undone_backwards_whoever_made_them() -> None:
    _disk, shelf, site = new_site()
    connection, queue = site.connect()
    work(site, connection, queue)
    unit = connection.connection.unit
    assert unit is not None
    assert [each.participant for each in unit.operations] == [0, NUMBER, 0, NUMBER]
    site.host.engine.run(partial(site.host.units.undo_to, unit, 2))
    assert shelf.held[unit.id] == ["-old"]
    connection.commit()
    assert (site.messages(), shelf.things) == ([], set())


def test_a_program_that_dies_leaves_nothing_held() -> None:
    _disk, shelf, site = new_site()
    connection, queue = site.connect()
    work(site, connection, queue)
    connection.abandon()
    assert outcome(site, shelf) == "old"


def test_a_unit_that_holds_nothing_but_things_is_logged_and_found_again() -> None:
    disk, shelf, site = new_site()
    connection, _queue = site.connect()
    connection.start_branch(XID)
    site.add(connection, "+alone")
    connection.end_branch()
    start = site.host.log.next_address
    connection.prepare(XID)
    read = site.host.log.read(LogAddress(start))
    assert [records.KIND_NAMES[record.kind] for record in read] == ["JOIN", "PREPARE"]
    again = open_site(disk.crash(Random(0), "none"), shelf)
    assert again.host.units.in_doubt()[0].enlisted == [again.participant]
    again.host.connect().commit_branch(XID)
    assert shelf.things == {"old", "alone"}
    again.host.log.force(again.host.log.next_address)  # else the next restart would end the unit again
    assert isinstance(again.host.disk, SimDisk)
    assert not open_site(again.host.disk.crash(Random(0), "none"), shelf).participant.restored


def test_a_participant_that_is_not_there_stops_the_start() -> None:
    disk, shelf, site = new_site()
    prepared(site)
    other = disk.crash(Random(0), "none")
    log = Log.open(other, small().log, Places(ROOT).log, Notes())
    host = Host(other, NAME, Places(ROOT), small(), Notes(), log)
    with pytest.raises(UnknownParticipant, match=f"has work of participant {NUMBER}"):
        host.restart()
    site = open_site(other.crash(Random(0), "none"), shelf)
    site.host.connect().commit_branch(XID)
    assert outcome(site, shelf) == "new"


def test_participants_have_numbers_of_their_own_and_say_little() -> None:
    _disk, shelf, site = new_site()
    with pytest.raises(ValueError, match=f"participant {NUMBER} already"):
        site.host.units.register(ShelfParticipant(shelf, site.host.log))
    connection, _queue = site.connect()
    site.add(connection, "+" + "x" * MAX_PARTICIPANT_DATA)
    with pytest.raises(ValueError, match=f"more than {MAX_PARTICIPANT_DATA}"):
        connection.commit()
    connection.backout()
    assert shelf.things == {"old"}


def test_to_enlist_begins_the_work_of_a_unit_once() -> None:
    _disk, _shelf, site = new_site()
    unit = site.host.units.begin()
    assert (unit.state, unit.enlisted) == (BEGIN, None)
    for _ in range(2):
        site.host.units.enlist(unit, site.participant)
    assert (unit.state, unit.enlisted) == (IN_FLIGHT, [site.participant])
    site.host.units.backout(unit)


def test_positions_of_a_queue_are_not_troubled_by_other_participants() -> None:
    _disk, _shelf, site = new_site()
    connection, queue = opened(site.host, options=MQOO_OUTPUT | MQOO_INPUT_SHARED)
    site.add(connection, "+thing")
    connection.put(queue, lasting(), b"new", MQPMO_SYNCPOINT)
    there = site.host.queues.by_name["Q1"]
    with site.host.lock:
        assert stable_end(site.host.engine, there) == there.store.next_sequence - 1
    connection.backout()
