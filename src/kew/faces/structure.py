"""MQ's structures for Python programs: attributes, items and keywords outside, a C structure when packed.

Each structure is a class whose attributes are the fields of its layout. A field of characters holds bytes; the packages
differ in whether a program may also give text, and in the error for a refused value.
"""

import ctypes
import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from kew.faces.layouts import Row

# Fields of bytes that are not characters: never decoded.
BINARY_FIELDS: Final = frozenset(
    {
        "AccountingToken",
        "AlternateSecurityId",
        "ConnTag",
        "ConnectionId",
        "CorrelId",
        "Facility",
        "GroupId",
        "MCASecurityId",
        "MsgId",
        "MsgToken",
        "PubAccountingToken",
        "RemoteSecurityId",
        "SubCorrelId",
        "TranInstanceId",
    }
)


class Field:
    """One field: its name, default, format, and number of elements."""

    def __init__(self, name: str, default: Any, form: str, count: int = 1) -> None:
        self.name = name
        self.default = default
        self.form = form
        self.count = count
        self.listed = isinstance(default, list)
        self.values = len(struct.unpack("=" + form, bytes(struct.calcsize("=" + form)))) * count if self.listed else 1


class Layout:
    """The fields of a structure, in their order."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self.fields = tuple(fields)
        self.names = tuple(field.name for field in self.fields)
        self.packing = struct.Struct("".join(field.form * field.count for field in self.fields))
        self.defaults = {field.name: field.default for field in self.fields}
        self.lists = tuple(field.name for field in self.fields if field.listed)


def layout_of(rows: Iterable[Row]) -> Layout:
    """Make the layout that a table describes."""
    return Layout(Field(name, default, form) for name, form, default in rows)


def changed(rows: Iterable[Row], drop: Sequence[str] = (), hidden: str = "_", **defaults: Any) -> tuple[Row, ...]:
    """Give a table with other defaults, without some fields, and with another mark for hidden fields."""
    return tuple(
        (name if hidden == "_" else hidden + name.lstrip("_"), form, defaults.get(name.lstrip("_"), default))
        for name, form, default in rows
        if name.lstrip("_") not in drop
    )


def refuse_text(value: Any) -> None:
    """Refuse text where only bytes are valid."""
    if isinstance(value, str):
        raise TypeError(f"Python 3 style string (unicode) found but not allowed here: `{value}`. Convert to bytes.")


def text_of(value: Any, encoding: str = "utf8") -> Any:
    """Decode characters, up to a binary zero and without blanks around; anything else stays as it is."""
    if isinstance(value, bytes):
        try:
            return value.partition(b"\0")[0].decode(encoding).strip()
        except UnicodeError:
            return value
    return value


class MQOpts:
    """The base class of all structures, and of any that a program describes by a list of fields."""

    _layout: Layout
    _strict: ClassVar[bool] = False  # text is refused where bytes are meant

    if TYPE_CHECKING:  # the fields, which the layout names

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, memlist: Sequence[Sequence[Any]], **kw: Any) -> None:
        self._begin(Layout(Field(*entry) for entry in memlist), kw)

    def _begin(self, layout: Layout, values: dict[str, Any]) -> None:
        """Take a layout, with its defaults."""
        self._layout = layout
        self._fill(values)

    def _fill(self, values: dict[str, Any]) -> None:
        layout = self._layout
        self.__dict__.update(layout.defaults)
        for name in layout.lists:
            self.__dict__[name] = list(layout.defaults[name])
        if values:
            self.set(**values)

    @classmethod
    def _accept(cls, value: Any) -> Any:
        """Give the value as a field keeps it: text becomes bytes, or is refused."""
        if isinstance(value, str):
            if cls._strict:
                refuse_text(value)
            return value.encode("ascii")
        return value

    def _packable(self, name: str, form: str, value: Any) -> Any:
        if not self._strict:
            if name in BINARY_FIELDS and not isinstance(value, bytes):
                raise TypeError(f"{name} must be a byte array")
            if value is None and form.endswith("s"):
                raise TypeError(f"Class:{type(self).__name__} Field:{name} must not be None")
            if value is None and form == "P":
                return 0
        return self._accept(value)

    def pack(self) -> bytes:
        """Give the C structure."""
        values: list[Any] = []
        for field in self._layout.fields:
            value = getattr(self, field.name)
            if isinstance(value, list):
                values.extend([self._accept(element) for element in value])
            else:
                values.append(self._packable(field.name, field.form, value))
        return self._layout.packing.pack(*values)

    def unpack(self, buff: bytes) -> Any:
        """Read the fields from a C structure; one that is too short is padded with binary zeros."""
        refuse_text(buff)
        values = self._layout.packing.unpack(buff.ljust(self._layout.packing.size, b"\0"))
        place = 0
        for field in self._layout.fields:
            setattr(self, field.name, list(values[place : place + field.values]) if field.listed else values[place])
            place += field.values
        return None if self._strict else self

    def set(self, **kw: Any) -> None:
        """Set fields by keyword; an unknown name is an AttributeError."""
        for name, value in kw.items():
            getattr(self, name)
            setattr(self, name, self._accept(value) if isinstance(value, str) else value)

    def get(self) -> dict[str, Any]:
        """Give the fields and their values."""
        return {name: getattr(self, name) for name in self._layout.names}

    def __setitem__(self, key: str, value: Any) -> None:
        getattr(self, key)
        setattr(self, key, self._accept(value))

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)

    def __str__(self) -> str:
        return "\n".join([f"{name}: {getattr(self, name)}" for name in self._layout.names])

    def __repr__(self) -> str:
        return str(self.pack())

    def get_length(self) -> int:
        """Give the length of the packed structure."""
        return self._layout.packing.size

    def _remove(self, key: str) -> None:
        """Remove a field."""
        self._layout = Layout(field for field in self._layout.fields if field.name != key)
        self.__dict__.pop(key, None)

    # Variable strings: five fields in the structure, the text itself elsewhere in memory.

    def set_vs(
        self,
        vs_name: str,
        vs_value: bytes | str | None = None,
        vs_offset: int = 0,
        vs_buffer_size: int = 0,
        vs_ccsid: int = 0,
    ) -> None:
        """Set the text of a variable string (MQCHARV)."""
        name = vs_name.removesuffix("VSPtr")
        text = vs_value.encode("ascii") if isinstance(vs_value, str) else vs_value
        buffer = ctypes.create_string_buffer(text) if text is not None else None
        self[name + "VSPtr"] = ctypes.addressof(buffer) if buffer is not None else 0
        self[name + "VSOffset"] = vs_offset
        self[name + "VSBufSize"] = vs_buffer_size
        self[name + "VSLength"] = len(text) if text is not None else 0
        self[name + "VSCCSID"] = vs_ccsid
        # The structure holds only an address: the text must live as long as the structure does.
        self.__dict__.setdefault("_texts", {})[name] = buffer

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if "_texts" in state:
            state["_texts"] = {name: self.get_vs(name) for name in state["_texts"]}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Copy another structure's state; variable strings get a new place in memory."""
        self.__dict__.update(state)
        texts: dict[str, bytes | None] = self.__dict__.pop("_texts", {})
        for name, text in texts.items():
            if text is not None:
                buffer = ctypes.create_string_buffer(text)
                self[name + "VSPtr"] = ctypes.addressof(buffer)
                self.__dict__.setdefault("_texts", {})[name] = buffer

    def get_vs(self, vs_name: str) -> bytes | None:
        """Give the text of a variable string, up to a binary zero; None if there is none."""
        name = vs_name.removesuffix("VSPtr")
        address = self[name + "VSPtr"]
        buffer = self.__dict__.get("_texts", {}).get(name)
        if not address or buffer is None or ctypes.addressof(buffer) != address:
            return None
        text: bytes = buffer.value
        return text


class Structure(MQOpts):
    """A structure with a layout of its class."""

    def __init__(self, **kw: Any) -> None:
        layout = self._layout
        self.__dict__.update(layout.defaults)
        if layout.lists:
            self._fill(kw)
        elif kw:
            self.set(**kw)
