"""What users hold, when it changes, and who is told that somebody was refused."""

import pytest
from tests.support.authorities import admit, grant
from tests.support.hosting import Notes, create, small, start
from tests.support.simdisk import SimDisk

from kew.codes.attributes import (
    MQRQ_CLOSE_NOT_AUTHORIZED,
    MQRQ_CMD_NOT_AUTHORIZED,
    MQRQ_CONN_NOT_AUTHORIZED,
    MQRQ_OPEN_NOT_AUTHORIZED,
)
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_DELETE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOT_Q,
    MQOT_Q_MGR,
    MQOT_TOPIC,
)
from kew.codes.reasons import MQRC_NOT_AUTHORIZED, MQRC_UNKNOWN_OBJECT_NAME
from kew.commands.actions.dispatch import perform
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.parser import parse
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.objects.caller import Caller
from kew.qmgr.assemble import Host
from kew.security.authority import ADMINISTRATORS, MOST_REMEMBERED, POLICIES, SELF, Refused
from kew.security.rights import BROWSE, EVERYTHING, INPUT, NOTHING


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def host(notes: Notes) -> Host:
    made = create(SimDisk(), small(), notes)
    made.administration.define("QLOCAL", "Q1", {})
    made.administration.define("QALIAS", "A1", {"TARGET": "Q1"})
    made.administration.define("QMODEL", "TEMPORARY", {"DEFTYPE": 3})
    made.administration.define("QMODEL", "PERMANENT", {"DEFTYPE": 2})
    return made


def reason(connection: LocalConnection, queue: str, options: int) -> int:
    try:
        connection.close(connection.open(queue, options))
    except MQError as error:
        return error.reason
    return 0


def test_the_process_itself_owns_everything(host: Host) -> None:
    connection = host.connect()
    assert connection.connection.principal == host.authority.owner
    assert reason(connection, "Q1", MQOO_OUTPUT | MQOO_INPUT_SHARED) == 0


def test_who_is_not_known_does_not_connect(host: Host) -> None:
    with pytest.raises(MQError) as caught:
        host.connect("program", "stranger")
    assert caught.value.reason == MQRC_NOT_AUTHORIZED
    assert not host.engine.connections


def test_what_is_given_and_taken_counts_from_then_on(host: Host) -> None:
    grant(host, "ann", MQOT_Q_MGR, SELF, "CONNECT")
    connection = host.connect("program", "ann")
    assert reason(connection, "Q1", MQOO_OUTPUT) == MQRC_NOT_AUTHORIZED
    grant(host, "ann", MQOT_Q, "Q*", "PUT")
    assert reason(connection, "Q1", MQOO_OUTPUT) == 0
    handle = connection.open("Q1", MQOO_OUTPUT)
    grant(host, "ann", MQOT_Q, "Q*", "NONE")
    assert reason(connection, "Q1", MQOO_OUTPUT) == MQRC_NOT_AUTHORIZED
    connection.put(handle, MessageDescriptor(), b"a handle stays what it was opened for")


def test_members_of_the_administrators_hold_everything(host: Host) -> None:
    assert host.authority.held_by_group(ADMINISTRATORS, MQOT_Q, "Q1") == EVERYTHING
    assert host.authority.held_by_group("staff", MQOT_Q, "Q1") == NOTHING


def test_nobody_holds_nothing_whatever_groups_he_is_said_to_be_in(host: Host) -> None:
    class Generous:
        def groups_of(self, _user: str) -> tuple[str, ...]:
            return (ADMINISTRATORS, "staff")

    grant(host, "staff", MQOT_Q, "Q1", "PUT", True)
    host.authority.groups = Generous()
    assert host.authority.held("ann", MQOT_Q, "Q1") == EVERYTHING
    assert host.authority.held("", MQOT_Q, "Q1") == NOTHING


def test_everybody_but_nobody_may_look_for_policies(host: Host) -> None:
    authority = host.authority
    assert authority.held("stranger", MQOT_Q, POLICIES) == BROWSE
    assert authority.held("stranger", MQOT_TOPIC, POLICIES) == NOTHING
    assert authority.held("stranger", MQOT_Q, POLICIES + "X") == NOTHING
    assert authority.held("", MQOT_Q, POLICIES) == NOTHING


