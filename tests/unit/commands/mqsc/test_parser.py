"""Commands become typed values; what is wrong is named, placed and answered."""

import pytest

from kew.codes import attributes as a
from kew.codes import channels as c
from kew.codes import commands
from kew.codes import options as o
from kew.commands.mqsc.errors import MQSCError
from kew.commands.mqsc.grammar import COMMANDS, VERBS, all_commands
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.parser import Command, parse, parse_text
from kew.objects.definition import Definition
from kew.objects.schema import object_type


def refused(text: str) -> MQSCError:
    with pytest.raises(MQSCError) as caught:
        parse_text(text)
    assert caught.value.lines()
    assert 0 <= caught.value.position <= len(text)
    return caught.value


def test_define_gives_typed_values() -> None:
    command = parse_text("def ql(app.q) maxdepth(10) put(disabled) descr('A queue') noshare")
    assert (command.verb, command.target, command.name) == ("DEFINE", "QLOCAL", "APP.Q")
    assert command.kind is object_type("QLOCAL")
    assert command.attributes == {
        "MAXDEPTH": 10,
        "PUT": a.MQQA_PUT_INHIBITED,
        "DESCR": "A queue",
        "SHARE": a.MQQA_NOT_SHAREABLE,
    }
    assert command.spec.pcf == commands.MQCMD_CREATE_Q
    assert command.spec.done == "AMQ8006I"
    assert command.definition() == Definition(object_type("QLOCAL"), "APP.Q", command.attributes)


def test_quoted_names_keep_their_case() -> None:
    assert parse_text("DEFINE QLOCAL('Mixed.Case')").name == "Mixed.Case"
    assert parse_text("DEFINE QLOCAL(Mixed.Case)").name == "MIXED.CASE"
    assert parse_text('DEFINE QLOCAL("Mixed")').name == "Mixed"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("dis q(*)", "DISPLAY QUEUE"),
        ("DIS QL(A)", "DISPLAY QLOCAL"),
        ("ALT QR(A) RNAME(B)", "ALTER QREMOTE"),
        ("def qa(a) targq(b)", "DEFINE QALIAS"),
        ("DEF QM(A)", "DEFINE QMODEL"),
        ("DIS CHL(*)", "DISPLAY CHANNEL"),
        ("STA CHL(A)", "START CHANNEL"),
        ("STO CHL(A)", "STOP CHANNEL"),
        ("REF SEC(*)", "REFRESH SECURITY"),
        ("RES CHL(A) ACTION(COMMIT)", "RESOLVE CHANNEL"),
        ("RESET CHL(A)", "RESET CHANNEL"),
        ("DIS CHS(*)", "DISPLAY CHSTATUS"),
        ("DIS QS(*)", "DISPLAY QSTATUS"),
        ("DEF NL(N) NAMES(A,B)", "DEFINE NAMELIST"),
        ("DEF PRO(P)", "DEFINE PROCESS"),
        ("DEF STC(S) PSID(3)", "DEFINE STGCLASS"),
        ("ALT BP(1) BUFFERS(5000)", "ALTER BUFFPOOL"),
        ("DIS TPS('a/b')", "DISPLAY TPSTATUS"),
        ("DIS THD(*)", "DISPLAY THREAD"),
        ("exit", "END"),
        ("END", "END"),
    ],
)
def test_synonyms_and_abbreviations(text: str, title: str) -> None:
    assert parse_text(text).spec.title == title


def test_channels_are_told_apart_by_their_type() -> None:
    command = parse_text("DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('host(1414)') XMITQ(QM2) BATCHSZ(200)")
    assert command.kind is object_type("SDR")
    assert command.attributes["CONNAME"] == "host(1414)"
    assert command.options == {}
    altered = parse_text("ALTER CHANNEL(TO.QM2) BATCHSZ(50)")
    assert altered.kind is None
    assert altered.attributes == {"BATCHSZ": 50}
    like = parse_text("DEFINE CHANNEL(B) LIKE(A)")
    assert like.kind is None
    model = Definition.of("RCVR", "A", {"BATCHSZ": "7"})
    assert like.definition(model) == model.named("B")
    with pytest.raises(ValueError, match="type"):
        like.definition()


