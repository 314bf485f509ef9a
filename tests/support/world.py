"""A queue manager on a simulated disk, driven in step with its model; the power may go at any moment.

Nothing here has threads: the log is written by whoever waits for it, and checkpoints, page writes and log maintenance
are operations like any other. So a history is the same each time it runs.
"""

from collections.abc import Callable, Sequence
from random import Random

from tests.support.audit import check_space, observe
from tests.support.engines import open_engine
from tests.support.model import Change, Message, Model, Work
from tests.support.simdisk import Keep, PowerLoss, SimDisk

from kew.codes.errors import BackedOut, MQError, NoMessage
from kew.codes.options import (
    MQGMO_NO_SYNCPOINT,
    MQGMO_SYNCPOINT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_PAGESET_FULL, MQRC_RESOURCE_PROBLEM
from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import BROKEN
from kew.mqi.gets.request import Got
from kew.objects.catalogue import AttributeValue
from kew.qmgr.assemble import Host
from kew.qmgr.files import Places
from kew.qmgr.pagesets import PageSetSettings
from kew.qmgr.storageparts import EngineSettings, create_engine
from kew.storage.log import LogSettings
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.pages.pageset import EXPAND_NONE, EXPAND_SYSTEM
from kew.storage.unit import Unit

NAME = "QM1"
PLACES = Places("/qm")
_OPEN = MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_BROWSE


def small(
    dual: bool = False,
    linear: bool = False,
    single_write: bool = False,
    pool: int = 40,
    pages: int = 256,
    primary: int = 3,
    secondary: int = 2,
) -> EngineSettings:
    """Give settings under which everything happens soon: files wrap, pools fill, page sets expand."""
    log = LogSettings(
        file_pages=64,
        primary=primary,
        secondary=secondary,
        buffer_pages=24,
        log_type="linear" if linear else "circular",
        dual=dual,
        write_integrity="SingleWrite" if single_write else "TripleWrite",
    )
    page_sets = {
        0: PageSetSettings(pages=64, expand=EXPAND_SYSTEM, pool=0),
        1: PageSetSettings(pages=pages, expand=EXPAND_NONE, pool=1),
        2: PageSetSettings(pages=32, expand=EXPAND_SYSTEM, pool=1),
    }
    return EngineSettings(log, {0: 30, 1: pool}, page_sets, {"DEFAULT": 1, "GROWS": 2})


class Told:
    """Keeps what the operator is told."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = []

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        self.messages.append((message_id, tuple(arith), tuple(comments)))

    def ids(self) -> set[str]:
        """Give the ids of the messages."""
        return {message[0] for message in self.messages}

    def comments(self, message_id: str) -> list[tuple[str, ...]]:
        """Give the texts that messages of an id had."""
        return [message[2] for message in self.messages if message[0] == message_id]


def create(settings: EngineSettings) -> SimDisk:
    """Make the disk of a new queue manager; it tears finer than a device would, since pages change in few places."""
    disk = SimDisk(sector=64)
    create_engine(disk, NAME, PLACES, settings)
    return disk


class Faulted(Exception):
    """The disk failed an operation and the queue manager is broken; carries what the program, if any, was told."""

    def __init__(self, told: BaseException, verb: bool) -> None:
        super().__init__(str(told))
        self.told = told
        self.verb = verb


class Program:
    """A program with its connection, its open queues and its unit of work."""

    def __init__(self, host: Host, number: int) -> None:
        self.connection = host.connect(f"program {number}")
        self.handles: dict[str, Handle] = {}
        self.work = Work()
        self.xid = b""
        self.unit: Unit | None = None  # as it was after the last operation

    def handle(self, queue: str) -> Handle:
        """Give its handle of a queue."""
        handle = self.handles.get(queue)
        if handle is None:
            handle = self.handles[queue] = self.connection.open(queue, _OPEN)
        return handle


class World:
    """The queue manager, the programs that use it, and the model."""

    def __init__(self, disk: SimDisk, settings: EngineSettings, programs: int = 2, model: Model | None = None) -> None:
        self.disk = disk
        self.settings = settings
        self.model = Model() if model is None else model
        self.told = Told()
        self.host = open_engine(disk, NAME, PLACES, settings, self.told, threads=False)
        self.programs = [Program(self.host, number) for number in range(programs)]

    # -- the frame around each operation ------------------------------------------------------------------------------

    def _run(self, action: Callable[[], None], changes: Callable[[], list[Change]], verb: bool = True) -> bool:
        """Do something of which the log will tell; says whether it was done."""
        failures = len(self.disk.failures)
        try:
            action()
        except BaseException as error:
            self._settle()
            if self.disk.lost:
                self.model.logged(changes())
                raise PowerLoss from error  # whatever the engine made of it
            if self.host.engine.state == BROKEN and len(self.disk.failures) > failures:
                self.model.logged(changes())
                raise Faulted(error, verb) from error
            if self._refused(error):
                return False
            raise
        self._settle()
        self.model.logged(changes())
        return True

    def _refused(self, error: BaseException) -> bool:
        """Say whether nothing was done for want of room: in the page set, or in a log that units in doubt fill."""
        if not isinstance(error, MQError):
            return False
        if error.reason == MQRC_RESOURCE_PROBLEM:
            return bool(self.host.engine.units.in_doubt())
        return isinstance(error, BackedOut) or error.reason == MQRC_PAGESET_FULL

    def _settle(self) -> None:
        """Take note of units that the queue manager has backed out because the log was full."""
        for program in self.programs:
            connection = program.connection.connection
            unit = program.unit
            if unit is not None and unit.forced_out:
                self.model.undo(program.work)
                program.work = Work()
                program.xid = b""
                if connection.unit is unit:
                    connection.unit = None
                if connection.unit is None:
                    connection.xid = b""
            program.unit = connection.unit

    # -- messages -----------------------------------------------------------------------------------------------------

    def put(self, program: Program, queue: str, size: int, persistent: bool, priority: int, in_unit: bool) -> bool:
        """Put a message; says whether there was room."""
        message = self.model.new(queue, priority, persistent, size)
        descriptor = MessageDescriptor(persistence=int(persistent), priority=priority, message_id=message.message_id)
        handle = program.handle(queue)
        option = MQPMO_SYNCPOINT if in_unit else MQPMO_NO_SYNCPOINT

        def action() -> None:
            program.connection.put(handle, descriptor, message.body(), option)

        def changes() -> list[Change]:
            return [Change("put", message)] if persistent and not in_unit else []

        if not self._run(action, changes):
            return False
        if in_unit:
            program.work.puts.append(message)
        else:
            self.model.show(message)
            if persistent:
                self.model.acknowledged()
        return True

    def get(self, program: Program, queue: str, in_unit: bool) -> Message | None:
        """Get the next message and compare it with what the model has."""
        handle = program.handle(queue)
        option = MQGMO_SYNCPOINT if in_unit else MQGMO_NO_SYNCPOINT
        result: list[Got] = []
        before = self.model.first(queue)

        def action() -> None:
            try:
                result.append(program.connection.get(handle, option))
            except NoMessage:
                pass

        def changes() -> list[Change]:
            message = self._chosen(queue, before)
            if message is None or not message.persistent:
                return []
            return [Change("got" if in_unit else "remove", message)]

        if not self._run(action, changes):
            return None
        message = self._chosen(queue, before)
        if message is None or not result:
            if result or message is not None:
                raise AssertionError(f"a get from {queue} gave {len(result)} messages, expected {message}")
            return None
        self._compare(result[0], message)
        self.model.hide(message)
        if in_unit:
            program.work.gets.append(message)
        elif message.persistent:
            self.model.acknowledged()
        return message

    def _chosen(self, queue: str, before: Message | None) -> Message | None:
        """Give the message that a get has chosen, of which `before` was the first when it began.

        While it waits for log space a unit may be backed out and bring back an earlier message. A get of a short one
        then chooses again; a long one was locked before it was read, and stays chosen.
        """
        if before is not None and before.size + LENGTH > SINGLE_PAGE:
            return before
        return self.model.first(queue)

    def _compare(self, got: Got, message: Message) -> None:
        descriptor = got.descriptor
        if descriptor.message_id != message.message_id:
            serial = int.from_bytes(descriptor.message_id, "big")
            raise AssertionError(f"out of order: got #{serial} instead of {message}")
        if got.data != message.body():
            raise AssertionError(f"wrong bytes: {message}")
        if descriptor.backout_count != message.backouts:
            raise AssertionError(f"{message} has backout count {descriptor.backout_count}, not {message.backouts}")

    # -- units of work ------------------------------------------------------------------------------------------------

    def commit(self, program: Program) -> None:
        """Commit a program's unit of work."""
        work = program.work
        kept = work.persistent()

        def changes() -> list[Change]:
            return [] if kept.empty or program.work is not work else [Change("commit", work=kept)]

        if self._run(program.connection.commit, changes):
            program.work = Work()
            self.model.finish(work)
            if not kept.empty:
                self.model.acknowledged()

    def backout(self, program: Program) -> None:
        """Back out a program's unit of work."""
        work = program.work
        if self._run(program.connection.backout, list) and program.work is work:
            program.work = Work()
            self.model.undo(work)

    def start_branch(self, program: Program, xid: bytes = b"") -> None:
        """Let a program's unit be a branch of a global transaction."""
        program.xid = xid or b"xid %d" % self.model.next_number()
        program.connection.start_branch(program.xid)

    def one_phase(self, program: Program) -> None:
        """End a program's branch and commit it at once."""
        work, xid = self._end_branch(program)
        kept = work.persistent()
        changes = [] if kept.empty else [Change("commit", work=kept)]
        self._run(lambda: program.connection.commit_branch(xid), lambda: changes)
        self.model.finish(work)
        if changes:
            self.model.acknowledged()

    def roll_back(self, program: Program) -> None:
        """End a program's branch and back it out."""
        work, xid = self._end_branch(program)
        self._run(lambda: program.connection.back_out_branch(xid), list)
        self.model.undo(work)

    def _end_branch(self, program: Program) -> tuple[Work, bytes]:
        work, xid = program.work, program.xid
        program.connection.end_branch()
        program.xid = b""
        program.work = Work()
        return work, xid

    def prepare(self, program: Program) -> None:
        """End a program's branch and prepare it."""
        work, xid = self._end_branch(program)

        def changes() -> list[Change]:
            return [] if work.empty else [Change("prepare", work=work.persistent(), xid=xid)]

        self._run(lambda: program.connection.prepare(xid), changes)
        if not work.empty:
            self.model.in_doubt[xid] = work
            self.model.acknowledged()

    def resolve(self, program: Program, xid: bytes, commit: bool) -> None:
        """Commit or back out a branch in doubt."""
        work = self.model.in_doubt[xid]
        action = program.connection.commit_branch if commit else program.connection.back_out_branch
        self._run(lambda: action(xid), lambda: [Change("resolve", xid=xid, commit=commit)])
        del self.model.in_doubt[xid]
        if commit:
            self.model.finish(work)
            self.model.acknowledged()
        else:
            self.model.undo(work)

    # -- queues -------------------------------------------------------------------------------------------------------

    def define(self, name: str, fifo: bool = False, storage_class: str = "DEFAULT") -> None:
        """Define a queue."""
        if fifo:
            self.model.fifo.add(name)
        values: dict[str, AttributeValue] = {"MSGDLVSQ": int(fifo), "STGCLASS": storage_class}

        def action() -> None:
            self.host.administration.define("QLOCAL", name, values)

        if self._run(action, lambda: [Change("define", queue=name)]):
            self.model.add_queue(name)
            self.model.acknowledged()

    def delete(self, name: str) -> None:
        """Delete a queue with its messages; nobody may have uncommitted work there."""
        for program in self.programs:
            handle = program.handles.pop(name, None)
            if handle is not None:
                program.connection.close(handle)

        def action() -> None:
            self.host.administration.delete(name, purge=True)

        if self._run(action, lambda: [Change("delete", queue=name)]):
            self.model.drop_queue(name)
            self.model.acknowledged()

    def busy(self, name: str) -> bool:
        """Say whether somebody has uncommitted work on a queue."""
        units = [*[program.work for program in self.programs], *self.model.in_doubt.values()]
        return any(message.queue == name for work in units for message in (*work.puts, *work.gets))

    # -- what the queue manager does by itself ------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """Take a checkpoint, which forces the log."""
        self._run(self.host.checkpointer.take, list, verb=False)
        self.model.acknowledged()

    def write_pages(self) -> None:
        """Write every changed page."""
        self._run(self.host.writer.flush, list, verb=False)

    def write_due(self) -> None:
        """Write the pages that are due."""

        def action() -> None:
            self.host.writer.write_due()

        self._run(action, list, verb=False)

    def maintain(self) -> None:
        """Prepare, archive and give back log files."""
        self._run(self.host.log.maintain, list, verb=False)

    def fill_log(self, pages: int) -> None:
        """Log something that changes nothing, so that the log goes on by some pages."""
        log = self.host.log

        def action() -> None:
            if not log.space_room(pages * 4096, self.host.store.reserved):
                self.host.checkpointer.make_room()
            log.append(0, 0, 0, bytes(pages * 4056))
            log.force(log.next_address)

        self._run(action, list, verb=False)
        self.model.acknowledged()

    # -- the end, and the beginning -----------------------------------------------------------------------------------

    def stop(self) -> None:
        """End the queue manager in order: units in flight are backed out, what is not persistent is lost."""
        for program in self.programs:
            self.model.undo(program.work)
            program.work = Work()
        self.host.stop()
        self.model.acknowledged()

    def crashed(self, random: Random, keep: Keep) -> SimDisk:
        """Give the disk that a power loss now leaves."""
        return self.disk.crash(random, keep)

    def check(self) -> None:
        """Compare a queue manager that has just been restarted with its model, and adopt what it shows."""
        problem = self.model.restarted(observe(self.host))
        if problem:
            raise AssertionError(problem)
        check_space(self.host)

    def serials(self) -> set[int]:
        """Give the messages that a restarted queue manager shows."""
        return {seen.serial for found in observe(self.host).queues.values() for seen in found}
