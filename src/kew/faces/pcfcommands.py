"""The messages of PCFExecute in both packages: commands made from dictionaries, and replies read into dictionaries."""

import struct
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from kew.codes import attributes, commands
from kew.codes.attributes import (
    MQBA_FIRST,
    MQBA_LAST,
    MQCA_FIRST,
    MQCA_LAST,
    MQIA_FIRST,
    MQIA_LAST,
)
from kew.codes.commands import (
    MQCFC_LAST,
    MQCFOP_CONTAINS,
    MQCFOP_CONTAINS_GEN,
    MQCFOP_EQUAL,
    MQCFOP_EXCLUDES,
    MQCFOP_EXCLUDES_GEN,
    MQCFOP_GREATER,
    MQCFOP_LESS,
    MQCFOP_LIKE,
    MQCFOP_NOT_EQUAL,
    MQCFOP_NOT_GREATER,
    MQCFOP_NOT_LESS,
    MQCFOP_NOT_LIKE,
    MQCFT_BYTE_STRING,
    MQCFT_BYTE_STRING_FILTER,
    MQCFT_COMMAND_XR,
    MQCFT_GROUP,
    MQCFT_INTEGER,
    MQCFT_INTEGER64,
    MQCFT_INTEGER64_LIST,
    MQCFT_INTEGER_FILTER,
    MQCFT_INTEGER_LIST,
    MQCFT_STRING,
    MQCFT_STRING_FILTER,
    MQCFT_STRING_LIST,
)
from kew.codes.completion import MQCC_OK
from kew.codes.structures import MQCFH_STRUC_LENGTH, MQCFH_VERSION_3
from kew.faces import pcf
from kew.faces.structure import MQOpts, refuse_text

# Parameters that list attributes: one attribute is sent as a list too, since MQ expects one.
_LISTS: Final = frozenset(
    value
    for name, value in vars(attributes).items()
    if name.startswith(("MQIACF_", "MQIACH_")) and name.endswith("_ATTRS")
)
_KINDS: Final[dict[int, type[MQOpts]]] = {
    MQCFT_STRING: pcf.CFST,
    MQCFT_STRING_LIST: pcf.CFSL,
    MQCFT_INTEGER: pcf.CFIN,
    MQCFT_INTEGER64: pcf.CFIN64,
    MQCFT_INTEGER_LIST: pcf.CFIL,
    MQCFT_INTEGER64_LIST: pcf.CFIL64,
    MQCFT_GROUP: pcf.CFGR,
    MQCFT_BYTE_STRING: pcf.CFBS,
    MQCFT_STRING_FILTER: pcf.CFSF,
    MQCFT_BYTE_STRING_FILTER: pcf.CFBF,
    MQCFT_INTEGER_FILTER: pcf.CFIF,
}
_SHORTEST: Final = 16  # length of the shortest parameter


class ByteString:
    """Bytes to send as a byte string, not as characters."""

    def __init__(self, value: bytes) -> None:
        self.value = value

    def __len__(self) -> int:
        return len(self.value)


class FilterBase:
    """A filter: attribute, value, operator."""

    _structure: ClassVar[type[MQOpts]] = pcf.CFIF

    def __init__(self, selector: int, value: Any, operator: int) -> None:
        self.selector = selector
        self.value = value.encode("ascii") if isinstance(value, str) else value
        self.operator = operator

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {hex(id(self))} {self.selector}:{self.value!r}:{self.operator}>"

    def parameter(self) -> MQOpts:
        """Make the PCF structure."""
        return self._structure(Parameter=self.selector, Operator=self.operator, FilterValue=self.value)  # type: ignore[call-arg]


class StringFilter(FilterBase):
    """A filter on characters."""

    _structure = pcf.CFSF


class IntegerFilter(FilterBase):
    """A filter on a number."""


class ByteStringFilter(FilterBase):
    """A filter on bytes."""

    _structure = pcf.CFBF


