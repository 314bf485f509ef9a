"""The parser of MQSC: from the text of a command to a checked Command with verb, target, name and typed values.

Parsing happens in steps, and each step may refuse the command: tokens; verb and target; the name; the list of keywords,
none of them twice; the type of the object; then every value. The parser has no effect on the queue manager.
"""

from collections.abc import Iterable
from typing import Final

from kew.codes.attributes import MQAUTH_NONE
from kew.codes.options import MQOT_Q_MGR
from kew.commands.mqsc import messages
from kew.commands.mqsc.errors import MQSCError, nearest
from kew.commands.mqsc.grammar import (
    ALTERS,
    DEFINES,
    GENERIC,
    MAYBE,
    MAYBE_GENERIC,
    NO_NAME,
    SHOWS,
    CommandSpec,
)
from kew.commands.mqsc.lexer import OPEN, CommandText
from kew.commands.mqsc.sentence import Item, Sentence
from kew.commands.mqsc.where import OPERATORS, Filter, is_generic, make_filter
from kew.formats import pcf
from kew.objects.caller import NOBODY, Caller
from kew.objects.definition import Definition
from kew.objects.schema import AttributeSpec, ObjectType
from kew.objects.schema.security import MQZAET_GROUP, MQZAET_PRINCIPAL
from kew.objects.schema.texts import Name
from kew.objects.schema.values import (
    CHARACTERS,
    LENGTH,
    NAME,
    NUMBER,
    RANGE,
    REFUSED,
    BadValue,
    Choice,
    Flag,
    Kind,
    ListOf,
    Value,
)

QUEUE_MANAGER_PROFILE: Final = "SELF"  # the profile of authority records for the queue manager
PROBLEMS: Final = {
    NUMBER: messages.NUMBER,
    RANGE: messages.NUMBER,
    LENGTH: messages.LENGTH,
    NAME: messages.BAD_NAME,
    CHARACTERS: messages.BAD_NAME,
    REFUSED: messages.REFUSED,
}


class Command:
    """One command, checked as far as possible without the state of the queue manager."""

    def __init__(self, spec: CommandSpec, text: str) -> None:
        self.spec = spec
        self.text = text
        self.name = ""  # a pattern where the command takes one; empty where it has none
        self.kind: ObjectType | None = spec.kind  # None where only the existing object knows its type
        self.attributes: dict[str, Value] = {}  # what DEFINE, ALTER or SET gives the object
        self.options: dict[str, Value] = {}  # REPLACE, FORCE, MODE and so on, those that were given
        self.requested: list[str] = []  # attributes to show: keywords and groups, in the order typed
        self.selectors: dict[str, Value] = {}  # attributes that objects to be shown must have
        self.where: Filter | None = None
        self.sent: list[pcf.Parameter] | None = None  # the parameters of a command that came as PCF
        self.caller = NOBODY  # set before the command is carried out

    def come_from(self, caller: Caller) -> None:
        """Record the caller, for configuration events and for the owner of subscriptions."""
        self.caller = caller

    @property
    def verb(self) -> str:
        """Return the verb in full."""
        return self.spec.verb

    @property
    def target(self) -> str:
        """Return the target in full."""
        return self.spec.target

    @property
    def generic(self) -> bool:
        """Return whether the name is a pattern."""
        return is_generic(self.name)

    def flag(self, word: str) -> bool:
        """Return whether an option was given and switched on: REPLACE, FORCE, PURGE, ALL."""
        return bool(self.options.get(word, 0))

    def definition(self, like: Definition | None = None) -> Definition:
        """Return the object that a DEFINE or SET describes, with other attributes from `like`."""
        kind = self.kind or (like.kind if like is not None else None)
        if kind is None:
            raise ValueError(f"{self.spec.title} does not say the type of the object")
        values = {**(like.values if like is not None else {}), **self.attributes}
        if kind.name == "AUTHREC":
            values.update(self._authority())
        return Definition(kind, self.name, values)

    def _authority(self) -> dict[str, Value]:
        users = self.options.get("PRINCIPAL", ())
        groups = self.options.get("GROUP", ())
        assert isinstance(users, tuple)
        assert isinstance(groups, tuple)
        named = [*users, *groups]
        return {
            "ENTITY": str(named[0]) if named else "",
            "ENTTYPE": MQZAET_PRINCIPAL if users else MQZAET_GROUP,
            "OBJTYPE": self.options["OBJTYPE"],
            "AUTHLIST": self.options.get("AUTHADD", (MQAUTH_NONE,)),
        }

    def __repr__(self) -> str:
        return f"Command({self.spec.title} {self.name!r} {self.attributes} {self.options} {self.requested})"


