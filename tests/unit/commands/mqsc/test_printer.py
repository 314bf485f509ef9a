"""Replies look as runmqsc's do."""

import json

from kew.codes import attributes as a
from kew.commands.mqsc import printer
from kew.commands.mqsc.lexer import LINE_LIMIT, CommandReader
from kew.commands.mqsc.parser import parse, parse_text
from kew.objects.definition import Definition
from kew.objects.schema import object_type
from kew.objects.schema.values import Value


def shown(definition: Definition, command: str, live: dict[str, Value] | None = None) -> list[str]:
    kind = definition.kind
    specs = printer.wanted(parse_text(command), kind)
    return printer.details(kind, definition.name, {**definition.values, **(live or {})}, specs)


def test_two_columns() -> None:
    assert printer.columns(["QUEUE(A)", "TYPE(QLOCAL)", "CURDEPTH(0)"]) == [
        "   QUEUE(A)                                TYPE(QLOCAL)",
        "   CURDEPTH(0)",
    ]


def test_a_long_item_has_a_line_of_its_own() -> None:
    exact = "LISTENER(SYSTEM.DEFAULT.LISTENER.TCP)"
    assert len(exact) == 37
    assert printer.columns([exact, "CONTROL(MANUAL)"]) == [f"   {exact}   CONTROL(MANUAL)"]
    long = "CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)"
    assert printer.columns(["QMNAME(QM)", long, "DEADQ( )"]) == ["   QMNAME(QM)", f"   {long}", "   DEADQ( )"]
    assert printer.columns([]) == []


def test_a_queue_is_shown_whole_unless_its_name_is_generic() -> None:
    queue = Definition.of("QL", "APP.Q", {"DESCR": "A comment that is long enough for a line of its own"})
    lines = shown(queue, "DISPLAY QL(APP.Q)", {"CURDEPTH": 7})
    assert lines[0] == "AMQ8409I: Display Queue details."
    assert lines[1] == "   QUEUE(APP.Q)                            TYPE(QLOCAL)"
    assert any("CURDEPTH(7)" in line for line in lines)
    assert "   DESCR(A comment that is long enough for a line of its own)" in lines
    assert not any("CLUSQMGR" in line for line in lines)
    assert any("CLUSQMGR" in line for line in shown(queue, "DISPLAY QL(APP.Q) ALL"))
    assert shown(queue, "DISPLAY Q(APP.*)") == lines[:2]


def test_what_is_asked_for_comes_in_the_tables_order() -> None:
    queue = Definition.of("QL", "Q", {})
    assert shown(queue, "DIS QL(Q) PUT DEFPSIST NOTRIGGER", {}) == [
        "AMQ8409I: Display Queue details.",
        "   QUEUE(Q)                                TYPE(QLOCAL)",
        "   DEFPSIST(NO)                            NOTRIGGER",
        "   PUT(ENABLED)",
    ]
    assert shown(queue, "DIS QL(*) WHERE(MAXDEPTH GT 1) STGCLASS(DEFAULT)")[2] == (
        "   MAXDEPTH(5000)                          STGCLASS(DEFAULT)"
    )
    assert any("CLUSDATE" in line for line in shown(queue, "DIS QL(Q) CLUSINFO"))


def test_the_queue_manager_has_no_type() -> None:
    manager = Definition.of("QMGR", "QM1", {"DEADQ": "DLQ"})
    assert shown(manager, "DISPLAY QMGR DEADQ CHLAUTH") == [
        "AMQ8408I: Display Queue Manager details.",
        "   QMNAME(QM1)                             CHLAUTH(ENABLED)",
        "   DEADQ(DLQ)",
    ]


def test_queue_manager_attributes_keep_their_familiar_order() -> None:
    known = """ACCTCONO ACCTINT ACCTMQI ACCTQ ACTIVREC ACTVCONO ACTVTRC ADVCAP ALTDATE ALTTIME AMQPCAP AUTHOREV CCSID
    CERTLABL CERTVPOL CHAD CHADEV CHADEXIT CHLEV CHLAUTH CLWLDATA CLWLEXIT CLWLLEN CLWLMRUC CLWLUSEQ CMDEV CMDLEVEL
    COMMANDQ CONFIGEV CONNAUTH CRDATE CRTIME CUSTOM DEADQ DEFCLXQ DEFXMITQ DESCR DISTL IMGINTVL IMGLOGLN IMGRCOVO
    IMGRCOVQ IMGSCHED INHIBTEV INITKEY IPADDRV LOCALEV LOGGEREV MARKINT MAXHANDS MAXMSGL MAXPROPL MAXPRTY MAXUMSGS
    MONACLS MONCHL MONQ PARENT PERFMEV PLATFORM PSMODE PSCLUS PSNPMSG PSNPRES PSRTYCNT PSSYNCPT QMID REMOTEEV REPOS
    REPOSNL REVDNS ROUTEREC SCHINIT SCMDSERV SPLCAP SSLCRLNL SSLCRYP SSLEV SSLFIPS KEYRPWD SSLKEYR SSLRKEYC STATACLS
    STATCHL STATINT STATMQI STATQ STRSTPEV SUITEB SYNCPT TREELIFE TRIGINT VERSION XRCAP"""
    ours = list(object_type("QMGR").by_keyword)
    assert [keyword for keyword in ours if keyword in known.split()] == known.split()


