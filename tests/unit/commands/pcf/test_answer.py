"""PCF commands: what they do and how they are answered, right or wrong."""

from collections.abc import Iterator

import pytest
from tests.support.pcf import Administrator, plain, request, text

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes import reasons as r
from kew.codes.completion import MQCC_FAILED, MQCC_OK
from kew.commands.actions.outcome import Shown
from kew.commands.mqsc.grammar import all_commands
from kew.commands.pcf.replies import parameters_of
from kew.commands.pcf.tables import COMMANDS, COPIES, NAMES
from kew.formats import pcf
from kew.formats.binary import BIG
from kew.objects.caller import Caller
from kew.objects.schema import object_type
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration

LOCAL = pcf.Integer(a.MQIA_Q_TYPE, a.MQQT_LOCAL)


@pytest.fixture(scope="module")
def admin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Administrator]:
    data = str(tmp_path_factory.mktemp("data"))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=256)), data)
    with manager.start("QM1", data) as running:
        yield Administrator(running)


def queue(name: str) -> pcf.String:
    return text(a.MQCA_Q_NAME, name)


def create(admin: Administrator, name: str, *parameters: pcf.Parameter) -> int:
    return admin.ask(c.MQCMD_CREATE_Q, queue(name), LOCAL, *parameters).reason


def test_every_command_with_a_number_can_be_asked() -> None:
    for spec in all_commands():
        if spec.pcf:
            assert spec in COMMANDS[spec.pcf]
    for number in [*COPIES, *NAMES]:
        assert number not in COMMANDS
        assert (COPIES.get(number) or NAMES[number])[0] in COMMANDS


def test_ping(admin: Administrator) -> None:
    asked = admin.ask(c.MQCMD_PING_Q_MGR)
    header = asked.messages[0].header
    assert len(asked.messages) == 1
    assert (header.type, header.command, header.sequence_number, header.control) == (
        c.MQCFT_RESPONSE,
        c.MQCMD_PING_Q_MGR,
        1,
        c.MQCFC_LAST,
    )
    assert (header.completion, header.reason) == (MQCC_OK, r.MQRC_NONE)
    assert asked.messages[0].parameters == []


def test_create_change_copy_inquire_delete(admin: Administrator) -> None:
    assert create(admin, "CYCLE.A", pcf.Integer(a.MQIA_MAX_Q_DEPTH, 77)) == 0
    change = admin.ask(c.MQCMD_CHANGE_Q, queue("CYCLE.A"), LOCAL, text(a.MQCA_Q_DESC, "changed"))
    assert change.reason == 0
    copy = admin.ask(c.MQCMD_COPY_Q, text(a.MQCACF_FROM_Q_NAME, "CYCLE.A"), text(a.MQCACF_TO_Q_NAME, "CYCLE.B"), LOCAL)
    assert copy.reason == 0
    found = admin.ask(c.MQCMD_INQUIRE_Q, queue("CYCLE.*"))
    assert [message.header.sequence_number for message in found.messages] == [1, 2]
    assert [message.header.control for message in found.messages] == [c.MQCFC_NOT_LAST, c.MQCFC_LAST]
    for name, one in zip(("CYCLE.A", "CYCLE.B"), found.objects(), strict=True):
        assert one[a.MQCA_Q_NAME] == name
        assert one[a.MQIA_Q_TYPE] == a.MQQT_LOCAL
        assert one[a.MQIA_MAX_Q_DEPTH] == 77
        assert one[a.MQCA_Q_DESC] == "changed"
        assert one[a.MQIA_CURRENT_Q_DEPTH] == 0
    assert admin.ask(c.MQCMD_DELETE_Q, queue("CYCLE.B")).reason == 0
    assert admin.ask(c.MQCMD_DELETE_Q, queue("CYCLE.A"), LOCAL).reason == 0
    assert admin.ask(c.MQCMD_INQUIRE_Q, queue("CYCLE.*")).reason == r.MQRC_UNKNOWN_OBJECT_NAME