def parse(source: CommandText) -> Command:
    """Return the command of a text that a reader assembled; an error has its place in the input."""
    if source.error is not None:
        raise source.error
    try:
        return parse_text(source.text)
    except MQSCError as error:
        raise source.located(error) from None


def parse_text(text: str) -> Command:
    """Return the command of one text, in which line ends are blanks; raise MQSCError if it is not valid."""
    return _Parser(text).command()


class _Parser(Sentence):
    """The parser's state: each part of a sentence is looked up in the grammar and checked."""

    def command(self) -> Command:
        spec = self.spec()
        command = Command(spec, self.text.strip())
        self._name(command)
        items = self.items()
        self._known(command, items)
        self._type(command, items)
        for item in items:
            try:
                self._take(command, item)
            except MQSCError as error:
                given = [each for each in items if each.keyword.text not in spec.by_word]
                if error.message_id == messages.REFUSED and len(given) > 1 and spec.carries in (DEFINES, ALTERS):
                    error.detail += ". Nothing of the command was done"
                raise
        self._complete(command, items)
        return command

    def _name(self, command: Command) -> None:
        spec = command.spec
        given = self.next < len(self.tokens) and self.tokens[self.next].kind == OPEN
        if not given:
            if spec.naming in (NO_NAME, MAYBE, MAYBE_GENERIC):
                return
            last = self.tokens[self.next - 1]
            if self.next == len(self.tokens):
                raise self.ended(f"a name in parentheses after {last.text}")
            raise self.error(
                messages.SYNTAX, f"{spec.title} needs a name in parentheses", last.start, last.end, keyword=last.text
            ).of(spec)
        start = self.tokens[self.next].start
        arguments, end = self.arguments()
        if spec.naming == NO_NAME:
            raise self.error(messages.SYNTAX, f"{spec.title} takes no name", start, end, keyword=spec.target).of(spec)
        name_spec = spec.name_spec
        assert name_spec is not None
        words = [token.text for token in arguments]
        if not words:
            raise self.error(
                messages.SYNTAX, "there is no name between the parentheses", start, end, keyword=spec.target
            ).of(spec)
        if not "".join(words).strip():
            raise self.error(messages.BAD_NAME, "a name cannot be blank", start, end, keyword=spec.target)
        try:
            command.name = read_name(name_spec.kind, words, spec.naming in (GENERIC, MAYBE_GENERIC))
        except BadValue as bad:
            raise self.error(
                PROBLEMS.get(bad.problem, messages.BAD_NAME),
                f"the name {bad.given[:60]!r} is not accepted; expected {bad.expected}",
                start,
                end,
                keyword=spec.target,
                expected=bad.expected,
            ) from None

    def _lookup(self, command: Command, item: Item) -> AttributeSpec | None:
        spec = command.spec
        word = item.keyword.text
        option = spec.by_word.get(word)
        if option is not None and (
            spec.carries != SHOWS or item.arguments is not None or isinstance(option.kind, Flag)
        ):
            return option
        if not spec.carries:
            return None
        if command.kind is not None:
            return command.kind.find(word)
        return spec.family.find(word) if spec.family is not None else None

    def _known(self, command: Command, items: list[Item]) -> None:
        seen: dict[str, Item] = {}
        twice: list[Item] = []
        for item in items:
            item.spec = self._lookup(command, item)
            if item.keyword.text == "WHERE" and command.spec.carries == SHOWS:
                key = "WHERE"
            elif item.spec is None:
                key = item.keyword.text
            elif item.spec.repeat:
                continue
            else:
                key = item.spec.keyword
            if key in seen:
                twice.append(item)
            seen[key] = item
        if twice:
            names = list(dict.fromkeys([item.keyword.text[:40] for item in twice]))
            named = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'}"
            raise self.error(
                messages.DUPLICATE,
                f"{named} given more than once",
                twice[0].keyword.start,
                twice[0].end,
                keyword=twice[0].keyword.text,
                expected="each keyword once",
            )

    def _type(self, command: Command, items: list[Item]) -> None:
        option = command.spec.type_option
        family = command.spec.family
        if option is None or family is None:
            return
        given = [item for item in items if item.spec is option]
        if given and given[0].arguments is not None:
            value = self._value(option, given[0])
            assert isinstance(value, int)
            command.kind = family.by_subtype.get(value)
        elif command.spec.carries == SHOWS:
            value = option.kind.blank()
            assert isinstance(value, int)
            command.kind = family.by_subtype.get(value)
        if command.kind is not None:
            for item in items:
                item.spec = self._lookup(command, item)

    def _take(self, command: Command, item: Item) -> None:
        spec = command.spec
        word = item.keyword.text
        if word == "WHERE" and spec.carries == SHOWS:
            command.where = self._where(command, item)
            return
        if item.spec is not None and item.spec is spec.by_word.get(word):
            command.options[item.spec.keyword] = self._value(item.spec, item)
        elif spec.carries == SHOWS:
            self._request(command, item)
        elif item.spec is None:
            raise self._unknown(command, item)
        else:
            self._set_attribute(command, item, item.spec)

    def _set_attribute(self, command: Command, item: Item, attribute: AttributeSpec) -> None:
        if not command.spec.takes(attribute):
            why = "it cannot be changed once the object exists" if attribute.definable else "the queue manager sets it"
            raise self.error(
                messages.SYNTAX,
                f"{attribute.keyword} cannot be given with {command.spec.verb}: {why}",
                item.keyword.start,
                item.end,
                keyword=attribute.keyword,
            )
        value = self._value(attribute, item)
        before = command.attributes.get(attribute.keyword)
        if isinstance(before, tuple) and isinstance(value, tuple) and isinstance(attribute.kind, ListOf):
            value = attribute.kind.gather([*before, *value])
            self._checked(attribute, value, item)
        command.attributes[attribute.keyword] = value

    def _request(self, command: Command, item: Item) -> None:
        spec = command.spec
        word = item.keyword.text
        family = spec.family
        assert family is not None
        groups = command.kind.groups() if command.kind is not None else family.groups()
        if item.arguments is None:
            if item.spec is not None:
                command.requested.append(item.spec.keyword)
            elif word in groups or (word == "SUMMARY" and family.name == "SUB"):
                command.requested.append(word)
            elif word != family.type_keyword and (family.name_spec is None or word not in family.name_spec.words):
                raise self._unknown(command, item)
            return
        if item.spec is None:
            raise self._unknown(command, item)
        if item.spec.keyword not in spec.selectors:
            example = f"WHERE({item.spec.keyword} EQ {' '.join(item.words())[:40]})"
            raise self.error(
                messages.SYNTAX,
                f"{item.spec.keyword} takes no value with DISPLAY; to choose objects by it use {example}",
                item.keyword.start,
                item.end,
                keyword=item.spec.keyword,
                suggestion=example,
            )
        words = item.words()
        if len(words) == 1 and isinstance(item.spec.kind, Name) and is_generic(words[0]):
            command.selectors[item.spec.keyword] = words[0]
        else:
            command.selectors[item.spec.keyword] = self._value(item.spec, item)

    def _unknown(self, command: Command, item: Item) -> MQSCError:
        spec = command.spec
        known = [word for option in spec.options for word in option.words]
        known += [word for attribute in spec.attributes(command.kind) for word in attribute.words]
        elsewhere: Iterable[ObjectType] = spec.family.types if spec.family is not None and spec.carries else ()
        others = [kind.type_label for kind in elsewhere if kind is not command.kind and kind.find(item.keyword.text)]
        detail = f"{spec.title} does not know the keyword {item.keyword.text[:40]}"
        if others and command.kind is not None:
            detail += f"; it belongs to {spec.family.type_keyword if spec.family else ''}({' | '.join(others)})"
        return self.error(
            messages.SYNTAX,
            detail,
            item.keyword.start,
            item.end,
            keyword=item.keyword.text,
            expected="a keyword of the command",
            suggestion=nearest(item.keyword.text, known),
        ).of(spec, command.kind)

    def _value(self, attribute: AttributeSpec, item: Item) -> Value:
        word = item.keyword.text
        kind = attribute.kind
        if isinstance(kind, Flag):
            if item.arguments is not None:
                raise self.error(
                    messages.SYNTAX,
                    f"{word} stands alone, without parentheses",
                    item.keyword.start,
                    item.end,
                    keyword=word,
                )
            return kind.words.get(word, kind.blank())
        if item.arguments is None:
            if isinstance(kind, Choice) and kind.bare is not None:
                return kind.bare
            raise self.error(
                messages.SYNTAX,
                f"{word} needs a value in parentheses: {kind.expected()}",
                item.keyword.start,
                item.end,
                keyword=word,
                expected=kind.expected(),
            )
        try:
            return attribute.parse(item.words())
        except BadValue as bad:
            raise self._refused(attribute, item, bad) from None

    def _checked(self, attribute: AttributeSpec, value: Value, item: Item) -> None:
        try:
            attribute.check(value)
        except BadValue as bad:
            raise self._refused(attribute, item, bad) from None

    def _refused(self, attribute: AttributeSpec, item: Item, bad: BadValue) -> MQSCError:
        start = item.arguments[0].start if item.arguments else item.keyword.start
        given = f"{item.keyword.text}({bad.given[:60]})"
        refused = bad.problem == REFUSED
        return self.error(
            PROBLEMS.get(bad.problem, messages.SYNTAX),
            f"{given} is not accepted{': ' if refused else '; expected '}{bad.expected}",
            start,
            item.end,
            keyword=attribute.keyword,
            expected=bad.expected,
            suggestion="" if refused else nearest(bad.given, attribute.kind.keywords()),
        )

    def _where(self, command: Command, item: Item) -> Filter:
        spec = command.spec
        start = item.keyword.start
        form = "WHERE(attribute operator value)"
        if not item.arguments:
            raise self.error(
                messages.FILTER, f"a condition is expected: {form}", start, item.end, keyword="WHERE", expected=form
            )
        first = item.arguments[0]
        found = (
            command.kind.find(first.text)
            if command.kind is not None
            else spec.family.find(first.text)
            if spec.family
            else None
        )
        if found is None and spec.name_spec is not None and first.text in spec.name_spec.words:
            found = spec.name_spec
        if found is None:
            raise self.error(
                messages.FILTER,
                f"{spec.title} has no attribute {first.text[:40]}",
                first.start,
                first.end,
                keyword=first.text,
                suggestion=nearest(first.text, [attribute.keyword for attribute in spec.attributes(command.kind)]),
            )
        if len(item.arguments) < 3:
            raise self.error(
                messages.FILTER,
                f"an operator and a value are expected after {found.keyword}: {form}",
                first.start,
                item.end,
                keyword=found.keyword,
                expected=form,
            )
        second = item.arguments[1]
        if second.text not in OPERATORS:
            raise self.error(
                messages.FILTER,
                f"{second.text[:40]} is not a valid operator; there are {' '.join(OPERATORS)}",
                second.start,
                second.end,
                keyword=found.keyword,
                expected=" ".join(OPERATORS),
                suggestion=nearest(second.text, OPERATORS),
            )
        try:
            return make_filter(found, second.text, [token.text for token in item.arguments[2:]])
        except BadValue as bad:
            raise self.error(
                messages.FILTER,
                f"{found.keyword} {second.text} {bad.given[:60]}: expected {bad.expected}",
                second.start,
                item.end,
                keyword=found.keyword,
                expected=bad.expected,
            ) from None

    def _complete(self, command: Command, items: list[Item]) -> None:
        spec = command.spec
        end = len(self.text)
        given = {*command.options, *command.attributes, *command.selectors}
        for keyword in spec.required:
            if given.isdisjoint(keyword.split("|")) and not (spec.verb == "DEFINE" and "LIKE" in given):
                either = keyword.replace("|", " or ")
                raise self.error(
                    messages.SYNTAX, f"{spec.title} needs {either}", end, end, keyword=keyword, expected=either
                ).of(spec, command.kind)
        if not command.name and spec.naming in (MAYBE, MAYBE_GENERIC):
            self._named_otherwise(command)
        if spec.carries == ALTERS and not command.attributes and not command.options and not items:
            raise self.ended("an attribute to change")
        if spec.carries == DEFINES and command.kind is not None and spec.type_option is not None:
            command.options.pop(spec.type_option.keyword, None)

    def _named_otherwise(self, command: Command) -> None:
        target = command.spec.target
        if target in ("SUB", "SBSTATUS") and "SUBID" not in command.options:
            raise self.ended("a name in parentheses, or SUBID")
        command.name = name_of_options(command)
        if target == "AUTHREC" and not command.name and command.verb != "DISPLAY":
            raise self.ended("PROFILE")


def name_of_options(command: Command) -> str:
    """Return the name that an authority record has by PROFILE or OBJTYPE(QMGR); empty for other commands."""
    if command.target != "AUTHREC":
        return ""
    if "PROFILE" in command.options:
        return str(command.options["PROFILE"])
    return QUEUE_MANAGER_PROFILE if command.options.get("OBJTYPE") == MQOT_Q_MGR else ""


def read_name(kind: Kind, words: list[str], generic: bool) -> str:
    """Return the name that words spell, or the pattern where one is allowed; raise BadValue if it is not valid."""
    if generic and len(words) == 1 and is_generic(words[0]):
        stem = words[0][:-1]
        if stem and isinstance(kind, Name):
            kind.check(stem)
        return words[0]
    value = kind.parse(words)
    if isinstance(value, str):
        return value
    return kind.format(value)
