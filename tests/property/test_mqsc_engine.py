"""What DISPLAY shows of an object, written as a DEFINE, makes the same object again, on a running queue manager."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from tests.support.definitions import agrees, definitions, heeded

from kew.commands.actions.script import Script
from kew.commands.mqsc.printer import define
from kew.objects.administration import key_of
from kew.objects.definition import Definition
from kew.objects.schema import KEEP
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

CONFIGURED = ("PSID", "BUFFPOOL", "QMGR", "POLICY")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QueueManager]:
    data: Path = tmp_path_factory.mktemp("data")
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=256)), str(data))
    with manager.start("QM1", str(data)) as started:
        yield started


def run(running: QueueManager, lines: list[str]) -> tuple[list[str], int]:
    script = Script(running.host.commands)
    said = [line for batch in script.run(lines) for line in batch]
    return said, script.counts.failed + script.counts.syntax_errors


def stored(running: QueueManager, wanted: Definition) -> Definition:
    record = running.host.catalogue.records[key_of(wanted)]
    values = {
        keyword: wanted.kind[keyword].default if wanted.kind[keyword].role == KEEP else value
        for keyword, value in record.values.items()
    }
    return Definition(wanted.kind, record.name, values)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(definition=definitions())
def test_define_display_define(running: QueueManager, definition: Definition) -> None:
    assume(definition.kind.family not in (*CONFIGURED, "SUB"))  # a subscription needs a queue that is there
    wanted = heeded(definition)
    assume(agrees(wanted))
    records = running.host.catalogue.records
    family = [record for record in records.values() if record.family == wanted.kind.family]
    assume(all(record.name != wanted.name for record in family))
    try:
        said, failed = run(running, define(wanted))
        assert not failed, said
        once = stored(running, wanted)
        assert once == wanted
        said, failed = run(running, define(once))
        assert not failed, said
        assert stored(running, wanted) == wanted
    finally:  # the next example, or this one again, finds what it found
        if wanted.kind.family == "QUEUE" and wanted.name in running.host.engine.queues.by_name:
            running.host.administration.delete(wanted.name)
        elif key_of(wanted) in records:
            running.host.objects.remove([records[key_of(wanted)]])