def test_strings_fill_their_fields(admin: Administrator) -> None:
    name = admin.ask(c.MQCMD_INQUIRE_Q_MGR).messages[0].parameters[0]
    assert name == pcf.String(a.MQCA_Q_MGR_NAME, b"QM1".ljust(48), 1208)


def test_only_what_is_asked_for_is_shown(admin: Administrator) -> None:
    wanted = pcf.IntegerList(a.MQIACF_Q_ATTRS, [a.MQCA_Q_NAME, a.MQIA_CURRENT_Q_DEPTH])
    found = admin.ask(c.MQCMD_INQUIRE_Q, queue("SYSTEM.DEFAULT.LOCAL.QUEUE"), wanted).objects()
    assert [set(one) for one in found] == [{a.MQCA_Q_NAME, a.MQIA_Q_TYPE, a.MQIA_CURRENT_Q_DEPTH}]
    events = admin.ask(c.MQCMD_INQUIRE_Q_MGR, pcf.IntegerList(a.MQIACF_Q_MGR_ATTRS, [a.MQIACF_Q_MGR_EVENT]))
    shown = events.objects()[0]
    assert a.MQIA_AUTHORITY_EVENT in shown
    assert a.MQIA_MAX_HANDLES not in shown


def test_filters(admin: Administrator) -> None:
    create(admin, "FILTER.A", pcf.Integer(a.MQIA_MAX_Q_DEPTH, 5))
    create(admin, "FILTER.B", pcf.Integer(a.MQIA_MAX_Q_DEPTH, 6), text(a.MQCA_Q_DESC, "of interest"))

    def names(condition: pcf.Parameter) -> list[object]:
        return [one.get(a.MQCA_Q_NAME) for one in admin.ask(c.MQCMD_INQUIRE_Q, queue("FILTER.*"), condition).objects()]

    assert names(pcf.IntegerFilter(a.MQIA_MAX_Q_DEPTH, c.MQCFOP_GREATER, 5)) == ["FILTER.B"]
    assert names(pcf.IntegerFilter(a.MQIA_MAX_Q_DEPTH, c.MQCFOP_NOT_GREATER, 5)) == ["FILTER.A"]
    assert names(pcf.StringFilter(a.MQCA_Q_DESC, c.MQCFOP_LIKE, b"of*")) == ["FILTER.B"]
    assert names(pcf.StringFilter(a.MQCA_Q_DESC, c.MQCFOP_NOT_LIKE, b"of*")) == ["FILTER.A"]
    assert names(pcf.StringFilter(a.MQCA_Q_NAME, c.MQCFOP_EQUAL, b"FILTER.A")) == ["FILTER.A"]


def test_names_only(admin: Administrator) -> None:
    create(admin, "NAMES.A")
    found = admin.ask(c.MQCMD_INQUIRE_Q_NAMES, queue("NAMES.*")).objects()
    assert found == [{a.MQCACF_Q_NAMES: ("NAMES.A",), a.MQIACF_Q_TYPES: (a.MQQT_LOCAL,)}]
    none = admin.ask(c.MQCMD_INQUIRE_Q_NAMES, queue("NAMES.Z*"))
    assert none.reason == 0
    assert none.objects() == [{a.MQCACF_Q_NAMES: (), a.MQIACF_Q_TYPES: ()}]


def test_connections(admin: Administrator) -> None:
    connection = admin.running.connect("seen", "tester")
    found = admin.ask(c.MQCMD_INQUIRE_CONNECTION, pcf.ByteString(a.MQBACF_GENERIC_CONNECTION_ID, bytes(24)))
    mine = [one for one in found.objects() if one[a.MQCACF_APPL_TAG] == "seen"]
    whole = mine[0][a.MQBACF_CONNECTION_ID]
    assert isinstance(whole, bytes)
    assert whole.startswith(b"AMQCQM1")
    assert len(whole) == 24
    again = admin.ask(c.MQCMD_INQUIRE_CONNECTION, pcf.ByteString(a.MQBACF_CONNECTION_ID, whole))
    assert [one[a.MQCACF_APPL_TAG] for one in again.objects()] == ["seen"]
    connection.disconnect()
    gone = admin.ask(c.MQCMD_INQUIRE_CONNECTION, pcf.ByteString(a.MQBACF_CONNECTION_ID, whole))
    assert gone.reason == r.MQRCCF_CONNECTION_ID_ERROR


