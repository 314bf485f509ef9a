"""Requests of the queued publish/subscribe interface: reads a command from a message, in either form.

An invalid command raises an MQError with the reason for the reply. `form_of` gives the form of the reply without
reading the command, so that an invalid command gets a reply too.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_FORMAT_ERROR,
    MQRC_RFH_COMMAND_ERROR,
    MQRC_RFH_DUPLICATE_PARM,
    MQRC_RFH_ERROR,
    MQRC_RFH_PARM_ERROR,
    MQRC_RFH_PARM_MISSING,
    MQRC_RFH_STRING_ERROR,
    MQRCCF_CORREL_ID_ERROR,
    MQRCCF_DEL_OPTIONS_ERROR,
    MQRCCF_PUB_OPTIONS_ERROR,
    MQRCCF_REG_OPTIONS_ERROR,
)
from kew.commands.queued import words
from kew.formats import charset, mqrfh, mqrfh2
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh2 import Element, RulesHeader
from kew.formats.properties import RFH2_FORMAT

FOLDER: Final = "psc"
_WRONG: Final = {
    words.REGISTRATION_OPTIONS: MQRCCF_REG_OPTIONS_ERROR,
    words.PUBLICATION_OPTIONS: MQRCCF_PUB_OPTIONS_ERROR,
    words.DELETE_OPTIONS: MQRCCF_DEL_OPTIONS_ERROR,
}
_INHERIT: Final = -2  # MQCCSI_INHERIT: as what comes before the header


class Request:
    """A command with its parameters, and for a publication its data."""

    def __init__(self, form: int) -> None:
        self.form = form  # version of the header
        self.said = ""  # the names and values, or the folder, as received
        self.command = ""
        self.topics: list[str] = []
        self.options = dict.fromkeys(words.OPTIONS, 0)
        self.values: dict[str, str] = {}  # of parameters that stand there once
        self.further: mqrfh.Pairs = []  # parameters that go to the subscribers
        self.strange: list[str] = []  # names among them that only the publisher defines
        self.format = b""  # of what is published
        self.encoding = 0
        self.ccsid = 0
        self.body = b""

    @property
    def registering(self) -> int:
        """Give the registration options."""
        return self.options[words.REGISTRATION_OPTIONS]

    @property
    def publishing(self) -> int:
        """Give the publication options."""
        return self.options[words.PUBLICATION_OPTIONS]

    def name(self, parameter: str, default: bytes) -> str:
        """Give a name from a parameter or, without it, from the message descriptor."""
        if parameter in self.values:
            return self.values[parameter].strip(" \0")
        return default.rstrip(b" \0").decode(errors="replace")

    def correlation_id(self, descriptor: MessageDescriptor, wanted: bool) -> bytes:
        """Give the correlation id of the registrant's identity; zeros if it has none."""
        if words.CORRELATION in self.values:
            text = self.values[words.CORRELATION].strip(" \0")
            try:
                given = bytes.fromhex(text)
            except ValueError:
                given = b""
            if len(given) != 24:
                raise MQError(MQRCCF_CORREL_ID_ERROR, given=text)
            if given.strip(b"\0"):
                return given
        if not wanted:
            return bytes(24)
        if not descriptor.correlation_id.strip(b"\0"):
            raise MQError(MQRCCF_CORREL_ID_ERROR)
        return descriptor.correlation_id


def form_of(descriptor: MessageDescriptor) -> int:
    """Give the version of the header that a message begins with, 0 for none."""
    return {mqrfh.FORMAT.strip(): 1, RFH2_FORMAT.strip(): 2}.get(descriptor.format.strip(b" \0"), 0)


def read_request(descriptor: MessageDescriptor, data: bytes) -> Request:
    """Read a command."""
    form = form_of(descriptor)
    if not form:
        raise MQError(MQRC_FORMAT_ERROR, format=descriptor.format)
    request = Request(form)
    said = _read_first(request, descriptor, data) if form == 1 else _read_second(request, descriptor, data)
    for name, value in said:
        _take(request, name, value)
    if not request.command:
        raise MQError(MQRC_RFH_PARM_MISSING, parameter=words.COMMAND)
    if request.strange and request.command != words.PUBLISH:
        raise MQError(MQRC_RFH_PARM_ERROR, parameter=request.strange[0])
    return request


def said_in(descriptor: MessageDescriptor, data: bytes) -> str:
    """Give the text of a command's parameters as received, for a refusing reply; empty if it cannot be read."""
    request = Request(form_of(descriptor))
    try:
        if request.form == 1:
            _read_first(request, descriptor, data)
        elif request.form == 2:
            _read_second(request, descriptor, data)
    except MQError:
        pass
    return request.said