def test_options_are_apart_from_attributes() -> None:
    command = parse_text("DEFINE QLOCAL(B) LIKE(A) NOREPLACE")
    assert command.options == {"LIKE": "A", "REPLACE": a.MQRP_NO}
    assert not command.flag("REPLACE")
    assert parse_text("DEFINE QL(B) REPLACE").flag("REPLACE")
    assert parse_text("DELETE QL(B) PURGE").flag("PURGE")
    assert parse_text("ALTER QL(B) NOSHARE FORCE").flag("FORCE")
    assert parse_text("STOP CHANNEL(X) MODE(FORCE) STATUS(INACTIVE)").options == {
        "MODE": a.MQMODE_FORCE,
        "STATUS": a.MQCHS_INACTIVE,
    }


def test_display_asks_for_attributes() -> None:
    command = parse_text("DISPLAY QUEUE(A*) TYPE(QLOCAL) CURDEPTH, MAXDEPTH CLUSTER(C*) STGCLASS(FAST)")
    assert command.generic
    assert command.requested == ["CURDEPTH", "MAXDEPTH"]
    assert command.kind is object_type("QLOCAL")
    assert command.selectors == {"CLUSTER": "C*", "STGCLASS": "FAST"}
    assert parse_text("DIS Q(*)").kind is None
    assert parse_text("DIS Q(*) TYPE(QCLUSTER) CLUSINFO").requested == ["CLUSINFO"]
    assert parse_text("DIS QMGR EVENT DEADQ").requested == ["EVENT", "DEADQ"]
    assert parse_text("DIS QMGR QMNAME DEADQ").requested == ["DEADQ"]
    assert parse_text("DIS TCLUSTER(*) CLSTATE").requested == ["CLSTATE"]
    assert parse_text("DIS QL(A) NOTRIGGER").requested == ["TRIGGER"]
    assert parse_text("DIS CHL(*) CHLTYPE CONNAME").requested == ["CONNAME"]
    assert parse_text("DIS CHL(*) CHLTYPE(SDR)").kind is object_type("SDR")
    assert parse_text("DIS QL(*) ALL").flag("ALL")
    assert parse_text("DIS QL(*) QSGDISP(ALL) PSID(3)").selectors == {"PSID": 3}
    assert parse_text("DIS CHS(A) SAVED").options == {"CURRENT": o.MQOT_SAVED_CHANNEL}


def test_status_is_chosen_by_type() -> None:
    assert parse_text("DIS QSTATUS(A)").kind is object_type("QSTATUS")
    assert parse_text("DIS QSTATUS(A) TYPE(HANDLE) APPLTAG").kind is object_type("QHANDLE")
    assert parse_text("DIS CONN(*) TYPE(HANDLE) OBJNAME").kind is object_type("CONNHANDLE")
    assert parse_text("DIS CONN(*) TYPE(ALL) OBJNAME APPLTAG").requested == ["OBJNAME", "APPLTAG"]
    assert parse_text("DIS TPSTATUS('a/#') TYPE(SUB) NUMMSGS").kind is object_type("TPSUB")
    assert parse_text("DIS USAGE").kind is None
    assert parse_text("DIS USAGE PSID(*) TYPE(PAGESET)").kind is object_type("USAGE")
    assert parse_text("DIS CFSTATUS(*) TYPE(BACKUP)").kind is object_type("CFBACKUP")


