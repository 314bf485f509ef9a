"""MQRFH2 for Python programs: the fixed part, then a pair of fields for each folder, named after it.

A folder `<usr>...</usr>` is the field `usr`, and `usrLength` is its length.
"""

import re
import struct
import xml.etree.ElementTree as ElementTree
from typing import Any, ClassVar

from kew.faces import layouts
from kew.faces.structure import Field, Layout, Structure, layout_of, refuse_text, text_of

FIXED_LENGTH = 36
_EYES = (b"RFH ", b"\xd9\xc6\xc8\x40")  # in ASCII, and in EBCDIC as z/OS writes it
_FIRST_TAG = re.compile(rb"<([^\s<>]+)")
_INTEGER_NORMAL = 0x0F  # the bits of an encoding for whole numbers, and their value for big-endian ones
_BIG = 0x01


class RFH2(Structure):
    """A rules and formatting header."""

    _layout = layout_of(layouts.RFH2)
    _problem: ClassVar[type[Exception]] = ValueError  # raised for bytes that are not an RFH2
    _whole_xml: ClassVar[bool] = False  # a folder must be a whole XML document

    def _extend(self, fields: list[Field], order: str | None = None) -> None:
        """Add fields; `order`, if given, is the byte order of the whole structure from now on."""
        old = self._layout.fields
        values = self.get()
        first = old[0] if order is None else Field(old[0].name, old[0].default, order + "4s")
        values.update({field.name: field.default for field in fields})
        self._begin(Layout([first, *old[1:], *fields]), {})
        for name, value in values.items():
            setattr(self, name, value)

    @classmethod
    def _name_of(cls, folder: bytes) -> str:
        try:
            return ElementTree.fromstring(folder).tag
        except (ElementTree.ParseError, ValueError) as problem:
            if cls._whole_xml:
                raise cls._problem(f"RFH2 - XML Folder not well formed. Exception: {problem}") from problem
            # Folders of JMS need not be whole XML documents: prefixes without a declaration are common.
            found = _FIRST_TAG.match(folder)
            name = text_of(found[1]) if found else None
            if not isinstance(name, str):
                raise cls._problem(
                    f"RFH2 - XML Folder not well formed. Data {folder!r} Exception: {problem}"
                ) from problem
            return name

    def add_folder(self, folder_data: bytes) -> None:
        """Add a folder, padded with blanks to a multiple of four; updates StrucLength."""
        refuse_text(folder_data)
        name = self._name_of(folder_data)
        data = folder_data + b" " * (-len(folder_data) % 4)
        self._extend([Field(name + "Length", len(data), "i"), Field(name, data, f"{len(data)}s")])
        self["StrucLength"] = self.get_length()

    def is_big_endian(self, encoding: int) -> bool:
        """Say whether whole numbers are big-endian in an encoding, which may itself be in the wrong byte order."""
        if encoding > 0xFFFF:
            (encoding,) = struct.unpack("<I", struct.pack(">I", encoding))
        return bool(encoding & _INTEGER_NORMAL & _BIG)

    def pack(self, encoding: int | None = None) -> bytes:
        """Give the header as C has it, in the byte order of its encoding."""
        if encoding is not None and self.is_big_endian(encoding):
            self._extend([], ">")
        return super().pack()

    def unpack(self, buff: bytes, encoding: int | None = None) -> None:
        """Read the header with its folders from the beginning of a message."""
        refuse_text(buff)
        if buff[0:4] not in _EYES:
            raise self._problem(f"RFH2 - {self._layout.names[0]} not MQRFH_STRUC_ID. Value: {buff[0:4]!r}")
        if len(buff) < FIXED_LENGTH:
            raise self._problem(f"RFH2 - Buffer too short. Should be 36+ bytes instead of {len(buff)}")
        big = self.is_big_endian(encoding) if encoding is not None else buff[4] == 0
        order = ">" if big else "<"
        self.__dict__.pop("_layout", None)
        self._extend([], order)
        super().unpack(buff[0:FIXED_LENGTH])
        length = self["StrucLength"]
        if length < 0:
            raise self._problem('RFH2 - "StrucLength" is negative. Check numeric encoding.')
        if len(buff) > FIXED_LENGTH and length > len(buff):
            raise self._problem(f"RFH2 - Buffer too short. Expected: {length} Buffer Length: {len(buff)}")
        self._extend(self._folders_in(buff[FIXED_LENGTH:length], order))

    def _folders_in(self, data: bytes, order: str) -> list[Field]:
        fields: list[Field] = []
        place = 0
        while place < len(data):
            if len(data) - place < 4:
                raise self._problem(f"RFH2 - Buffer too short. A folder's length is {len(data) - place} bytes long")
            (length,) = struct.unpack_from(order + "i", data, place)
            place += 4
            if length < 0:
                raise self._problem("RFH2 - A folder's length is negative. Check numeric encoding.")
            folder = data[place : place + length].partition(b"\0")[0]
            name = self._name_of(folder)
            fields += [Field(name + "Length", length, "i"), Field(name, folder, f"{min(length, len(data))}s")]
            place += length
        return fields

    def get_folders(self) -> list[str]:
        """Give the names of the folders."""
        return [
            name.removesuffix("Length")
            for name in self._layout.names
            if name.endswith("Length") and name != "StrucLength"
        ]


def read_headers(header: type[RFH2], message: bytes, format_of_first: bytes, wanted: bytes) -> tuple[list[Any], bytes]:
    """Give the headers at the beginning of a message, as far as they are chained, and the rest."""
    headers: list[Any] = []
    following = format_of_first
    while following == wanted:
        found = header()
        found.unpack(message)
        length = found["StrucLength"]
        if length < FIXED_LENGTH:
            raise header._problem(f"RFH2 - StrucLength is {length}. Should be 36+ bytes")
        headers.append(found)
        message = message[length:]
        following = found["Format"]
    return headers, message