def _read_first(request: Request, descriptor: MessageDescriptor, data: bytes) -> mqrfh.Pairs:
    """Read an MQRFH; gives the parameters under the names that MQRFH and MQRFH2 share."""
    ccsid = descriptor.ccsid if descriptor.ccsid > 0 else charset.UTF_8
    try:
        length = mqrfh.encoded_length(data)
    except FormatError as problem:
        raise MQError(MQRC_RFH_ERROR, why=str(problem)) from problem
    try:
        request.said = mqrfh.text_of(data, ccsid)
        header = mqrfh.decode(data, ccsid)
    except FormatError as problem:
        raise MQError(MQRC_RFH_STRING_ERROR, why=str(problem)) from problem
    request.format = header.format
    request.encoding = header.encoding or descriptor.encoding
    request.ccsid = descriptor.ccsid if header.ccsid in (0, _INHERIT) else header.ccsid
    request.body = data[length:]
    said = []
    for name, value in header.pairs:
        plain = name.removeprefix(words.PREFIX)
        plain = words.PLURAL.get(plain, plain)
        if name.startswith(words.PREFIX) and plain in words.FIRST_PARAMETERS:
            said.append((plain, value))
        elif name.startswith(words.PREFIX) and name not in words.DATA:
            raise MQError(MQRC_RFH_PARM_ERROR, parameter=name)
        else:
            _pass_on(request, name, value)
    return said


def _pass_on(request: Request, name: str, value: str) -> None:
    request.further.append((name, value))
    request.strange.append(name)


def _read_second(request: Request, descriptor: MessageDescriptor, data: bytes) -> mqrfh.Pairs:
    """Read an MQRFH2: the folder psc is the command, the other folders stay with the publication."""
    try:
        length = mqrfh2.encoded_length(data)
        header = mqrfh2.decode(data)
        folders = [(each, mqrfh2.parse_folders(each)) for each in header.folders]
    except FormatError as problem:
        raise MQError(MQRC_RFH_ERROR, why=str(problem)) from problem
    commands = [each for _text, elements in folders for each in elements if each.name == FOLDER]
    if len(commands) != 1:
        raise MQError(MQRC_RFH_PARM_MISSING if not commands else MQRC_RFH_DUPLICATE_PARM, parameter=FOLDER)
    request.said = mqrfh2.format_folder(commands[0])
    header.folders = [text for text, elements in folders if [each for each in elements if each.name != FOLDER]]
    header.ccsid = descriptor.ccsid if header.ccsid in (0, _INHERIT) else header.ccsid
    _publish_second(request, descriptor, header, data[length:], _order_of(data))
    return _parameters(request, commands[0])


def _order_of(data: bytes) -> str:
    return LITTLE if data[4:8] == b"\2\0\0\0" else BIG


def _publish_second(
    request: Request, descriptor: MessageDescriptor, header: RulesHeader, body: bytes, order: str
) -> None:
    if header.folders:
        request.format, request.encoding, request.ccsid = descriptor.format, descriptor.encoding, descriptor.ccsid
        request.body = mqrfh2.encode(header, order) + body
    else:
        request.format, request.encoding, request.ccsid = header.format, header.encoding, header.ccsid
        request.body = body


def _parameters(request: Request, folder: Element) -> mqrfh.Pairs:
    said = []
    for each in folder.children:
        if each.children:
            raise MQError(MQRC_RFH_PARM_ERROR, parameter=each.name)
        if each.name in words.SECOND_PARAMETERS:
            said.append((each.name, each.text))
        else:
            _pass_on(request, each.name, each.text)
    return said


def _take(request: Request, name: str, value: str) -> None:
    if name == words.COMMAND:
        known = words.FIRST_COMMANDS if request.form == 1 else words.SECOND_COMMANDS
        if request.command:
            raise MQError(MQRC_RFH_DUPLICATE_PARM, parameter=name)
        if value not in known:
            raise MQError(MQRC_RFH_COMMAND_ERROR, command=value)
        request.command = value
    elif name == words.TOPIC:
        request.topics.append(value)
    elif name in words.OPTIONS:
        request.options[name] |= _option(name, value)
    elif name in request.values:
        raise MQError(MQRC_RFH_DUPLICATE_PARM, parameter=name)
    else:
        request.values[name] = value
        if name in (words.TIME, words.NUMBER):
            request.further.append((words.PREFIX + name, value))


def _option(kind: str, value: str) -> int:
    known = words.OPTIONS[kind]
    if value in known:
        return known[value]
    everything = 0
    for bit in known.values():
        everything |= bit
    if value.isascii() and value.isdigit() and len(value) < 11 and not int(value) & ~everything:
        return int(value)
    raise MQError(_WRONG[kind], option=value)
