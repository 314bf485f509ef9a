"""The definitions of objects, kept as items of a chain on page set 0.

A definition is one item: a JSON object with its type, name, number and attribute values. Changing a definition is a
unit of work that stores the new item and gets the old one, so a crash leaves the one or the other, never both or
neither; the crash tests of messages hold for definitions too.

In JSON a tuple is a list and a string of bytes is {"hex": "..."}. An attribute that an older record does not have takes
the default of its type.
"""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final, TypeAlias, TypeVar

from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.reasons import MQRC_CONNECTION_BROKEN, MQRC_PAGESET_FULL
from kew.objects.caller import NOBODY, Caller
from kew.objects.schema import OBJECT_TYPES, ObjectType
from kew.objects.schema.values import Value
from kew.storage.log import Log, LogAddress, LogError
from kew.storage.message import MessageRef, StoreFull
from kew.storage.pages.definitionstore import DefinitionStore
from kew.storage.recovery.attempt import Attempt
from kew.storage.recovery.units import Units
from kew.storage.unit import IN_COMMIT, Unit

CATALOGUE_OWNER: Final = 1

T = TypeVar("T")
AttributeValue: TypeAlias = Value
Key: TypeAlias = tuple[str, str]  # family and identity: queues of all types share their names
Run: TypeAlias = Callable[[Callable[[], T]], T]


# Values that identify a record beside its name, by type of record.
_IDENTIFIED_BY: Final = {
    "AUTHREC": ("OBJTYPE", "ENTTYPE", "ENTITY"),
    "ADDRESSMAP": ("ADDRESS",),
    "USERMAP": ("CLNTUSER", "ADDRESS"),
    "SSLPEERMAP": ("SSLPEER", "SSLCERTI", "ADDRESS"),
    "QMGRMAP": ("QMNAME", "ADDRESS"),
}
_BESIDE_OTHERS: Final = frozenset({"CLNTCONN", "BLOCKUSER", "BLOCKADDR", *_IDENTIFIED_BY})


def identity(kind: str, name: str, values: Mapping[str, AttributeValue]) -> str:
    """Give the identity of an object in its family: its name, and further values where objects may share a name."""
    if kind not in _BESIDE_OTHERS:
        return name
    return "\0".join([name, kind, *[str(values.get(keyword, "")) for keyword in _IDENTIFIED_BY.get(kind, ())]])


def _hexadecimal(value: object) -> dict[str, str]:
    assert isinstance(value, bytes)
    return {"hex": value.hex()}


_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=_hexadecimal)


class Record:
    """A definition as it is stored."""

    def __init__(self, family: str, kind: str, name: str, number: int, values: dict[str, AttributeValue]) -> None:
        self.family = family
        self.kind = kind
        self.name = name
        self.number = number
        self.values = values
        self.item: MessageRef | None = None

    @property
    def key(self) -> Key:
        """Give the key of the record."""
        return self.family, identity(self.kind, self.name, self.values)

    def encode(self) -> bytes:
        """Give the record as bytes."""
        fields = {"family": self.family, "type": self.kind, "name": self.name, "id": self.number, "values": self.values}
        return _ENCODER.encode(fields).encode()


def decode_record(data: bytes) -> Record:
    """Read a record."""
    fields = json.loads(data)
    stored: dict[str, object] = fields["values"]
    kind = OBJECT_TYPES.get(fields["type"])
    values: dict[str, AttributeValue] = {**kind.defaults, **fields["values"]} if kind is not None else fields["values"]
    # Most values are numbers and texts, which JSON has too; of a known type only a few can be anything else.
    for keyword in stored if kind is None else _unlike_json(kind):
        if keyword in stored:
            values[keyword] = _restored(stored[keyword])
    return Record(fields["family"], fields["type"], fields["name"], fields["id"], values)


@cache
def _unlike_json(kind: ObjectType) -> tuple[str, ...]:
    return tuple([keyword for keyword, value in kind.defaults.items() if not isinstance(value, int | str)])


def _restored(value: object) -> AttributeValue:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    assert isinstance(value, int | str)
    return value


class Decision:
    """A further check and effect of a change of definitions, called in the hold of the engine lock that makes it."""

    def check(self) -> None:
        """Raise an error to refuse the change."""

    def apply(self) -> None:
        """Apply the new definitions to the objects in use."""


UNOPPOSED: Final = Decision()

Change = tuple[Record | None, Record | None]  # a definition before and after; None where there is none
OnChange = Callable[[list[Change], Caller], None]


