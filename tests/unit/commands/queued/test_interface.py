"""Queued publish/subscribe as programs meet it: commands in messages, replies and publications on queues."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.network import eventually
from tests.support.queued import CONTROL, SOON, STREAM, Program, first, second

from kew.codes import reasons as r
from kew.codes.errors import NoMessage
from kew.codes.options import (
    MQFMT_DEAD_LETTER_HEADER,
    MQGMO_BROWSE_FIRST,
    MQMT_DATAGRAM,
    MQMT_REPLY,
    MQMT_REPORT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENT,
    MQPMO_RETAIN,
    MQRO_NAN,
    MQRO_PAN,
    MQSO_RESUME,
)
from kew.formats import mqrfh, mqrfh2
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.subscribing.subscribe import SubscriptionRequest
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

ID = b"mine".ljust(24)
REGISTER = "MQPSCommand RegSub MQPSQName SUBSCRIBER MQPSTopic"
DEREGISTER = "MQPSCommand DeregSub MQPSQName SUBSCRIBER MQPSTopic"
SMALL = Configuration(log=LogConfiguration(file_pages=256))


@pytest.fixture
def running(tmp_path: Path) -> Iterator[QueueManager]:
    manager.create("QM1", SMALL, str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as started:
        started.mqsc(
            "DEFINE QLOCAL(DLQ)", "DEFINE QLOCAL(REPLIES)", "DEFINE QLOCAL(SUBSCRIBER)", "ALTER QMGR DEADQ(DLQ)"
        )
        yield started


@pytest.fixture
def program(running: QueueManager) -> Program:
    return Program(running)


def depth(running: QueueManager, queue: str) -> int:
    return running.host.queues.by_name[queue].depth


def subscriptions(running: QueueManager) -> list[str]:
    return [name for name, each in running.host.engine.topics.by_name.items() if each.registration]


def nothing_comes(program: Program, queue: str) -> bool:
    with pytest.raises(NoMessage):
        program.get(queue, wait=SOON)
    return True


# -- publications -----------------------------------------------------------------------------------------------------


def test_a_registrant_gets_what_is_published(program: Program) -> None:
    reply = program.first(CONTROL, f"{REGISTER} sport/*")
    assert reply == {"MQPSCompCode": "0", "MQPSReason": "0", "MQPSReasonText": "MQRC_NONE"}
    text = "OWN 7 MQPSCommand Publish MQPSTopic sport/soccer MQPSPubOpts NoReg MQPSSeqNum 1"
    assert program.first(STREAM, text, b"goal")["MQPSReason"] == "0"
    got = program.get("SUBSCRIBER")
    header = mqrfh.decode(got.data)
    assert got.descriptor.format == mqrfh.FORMAT
    assert header.format == b"MQSTR   "
    said = dict(header.pairs)
    assert said == {"MQPSCommand": "Publish", "MQPSTopic": "sport/soccer", "OWN": "7", "MQPSSeqNum": "1"}
    assert got.data.endswith(b"goal")
    assert got.descriptor.reply_to_queue.strip() == b""
    assert program.reason(CONTROL, f"{DEREGISTER} sport/*") == 0
    program.publish("sport/soccer", b"again")
    assert nothing_comes(program, "SUBSCRIBER")


def test_both_forms_meet_and_the_programs_of_the_interface_of_today(running: QueueManager, program: Program) -> None:
    assert program.first(CONTROL, f"{REGISTER} a/b")["MQPSReason"] == "0"
    ok = ["<pscr><Completion>ok</Completion></pscr>"]
    running.mqsc("DEFINE QLOCAL(SECOND)")
    assert program.second("<Command>RegSub</Command><Topic>a/+</Topic><QName>SECOND</QName>") == ok
    running.mqsc("DEFINE QLOCAL(THIRD)", "DEFINE SUB(S) TOPICSTR('a/#') DEST(THIRD)")
    assert program.second("<Command>Publish</Command><Topic>a/b</Topic><OWN>1</OWN>", STREAM, b"one") == ok
    assert dict(mqrfh.decode(program.get("SUBSCRIBER").data).pairs)["OWN"] == "1"
    folder = "<psc><Command>Publish</Command><Topic>a/b</Topic><OWN>1</OWN></psc>"
    assert mqrfh2.decode(program.get("SECOND").data).folders == [folder]
    assert program.get("THIRD").data.endswith(b"one")
    program.connection.publish("", "a/b", MessageDescriptor(format=b"MQSTR   "), b"two")
    assert program.get("SUBSCRIBER").data.endswith(b"two")
    assert program.get("SECOND").data.endswith(b"two")


def test_a_publication_on_several_topics(program: Program) -> None:
    program.first(CONTROL, f"{REGISTER} *")
    text = "MQPSCommand Publish MQPSTopic a MQPSTopic b* MQPSTopic c"
    said = program.first(STREAM, text, b"x")
    assert (said["MQPSCompCode"], said["MQPSReason"], said["MQPSTopic"]) == ("1", "3072", "b*")
    assert [dict(mqrfh.decode(program.get("SUBSCRIBER").data).pairs)["MQPSTopic"] for _ in range(2)] == ["a", "c"]


def test_a_publisher_that_is_not_to_get_its_own(program: Program) -> None:
    register = f"{REGISTER} own MQPSRegOpts CorrelAsId"
    assert program.reason(CONTROL, register, correlation_id=ID) == 0
    text = "MQPSCommand Publish MQPSTopic own MQPSQName SUBSCRIBER MQPSPubOpts"
    assert program.reason(STREAM, f"{text} OtherSubsOnly MQPSPubOpts CorrelAsId", correlation_id=ID) == 0
    assert nothing_comes(program, "SUBSCRIBER")
    assert program.reason(STREAM, f"{text} NoReg", correlation_id=ID) == 0
    assert program.get("SUBSCRIBER").descriptor.correlation_id == ID


@pytest.mark.parametrize(
    ("option", "published", "expected"),
    [("NonPers", 1, 0), ("Pers", 0, 1), ("PersAsPub", 1, 1), ("PersAsQueue", 0, 1), ("None", 0, 0)],
)
def test_persistence_as_registered(
    running: QueueManager, program: Program, option: str, published: int, expected: int
) -> None:
    running.mqsc("ALTER QLOCAL(SUBSCRIBER) DEFPSIST(YES)")
    assert program.reason(CONTROL, f"{REGISTER} p MQPSRegOpts {option}") == 0
    program.publish("p", b"x" * 5000, persistence=published)
    assert program.get("SUBSCRIBER").descriptor.persistence == expected


def test_retained_publications(running: QueueManager, program: Program) -> None:
    text = "OWN 7 MQPSCommand Publish MQPSTopic kept/a MQPSPubOpts RetainPub"
    assert program.first(STREAM, text, b"kept")["MQPSReason"] == "0"
    assert program.reason(CONTROL, f"{REGISTER} kept/* MQPSRegOpts InformIfRet") == 0
    said = dict(mqrfh.decode(program.get("SUBSCRIBER").data).pairs)
    assert (said["MQPSPubOpts"], said["OWN"]) == ("IsRetainedPub", "7")
    assert program.reason(CONTROL, f"{REGISTER} kept/*") == 0  # who registers again is sent it again
    assert "MQPSPubOpts" not in dict(mqrfh.decode(program.get("SUBSCRIBER").data).pairs)
    assert program.reason(CONTROL, f"{REGISTER} kept/* MQPSRegOpts PubOnReqOnly") == 0
    program.publish("kept/b", b"missed")
    assert nothing_comes(program, "SUBSCRIBER")
    update = "MQPSCommand ReqUpdate MQPSQName SUBSCRIBER MQPSTopic"
    assert program.reason(CONTROL, f"{update} kept/*") == 0
    assert program.get("SUBSCRIBER").data.endswith(b"kept")
    assert program.reason(CONTROL, f"{update} kept/+") == r.MQRCCF_NOT_REGISTERED
    assert program.reason(STREAM, "MQPSCommand DeletePub MQPSTopic kept/*") == 0
    assert program.reason(CONTROL, f"{update} kept/*") == r.MQRCCF_NO_RETAINED_MSG
    assert depth(running, "SYSTEM.RETAINED.PUB.QUEUE") == 0
    program.connection.publish("", "kept/c", MessageDescriptor(), b"x", MQPMO_RETAIN)
    assert program.reason(STREAM, "MQPSCommand DeletePub MQPSTopic kept/c MQPSDelOpts Local") == 0
    assert depth(running, "SYSTEM.RETAINED.PUB.QUEUE") == 0


def test_publishers_need_not_be_known(program: Program) -> None:
    for command in ("RegPub MQPSTopic a", "DeregPub MQPSTopic a", "DeregPub MQPSRegOpts DeregAll"):
        assert program.reason(CONTROL, f"MQPSCommand {command}") == 0


def test_streams_are_topics_below_one(running: QueueManager, program: Program) -> None:
    running.mqsc(
        "DEFINE QLOCAL(SPORT)",
        "DEFINE TOPIC(SPORT) TOPICSTR('world/sport')",
        "ALTER NAMELIST(SYSTEM.QPUBSUB.QUEUE.NAMELIST) NAMES(SYSTEM.BROKER.DEFAULT.STREAM,SPORT)",
    )
    assert eventually(lambda: sorted(running.host.queued.serving) == ["SPORT", CONTROL, STREAM])
    register = f"{REGISTER} soccer MQPSStreamName SPORT MQPSRegOpts InclStreamName"
    assert program.reason(CONTROL, register) == 0
    assert program.reason("SPORT", "MQPSCommand Publish MQPSTopic soccer") == 0
    said = dict(mqrfh.decode(program.get("SUBSCRIBER").data).pairs)
    assert (said["MQPSTopic"], said["MQPSStreamName"]) == ("soccer", "SPORT")
    program.connection.publish("", "world/sport/soccer", MessageDescriptor(), b"x")
    assert dict(mqrfh.decode(program.get("SUBSCRIBER").data).pairs)["MQPSTopic"] == "soccer"
    for queue, name, reason in (
        (CONTROL, "NO.SUCH", r.MQRCCF_UNKNOWN_STREAM),
        (CONTROL, "X" * 49, r.MQRCCF_STREAM_ERROR),
        ("SPORT", STREAM, r.MQRCCF_INCORRECT_STREAM),
    ):
        command = "RegSub MQPSQName SUBSCRIBER" if queue == CONTROL else "Publish"
        assert program.reason(queue, f"MQPSCommand {command} MQPSTopic t MQPSStreamName {name}") == reason


# -- registrations ----------------------------------------------------------------------------------------------------


def test_what_a_registration_lacks_or_has_too_much_of(running: QueueManager, program: Program) -> None:
    register = "MQPSCommand RegSub MQPSQName SUBSCRIBER"
    for text, reason in (
        (register, r.MQRC_RFH_PARM_MISSING),
        (f'{register} MQPSTopic ""', r.MQRCCF_TOPIC_ERROR),
        (f"{register} MQPSTopic a% MQPSRegOpts None", r.MQRCCF_TOPIC_ERROR),
        (f"{register} MQPSTopic a MQPSRegOpts CorrelAsId", r.MQRCCF_CORREL_ID_ERROR),
        (f"{register} MQPSTopic a MQPSCorrelId XYZ", r.MQRCCF_CORREL_ID_ERROR),
        (f"{register} MQPSTopic a MQPSRegOpts DeregAll", r.MQRCCF_REG_OPTIONS_ERROR),
        (f"{register} MQPSTopic a MQPSRegOpts Pers MQPSRegOpts NonPers", r.MQRCCF_REG_OPTIONS_ERROR),
        (f"{register} MQPSTopic a MQPSRegOpts AddName", r.MQRCCF_REG_OPTIONS_ERROR),
        (f"{register} MQPSTopic a MQPSRegOpts JoinShared", r.MQRCCF_REG_OPTIONS_ERROR),
        (f"{register} MQPSTopic a MQPSTopic b MQPSRegOpts FullResp", r.MQRCCF_REG_OPTIONS_ERROR),
        (f'{register} MQPSTopic a MQPSSubName ""', r.MQRCCF_SUB_NAME_ERROR),
        (f"{register} MQPSTopic a MQPSTopic b MQPSSubName N", r.MQRCCF_SUB_NAME_ERROR),
        (f"{register} MQPSTopic a MQPSSubIdentity me", r.MQRCCF_SUB_IDENTITY_ERROR),
        (f"{register} MQPSTopic a MQPSSubUserData {'x' * 10241}", r.MQRC_SUB_USER_DATA_ERROR),
        ("MQPSCommand RegSub MQPSTopic a MQPSQName NO.SUCH", r.MQRCCF_Q_NAME_ERROR),
        ("MQPSCommand RegSub MQPSTopic a MQPSQName SYSTEM.DEFAULT.MODEL.QUEUE", r.MQRCCF_Q_NAME_ERROR),
        ("MQPSCommand RegSub MQPSTopic a MQPSQName Q MQPSQMgrName FAR", r.MQRCCF_Q_MGR_NAME_ERROR),
        ("MQPSCommand Publish MQPSTopic a", r.MQRCCF_INCORRECT_Q),
        ("MQPSCommand DeregSub MQPSQName SUBSCRIBER MQPSTopic a", r.MQRCCF_NOT_REGISTERED),
        ("MQPSCommand DeregSub MQPSQName SUBSCRIBER", r.MQRC_RFH_PARM_MISSING),
        ("MQPSCommand DeregSub MQPSQName SUBSCRIBER MQPSRegOpts DeregAll", r.MQRCCF_NOT_REGISTERED),
        ("MQPSCommand DeregSub MQPSTopic a MQPSRegOpts LeaveOnly", r.MQRCCF_REG_OPTIONS_ERROR),
        ("MQPSCommand DeregSub MQPSTopic a MQPSRegOpts DeregAll", r.MQRCCF_REG_OPTIONS_ERROR),
        ("MQPSCommand ReqUpdate MQPSQName SUBSCRIBER", r.MQRC_RFH_PARM_MISSING),
        ("MQPSCommand ReqUpdate MQPSQName SUBSCRIBER MQPSTopic a MQPSTopic b", r.MQRCCF_TOPIC_ERROR),
    ):
        assert program.reason(CONTROL, text) == reason, text
    assert program.reason(STREAM, "MQPSCommand Publish") == r.MQRC_RFH_PARM_MISSING
    assert program.reason(STREAM, "MQPSCommand RegSub MQPSTopic a") == r.MQRCCF_INCORRECT_Q
    wrong = program.second("<Command>RegSub</Command><Topic>a</Topic><Filter>a = = b</Filter><QName>SUBSCRIBER</QName>")
    assert wrong[0] == (
        "<pscr><Completion>error</Completion><Response><Reason>3150</Reason><Topic>a</Topic></Response></pscr>"
    )
    assert subscriptions(running) == []


def test_a_filter(program: Program) -> None:
    register = "<Command>RegSub</Command><Topic>f</Topic><QName>SUBSCRIBER</QName><Filter>colour = 'red'</Filter>"
    program.second(register)
    for colour in ("red", "blue"):
        header = mqrfh2.RulesHeader(546, 1208, b"MQSTR   ")
        header.folders = [
            "<psc><Command>Publish</Command><Topic>f</Topic></psc>",
            f"<usr><colour>{colour}</colour></usr>",
        ]
        program.send(STREAM, mqrfh2.encode(header) + colour.encode(), b"MQHRF2  ", kind=MQMT_DATAGRAM)
    assert program.get("SUBSCRIBER").data.endswith(b"red")
    assert nothing_comes(program, "SUBSCRIBER")


def test_all_of_a_registrant_end_together(running: QueueManager, program: Program) -> None:
    text = "MQPSCommand RegSub MQPSQName SUBSCRIBER MQPSTopic a MQPSTopic b MQPSRegOpts CorrelAsId"
    assert program.reason(CONTROL, text, correlation_id=ID) == 0
    assert program.reason(CONTROL, f"{REGISTER} a") == 0  # another, without the correlation id
    assert len(subscriptions(running)) == 3
    end = "MQPSCommand DeregSub MQPSQName SUBSCRIBER MQPSRegOpts DeregAll MQPSRegOpts CorrelAsId"
    assert program.reason(CONTROL, end, correlation_id=ID) == 0
    assert len(subscriptions(running)) == 1


def test_a_full_response_tells_what_the_subscription_is_like(program: Program) -> None:
    register = f"{REGISTER} t MQPSRegOpts FullResp MQPSRegOpts CorrelAsId MQPSSubName N MQPSSubUserData mine"
    said = program.first(CONTROL, register, correlation_id=ID)
    assert said["MQPSTopic"] == "t"
    assert (said["MQPSQMgrName"], said["MQPSQName"]) == ("QM1", "SUBSCRIBER")
    assert (said["MQPSCorrelId"], said["MQPSRegOpts"]) == (ID.hex().upper(), "1")
    assert (said["MQPSSubName"], said["MQPSSubUserData"]) == ("N", "mine")
    ask = (
        "<Command>RegSub</Command><Topic>t</Topic><SubName>N</SubName><RegOpt>NoAlter</RegOpt><RegOpt>FullResp</RegOpt>"
    )
    folders = program.second(ask)
    assert folders[0] == "<pscr><Completion>ok</Completion></pscr>"
    assert "<SubUserData>mine</SubUserData>" in folders[1]
    assert f"<CorrelId>{ID.hex().upper()}</CorrelId>" in folders[1]


def test_subscriptions_with_names(running: QueueManager, program: Program) -> None:
    assert program.reason(CONTROL, f"{REGISTER} t") == 0
    assert program.reason(CONTROL, f"{REGISTER} t MQPSSubName N") == r.MQRCCF_DUPLICATE_SUBSCRIPTION
    assert program.reason(CONTROL, f"{REGISTER} t MQPSSubName N MQPSRegOpts AddName") == 0
    assert subscriptions(running) == ["N"]
    assert program.reason(CONTROL, f"{REGISTER} t MQPSSubName M MQPSRegOpts AddName") == r.MQRCCF_DUPLICATE_SUBSCRIPTION
    assert program.reason(CONTROL, f"{REGISTER} u MQPSSubName N") == r.MQRCCF_DUPLICATE_SUBSCRIPTION
    running.mqsc("DEFINE SUB(ADMIN) TOPICSTR(t) DEST(REPLIES)")
    assert program.reason(CONTROL, f"{REGISTER} u MQPSSubName ADMIN") == r.MQRCCF_DUPLICATE_SUBSCRIPTION
    program.publish("t", b"x")
    assert program.get("SUBSCRIBER").data.endswith(b"x")
    assert program.reason(CONTROL, "MQPSCommand DeregSub MQPSSubName N") == 0
    assert program.reason(CONTROL, "MQPSCommand DeregSub MQPSSubName N") == r.MQRCCF_NOT_REGISTERED
    assert program.reason(CONTROL, "MQPSCommand DeregSub MQPSSubName ADMIN") == r.MQRCCF_NOT_REGISTERED


def test_subscriptions_that_several_join(running: QueueManager, program: Program) -> None:
    register, leave = f"{REGISTER} t MQPSSubName N", "MQPSCommand DeregSub MQPSSubName N"

    def join(identity: str, how: str) -> int:
        return program.reason(CONTROL, f"{register} MQPSSubIdentity {identity} MQPSRegOpts {how}")

    assert join("one", "JoinShared") == 0
    assert join("one", "JoinShared") == r.MQRCCF_ALREADY_JOINED
    assert join("two", "JoinShared") == 0
    assert join("two", "JoinExcl") == r.MQRCCF_SUBSCRIPTION_IN_USE
    assert program.reason(CONTROL, leave) == r.MQRCCF_SUBSCRIPTION_IN_USE
    assert program.reason(CONTROL, f"{leave} MQPSSubIdentity three") == r.MQRCCF_SUB_IDENTITY_ERROR
    assert program.reason(CONTROL, f"{leave} MQPSSubIdentity two") == 0
    assert join("one", "JoinExcl") == 0
    assert join("two", "JoinShared") == r.MQRCCF_SUBSCRIPTION_LOCKED
    assert program.reason(CONTROL, register) == r.MQRCCF_SUBSCRIPTION_LOCKED
    assert program.reason(CONTROL, leave) == r.MQRCCF_SUBSCRIPTION_LOCKED
    assert program.reason(CONTROL, f"{leave} MQPSSubIdentity one MQPSRegOpts LeaveOnly") == 0
    assert subscriptions(running) == ["N"]
    assert join("two", "JoinShared") == 0
    assert program.reason(CONTROL, f"{leave} MQPSSubIdentity two") == 0
    assert subscriptions(running) == []


def test_one_that_is_only_joined_stays_as_it_is(running: QueueManager, program: Program) -> None:
    assert program.reason(CONTROL, f"{REGISTER} t MQPSSubName N") == 0
    join = "MQPSCommand RegSub MQPSTopic Unknown MQPSSubName N MQPSSubIdentity me MQPSRegOpts JoinExcl"
    assert program.reason(CONTROL, f"{join} MQPSRegOpts NoAlter") == 0
    assert running.host.engine.topics.by_name["N"].topic == "t"
    assert running.host.engine.topics.by_name["N"].destination == "SUBSCRIBER"


def test_one_that_a_program_has_open_is_left_alone(running: QueueManager, program: Program) -> None:
    assert program.reason(CONTROL, f"{REGISTER} t MQPSSubName N MQPSRegOpts VariableUserId") == 0
    opened = program.connection.subscribe(SubscriptionRequest(MQSO_RESUME, name="N"))
    assert program.reason(CONTROL, f"{REGISTER} t MQPSSubName N") == r.MQRCCF_SUBSCRIPTION_IN_USE
    assert program.reason(CONTROL, "MQPSCommand DeregSub MQPSSubName N") == r.MQRCCF_SUBSCRIPTION_IN_USE
    program.connection.close(opened.handle)
    running.mqsc("ALTER SUB(N) USERDATA('altered')")
    assert program.reason(CONTROL, "MQPSCommand DeregSub MQPSSubName N") == 0


def test_a_temporary_queue_takes_its_registrations_along(running: QueueManager, program: Program) -> None:
    handle = program.connection.open("SYSTEM.DEFAULT.MODEL.QUEUE", MQOO_INPUT_SHARED | MQOO_OUTPUT, "TEMP.*")
    assert program.reason(CONTROL, f"MQPSCommand RegSub MQPSQName {handle.name} MQPSTopic t") == 0
    assert len(subscriptions(running)) == 1
    program.connection.close(handle)
    assert subscriptions(running) == []


# -- commands and their replies ---------------------------------------------------------------------------------------


def test_who_is_answered(running: QueueManager, program: Program) -> None:
    good, bad = first("MQPSCommand Publish MQPSTopic a"), first("MQPSCommand Publish")
    for data, report, answered in (
        (good, MQRO_PAN, True),
        (good, MQRO_NAN, False),
        (bad, MQRO_NAN, True),
        (bad, MQRO_PAN, False),
    ):
        sent = program.send(STREAM, data, mqrfh.FORMAT, kind=MQMT_DATAGRAM, report=report)
        if answered:
            reply = program.get("REPLIES", sent)
            assert reply.descriptor.message_type == MQMT_REPLY
    program.publish("a", b"last")  # so that all before it are done
    assert depth(running, "REPLIES") == 0
    assert depth(running, "DLQ") == 0


def test_what_was_said_goes_back_with_a_refusal(program: Program) -> None:
    sent = program.send(STREAM, first("MQPSCommand Publish", b"body"), mqrfh.FORMAT)
    assert program.get("REPLIES", sent).data.endswith(b"MQPSCommand Publish")
    sent = program.send(STREAM, b"RFH \1\0\0\0", mqrfh.FORMAT)
    assert dict(mqrfh.decode(program.get("REPLIES", sent).data).pairs)["MQPSReason"] == str(r.MQRC_RFH_ERROR)


def test_what_is_no_command(running: QueueManager, program: Program) -> None:
    for persistence in (MQPER_NOT_PERSISTENT, MQPER_PERSISTENT):
        program.send(STREAM, b"hello", b"MQSTR   ", persistence=persistence)
    program.send(STREAM, first("MQPSCommand Publish MQPSTopic a"), mqrfh.FORMAT, persistence=1, kind=MQMT_REPORT)
    buried = [program.get("DLQ") for _ in range(2)]
    assert [each.descriptor.format for each in buried] == [MQFMT_DEAD_LETTER_HEADER] * 2
    assert buried[0].data.endswith(b"hello")
    assert depth(running, "DLQ") == 0


def test_a_reply_that_cannot_be_given(running: QueueManager, program: Program) -> None:
    data = first("MQPSCommand Publish MQPSTopic a")
    running.mqsc("DEFINE QLOCAL(LOST)")
    shut = Program(running, replies="LOST")
    running.mqsc("ALTER QLOCAL(LOST) PUT(DISABLED)")
    shut.send(STREAM, data, mqrfh.FORMAT)
    assert program.get("DLQ").descriptor.format == MQFMT_DEAD_LETTER_HEADER  # PSNPRES(NORMAL)
    running.mqsc("ALTER QMGR PSNPRES(DISCARD)")
    shut.send(STREAM, data, mqrfh.FORMAT)
    program.publish("a", b"last")
    assert (depth(running, "DLQ"), depth(running, STREAM)) == (0, 0)
    running.mqsc("ALTER QMGR PSNPRES(KEEP)")
    program.publish("a", b"last")  # the get that waited did so before the change
    shut.send(STREAM, data, mqrfh.FORMAT)
    assert eventually(lambda: was_backed_out(program))
    running.mqsc("ALTER QLOCAL(LOST) PUT(ENABLED)")
    assert program.get("LOST").descriptor.message_type == MQMT_REPLY


def was_backed_out(program: Program) -> bool:
    """Whether a command is back on the queue of the stream, to be tried again."""
    handle = program.connection.open(STREAM, MQOO_BROWSE)
    try:
        return program.connection.get(handle, MQGMO_BROWSE_FIRST).descriptor.backout_count > 0
    except NoMessage:
        return False
    finally:
        program.connection.close(handle)


def test_a_publication_that_cannot_be_delivered(running: QueueManager, program: Program) -> None:
    program.first(CONTROL, f"{REGISTER} t")
    running.mqsc("ALTER QMGR DEADQ(' ') PSRTYCNT(1)", "ALTER QLOCAL(SUBSCRIBER) PUT(DISABLED)")
    assert program.publish("t", b"x") == 0  # a non-persistent one need not reach everybody
    running.mqsc("ALTER QMGR DEADQ(DLQ)", "ALTER TOPIC(SYSTEM.BASE.TOPIC) USEDLQ(NO)")
    assert program.publish("t", b"x", persistence=MQPER_PERSISTENT) == r.MQRC_PUBLICATION_FAILURE
    assert program.get("DLQ").data.endswith(b"x")  # the command, with what it was to publish


def test_a_publication_that_can_be_delivered_at_last(running: QueueManager, program: Program) -> None:
    program.first(CONTROL, f"{REGISTER} t")
    running.mqsc("ALTER TOPIC(SYSTEM.BASE.TOPIC) USEDLQ(NO)", "ALTER QLOCAL(SUBSCRIBER) PUT(DISABLED)")
    sent = program.send(STREAM, first("MQPSCommand Publish MQPSTopic t", b"x"), mqrfh.FORMAT, persistence=1)
    assert eventually(lambda: was_backed_out(program))
    running.mqsc("ALTER QLOCAL(SUBSCRIBER) PUT(ENABLED)")
    assert dict(mqrfh.decode(program.get("REPLIES", sent).data).pairs)["MQPSReason"] == "0"
    assert program.get("SUBSCRIBER").data.endswith(b"x")
    assert nothing_comes(program, "SUBSCRIBER")


# -- life -------------------------------------------------------------------------------------------------------------


def test_psmode(running: QueueManager, program: Program) -> None:
    assert sorted(running.host.queued.serving) == ["SYSTEM.BROKER.ADMIN.STREAM", CONTROL, STREAM]
    running.mqsc("ALTER QMGR PSMODE(COMPAT)")
    assert "STATUS(COMPAT)" in running.mqsc("DISPLAY PUBSUB")
    assert eventually(lambda: not running.host.queued.serving)
    sent = program.send(STREAM, first("MQPSCommand Publish MQPSTopic t"), mqrfh.FORMAT)
    program.connection.publish("", "t", MessageDescriptor(), b"programs of today go on")
    assert depth(running, STREAM) == 1
    running.mqsc("ALTER QMGR PSMODE(ENABLED)")
    assert "STATUS(ACTIVE)" in running.mqsc("DISPLAY PUBSUB")
    assert program.get("REPLIES", sent).descriptor.message_type == MQMT_REPLY
    running.mqsc("ALTER QMGR PSMODE(DISABLED)")
    assert "STATUS(INACTIVE)" in running.mqsc("DISPLAY PUBSUB")


def test_registrations_and_commands_outlive_a_restart(tmp_path: Path) -> None:
    manager.create("QM1", SMALL, str(tmp_path))
    register = f"{REGISTER} kept/* MQPSSubName N MQPSSubIdentity me MQPSRegOpts JoinExcl MQPSRegOpts NonPers"
    with manager.start("QM1", str(tmp_path)) as running:
        running.mqsc("DEFINE QLOCAL(REPLIES)", "DEFINE QLOCAL(SUBSCRIBER)")
        program = Program(running)
        assert program.reason(CONTROL, register) == 0
        running.mqsc("ALTER QMGR PSMODE(COMPAT)")
        assert eventually(lambda: not running.host.queued.serving)
        command = first("MQPSCommand Publish MQPSTopic kept/a", b"late")
        program.send(STREAM, command, mqrfh.FORMAT, persistence=MQPER_PERSISTENT)
    with manager.start("QM1", str(tmp_path)) as running:
        running.mqsc("ALTER QMGR PSMODE(ENABLED)")
        program = Program(running)
        got = program.get("SUBSCRIBER")
        assert got.data.endswith(b"late")
        assert got.descriptor.persistence == MQPER_NOT_PERSISTENT
        assert nothing_comes(program, "SUBSCRIBER")
        assert program.reason(CONTROL, f"{REGISTER} kept/* MQPSSubName N") == r.MQRCCF_SUBSCRIPTION_LOCKED
        assert program.reason(CONTROL, "MQPSCommand DeregSub MQPSSubName N MQPSSubIdentity me") == 0


def test_a_queue_that_cannot_be_read_is_served_again_on_request(running: QueueManager, program: Program) -> None:
    running.mqsc(f"ALTER QLOCAL({STREAM}) GET(DISABLED)")
    assert eventually(lambda: STREAM not in running.host.queued.serving)
    running.mqsc(f"ALTER QLOCAL({STREAM}) GET(ENABLED)", "ALTER QMGR PSMODE(ENABLED)")
    assert program.publish("t", b"x") == 0


def test_a_point_to_which_others_subscribe(running: QueueManager, program: Program) -> None:
    running.mqsc(
        "DEFINE TOPIC(POINT) TOPICSTR('point')",
        "ALTER NAMELIST(SYSTEM.QPUBSUB.SUBPOINT.NAMELIST) NAMES(SYSTEM.BROKER.DEFAULT.SUBPOINT,POINT)",
    )
    register = "<Command>RegSub</Command><Topic>t</Topic><QName>SUBSCRIBER</QName><SubPoint>{}</SubPoint>"
    assert program.second(register.format("point")) == ["<pscr><Completion>ok</Completion></pscr>"]
    assert "<Reason>2337</Reason>" in program.second(register.format("nowhere"))[0]
    program.connection.publish("", "point/t", MessageDescriptor(), b"x")
    assert "<Topic>t</Topic>" in mqrfh2.decode(program.get("SUBSCRIBER").data).folders[0]
    program.send(STREAM, second("<Command>Publish</Command><Topic>t</Topic>"), b"MQHRF2  ", kind=MQMT_DATAGRAM)
    assert nothing_comes(program, "SUBSCRIBER")