class OperatorBase:
    """An attribute and an operator; a call adds the value."""

    operator_mapping: ClassVar[dict[str, int]] = {
        "less": MQCFOP_LESS,
        "equal": MQCFOP_EQUAL,
        "greater": MQCFOP_GREATER,
        "not_less": MQCFOP_NOT_LESS,
        "not_equal": MQCFOP_NOT_EQUAL,
        "not_greater": MQCFOP_NOT_GREATER,
        "like": MQCFOP_LIKE,
        "not_like": MQCFOP_NOT_LIKE,
        "contains": MQCFOP_CONTAINS,
        "excludes": MQCFOP_EXCLUDES,
        "contains_gen": MQCFOP_CONTAINS_GEN,
        "excludes_gen": MQCFOP_EXCLUDES_GEN,
    }
    _error: ClassVar[type[Exception]] = ValueError
    _ranges: ClassVar[tuple[tuple[int, int, type[FilterBase]], ...]] = (
        (MQIA_FIRST, MQIA_LAST, IntegerFilter),
        (MQCA_FIRST, MQCA_LAST, StringFilter),
        (MQBA_FIRST, MQBA_LAST, ByteStringFilter),
    )
    _unsupported: ClassVar[str] = ""

    def __init__(self, selector: int, operator_name: str) -> None:
        kinds = [kind for first, last, kind in self._ranges if first <= selector <= last]
        if not kinds:
            raise self._error(self._unsupported % selector)
        self.filter_cls = kinds[0]
        self.selector = selector
        operator = self.operator_mapping.get(operator_name)
        if not operator:
            raise self._error(f"Operator [{operator_name}] is not supported.")
        self.operator = operator

    def __call__(self, value: bytes | int) -> FilterBase:
        """Make the filter with its value."""
        refuse_text(value)
        return self.filter_cls(self.selector, value, self.operator)


class SelectorBase:
    """An attribute; its operators are attributes of this object."""

    _operator: ClassVar[type[OperatorBase]] = OperatorBase

    def __init__(self, selector: int) -> None:
        self.selector = selector

    def __getattribute__(self, name: str) -> Any:
        if name == "selector" or (name.startswith("__") and name.endswith("__")):
            return object.__getattribute__(self, name)
        operator: type[OperatorBase] = object.__getattribute__(self, "_operator")
        return operator(self.selector, name)


def parameter_of(key: int, value: Any, encoding: str) -> MQOpts:
    """Make the PCF structure of one parameter."""
    if isinstance(value, str):
        value = value.encode(encoding)
    if isinstance(value, bytes):
        return pcf.CFST(Parameter=key, String=value)
    if isinstance(value, ByteString):
        return pcf.CFBS(Parameter=key, String=value.value)
    if isinstance(value, int):
        return pcf.CFIL(Parameter=key, Values=[value]) if key in _LISTS else pcf.CFIN(Parameter=key, Value=value)
    if isinstance(value, list) and value and isinstance(value[0], int):
        return pcf.CFIL(Parameter=key, Values=value)
    if isinstance(value, list) and value and isinstance(value[0], str | bytes):
        strings = [each.encode(encoding) if isinstance(each, str) else each for each in value]
        return pcf.CFSL(Parameter=key, Strings=strings)
    raise TypeError(f"the value of parameter {key} is a {type(value).__name__}, which PCF cannot carry")


def command_message(name: str, arguments: Any, filters: Iterable[Any], encoding: str) -> bytes:
    """Make the PCF message of a command; its arguments are a dictionary, or finished structures."""
    number = getattr(commands, name.removeprefix("CMQCFC."), None)
    if not isinstance(number, int) or not name.removeprefix("CMQCFC.").startswith("MQCMD_"):
        raise KeyError(name)
    if isinstance(arguments, Mapping):
        parameters = [parameter_of(key, value, encoding) for key, value in arguments.items()]
    else:
        parameters = list(arguments)
    parameters += [each.parameter() if isinstance(each, FilterBase) else each for each in filters]
    header = pcf.CFH(Version=MQCFH_VERSION_3, Command=number, Type=MQCFT_COMMAND_XR, ParameterCount=len(parameters))
    return header.pack() + b"".join([each.pack() for each in parameters])


