"""The two packages against a table of what the packages of IBM and of the pymqi project offer.

The tables in tests/data/faces were taken from ibmmq 2.1.2 and pymqi 1.12.13 by introspection: names, signatures,
defaults, the fields of structures, and the number and digest of constants.
"""

import hashlib
import importlib
import inspect
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "data" / "faces"
PACKAGES = ("ibmmq", "pymqi")
FACTS: dict[str, Any] = {name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in PACKAGES}


def package(name: str) -> ModuleType:
    return importlib.import_module(f"kew.{name}")


def signature(function: Any) -> str:
    marks: dict[Any, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*",
        inspect.Parameter.VAR_KEYWORD: "**",
    }
    parts = []
    for parameter in inspect.signature(function).parameters.values():
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        parts.append(f"{marks.get(parameter.kind, '')}{parameter.name}{default}")
    return f"({', '.join(parts)})"


def described(kind: type[Any], name: str) -> str:
    member = inspect.getattr_static(kind, name)
    if isinstance(member, property):
        return "property"
    if isinstance(member, staticmethod):
        return "staticmethod" + signature(member.__func__)
    return signature(member) if callable(member) else "value"


def rows(part: str) -> list[tuple[str, str]]:
    return [(face, name) for face in PACKAGES for name in FACTS[face][part]]


@pytest.mark.parametrize(("face", "name"), rows("functions"))
def test_functions(face: str, name: str) -> None:
    assert signature(getattr(package(face), name)) == FACTS[face]["functions"][name]


@pytest.mark.parametrize(("face", "name"), rows("classes"))
def test_classes(face: str, name: str) -> None:
    kind = getattr(package(face), name)
    expected = FACTS[face]["classes"][name]
    assert {member: described(kind, member) for member in expected["members"]} == expected["members"]
    names = [base.__name__ for base in kind.__mro__]
    assert set(expected["bases"]) <= set(names)


def shown(value: Any) -> Any:
    if isinstance(value, list):
        return [shown(each) for each in value]
    return "b" + value.hex() if isinstance(value, bytes) else value


@pytest.mark.parametrize(("face", "name"), rows("structures"))
def test_structures(face: str, name: str) -> None:
    structure = getattr(package(face), name)()
    expected = FACTS[face]["structures"][name]
    fields = [[field.name, shown(field.default), field.form] for field in structure._layout.fields]
    assert fields == expected["fields"]
    assert structure.get_length() == expected["length"]
    assert len(structure.pack()) == expected["length"]


@pytest.mark.parametrize(("face", "name"), rows("constants"))
def test_constants(face: str, name: str) -> None:
    expected = FACTS[face]["constants"][name]
    module = importlib.import_module(f"kew.{face}.{name}")
    # A newer set of constants is offered: what the package has must be there, with its value.
    found = {each: getattr(module, each) for each in expected["names"].split()}
    assert len(found) == expected["count"]
    every = FACTS[face]["constants"].values()
    known = {each for facts in every for each in f"{facts['names']} {facts.get('only_here', '')}".split()}
    for each, names in found.items():
        if isinstance(names, dict):
            found[each] = {value: of for value, of in names.items() if of in known}
    text = "\n".join(
        f"{each}={sorted(found[each].items()) if isinstance(found[each], dict) else found[each]!r}"
        for each in sorted(found)
    )
    assert hashlib.sha256(text.encode()).hexdigest() == expected["sha256"]


def test_value_name_list_is_of_the_constants() -> None:
    from kew.ibmmq import CMQC, CMQSTRC

    entry = {"value": CMQC.MQRC_NO_MSG_AVAILABLE, "name": "MQRC_NO_MSG_AVAILABLE"}
    assert entry in CMQSTRC.MQI_VALUE_NAME_LIST


def test_what_else_programs_ask_for() -> None:
    ibmmq, pymqi = package("ibmmq"), package("pymqi")
    assert ibmmq.get_versions() == {"module": "2.1.2", "MQ": 1001}
    assert ibmmq.__version__ == "2.1.2"
    assert pymqi.__version__ == "1.12.11"
    assert "8.0.0" in pymqi.__mqlevels__
    assert importlib.import_module("kew.pymqi.const").MQOO_OUTPUT == 16
    assert ibmmq.to_string(b"QM1   \0\0") == "QM1"
    assert ibmmq.to_string(b"\xff\xfe") == b"\xff\xfe"
    assert ibmmq.is_unicode("x")
    assert not pymqi.is_unicode(b"x")
    assert pymqi.py23long(5) == 5
