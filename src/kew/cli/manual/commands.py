"""Pages of section 1: the commands of `kew`, from their help."""

import inspect
from collections.abc import Iterator
from typing import Final

import click

from kew.cli.group import KewGroup
from kew.cli.manual.page import Page

_LITERAL: Final = "\b"
_EXIT_STATUS: Final = (
    ("0", "Everything was done."),
    ("1", "It was not done; standard error says why."),
    ("2", "The arguments are wrong."),
    ("5", "The queue manager is already running (CSQY902E)."),
    ("8", "There is a queue manager of that name already (AMQ8110E)."),
    ("10", "kew mqsc: at least one command failed."),
    ("16", "There is no such queue manager (AMQ8118E)."),
    ("20", "The queue manager, its files or its configuration refused; standard error gives the reason."),
)


def command_pages(main: click.Group) -> Iterator[Page]:
    """Give a page for `kew` and one for each command, subcommands included."""
    yield _page(main, ("kew",), None)
    yield from _pages(main, ("kew",), click.Context(main, info_name="kew"))


def _pages(group: click.Group, path: tuple[str, ...], parent: click.Context) -> Iterator[Page]:
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        if command is None or command.hidden:
            continue
        yield _page(command, (*path, name), parent)
        if isinstance(command, click.Group):
            yield from _pages(command, (*path, name), click.Context(command, parent, info_name=name))


def _page(command: click.Command, path: tuple[str, ...], parent: click.Context | None) -> Page:
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    summary = paragraphs[0].partition("\n")[0].rstrip(".")
    page = Page("-".join(path), 1, summary[:1].lower() + summary[1:])
    context = click.Context(command, parent, info_name=path[-1])
    page.heading("SYNOPSIS")
    page.lines([command.get_usage(context).removeprefix("Usage: ").replace("\n", " ")])
    page.heading("DESCRIPTION")
    examples = []
    for paragraph in paragraphs:
        if paragraph.startswith("Example:"):
            examples.append(" ".join(paragraph.removeprefix("Example:").split()))
        elif paragraph.startswith(_LITERAL):
            page.lines(paragraph.splitlines()[1:])
        else:
            page.paragraph(paragraph)
    _commands(page, command, context)
    _options(page, command, context)
    if len(path) == 1:
        page.heading("EXIT STATUS")
        for code, meaning in _EXIT_STATUS:
            page.item(code, meaning)
        page.heading("ENVIRONMENT")
        page.item("KEW_DATA", "The directory of the queue managers; without it kew in the XDG data directory.")
    if examples:
        page.heading("EXAMPLES")
        page.lines(examples)
    page.heading("SEE ALSO")
    page.paragraph("kew(1), kew-mqsc(7), kew-qm.ini(5)")
    return page


def _commands(page: Page, command: click.Command, context: click.Context) -> None:
    if not isinstance(command, click.Group):
        return
    sections = command.sections if isinstance(command, KewGroup) else {"Commands": command.commands}
    for title, names in sections.items():
        page.heading(title.upper())
        for name in names:
            found = command.get_command(context, name)
            assert found is not None
            page.item(name, found.get_short_help_str(500))


def _options(page: Page, command: click.Command, context: click.Context) -> None:
    options = [param for param in command.get_params(context) if isinstance(param, click.Option)]
    records = [option.get_help_record(context) for option in options]
    shown = [record for record in records if record is not None]
    if shown:
        page.heading("OPTIONS")
        for title, text in shown:
            page.item(title, text)
