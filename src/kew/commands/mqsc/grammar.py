"""The grammar of commands, read from the tables: each verb with its targets, and the keywords allowed there."""

from typing import Final

from kew.codes import commands as c
from kew.codes.attributes import MQCA_TOPIC_STRING
from kew.commands.mqsc import options as p
from kew.commands.mqsc import tables
from kew.objects.schema import FAMILIES, AttributeSpec, Family, ObjectType, object_type
from kew.objects.schema.grid import Cells, read
from kew.objects.schema.topics import TOPIC_STRING
from kew.objects.schema.values import Flag

# Whether a command takes a name in parentheses.
NO_NAME: Final = ""
NAMED: Final = "name"
GENERIC: Final = "generic"  # a name, or its beginning and an asterisk
MAYBE: Final = "maybe"  # a name, unless another keyword says what is meant
MAYBE_GENERIC: Final = "maybe generic"

# Which attributes of the object a command may carry, and how.
NOTHING: Final = ""
DEFINES: Final = "define"
ALTERS: Final = "alter"
SHOWS: Final = "display"

VERBS: Final = {
    "ALTER": ("ALT",),
    "ARCHIVE": ("ARC",),
    "BACKUP": ("BAC",),
    "CLEAR": ("CLE",),
    "DEFINE": ("DEF",),
    "DELETE": ("DEL",),
    "DISPLAY": ("DIS",),
    "END": ("EXIT", "QUIT"),
    "MOVE": ("MOV",),
    "PING": ("PIN",),
    "RECOVER": ("REC",),
    "REFRESH": ("REF",),
    "RESET": (),
    "RESOLVE": ("RES",),
    "RESUME": (),
    "RVERIFY": ("REV",),
    "SET": (),
    "START": ("STA",),
    "STOP": ("STO",),
    "SUSPEND": ("SUS",),
}


class CommandSpec:
    """One verb with one target: the parameters that may follow, and the command in PCF."""

    def __init__(
        self,
        verb: str,
        target: str,
        family: Family | None,
        *,
        kind: ObjectType | None = None,
        synonyms: tuple[str, ...] = (),
        naming: str = NO_NAME,
        name_spec: AttributeSpec | None = None,
        carries: str = NOTHING,
        options: tuple[AttributeSpec, ...] = (),
        required: str = "",
        selectors: str = "",
        pcf: int = 0,
        done: str = "CSQ9022I",
        refused: str = "",
        help_text: str = "",
    ) -> None:
        self.verb = verb
        self.target = target
        self.family = family
        only = family.types[0] if family is not None and len(family.types) == 1 else None
        self.kind = kind or only  # the object type, where the target says it
        self.synonyms = synonyms
        self.naming = naming
        self.name_spec = name_spec or (family.name_spec if family is not None and naming else None)
        self.carries = carries
        self.options = options
        self.required = tuple(required.split())  # keywords it cannot do without; A|B is one of the two
        self.selectors = frozenset(selectors.split())  # attributes that DISPLAY takes with a value, to choose objects
        self.pcf = pcf
        self.done = done  # the message of success
        self.refused = refused  # why there is no such command in Kew
        self.help_text = help_text
        self.by_word: dict[str, AttributeSpec] = {}
        for option in options:
            for word in option.words:
                self.by_word[word] = option

    @property
    def title(self) -> str:
        """Return verb and target, as messages name the command."""
        return f"{self.verb} {self.target}" if self.target else self.verb

    @property
    def type_option(self) -> AttributeSpec | None:
        """Return the option that gives the object type within the family, None if the target itself gives the type."""
        if self.family is None or self.kind is not None:
            return None
        return self.by_word.get(self.family.type_keyword) if self.family.type_keyword else None

    def takes(self, spec: AttributeSpec) -> bool:
        """Return whether the command may have this attribute of its object."""
        if self.carries == DEFINES:
            return spec.definable
        if self.carries == ALTERS:
            return spec.alterable
        return self.carries == SHOWS

    def attributes(self, kind: ObjectType | None = None) -> list[AttributeSpec]:
        """Return the attributes the command may carry, for one type or for the whole family."""
        chosen = kind or self.kind
        if chosen is not None:
            return [spec for spec in chosen.attributes if self.takes(spec)]
        if self.family is None or not self.carries:
            return []
        unique = dict.fromkeys([spec.keyword for spec in self.family.by_word.values()])
        specs = [self.family.by_word.get(keyword) for keyword in unique]
        flags = {spec.keyword: spec for spec in self.family.by_word.values() if isinstance(spec.kind, Flag)}
        named = [spec or flags.get(keyword) for keyword, spec in zip(unique, specs, strict=True)]
        return [spec for spec in named if spec is not None and self.takes(spec)]


