"""The rows of the attribute table, and the object types that consist of these rows."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from kew.objects.schema.pending import NOT_HEEDED
from kew.objects.schema.values import REFUSED, BadValue, Choice, Flag, Interval, Kind, Value

# The commands that may set an attribute.
SET: Final = "set"  # DEFINE and ALTER
DEFINE: Final = "define"  # DEFINE only; fixed from then on
KEEP: Final = "keep"  # the queue manager, when it creates or alters the object; stored with it
LIVE: Final = "live"  # the running engine; never stored

# When a change takes effect.
ANYTIME: Final = "anytime"  # at once, even while the object is open
FORCE: Final = "force"  # while the object is open only with FORCE
EMPTY: Final = "empty"  # only while it is not open and has no messages
RESTART: Final = "restart"  # when the channel, listener or queue manager next starts


class AttributeSpec:
    """One attribute of one object type, for MQSC, PCF, DISPLAY and help."""

    def __init__(
        self,
        keyword: str,
        pcf: int,
        kind: Kind,
        default: Value,
        help_text: str,
        *,
        synonyms: tuple[str, ...] = (),
        role: str = SET,
        change: str = ANYTIME,
        refused: str = "",
        group: str = "",
        pcf_seconds: int = 0,
        repeat: bool = False,
        elsewhere: tuple[str, ...] = (),
    ) -> None:
        self.keyword = keyword
        self.pcf = pcf  # PCF parameter identifier; 0 where PCF has none
        self.pcf_seconds = pcf_seconds  # second identifier of a time in minutes and seconds
        self.kind = kind
        self.default = default
        self.help_text = help_text
        self.synonyms = synonyms
        self.role = role
        self.change = change
        self.refused = refused  # why only the default value is taken; empty for an effective attribute
        self.pending = ""  # the missing part that would use it; until then commands take only the default
        self.repeat = repeat  # may be given several times in one command; the lists are joined
        # Defaults of MQ that differ from Kew's, as MQSC spells them, with * at the end: commands replace them by Kew's.
        self.elsewhere = elsewhere
        self._items: dict[int, str] = {}  # a keyword's item as DISPLAY shows it, since most items are keywords
        if isinstance(kind, Choice):
            for value, word in kind.names.items():
                self._items[value] = word if isinstance(kind, Flag) else f"{keyword}({word})"
        self.group = group  # the word of DISPLAY for the attribute's group: EVENT, CLUSINFO, LOG

    @property
    def stored(self) -> bool:
        """Say whether a definition stores a value of this attribute."""
        return self.role != LIVE

    @property
    def definable(self) -> bool:
        """Say whether a DEFINE command may have the attribute."""
        return self.role in (SET, DEFINE)

    @property
    def alterable(self) -> bool:
        """Say whether an ALTER command may change the attribute."""
        return self.role == SET

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words for this attribute: its keyword, or the words of a flag, then synonyms."""
        if isinstance(self.kind, Flag):
            return (*self.kind.words, *self.synonyms)
        return (self.keyword, *self.synonyms)

    def parse(self, given: str | Sequence[str]) -> Value:
        """Return the value of a word, or of a list of words; raise BadValue if it is not valid."""
        value = self.kind.parse([given] if isinstance(given, str) else given)
        self.check(value)
        return value

    def read(self, text: str) -> Value:
        """Return the value of one text, a list joined by commas; raise BadValue if it is not valid."""
        value = self.kind.read(text)
        self.check(value)
        return value

    def check(self, value: Value) -> None:
        """Raise BadValue unless this attribute can have the value."""
        self.kind.check(value)
        if self.refused and value != self.default and not self.is_default_of_mq(value):
            raise BadValue(REFUSED, self.kind.format(value).strip(), self.refused)

    def is_default_of_mq(self, value: Value) -> bool:
        """Say whether a value is MQ's default of an attribute for which Kew supports only a default of its own."""
        return bool(self.elsewhere) and any(
            fnmatchcase(self.kind.format(value).strip(), default) for default in self.elsewhere
        )

    def format(self, value: Value) -> str:
        """Return the value as DISPLAY shows it between parentheses."""
        return self.kind.format(value)

    def show(self, value: Value) -> str:
        """Return the whole item as DISPLAY shows it: KEYWORD(value), or the bare word of a flag."""
        if isinstance(value, int):
            item = self._items.get(value)
            if item is not None:
                return item
        return f"{self.keyword}({self.kind.format(value)})"

    def define(self, value: Value) -> str:
        """Return the whole item as a DEFINE command takes it."""
        if isinstance(self.kind, Flag):
            return self.kind.format(value)
        return f"{self.keyword}({self.kind.define(value)})"

    def to_pcf(self, value: Value) -> dict[int, Value]:
        """Return the PCF parameters that carry the value, by identifier."""
        if isinstance(self.kind, Interval) and self.pcf_seconds:
            assert isinstance(value, int)
            return (
                {self.pcf: -1, self.pcf_seconds: 0}
                if value < 0
                else {self.pcf: value // 60, self.pcf_seconds: value % 60}
            )
        return {self.pcf: self.kind.to_pcf(value)}

    def from_pcf(self, parameters: Mapping[int, Value]) -> Value | None:
        """Return the value from PCF parameters, None if they lack the attribute; raise BadValue if it is not valid."""
        raw = parameters.get(self.pcf)
        if raw is None:
            return None
        if isinstance(self.kind, Interval) and self.pcf_seconds and isinstance(raw, int) and raw >= 0:
            seconds = parameters.get(self.pcf_seconds, 0)
            raw = raw * 60 + (seconds if isinstance(seconds, int) else 0)
        value = self.kind.from_pcf(raw)
        self.check(value)
        return value


class Row:
    """One line of a table: an attribute, for each of the object types that have it."""

    def __init__(
        self,
        keyword: str,
        pcf: int,
        kind: Kind,
        default: str,
        help_text: str,
        *,
        types: str = "",
        defaults: Mapping[str, str] | None = None,
        synonyms: tuple[str, ...] = (),
        role: str = SET,
        change: str = ANYTIME,
        refused: str = "",
        group: str = "",
        pcf_seconds: int = 0,
        repeat: bool = False,
        elsewhere: tuple[str, ...] = (),
    ) -> None:
        self.keyword = keyword
        self.pcf = pcf
        self.kind = kind
        self.default = default  # as MQSC spells it
        self.help_text = help_text
        self.types = types.split()  # the types that have it; none listed means all of the family
        self.defaults = dict(defaults or {})  # type -> a default of its own
        self.synonyms = synonyms
        self.role = role
        self.change = change
        self.refused = refused
        self.group = group
        self.pcf_seconds = pcf_seconds
        self.repeat = repeat
        self.elsewhere = elsewhere

    def spec(self, type_name: str) -> AttributeSpec | None:
        """Return the attribute of one object type, None if the type does not have it."""
        if self.types and type_name not in self.types:
            return None
        text = self.defaults.get(type_name, self.default)
        value = self.kind.read(text) if text else self.kind.blank()
        self.kind.check(value)
        return AttributeSpec(
            self.keyword,
            self.pcf,
            self.kind,
            value,
            self.help_text,
            synonyms=self.synonyms,
            role=self.role,
            change=self.change,
            refused=self.refused,
            group=self.group,
            pcf_seconds=self.pcf_seconds,
            repeat=self.repeat,
            elsewhere=self.elsewhere,
        )


class ObjectType:
    """One type of object or status: its names, its title in DISPLAY, and its attributes in DISPLAY's order."""

    def __init__(
        self,
        name: str,
        family: str,
        title: tuple[str, str],
        name_spec: AttributeSpec | None,
        rows: Iterable[Row],
        *,
        synonyms: tuple[str, ...] = (),
        type_keyword: str = "",
        type_label: str = "",
        pcf_type: int = 0,
        pcf_subtype: tuple[int, int] = (0, 0),
        status: bool = False,
        always: str = "",
        type_after: str = "",
        help_text: str = "",
    ) -> None:
        self.name = name
        self.family = family  # the word DISPLAY and DEFINE use for all types of this kind: QUEUE, CHANNEL
        self.message_id, self.title = title
        self.name_spec = name_spec  # None where there is only one object: QMGR, SYSTEM
        self.synonyms = synonyms
        self.type_keyword = type_keyword  # the attribute that says which type it is: TYPE, CHLTYPE, AUTHTYPE
        self.type_label = type_label or name  # and what it says
        self.pcf_type = pcf_type  # MQOT value
        self.pcf_subtype = pcf_subtype  # PCF identifier and value of the type attribute; zeros where there is none
        self.status = status  # read from the running engine, not defined
        self.always = tuple(always.split())  # shown by every DISPLAY
        self.type_after = type_after  # the attribute DISPLAY shows the type after; the name where this is empty
        self.help_text = help_text
        specs = [spec for spec in [row.spec(name) for row in rows] if spec is not None]
        for spec in specs:
            spec.pending = NOT_HEEDED.get(family, {}).get(spec.keyword, "")
        self.attributes: tuple[AttributeSpec, ...] = tuple(specs)
        self.by_keyword: dict[str, AttributeSpec] = {spec.keyword: spec for spec in specs}
        self.defaults: dict[str, Value] = {spec.keyword: spec.default for spec in specs if spec.stored}
        self.by_word: dict[str, AttributeSpec] = {}
        for spec in specs:
            for word in spec.words:
                self.by_word.setdefault(word, spec)
        self.by_pcf: dict[int, AttributeSpec] = {}
        for spec in specs:
            if spec.pcf:
                self.by_pcf.setdefault(spec.pcf, spec)

    def find(self, word: str) -> AttributeSpec | None:
        """Return the attribute that a word names, in capitals or not, or None."""
        return self.by_word.get(word.upper())

    def __getitem__(self, keyword: str) -> AttributeSpec:
        return self.by_keyword[keyword]

    def __contains__(self, keyword: str) -> bool:
        return keyword in self.by_keyword

    def __repr__(self) -> str:
        return f"ObjectType({self.name})"

    def definable(self) -> list[AttributeSpec]:
        """Return the attributes that a DEFINE command may give."""
        return [spec for spec in self.attributes if spec.definable]

    def groups(self) -> list[str]:
        """Return the words of DISPLAY that stand for groups of attributes, such as CLUSINFO."""
        return list(dict.fromkeys([spec.group for spec in self.attributes if spec.group]))
