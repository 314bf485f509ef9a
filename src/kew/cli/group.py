"""The command group of `kew`: its commands stand in sections, are loaded when used, and show users no tracebacks."""

import difflib
import importlib
import os
import sys
from collections.abc import Iterable
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

Sections = dict[str, dict[str, str]]  # title -> command -> module:attribute
_SENTENCE: Final = 200  # characters of a command's first sentence, which is shown whole


class Commands(click.Group):
    """A group whose help shows each command's whole first sentence, and which suggests names for a misspelt one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; the error for an unknown one suggests the nearest names."""
        name = args[0]
        if self.get_command(ctx, name) is None and name[:1].isalpha() and not ctx.resilient_parsing:
            near = difflib.get_close_matches(name.lower(), self.list_commands(ctx), cutoff=0.5)
            ctx.fail(f"No such command '{name}'." + (f" Did you mean {' or '.join(near)}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands."""
        self.write_commands(ctx, formatter, "Commands", self.list_commands(ctx))

    def write_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter, title: str, names: Iterable[str]
    ) -> None:
        """Write some commands under a title."""
        rows = []
        for name in names:
            command = self.get_command(ctx, name)
            assert command is not None
            rows.append((name, command.get_short_help_str(_SENTENCE)))
        with formatter.section(title):
            formatter.write_dl(rows)


class KewGroup(Commands):
    """A group that loads the module of a command only when it is used, so that a short command loads no engine."""

    def __init__(self, *arguments: Any, sections: Sections, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.sections = sections
        self._places = {name: place for commands in sections.values() for name, place in commands.items()}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; the error for a command name of MQ gives Kew's command in its place."""
        if args[0] not in self._places and not ctx.resilient_parsing:
            from kew.cli.mqnames import MQ_COMMANDS

            known = MQ_COMMANDS.get(args[0].lower())
            if known is not None:
                raise click.UsageError(known.answer(tuple(args[1:])))
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names of all commands, in the order of the sections."""
        return [*self._places, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        place = self._places.get(cmd_name)
        if place is None:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = place.partition(":")
        found = getattr(importlib.import_module(module), attribute)
        assert isinstance(found, click.Command)
        return found

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands, without loading any."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [CompletionItem(name) for name in self._places if name.startswith(incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their sections."""
        for title, names in self.sections.items():
            self.write_commands(ctx, formatter, title, names)

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run the command; a closed standard input or output is replaced by an empty one."""
        # Python has None for them then; and the first file opened would get their descriptor, and the output.
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            if getattr(sys, name) is None:
                setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), "w" if number else "r"))
        return super().main(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; report an error as one line, and exit with a code other than 0."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            _forget_output()  # the reader has closed the pipe
            return ctx.exit(1)
        except Exception as problem:
            from kew.cli.errors import explain

            told = explain(problem)
            if told is None:
                raise
            if type(problem) is OSError and problem.filename is None:  # standard output
                _forget_output()
        text, code = told
        from kew.cli.screen import say

        say(f"kew: {text}", err=True)
        return ctx.exit(code)


def _forget_output() -> None:
    """Redirect standard output to /dev/null, so that Python reports no second error when it closes the file."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def root_group() -> click.Group:
    """Give the root group, `kew`, of the current command."""
    root = click.get_current_context().find_root().command
    assert isinstance(root, click.Group)
    return root
