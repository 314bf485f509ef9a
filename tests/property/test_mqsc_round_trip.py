"""What is printed reads back as the same: every kind of value, whole objects, by MQSC and by PCF."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.definitions import accepted, definitions, values
from tests.support.pcf import plain

from kew.commands.mqsc import printer
from kew.commands.mqsc.lexer import LINE_LIMIT, CommandReader, tokens
from kew.commands.mqsc.parser import parse
from kew.formats import pcf
from kew.formats.binary import BIG, LITTLE
from kew.objects.definition import Definition
from kew.objects.parameters import to_parameters
from kew.objects.schema import OBJECT_TYPES, AttributeSpec
from kew.objects.schema.texts import Text
from kew.objects.schema.values import Flag, ListOf, Value

ATTRIBUTES = [spec for kind in OBJECT_TYPES.values() for spec in kind.attributes]
KINDS = list({id(spec.kind): spec for spec in ATTRIBUTES}.values())


@st.composite
def held(draw: st.DrawFn) -> tuple[AttributeSpec, Value]:
    spec = draw(st.sampled_from(KINDS))
    return spec, draw(values(spec.kind))


@given(held())
@settings(max_examples=600)
def test_what_define_prints_reads_back(pair: tuple[AttributeSpec, Value]) -> None:
    spec, value = pair
    words = [token.text for token in tokens(spec.kind.define(value))]
    assert spec.kind.parse(words) == value


@given(held())
@settings(max_examples=600)
def test_what_display_prints_reads_back(pair: tuple[AttributeSpec, Value]) -> None:
    spec, value = pair
    if isinstance(spec.kind, ListOf) and isinstance(spec.kind.item, Text):
        return  # texts in a list may hold the comma that DISPLAY joins them with
    assert spec.kind.read(spec.format(value)) == value


@given(held(), st.sampled_from([LITTLE, BIG]))
@settings(max_examples=600)
def test_pcf_carries_every_value(pair: tuple[AttributeSpec, Value], order: str) -> None:
    spec, value = pair
    if spec.refused or not spec.pcf:
        return
    sent = pcf.encode(pcf.PCFMessage(pcf.Header(), to_parameters(spec, value)), order)
    assert spec.from_pcf(plain(pcf.decode(sent))) == value


def read_back(lines: list[str]) -> Definition:
    reader = CommandReader()
    found = [command for line in lines for command in reader.feed(line)]
    assert len(found) == 1
    assert not reader.open
    return parse(found[0]).definition()


@given(definitions())
@settings(max_examples=400, deadline=None)
def test_an_object_printed_as_its_command_reads_back(definition: Definition) -> None:
    lines = printer.define(definition)
    assert max(len(line) for line in lines) <= LINE_LIMIT
    if definition.kind.name == "QMGR":
        reader = CommandReader()
        command = parse(next(command for line in lines for command in reader.feed(line)))
        assert Definition(definition.kind, definition.name, command.attributes) == definition
    else:
        assert read_back(lines) == definition


@given(definitions())
@settings(max_examples=200, deadline=None)
def test_an_object_travels_by_pcf(definition: Definition) -> None:
    kind = definition.kind
    parameters = [
        one for spec in kind.attributes if spec.stored for one in to_parameters(spec, definition[spec.keyword])
    ]
    received = plain(pcf.decode(pcf.encode(pcf.PCFMessage(pcf.Header(), parameters))))
    carried: dict[str, Value] = {}
    for spec in kind.attributes:
        if spec.stored and spec.pcf:
            value = spec.from_pcf(received)
            assert value is not None
            carried[spec.keyword] = value
    assert Definition(kind, definition.name, carried) == definition


@given(definitions())
@settings(max_examples=200, deadline=None)
def test_json_holds_every_attribute(definition: Definition) -> None:
    kind = definition.kind
    shown = json.loads(printer.to_json(kind, definition.name, definition.values, kind.attributes))
    for spec in kind.attributes:
        assert spec.keyword in shown
        value = definition.values.get(spec.keyword)
        if isinstance(value, int) and not isinstance(spec.kind, Flag) and isinstance(shown[spec.keyword], int):
            assert shown[spec.keyword] == value


def test_every_default_is_a_value_of_its_attribute() -> None:
    for spec in ATTRIBUTES:
        spec.check(spec.default)
        words = [token.text for token in tokens(spec.kind.define(spec.default))]
        assert spec.kind.parse(words) == spec.default, spec.keyword


@given(st.data())
def test_refused_attributes_take_their_default_only(data: st.DataObject) -> None:
    spec = data.draw(st.sampled_from([spec for spec in ATTRIBUTES if spec.refused]))
    assert data.draw(accepted(spec)) == spec.default
