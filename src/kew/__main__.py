"""`python -m kew` is the `kew` command, where no script of that name is on the path."""

from kew.cli import main

main(prog_name="kew")
