"""Text on a screen: what does not fit goes through a pager."""

import os
import select
import shutil
import sys
from typing import Final

import click

# Text that fits is written without waiting, colours pass, and what was read stays on the screen after the pager.
_LESS: Final = "-FRX"
_MOMENT: Final = 0.05  # seconds in which the rest of what was pasted arrives


def input_waits() -> bool:
    """Say whether something was typed or pasted that nobody has read yet; a pager would read it as its own commands."""
    return sys.stdin.isatty() and bool(select.select([sys.stdin], [], [], _MOMENT)[0])


def show(lines: list[str], paged: bool = True) -> None:
    """Print lines; where a terminal is too small for them and nobody has typed ahead, with a pager, if wanted."""
    if not lines:
        return
    if paged and sys.stdout.isatty() and len(lines) >= shutil.get_terminal_size().lines and not input_waits():
        os.environ.setdefault("LESS", _LESS)
        click.echo_via_pager("\n".join(lines) + "\n")
    else:
        click.echo("\n".join(lines))
