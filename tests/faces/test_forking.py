"""A program that forks: connections stay with the process that has made them, and so do queue managers."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.network import NAME, Reachable

PROGRAM = """
import os, sys
import ibmmq
from ibmmq import CMQC, MD, PMO

def connect():
    if len(sys.argv) > 1:
        return ibmmq.connect("QM1", "DEV.APP.SVRCONN", sys.argv[1], "app", "password")
    return ibmmq.connect("QM1")

def reason(call):
    try:
        call()
    except ibmmq.MQMIError as error:
        return error.reason

def run():
    manager = connect()
    queue = ibmmq.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_INPUT_SHARED | CMQC.MQOO_OUTPUT)
    queue.put(b"uncommitted", MD(), PMO(Options=CMQC.MQPMO_SYNCPOINT))
    child = os.fork()
    if not child:
        assert reason(lambda: queue.put(b"x")) == CMQC.MQRC_HCONN_ERROR
        assert reason(queue.get) == CMQC.MQRC_HCONN_ERROR
        assert reason(manager.commit) == CMQC.MQRC_HCONN_ERROR
        assert reason(manager.disconnect) == CMQC.MQRC_HCONN_ERROR
        own = connect()
        own.put1("DEV.QUEUE.2", b"by the child")
        sys.exit(7)  # it unwinds, and ends its connections
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    manager.backout()
    assert reason(queue.get) == CMQC.MQRC_NO_MSG_AVAILABLE
    assert ibmmq.Queue(manager, "DEV.QUEUE.2").get() == b"by the child"
    manager.disconnect()
"""
HOST = """
from kew.qmgr import manager as managers

managers.create("QM1")
with managers.start("QM1") as hosted:
    hosted.mqsc("DEFINE QLOCAL(DEV.QUEUE.1)", "DEFINE QLOCAL(DEV.QUEUE.2)")
    run()
with managers.start("QM1") as hosted:
    hosted.mqsc("DISPLAY QLOCAL(DEV.QUEUE.1)")
"""


@pytest.mark.parametrize("way", ["process", "socket", "tcp"])
def test_a_child_has_none_of_its_parents_connections(place: Reachable, tmp_path: Path, way: str) -> None:
    assert NAME == "QM1"
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + (HOST if way == "process" else "run()\n"))
    command = [sys.executable, "-m", "kew.run", str(program), *([place.address] if way == "tcp" else [])]
    source = Path(__file__).parents[2] / "src"
    data = str(tmp_path) if way == "process" else place.data
    environment = {"PYTHONPATH": str(source), "KEW_DATA": data, "PYTHONWARNINGS": "ignore"}
    result = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")
