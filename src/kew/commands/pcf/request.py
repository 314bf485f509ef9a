"""PCF requests: from a request to a Command, the same that MQSC text would give.

Every parameter must be known: as the object's name, its type, a parameter of the command, an attribute of the object,
the list of attributes to show, or the one filter. An unknown parameter is refused with the reason of its structure and
its identifier, and the command is not carried out.
"""

from collections.abc import Iterable
from typing import Final

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes import reasons as r
from kew.commands.actions.context import Context
from kew.commands.actions.find import named
from kew.commands.actions.security import BY_FILTER, BY_MEMBERSHIP, BY_PROFILE, EXACTLY
from kew.commands.mqsc import options as o
from kew.commands.mqsc.grammar import DEFINES, GENERIC, MAYBE, MAYBE_GENERIC, NO_NAME, SHOWS, CommandSpec
from kew.commands.mqsc.parser import Command, name_of_options, read_name
from kew.commands.mqsc.where import BEGINNINGS, OPERATORS, Filter, is_generic, operators_of
from kew.commands.pcf.refusal import STRUCTURES, PCFRefusal, bad_value, unknown
from kew.commands.pcf.tables import ATTRIBUTE_LISTS, COMMANDS, COPIES, GROUPS
from kew.formats import charset, pcf
from kew.formats.binary import FormatError
from kew.objects.schema import AttributeSpec, Family, ObjectType
from kew.objects.schema.security import MQZAET_GROUP
from kew.objects.schema.texts import ByteText, Hex, Name, Text
from kew.objects.schema.values import BadValue, Kilobytes, Kind, ListOf, Pair, Value

VERSIONS: Final = (1, 2, 3)
EXTENDED_VERSION: Final = 3
_WORDS: Final = {number: word for word, number in OPERATORS.items()}
_FILTERS: Final = (pcf.IntegerFilter, pcf.StringFilter, pcf.ByteStringFilter)
_HALF: Final = 16  # bytes of a connection identifier before those that tell connections of a queue manager apart
# How DISPLAY AUTHREC compares the profile.


def check_header(header: pcf.Header) -> None:
    """Refuse a header that is not that of a command."""
    if header.type not in (c.MQCFT_COMMAND, c.MQCFT_COMMAND_XR):
        raise PCFRefusal(r.MQRCCF_CFH_TYPE_ERROR)
    if header.version not in VERSIONS or (header.type == c.MQCFT_COMMAND_XR and header.version < EXTENDED_VERSION):
        raise PCFRefusal(r.MQRCCF_CFH_VERSION_ERROR)
    if header.sequence_number != 1:
        raise PCFRefusal(r.MQRCCF_CFH_MSG_SEQ_NUMBER_ERR)
    if header.control != c.MQCFC_LAST:
        raise PCFRefusal(r.MQRCCF_CFH_CONTROL_ERROR)