class ObjectCommands:
    """DEFINE, ALTER, DELETE and DISPLAY of one target: their success messages and PCF commands."""

    def __init__(self, cells: Cells) -> None:
        self.target = cells["target"]
        self.synonyms = tuple(cells["short"].split())
        self.family = FAMILIES[cells["object"]]
        self.defined, self.altered, self.deleted = cells["defined"], cells["altered"], cells["deleted"]
        self.define_pcf, self.alter_pcf = _pcf(cells, "define"), _pcf(cells, "alter")
        self.delete_pcf, self.display_pcf = _pcf(cells, "delete"), _pcf(cells, "display")


# The meaning of the name in commands that do not name an object of their family.
NAMES: Final[dict[str, AttributeSpec]] = {
    "TRACE": p.TRACE,
    "TOPICSTR": p.option("TOPICSTR", MQCA_TOPIC_STRING, TOPIC_STRING, "Topic string."),
    "LOG": p.option("LOG", 0, p.ENVPARM.kind, "File of the new log extent."),
    "CLUSTER": p.option("CLUSTER", 0, p.CLUSTER.kind, "Cluster; * for all."),
    "SECURITY": p.option("SECURITY", 0, p.ENVPARM.kind, "Class of security; * for all."),
    "USERS": p.option("SECURITY", 0, p.USERID.kind, "Users."),
}
TOGETHER: Final[dict[str, tuple[AttributeSpec, ...]]] = {
    "listener...": (p.TRPTYPE, p.PORT, p.IPADDR, p.INDISP, p.IGNSTATE, p.CMDSCOPE),
    "trace...": (p.CLASS, p.DEST, p.RMID, p.USERID, p.COMMENT, p.CMDSCOPE),
}
# Commands of MQ that are not in the tables, by verb and target, and what they wait for.
NOT_THERE: Final = {
    ("DISPLAY", "APSTATUS"): "there are no uniform clusters yet; DISPLAY CONN(*) shows the programs that are connected",
    ("DEFINE", "MAXSMSGS"): "ALTER QMGR MAXUMSGS limits the messages of a unit of work",
    ("DISPLAY", "MAXSMSGS"): "DISPLAY QMGR MAXUMSGS shows the limit of messages of a unit of work",
    ("PURGE", "CHANNEL"): "there are no AMQP and MQTT channels",
}
REFUSED: Final = {
    "RESET TPIPE": "there is no OTMA bridge to IMS",
    "START QMGR": "the kew command starts queue managers",
}


def _pcf(cells: Cells, column: str) -> int:
    name = cells[column]
    if name in ("", "-"):
        return 0
    value = vars(c).get(name)
    if not isinstance(value, int):
        raise cells.bad(column, f"{name!r} is not a command of PCF")
    return value


def _options(cells: Cells, column: str) -> tuple[AttributeSpec, ...]:
    """Return the options that a cell of the table names, as declared in `options.py`."""
    found: list[AttributeSpec] = []
    for name in cells[column].split():
        option = vars(p).get(name)
        if name in TOGETHER:
            found.extend(TOGETHER[name])
        elif name == "status-type":
            found.append(p.status_type(cells["target"]))
        elif isinstance(option, AttributeSpec):
            found.append(option)
        else:
            raise cells.bad(column, f"{name!r} is not an option of commands")
    return tuple(found)


def _family(cells: Cells) -> tuple[Family | None, ObjectType | None]:
    name, _, narrowed = cells["object"].partition("/")
    if name and name not in FAMILIES:
        raise cells.bad("object", f"{name!r} is not a family of objects")
    return FAMILIES[name] if name else None, object_type(narrowed) if narrowed else None


def _name(cells: Cells) -> tuple[str, AttributeSpec | None]:
    """Return whether a command takes a name, and the parameter that the name gives if it is not an object's name."""
    naming, _, named = cells["name"].partition(":")
    if naming not in (NO_NAME, NAMED, GENERIC, MAYBE, MAYBE_GENERIC) or (named and named not in NAMES):
        raise cells.bad("name", f"{cells['name']!r} does not say how the command names something")
    return naming, NAMES.get(named)


OBJECTS: Final = tuple([ObjectCommands(cells) for cells in read(tables.OBJECTS)])