def test_channel_attributes_keep_their_familiar_order() -> None:
    sender = """ALTDATE ALTTIME BATCHHB BATCHINT BATCHLIM BATCHSZ CERTLABL COMPHDR COMPMSG CONNAME CONVERT DESCR DISCINT
    HBINT KAINT LOCLADDR LONGRTY LONGTMR MAXMSGL MCANAME MCATYPE MCAUSER MODENAME MONCHL MSGDATA MSGEXIT NPMSPEED
    PASSWORD PROPCTL RCVDATA RCVEXIT RESETSEQ SCYDATA SCYEXIT SENDDATA SENDEXIT SEQWRAP SHORTRTY SHORTTMR SSLCIPH
    SSLPEER STATCHL TPNAME TRPTYPE USEDLQ USERID XMITQ"""
    ours = list(object_type("SDR").by_keyword)
    assert [keyword for keyword in ours if keyword in sender.split()] == sender.split()
    server = """ALTDATE ALTTIME CERTLABL COMPHDR COMPMSG DESCR DISCINT HBINT KAINT MAXINST MAXINSTC MAXMSGL MCAUSER
    MONCHL RCVDATA RCVEXIT SCYDATA SCYEXIT SENDDATA SENDEXIT SHARECNV SSLCAUTH SSLCIPH SSLPEER TRPTYPE"""
    ours = list(object_type("SVRCONN").by_keyword)
    assert [keyword for keyword in ours if keyword in server.split()] == server.split()


def test_status_not_known_is_blank() -> None:
    kind = object_type("QSTATUS")
    command = parse_text("DIS QSTATUS(Q)")
    values: dict[str, Value] = {"CURDEPTH": 1, "QTIME": (-1, -1), "MSGAGE": -1, "LGETDATE": "", "MONQ": a.MQMON_OFF}
    lines = printer.details(kind, "Q", values, printer.wanted(command, kind))
    assert lines[1] == "   QUEUE(Q)                                TYPE(QUEUE)"
    text = "\n".join(lines)
    for item in ("CURDEPTH(1)", "QTIME( , )", "MSGAGE( )", "LGETDATE( )", "MONQ(OFF)", "IPPROCS( )"):
        assert item in text


def test_channel_status_shows_little_unless_asked() -> None:
    kind = object_type("CHSTATUS")
    values: dict[str, Value] = {
        "CHLTYPE": 7,
        "CONNAME": "10.0.0.1",
        "CURRENT": 1011,
        "STATUS": a.MQCHS_RUNNING,
        "SUBSTATE": a.MQCHSSTATE_RECEIVING,
    }
    lines = printer.details(kind, "APP.SVRCONN", values, printer.wanted(parse_text("DIS CHS(APP.SVRCONN)"), kind))
    assert lines[:4] == [
        "AMQ8417I: Display Channel Status details.",
        "   CHANNEL(APP.SVRCONN)                    CHLTYPE(SVRCONN)",
        "   CONNAME(10.0.0.1)                       CURRENT",
        "   RQMNAME( )                              STATUS(RUNNING)",
    ]


def test_a_connection_shows_its_type_after_its_long_identifier() -> None:
    kind = object_type("CONN")
    values: dict[str, Value] = {"EXTCONN": bytes.fromhex("414D5143514D31202020202020202020")}
    lines = printer.details(kind, "6147BA6800DD0740", values, printer.wanted(parse_text("DIS CONN(*)"), kind))
    assert lines == [
        "AMQ8276I: Display Connection details.",
        "   CONN(6147BA6800DD0740)",
        "   EXTCONN(414D5143514D31202020202020202020)",
        "   TYPE(CONN)",
    ]


