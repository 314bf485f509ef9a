"""Creation, change and deletion of objects other than queues: topics, channels, namelists, records.

Queues have an administration of their own, since a queue in use must change with its definition. A change waits for
room in the log at most; each gives the log address at which it is durable.
"""

import time
from collections.abc import Callable, Mapping

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_OBJECT_ALREADY_EXISTS, MQRC_UNKNOWN_OBJECT_NAME
from kew.objects.caller import NOBODY, Caller
from kew.objects.catalogue import UNOPPOSED, Catalogue, Decision, Key, Record, identity
from kew.objects.definition import Definition, altered, created
from kew.objects.schema.values import Value
from kew.storage.log import LogAddress

Runner = Callable[[Callable[[], bool]], bool]


def key_of(definition: Definition) -> Key:
    """Give the key of a definition in the catalogue."""
    return definition.kind.family, identity(definition.kind.name, definition.name, definition.values)


def new_record(definition: Definition) -> Record:
    """Give the record of a new object."""
    values = created(definition.values, time.time())
    return Record(definition.kind.family, definition.kind.name, definition.name, 0, values)


class ObjectAdministration:
    """Creates, changes and deletes objects other than queues."""

    def __init__(self, run: Runner, catalogue: Catalogue) -> None:
        self.run = run
        self.catalogue = catalogue
        self.lock = catalogue.lock

    def find(self, family: str, name: str) -> Record | None:
        """Give the definition of an object by its family and name; None if there is none."""
        return self.catalogue.records.get((family, name))

    def place(
        self, definition: Definition, replace: bool = False, decision: Decision = UNOPPOSED, by: Caller = NOBODY
    ) -> LogAddress:
        """Define an object; with `replace`, in place of an existing object of the same type."""
        with self.lock:
            old = self.catalogue.records.get(key_of(definition))
            if old is not None and not (replace and old.kind == definition.kind.name):
                raise MQError(MQRC_OBJECT_ALREADY_EXISTS, name=definition.name)
            record = new_record(definition)
            if old is not None:
                record.values = altered(old.values, definition.values, time.time())
            return self.catalogue.commit(self.run, [record], [], decision, by)

    def change(
        self, record: Record, values: Mapping[str, Value], decision: Decision = UNOPPOSED, by: Caller = NOBODY
    ) -> LogAddress:
        """Change some attributes of an object; a new value of an identifying attribute gives the object a new key."""
        with self.lock:
            if record.key not in self.catalogue.records:
                raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=record.name)
            merged = altered(record.values, values, time.time())
            changed = Record(record.family, record.kind, record.name, record.number, merged)
            moved = [record.key] if changed.key != record.key else []
            return self.catalogue.commit(self.run, [changed], moved, decision, by)

    def remove(self, records: list[Record], by: Caller = NOBODY) -> LogAddress:
        """Delete objects, all or none."""
        with self.lock:
            for record in records:
                if record.key not in self.catalogue.records:
                    raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=record.name)
            return self.catalogue.commit(self.run, [], [record.key for record in records], by=by)