def test_statistics_of_a_queue(admin: Administrator) -> None:
    create(admin, "COUNTED")
    found = admin.ask(c.MQCMD_RESET_Q_STATS, queue("COUNTED")).objects()
    assert found[0][a.MQCA_Q_NAME] == "COUNTED"
    assert found[0][a.MQIA_MSG_ENQ_COUNT] == 0


def test_passwords_are_not_shown() -> None:
    shown = Shown(object_type("QMGR"), "QM1", {"KEYRPWD": "hush"})
    assert plain(pcf.PCFMessage(pcf.Header(), parameters_of(shown)))[a.MQCA_SSL_KEY_REPO_PASSWORD] == "********"


def test_big_endian_is_answered_in_kind(admin: Administrator) -> None:
    data = request(c.MQCMD_INQUIRE_Q, queue("SYSTEM.DEFAULT.LOCAL.QUEUE"), order=BIG)
    answer = admin.commands.answer(data, 0, Caller())
    replies = list(answer.replies())
    assert pcf.message_order(replies[0]) == BIG
    assert plain(pcf.decode(replies[0]))[a.MQCA_Q_NAME] == "SYSTEM.DEFAULT.LOCAL.QUEUE"


def test_ebcdic_names(admin: Administrator) -> None:
    name = pcf.String(a.MQCA_Q_NAME, "SYSTEM.DEFAULT.LOCAL.QUEUE".encode("cp500"), 500)
    assert admin.ask(c.MQCMD_INQUIRE_Q, name).objects()[0][a.MQCA_Q_NAME] == "SYSTEM.DEFAULT.LOCAL.QUEUE"
    whole = request(c.MQCMD_INQUIRE_Q, pcf.String(a.MQCA_Q_NAME, "SYSTEM.DEFAULT.LOCAL.QUEUE".encode("cp500")))
    assert admin.commands.answer(whole, 500, Caller()).ok


def test_extended_replies(admin: Administrator) -> None:
    ident = b"i" * 24
    name = queue("SYSTEM.DEFAULT.LOCAL.QUEUE")
    found = admin.ask(c.MQCMD_INQUIRE_Q, name, kind=c.MQCFT_COMMAND_XR, extended=ident)
    assert [message.header.type for message in found.messages] == [c.MQCFT_XR_ITEM, c.MQCFT_XR_SUMMARY]
    for message in found.messages:
        assert message.parameters[0] == pcf.ByteString(a.MQBACF_RESPONSE_ID, ident)
        assert plain(message)[a.MQCACF_RESPONSE_Q_MGR_NAME] == "QM1"
    bad = admin.ask(c.MQCMD_INQUIRE_Q, queue("NONE"), kind=c.MQCFT_COMMAND_XR, extended=ident)
    assert [(message.header.type, message.header.reason) for message in bad.messages] == [
        (c.MQCFT_XR_MSG, r.MQRC_UNKNOWN_OBJECT_NAME),
        (c.MQCFT_XR_SUMMARY, r.MQRCCF_COMMAND_FAILED),
    ]
    standard = admin.ask(c.MQCMD_PING_Q_MGR, kind=c.MQCFT_COMMAND_XR)
    assert [message.header.type for message in standard.messages] == [c.MQCFT_RESPONSE]


def escape(admin: Administrator, command: str) -> tuple[int, int, list[str]]:
    asked = admin.ask(
        c.MQCMD_ESCAPE, pcf.Integer(a.MQIACF_ESCAPE_TYPE, a.MQET_MQSC), text(a.MQCACF_ESCAPE_TEXT, command)
    )
    texts = [str(one[a.MQCACF_ESCAPE_TEXT]) for one in asked.objects()]
    return asked.messages[0].header.command, asked.reason, texts