def test_names_of_a_list_have_a_line_each() -> None:
    names = Definition.of("NAMELIST", "N", {"NAMES": "SYSTEM.A,SYSTEM.B"})
    lines = shown(names, "DIS NL(N) NAMES NAMCOUNT", {"NAMCOUNT": 2})
    assert lines[1:] == [
        "   NAMELIST(N)                             NAMCOUNT(2)",
        "   NAMES(SYSTEM.A",
        "        ,SYSTEM.B)",
    ]


def test_passwords_are_never_shown() -> None:
    manager = Definition.of("QMGR", "QM1", {"KEYRPWD": "secret"})
    assert "secret" not in "\n".join(shown(manager, "DISPLAY QMGR"))
    assert "KEYRPWD(********)" in "\n".join(shown(manager, "DISPLAY QMGR"))
    assert "secret" not in printer.to_json(manager.kind, "QM1", manager.values, manager.kind.attributes)


def test_system_parameters_show_old_and_new() -> None:
    lines = printer.report(object_type("SYSTEM"), {"STATIME": 1800, "ACCTIME": -1}, {"STATIME": 5})
    assert lines[0] == "CSQJ322I: DISPLAY SYSTEM report ..."
    assert " STATIME     30.00                       0.05" in lines
    assert " ACCTIME     -1" in lines
    assert lines[-1] == " End of SYSTEM report"


def test_define_makes_the_same_object_again() -> None:
    queue = Definition.of("QL", "Mixed", {"DESCR": "it's", "SHARE": "NOSHARE"})
    lines = printer.define(queue)
    assert lines[0] == "DEFINE QLOCAL('Mixed') +"
    assert "   DESCR('it''s') +" in lines
    assert "   NOSHARE +" in lines
    assert lines[-1] == "   REPLACE"
    assert printer.define(queue, replace=False)[-1] == "   USAGE(NORMAL)"
    assert printer.define(Definition.of("SDR", "C"))[1] == "   CHLTYPE(SDR) +"
    assert printer.define(Definition.of("QMGR", "QM"))[0] == "ALTER QMGR +"
    record = printer.define(Definition.of("ADDRESSMAP", "*", {"ADDRESS": "*", "USERSRC": "NOACCESS"}))
    assert record[0] == "SET CHLAUTH('*') +"
    assert record[1] == "   TYPE(ADDRESSMAP) +"
    assert record[-1] == "   ACTION(REPLACE)"
    authority = printer.define(Definition.of("AUTHREC", "DEV.**", {"ENTITY": "app", "AUTHLIST": "PUT,GET"}))
    assert authority == [
        "SET AUTHREC PROFILE('DEV.**') +",
        "   PRINCIPAL('app') +",
        "   OBJTYPE(QUEUE) +",
        "   AUTHADD(PUT,GET)",
    ]


def test_long_values_are_cut_where_they_can_be_joined() -> None:
    for filler in ("x", "*", " ", "+", "-", "'", "x *"):
        selector = "a" + filler * (9000 // len(filler)) + "z"
        sub = Definition.of("SUB", "S", {"SELECTOR": selector[:10000], "TOPICSTR": "t"})
        lines = printer.define(sub)
        assert max(len(line) for line in lines) <= LINE_LIMIT
        reader = CommandReader()
        found = [command for line in lines for command in reader.feed(line)]
        assert [parse(command).definition() for command in found] == [sub], filler


def test_json_has_numbers_and_keywords() -> None:
    queue = Definition.of("QL", "Q", {"MAXDEPTH": "9"})
    line = printer.to_json(queue.kind, "Q", {**queue.values, "CURDEPTH": 3}, queue.kind.attributes)
    found = json.loads(line)
    assert found["QUEUE"] == "Q"
    assert found["TYPE"] == "QLOCAL"
    assert found["MAXDEPTH"] == 9
    assert found["CURDEPTH"] == 3
    assert found["PUT"] == "ENABLED"
    assert found["DESCR"] == ""
    assert found["IPPROCS"] is None


def test_echo_and_counts() -> None:
    assert printer.echo("DIS QMGR", 1) == "     1 : DIS QMGR"
    assert printer.echo("* comment") == "       : * comment"
    assert printer.summary(1, 0, 0) == [
        "One MQSC command read.",
        "No commands have a syntax error.",
        "All valid MQSC commands were processed.",
    ]
    assert printer.summary(3, 1, 1) == [
        "3 MQSC commands read.",
        "One command has a syntax error.",
        "One valid MQSC command could not be processed.",
    ]
    assert printer.summary(5, 2, 2)[1:] == [
        "2 commands have a syntax error.",
        "2 valid MQSC commands could not be processed.",
    ]
    assert printer.summary(0, 0, 0)[0] == "No MQSC commands read."
