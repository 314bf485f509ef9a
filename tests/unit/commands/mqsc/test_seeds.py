"""The commands printed in the reports and slides that Kew follows, as they are printed."""

import pytest

from kew.codes import attributes as a
from kew.commands.mqsc.errors import MQSCError
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.parser import Command, parse, parse_text
from kew.objects.schema.custom import cap_on_expiry

# The z/OS report.
ZOS: list[tuple[str, dict[str, object]]] = [
    ("ALTER QL(QUEUE1) STREAMQ(QUEUE2) STRMQOS(BESTEF)", {"STREAMQ": "QUEUE2", "STRMQOS": a.MQST_BEST_EFFORT}),
    ("ALTER QL(QUEUE1) STRMQOS(BESTEF)", {"STRMQOS": a.MQST_BEST_EFFORT}),
    ("ALTER QL(QUEUE1) STRMQOS(MUSTDUP)", {"STRMQOS": a.MQST_MUST_DUP}),
    ("ALTER QL(STRMQ000) CUSTOM('CAPEXPRY(12000)')", {"CUSTOM": "CAPEXPRY(12000)"}),
    ("ALTER QMGR EXPRYINT(300)", {"EXPRYINT": 300}),
    ("ALTER QMGR EXPIRYINT(300)", {"EXPRYINT": 300}),
    ("SET SYSTEM ACCTIME(0.05)", {"ACCTIME": 5}),
    ("SET SYSTEM ACCTIME(0.01)", {"ACCTIME": 1}),
    ("SET SYSTEM ACCTIME(1.00)", {"ACCTIME": 60}),
    ("SET SYSTEM ACCTIME(0.15)", {"ACCTIME": 15}),
]
# The streaming queues report, with both of its spellings.
STREAMING: list[tuple[str, dict[str, object]]] = [
    ("alter ql(SQ1) custom('CAPEXPY(6000)')", {"CUSTOM": "CAPEXPY(6000)"}),
    ("alter ql(SQ1) custom('CAEXPY(6000)')", {"CUSTOM": "CAEXPY(6000)"}),
]


@pytest.mark.parametrize(("text", "attributes"), ZOS + STREAMING)
def test_changes_print_as_commands(text: str, attributes: dict[str, object]) -> None:
    assert parse_text(text).attributes == attributes


def test_every_spelling_caps_expiry() -> None:
    for text, attributes in STREAMING:
        assert cap_on_expiry(str(attributes["CUSTOM"])) == 6000, text


def test_the_channel_of_the_linux_report_with_its_continuation() -> None:
    printed = """define channel( csim_channel_TCP ) +
    chltype( svrconn ) +
    trptype( tcp ) +
    sharecnv( 0 )"""
    reader = CommandReader()
    found = [command for line in printed.split("\n") for command in reader.feed(line)]
    assert len(found) == 1
    command = parse(found[0])
    assert command.name == "CSIM_CHANNEL_TCP"
    assert command.kind is not None
    assert command.kind.name == "SVRCONN"
    assert command.attributes["SHARECNV"] == 0


@pytest.mark.parametrize(
    "text",
    [
        "DISPLAY QLOCAL(QNAME) CURDEPTH",
        "DISPLAY QSTATUS(*)",
        "DISPLAY SYSTEM",
        "def channel(x) chltype(svrconn) sharecnv(1)",
        "START TRACE(S) CLASS(5)",
        "START TRACE(S) CLASS(1,3,4)",
        "START TRACE(A) CLASS(3,4)",
        "START TRACE(G) DEST(RES)",
        "START TRACE(CHINIT)",
        "STOP TRACE(GLOBAL)",
        "ALTER QMGR STATQ(ON)",
        "ALTER QL(Q) STATQ(QMGR)",
        "ALTER PSID(1) EXPAND(NONE)",
        "ALTER CHANNEL(C) COMPMSG(ZLIBFAST)",
        "DEFINE CFSTRUCT(S) CFLEVEL(4) OFFLOAD(NONE)",
    ],
)
def test_what_the_reports_name_in_passing(text: str) -> None:
    assert isinstance(parse_text(text), Command)


STRUCTURE = """DEFINE CFSTRUCT(SHALLOWSTRUCT)
    CFLEVEL(5) ...
    OFFLOAD(SMDS)
    OFFLD1TH(70)      OFFLD1SZ(32K)
    OFFLD2TH(80)      OFFLD1SZ(4K)
    OFFLD2TH(90)      OFFLD1SZ(0K)
"""


def test_the_misprint_of_the_slides_is_refused_by_name() -> None:
    with pytest.raises(MQSCError) as caught:
        parse_text(STRUCTURE)
    assert caught.value.message_id == "AMQ8411E"
    assert "OFFLD2TH" in caught.value.detail
    assert "OFFLD1SZ" in caught.value.detail


def test_the_slides_structure_as_it_was_meant() -> None:
    lines = STRUCTURE.replace("...", "").split("\n")
    lines[4] = lines[4].replace("OFFLD1SZ", "OFFLD2SZ")
    lines[5] = lines[5].replace("OFFLD2TH", "OFFLD3TH").replace("OFFLD1SZ", "OFFLD3SZ")
    command = parse_text("\n".join(lines))
    assert command.name == "SHALLOWSTRUCT"
    assert [command.attributes[f"OFFLD{rule}SZ"] for rule in "123"] == [32, 4, 0]
    assert [command.attributes[f"OFFLD{rule}TH"] for rule in "123"] == [70, 80, 90]


DEVELOPER = """* Developer queues
DEFINE QLOCAL('DEV.QUEUE.1') REPLACE
DEFINE QMODEL('DEV.APP.MODEL.QUEUE') REPLACE
ALTER QMGR DEADQ('DEV.DEAD.LETTER.QUEUE')
DEFINE TOPIC('DEV.BASE.TOPIC') TOPICSTR('dev/') REPLACE
DEFINE AUTHINFO('DEV.AUTHINFO') AUTHTYPE(IDPWOS) CHCKCLNT(REQDADM) CHCKLOCL(OPTIONAL) ADOPTCTX(YES) REPLACE
REFRESH SECURITY(*) TYPE(CONNAUTH)
DEFINE CHANNEL('DEV.APP.SVRCONN') CHLTYPE(SVRCONN) MCAUSER('app') REPLACE
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) ACTION(REPLACE)
SET CHLAUTH('DEV.ADMIN.SVRCONN') TYPE(BLOCKUSER) USERLIST('nobody') ACTION(REPLACE)
SET CHLAUTH('DEV.ADMIN.SVRCONN') TYPE(USERMAP) CLNTUSER('admin') USERSRC(MAP) MCAUSER ('mqm') ACTION(REPLACE)
SET AUTHREC PRINCIPAL('app') OBJTYPE(QMGR) AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('DEV.**') PRINCIPAL('app') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ,PUT)
"""


def test_a_script_of_the_kind_developers_have() -> None:
    reader = CommandReader()
    found = [parse(command) for line in DEVELOPER.split("\n") for command in reader.feed(line)]
    assert len(found) == DEVELOPER.count("\n") - 1
    assert reader.end() == []
