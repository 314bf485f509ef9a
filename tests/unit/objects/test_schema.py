"""The table agrees with itself, and has what the reports and slides name."""

import pytest

from kew.codes import attributes as a
from kew.codes import channels as c
from kew.objects import schema
from kew.objects.schema import FAMILIES, OBJECT_TYPES, AttributeSpec, ObjectType, family, object_type
from kew.objects.schema.values import BadValue, Choice, Flag

ALL = list(OBJECT_TYPES.values())
ASKED_FOR = """
QMGR QLOCAL QALIAS QREMOTE QMODEL TOPIC SUB SVRCONN CLNTCONN SDR RCVR SVR RQSTR CLUSSDR CLUSRCVR LISTENER PROCESS
NAMELIST SERVICE IDPWOS IDPWLDAP CRLLDAP OCSP COMMINFO STGCLASS PSID BUFFPOOL CFSTRUCT AUTHREC POLICY QSTATUS CHSTATUS
CONN LSSTATUS TPSTATUS SBSTATUS PUBSUB QMSTATUS LOG USAGE THREAD TRACE SYSTEM SMDS CLUSQMGR ADDRESSMAP BLOCKUSER
BLOCKADDR SSLPEERMAP USERMAP QMGRMAP
"""
LOCAL_QUEUE = """
STGCLASS INDXTYPE CFSTRUCT QSGDISP STREAMQ STRMQOS CUSTOM STATQ MONQ ACCTQ TRIGGER DEFPRESP DEFREADA PROPCTL NPMCLASS
MAXFSIZE SCOPE DISTL CLUSTER CLUSNL DEFBIND CLWLRANK CLWLPRTY CLWLUSEQ BOTHRESH BOQNAME HARDENBO QDEPTHHI QDEPTHLO
QDPHIEV QDPLOEV QDPMAXEV QSVCINT QSVCIEV RETINTVL PROCESS INITQ TRIGTYPE TRIGMPRI TRIGDPTH TRIGDATA USAGE SHARE DEFSOPT
MSGDLVSQ PUT GET DEFPSIST DEFPRTY MAXDEPTH MAXMSGL IMGRCOVQ DESCR CURDEPTH IPPROCS OPPROCS ALTDATE ALTTIME CRDATE
CRTIME CAPEXPRY PSID CLCHNAME DEFTYPE
"""


@pytest.mark.parametrize("name", ASKED_FOR.split())
def test_every_type_is_there(name: str) -> None:
    assert object_type(name).attributes
    assert object_type(name.lower()) is object_type(name)


def test_local_queues_have_the_attributes_of_both_worlds() -> None:
    assert sorted(set(LOCAL_QUEUE.split()) - set(object_type("QL").by_keyword)) == []


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.name)
def test_words_and_identifiers_are_unambiguous(kind: ObjectType) -> None:
    keywords = [spec.keyword for spec in kind.attributes]
    assert len(set(keywords)) == len(keywords)
    words = [word for spec in kind.attributes for word in spec.words]
    assert len(set(words)) == len(words)
    identifiers = [spec.pcf for spec in kind.attributes if spec.pcf]
    assert len(set(identifiers)) == len(identifiers)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.name)
def test_rows_are_complete(kind: ObjectType) -> None:
    assert kind.help_text.endswith(".")
    assert kind.message_id[:3] in ("AMQ", "CSQ")
    for spec in kind.attributes:
        assert spec.help_text.endswith((".", ",")), spec.keyword
        assert spec.keyword == spec.keyword.upper()
        assert len(spec.keyword) <= 10
        assert spec.role in (schema.SET, schema.DEFINE, schema.KEEP, schema.LIVE)
        if spec.definable and kind.name not in ("LOG", "SYSTEM", "ARCHIVE"):
            assert spec.pcf, spec.keyword
    for keyword in kind.always:
        assert keyword in kind


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind.status], ids=lambda kind: kind.name)
def test_status_is_not_defined(kind: ObjectType) -> None:
    assert [spec for spec in kind.attributes if spec.role in (schema.DEFINE, schema.KEEP)] == []


def test_families_join_their_types() -> None:
    queues = family("QUEUE")
    assert [kind.name for kind in queues.types] == ["QLOCAL", "QALIAS", "QREMOTE", "QMODEL"]
    assert queues.find("targq") is object_type("QALIAS")["TARGET"]
    assert queues.find("NOSHARE") is object_type("QLOCAL")["SHARE"]
    assert queues.find("NOSUCH") is None
    assert family("channel").by_label["SDR"] is object_type("SDR")
    assert family("CHANNEL").by_subtype[c.MQCHT_SVRCONN] is object_type("SVRCONN")
    assert family("QMGR").groups() == ["SYSTEM", "CHINIT", "EVENT", "CLUSTER", "PUBSUB"]
    with pytest.raises(KeyError):
        object_type("NOSUCH")
    with pytest.raises(KeyError):
        family("NOSUCH")