def test_commands_without_an_object_in_parentheses() -> None:
    assert parse_text("SET SYSTEM STATIME(0.05) ACCTIME(-1)").attributes == {"STATIME": 5, "ACCTIME": -1}
    assert parse_text("SET LOG DEFAULT").flag("DEFAULT")
    assert parse_text("SUSPEND QMGR CLUSTER(C)").options == {"CLUSTER": "C"}
    assert parse_text("ARCHIVE LOG MODE(QUIESCE) TIME(30) WAIT(YES)").options["TIME"] == 30
    assert parse_text("DISPLAY SUB SUBID('41')").options["SUBID"] == b"A" + bytes(23)
    assert parse_text("START LISTENER TRPTYPE(TCP) PORT(1414)").name == ""


def test_traces_have_kinds_and_classes() -> None:
    for word in ("S", "STAT", "s"):
        command = parse_text(f"START TRACE({word}) CLASS(1,3,4)")
        assert command.name == "STAT"
        assert command.options["CLASS"] == (1, 3, 4)
    assert parse_text("STOP TRACE(ACCTG) CLASS(*)").options["CLASS"] == (0,)
    assert parse_text("DISPLAY TRACE(*)").name == "*"
    assert parse_text("START TRACE(CHINIT)").name == "CHINIT"


def test_security_commands() -> None:
    record = parse_text("SET CHLAUTH('DEV.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) ACTION(ADD)")
    assert record.kind is object_type("ADDRESSMAP")
    assert record.options == {"ACTION": o.MQACT_ADD}
    authority = parse_text("SET AUTHREC PROFILE('DEV.**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT, GET)")
    assert authority.name == "DEV.**"
    assert authority.options["AUTHADD"] == (a.MQAUTH_OUTPUT, a.MQAUTH_INPUT)
    assert authority.definition().text("ENTITY") == "app"
    assert parse_text("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT)").name == "SELF"
    policy = parse_text("SET POLICY(Q) ENCALG(AES256) RECIP('CN=a,O=b') RECIP('CN=c') TOLERATE")
    assert policy.attributes["RECIP"] == ("CN=a,O=b", "CN=c")
    assert policy.attributes["TOLERATE"] == 1


def test_where_has_a_filter() -> None:
    command = parse_text("DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0) CURDEPTH")
    assert command.where is not None
    assert (command.where.spec.keyword, command.where.operator, command.where.value) == ("CURDEPTH", "GT", 0)
    quoted = parse_text("dis conn(*) where(appltag lk 'My*')").where
    assert quoted is not None
    assert quoted.value == "My"
    named = parse_text("DIS CHL(*) WHERE(CHANNEL LK 'TO.*')").where
    assert named is not None
    assert named.spec.keyword == "CHANNEL"