class Request:
    """A request that is being read: its parameters by identifier, and its command."""

    def __init__(self, context: Context, message: pcf.PCFMessage, ccsid: int) -> None:
        self._context = context
        self._ccsid = ccsid if ccsid > 0 else charset.UTF_8
        self._left: dict[int, pcf.Parameter] = {}  # parameters that are not processed yet
        self._filter: pcf.Parameter | None = None
        for parameter in message.parameters:
            self._sort(parameter)
        self._sent = message.parameters
        self._copied = ""
        number = message.header.command
        if number in COPIES:
            number, source, target = COPIES[number]
            self._copied = self._text(self._needed(source))
            self._rename(target, number)
        if number not in COMMANDS:
            raise PCFRefusal(r.MQRCCF_CFH_COMMAND_ERROR)
        self._specs = COMMANDS[number]

    def _sort(self, parameter: pcf.Parameter) -> None:
        if isinstance(parameter, _FILTERS):
            if self._filter is not None:
                raise PCFRefusal(r.MQRCCF_TOO_MANY_FILTERS, parameter.parameter)
            self._filter = parameter
            return
        if parameter.parameter in self._left:
            raise PCFRefusal(STRUCTURES[type(parameter)].twice, parameter.parameter)
        self._left[parameter.parameter] = parameter

    def _rename(self, target: int, number: int) -> None:
        """Use the name of the new object, in a copy command, as the name of the create command."""
        name_spec = COMMANDS[number][0].name_spec
        assert name_spec is not None
        given = self._needed(target)
        if name_spec.pcf in self._left or not isinstance(given, pcf.String):
            raise unknown(given)
        self._left[name_spec.pcf] = pcf.String(name_spec.pcf, given.value, given.ccsid)

    def _needed(self, identifier: int) -> pcf.Parameter:
        found = self._left.pop(identifier, None)
        if found is None:
            self._missing(identifier)
        assert found is not None
        return found

    def _missing(self, identifier: int) -> None:
        raise PCFRefusal(r.MQRCCF_PARM_MISSING if self._left else r.MQRCCF_PARM_COUNT_TOO_SMALL, identifier)

    # -- values -------------------------------------------------------------------------------------------------------

    def _text(self, parameter: pcf.Parameter) -> str:
        if not isinstance(parameter, pcf.String):
            raise unknown(parameter)
        raw = self._raw(parameter)
        assert isinstance(raw, str)
        return raw

    def _raw(self, parameter: pcf.Parameter) -> Value | None:
        """Give the plain value of a parameter; None if it has none."""
        try:
            match parameter:
                case pcf.Integer(_, number) | pcf.Integer64(_, number):
                    return number
                case pcf.ByteString(_, data):
                    return data
                case pcf.String():
                    return parameter.text(self._ccsid)
                case pcf.StringList():
                    return tuple(parameter.texts(self._ccsid))
                case pcf.IntegerList(_, numbers) | pcf.Integer64List(_, numbers):
                    return tuple(numbers)
        except FormatError as error:
            raise PCFRefusal(r.MQRCCF_CCSID_ERROR, parameter.parameter) from error
        return None

    def _value(self, spec: AttributeSpec, parameter: pcf.Parameter) -> Value:
        """Give the checked value of an attribute from a parameter."""
        if not isinstance(parameter, _structures(spec.kind)):
            raise unknown(parameter)
        carried = {spec.pcf: self._plain(parameter)}
        if spec.pcf_seconds and spec.pcf_seconds in self._left:
            carried[spec.pcf_seconds] = self._plain(self._left.pop(spec.pcf_seconds))
        try:
            value = spec.from_pcf(carried)
        except BadValue as bad:
            raise bad_value(parameter, bad) from bad
        assert value is not None
        return value

    def _plain(self, parameter: pcf.Parameter) -> Value:
        raw = self._raw(parameter)
        if raw is None:
            raise unknown(parameter)
        return raw

    # -- which command ------------------------------------------------------------------------------------------------

    def _spec(self) -> CommandSpec:
        """Give the command of the grammar; for queues, the one of the type that the type parameter names."""
        specs = self._specs
        family = specs[0].family
        if len(specs) == 1 or family is None:
            return specs[0]
        if specs[0].carries == SHOWS:
            return next(spec for spec in specs if spec.target == family.name)
        identifier = family.types[0].pcf_subtype[0]
        given = self._left.pop(identifier, None)
        if given is None:
            if specs[0].verb != "DELETE":
                self._missing(identifier)
            return self._spec_of_existing(family)
        number = self._raw(given) if isinstance(given, pcf.Integer) else None
        kind = family.by_subtype.get(number) if isinstance(number, int) else None
        if kind is None:
            raise bad_value(given, BadValue("", str(number), "a type of queue"))
        return next(spec for spec in specs if spec.kind is kind)

    def _spec_of_existing(self, family: Family) -> CommandSpec:
        assert family.name_spec is not None
        given = self._left.get(family.name_spec.pcf)
        name = self._text(given) if given is not None else ""
        kinds = [record.kind for record in named(self._context, family.name, name)]
        of_kind = [spec for spec in self._specs if spec.kind is not None and spec.kind.name in kinds]
        return of_kind[0] if of_kind else self._specs[0]

    def command(self) -> Command:
        """Give the complete command, checked as in MQSC."""
        spec = self._spec()
        if spec.refused:
            raise PCFRefusal(r.MQRCCF_FUNCTION_RESTRICTED)
        command = Command(spec, spec.title)
        command.sent = self._sent
        if self._copied:
            command.options[o.LIKE.keyword] = self._copied
        if spec.target == "QSTATUS":
            self._queue_type()
        if spec.target == "CONN":
            self._connection(command)
        if spec.target in ("AUTHREC", "ENTAUTH") and spec.carries == SHOWS:
            self._authority(command)
        self._name(command)
        self._type(command)
        self._options(command)
        if spec.carries == SHOWS:
            self._show(command)
        elif spec.carries:
            self._set_attributes(command)
        for parameter in self._left.values():
            raise unknown(parameter)
        if self._filter is not None:
            command.where = self._where(command, self._filter)
        self._complete(command)
        if command.name:
            command.text = f"{spec.title}({command.name})"
        return command

    # -- the parts of it ----------------------------------------------------------------------------------------------

    def _name(self, command: Command) -> None:
        spec = command.spec
        name_spec = spec.name_spec
        if name_spec is None or not name_spec.pcf or command.name:
            return
        if spec.naming == NO_NAME:
            return
        given = self._left.pop(name_spec.pcf, None)
        if given is None:
            if spec.naming not in (MAYBE, MAYBE_GENERIC):
                self._missing(name_spec.pcf)
            return
        if isinstance(given, pcf.Integer):
            if isinstance(name_spec.kind, Text):
                raise unknown(given)
            text = str(given.value)
        else:
            text = self._text(given)
        if not text.strip():
            if spec.naming in (MAYBE, MAYBE_GENERIC):
                return  # the same as no name: programs request all profiles so
            raise PCFRefusal(r.MQRCCF_OBJECT_NAME_ERROR, name_spec.pcf)
        try:
            command.name = read_name(name_spec.kind, [text], spec.naming in (GENERIC, MAYBE_GENERIC))
        except BadValue as bad:
            raise bad_value(given, bad) from bad

    def _type(self, command: Command) -> None:
        option = command.spec.type_option
        family = command.spec.family
        if option is None or family is None:
            return
        given = self._left.pop(option.pcf, None)
        if given is not None:
            value = self._value(option, given)
            command.options[option.keyword] = value
        elif command.spec.carries == SHOWS:
            value = option.kind.blank()
        else:
            return
        if isinstance(value, int):
            command.kind = family.by_subtype.get(value)

    def _options(self, command: Command) -> None:
        for option in command.spec.options:
            if option.pcf and option.pcf in self._left and option is not command.spec.type_option:
                command.options[option.keyword] = self._value(option, self._left.pop(option.pcf))

    def _set_attributes(self, command: Command) -> None:
        for kind in _kinds(command):
            for identifier in list(self._left):
                spec = kind.by_pcf.get(identifier)
                if spec is not None and command.spec.takes(spec) and identifier in self._left:
                    command.attributes[spec.keyword] = self._value(spec, self._left.pop(identifier))

    def _show(self, command: Command) -> None:
        family = command.spec.family
        assert family is not None
        asked = self._left.pop(ATTRIBUTE_LISTS.get(family.name, -1), None)
        if asked is None:
            command.options["ALL"] = 1
        elif isinstance(asked, pcf.IntegerList):
            self._ask(command, asked.values)
        elif isinstance(asked, pcf.Integer):
            self._ask(command, [asked.value])
        else:
            raise unknown(asked)
        for identifier in list(self._left):
            spec = _attribute(command, identifier)
            if spec is not None and spec.keyword in command.spec.selectors:
                command.selectors[spec.keyword] = self._selector(spec, self._left.pop(identifier))

    def _selector(self, spec: AttributeSpec, parameter: pcf.Parameter) -> Value:
        if isinstance(parameter, pcf.String) and isinstance(spec.kind, Name):
            text = self._text(parameter)
            if is_generic(text):
                return text
        return self._value(spec, parameter)

    def _ask(self, command: Command, selectors: list[int]) -> None:
        family = command.spec.family
        assert family is not None
        identity = {family.name_spec.pcf if family.name_spec is not None else 0, family.types[0].pcf_subtype[0]}
        seen: set[int] = set()
        for selector in selectors:
            if selector in seen:
                raise PCFRefusal(r.MQRCCF_CFIL_DUPLICATE_VALUE, selector, selector=True)
            seen.add(selector)
            spec = _attribute(command, selector)
            if selector == a.MQIACF_ALL:
                command.options["ALL"] = 1
            elif spec is not None:
                command.requested.append(spec.keyword)
            elif GROUPS.get(selector) in family.groups():
                command.requested.append(GROUPS[selector])
            elif selector in identity:
                command.requested.append(family.type_keyword)  # shown in any case
            else:
                raise PCFRefusal(r.MQRC_SELECTOR_ERROR, selector, selector=True)
        if not selectors:
            command.options["ALL"] = 1

    def _where(self, command: Command, given: pcf.Parameter) -> Filter:
        spec = command.spec
        if spec.carries != SHOWS:
            raise unknown(given)
        found = _attribute(command, given.parameter)
        if found is None and spec.name_spec is not None and spec.name_spec.pcf == given.parameter:
            found = spec.name_spec
        if found is None:
            raise unknown(given)
        match given:
            case pcf.IntegerFilter(_, operator, number):
                return Filter(found, self._operator(found, operator, given), number)
            case pcf.StringFilter(_, operator):
                try:
                    text = given.text(self._ccsid)
                except FormatError as error:
                    raise PCFRefusal(r.MQRCCF_CCSID_ERROR, given.parameter) from error
                word = self._operator(found, operator, given)
                if word in BEGINNINGS:
                    if not is_generic(text):
                        raise PCFRefusal(r.MQRCCF_FILTER_ERROR, given.parameter)
                    text = text[:-1]
                return Filter(found, word, text)
            case pcf.ByteStringFilter(_, operator, data):
                return Filter(found, self._operator(found, operator, given), found.kind.accept(data))
        raise unknown(given)

    def _operator(self, spec: AttributeSpec, operator: int, given: pcf.Parameter) -> str:
        blank = spec.kind.item.blank() if isinstance(spec.kind, ListOf) else spec.kind.blank()
        suits: dict[type[pcf.Parameter], tuple[type[int] | type[str] | type[bytes], int]] = {
            pcf.IntegerFilter: (int, r.MQRCCF_CFIF_OPERATOR_ERROR),
            pcf.StringFilter: (str, r.MQRCCF_CFSF_OPERATOR_ERROR),
            pcf.ByteStringFilter: (bytes, r.MQRCCF_CFBF_OPERATOR_ERROR),
        }
        wanted, reason = suits[type(given)]
        if not isinstance(blank, wanted):
            raise unknown(given)
        word = _WORDS.get(operator, "")
        if word not in operators_of(spec):
            raise PCFRefusal(reason, given.parameter)
        return word

    def _complete(self, command: Command) -> None:
        spec = command.spec
        given = {*command.options, *command.attributes, *command.selectors}
        for keywords in spec.required:
            words = keywords.split("|")
            if given.isdisjoint(words) and not (spec.verb == "DEFINE" and o.LIKE.keyword in given):
                option = spec.by_word.get(words[0])
                raise PCFRefusal(r.MQRCCF_PARM_MISSING, option.pcf if option is not None else 0)
        if not command.name and spec.naming in (MAYBE, MAYBE_GENERIC):
            command.name = name_of_options(command)
            if not command.name and spec.target == "AUTHREC" and spec.verb != "DISPLAY":
                raise PCFRefusal(r.MQRCCF_PROFILE_NAME_MISSING, a.MQCACF_AUTH_PROFILE_NAME)
            if not command.name and spec.target in ("SUB", "SBSTATUS") and "SUBID" not in command.options:
                raise PCFRefusal(r.MQRCCF_PARM_MISSING, a.MQCACF_SUB_NAME)
        if spec.carries == DEFINES and spec.type_option is not None:
            command.options.pop(spec.type_option.keyword, None)

    # -- commands that PCF words differently --------------------------------------------------------------------------

    def _connection(self, command: Command) -> None:
        """Read a connection identifier, which in MQSC is EXTCONN and CONN; a generic one has only the first bytes."""
        whole = self._left.pop(a.MQBACF_CONNECTION_ID, None)
        generic = self._left.pop(a.MQBACF_GENERIC_CONNECTION_ID, None)
        if whole is None and generic is None:
            if command.verb != "DISPLAY":
                self._missing(a.MQBACF_CONNECTION_ID)
            return
        given = whole or generic
        assert given is not None
        if not isinstance(given, pcf.ByteString):
            raise unknown(given)
        data = given.value if whole is not None else given.value.rstrip(b"\0")
        if whole is not None and len(data) != _HALF + 8:
            raise PCFRefusal(r.MQRCCF_CONNECTION_ID_ERROR, given.parameter)
        if len(data) >= _HALF:
            command.options[o.EXTCONN.keyword] = data[:_HALF]
            command.name = data[_HALF:].hex().upper() + ("*" if whole is None else "")
        elif not self._context.first_half.startswith(data):
            command.options[o.EXTCONN.keyword] = data.ljust(_HALF, b"\0")

    def _queue_type(self) -> None:
        """Accept the queue type that monitors send in a status request: all or local; all queue status is local."""
        given = self._left.get(a.MQIA_Q_TYPE)
        if isinstance(given, pcf.Integer) and given.value in (a.MQQT_ALL, a.MQQT_LOCAL):
            del self._left[a.MQIA_Q_TYPE]

    def _authority(self, command: Command) -> None:
        """Read the entity and the option bits of Inquire Authority Records and Inquire Entity Authority.

        Inquire Entity Authority always shows the authorities that all profiles give together, so its bits are ignored.
        """
        bits = self._left.pop(a.MQIACF_AUTH_OPTIONS, None)
        entity = self._left.pop(a.MQCACF_ENTITY_NAME, None)
        kind = self._left.pop(a.MQIACF_ENTITY_TYPE, None)
        if isinstance(bits, pcf.Integer):
            if command.target == "AUTHREC":
                command.options[o.MATCH_PROFILE.keyword] = _match(bits.value)
        elif bits is not None:
            raise unknown(bits)
        if kind is not None and not isinstance(kind, pcf.Integer):
            raise unknown(kind)
        if entity is not None:
            option = o.GROUP if kind is not None and kind.value == MQZAET_GROUP else o.PRINCIPAL
            if self._text(entity):
                command.options[option.keyword] = (self._text(entity),)


