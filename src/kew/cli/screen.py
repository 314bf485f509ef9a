"""Text on a screen: what does not fit goes through a pager."""

import shutil
import sys

import click


def show(lines: list[str]) -> None:
    """Print lines, with a pager where a terminal is too small for them."""
    if sys.stdout.isatty() and len(lines) >= shutil.get_terminal_size().lines:
        click.echo_via_pager("\n".join(lines) + "\n")
    elif lines:
        click.echo("\n".join(lines))
