"""Text on a screen: control characters are replaced, and what does not fit goes through a pager.

Messages, applications, users and descriptions can hold anything, also what a terminal takes for commands.
"""

import json
import os
import select
import shutil
import sys
import unicodedata
from typing import Final

import click

# Text that fits is written without waiting, colours pass, and what was read stays on the screen after the pager.
_LESS: Final = "-FRX"
_MOMENT: Final = 0.05  # seconds in which the rest of what was pasted arrives


def _shown(character: str) -> bool:
    return character in "\n\t" or character.isprintable() or unicodedata.category(character) == "Zs"


def printable(text: str, as_json: bool = False) -> str:
    """Give a text without control characters: as in the error log ? stands for each, or in JSON its own escape."""
    if text.isascii() and text.isprintable():
        return text
    if as_json:
        return "".join([each if _shown(each) else json.dumps(each)[1:-1] for each in text])
    return "".join([each if _shown(each) else "?" for each in text.replace("\r\n", "\n")])


def printable_bytes(data: bytes) -> bytes:
    """Give data as text without control characters."""
    return printable(data.decode("utf-8", "replace")).encode("utf-8", "replace")


def say(text: str, err: bool = False, nl: bool = True, as_json: bool = False) -> None:
    """Print a text with parts that come from elsewhere; on a terminal control characters are replaced."""
    stream = sys.stderr if err else sys.stdout
    click.echo(printable(text, as_json) if stream.isatty() else text, err=err, nl=nl)


def input_waits() -> bool:
    """Say whether something was typed or pasted that nobody has read yet; a pager would read it as its own commands."""
    return sys.stdin.isatty() and bool(select.select([sys.stdin], [], [], _MOMENT)[0])


def show(lines: list[str], paged: bool = True) -> None:
    """Print lines; where a terminal is too small for them and nobody has typed ahead, with a pager, if wanted."""
    if not lines:
        return
    if paged and sys.stdout.isatty() and len(lines) >= shutil.get_terminal_size().lines and not input_waits():
        os.environ.setdefault("LESS", _LESS)
        click.echo_via_pager(printable("\n".join(lines)) + "\n")
    else:
        say("\n".join(lines))
