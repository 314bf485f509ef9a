"""Message properties of the command line: parsed from NAME=VALUE, and put into MQRFH2 folders."""

from typing import Final

from kew.codes.options import MQTYPE_BOOLEAN, MQTYPE_FLOAT64, MQTYPE_INT32, MQTYPE_INT64, MQTYPE_STRING
from kew.formats.mqrfh2 import RulesHeader
from kew.formats.properties import Property, folders_of, value_of
from kew.formats.propertynames import is_name

TYPES: Final = {
    "string": MQTYPE_STRING,
    "int": MQTYPE_INT32,
    "long": MQTYPE_INT64,
    "double": MQTYPE_FLOAT64,
    "boolean": MQTYPE_BOOLEAN,
}
_TRUTH: Final = {"true": "1", "1": "1", "yes": "1", "false": "0", "0": "0", "no": "0"}


def parse_property(text: str) -> tuple[str, str, str]:
    """Give name, type and value of NAME=VALUE or NAME:TYPE=VALUE; a ValueError describes an invalid one."""
    name, equals, value = text.partition("=")
    name, _, kind = name.partition(":")
    kind = kind or "string"
    if not equals or not name:
        raise ValueError(f"'{text}' is not NAME=VALUE or NAME:TYPE=VALUE")
    if kind not in TYPES:
        raise ValueError(f"'{kind}' is not a valid type; types are {', '.join(TYPES)}")
    if not is_name(name):
        raise ValueError(
            f"'{name}' is not a valid name of a property: letters, digits and _, with dots between folder and name"
        )
    try:
        if kind in ("int", "long"):
            number = int(value)
            bits = 31 if kind == "int" else 63
            if not -(1 << bits) <= number < 1 << bits:
                raise ValueError(value)
        elif kind == "double":
            float(value)
        elif kind == "boolean":
            value = _TRUTH[value.lower()]
    except (ValueError, KeyError):
        raise ValueError(f"'{value}' is not a value of type {kind}") from None
    return name, kind, value


def properties_header(properties: list[tuple[str, str, str]], format: bytes, ccsid: int, encoding: int) -> RulesHeader:
    """Make the MQRFH2 that carries properties in front of data; names without a folder go into `usr`."""
    items = [Property(name, TYPES[kind], value_of(value, TYPES[kind])) for name, kind, value in properties]
    return RulesHeader(encoding, ccsid, format, 0, folders=folders_of(items))
