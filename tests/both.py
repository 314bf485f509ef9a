"""`python -m tests.both BUILD [ARGS]`: lint, the suite on the build that is installed, the unit tests interpreted too.

Each folder of tests is a part with a process of its own: what one part leaves behind burdens no other. One part more
than there are cores runs at a time, as parts also wait: for processes of theirs, for the disk, for time to pass. Those
that take longest come first; those that use every core by themselves come last, so that none is idle at the end. A part
that passes says so in a line, of one that fails everything is shown. ARGS are those of pytest; with paths among them
only these are run.
"""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tests"
INTERPRETED = "interpreted"
FIRST = ("spark", "unit", "docs", "wire", "property")
LAST = ("fault", "crash")
# Folders of unit tests that take so long that each is a part.
LONG_UNITS = ("cli", "analytics")
# Nothing of these packages is ever compiled: their tests would run the same code again.
SAME_CODE = ("analytics", "perf")


class Part:
    """A command in a process of its own."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str]) -> None:
        self.name = name
        self.command = command
        self.environment = environment
        self.passed = False

    def run(self) -> None:
        """Run the command and tell how it went."""
        begun = time.monotonic()
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                self.command,
                cwd=ROOT,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            )
            output.seek(0)
            told = output.read().decode("utf-8", "replace").rstrip()
        # With a choice of tests among ARGS a part may have none of them.
        self.passed = done.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        if self.passed:
            told = told.rpartition("\n")[2]
        seconds = time.monotonic() - begun
        print(f"{self.name}: {'passed' if self.passed else 'FAILED'} in {seconds:.0f} s\n{told}", flush=True)


def tests(name: str, build: str, arguments: list[str]) -> Part:
    """Give the part that runs some tests."""
    environment = {"KEW_EXPECT": build, "COLUMNS": "100"}
    if build == INTERPRETED:
        environment["PYTHONPATH"] = str(ROOT / "src")
    command = [sys.executable, "-m", "pytest", *arguments, "-p", "no:cacheprovider"]
    return Part(f"{name}, {build}", command, environment)


def unit_tests(build: str, arguments: list[str], without: tuple[str, ...] = ()) -> list[Part]:
    """Give the parts that the unit tests are cut into, but for some folders."""
    long = [name for name in LONG_UNITS if name not in without]
    others = [f"--ignore=tests/unit/{name}" for name in sorted({*LONG_UNITS, *without})]
    parts = [tests("unit", build, [*arguments, "tests/unit", *others])]
    return parts + [tests(f"unit/{name}", build, [*arguments, f"tests/unit/{name}"]) for name in long]


def parts_of(build: str, arguments: list[str]) -> list[Part]:
    """Give all parts in the order in which they begin."""
    paths = [each for each in arguments if (ROOT / each.partition("::")[0]).exists()]
    if paths:
        units = [each for each in paths if each.startswith("tests/unit")]
        again = [*[each for each in arguments if each not in paths], *units]
        chosen = [tests("chosen tests", build, arguments)]
        if units and build != INTERPRETED:
            chosen.append(tests("chosen unit tests", INTERPRETED, again))
        return chosen
    parts = unit_tests(INTERPRETED, arguments, SAME_CODE) if build != INTERPRETED else []
    folders = {path.relative_to(HERE).parts[0] for path in HERE.glob("*/**/test_*.py")}
    for name in (*FIRST, *sorted(folders.difference(FIRST, LAST)), *LAST):
        parts += unit_tests(build, arguments) if name == "unit" else [tests(name, build, [*arguments, f"tests/{name}"])]
    return parts


def main(build: str, arguments: list[str]) -> int:
    """Run all parts; 0 when each passes."""
    parts = [Part("lint", ["make", "lint"], {}), *parts_of(build, arguments)]
    with ThreadPoolExecutor((os.cpu_count() or 1) + 1) as workers:
        list(workers.map(Part.run, parts))
    failed = [part.name for part in parts if not part.passed]
    if failed:
        print(f"Failed: {'; '.join(failed)}")
    return len(failed) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