def test_escape(admin: Administrator) -> None:
    assert escape(admin, "PING QMGR") == (
        c.MQCMD_PING_Q_MGR,
        0,
        ["AMQ8415I: Ping Kew Queue Manager command complete."],
    )
    number, reason, said = escape(admin, "DISPLAY QLOCAL(SYSTEM.DEFAULT.LOC*) MAXDEPTH")
    assert (number, reason, len(said)) == (c.MQCMD_INQUIRE_Q, 0, 1)
    assert "MAXDEPTH(5000)" in said[0]
    number, reason, said = escape(admin, "DISPLAY QLOCAL(NO.SUCH.QUEUE)")
    assert (reason, said) == (r.MQRC_UNKNOWN_OBJECT_NAME, ["AMQ8147E: Kew object NO.SUCH.QUEUE not found."])
    assert escape(admin, "DISPLAY QLOCALE(A)")[1] == r.MQRCCF_PARM_SYNTAX_ERROR


WRONG: list[tuple[int, list[pcf.Parameter], int, int]] = [
    (4711, [], r.MQRCCF_CFH_COMMAND_ERROR, 0),
    (c.MQCMD_START_Q_MGR, [], r.MQRCCF_FUNCTION_RESTRICTED, 0),
    (c.MQCMD_INQUIRE_Q, [], r.MQRCCF_PARM_COUNT_TOO_SMALL, a.MQCA_Q_NAME),
    (c.MQCMD_CREATE_Q, [queue("W")], r.MQRCCF_PARM_MISSING, a.MQIA_Q_TYPE),
    (c.MQCMD_CREATE_Q, [queue("W"), pcf.Integer(a.MQIA_Q_TYPE, 99)], r.MQRCCF_Q_TYPE_ERROR, a.MQIA_Q_TYPE),
    (c.MQCMD_CREATE_Q, [queue("W X"), LOCAL], r.MQRCCF_OBJECT_NAME_ERROR, a.MQCA_Q_NAME),
    (c.MQCMD_CREATE_Q, [queue("W" * 49), LOCAL], r.MQRCCF_CFST_STRING_LENGTH_ERR, a.MQCA_Q_NAME),
    (c.MQCMD_CREATE_Q, [queue(" "), LOCAL], r.MQRCCF_OBJECT_NAME_ERROR, a.MQCA_Q_NAME),
    (
        c.MQCMD_CREATE_Q,
        [queue("W"), LOCAL, pcf.Integer(a.MQIA_INHIBIT_PUT, 9)],
        r.MQRCCF_ATTR_VALUE_ERROR,
        a.MQIA_INHIBIT_PUT,
    ),
    (
        c.MQCMD_CREATE_Q,
        [queue("W"), LOCAL, text(a.MQIA_INHIBIT_PUT, "1")],
        r.MQRCCF_CFST_PARM_ID_ERROR,
        a.MQIA_INHIBIT_PUT,
    ),
    (
        c.MQCMD_CREATE_Q,
        [queue("W"), LOCAL, pcf.Integer(a.MQIA_CURRENT_Q_DEPTH, 1)],
        r.MQRCCF_CFIN_PARM_ID_ERROR,
        a.MQIA_CURRENT_Q_DEPTH,
    ),
    (
        c.MQCMD_CREATE_Q,
        [queue("W"), LOCAL, pcf.Integer(a.MQIACF_REPLACE, 7)],
        r.MQRCCF_REPLACE_VALUE_ERROR,
        a.MQIACF_REPLACE,
    ),
    (c.MQCMD_CREATE_Q, [queue("W"), queue("W"), LOCAL], r.MQRCCF_CFST_DUPLICATE_PARM, a.MQCA_Q_NAME),
    (c.MQCMD_CREATE_Q, [queue("SYSTEM.DEFAULT.LOCAL.QUEUE"), LOCAL], r.MQRCCF_OBJECT_ALREADY_EXISTS, 0),
    (c.MQCMD_CREATE_Q, [queue("W"), LOCAL, pcf.Group(a.MQGACF_COMMAND_DATA)], r.MQRCCF_CFGR_PARM_ID_ERROR, 8000 + 2),
    (
        c.MQCMD_INQUIRE_Q,
        [queue("*"), pcf.IntegerFilter(1, 2, 3), pcf.IntegerFilter(1, 2, 3)],
        r.MQRCCF_TOO_MANY_FILTERS,
        1,
    ),
    (c.MQCMD_INQUIRE_Q, [queue("*"), pcf.IntegerFilter(4711, 2, 3)], r.MQRCCF_CFIF_PARM_ID_ERROR, 4711),
    (
        c.MQCMD_INQUIRE_Q,
        [queue("*"), pcf.IntegerFilter(a.MQIA_MAX_Q_DEPTH, c.MQCFOP_LIKE, 3)],
        r.MQRCCF_CFIF_OPERATOR_ERROR,
        a.MQIA_MAX_Q_DEPTH,
    ),
    (
        c.MQCMD_INQUIRE_Q,
        [queue("*"), pcf.StringFilter(a.MQCA_Q_DESC, c.MQCFOP_LIKE, b"no star")],
        r.MQRCCF_FILTER_ERROR,
        a.MQCA_Q_DESC,
    ),
    (c.MQCMD_CLEAR_Q, [queue("NO.SUCH")], r.MQRC_UNKNOWN_OBJECT_NAME, 0),
    (c.MQCMD_DELETE_CHANNEL, [text(a.MQCACH_CHANNEL_NAME, "NO.SUCH")], r.MQRCCF_CHANNEL_NOT_FOUND, 0),
    (c.MQCMD_INQUIRE_CHANNEL_STATUS, [text(a.MQCACH_CHANNEL_NAME, "*")], r.MQRCCF_CHL_STATUS_NOT_FOUND, 0),
    (
        c.MQCMD_INQUIRE_Q,
        [pcf.String(a.MQCA_Q_NAME, b"\xff\xfe", 1208)],
        r.MQRCCF_CCSID_ERROR,
        a.MQCA_Q_NAME,
    ),
    (c.MQCMD_ESCAPE, [], r.MQRCCF_PARM_COUNT_TOO_SMALL, a.MQIACF_ESCAPE_TYPE),
    (
        c.MQCMD_ESCAPE,
        [pcf.Integer(a.MQIACF_ESCAPE_TYPE, 5), text(a.MQCACF_ESCAPE_TEXT, "PING QMGR")],
        r.MQRCCF_ESCAPE_TYPE_ERROR,
        a.MQIACF_ESCAPE_TYPE,
    ),
]


