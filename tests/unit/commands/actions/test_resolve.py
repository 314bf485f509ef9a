"""RESOLVE INDOUBT leaves units of work that belong to a part of the queue manager to that part."""

from functools import partial
from pathlib import Path

from tests.unit.commands.actions.running import answer, queue_manager

from kew.codes.options import MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.transactions import units
from kew.storage.xid import CHANNEL_BATCH, pack

BATCH = pack(CHANNEL_BATCH, b"key", b"batch")


def test_a_channels_unit_is_shown_and_left_to_the_channel(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(Q)")
        connection = running.connect()
        queue = connection.open("Q", MQOO_OUTPUT)
        connection.put(queue, MessageDescriptor(persistence=1), b"moved", MQPMO_SYNCPOINT)
        running.host.engine.run(partial(units.prepare_own, connection.connection, BATCH))
        nid = BATCH.hex().upper()
        assert nid in answer(running, "DISPLAY THREAD(*) TYPE(INDOUBT) ALL")
        assert "no unit of work in doubt" in answer(running, "RESOLVE INDOUBT(QM1) ACTION(COMMIT) NID(*)")
        said = answer(running, f"RESOLVE INDOUBT(QM1) ACTION(BACKOUT) NID({nid})")
        assert "the unit of work is of a message channel: RESOLVE CHANNEL decides it" in said
        assert len(running.host.units.prepared(CHANNEL_BATCH)) == 1