@pytest.mark.parametrize(
    ("text", "message_id", "keyword", "word"),
    [
        ("DEFNE QL(A)", "AMQ8405I", "DEFNE", "DEFINE"),
        ("'DEFINE' QL(A)", "AMQ8405I", "DEFINE", "not a valid command"),
        ("DEFINE QLOCL(A)", "AMQ8405I", "QLOCL", "QLOCAL"),
        ("DEFINE", "AMQ8406E", "", "what to DEFINE"),
        ("", "AMQ8406E", "", "verb"),
        ("DEFINE QL", "AMQ8406E", "", "name"),
        ("DEFINE QL PUT(ENABLED)", "AMQ8405I", "QL", "name"),
        ("DEFINE QL(", "AMQ8406E", "", "not closed"),
        ("DEFINE QL()", "AMQ8405I", "QLOCAL", "no name"),
        ("DEFINE QL('')", "AMQ8424E", "QLOCAL", "blank"),
        ("DEFINE QL('A B')", "AMQ8424E", "QLOCAL", "A B"),
        ("DEFINE QL(A*)", "AMQ8424E", "QLOCAL", "name"),
        ("DEFINE QL(A B)", "AMQ8424E", "QLOCAL", "one value"),
        ("DEFINE CHANNEL(ABCDEFGHIJKLMNOPQRSTU) CHLTYPE(RCVR)", "AMQ8413E", "CHANNEL", "20"),
        ("DEFINE PSID(100)", "AMQ8412E", "PSID", "99"),
        ("DEFINE QL(A) PTU(ENABLED)", "AMQ8405I", "PTU", "PUT"),
        ("DEFINE QL(A) PUT", "AMQ8405I", "PUT", "needs a value"),
        ("DEFINE QL(A) PUT()", "AMQ8405I", "PUT", "ENABLED"),
        ("DEFINE QL(A) PUT(MAYBE)", "AMQ8405I", "PUT", "ENABLED or DISABLED"),
        ("DEFINE QL(A) MAXDEPTH(1000000000)", "AMQ8412E", "MAXDEPTH", "999999999"),
        ("DEFINE QL(A) MAXDEPTH(X)", "AMQ8412E", "MAXDEPTH", "number"),
        ("DEFINE QL(A) SHARE(YES)", "AMQ8405I", "SHARE", "stands alone"),
        ("DEFINE QL(A) SHARE NOSHARE", "AMQ8411E", "NOSHARE", "more than once"),
        ("DEFINE QL(A) PUT(ENABLED) GET(ENABLED) PUT(DISABLED)", "AMQ8411E", "PUT", "PUT"),
        ("DEFINE QL(A) DESCR(two words)", "AMQ8405I", "DESCR", "quotation"),
        ("DEFINE QL(A) DESCR('" + "x" * 65 + "')", "AMQ8413E", "DESCR", "64"),
        ("DEFINE QL(A) CURDEPTH(5)", "AMQ8405I", "CURDEPTH", "queue manager sets it"),
        ("ALTER QL(A) QSGDISP(QMGR)", "AMQ8405I", "QSGDISP", "cannot be changed"),
        ("ALTER QL(A)", "AMQ8406E", "", "attribute"),
        ("DEFINE QL(A) (B)", "AMQ8405I", "", "without a keyword"),
        ("DEFINE QL(A) 'B'", "AMQ8405I", "", "without a keyword"),
        ("DEFINE QL(A) )", "AMQ8405I", "", "without a keyword"),
        ("DEFINE CHANNEL(A) CHLTYPE(SDR) CONNAME(host(1414)) XMITQ(X)", "AMQ8405I", "", "quotation marks"),
        ("DEFINE CHANNEL(A)", "AMQ8405I", "CHLTYPE", "CHLTYPE"),
        ("DEFINE CHANNEL(A) CHLTYPE(RCVR) XMITQ(X)", "AMQ8405I", "XMITQ", "SDR"),
        ("DEFINE CHANNEL(A) CHLTYPE(MQTT)", "CSQN902E", "CHLTYPE", "MQTT"),
        ("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) TRPTYPE(LU62)", "CSQN902E", "TRPTYPE", "TCP"),
        ("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) SCYEXIT('X(Y)')", "CSQN902E", "SCYEXIT", "exit"),
        ("DEFINE QL(A) CUSTOM('OTHER(1)')", "AMQ8405I", "CUSTOM", "CAPEXPRY"),
        ("DISPLAY QL(A) PUT(DISABLED)", "AMQ8405I", "PUT", "WHERE(PUT EQ DISABLED)"),
        ("DISPLAY QL(A) NOSUCH", "AMQ8405I", "NOSUCH", "NOSUCH"),
        ("DISPLAY QL(A) NOSUCH(1)", "AMQ8405I", "NOSUCH", "NOSUCH"),
        ("DISPLAY QSTATUS(A) APPLTAG", "AMQ8405I", "APPLTAG", "HANDLE"),
        ("DISPLAY QMGR(A)", "AMQ8405I", "QMGR", "no name"),
        ("DISPLAY QL(*) WHERE", "AMQ8569E", "WHERE", "condition"),
        ("DISPLAY QL(*) WHERE(NOSUCH EQ 1)", "AMQ8569E", "NOSUCH", "NOSUCH"),
        ("DISPLAY QL(*) WHERE(CURDEPTH GT)", "AMQ8569E", "CURDEPTH", "operator"),
        ("DISPLAY QL(*) WHERE(CURDEPTH IS 1)", "AMQ8569E", "CURDEPTH", "operator"),
        ("DISPLAY QL(*) WHERE(CURDEPTH LK 'A*')", "AMQ8569E", "CURDEPTH", "operator"),
        ("DISPLAY QL(*) WHERE(DESCR LK 'A')", "AMQ8569E", "DESCR", "generic"),
        ("DISPLAY QL(*) WHERE(CURDEPTH EQ X)", "AMQ8569E", "CURDEPTH", "number"),
        ("DISPLAY QL(*) WHERE(PUT EQ 1) WHERE(GET EQ 1)", "AMQ8411E", "WHERE", "WHERE"),
        ("SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) AUTHADD(PUT)", "AMQ8405I", "PRINCIPAL|GROUP", "PRINCIPAL or GROUP"),
        ("SET AUTHREC OBJTYPE(QUEUE) PRINCIPAL(A) AUTHADD(PUT)", "AMQ8406E", "", "PROFILE"),
        ("MOVE QLOCAL(A)", "AMQ8405I", "TOQLOCAL", "TOQLOCAL"),
        ("DELETE SUB", "AMQ8406E", "", "SUBID"),
        ("SET SYSTEM STATIME(0.60)", "AMQ8412E", "STATIME", "MMMM.SS"),
        ("START QMGR", "CSQN904E", "QMGR", "kew"),
        ("RESET TPIPE(X)", "CSQN904E", "TPIPE", "IMS"),
        ("SET POLICY(Q) ENCALG(DES)", "CSQN902E", "ENCALG", "safe"),
        ("DEFINE CFSTRUCT(S) OFFLOAD(DB2)", "CSQN902E", "OFFLOAD", "shared message data sets"),
    ],
)  # fmt: skip
def test_errors_name_the_keyword_and_what_was_expected(text: str, message_id: str, keyword: str, word: str) -> None:
    error = refused(text)
    assert (error.message_id, error.keyword) == (message_id, keyword)
    assert word in error.detail + " " + error.suggestion


