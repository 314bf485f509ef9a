"""`python -m tests.bench`: one table of figures and ratios; `--quick` for a look, case names for a choice."""

import argparse
import os
import platform
import sys
import time

from rich.console import Console
from rich.table import Table

from kew.version import is_compiled
from tests.bench.cases import CASES
from tests.bench.instructions import instructions


def main() -> int:
    """Run the cases that were asked for and print one table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("cases", nargs="*", help=f"of {', '.join(CASES)}; all by default")
    parser.add_argument("--quick", action="store_true", help="smaller runs; the figures are rougher")
    parser.add_argument("--against", metavar="PYTHON", default="", help="count for that environment too")
    chosen = parser.parse_args()
    unknown = [case for case in chosen.cases if case not in CASES]
    if unknown:
        parser.error(f"no case {unknown[0]!r}; there are {', '.join(CASES)}")
    build = "compiled" if is_compiled() else "interpreted"
    cores = os.cpu_count()
    load = os.getloadavg()[0]
    table = Table(title=f"{build}, {platform.python_version()}, {cores} cores, load {load:.1f}, on {os.getcwd()}")
    for heading, justify in (("what", "left"), ("figure", "right"), ("", "left"), ("target", "left"), ("met", "left")):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    missed = 0
    for name in chosen.cases or CASES:
        begun = time.perf_counter()
        print(f"{name} ...", end="", flush=True, file=sys.stderr)
        rows = instructions(chosen.quick, chosen.against) if name == "instructions" else CASES[name](chosen.quick)
        for what, figure, unit, target, met in rows:
            verdict = "" if met is None else ("yes" if met else "NO")
            missed += met is False
            table.add_row(what, f"{figure:,.3g}" if figure < 100 else f"{figure:,.0f}", unit, target, verdict)
        print(f" {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    Console(width=120 if not sys.stdout.isatty() else None).print(table)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