def _match(bits: int) -> int:
    """Give the way in which Inquire Authority Records matches profile names, from its option bits."""
    if bits & a.MQAUTHOPT_NAME_AS_WILDCARD:
        return BY_FILTER
    if bits & a.MQAUTHOPT_ENTITY_SET:
        return BY_MEMBERSHIP
    return EXACTLY if bits & a.MQAUTHOPT_NAME_EXPLICIT else BY_PROFILE


def _kinds(command: Command) -> Iterable[ObjectType]:
    """Give the types whose attributes a command may have: its own, or all of the family if the type is not given."""
    if command.kind is not None:
        return (command.kind,)
    family = command.spec.family
    return family.types if family is not None else ()


def _attribute(command: Command, identifier: int) -> AttributeSpec | None:
    for kind in _kinds(command):
        spec = kind.by_pcf.get(identifier)
        if spec is not None:
            return spec
    family = command.spec.family
    if command.kind is not None and family is not None:  # one that other types of the family have is simply not shown
        for kind in family.types:
            if identifier in kind.by_pcf:
                return kind.by_pcf[identifier]
    return None


_INTEGERS: Final = (pcf.Integer, pcf.Integer64)
_BYTES: Final = (pcf.ByteString,)
_STRINGS: Final = (pcf.String,)


def _structures(kind: Kind) -> tuple[type[pcf.Parameter], ...]:
    """Give the parameter structures for values of a kind."""
    if isinstance(kind, ListOf):
        return (pcf.StringList, pcf.String) if kind.of_texts else (pcf.IntegerList, pcf.Integer64List, pcf.Integer)
    if isinstance(kind, Pair):
        return (pcf.IntegerList, pcf.Integer64List)
    if isinstance(kind, Hex):
        return _BYTES
    if isinstance(kind, ByteText):
        return (pcf.ByteString, pcf.String)
    if isinstance(kind, Text | Kilobytes):
        return _STRINGS
    return _INTEGERS