@pytest.mark.parametrize(("command", "parameters", "reason", "at_fault"), WRONG)
def test_wrong_commands_are_told_what_is_wrong(
    admin: Administrator, command: int, parameters: list[pcf.Parameter], reason: int, at_fault: int
) -> None:
    asked = admin.ask(command, *parameters)
    assert len(asked.messages) == 1
    header = asked.messages[0].header
    assert (header.completion, r.reason_name(header.reason)) == (MQCC_FAILED, r.reason_name(reason))
    assert header.control == c.MQCFC_LAST
    assert asked.at_fault == at_fault


def test_selectors_are_checked(admin: Administrator) -> None:
    def ask(*selectors: int) -> tuple[int, object]:
        asked = admin.ask(c.MQCMD_INQUIRE_Q, queue("*"), pcf.IntegerList(a.MQIACF_Q_ATTRS, list(selectors)))
        return asked.reason, asked.objects()[0].get(a.MQIACF_SELECTOR)

    assert ask(4711) == (r.MQRC_SELECTOR_ERROR, 4711)
    assert ask(a.MQIA_MAX_Q_DEPTH, a.MQIA_MAX_Q_DEPTH) == (r.MQRCCF_CFIL_DUPLICATE_VALUE, a.MQIA_MAX_Q_DEPTH)


