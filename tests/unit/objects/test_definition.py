"""Definitions hold a checked value for every stored attribute."""

import pytest

from kew.codes import attributes as a
from kew.objects.definition import Definition
from kew.objects.schema import object_type
from kew.objects.schema.values import BadValue


def test_a_definition_is_complete() -> None:
    queue = Definition.of("QL", "APP.Q", {"PUT": "DISABLED", "MAXDEPTH": "10"})
    assert queue.integer("PUT") == a.MQQA_PUT_INHIBITED
    assert queue.integer("MAXDEPTH") == 10
    assert queue.text("STREAMQ") == ""
    assert queue["GET"] == a.MQQA_GET_ALLOWED
    assert "CURDEPTH" not in queue.values
    assert "ALTDATE" in queue.values
    assert [spec.keyword for spec in queue.changed()] == ["MAXDEPTH", "PUT"]
    assert repr(queue) == "Definition(QLOCAL 'APP.Q' MAXDEPTH(10) PUT(DISABLED))"


def test_lists_come_back_as_lists() -> None:
    names = Definition.of("NAMELIST", "N", {"NAMES": "A,B"})
    assert names.texts("NAMES") == ("A", "B")
    channel = Definition.of("SVRCONN", "C", {"COMPMSG": "RLE,NONE"})
    assert channel.numbers("COMPMSG") == (1, 0)


def test_bad_values_and_keywords_are_refused() -> None:
    with pytest.raises(BadValue):
        Definition(object_type("QL"), "Q", {"MAXDEPTH": -1})
    with pytest.raises(KeyError):
        Definition(object_type("QREMOTE"), "Q", {"MAXDEPTH": 1})


def test_altering_copies() -> None:
    queue = Definition.of("QL", "Q")
    deep = queue.altered({"MAXDEPTH": 7})
    assert (queue.integer("MAXDEPTH"), deep.integer("MAXDEPTH")) == (5000, 7)
    assert deep != queue
    assert deep.altered({"MAXDEPTH": 5000}) == queue
    assert deep.named("R").name == "R"
    assert deep.named("R").values == deep.values
    assert hash(deep) == hash(queue)
    assert queue != "Q"
    with pytest.raises(BadValue):
        queue.altered({"PUT": 9})
