"""Help from the tables: the syntax of commands, and help for DEFINE QLOCAL ? and the like."""

from typing import Final

from kew.commands.mqsc.grammar import (
    COMMANDS,
    GENERIC,
    MAYBE,
    MAYBE_GENERIC,
    NAMED,
    NO_NAME,
    SHOWS,
    VERBS,
    CommandSpec,
    find_verb,
)
from kew.objects.schema import ANYTIME, EMPTY, FORCE, RESTART, AttributeSpec, ObjectType
from kew.objects.schema.values import Choice, Flag, Interval, Kilobytes, ListOf, Number

CHANGE_TEXTS: Final = {
    ANYTIME: "takes hold at once",
    FORCE: "needs FORCE while the object is open",
    EMPTY: "only while the object is closed and empty",
    RESTART: "takes hold at the next start",
}


def _form(attribute: AttributeSpec) -> str:
    kind = attribute.kind
    if isinstance(kind, Flag):
        return " | ".join(kind.words)
    inner = "string"
    if isinstance(kind, ListOf):
        words = kind.item.keywords()
        inner = " | ".join(words) + ",..." if words else "string,..."
    elif isinstance(kind, Choice):
        inner = " | ".join(kind.words)
    elif isinstance(kind, Number):
        inner = " | ".join([f"{kind.low}..{kind.high}", *kind.specials])
    elif isinstance(kind, Kilobytes):
        inner = f"{kind.low}K..{kind.high}K"
    elif isinstance(kind, Interval):
        inner = "MMMM.SS"
    return f"{attribute.keyword}( {inner} )"


def syntax(spec: CommandSpec, kind: ObjectType | None = None) -> list[str]:
    """Return the syntax of a command, one parameter a line, with optional parameters in brackets."""
    first = spec.title
    if spec.naming in (NAMED, GENERIC):
        first += "( generic_name )" if spec.naming == GENERIC else "( name )"
    elif spec.naming in (MAYBE, MAYBE_GENERIC):
        first += " [ ( name ) ]"
    lines = [first]
    needed = {word for keyword in spec.required for word in keyword.split("|")}
    for option in spec.options:
        text = _form(option)
        lines.append(f"   {text}" if option.keyword in needed else f"   [ {text} ]")
    if spec.carries == SHOWS:
        lines.append("   [ WHERE( attribute operator value ) ]")
        for attribute in spec.attributes(kind):
            chosen = _form(attribute) if attribute.keyword in spec.selectors else attribute.words[0]
            lines.append(f"   [ {chosen} ]")
    else:
        lines.extend([f"   [ {_form(attribute)} ]" for attribute in spec.attributes(kind)])
    return lines


def describe(attribute: AttributeSpec) -> list[str]:
    """Return the description of one keyword: its meaning, values, default and when a change takes effect."""
    lines = [f"{' | '.join(attribute.words)}: {attribute.help_text}", f"   Values: {attribute.kind.expected()}"]
    shown = attribute.format(attribute.default).strip()
    if attribute.definable and shown:
        lines.append(f"   Default: {shown}")
    if attribute.alterable and attribute.change != ANYTIME:
        lines.append(f"   A change {CHANGE_TEXTS[attribute.change]}.")
    if attribute.refused:
        lines.append(f"   Only the default is taken: {attribute.refused}.")
    if attribute.pending:
        lines.append(f"   Only the default is taken for now: {attribute.pending}.")
    if isinstance(attribute.kind, Choice):
        lines.extend([f"   Not taken: {word}, since {why}." for word, why in attribute.kind.refused.items()])
    return lines


def _columns(rows: list[tuple[str, str]]) -> list[str]:
    width = max([len(word) for word, _ in rows], default=0)
    return [f"   {word:<{width}}  {text}" for word, text in rows]


def help_on(text: str) -> list[str]:
    """Return help for the beginning of a command, such as DEFINE, DEFINE QLOCAL or DEFINE QLOCAL(X) MAXDEPTH."""
    words = text.replace("?", " ").replace("(", " ( ").replace(")", " ) ").upper().split()
    if not words:
        return ["Commands:", *_columns([(verb, ", ".join(short)) for verb, short in VERBS.items()])]
    verb = find_verb(words[0])
    if not verb:
        return [f"{words[0]} is not a valid command.", *help_on("")]
    targets = COMMANDS[verb]
    spec = targets.get(words[1]) if len(words) > 1 else targets.get("")
    if spec is None:
        known = [(target, found.help_text) for target, found in targets.items() if target == found.target]
        return [f"{verb} may be followed by:", *_columns(known)]
    kind = _typed(spec, words)
    last = words[-1] if words[-1] not in "()" else words[-2]
    if len(words) > 2:
        attribute = spec.by_word.get(last) or (
            kind.find(last) if kind else spec.family.find(last) if spec.family else None
        )
        if attribute is not None:
            return describe(attribute)
    lines = [f"{spec.title}: {spec.help_text}"]
    if spec.naming != NO_NAME and spec.name_spec is not None:
        lines.append(f"   ( {spec.name_spec.keyword} ): {spec.name_spec.help_text}")
    if spec.options:
        lines.extend(
            ["Parameters:", *_columns([(" | ".join(option.words), option.help_text) for option in spec.options])]
        )
    rows = [(" | ".join(attribute.words), attribute.help_text) for attribute in spec.attributes(kind)]
    if rows:
        lines.extend(["Attributes:", *_columns(rows)])
    return lines


def _typed(spec: CommandSpec, words: list[str]) -> ObjectType | None:
    """Return the object type that the words so far determine, such as a CHLTYPE."""
    if spec.kind is not None or spec.family is None:
        return spec.kind
    option = spec.type_option
    if option is None:
        return None
    for index in range(2, len(words) - 2):
        if words[index] in option.words and words[index + 1] == "(":
            return spec.family.by_label.get(words[index + 2])
    return None
