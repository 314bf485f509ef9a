"""PCFExecute: commands of the queue manager as methods."""

from typing import Any

import pytest
from tests.support.network import NAME, Reachable
from tests.support.programs import Site

from kew import ibmmq, pymqi
from kew.ibmmq import CMQC, CMQCFC


@pytest.fixture(params=[(ibmmq, "process"), (pymqi, "process"), (ibmmq, "admin"), (pymqi, "admin")], ids=str)
def execute(request: pytest.FixtureRequest, place: Reachable) -> Any:
    face, way = request.param
    manager = face.QueueManager(None)
    if way == "admin":
        manager.connect_tcp_client(NAME, face.CD(), "DEV.ADMIN.SVRCONN", place.address, "admin", "password")
    else:
        manager.connect(NAME)
    commands = face.PCFExecute(manager)
    yield commands
    commands.disconnect()
    manager.disconnect()


def test_inquiries(execute: Any) -> None:
    found = execute.MQCMD_INQUIRE_Q({CMQC.MQCA_Q_NAME: b"DEV.QUEUE.*", CMQC.MQIA_Q_TYPE: CMQC.MQQT_LOCAL})
    names = sorted(each[CMQC.MQCA_Q_NAME].strip(b"\0 ") for each in found)
    assert names == [b"DEV.QUEUE.1", b"DEV.QUEUE.2", b"DEV.QUEUE.3"]
    named = execute.stringify_keys(found[0])
    assert named["MQCA_Q_NAME"].startswith(b"DEV.QUEUE.")
    assert execute.qm.is_connected
    answers = execute.MQCMD_INQUIRE_Q_MGR({CMQCFC.MQIACF_Q_MGR_ATTRS: CMQC.MQCA_Q_MGR_NAME})
    assert answers[0][CMQC.MQCA_Q_MGR_NAME].strip(b"\0 ") == b"QM1"


def test_filters(execute: Any, place: Reachable) -> None:
    face = ibmmq if isinstance(execute, ibmmq.PCFExecute) else pymqi
    execute.qm.put1(b"DEV.QUEUE.2", b"x")
    deep = face.Filter(CMQC.MQIA_CURRENT_Q_DEPTH).greater(0)
    found = execute.MQCMD_INQUIRE_Q({CMQC.MQCA_Q_NAME: b"DEV.*"}, [deep])
    assert [each[CMQC.MQCA_Q_NAME].strip(b"\0 ") for each in found] == [b"DEV.QUEUE.2"]
    place.mqsc("CLEAR QLOCAL(DEV.QUEUE.2)")


def test_definitions(execute: Any) -> None:
    name = b"MADE.BY.PCF"
    execute.MQCMD_CREATE_Q({CMQC.MQCA_Q_NAME: name, CMQC.MQIA_Q_TYPE: CMQC.MQQT_LOCAL, CMQC.MQIA_MAX_Q_DEPTH: 77})
    found = execute.CMQCFC.MQCMD_INQUIRE_Q({CMQC.MQCA_Q_NAME: name})
    assert found[0][CMQC.MQIA_MAX_Q_DEPTH] == 77
    execute.MQCMD_DELETE_Q({CMQC.MQCA_Q_NAME: name})
    error_type = ibmmq.MQMIError if isinstance(execute, ibmmq.PCFExecute) else pymqi.MQMIError
    with pytest.raises(error_type) as failure:
        execute.MQCMD_INQUIRE_Q({CMQC.MQCA_Q_NAME: name})
    error: Any = failure.value
    assert error.reason == CMQC.MQRC_UNKNOWN_OBJECT_NAME


def test_failures_are_collected_where_asked(place: Reachable) -> None:
    site = Site(place, ibmmq, "process")
    commands = ibmmq.PCFExecute(site.connect())
    collected: list[Any] = [1]
    with pytest.raises(ibmmq.MQMIError):
        commands.MQCMD_INQUIRE_Q({CMQC.MQCA_Q_NAME: "NO.SUCH"}, responses=collected)
    assert 1 not in collected
    commands.MQCMD_INQUIRE_Q({CMQC.MQCA_Q_NAME: "DEV.QUEUE.1"}, responses=collected)
    assert collected[0][1].Command == CMQCFC.MQCMD_INQUIRE_Q
    with pytest.raises(TypeError, match="responses must be a list"):
        commands.MQCMD_PING_Q_MGR(responses=5)
    with pytest.raises(ibmmq.PYIFError, match="Do not specify both"):
        ibmmq.PCFExecute(site.connect(), reply_queue_name="DEV.QUEUE.1")
    own = ibmmq.PCFExecute(site.connect(), model_queue_name="", reply_queue_name="DEV.QUEUE.3", convert=False)
    own.MQCMD_PING_Q_MGR()
    assert own.reply_queue_name == b"DEV.QUEUE.3"
    with pytest.raises(KeyError):
        commands.MQCMD_NO_SUCH_COMMAND()
    own.disconnect()
    commands.disconnect()
    site.end()
