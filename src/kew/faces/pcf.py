"""The structures of PCF messages: a header, and parameters of variable length."""

from typing import Any

from kew.codes.commands import (
    MQCFT_BYTE_STRING,
    MQCFT_BYTE_STRING_FILTER,
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
from kew.codes.options import MQCCSI_DEFAULT
from kew.codes.structures import (
    MQCFBF_STRUC_LENGTH_FIXED,
    MQCFBS_STRUC_LENGTH_FIXED,
    MQCFGR_STRUC_LENGTH,
    MQCFIF_STRUC_LENGTH,
    MQCFIL64_STRUC_LENGTH_FIXED,
    MQCFIL_STRUC_LENGTH_FIXED,
    MQCFIN64_STRUC_LENGTH,
    MQCFIN_STRUC_LENGTH,
    MQCFSF_STRUC_LENGTH_FIXED,
    MQCFSL_STRUC_LENGTH_FIXED,
    MQCFST_STRUC_LENGTH_FIXED,
)
from kew.faces import layouts
from kew.faces.structure import Field, Layout, MQOpts, Structure, layout_of


def padded_count(count: int, boundary: int = 4) -> int:
    """Round a count up to a multiple of the boundary."""
    return -(-count // boundary) * boundary


class CFH(Structure):
    """MQCFH: the type of the message, and the number of parameters."""

    _layout = layout_of(layouts.CFH)


class CFIN(Structure):
    """MQCFIN: a parameter that is a number of 32 bits."""

    _layout = layout_of(
        (
            ("Type", "i", MQCFT_INTEGER),
            ("StrucLength", "i", MQCFIN_STRUC_LENGTH),
            ("Parameter", "i", 0),
            ("Value", "i", 0),
        )
    )


class CFIN64(Structure):
    """MQCFIN64: a parameter that is a number of 64 bits."""

    # Three words lie before the number, and the alignment of C adds the fourth.
    _layout = layout_of(
        (
            ("Type", "i", MQCFT_INTEGER64),
            ("StrucLength", "i", MQCFIN64_STRUC_LENGTH),
            ("Parameter", "i", 0),
            ("Value", "q", 0),
        )
    )


class CFIF(Structure):
    """MQCFIF: a filter on a number."""

    _layout = layout_of(
        (
            ("Type", "i", MQCFT_INTEGER_FILTER),
            ("StrucLength", "i", MQCFIF_STRUC_LENGTH),
            ("Parameter", "i", 0),
            ("Operator", "i", 0),
            ("FilterValue", "i", 0),
        )
    )


class CFGR(Structure):
    """MQCFGR: a group of the parameters that follow, with their number."""

    _layout = layout_of(
        (
            ("Type", "i", MQCFT_GROUP),
            ("StrucLength", "i", MQCFGR_STRUC_LENGTH),
            ("Parameter", "i", 0),
            ("ParameterCount", "i", 0),
        )
    )


class _Variable(MQOpts):
    """A parameter that is as long as its value."""

    def _shape(self, kind: int, fixed: int, middle: list[Field], value: Field, values: dict[str, Any]) -> None:
        room = Layout([value]).packing.size
        head = [Field("Type", kind, "i"), Field("StrucLength", fixed + room, "i"), Field("Parameter", 0, "i")]
        self._begin(Layout([*head, *middle, value]), values)


class CFIL(_Variable):
    """MQCFIL: a parameter that is a list of numbers of 32 bits."""

    def __init__(self, **kw: Any) -> None:
        values = kw.pop("Values", [])
        count = kw.pop("Count", len(values))
        value = Field("Values", values, "i", count)
        self._shape(MQCFT_INTEGER_LIST, MQCFIL_STRUC_LENGTH_FIXED, [Field("Count", count, "i")], value, kw)


class CFIL64(_Variable):
    """MQCFIL64: a parameter that is a list of numbers of 64 bits."""

    def __init__(self, **kw: Any) -> None:
        values = kw.pop("Values", [])
        count = kw.pop("Count", len(values))
        value = Field("Values", values, "q", count)
        self._shape(MQCFT_INTEGER64_LIST, MQCFIL64_STRUC_LENGTH_FIXED, [Field("Count", count, "i")], value, kw)


class CFST(_Variable):
    """MQCFST: a parameter of characters; String may be longer than StringLength, to a multiple of four."""

    def __init__(self, **kw: Any) -> None:
        string = kw.pop("String", b"")
        length = kw.pop("StringLength", len(string))
        middle = [Field("CodedCharSetId", MQCCSI_DEFAULT, "i"), Field("StringLength", length, "i")]
        value = Field("String", string, f"{padded_count(length)}s")
        self._shape(MQCFT_STRING, MQCFST_STRUC_LENGTH_FIXED, middle, value, kw)


class CFBS(_Variable):
    """MQCFBS: a parameter of bytes."""

    def __init__(self, **kw: Any) -> None:
        string = kw.pop("String", b"")
        length = kw.pop("StringLength", len(string))
        value = Field("String", string, f"{padded_count(length)}s")
        self._shape(MQCFT_BYTE_STRING, MQCFBS_STRUC_LENGTH_FIXED, [Field("StringLength", length, "i")], value, kw)


class CFSL(_Variable):
    """MQCFSL: a parameter that is a list of strings, all of one length."""

    def __init__(self, **kw: Any) -> None:
        strings = kw.pop("Strings", [])
        length = kw.pop("StringLength", max([len(string) for string in strings], default=0))
        count = kw.pop("Count", len(strings))
        length = padded_count(length) if count else 0
        middle = [
            Field("CodedCharSetId", MQCCSI_DEFAULT, "i"),
            Field("Count", count, "i"),
            Field("StringLength", length, "i"),
        ]
        value = Field("Strings", strings or [b""], f"{length}s", count or 1)
        self._shape(MQCFT_STRING_LIST, MQCFSL_STRUC_LENGTH_FIXED, middle, value, kw)


class CFSF(_Variable):
    """MQCFSF: a filter on characters."""

    def __init__(self, **kw: Any) -> None:
        wanted = kw.pop("FilterValue", b"")
        length = kw.pop("FilterValueLength", len(wanted))
        middle = [
            Field("Operator", 0, "i"),
            Field("CodedCharSetId", MQCCSI_DEFAULT, "i"),
            Field("FilterValueLength", length, "i"),
        ]
        value = Field("FilterValue", wanted, f"{padded_count(length)}s")
        self._shape(MQCFT_STRING_FILTER, MQCFSF_STRUC_LENGTH_FIXED, middle, value, kw)


class CFBF(_Variable):
    """MQCFBF: a filter on bytes."""

    def __init__(self, **kw: Any) -> None:
        wanted = kw.pop("FilterValue", b"")
        length = kw.pop("FilterValueLength", len(wanted))
        middle = [Field("Operator", 0, "i"), Field("FilterValueLength", length, "i")]
        value = Field("FilterValue", wanted, f"{padded_count(length)}s")
        self._shape(MQCFT_BYTE_STRING_FILTER, MQCFBF_STRUC_LENGTH_FIXED, middle, value, kw)
