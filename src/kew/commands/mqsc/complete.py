"""Completion from the tables: the words that may stand at the cursor of an unfinished command."""

from collections.abc import Callable, Iterable
from typing import Final

from kew.commands.mqsc.grammar import COMMANDS, NO_NAME, SHOWS, VERBS, CommandSpec, find_verb
from kew.commands.mqsc.where import OPERATORS, operators_of
from kew.objects.schema import AttributeSpec, ObjectType
from kew.objects.schema.values import Flag

Names = Callable[[str, str], Iterable[str]]  # family and beginning of a name -> names of objects there are

# Attributes whose value is the name of another object, and the family it belongs to.
REFERENCES: Final = {
    "BOQNAME": "QUEUE",
    "CFSTRUCT": "CFSTRUCT",
    "CLUSNL": "NAMELIST",
    "COMMINFO": "COMMINFO",
    "CONNAUTH": "AUTHINFO",
    "DEADQ": "QUEUE",
    "DEFXMITQ": "QUEUE",
    "DEST": "QUEUE",
    "INITQ": "QUEUE",
    "MDURMDL": "QUEUE",
    "MNDURMDL": "QUEUE",
    "PROCESS": "PROCESS",
    "REPOSNL": "NAMELIST",
    "SSLCRLNL": "NAMELIST",
    "STGCLASS": "STGCLASS",
    "STREAMQ": "QUEUE",
    "TARGET": "QUEUE",
    "TOPICOBJ": "TOPIC",
    "TOQLOCAL": "QUEUE",
    "XMITQ": "QUEUE",
}


class Candidate:
    """One word that may stand at the cursor, its meaning, and the offset of the typed text that it replaces."""

    def __init__(self, text: str, start: int, help_text: str) -> None:
        self.text = text
        self.start = start
        self.help_text = help_text

    def __repr__(self) -> str:
        return f"Candidate({self.text!r}, {self.start})"


class _Scan:
    """The state of an unfinished command: whole words before the cursor, and the word under it."""

    def __init__(self, text: str) -> None:
        self.words: list[str] = []  # words and parentheses, in capitals
        self.current = ""  # the word the cursor is at the end of, as typed, without its quotation mark
        self.start = len(text)  # where it begins
        self.quoted = False
        word = ""
        begin = 0
        quote = ""
        for position, character in enumerate(text):
            if quote:
                if character == quote:
                    quote = ""
                    self.words.append(word)
                    word = ""
                else:
                    word += character
                continue
            if character in "'\"":
                quote = character
                begin = position + 1
                word = ""
            elif character in " \t\r\n,()":
                if word:
                    self.words.append(word.upper())
                    word = ""
                if character in "()":
                    self.words.append(character)
            else:
                if not word:
                    begin = position
                word += character
        if word or quote:
            self.current = word
            self.start = begin
            self.quoted = bool(quote)

    def inside(self) -> int:
        """Return the index of the opening parenthesis before the cursor, -1 if the cursor is not inside parentheses."""
        for index in range(len(self.words) - 1, -1, -1):
            if self.words[index] == ")":
                return -1
            if self.words[index] == "(":
                return index
        return -1


def complete(text: str, cursor: int | None = None, names: Names | None = None) -> list[Candidate]:
    """Return the words that may stand at the cursor and begin with the text typed so far, in the tables' order."""
    before = text if cursor is None else text[:cursor]
    before = before[before.rfind(";") + 1 :] if "'" not in before and '"' not in before else before
    scan = _Scan(before)
    offset = len(text if cursor is None else text[:cursor]) - len(before)
    return [
        Candidate(word, scan.start + offset, help_text)
        for word, help_text in _choices(scan, names)
        if word.upper().startswith(scan.current.upper())
    ]


def _choices(scan: _Scan, names: Names | None) -> list[tuple[str, str]]:
    words = scan.words
    if not words:
        return [(verb, "") for verb in VERBS]
    verb = find_verb(words[0])
    if not verb:
        return []
    targets = COMMANDS[verb]
    if len(words) == 1:
        return [(target, spec.help_text) for target, spec in targets.items() if target == spec.target and target]
    spec = targets.get(words[1])
    if spec is None:
        return []
    opened = scan.inside()
    kind = _kind(spec, words)
    if opened == -1:
        return _keywords(spec, kind, words)
    keyword = words[opened - 1]
    typed = words[opened + 1 :]
    if opened == 2:
        return _objects(spec.family.name if spec.family is not None and spec.naming != NO_NAME else "", scan, names)
    if keyword == "WHERE" and spec.carries == SHOWS:
        return _condition(spec, kind, typed)
    attribute = _attribute(spec, kind, keyword)
    if attribute is None:
        return []
    reference = REFERENCES.get(attribute.keyword, "")
    if attribute.keyword == "LIKE" and spec.family is not None:
        reference = spec.family.name
    found = [(word, attribute.help_text) for word in attribute.kind.keywords()]
    return found + _objects(reference, scan, names)


def _objects(family: str, scan: _Scan, names: Names | None) -> list[tuple[str, str]]:
    if not family or names is None:
        return []
    found: list[tuple[str, str]] = []
    for name in names(family, scan.current):
        needs_quotes = not scan.quoted and name != name.upper()
        found.append((f"'{name}'" if needs_quotes else name, family.lower()))
    return found


def _attribute(spec: CommandSpec, kind: ObjectType | None, word: str) -> AttributeSpec | None:
    option = spec.by_word.get(word)
    if option is not None or not spec.carries:
        return option
    if kind is not None:
        return kind.find(word)
    return spec.family.find(word) if spec.family is not None else None


def _kind(spec: CommandSpec, words: list[str]) -> ObjectType | None:
    option = spec.type_option
    if option is None or spec.family is None:
        return spec.kind
    for index in range(2, len(words) - 2):
        if words[index] in option.words and words[index + 1] == "(":
            return spec.family.by_label.get(words[index + 2])
    return None


def _keywords(spec: CommandSpec, kind: ObjectType | None, words: list[str]) -> list[tuple[str, str]]:
    used = set(words[2:])
    found: list[tuple[str, str]] = []
    if spec.carries == SHOWS:
        found.append(("WHERE", "Condition that objects to be shown meet."))
    for attribute in (*spec.options, *spec.attributes(kind)):
        if isinstance(attribute.kind, Flag):
            if not used.intersection(attribute.words):
                found.extend([(word, attribute.help_text) for word in attribute.kind.words])
        elif not used.intersection(attribute.words):
            found.append((attribute.keyword, attribute.help_text))
    if spec.carries == SHOWS and spec.family is not None:
        found.extend([(group, "A group of attributes.") for group in spec.family.groups() if group not in used])
    return list(dict(found).items())


def _condition(spec: CommandSpec, kind: ObjectType | None, typed: list[str]) -> list[tuple[str, str]]:
    if not typed:
        attributes = spec.attributes(kind)
        return [(attribute.keyword, attribute.help_text) for attribute in attributes if operators_of(attribute)]
    attribute = _attribute(spec, kind, typed[0])
    if attribute is None:
        return []
    if len(typed) == 1:
        return [(word, "") for word in operators_of(attribute) or OPERATORS]
    return [(word, attribute.help_text) for word in attribute.kind.keywords()]
