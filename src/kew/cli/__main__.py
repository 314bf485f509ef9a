"""Makes `python -m kew.cli` the `kew` command."""

from kew.cli import main

main(prog_name="kew")
