"""Output to a terminal: control characters are replaced, and long output goes through a pager.

Messages, applications, users and descriptions can have any bytes, also those that a terminal executes as commands.
"""

import json
import os
import select
import shutil
import sys
import unicodedata
from typing import Final

import click

# Text that fits is written without waiting, colours pass, and text stays on the screen after the pager.
_LESS: Final = "-FRX"
_MOMENT: Final = 0.05  # seconds in which the rest of pasted input arrives


def _shown(character: str) -> bool:
    return character in "\n\t" or character.isprintable() or unicodedata.category(character) == "Zs"


def printable(text: str, as_json: bool = False) -> str:
    """Replace the control characters of a text: by ? as in the error log, in JSON by escapes."""
    if text.isascii() and text.isprintable():
        return text
    if as_json:
        return "".join([each if _shown(each) else json.dumps(each)[1:-1] for each in text])
    return "".join([each if _shown(each) else "?" for each in text.replace("\r\n", "\n")])


def printable_bytes(data: bytes) -> bytes:
    """Replace the control characters of data."""
    return printable(data.decode("utf-8", "replace")).encode("utf-8", "replace")


def say(text: str, err: bool = False, nl: bool = True, as_json: bool = False) -> None:
    """Print a text, parts of which may come from other users; on a terminal its control characters are replaced."""
    stream = sys.stderr if err else sys.stdout
    click.echo(printable(text, as_json) if stream.isatty() else text, err=err, nl=nl)


def input_waits() -> bool:
    """Say whether typed or pasted input is unread; a pager would read it as its own commands."""
    return sys.stdin.isatty() and bool(select.select([sys.stdin], [], [], _MOMENT)[0])


def show(lines: list[str], paged: bool = True) -> None:
    """Print lines; with `paged`, use a pager if the terminal is too small and no typed input is unread."""
    if not lines:
        return
    if paged and sys.stdout.isatty() and len(lines) >= shutil.get_terminal_size().lines and not input_waits():
        os.environ.setdefault("LESS", _LESS)
        click.echo_via_pager(printable("\n".join(lines)) + "\n")
    else:
        say("\n".join(lines))
