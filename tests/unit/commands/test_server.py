"""The command server as programs meet it: messages in, messages out."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.pcf import WAIT, Administrator, plain, request, text

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes import reasons as r
from kew.codes.errors import NoMessage
from kew.codes.options import (
    MQENC_NORMAL,
    MQFMT_ADMIN,
    MQFMT_DEAD_LETTER_HEADER,
    MQFMT_STRING,
    MQGMO_WAIT,
    MQMT_REPLY,
    MQMT_REQUEST,
    MQOO_INPUT_SHARED,
    MQPER_PERSISTENT,
    MQRO_NAN,
    MQRO_PAN,
    MQRO_PASS_CORREL_ID,
    MQRO_PASS_MSG_ID,
)
from kew.commands.actions.script import Script
from kew.commands.server import ADMIN_QUEUE, TEXT_QUEUE
from kew.formats import mqdlh, pcf
from kew.formats.binary import BIG
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.gets.request import Got
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

PING = request(c.MQCMD_PING_Q_MGR)
BAD = request(c.MQCMD_INQUIRE_Q)


@pytest.fixture
def admin(tmp_path: Path) -> Iterator[Administrator]:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=256)), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        mqsc(running, "DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)", "DEFINE QLOCAL(REPLIES)")
        yield Administrator(running)


def mqsc(running: QueueManager, *lines: str) -> list[str]:
    script = Script(running.host.commands)
    said = [line for batch in script.run(lines) for line in batch]
    assert script.counts.failed == script.counts.syntax_errors == 0, said
    return said


def put(running: QueueManager, descriptor: MessageDescriptor, data: bytes, queue: str = ADMIN_QUEUE) -> None:
    connection = running.connect("sender", "tester")
    connection.put1(queue, descriptor, data)
    connection.disconnect()


def get(running: QueueManager, queue: str, wait: int = WAIT) -> Got:
    connection = running.connect("receiver", "tester")
    handle = connection.open(queue, MQOO_INPUT_SHARED)
    try:
        return connection.get(handle, MQGMO_WAIT, wait)
    finally:
        connection.disconnect()


def eventually(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT / 1000
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_a_request_is_answered_as_programs_expect(admin: Administrator) -> None:
    data = request(c.MQCMD_INQUIRE_Q, text(a.MQCA_Q_NAME, "SYSTEM.DEFAULT.*"), kind=c.MQCFT_COMMAND_XR)
    found = admin.send(data)
    assert len(found) == 5
    for place, got in enumerate(found, 1):
        assert got.descriptor.format == MQFMT_ADMIN
        assert got.descriptor.message_type == MQMT_REPLY
        assert got.descriptor.ccsid == 1208
        assert got.descriptor.user_identifier.rstrip() == b"tester"
        header = pcf.decode(got.data).header
        assert (header.type, header.sequence_number) == (c.MQCFT_RESPONSE, place)
        assert header.control == (c.MQCFC_LAST if place == 5 else c.MQCFC_NOT_LAST)


def test_big_endian_requests_are_answered_in_kind(admin: Administrator) -> None:
    found = admin.send(request(c.MQCMD_PING_Q_MGR, order=BIG))
    assert found[0].descriptor.encoding == MQENC_NORMAL
    assert pcf.message_order(found[0].data) == BIG


def test_ids_and_persistence_of_replies(admin: Administrator) -> None:
    sent = MessageDescriptor(
        format=MQFMT_ADMIN,
        message_type=MQMT_REQUEST,
        persistence=MQPER_PERSISTENT,
        priority=7,
        reply_to_queue=b"REPLIES",
        report=MQRO_PASS_MSG_ID | MQRO_PASS_CORREL_ID,
        message_id=b"m" * 24,
        correlation_id=b"c" * 24,
    )
    put(admin.running, sent, PING)
    reply = get(admin.running, "REPLIES").descriptor
    assert (reply.message_id, reply.correlation_id) == (b"m" * 24, b"c" * 24)
    assert (reply.persistence, reply.priority) == (MQPER_PERSISTENT, 7)
    eventually(lambda: admin.running.host.queues.by_name[ADMIN_QUEUE].uncommitted == 0)
    assert admin.running.host.queues.by_name[ADMIN_QUEUE].depth == 0


@pytest.mark.parametrize(
    ("report", "data", "answered"),
    [
        (0, PING, False),
        (MQRO_PAN, PING, True),
        (MQRO_NAN, PING, False),
        (MQRO_NAN, BAD, True),
        (MQRO_PAN, BAD, False),
    ],
)
def test_datagrams_are_answered_as_their_report_options_ask(
    admin: Administrator, report: int, data: bytes, answered: bool
) -> None:
    put(admin.running, MessageDescriptor(format=MQFMT_ADMIN, report=report, reply_to_queue=b"REPLIES"), data)
    admin.send(PING)  # which is carried out after it
    if answered:
        assert get(admin.running, "REPLIES").descriptor.message_type == MQMT_REPLY
    else:
        with pytest.raises(NoMessage):
            get(admin.running, "REPLIES", 0)


def dead_letter(got: Got) -> mqdlh.DeadLetterHeader:
    assert got.descriptor.format == MQFMT_DEAD_LETTER_HEADER
    return mqdlh.decode(got.data)


def test_what_is_no_command_goes_to_the_dead_letter_queue(admin: Administrator) -> None:
    put(admin.running, MessageDescriptor(format=MQFMT_STRING, reply_to_queue=b"REPLIES"), b"hello")
    got = get(admin.running, "DLQ")
    header = dead_letter(got)
    assert (header.reason, header.destination_queue.rstrip()) == (r.MQRC_FORMAT_ERROR, ADMIN_QUEUE.encode())
    assert got.data[mqdlh.LENGTH :] == b"hello"
    put(admin.running, MessageDescriptor(format=MQFMT_ADMIN, message_type=MQMT_REPLY), PING)
    assert dead_letter(get(admin.running, "DLQ")).reason == r.MQRC_MSG_TYPE_ERROR


def test_replies_that_cannot_be_delivered_go_to_the_dead_letter_queue(admin: Administrator) -> None:
    sent = MessageDescriptor(format=MQFMT_ADMIN, message_type=MQMT_REQUEST, reply_to_queue=b"NO.SUCH.QUEUE")
    put(admin.running, sent, PING)
    got = get(admin.running, "DLQ")
    assert dead_letter(got).reason == r.MQRC_UNKNOWN_OBJECT_NAME
    assert pcf.decode(got.data[mqdlh.LENGTH :]).header.command == c.MQCMD_PING_Q_MGR
    sent = MessageDescriptor(
        format=MQFMT_ADMIN, message_type=MQMT_REQUEST, reply_to_queue=b"Q", reply_to_queue_manager=b"ELSEWHERE"
    )
    put(admin.running, sent, PING)
    assert dead_letter(get(admin.running, "DLQ")).reason == r.MQRC_UNKNOWN_REMOTE_Q_MGR
    assert plain(pcf.decode(admin.send(PING)[0].data)) == {}


def test_a_full_reply_queue_does_not_stop_the_server(admin: Administrator) -> None:
    mqsc(admin.running, "DEFINE QLOCAL(NARROW) MAXDEPTH(1)", "ALTER QLOCAL(DLQ) MAXDEPTH(1)")
    sent = MessageDescriptor(format=MQFMT_ADMIN, message_type=MQMT_REQUEST, reply_to_queue=b"NARROW")
    put(admin.running, sent, request(c.MQCMD_INQUIRE_Q, text(a.MQCA_Q_NAME, "SYSTEM.*")))
    assert len(admin.send(PING)) == 1
    assert dead_letter(get(admin.running, "DLQ")).reason == r.MQRC_Q_FULL


def test_text_on_the_command_input_queue(admin: Administrator) -> None:
    sent = MessageDescriptor(format=MQFMT_STRING, message_type=MQMT_REQUEST)
    found = [got.data.decode() for got in admin.send(b"DISPLAY QLOCAL(REPLIES) MAXDEPTH", TEXT_QUEUE, sent)]
    assert found[0] == "CSQN205I   COUNT=       4, RETURN=00000000, REASON=00000000"
    assert found[1] == "AMQ8409I: Display Queue details."
    sent = MessageDescriptor(format=MQFMT_STRING, message_type=MQMT_REQUEST)
    found = [got.data.decode() for got in admin.send(b"DELETE QLOCAL(NONE)", TEXT_QUEUE, sent)]
    assert found == [
        "CSQN205I   COUNT=       2, RETURN=0000000C, REASON=00000008",
        "AMQ8147E: Kew object NONE not found.",
    ]


def test_extended_replies_on_the_command_input_queue(admin: Administrator) -> None:
    found = admin.send(request(c.MQCMD_PING_Q_MGR, kind=c.MQCFT_COMMAND_XR), TEXT_QUEUE)
    assert [pcf.decode(got.data).header.type for got in found] == [c.MQCFT_XR_SUMMARY]


def test_stop_and_start(admin: Administrator) -> None:
    server = admin.running.host.command_server
    assert "   STATUS(RUNNING)" in mqsc(admin.running, "DISPLAY CMDSERV")
    assert "CMDSERV(RUNNING)" in "".join(mqsc(admin.running, "DISPLAY QMSTATUS CMDSERV"))
    stopped = admin.send(request(c.MQCMD_STOP_CMD_SERVER))
    assert pcf.decode(stopped[0].data).header.reason == 0
    mqsc(admin.running, "STOP CMDSERV")
    assert not server.running
    assert "CMDSERV(STOPPED)" in "".join(mqsc(admin.running, "DISPLAY QMSTATUS CMDSERV"))
    sent = MessageDescriptor(format=MQFMT_ADMIN, message_type=MQMT_REQUEST, reply_to_queue=b"REPLIES")
    put(admin.running, sent, PING)
    assert admin.running.host.queues.by_name[ADMIN_QUEUE].depth == 1
    mqsc(admin.running, "START CMDSERV")
    assert get(admin.running, "REPLIES").descriptor.correlation_id == sent.message_id


def test_it_starts_with_the_queue_manager_only_if_told_so(tmp_path: Path) -> None:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=256)), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        assert running.host.command_server.running
        mqsc(running, "ALTER QMGR SCMDSERV(MANUAL)")
    with manager.start("QM1", str(tmp_path)) as running:
        assert not running.host.command_server.running


def test_a_fault_in_an_action_is_told_and_the_server_goes_on(
    admin: Administrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("kew.commands.pcf.answer.perform", fail)
    put(admin.running, MessageDescriptor(format=MQFMT_ADMIN, message_type=MQMT_REQUEST, reply_to_queue=b"R"), PING)
    assert dead_letter(get(admin.running, "DLQ")).reason == r.MQRC_UNEXPECTED_ERROR
    monkeypatch.undo()
    assert len(admin.send(PING)) == 1
