"""Event messages: what causes them, what they say, and that nothing suffers from them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.pcf import WAIT, Administrator, plain, request, text
from tests.support.users import make_administrator

from kew.accounting.events import (
    CHANNEL_QUEUE,
    COMMAND_QUEUE,
    CONFIGURATION_QUEUE,
    LOGGER_QUEUE,
    MANAGER_QUEUE,
    MOST_PENDING,
    PERFORMANCE_QUEUE,
    Events,
)
from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes import reasons as r
from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQAT_QMGR,
    MQFMT_EVENT,
    MQGMO_WAIT,
    MQMF_SEGMENTATION_ALLOWED,
    MQMT_DATAGRAM,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQOT_LOCAL_Q,
    MQOT_Q,
)
from kew.commands.actions.script import Script
from kew.formats import pcf
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.objects.schema.values import Value
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

CONFIGURATION = Configuration(log=LogConfiguration(file_pages=256))


@pytest.fixture
def running(tmp_path: Path) -> Iterator[QueueManager]:
    manager.create("QM1", CONFIGURATION, str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as started:
        make_administrator(started.host, "tester")
        assert told(started, MANAGER_QUEUE)[0] == r.MQRC_Q_MGR_ACTIVE
        yield started


def mqsc(running: QueueManager, *lines: str) -> str:
    script = Script(running.host.commands)
    said = [line for batch in script.run(lines) for line in batch]
    assert script.counts.failed == script.counts.syntax_errors == 0, said
    return "\n".join(said)


def event(running: QueueManager, queue: str) -> tuple[MessageDescriptor, pcf.PCFMessage]:
    connection = running.connect("reader")
    got = connection.get(connection.open(queue, MQOO_INPUT_SHARED), MQGMO_WAIT, WAIT)
    connection.disconnect()
    return got.descriptor, pcf.decode(got.data)


def told(running: QueueManager, queue: str) -> tuple[int, dict[int, Value]]:
    _descriptor, message = event(running, queue)
    return message.header.reason, plain(message)


def nothing(running: QueueManager, queue: str) -> None:
    running.host.event_writer.write_pending()
    connection = running.connect("reader")
    with pytest.raises(NoMessage):
        connection.get(connection.open(queue, MQOO_INPUT_SHARED))
    connection.disconnect()


def program(running: QueueManager, queue: str = "Q", options: int = MQOO_OUTPUT | MQOO_INPUT_SHARED) -> "Program":
    return Program(running.connect("program", "tester"), queue, options)


class Program:
    def __init__(self, connection: LocalConnection, queue: str, options: int) -> None:
        self.connection = connection
        self.handle = connection.open(queue, options)

    def put(self, count: int = 1) -> None:
        for _ in range(count):
            self.connection.put(self.handle, MessageDescriptor(), b"x")

    def get(self, count: int = 1) -> None:
        for _ in range(count):
            self.connection.get(self.handle)


def test_nothing_is_told_while_the_switches_are_off(running: QueueManager) -> None:
    mqsc(running, "DEFINE QLOCAL(Q) PUT(DISABLED) QDPHIEV(ENABLED)", "ALTER QLOCAL(Q) DESCR('x')")
    with pytest.raises(MQError):
        program(running).put()
    with pytest.raises(MQError):
        program(running, "NO.SUCH.QUEUE")
    for queue in (MANAGER_QUEUE, PERFORMANCE_QUEUE, CONFIGURATION_QUEUE, COMMAND_QUEUE):
        nothing(running, queue)
    assert running.host.queues.by_name["Q"].watch is None


def test_inhibited(running: QueueManager) -> None:
    mqsc(running, "DEFINE QLOCAL(Q) PUT(DISABLED) GET(DISABLED)", "ALTER QMGR INHIBTEV(ENABLED)")
    with pytest.raises(MQError):
        program(running).put()
    descriptor, message = event(running, MANAGER_QUEUE)
    assert (descriptor.format, descriptor.message_type) == (MQFMT_EVENT, MQMT_DATAGRAM)
    assert (descriptor.put_application_type, descriptor.put_application_name.rstrip()) == (MQAT_QMGR, b"QM1")
    header = message.header
    assert (header.type, header.command) == (c.MQCFT_EVENT, c.MQCMD_Q_MGR_EVENT)
    assert (header.completion, header.reason) == (MQCC_WARNING, r.MQRC_PUT_INHIBITED)
    assert plain(message) == {
        a.MQCA_Q_MGR_NAME: "QM1",
        a.MQCA_Q_NAME: "Q",
        a.MQIA_APPL_TYPE: 6,
        a.MQCACF_APPL_NAME: "program",
    }
    with pytest.raises(MQError):
        program(running).get()
    assert told(running, MANAGER_QUEUE)[0] == r.MQRC_GET_INHIBITED


def test_objects_that_are_not_there(running: QueueManager) -> None:
    mqsc(running, "DEFINE QALIAS(A) TARGET(NO.BASE)", "DEFINE QREMOTE(R) RNAME(X) RQMNAME(FAR)")
    mqsc(running, "ALTER QMGR LOCALEV(ENABLED) REMOTEEV(ENABLED)")
    for name, reason, more in (
        ("NO.SUCH", r.MQRC_UNKNOWN_OBJECT_NAME, {}),
        ("A", r.MQRC_UNKNOWN_ALIAS_BASE_Q, {a.MQCA_BASE_OBJECT_NAME: "NO.BASE"}),
        ("R", r.MQRC_UNKNOWN_REMOTE_Q_MGR, {a.MQCACF_OBJECT_Q_MGR_NAME: "FAR"}),
    ):
        with pytest.raises(MQError):
            program(running, name)
        found, said = told(running, MANAGER_QUEUE)
        assert found == reason
        assert said[a.MQCA_Q_NAME] == name
        assert more.items() <= said.items()


def test_start_and_stop(tmp_path: Path) -> None:
    manager.create("QM1", CONFIGURATION, str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        assert told(running, MANAGER_QUEUE)[0] == r.MQRC_Q_MGR_ACTIVE
        mqsc(running, "ALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) DEFPSIST(YES)")
    with manager.start("QM1", str(tmp_path)) as running:
        reason, said = told(running, MANAGER_QUEUE)
        assert (reason, said[a.MQIACF_REASON_QUALIFIER]) == (r.MQRC_Q_MGR_NOT_ACTIVE, a.MQRQ_Q_MGR_STOPPING)
        assert told(running, MANAGER_QUEUE)[0] == r.MQRC_Q_MGR_ACTIVE
        running.quiesce()
    with manager.start("QM1", str(tmp_path)) as running:
        assert told(running, MANAGER_QUEUE)[1][a.MQIACF_REASON_QUALIFIER] == a.MQRQ_Q_MGR_QUIESCING


def test_a_message_whose_segments_find_no_room_is_told_as_any_other(running: QueueManager) -> None:
    mqsc(running, "ALTER QMGR PERFMEV(ENABLED)")
    mqsc(running, "DEFINE QLOCAL(Q) MAXDEPTH(2) MAXMSGL(1000) QDPMAXEV(ENABLED)")
    user = program(running)
    with pytest.raises(MQError):
        user.connection.put(user.handle, MessageDescriptor(message_flags=MQMF_SEGMENTATION_ALLOWED), bytes(3000))
    assert told(running, PERFORMANCE_QUEUE)[0] == r.MQRC_Q_FULL


def test_depth_events_take_turns(running: QueueManager) -> None:
    mqsc(running, "ALTER QMGR PERFMEV(ENABLED)")
    mqsc(running, "DEFINE QLOCAL(Q) MAXDEPTH(10) QDEPTHHI(80) QDEPTHLO(20) QDPHIEV(ENABLED) QDPMAXEV(DISABLED)")
    shown = "DISPLAY QLOCAL(Q) QDPHIEV QDPLOEV QDPMAXEV"
    user = program(running)
    user.put(8)
    reason, said = told(running, PERFORMANCE_QUEUE)
    assert reason == r.MQRC_Q_DEPTH_HIGH
    assert said[a.MQCA_BASE_OBJECT_NAME] == "Q"
    assert (said[a.MQIA_HIGH_Q_DEPTH], said[a.MQIA_MSG_ENQ_COUNT], said[a.MQIA_MSG_DEQ_COUNT]) == (8, 8, 0)
    now = mqsc(running, shown)
    assert "QDPHIEV(DISABLED)" in now
    assert "QDPLOEV(ENABLED)" in now
    assert "QDPMAXEV(ENABLED)" in now
    user.put(2)
    nothing(running, PERFORMANCE_QUEUE)
    for _ in range(2):
        with pytest.raises(MQError):
            user.put()
    assert told(running, PERFORMANCE_QUEUE)[0] == r.MQRC_Q_FULL
    nothing(running, PERFORMANCE_QUEUE)
    user.get(8)
    reason, said = told(running, PERFORMANCE_QUEUE)
    assert (reason, said[a.MQIA_MSG_DEQ_COUNT]) == (r.MQRC_Q_DEPTH_LOW, 8)
    user.get(2)
    nothing(running, PERFORMANCE_QUEUE)
    user.put(5)
    mqsc(running, "ALTER QLOCAL(Q) DESCR('switches stay as they are')")
    user.put(3)
    assert told(running, PERFORMANCE_QUEUE)[0] == r.MQRC_Q_DEPTH_HIGH
    mqsc(running, "ALTER QMGR PERFMEV(DISABLED)")
    assert "QDPHIEV(ENABLED)" in mqsc(running, shown)
    assert running.host.queues.by_name["Q"].watch is None


def test_service_interval(running: QueueManager) -> None:
    mqsc(running, "ALTER QMGR PERFMEV(ENABLED)", "DEFINE QLOCAL(Q) QSVCIEV(HIGH) QSVCINT(0)")
    user = program(running)
    user.put(2)
    assert told(running, PERFORMANCE_QUEUE)[0] == r.MQRC_Q_SERVICE_INTERVAL_HIGH
    mqsc(running, "ALTER QLOCAL(Q) QSVCINT(999999)")
    user.get()
    assert told(running, PERFORMANCE_QUEUE)[0] == r.MQRC_Q_SERVICE_INTERVAL_OK
    user.get()
    nothing(running, PERFORMANCE_QUEUE)


def test_configuration(running: QueueManager) -> None:
    mqsc(running, "ALTER QMGR CONFIGEV(ENABLED)", "DEFINE QLOCAL(Q) MAXDEPTH(5)")
    reason, said = told(running, CONFIGURATION_QUEUE)
    assert reason == r.MQRC_CONFIG_CREATE_OBJECT
    assert said[a.MQIACF_OBJECT_TYPE] in (MQOT_Q, MQOT_LOCAL_Q)
    assert (said[a.MQCA_Q_NAME], said[a.MQIA_MAX_Q_DEPTH]) == ("Q", 5)
    assert said[a.MQIACF_EVENT_ORIGIN] == a.MQEVO_CONSOLE
    Administrator(running).send(
        request(
            c.MQCMD_CHANGE_Q,
            text(a.MQCA_Q_NAME, "Q"),
            pcf.Integer(a.MQIA_Q_TYPE, a.MQQT_LOCAL),
            pcf.Integer(a.MQIA_MAX_Q_DEPTH, 6),
        )
    )
    before, first = event(running, CONFIGURATION_QUEUE)
    after, second = event(running, CONFIGURATION_QUEUE)
    assert before.correlation_id == after.correlation_id != bytes(24)
    assert [message.header.control for message in (first, second)] == [c.MQCFC_NOT_LAST, c.MQCFC_LAST]
    assert [plain(message)[a.MQIA_MAX_Q_DEPTH] for message in (first, second)] == [5, 6]
    assert plain(second)[a.MQCACF_EVENT_USER_ID] == "tester"
    assert plain(second)[a.MQIACF_EVENT_ORIGIN] == a.MQEVO_MSG
    assert plain(second)[a.MQCACF_EVENT_APPL_NAME] == "administrator"
    mqsc(running, "DELETE QLOCAL(Q)")
    assert told(running, CONFIGURATION_QUEUE)[0] == r.MQRC_CONFIG_DELETE_OBJECT


def groups(message: pcf.PCFMessage) -> tuple[dict[int, Value], dict[int, Value]]:
    context, data = message.parameters
    assert isinstance(context, pcf.Group)
    assert isinstance(data, pcf.Group)
    assert (context.parameter, data.parameter) == (a.MQGACF_COMMAND_CONTEXT, a.MQGACF_COMMAND_DATA)
    return plain(pcf.PCFMessage(message.header, context.members)), plain(pcf.PCFMessage(message.header, data.members))


def test_commands(running: QueueManager) -> None:
    mqsc(running, "ALTER QMGR CMDEV(NODISPLAY)")
    assert told(running, COMMAND_QUEUE)[0] == r.MQRC_COMMAND_MQSC  # it is in force at once
    mqsc(running, "DISPLAY QMGR")
    nothing(running, COMMAND_QUEUE)
    mqsc(running, "DEFINE QLOCAL(Q)")
    _descriptor, message = event(running, COMMAND_QUEUE)
    context, data = groups(message)
    assert context[a.MQIACF_COMMAND] == c.MQCMD_CREATE_Q
    assert data == {a.MQCACF_COMMAND_MQSC: "DEFINE QLOCAL(Q)"}
    name = text(a.MQCA_Q_NAME, "Q")
    Administrator(running).send(request(c.MQCMD_CLEAR_Q, name))
    _descriptor, message = event(running, COMMAND_QUEUE)
    assert message.header.reason == r.MQRC_COMMAND_PCF
    context, data = groups(message)
    assert (context[a.MQIACF_COMMAND], context[a.MQCACF_EVENT_USER_ID]) == (c.MQCMD_CLEAR_Q, "tester")
    assert data == {a.MQCA_Q_NAME: "Q"}


def test_channels() -> None:
    events = Events("QM1")
    events.channel(r.MQRC_CHANNEL_STARTED, "TO.QM2")
    assert not events.pending
    events.channels = a.MQEVR_EXCEPTION
    events.channel(r.MQRC_CHANNEL_STARTED, "TO.QM2")
    events.channel(
        r.MQRC_CHANNEL_STOPPED, "TO.QM2", a.MQRQ_CHANNEL_STOPPED_ERROR, "10.0.0.1(1414)", "XMITQ", [pcf.Integer(1, 2)]
    )
    events.channel(r.MQRC_CHANNEL_SSL_ERROR, "TO.QM2", a.MQRQ_SSL_HANDSHAKE_ERROR)
    assert [each.queue for each in events.pending] == [CHANNEL_QUEUE]
    assert plain(events.pending[0].messages[0]) == {
        a.MQCA_Q_MGR_NAME: "QM1",
        a.MQIACF_REASON_QUALIFIER: a.MQRQ_CHANNEL_STOPPED_ERROR,
        a.MQCACH_CHANNEL_NAME: "TO.QM2",
        a.MQCACH_XMIT_Q_NAME: "XMITQ",
        a.MQCACH_CONNECTION_NAME: "10.0.0.1(1414)",
        1: 2,
    }


def test_authority(running: QueueManager) -> None:
    def refused() -> None:
        with pytest.raises(MQError) as failed:
            running.connect("program", "mallory")
        assert failed.value.reason == r.MQRC_NOT_AUTHORIZED

    refused()
    nothing(running, MANAGER_QUEUE)
    mqsc(running, "ALTER QMGR AUTHOREV(ENABLED)")
    refused()
    reason, said = told(running, MANAGER_QUEUE)
    assert reason == r.MQRC_NOT_AUTHORIZED
    assert (said[a.MQCACF_USER_IDENTIFIER], said[a.MQIACF_REASON_QUALIFIER]) == ("mallory", a.MQRQ_CONN_NOT_AUTHORIZED)
    running.host.events.not_authorised(a.MQRQ_OPEN_NOT_AUTHORIZED, "mallory", MQOT_Q, "Q", 16)
    said = told(running, MANAGER_QUEUE)[1]
    assert (said[a.MQCA_Q_NAME], said[a.MQIACF_OPEN_OPTIONS]) == ("Q", 16)


def test_events_are_bounded_and_those_lost_are_counted() -> None:
    events = Events("QM1")
    events.inhibit = True
    for _ in range(MOST_PENDING + 5):
        events.inhibited(r.MQRC_PUT_INHIBITED, "Q", b"program".ljust(28))
    assert len(events.pending) == MOST_PENDING
    assert events.lost == 5


def test_a_queue_that_takes_no_events_disturbs_nobody(running: QueueManager) -> None:
    mqsc(running, "DEFINE QLOCAL(Q) PUT(DISABLED)", "ALTER QMGR INHIBTEV(ENABLED)")
    mqsc(running, "ALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) PUT(DISABLED)")
    user = program(running)
    for _ in range(3):
        with pytest.raises(MQError) as failed:
            user.put()
        assert failed.value.reason == r.MQRC_PUT_INHIBITED
    running.host.event_writer.write_pending()
    assert not running.host.events.pending
    mqsc(running, "DELETE QLOCAL(SYSTEM.ADMIN.QMGR.EVENT)")
    with pytest.raises(MQError):
        user.put()
    running.host.event_writer.write_pending()
    assert not running.host.events.pending


def test_definitions_are_told_again_on_request(running: QueueManager) -> None:
    script = Script(running.host.commands)
    assert "CONFIGEV(ENABLED)" in "".join(
        [line for batch in script.run(["REFRESH QMGR TYPE(CONFIGEV)"]) for line in batch]
    )
    mqsc(running, "DEFINE QLOCAL(Q)", "DEFINE QALIAS(Q.ALIAS) TARGET(Q)", "ALTER QMGR CONFIGEV(ENABLED)")
    nothing(running, CONFIGURATION_QUEUE)
    mqsc(running, "REFRESH QMGR TYPE(CONFIGEV) OBJECT(QLOCAL) NAME(Q*) INCLINT(5)")
    reason, values = told(running, CONFIGURATION_QUEUE)
    assert reason == r.MQRC_CONFIG_REFRESH_OBJECT
    assert values[a.MQCA_Q_NAME] == "Q"
    nothing(running, CONFIGURATION_QUEUE)
    mqsc(running, "REFRESH QMGR TYPE(CONFIGEV) OBJECT(QUEUE) NAME(Q*)")
    names = [told(running, CONFIGURATION_QUEUE)[1][a.MQCA_Q_NAME] for _turn in range(2)]
    assert names == ["Q.ALIAS", "Q"]
    nothing(running, CONFIGURATION_QUEUE)
    mqsc(running, "REFRESH QMGR TYPE(CONFIGEV) OBJECT(QMODEL) INCLINT(0) NAME(NO.SUCH*)")
    nothing(running, CONFIGURATION_QUEUE)


def test_files_of_a_linear_log(tmp_path: Path) -> None:
    linear = Configuration(log=LogConfiguration(file_pages=64, log_type="linear"))
    manager.create("QM2", linear, str(tmp_path))
    with manager.start("QM2", str(tmp_path)) as own:
        mqsc(own, "ALTER QMGR LOGGEREV(ENABLED)", "DEFINE QLOCAL(Q) DEFPSIST(YES)")
        connection = own.connect("program")
        handle = connection.open("Q", MQOO_OUTPUT)
        for _turn in range(40):
            connection.put(handle, MessageDescriptor(persistence=1), bytes(20000))
        reason, values = told(own, LOGGER_QUEUE)
        assert reason == r.MQRC_LOGGER_STATUS
        assert str(values[a.MQCACF_CURRENT_LOG_EXTENT_NAME]).startswith("S")
        assert values[a.MQCACF_RESTART_LOG_EXTENT_NAME]
        assert "QM2" in str(values[a.MQCACF_LOG_PATH])
        connection.disconnect()
