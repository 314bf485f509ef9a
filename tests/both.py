"""`python -m tests.both BUILD [ARGS]`: the whole suite on the build that is installed, the unit tests interpreted too.

Each folder of tests is a part with a process of its own: what one part leaves behind burdens no other. As many parts
run side by side as there are cores, those that take longest first; the parts that use every core by themselves come
last, one at a time. A part that passes says so in a line, of one that fails everything is shown. ARGS are those of
pytest; with paths among them only these are run.
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
ALONE = ("fault", "crash")


class Part:
    """Some tests in a process of their own."""

    def __init__(self, name: str, build: str, arguments: list[str]) -> None:
        self.name = f"{name}, {build}"
        self.build = build
        self.arguments = arguments
        self.passed = False

    def run(self) -> None:
        """Run the tests and tell how it went."""
        environment = {**os.environ, "KEW_EXPECT": self.build, "COLUMNS": "100"}
        if self.build == INTERPRETED:
            environment["PYTHONPATH"] = str(HERE.parent / "src")
        begun = time.monotonic()
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *self.arguments, "-p", "no:cacheprovider"],
                cwd=ROOT,
                env=environment,
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


def parts_of(build: str, arguments: list[str]) -> tuple[list[Part], list[Part]]:
    """Give the parts that run side by side, and those that run alone."""
    paths = [each for each in arguments if (ROOT / each.partition("::")[0]).exists()]
    if paths:
        units = [each for each in paths if each.startswith("tests/unit")]
        again = [*[each for each in arguments if each not in paths], *units]
        chosen = [Part("chosen tests", build, arguments)]
        if units and build != INTERPRETED:
            chosen.append(Part("chosen unit tests", INTERPRETED, again))
        return chosen, []
    folders = {path.relative_to(HERE).parts[0] for path in HERE.glob("*/**/test_*.py")}
    rest = sorted(folders.difference(FIRST, ALONE))
    side = [Part("unit", INTERPRETED, [*arguments, "tests/unit"])] if build != INTERPRETED else []
    side += [Part(name, build, [*arguments, f"tests/{name}"]) for name in (*FIRST, *rest)]
    return side, [Part(name, build, [*arguments, f"tests/{name}"]) for name in ALONE]


def main(build: str, arguments: list[str]) -> int:
    """Run all parts; 0 when each passes."""
    side, alone = parts_of(build, arguments)
    with ThreadPoolExecutor(os.cpu_count() or 1) as workers:
        list(workers.map(Part.run, side))
    for part in alone:
        part.run()
    failed = [part.name for part in (*side, *alone) if not part.passed]
    if failed:
        print(f"Failed: {'; '.join(failed)}")
    return len(failed) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