def test_an_error_has_its_place_in_the_input() -> None:
    reader = CommandReader()
    found = [command for line in ["* comment", "DEFINE QL(A) +", "    PUT(MAYBE)"] for command in reader.feed(line)]
    with pytest.raises(MQSCError) as caught:
        parse(found[0])
    assert (caught.value.line, caught.value.column) == (3, 9)
    assert caught.value.segment == "DEFINE QL(A) PUT(MAYBE)"


def test_an_error_prints_as_runmqsc_does() -> None:
    lines = refused("DEFINE QL(A) PTU(ENABLED)").lines()
    assert lines[0] == "AMQ8405I: Syntax error detected at or near end of command segment below:-"
    assert lines[1] == "DEFINE QL(A) PTU(ENABLED)"
    assert "Did you mean PUT?" in lines[3]
    assert "column 14" in lines[3]
    assert "AMQ8427I: Valid syntax for the MQSC command:" in lines
    assert "   [ PUT( ENABLED | DISABLED ) ]" in lines
    verbs = refused("FOO").lines()
    assert "AMQ8426I: Valid MQSC commands are:" in verbs
    assert verbs[-len(VERBS) :] == [f"   {verb}" for verb in VERBS]
    assert refused("DEFINE QL(A) MAXDEPTH(-1)").lines()[3] == "AMQ8412E: Numeric Range Error."


def test_all_duplicates_are_named() -> None:
    error = refused("DEFINE QL(A) PUT(ENABLED) GET(ENABLED) PUT(ENABLED) GET(ENABLED)")
    assert error.detail.startswith("PUT, GET")


