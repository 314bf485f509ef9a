"""Objects that a program lets go of: their handles and connections end, wherever Python notices it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.support.network import NAME, Reachable, eventually
from tests.support.programs import Site

from kew import ibmmq
from kew.ibmmq import CMQC


def test_a_queue_that_goes_is_closed_before_the_next_verb(site: Site) -> None:
    cmqc = site.face.CMQC
    manager = site.connect()
    for _ in range(3):
        queue = site.queue("DEV.QUEUE.1", cmqc.MQOO_INPUT_EXCLUSIVE, manager)
        assert queue.get_handle()
        del queue


@pytest.mark.parametrize("way", ["process", "shared"])
def test_objects_may_go_while_a_lock_is_held(place: Reachable, way: str) -> None:
    """The garbage collector runs destructors in any thread, also in one that is inside the engine."""
    site = Site(place, ibmmq, way)
    engine = place.manager.host.engine
    before = len(engine.connections)
    manager: Any = site.connect()
    queue: Any = site.queue(manager=manager)
    site.managers.clear()
    lock = engine.lock if way == "process" else manager._verbs._connection.driver.lock
    with lock:
        del queue
        del manager
    assert eventually(lambda: len(engine.connections) == before)


def test_a_program_that_ends_disconnects(place: Reachable, tmp_path: Path) -> None:
    """As with MQ's packages, what it did under syncpoint is then committed."""
    program = tmp_path / "program.py"
    program.write_text(
        "import ibmmq, sys\n"
        "from ibmmq import CMQC, MD, PMO\n"
        f"manager = ibmmq.connect({NAME!r}, 'DEV.APP.SVRCONN', sys.argv[1], 'app', 'password')\n"
        "manager.put1('DEV.QUEUE.3', b'left behind', MD(), PMO(Options=CMQC.MQPMO_SYNCPOINT))\n"
    )
    source = Path(__file__).parents[2] / "src"
    command = [sys.executable, "-m", "kew.run", str(program), place.address]
    result = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(source)}, timeout=60)
    assert result.stderr == ""
    manager = ibmmq.connect(NAME)
    queue = ibmmq.Queue(manager, "DEV.QUEUE.3", CMQC.MQOO_INPUT_SHARED)
    assert queue.get() == b"left behind"
    manager.disconnect()


def test_a_program_that_disconnects_is_told_that_its_unit_was_backed_out(site: Site) -> None:
    """MQDISC gives the warning of the commit that is part of it; the handle is of no further use."""
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    md = face.MD(Persistence=cmqc.MQPER_PERSISTENT)
    manager.put1("DEV.QUEUE.1", b"lost", md, face.PMO(Options=cmqc.MQPMO_SYNCPOINT))
    engine = site.place.manager.host.engine
    with engine.lock:
        unit = engine.units.oldest_in_flight()
        assert unit is not None
        unit.forced_out = True
        engine.units.backout(unit)
    with pytest.raises(face.MQMIError) as told:
        manager.disconnect()
    assert (told.value.comp, told.value.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_BACKED_OUT)
    with pytest.raises(face.MQMIError) as after:
        manager.commit()
    assert after.value.reason == cmqc.MQRC_HCONN_ERROR
