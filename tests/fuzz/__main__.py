"""`python -m tests.fuzz [--seconds N] [--seed N] [FUZZER ...]`: every parser against damaged input."""

import argparse
import sys

from tests.fuzz import commands, formats, mqsc, partners, pcf, protection, selection, sessions, smf, topics, wire

FUZZERS = {
    "formats": formats.main,
    "mqsc": mqsc.main,
    "commands": commands.main,
    "pcf": pcf.main,
    "protection": protection.main,
    "selection": selection.main,
    "wire": wire.main,
    "sessions": sessions.main,
    "smf": smf.main,
    "topics": topics.main,
    "partners": partners.main,
}


def main() -> None:
    """Run each fuzzer in turn; any failure ends with its seed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("fuzzers", nargs="*", metavar="FUZZER", help=f"of {', '.join(FUZZERS)}; all by default")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each fuzzer")
    parser.add_argument("--seed", type=int, help="of the first round; by the clock if it is not given")
    asked = parser.parse_args()
    unknown = [each for each in asked.fuzzers if each not in FUZZERS]
    if unknown:
        parser.error(f"no fuzzer {unknown[0]!r}; there are {', '.join(FUZZERS)}")
    # Each can be run by itself with the same two arguments.
    sys.argv[1:] = [str(asked.seconds), *([str(asked.seed)] if asked.seed is not None else [])]
    for name in asked.fuzzers or FUZZERS:
        FUZZERS[name]()


if __name__ == "__main__":
    main()