def test_records_survive_a_restart() -> None:
    disk = SimDisk()
    host = create(disk, small())
    host.administration.define("QLOCAL", "Q1", {})
    admit(host, "ann", "Q1", "PUT")
    host.stop()
    again = start(disk, small())
    assert reason(again.connect("program", "ann"), "Q1", MQOO_OUTPUT) == 0


def test_an_alias_is_checked_by_its_own_name(host: Host) -> None:
    admit(host, "ann", "A1", "PUT")
    connection = host.connect("program", "ann")
    assert reason(connection, "A1", MQOO_OUTPUT) == 0
    assert reason(connection, "Q1", MQOO_OUTPUT) == MQRC_NOT_AUTHORIZED
    assert reason(connection, "NO.SUCH", MQOO_OUTPUT) == MQRC_UNKNOWN_OBJECT_NAME


@pytest.mark.parametrize("model", ["TEMPORARY", "PERMANENT"])
def test_who_makes_a_dynamic_queue_may_do_everything_with_it(host: Host, model: str) -> None:
    admit(host, "ann", model, "GET,DSP")
    admit(host, "bob", model, "GET,DSP")
    ann, bob = host.connect("program", "ann"), host.connect("program", "bob")
    made = ann.open(model, MQOO_INPUT_SHARED, "MINE.*")
    assert reason(ann, made.name, MQOO_OUTPUT | MQOO_INQUIRE) == 0
    assert reason(bob, made.name, MQOO_OUTPUT) == MQRC_NOT_AUTHORIZED
    ann.close(made, MQCO_DELETE)
    assert reason(ann, made.name, MQOO_OUTPUT) == MQRC_UNKNOWN_OBJECT_NAME


def test_those_who_watch_are_told_who_needs_what(host: Host, notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Refused] = []
    monkeypatch.setattr(host.security_events, "refused", seen.append)
    grant(host, "ann", MQOT_Q_MGR, SELF, "CONNECT,DSP")
    with pytest.raises(MQError):
        host.connect("program", "bob")
    ann = host.connect("program", "ann")
    assert reason(ann, "Q1", MQOO_OUTPUT | MQOO_INPUT_SHARED) == MQRC_NOT_AUTHORIZED
    owner = host.connect()
    made = owner.open("PERMANENT", MQOO_INQUIRE, "P1")
    grant(host, "ann", MQOT_Q, "P1", "INQ")
    with pytest.raises(MQError):
        ann.close(ann.open("P1", MQOO_INQUIRE), MQCO_DELETE)
    owner.close(made)
    reader = CommandReader()
    source = [*reader.feed("CLEAR QLOCAL(Q1)"), *reader.end()][0]
    assert perform(host.commands, parse(source), Caller("ann")).message_id == "AMQ8135E"
    assert [(each.qualifier, each.user, each.name) for each in seen] == [
        (MQRQ_CONN_NOT_AUTHORIZED, "bob", SELF),
        (MQRQ_OPEN_NOT_AUTHORIZED, "ann", "Q1"),
        (MQRQ_CLOSE_NOT_AUTHORIZED, "ann", "P1"),
        (MQRQ_CMD_NOT_AUTHORIZED, "ann", "Q1"),
    ]
    assert seen[1].options == MQOO_OUTPUT | MQOO_INPUT_SHARED
    assert [texts for _numbers, texts in notes.about("AMQ8077W")] == [
        ("bob", SELF, "qmgr", "CONNECT"),
        ("ann", "Q1", "queue", "GET,PUT"),
        ("ann", "P1", "queue", "DLT"),
        ("ann", "Q1", "queue", "CLR"),
    ]


def test_what_is_remembered_has_an_end(host: Host) -> None:
    grant(host, "ann", MQOT_Q, "**", "GET")
    for number in range(MOST_REMEMBERED + 10):
        assert host.authority.allows("ann", MQOT_Q, f"Q{number}", INPUT)
    assert len(host.authority._held) <= MOST_REMEMBERED


def test_a_name_too_long_for_a_message_is_not_cut_to_that_of_another(host: Host) -> None:
    admit(host, "administrator", "Q1")
    connection = host.connect("program", "administrator")
    handle = connection.open("Q1", MQOO_OUTPUT | MQOO_INPUT_SHARED)
    connection.put(handle, MessageDescriptor(), b"x")
    assert connection.get(handle).descriptor.user_identifier == b"UNKNOWN     "