def parse_reply(message: bytes, header: type[MQOpts], exact: bool) -> tuple[dict[int, Any], Any]:
    """Give parameters and header of a PCF message; `exact` cuts characters to their length, without padding."""
    cfh: Any = header()  # type: ignore[call-arg]
    if len(message) < MQCFH_STRUC_LENGTH:
        raise ValueError(f"a PCF message is at least {MQCFH_STRUC_LENGTH} bytes long, this one is {len(message)}")
    cfh.unpack(message[:MQCFH_STRUC_LENGTH])
    found: dict[int, Any] = {}
    group: dict[int, Any] | None = None
    left_in_group = 0
    left = cfh.ParameterCount
    place = MQCFH_STRUC_LENGTH
    while left > 0:
        if left_in_group == 0:
            group = None
        parameter, length = _parameter(message, place)
        place += length
        left -= 1
        if parameter.Type == MQCFT_GROUP:
            left_in_group = parameter.ParameterCount
            left += left_in_group
            group = {}
            found.setdefault(parameter.Parameter, []).append(group)
            continue
        if group is not None:
            left_in_group -= 1
        (found if group is None else group)[parameter.Parameter] = _value(parameter, exact)
    return found, cfh


def _parameter(message: bytes, place: int) -> tuple[Any, int]:
    if len(message) - place < _SHORTEST:
        raise ValueError(f"the PCF message ends at {len(message)}, in the parameter at {place}")
    kind, length = struct.unpack_from("ii", message, place)
    if kind not in _KINDS:
        raise NotImplementedError(f"Unpack for type ({(kind,)}) not implemented")
    if length < _SHORTEST or length > len(message) - place:
        raise ValueError(f"the parameter at {place} says that it has {length} bytes")
    data = message[place : place + length]
    structure = _KINDS[kind]
    words = struct.unpack_from(f"{min(length, 24) // 4}i", data)
    if kind in (MQCFT_STRING, MQCFT_STRING_FILTER):
        sized = {"StringLength": words[4]} if kind == MQCFT_STRING else {"FilterValueLength": words[5]}
    elif kind in (MQCFT_BYTE_STRING, MQCFT_BYTE_STRING_FILTER):
        sized = {"StringLength": words[3]} if kind == MQCFT_BYTE_STRING else {"FilterValueLength": words[4]}
    elif kind in (MQCFT_INTEGER_LIST, MQCFT_INTEGER64_LIST):
        sized = {"Count": words[3], "Values": [0] * min(max(words[3], 0), length)}
    elif kind == MQCFT_STRING_LIST:
        sized = {"Count": words[4], "StringLength": words[5]}
    else:
        sized = {}
    if any(isinstance(value, int) and not 0 <= value <= length for value in sized.values()):
        raise ValueError(f"the parameter at {place} says {sized}, and that it has {length} bytes")
    parameter: Any = structure(**sized)
    size = parameter.get_length()
    if size > length:
        raise ValueError(f"the parameter at {place} has {length} bytes, {size} are needed")
    parameter.unpack(data[:size])
    return parameter, length


def _value(parameter: Any, exact: bool) -> Any:
    kind = parameter.Type
    if kind == MQCFT_STRING:
        return parameter.String[: parameter.StringLength] if exact else parameter.String
    if kind == MQCFT_BYTE_STRING:
        return parameter.String
    if kind == MQCFT_STRING_LIST:
        return parameter.Strings
    if kind in (MQCFT_INTEGER, MQCFT_INTEGER64):
        return parameter.Value
    if kind in (MQCFT_INTEGER_LIST, MQCFT_INTEGER64_LIST):
        return parameter.Values
    return parameter.Operator, parameter.FilterValue


def stringified(values: Mapping[int, Any], integers: Any, characters: Any) -> dict[Any, Any]:
    """Give the dictionary with names for keys, where they have one."""
    named: dict[Any, Any] = {}
    for key, value in values.items():
        if isinstance(value, str):
            raise TypeError(f'In Python 3 use bytes, not str (found "{key}":"{value}")')
        names = characters if isinstance(value, bytes) else integers
        named[names[key] if key in names else key] = value  # noqa: SIM401
    return named


def is_last(cfh: Any) -> bool:
    """Say whether a reply is the last."""
    last: bool = cfh.Control == MQCFC_LAST
    return last


def failed(cfh: Any) -> bool:
    """Say whether the command failed."""
    bad: bool = cfh.CompCode != MQCC_OK
    return bad
