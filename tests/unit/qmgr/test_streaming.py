"""Streaming of what the queue manager itself puts: event messages."""

from pathlib import Path

import pytest

from kew.codes.errors import MQError
from kew.codes.options import MQFMT_EVENT, MQGMO_WAIT, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.commands.actions.script import Script
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.gets.request import Got
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration

EVENTS, COPIES = "SYSTEM.ADMIN.QMGR.EVENT", "COPIES"
COMMANDS = (
    f"DEFINE QLOCAL({COPIES})",
    f"ALTER QLOCAL({EVENTS}) STREAMQ({COPIES})",
    "DEFINE QLOCAL(CLOSED) PUT(DISABLED)",
    "ALTER QMGR INHIBTEV(ENABLED)",
)


def test_event_messages_are_copied(tmp_path: Path) -> None:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        script = Script(running.host.commands)
        said = [line for batch in script.run(COMMANDS) for line in batch]
        assert not script.counts.failed, said
        program = running.connect("test")
        with pytest.raises(MQError):
            program.put(program.open("CLOSED", MQOO_OUTPUT), MessageDescriptor(), b"")
        # The event of the start may come before the stream is there, or after.
        events, copies = (program.open(name, MQOO_INPUT_SHARED) for name in (EVENTS, COPIES))
        copied: list[Got] = []
        while not copied or b"CLOSED" not in copied[-1].data:
            copied.append(program.get(copies, MQGMO_WAIT, 20_000))
        originals: list[Got] = []
        while not originals or b"CLOSED" not in originals[-1].data:
            originals.append(program.get(events))
        assert [each.data for each in originals[-len(copied) :]] == [each.data for each in copied]
        assert copied[-1].descriptor.format == MQFMT_EVENT