class Catalogue:
    """All definitions, in memory and on page set 0."""

    def __init__(self, units: Units, log: Log, on_change: OnChange | None = None) -> None:
        self.units = units
        self.log = log
        self.lock = threading.RLock()  # held through each change of definitions; taken before the engine lock
        self.records: dict[Key, Record] = {}
        self._families: dict[str, dict[Key, Record]] = {}  # the same, by family
        self.generations: dict[str, int] = {}  # how often each family has changed, for caches of definitions
        self.store: DefinitionStore | None = None
        self.on_change = on_change  # called with each change when it is decided, and its caller

    def load(self, store: DefinitionStore, run: Callable[[Callable[[], bytes]], bytes]) -> None:
        """Read all definitions."""
        self.store = store
        for item, data in store.read(run):
            record = decode_record(data)
            record.item = item
            self._keep(record)

    def description(self, name: str) -> dict[str, AttributeValue]:
        """Give the stored attributes of a queue; none for a temporary one."""
        record = self.records.get(("QUEUE", name))
        return record.values if record is not None else {}

    def of_family(self, family: str) -> list[Record]:
        """Give the definitions of a family, by name."""
        return sorted(self._families.get(family, {}).values(), key=_by_name)

    def _keep(self, record: Record) -> None:
        key = record.key
        self.records[key] = record
        self._families.setdefault(record.family, {})[key] = record

    def change(self, run: Run[bool], stored: Iterable[Record], removed: Iterable[Key]) -> None:
        """Store and remove definitions, all or none; the change is on disk when the method returns."""
        self.wait(self.commit(run, stored, removed))

    def wait(self, address: LogAddress) -> None:
        """Wait until the log is on disk up to an address."""
        try:
            self.log.force(address)
        except LogError as broken:
            raise Broken(MQRC_CONNECTION_BROKEN, why=str(broken)) from broken

    def commit(
        self,
        run: Run[bool],
        stored: Iterable[Record],
        removed: Iterable[Key],
        decision: Decision = UNOPPOSED,
        by: Caller = NOBODY,
    ) -> LogAddress:
        """Store and remove definitions, all or none; gives the log address to wait for.

        The stored definitions and those in memory change in one hold of the engine lock, in which `decision` may refuse
        the change, and applies it to the objects in use.
        """
        begun: list[Attempt] = []

        def begin() -> bool:
            begun.append(Attempt(self.units, None))
            return True

        run(begin)
        attempt = begun[0]
        unit = attempt.unit
        new = list(stored)
        gone = list(removed)
        replaced = [record.key for record in new if record.key in self.records]
        before = [self.records.get(record.key) for record in new]
        lost = [self.records.get(key) for key in gone]
        items: list[MessageRef] = []
        try:
            for record in new:
                items.append(self._store(run, unit, record))
            for key in {*replaced, *gone}:
                self._get(run, unit, key)
            for record, item in zip(new, items, strict=True):
                record.item = item
            run(lambda: self._commit(attempt, new, gone, decision))
        except StoreFull as full:
            run(lambda: _give_up(attempt))
            raise MQError(MQRC_PAGESET_FULL, page_set=full.page_set) from full
        except BaseException:
            run(lambda: _give_up(attempt))
            raise
        if self.on_change is not None:
            self.on_change([*zip(before, new, strict=True), *[(record, None) for record in lost]], by)
        return unit.decided

    def _store(self, run: Run[bool], unit: Unit, record: Record) -> MessageRef:
        assert self.store is not None
        put = self.store.put(record.encode(), unit)

        def step() -> bool:
            _check(unit)
            return put.step()

        while not run(step):
            pass
        assert put.item is not None
        return put.item

    def _get(self, run: Run[bool], unit: Unit, key: Key) -> None:
        item, store = self.records[key].item, self.store
        assert item is not None
        assert store is not None

        def get() -> bool:
            _check(unit)
            store.take(item, unit)
            return True

        run(get)

    def _commit(self, attempt: Attempt, new: list[Record], gone: list[Key], decision: Decision) -> bool:
        _check(attempt.unit)
        if attempt.unit.state != IN_COMMIT:  # else it was decided, and continues after a stall
            decision.check()
            for key in gone:
                self.records.pop(key, None)
                self._families.get(key[0], {}).pop(key, None)
            for record in new:
                self._keep(record)
            for family in {key[0] for key in gone} | {record.family for record in new}:
                self.generations[family] = self.generations.get(family, 0) + 1
            decision.apply()
        attempt.commit()
        return True


def _by_name(record: Record) -> str:
    return record.name


def _give_up(attempt: Attempt) -> bool:
    attempt.give_up()
    return True


def _check(unit: Unit) -> None:
    """Raise BackedOut if the unit of work was backed out because the log was full."""
    if unit.forced_out:
        raise BackedOut(unit=unit.id)
