"""Definitions written as MQSC make the same queue manager again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kew.commands.actions.definitionscript import written
from kew.commands.actions.script import Script
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

OBJECTS = """
ALTER QMGR DESCR('it''s mine') MAXMSGL(1048576)
DEFINE STGCLASS(FAST) PSID(01)
DEFINE QLOCAL(APP.IN) DESCR('two  blanks') MAXDEPTH(7) STGCLASS(FAST) PROCESS(P1)
DEFINE QLOCAL('app.lower') DEFPSIST(YES)
DEFINE QALIAS(APP.ALIAS) TARGET(APP.IN)
DEFINE QREMOTE(APP.REMOTE) RNAME(X) RQMNAME(QM9) XMITQ(QM9)
DEFINE QLOCAL(QM9) USAGE(XMITQ)
DEFINE PROCESS(P1) APPLICID('/bin/echo "hello"')
DEFINE NAMELIST(NL) NAMES(A,B,C)
DEFINE TOPIC(T1) TOPICSTR('a/b') WILDCARD(BLOCK)
DEFINE SUB(S1) TOPICOBJ(T1) TOPICSTR('+') DEST(APP.IN) USERDATA('x y')
DEFINE SUB(S2) TOPICSTR('a/#') DESTCLAS(MANAGED)
DEFINE CHANNEL(TO.QM9) CHLTYPE(SDR) CONNAME('host(1414)') XMITQ(QM9)
DEFINE CHANNEL(IN) CHLTYPE(SVRCONN)
DEFINE CHANNEL(IN2) CHLTYPE(CLNTCONN) CONNAME(host)
ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(99)
"""


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[QueueManager, QueueManager]]:
    for name in ("ONE", "TWO"):
        manager.create(name, Configuration(log=LogConfiguration(file_pages=64)), data=str(tmp_path))
    with manager.start("ONE", str(tmp_path), developer=True) as one, manager.start("TWO", str(tmp_path)) as two:
        yield one, two


def run(qmgr: QueueManager, commands: list[str]) -> None:
    script = Script(qmgr.host.commands)
    lines = [line for part in script.run(commands) for line in part]
    assert (script.counts.failed, script.counts.syntax_errors) == (0, 0), lines


def lines_of(qmgr: QueueManager, everything: bool) -> list[str]:
    return [line for command in written(qmgr.host.commands, everything) for line in command]


@pytest.mark.parametrize("everything", [False, True])
def test_the_same_objects_again(pair: tuple[QueueManager, QueueManager], everything: bool) -> None:
    one, two = pair
    run(one, OBJECTS.splitlines())
    commands = lines_of(one, everything)
    run(two, commands)
    assert lines_of(two, everything) == commands
    assert sum(line.startswith("DEFINE CHANNEL('SYSTEM.") for line in commands) == (9 + 2 if everything else 0)


def test_what_every_queue_manager_has_is_left_out_while_it_is_unchanged(
    pair: tuple[QueueManager, QueueManager],
) -> None:
    two = pair[1]
    assert [line for line in lines_of(two, False) if not line.startswith(" ")] == ["ALTER QMGR +"]
    run(two, ["ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(5)"])
    assert "DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') +" in lines_of(two, False)


def test_passwords_are_not_written(pair: tuple[QueueManager, QueueManager]) -> None:
    one, two = pair
    run(one, ["ALTER QMGR KEYRPWD('secret')"])
    commands = lines_of(one, False)
    assert "* KEYRPWD of QMGR ONE is not written here." in commands
    assert not [line for line in commands if "secret" in line or line.startswith("   KEYRPWD")]
    run(two, commands)


def test_temporary_queues_are_not_written(pair: tuple[QueueManager, QueueManager]) -> None:
    two = pair[1]
    connection = two.connect()
    from kew.codes.options import MQOO_INPUT_SHARED

    connection.open("SYSTEM.DEFAULT.MODEL.QUEUE", MQOO_INPUT_SHARED, "TEMP.*")
    assert not [line for line in lines_of(two, True) if "TEMP." in line]
    connection.disconnect()