HEADERS = [
    (pcf.Header(type=c.MQCFT_RESPONSE, command=c.MQCMD_PING_Q_MGR), r.MQRCCF_CFH_TYPE_ERROR),
    (pcf.Header(version=9, command=c.MQCMD_PING_Q_MGR), r.MQRCCF_CFH_VERSION_ERROR),
    (pcf.Header(type=c.MQCFT_COMMAND_XR, version=1, command=c.MQCMD_PING_Q_MGR), r.MQRCCF_CFH_VERSION_ERROR),
    (pcf.Header(sequence_number=2, command=c.MQCMD_PING_Q_MGR), r.MQRCCF_CFH_MSG_SEQ_NUMBER_ERR),
    (pcf.Header(control=c.MQCFC_NOT_LAST, command=c.MQCMD_PING_Q_MGR), r.MQRCCF_CFH_CONTROL_ERROR),
]


@pytest.mark.parametrize(("header", "reason"), HEADERS)
def test_headers_are_checked(admin: Administrator, header: pcf.Header, reason: int) -> None:
    answer = admin.commands.answer(pcf.encode(pcf.PCFMessage(header)), 0, Caller())
    assert [pcf.decode(reply).header.reason for reply in answer.replies()] == [reason]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", r.MQRCCF_CFH_LENGTH_ERROR),
        (b"rubbish" * 20, r.MQRCCF_CFH_LENGTH_ERROR),
        (request(c.MQCMD_INQUIRE_Q, queue("A"))[:-4], r.MQRCCF_CFST_LENGTH_ERROR),
        (request(c.MQCMD_PING_Q_MGR) + b"more", r.MQRCCF_MSG_LENGTH_ERROR),
    ],
)
def test_what_is_no_pcf_is_answered_all_the_same(admin: Administrator, data: bytes, reason: int) -> None:
    answer = admin.commands.answer(data, 0, Caller())
    headers = [pcf.decode(reply).header for reply in answer.replies()]
    assert [(header.completion, header.reason) for header in headers] == [(MQCC_FAILED, reason)]


def test_the_status_of_queues_that_are_not_monitored(admin: Administrator) -> None:
    assert create(admin, "QUIET") == 0
    for more in ([], [LOCAL], [pcf.Integer(a.MQIA_Q_TYPE, a.MQQT_ALL)]):
        (shown,) = admin.ask(c.MQCMD_INQUIRE_Q_STATUS, queue("QUIET"), *more).objects()
        for date in (a.MQCACF_LAST_PUT_DATE, a.MQCACF_LAST_PUT_TIME, a.MQCACF_LAST_GET_DATE, a.MQCACF_LAST_GET_TIME):
            assert str(shown[date]).strip() == ""
    alias = pcf.Integer(a.MQIA_Q_TYPE, a.MQQT_ALIAS)
    refused = admin.ask(c.MQCMD_INQUIRE_Q_STATUS, queue("QUIET"), alias)
    assert refused.reason == r.MQRCCF_CFIN_PARM_ID_ERROR


def test_names_are_as_long_as_those_of_their_kind(admin: Administrator) -> None:
    for command, name, names, length in (
        (c.MQCMD_INQUIRE_Q_NAMES, a.MQCA_Q_NAME, a.MQCACF_Q_NAMES, 48),
        (c.MQCMD_INQUIRE_CHANNEL_NAMES, a.MQCACH_CHANNEL_NAME, a.MQCACH_CHANNEL_NAMES, 20),
    ):
        (answer,) = admin.ask(command, text(name, "SYSTEM.*")).messages
        (found,) = [one for one in answer.parameters if one.parameter == names]
        assert isinstance(found, pcf.StringList)
        assert {len(one) for one in found.values} == {length}
