"""Values as PCF parameters."""

from kew.codes import attributes as a
from kew.formats import pcf
from kew.objects.parameters import to_parameters
from kew.objects.schema import object_type


def test_each_form_of_value_has_its_structure() -> None:
    queue = object_type("QLOCAL")
    assert to_parameters(queue["MAXDEPTH"], 5) == [pcf.Integer(a.MQIA_MAX_Q_DEPTH, 5)]
    assert to_parameters(queue["DESCR"], "é") == [pcf.String(a.MQCA_Q_DESC, "é".encode().ljust(64), 1208)]
    status = object_type("CHSTATUS")
    assert to_parameters(status["BYTSSENT"], 2**40) == [pcf.Integer64(a.MQIACH_BYTES_SENT, 2**40)]
    names = object_type("NAMELIST")["NAMES"]
    assert to_parameters(names, ()) == [pcf.StringList(a.MQCA_NAMES, [], 1208)]
    assert to_parameters(names, ("A", "B")) == [pcf.StringList(a.MQCA_NAMES, [b"A".ljust(48), b"B".ljust(48)], 1208)]
    topic = object_type("TOPIC")["TOPICSTR"]  # too long to be a field of its own
    assert to_parameters(topic, "a/b") == [pcf.String(a.MQCA_TOPIC_STRING, b"a/b", 1208)]
    assert to_parameters(object_type("SUB")["SUBID"], bytes(24)) == [pcf.ByteString(a.MQBACF_SUB_ID, bytes(24))]
    compression = object_type("SVRCONN")["COMPMSG"]
    assert to_parameters(compression, (1, 2)) == [pcf.IntegerList(a.MQIACH_MSG_COMPRESSION, [1, 2])]
    assert len(to_parameters(object_type("SYSTEM")["STATIME"], 65)) == 2
    assert to_parameters(object_type("TRACE")["COMMENT"], "x") == []
