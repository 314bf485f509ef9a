"""`python -m tests.fuzz [SECONDS [SEED]]`: every parser against damaged input, SECONDS for each (60 by default)."""

import sys

from tests.fuzz import commands, formats, mqsc, pcf, smf, wire


def main() -> None:
    """Run each fuzzer in turn; any failure ends with its seed."""
    for fuzzer in (formats, mqsc, commands, pcf, wire, smf):
        fuzzer.main()


if __name__ == "__main__":
    if sys.argv[1:2] and not sys.argv[1].replace(".", "", 1).isdigit():
        sys.exit(f"expected a number of seconds, found {sys.argv[1]!r}")
    main()
