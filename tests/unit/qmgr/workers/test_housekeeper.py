"""Checkpoints are taken when enough was logged, and not again for what they log themselves."""

from pathlib import Path

from kew.codes.options import MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager

INTERVAL = 64 * 1024
PUTS = 200
BODY = b"x" * 3000


def test_a_checkpoint_does_not_make_another_one_due(tmp_path: Path) -> None:
    manager.create("QM1", data=str(tmp_path))
    with manager.start("QM1", str(tmp_path), developer=True) as running:
        checkpointer = running.host.checkpointer
        checkpointer.interval = INTERVAL
        pool = checkpointer.writer.pools[0]
        log = running.host.log
        before, begun = pool.checkpoint, checkpointer.last
        connection = running.connect("tests")
        queue = connection.open("DEV.QUEUE.1", MQOO_OUTPUT)
        for _ in range(PUTS):
            connection.put(queue, MessageDescriptor(persistence=1), BODY, MQPMO_SYNCPOINT)
            connection.commit()
        logged = log.next_address - begun
        connection.disconnect()
        assert logged > 8 * INTERVAL
        assert pool.checkpoint - before <= logged // INTERVAL + 1
