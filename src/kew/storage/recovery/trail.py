"""The trail of a unit of work in the log, as restart reads it."""

from kew.storage.log import LogRecord
from kew.storage.pages import records
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.pages.directory import PLACE
from kew.storage.unit import IN_BACKOUT, IN_COMMIT, IN_DOUBT, IN_FLIGHT


class Step:
    """A logged operation of a unit."""

    def __init__(self, kind: int, address: int, undo_next: int) -> None:
        self.kind = kind  # PUT, GET or DATA, as in `records`
        self.address = address
        self.undo_next = undo_next
        self.owner = 0
        self.page_set = 0
        self.chain = 0
        self.directory = 0
        self.slot = 0
        self.sequence = 0
        self.length = 0
        self.page = 0
        self.runs: list[tuple[int, int]] = []  # empty for a PUT whose runs must be read from its first page
        self.finished = False

    def place(self) -> tuple[int, int, int]:
        """Give the place of the operation's entry."""
        return self.page_set, self.directory, self.slot


class Trail:
    """A unit of work as its log records show it."""

    def __init__(self, number: int, first_address: int) -> None:
        self.id = number
        self.state = IN_FLIGHT
        self.first_address = first_address
        self.last_address = first_address
        self.xid = b""
        self.steps: list[Step] = []
        self.described: dict[int, bytes] = {}  # the descriptions by participants other than the pages
        # Steps that were written anew. They count once the PREPARE behind them is there: a crash may have cut them off.
        self.relogged: list[Step] = []

    def follow(self, record: LogRecord) -> None:
        """Add the unit's next record (all kinds but END)."""
        self.last_address = record.address
        kind = record.kind
        if kind == records.PUT:
            self._put(record)
        elif kind == records.DATA:
            step = Step(records.DATA, record.address, record.previous)
            step.owner, step.page_set, count, step.page, _kind = records.DATA_HEAD.unpack_from(record.payload)
            step.runs = [(step.page, count)]
            self.steps.append(step)
        elif kind == records.GET:
            self.steps.append(_get_step(record, 0, record.previous))
        elif kind == records.RELOG:
            self._relog(record)
        elif kind == records.REMOVE:
            fields = records.GET_HEAD.unpack_from(record.payload)
            if self.state == IN_COMMIT:
                self._finished((fields[1], fields[4], fields[5]), fields[7])
            else:  # of a unit in backout, or of one that has undone its latest puts and continues
                self._undone_to(fields[8])
        elif kind == records.UNGET:
            self._undone_to(records.UNGET_HEAD.unpack_from(record.payload)[5])
        elif kind == records.FREE_PAGES:
            self._undone_to(records.FREE_PAGES_HEAD.unpack_from(record.payload)[2])
        elif kind == records.JOIN:
            number: int = records.JOIN_HEAD.unpack_from(record.payload)[0]
            self.described[number] = record.payload[records.JOIN_HEAD.size :]
        elif kind == records.PREPARE:
            self.state = IN_DOUBT
            self.xid = record.payload
            if self.relogged:
                self.steps = self.relogged
                self.first_address = self.steps[0].address
                self.relogged = []
        elif kind == records.COMMIT:
            self.state = IN_COMMIT
        elif kind == records.BACKOUT:
            self.state = IN_BACKOUT

    def _put(self, record: LogRecord) -> None:
        payload = record.payload
        owner, page_set, chain, _flags, directory, slot, _position, undo_next = records.PUT_HEAD.unpack_from(payload)
        self._undone_to(undo_next)  # its DATA records are part of it from here on
        step = Step(records.PUT, record.address, undo_next)
        step.length, step.page, step.sequence = PLACE.unpack_from(payload, records.PUT_ENTRY_OFFSET)
        step.owner, step.page_set, step.chain = owner, page_set, chain
        step.directory, step.slot = directory, slot
        if step.length <= SINGLE_PAGE:
            step.runs = [(step.page, 1)]
        self.steps.append(step)

    def _relog(self, record: LogRecord) -> None:
        kind, length, page = records.RELOG_HEAD.unpack_from(record.payload)
        if record.previous == 0:  # written anew from its beginning
            self.relogged = []
        step = _get_step(record, records.RELOG_HEAD.size, record.previous)
        step.kind = records.PUT if kind == 1 else records.GET
        step.length = length
        step.page = page
        self.relogged.append(step)

    def _undone_to(self, undo_next: int) -> None:
        while self.steps and self.steps[-1].address > undo_next:
            self.steps.pop()

    def _finished(self, place: tuple[int, int, int], sequence: int) -> None:
        for step in self.steps:
            if step.kind == records.GET and step.sequence == sequence and step.place() == place:
                step.finished = True
                return


def _get_step(record: LogRecord, offset: int, undo_next: int) -> Step:
    step = Step(records.GET, record.address, undo_next)
    fields = records.GET_HEAD.unpack_from(record.payload, offset)
    step.owner, step.page_set, step.chain, _flags, step.directory, step.slot, count, step.sequence, _next = fields
    step.runs = records.unpack_runs(record.payload, offset + records.GET_HEAD.size, count)
    step.page = step.runs[0][0]
    return step