def _objects() -> list[CommandSpec]:
    extras = {cells["object"]: cells for cells in read(tables.EXTRAS)}
    found: list[CommandSpec] = []
    for each in OBJECTS:
        family, target = each.family, each.target
        extra = extras[family.name]
        kind = object_type(target) if family.name == "QUEUE" else None
        both = _options(extra, "define and alter")
        showing = _options(extra, "display")
        where = MAYBE if family.name == "SUB" else NAMED
        what = (kind or family.types[0]).help_text
        found += [
            CommandSpec(
                "DEFINE",
                target,
                family,
                kind=kind,
                synonyms=each.synonyms,
                naming=NAMED,
                carries=DEFINES,
                options=(p.REPLACE, p.LIKE, p.CMDSCOPE, *[option for option in both if option is not p.SUBID]),
                required=extra["required"],
                pcf=each.define_pcf,
                done=each.defined,
                help_text=f"Creates: {what}",
            ),
            CommandSpec(
                "ALTER",
                target,
                family,
                kind=kind,
                synonyms=each.synonyms,
                naming=where,
                carries=ALTERS,
                options=(*both, p.CMDSCOPE),
                pcf=each.alter_pcf,
                done=each.altered,
                help_text=f"Changes: {what}",
            ),
            CommandSpec(
                "DELETE",
                target,
                family,
                kind=kind,
                synonyms=each.synonyms,
                naming=where,
                options=(*_options(extra, "delete"), p.CMDSCOPE),
                pcf=each.delete_pcf,
                done=each.deleted,
                help_text=f"Deletes: {what}",
            ),
            CommandSpec(
                "DISPLAY",
                target,
                family,
                kind=kind,
                synonyms=each.synonyms,
                naming=MAYBE_GENERIC if family.name == "SUB" else GENERIC,
                carries=SHOWS,
                options=(*[each for each in showing if kind is None or each is not p.QTYPE], p.ALL, p.CMDSCOPE),
                selectors=extra["chosen by"],
                pcf=each.display_pcf,
                done="",
                help_text=f"Shows: {what}",
            ),
        ]
    return found


def _display(cells: Cells) -> CommandSpec:
    family, _ = _family(cells)
    naming, name_spec = _name(cells)
    if family is None:
        raise cells.bad("object", "DISPLAY needs a family of objects")
    return CommandSpec(
        "DISPLAY",
        cells["target"],
        family,
        synonyms=tuple(cells["short"].split()),
        naming=naming,
        name_spec=name_spec,
        carries=SHOWS,
        options=(*_options(cells, "options"), p.ALL, p.CMDSCOPE),
        selectors=cells["chosen by"],
        required=cells["required"],
        pcf=_pcf(cells, "pcf"),
        done="",
        help_text=f"Shows: {family.types[0].help_text}",
    )


def _action(cells: Cells) -> CommandSpec:
    verb, _, target = cells["command"].partition(" ")
    family, kind = _family(cells)
    naming, name_spec = _name(cells)
    if cells["carries"] not in (NOTHING, DEFINES, ALTERS):
        raise cells.bad("carries", f"expected {DEFINES} or {ALTERS}")
    return CommandSpec(
        verb,
        target,
        family,
        kind=kind,
        synonyms=tuple(cells["short"].split()),
        naming=naming,
        name_spec=name_spec,
        carries=cells["carries"],
        options=_options(cells, "options"),
        required=cells["required"],
        pcf=_pcf(cells, "pcf"),
        done="" if cells["message"] == "-" else cells["message"],
        refused=REFUSED.get(cells["command"], ""),
        help_text=cells["meaning"],
    )


def _table() -> dict[str, dict[str, CommandSpec]]:
    table: dict[str, dict[str, CommandSpec]] = {verb: {} for verb in VERBS}
    for spec in (*_objects(), *map(_display, read(tables.DISPLAYS)), *map(_action, read(tables.ACTIONS))):
        for word in (spec.target, *spec.synonyms):
            table[spec.verb][word] = spec
    return table


COMMANDS: Final[dict[str, dict[str, CommandSpec]]] = _table()
VERB_WORDS: Final[dict[str, str]] = {word: verb for verb, short in VERBS.items() for word in (verb, *short)}


def all_commands() -> list[CommandSpec]:
    """Return every command once, although several words may name it."""
    return [spec for targets in COMMANDS.values() for word, spec in targets.items() if word == spec.target]


def find_verb(word: str) -> str:
    """Return the verb that a word or its abbreviation names, empty if none."""
    return VERB_WORDS.get(word.upper(), "")