WANTED = {
    "DEFINE": "QLOCAL QALIAS QREMOTE QMODEL CHANNEL TOPIC SUB LISTENER PROCESS NAMELIST SERVICE AUTHINFO COMMINFO "
    "STGCLASS PSID BUFFPOOL CFSTRUCT LOG",
    "ALTER": "QMGR QLOCAL QALIAS QREMOTE QMODEL CHANNEL TOPIC SUB LISTENER PROCESS NAMELIST SERVICE AUTHINFO COMMINFO "
    "STGCLASS PSID BUFFPOOL CFSTRUCT SMDS SECURITY TRACE",
    "DELETE": "QLOCAL QALIAS QREMOTE QMODEL CHANNEL TOPIC SUB LISTENER PROCESS NAMELIST SERVICE AUTHINFO COMMINFO "
    "STGCLASS PSID BUFFPOOL CFSTRUCT AUTHREC POLICY",
    "DISPLAY": "QMGR QUEUE QLOCAL QCLUSTER CHANNEL CHSTATUS TOPIC TPSTATUS SUB SBSTATUS LISTENER LSSTATUS PROCESS "
    "NAMELIST SERVICE SVSTATUS AUTHINFO COMMINFO STGCLASS PSID BUFFPOOL CFSTRUCT CFSTATUS SMDS SMDSCONN CHLAUTH "
    "AUTHREC ENTAUTH AUTHSERV POLICY QSTATUS CONN PUBSUB QMSTATUS LOG ARCHIVE USAGE THREAD TRACE SYSTEM CLUSQMGR "
    "CHINIT CMDSERV SECURITY GROUP",
    "CLEAR": "QLOCAL TOPICSTR",
    "SET": "AUTHREC CHLAUTH POLICY SYSTEM LOG ARCHIVE",
    "START": "CHANNEL CHINIT LISTENER SERVICE TRACE CMDSERV SMDSCONN",
    "STOP": "CHANNEL CHINIT LISTENER SERVICE TRACE CMDSERV SMDSCONN CONN QMGR",
    "RESET": "CHANNEL CLUSTER QMGR QSTATS CFSTRUCT SMDS",
    "RESOLVE": "CHANNEL INDOUBT",
    "REFRESH": "CLUSTER QMGR SECURITY",
    "PING": "CHANNEL QMGR",
    "BACKUP": "CFSTRUCT",
    "RECOVER": "CFSTRUCT BSDS",
    "ARCHIVE": "LOG",
    "MOVE": "QLOCAL",
    "SUSPEND": "QMGR",
    "RESUME": "QMGR",
}


@pytest.mark.parametrize("verb", WANTED)
def test_the_table_of_commands_is_complete(verb: str) -> None:
    assert sorted(set(WANTED[verb].split()) - set(COMMANDS[verb])) == []


def test_every_command_is_described_and_known_to_pcf() -> None:
    for spec in all_commands():
        assert spec.help_text.endswith("."), spec.title
        kew_only = spec.title in ("END", "DISPLAY PSID", "DISPLAY BUFFPOOL")
        assert bool(spec.pcf) != kew_only, spec.title
        for keyword in spec.selectors:
            assert spec.family is not None
            assert spec.family.find(keyword) is not None, keyword
        for keyword in spec.required:
            assert any(word in spec.by_word or word in spec.selectors for word in keyword.split("|")), spec.title


def test_a_command_shows_itself() -> None:
    assert "DEFINE QLOCAL" in repr(parse_text("DEFINE QL(A) PUT(ENABLED)"))
    assert isinstance(parse_text("PING QMGR"), Command)
    assert parse_text("START CHANNEL(A)").spec.done == "AMQ8018I"
    assert parse_text("DIS CHL(A) CHLTYPE(SVRCONN)").options["CHLTYPE"] == c.MQCHT_SVRCONN