def test_defaults_are_those_of_a_new_queue_manager() -> None:
    queue = object_type("QLOCAL")
    shown = {
        keyword: queue[keyword].format(queue[keyword].default) for keyword in ("MAXDEPTH", "PUT", "STRMQOS", "STATQ")
    }
    assert shown == {"MAXDEPTH": "5000", "PUT": "ENABLED", "STRMQOS": "BESTEF", "STATQ": "QMGR"}
    assert queue["SHARE"].format(queue["SHARE"].default) == "SHARE"
    assert object_type("QMODEL")["SHARE"].format(object_type("QMODEL")["SHARE"].default) == "NOSHARE"
    assert object_type("SVRCONN")["DISCINT"].default == 0
    assert object_type("SDR")["DISCINT"].default == 6000
    assert object_type("SVRCONN")["SHARECNV"].default == 10
    assert object_type("BUFFPOOL")["LOCATION"].default == a.MQBPLOCATION_ABOVE
    structure = object_type("CFSTRUCT")
    rules = [
        structure[keyword].format(structure[keyword].default)
        for keyword in structure.by_keyword
        if keyword.startswith("OFFLD")
    ]
    assert rules == ["70", "32K", "80", "4K", "90", "0K"]
    assert object_type("SYSTEM")["ACCTIME"].default == -1


def test_channel_types_have_what_they_use() -> None:
    assert "XMITQ" in object_type("SDR")
    assert "XMITQ" not in object_type("RCVR")
    assert "SHARECNV" in object_type("CLNTCONN")
    assert "SHARECNV" not in object_type("SDR")
    assert "CLUSTER" in object_type("CLUSRCVR")
    assert "CLUSTER" not in object_type("SVRCONN")


def test_roles_say_who_sets_an_attribute() -> None:
    queue = object_type("QLOCAL")
    assert queue["PUT"].definable
    assert queue["PUT"].alterable
    assert queue["QSGDISP"].definable
    assert not queue["QSGDISP"].alterable
    assert queue["ALTDATE"].stored
    assert not queue["ALTDATE"].definable
    assert not queue["CURDEPTH"].stored
    assert queue["USAGE"].change == schema.EMPTY
    assert queue["SHARE"].change == schema.FORCE
    assert object_type("SDR")["BATCHSZ"].change == schema.RESTART


def test_what_kew_does_not_do_is_refused_with_a_reason() -> None:
    exits = object_type("SVRCONN")["SCYEXIT"]
    exits.check("")
    with pytest.raises(BadValue, match="exit"):
        exits.parse("BLOCKIP2(BLOCKIP2)")
    with pytest.raises(BadValue, match="TCP"):
        object_type("SDR")["TRPTYPE"].parse("LU62")
    for kind in ALL:
        for spec in kind.attributes:
            assert not spec.refused.endswith("."), spec.keyword


def test_attributes_show_and_define_themselves() -> None:
    queue = object_type("QLOCAL")
    assert queue["PUT"].show(a.MQQA_PUT_INHIBITED) == "PUT(DISABLED)"
    assert queue["DESCR"].show("") == "DESCR( )"
    assert queue["DESCR"].define("it's") == "DESCR('it''s')"
    assert queue["TRIGGER"].show(a.MQTC_OFF) == "NOTRIGGER"
    assert queue["TRIGGER"].define(a.MQTC_ON) == "TRIGGER"
    assert queue["PUT"].to_pcf(1) == {a.MQIA_INHIBIT_PUT: 1}
    assert queue["PUT"].from_pcf({a.MQIA_INHIBIT_PUT: 1}) == 1
    with pytest.raises(BadValue):
        queue["PUT"].from_pcf({a.MQIA_INHIBIT_PUT: 7})
    assert queue.by_pcf[a.MQCA_STREAM_QUEUE_NAME] is queue["STREAMQ"]


@pytest.mark.parametrize(
    ("type_name", "keyword", "word", "value"),
    [
        ("QLOCAL", "INDXTYPE", "CORRELID", a.MQIT_CORREL_ID),
        ("QLOCAL", "DEFREADA", "YES", a.MQREADA_YES),
        ("QLOCAL", "STRMQOS", "MUSTDUP", a.MQST_MUST_DUP),
        ("QMGR", "EXPRYINT", "OFF", 0),
        ("QMGR", "STATQ", "ON", a.MQMON_ON),
        ("SDR", "NPMSPEED", "NORMAL", c.MQNPMS_NORMAL),
        ("SVRCONN", "COMPMSG", "LZ4FAST,ZLIBHIGH", (c.MQCOMPRESS_LZ4FAST, c.MQCOMPRESS_ZLIBHIGH)),
        ("SVRCONN", "SSLCAUTH", "OPTIONAL", c.MQSCA_OPTIONAL),
        ("CFSTRUCT", "OFFLOAD", "SMDS", a.MQCFOFFLD_SMDS),
        ("POLICY", "KEYREUSE", "UNLIMITED", -1),
    ],
)
def test_values_the_reports_use(type_name: str, keyword: str, word: str, value: int) -> None:
    assert object_type(type_name)[keyword].read(word) == value


def test_enumerations_have_one_keyword_for_each_value() -> None:
    seen: set[int] = set()
    for kind in ALL:
        for spec in kind.attributes:
            if isinstance(spec.kind, Choice) and id(spec.kind) not in seen:
                seen.add(id(spec.kind))
                for value, word in spec.kind.names.items():
                    assert spec.kind.words[word] == value
                assert all(target in spec.kind.words for target in spec.kind.synonyms.values())
                if isinstance(spec.kind, Flag):
                    assert len(spec.kind.words) >= 1


def test_every_family_names_its_types_apart() -> None:
    for name, members in FAMILIES.items():
        assert len(members.by_label) == len(members.types), name
        if len(members.types) > 1:
            assert members.type_keyword, name
            assert len(members.by_subtype) == len(members.types), name


def test_a_spec_can_be_made_by_hand() -> None:
    spec = AttributeSpec("COLOUR", 0, Choice({"RED": 1}), 1, "Colour.")
    assert spec.words == ("COLOUR",)
    assert spec.parse("red") == 1
