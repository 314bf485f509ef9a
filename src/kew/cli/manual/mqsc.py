"""Pages of section 7: MQSC as a language, each verb with its commands, each type of object with its attributes."""

from collections.abc import Iterator
from typing import Final

from kew.cli.manual.page import Page
from kew.commands.mqsc.grammar import COMMANDS, VERBS, CommandSpec
from kew.commands.mqsc.help import describe, syntax
from kew.objects.schema import OBJECT_TYPES, AttributeSpec, ObjectType

_LANGUAGE: Final = (
    "A command is a verb, the kind of object, mostly a name in parentheses, and keywords with values in parentheses, "
    "in any order. Case does not matter outside quotation marks.",
    "A line that ends in + goes on with the first character of the next line that is not blank; one that ends in - "
    "goes on with the first character of the next line. A semicolon ends a command before its line does. A line that "
    "begins with * is a comment.",
    "Names and values in apostrophes keep their case, and may hold blanks and special characters; two apostrophes "
    "stand for one.",
    "In a DISPLAY command a name may end in * and so mean all names that begin so. WHERE(attribute operator value) "
    "shows only objects that fit; operators are LT GT EQ NE LE GE; LK and NL for texts with a *; CT, EX, CTG and EXG "
    "for lists.",
)


def mqsc_pages() -> Iterator[Page]:
    """Give the page of the language, and those of verbs and of objects."""
    yield _language()
    for verb in VERBS:
        yield _verb(verb)
    for kind in OBJECT_TYPES.values():
        yield _object(kind)


def _specs(verb: str) -> list[CommandSpec]:
    return [spec for target, spec in COMMANDS[verb].items() if target == spec.target]


def _language() -> Page:
    page = Page("kew-mqsc", 7, "the command language of queue managers")
    page.heading("DESCRIPTION")
    for paragraph in _LANGUAGE:
        page.paragraph(paragraph)
    page.heading("COMMANDS")
    for verb, short in VERBS.items():
        words = " | ".join([verb, *short])
        targets = ", ".join([spec.target for spec in _specs(verb) if spec.target])
        page.item(words, f"{targets}." if targets else "", f"See kew-mqsc-{verb.lower()}(7).")
    page.heading("OBJECTS")
    for kind in OBJECT_TYPES.values():
        page.item(kind.name, kind.help_text, f"See {_object_name(kind)}(7).")
    page.heading("SEE ALSO")
    page.paragraph("kew(1), kew-mqsc(1)")
    return page


def _verb(verb: str) -> Page:
    page = Page(f"kew-mqsc-{verb.lower()}", 7, f"the {verb} commands of MQSC")
    for spec in _specs(verb):
        page.heading(spec.title)
        if spec.help_text:
            page.paragraph(spec.help_text)
        if spec.refused:
            page.paragraph(f"Kew does not have this command: {spec.refused}.")
        # Attributes of the object stand on its own page; here they would make the form unreadable.
        form = syntax(spec)[: 1 + len(spec.options)]
        page.lines([*form, "   attributes ..."] if spec.carries else form)
        if spec.synonyms:
            page.paragraph(f"Also written {', '.join([f'{verb} {word}' for word in spec.synonyms])}.")
        for option in spec.options:
            _attribute(page, option)
        if spec.carries and spec.kind is not None:
            page.paragraph(f"Attributes: {_object_name(spec.kind)}(7).")
        elif spec.carries and spec.family is not None:
            pages = ", ".join([f"{_object_name(kind)}(7)" for kind in spec.family.types])
            page.paragraph(f"Attributes: {pages}.")
    page.heading("SEE ALSO")
    page.paragraph("kew-mqsc(1), kew-mqsc(7)")
    return page


def _object_name(kind: ObjectType) -> str:
    return f"kew-{kind.name.lower()}"


def _object(kind: ObjectType) -> Page:
    page = Page(_object_name(kind), 7, f"attributes of {kind.name}")
    page.heading("DESCRIPTION")
    page.paragraph(kind.help_text or f"{kind.title.rstrip('.')}.")
    if kind.status:
        page.paragraph("These values are those of the moment; DISPLAY shows them and nothing sets them.")
    verbs = [spec.title for verb in VERBS for spec in _specs(verb) if spec.family and kind in spec.family.types]
    own = [title for title in verbs if title.split()[1] in (kind.name, kind.family)]
    page.paragraph(f"Commands: {', '.join(own or verbs)}.")
    if kind.name_spec is not None:
        page.heading("NAME OF THE OBJECT")
        _attribute(page, kind.name_spec)
    settable = [spec for spec in kind.attributes if spec.definable]
    shown = [spec for spec in kind.attributes if not spec.definable]
    for title, specs in (("ATTRIBUTES", settable), ("ATTRIBUTES THAT ARE ONLY SHOWN", shown)):
        if specs:
            page.heading(title)
            for spec in specs:
                _attribute(page, spec)
    page.heading("SEE ALSO")
    page.paragraph("kew-mqsc(1), kew-mqsc(7)")
    return page


def _attribute(page: Page, spec: AttributeSpec) -> None:
    first, *rest = describe(spec)
    title, _, text = first.partition(": ")
    page.item(title, text, *rest)
