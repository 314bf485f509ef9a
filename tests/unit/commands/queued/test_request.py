"""Commands of queued publish/subscribe are read in both forms, and what is wrong with them is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.codes import attributes as a
from kew.codes import reasons as r
from kew.codes.errors import MQError
from kew.commands.queued import words
from kew.commands.queued.request import Request, form_of, read_request, said_in
from kew.commands.queued.response import Answer, completion_of, write_response
from kew.formats import mqrfh, mqrfh2
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh import FirstHeader
from kew.formats.mqrfh2 import RulesHeader


def first(text: str, body: bytes = b"") -> Request:
    header = FirstHeader(273, 819, b"MQSTR   ", 0, mqrfh.parse_pairs(text))
    return read_request(MessageDescriptor(format=b"MQHRF   ", ccsid=1208), mqrfh.encode(header) + body)


def second(*folders: str, body: bytes = b"") -> Request:
    header = RulesHeader(273, 819, b"MQSTR   ", folders=list(folders))
    return read_request(MessageDescriptor(format=b"MQHRF2  ", ccsid=1208), mqrfh2.encode(header) + body)


def test_a_command_in_the_first_form() -> None:
    found = first("MQPSCommand RegSub MQPSRegOpts CorrelAsId MQPSRegOpts 1024 MQPSTopic a MQPSTopic b MQPSQName Q")
    assert (found.form, found.command, found.topics) == (1, words.REGISTER, ["a", "b"])
    assert found.registering == a.MQREGO_CORREL_ID_AS_IDENTITY | a.MQREGO_NON_PERSISTENT
    assert found.values == {words.QUEUE: "Q"}


def test_a_command_in_the_second_form() -> None:
    found = second("<psc><Command>RegSub</Command><Topic>a &amp; b</Topic><RegOpt>NewPubsOnly</RegOpt></psc>")
    assert (found.form, found.command, found.topics) == (2, words.REGISTER, ["a & b"])
    assert found.registering == a.MQREGO_NEW_PUBLICATIONS_ONLY


def test_what_is_published_and_what_is_said_of_it() -> None:
    found = first("OWN 1 MQPSCommand Publish MQPSTopic t MQPSPubTime 2026 MQPSStringData x MQPSStringData y", b"body")
    assert (found.body, found.format, found.encoding, found.ccsid) == (b"body", b"MQSTR   ", 273, 819)
    assert sorted(found.further) == [
        ("MQPSPubTime", "2026"),
        ("MQPSStringData", "x"),
        ("MQPSStringData", "y"),
        ("OWN", "1"),
    ]
    plain = second("<psc><Command>Publish</Command><Topic>t</Topic><OWN>1</OWN></psc>", body=b"body")
    assert (plain.body, plain.format, plain.further) == (b"body", b"MQSTR   ", [("OWN", "1")])
    rest = second("<psc><Command>Publish</Command><Topic>t</Topic></psc>", "<usr><a>1</a></usr>", body=b"body")
    assert rest.format == b"MQHRF2  "
    assert mqrfh2.decode(rest.body).folders == ["<usr><a>1</a></usr>"]
    assert rest.body.endswith(b"body")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("MQPSTopic t", r.MQRC_RFH_PARM_MISSING),
        ("MQPSCommand Dance", r.MQRC_RFH_COMMAND_ERROR),
        ("MQPSCommand Publish MQPSCommand Publish", r.MQRC_RFH_DUPLICATE_PARM),
        ("MQPSCommand RegSub MQPSQName A MQPSQName B", r.MQRC_RFH_DUPLICATE_PARM),
        ("MQPSCommand RegSub MQPSNonsense 1", r.MQRC_RFH_PARM_ERROR),
        ("MQPSCommand RegSub OWN 1", r.MQRC_RFH_PARM_ERROR),
        ("MQPSCommand RegSub MQPSRegOpts Nonsense", r.MQRCCF_REG_OPTIONS_ERROR),
        ("MQPSCommand RegSub MQPSRegOpts 999999999", r.MQRCCF_REG_OPTIONS_ERROR),
        ("MQPSCommand Publish MQPSPubOpts Nonsense", r.MQRCCF_PUB_OPTIONS_ERROR),
        ("MQPSCommand DeletePub MQPSDelOpts Nonsense", r.MQRCCF_DEL_OPTIONS_ERROR),
    ],
)
def test_what_is_wrong_in_the_first_form(text: str, reason: int) -> None:
    with pytest.raises(MQError) as refused:
        first(text)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("folders", "reason"),
    [
        (["<usr><a>1</a></usr>"], r.MQRC_RFH_PARM_MISSING),
        (["<psc><Command>Publish</Command></psc>"] * 2, r.MQRC_RFH_DUPLICATE_PARM),
        (["<psc><Command>RegPub</Command></psc>"], r.MQRC_RFH_COMMAND_ERROR),
        (["<psc><Command>RegSub</Command><StreamName>S</StreamName></psc>"], r.MQRC_RFH_PARM_ERROR),
        (["<psc><Command>Publish</Command><Topic><a>1</a></Topic></psc>"], r.MQRC_RFH_PARM_ERROR),
        (["<psc><Command>"], r.MQRC_RFH_ERROR),
    ],
)
def test_what_is_wrong_in_the_second_form(folders: list[str], reason: int) -> None:
    with pytest.raises(MQError) as refused:
        second(*folders)
    assert refused.value.reason == reason


@given(st.sampled_from([b"MQHRF   ", b"MQHRF2  ", b"MQSTR   "]), st.integers(0, 3), st.binary(max_size=120))
def test_no_message_breaks_it(format: bytes, start: int, data: bytes) -> None:
    """Whatever a program puts there is read or refused, and a refusal can be written."""
    heads = (b"", b"RFH \1\0\0\0\x30\0\0\0", b"RFH \2\0\0\0\x40\0\0\0", mqrfh.encode(FirstHeader(pairs=[("a", "b")])))
    descriptor, whole = MessageDescriptor(format=format, ccsid=1208), heads[start] + data
    try:
        read_request(descriptor, whole)
    except MQError as error:
        said = said_in(descriptor, whole)
        form = form_of(descriptor)
        if form:
            write_response(form, [Answer("t", error.reason, error.completion)], said)


def test_replies() -> None:
    good, bad = Answer("a"), Answer("b c", r.MQRCCF_NOT_AUTHORIZED, 2)
    assert [completion_of(each) for each in ([good], [bad], [good, bad], [])] == [0, 2, 1, 0]
    format, data = write_response(1, [good, bad], "MQPSCommand Publish")
    header = mqrfh.decode(data)
    assert format == b"MQHRF   "
    assert header.pairs == [
        ("MQPSCompCode", "1"),
        ("MQPSReason", "3081"),
        ("MQPSReasonText", "MQRCCF_NOT_AUTHORIZED"),
        ("MQPSTopic", "b c"),
    ]
    assert data.endswith(b"MQPSCommand Publish")
    format, data = write_response(2, [good, bad], "<psc></psc>")
    assert format == b"MQHRF2  "
    assert mqrfh2.decode(data).folders == [
        "<pscr><Completion>warning</Completion><Response><Reason>3081</Reason><Topic>b c</Topic></Response></pscr>",
        "<psc></psc>",
    ]
    assert mqrfh2.decode(write_response(2, [good], "")[1]).folders == ["<pscr><Completion>ok</Completion></pscr>"]
