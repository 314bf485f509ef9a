"""Finds a topic of the manual: a command, MQSC, an object, an attribute, a key of qm.ini, a code."""

import difflib
from collections.abc import Iterator

import click

from kew.cli.manual.codes import explain_code
from kew.cli.manual.commands import command_pages
from kew.cli.manual.files import dump_page, ini_page
from kew.cli.manual.mqsc import mqsc_pages
from kew.cli.manual.page import Page
from kew.cli.manual.reference import reference_pages
from kew.cli.mqnames import MQ_COMMANDS
from kew.commands.mqsc.grammar import COMMANDS, find_verb
from kew.commands.mqsc.help import describe, help_on
from kew.objects.schema import FAMILIES, OBJECT_TYPES, object_type
from kew.qmgr.config import configuration_keys
from kew.qmgr.keys import spell


def all_pages(main: click.Group) -> Iterator[Page]:
    """Give every page of the manual."""
    yield from command_pages(main)
    yield from mqsc_pages()
    yield ini_page()
    yield dump_page()
    yield from reference_pages()


def find_help(main: click.Group, words: tuple[str, ...]) -> list[str]:
    """Give the manual's text for some words; empty if it has none."""
    lower = "-".join([word.lower() for word in words])
    if lower in MQ_COMMANDS:
        return [MQ_COMMANDS[lower].answer()]
    pages = {page.name: page for page in command_pages(main)}
    page = pages.get(f"kew-{lower}") or (pages["kew"] if lower == "kew" else None)
    if lower == "mqsc":
        return [*pages["kew-mqsc"].text(), *next(mqsc_pages()).text()]
    if page is not None:
        return page.text()
    if lower in ("qm.ini", "kew-qm.ini"):
        return ini_page().text()
    if lower in ("dumpfile", "kew-dumpfile"):
        return dump_page().text()
    for page in reference_pages() if lower in ("reasons", "messages", "pcf", "smf-records") else ():
        if page.name == f"kew-{lower}":
            return page.text()
    verb = find_verb(words[0].upper())
    if len(words) > 1:
        return help_on(" ".join(words)) if verb else []
    found = {page.name: page for page in mqsc_pages()}
    kind = _object_name(words[0])
    for name in (f"kew-{kind}", f"kew-mqsc-{verb.lower()}" if verb else "", lower):
        if name in found:
            return found[name].text()
    return [*_attributes(words[0]), *_keys(words[0]), *explain_code(words[0])]


def _object_name(word: str) -> str:
    try:
        return object_type(word).name.lower()
    except KeyError:
        return ""


def _attributes(word: str) -> list[str]:
    """Explain an attribute for each object type that has it; types with the same explanation are named together."""
    said: dict[tuple[str, ...], list[str]] = {}
    for family in FAMILIES.values():
        spec = family.find(word)
        if spec is not None:
            said.setdefault(tuple(describe(spec)), []).append(family.name)
    return [line for text, families in said.items() for line in (f"{', '.join(families)}:", *text, "")]


def _keys(word: str) -> list[str]:
    lines: list[str] = []
    for stanza, row, default in configuration_keys():
        if row.name.upper() == word.upper():
            lines.append(f"qm.ini {stanza} {row.name}: {row.effect}")
            lines.extend([f"   Values: {row.kind.allowed}", f"   Default: {spell(row.kind, default)}", ""])
    return lines


def nearest(main: click.Group, word: str) -> list[str]:
    """Give topics that look like a word."""
    words = set(main.list_commands(click.Context(main)))
    words.update(OBJECT_TYPES, COMMANDS, MQ_COMMANDS)
    words.update([key for family in FAMILIES.values() for key in family.by_word])
    words.update([row.name for _, row, _ in configuration_keys()])
    upper = {known.upper(): known for known in words}
    return [upper[found] for found in difflib.get_close_matches(word.upper(), upper, n=3)]
