"""Lets `python -m kew.cli` be the `kew` command."""

from kew.cli import main

main(prog_name="kew")
