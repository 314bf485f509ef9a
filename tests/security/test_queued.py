"""Who may do what by queued publish/subscribe: it is the user of the command's message whose authority counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kew.codes import reasons as r
from kew.codes.options import MQRO_NONE
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager
from kew.security.identity import Secret, User, UserFile
from tests.support.queued import CONTROL, STREAM, Program

REGISTER = "MQPSCommand RegSub MQPSQName MINE MQPSTopic"
DEREGISTER = "MQPSCommand DeregSub MQPSQName MINE MQPSTopic"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[QueueManager]:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=256)), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as started:
        host = started.host
        users = [User(name, Secret.of("x", cost=1), ()) for name in ("app", "other")]
        UserFile(host.disk, host.places.users, host.log.owner).write(users)
        host.refresh_users()
        queues = ("REPLIES", "MINE", "THEIRS", "DLQ")
        started.mqsc(*[f"DEFINE QLOCAL({queue})" for queue in queues], "ALTER QMGR DEADQ(DLQ)")
        started.mqsc("DEFINE TOPIC(OPEN) TOPICSTR('open')")
        for user in ("app", "other"):
            allow(started, user, "QMGR", "SELF", "CONNECT")
            for queue in ("SYSTEM.BROKER.CONTROL.QUEUE", "SYSTEM.BROKER.DEFAULT.STREAM"):
                allow(started, user, "QUEUE", queue, "PUT")
            allow(started, user, "QUEUE", "REPLIES", "PUT,GET")
        yield started


def allow(running: QueueManager, user: str, kind: str, profile: str, rights: str) -> None:
    name = "" if kind == "QMGR" else f"PROFILE('{profile}') "
    running.mqsc(f"SET AUTHREC {name}OBJTYPE({kind}) PRINCIPAL('{user}') AUTHADD({rights})")


def test_registering_takes_sub_on_the_topic_and_put_on_the_queue(running: QueueManager) -> None:
    app = Program(running, "app")
    assert app.reason(CONTROL, f"{REGISTER} open/a") == r.MQRCCF_NOT_AUTHORIZED
    allow(running, "app", "TOPIC", "OPEN", "SUB")
    assert app.reason(CONTROL, f"{REGISTER} open/a") == r.MQRCCF_NOT_AUTHORIZED
    allow(running, "app", "QUEUE", "MINE", "PUT,GET")
    assert app.reason(CONTROL, f"{REGISTER} open/a") == 0
    assert app.reason(CONTROL, f"{REGISTER} closed") == r.MQRCCF_NOT_AUTHORIZED
    assert app.reason(CONTROL, "MQPSCommand RegSub MQPSQName THEIRS MQPSTopic open/a") == r.MQRCCF_NOT_AUTHORIZED
    said = app.first(CONTROL, f"{REGISTER} open/b MQPSTopic closed")
    assert (said["MQPSCompCode"], said["MQPSTopic"]) == ("1", "closed")
    assert [each.user for each in running.host.engine.topics.by_name.values() if each.registration] == ["app", "app"]


def test_publishing_takes_pub_on_the_topic(running: QueueManager) -> None:
    app = Program(running, "app")
    assert app.publish("open/a", b"x") == r.MQRCCF_NOT_AUTHORIZED
    assert app.reason(CONTROL, "MQPSCommand RegPub MQPSTopic open/a") == r.MQRCCF_NOT_AUTHORIZED
    allow(running, "app", "TOPIC", "OPEN", "PUB")
    assert app.publish("open/a", b"x", "RetainPub") == 0
    assert app.reason(CONTROL, "MQPSCommand RegPub MQPSTopic open/a") == 0
    assert app.publish("closed", b"x") == r.MQRCCF_NOT_AUTHORIZED
    owner = Program(running)
    assert owner.publish("closed", b"kept", "RetainPub") == 0
    assert app.reason(STREAM, "MQPSCommand DeletePub MQPSTopic closed") == r.MQRCCF_NOT_AUTHORIZED
    assert app.reason(STREAM, "MQPSCommand DeletePub MQPSTopic *") == r.MQRCCF_NOT_AUTHORIZED
    assert running.host.queues.by_name["SYSTEM.RETAINED.PUB.QUEUE"].depth >= 1
    assert owner.reason(STREAM, "MQPSCommand DeletePub MQPSTopic *") == 0
    assert running.host.queues.by_name["SYSTEM.RETAINED.PUB.QUEUE"].depth == 0


def test_a_registration_is_its_users(running: QueueManager) -> None:
    app, other = Program(running, "app"), Program(running, "other")
    for user in ("app", "other"):
        allow(running, user, "TOPIC", "OPEN", "SUB")
        allow(running, user, "QUEUE", "MINE", "PUT")
    assert app.reason(CONTROL, f"{REGISTER} open/a") == 0
    assert other.reason(CONTROL, f"{REGISTER} open/a") == r.MQRCCF_DUPLICATE_IDENTITY
    assert other.reason(CONTROL, f"{DEREGISTER} open/a") == r.MQRCCF_DUPLICATE_IDENTITY
    assert other.reason(CONTROL, f"{DEREGISTER} open/a MQPSRegOpts VariableUserId") == r.MQRCCF_DUPLICATE_IDENTITY
    update = "MQPSCommand ReqUpdate MQPSQName MINE MQPSTopic open/a"
    assert other.reason(CONTROL, update) == r.MQRCCF_DUPLICATE_IDENTITY
    wrong = other.second("<Command>DeregSub</Command><Topic>open/a</Topic><QName>MINE</QName>")
    assert "<Reason>3151</Reason>" in wrong[0]
    assert app.reason(CONTROL, f"{REGISTER} open/a MQPSRegOpts VariableUserId") == 0
    assert other.reason(CONTROL, f"{REGISTER} open/a") == r.MQRCCF_DUPLICATE_IDENTITY
    assert other.reason(CONTROL, f"{REGISTER} open/a MQPSRegOpts VariableUserId") == 0
    running.mqsc("SET AUTHREC PROFILE('OPEN') OBJTYPE(TOPIC) PRINCIPAL('app') AUTHRMV(SUB)")
    assert app.reason(CONTROL, f"{DEREGISTER} open/a MQPSRegOpts VariableUserId") == r.MQRCCF_NOT_AUTHORIZED
    assert other.reason(CONTROL, f"{DEREGISTER} open/a MQPSRegOpts VariableUserId") == 0


def test_replies_go_where_the_one_who_asked_may_put(running: QueueManager) -> None:
    app = Program(running, "app", "THEIRS")
    command = b"not readable".ljust(40)
    app.send(CONTROL, command, b"MQHRF   ", report=MQRO_NONE)
    assert Program(running).get("DLQ").descriptor.user_identifier.strip() == b"app"
    assert running.host.queues.by_name["THEIRS"].depth == 0
