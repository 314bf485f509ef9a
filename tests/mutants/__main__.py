"""`python -m tests.mutants`: takes away each sync and each checksum check in turn, and expects the tests to notice.

python -m tests.mutants                       all of them, two at a time
python -m tests.mutants tail.py doublewrite   those whose name contains one of these
python -m tests.mutants --list                what there is
python -m tests.mutants --logic               comparisons, orders, loops and functions made wrong instead (see logic.py)
python -m tests.mutants --logic --sample 20   so many of them; the same ones each time, with --seed 2 others

A mutant of logic may survive that is listed in survivors.txt, each with the reason why that is right.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

from tests.mutants import logic
from tests.mutants.sites import ROOT, Mutant, find_all

TESTS = Path(__file__).parents[1]
EVERYWHERE = ["crash/test_windows.py", "mutants/quick.py"]
# Where the tests are that know a module best: those run first.
NEAREST = {
    "kew/storage/disk.py": ["unit/storage/test_disk.py"],
    "kew/storage/log/active.py": ["unit/storage/log/test_reader.py", "unit/storage/log"],
    "kew/storage/log/archive.py": ["unit/storage/log/test_archive.py", "unit/storage/log"],
    "kew/storage/log/bootstrap.py": ["unit/storage/log/test_bootstrap.py", "unit/storage/log"],
    "kew/storage/log/tail.py": ["unit/storage/log/test_tail.py", "unit/storage/log"],
    "kew/storage/log": ["unit/storage/log/test_mutants.py", "unit/storage/log"],
    "kew/storage/buffers": ["unit/storage/buffers"],
    "kew/storage/pages": ["unit/storage/pages"],
    "kew/storage/recovery": ["unit/storage/recovery"],
    "kew/storage": ["unit/storage"],
    "kew/queues": ["unit/queues", "unit/mqi", "property", "conformance"],
    "kew/topics": ["unit/topics", "unit/mqi", "unit/commands/queued", "conformance", "crash/test_topics.py"],
}
SURVIVORS = Path(__file__).with_name("survivors.txt")
LONGEST = 900  # seconds for all tests; one that a mutant lets hang ends before, see `hurry`

KILLED = "killed"
SURVIVED = "SURVIVED"


class Verdict:
    """What the tests made of a mutant."""

    def __init__(self, outcome: str, witness: str, seconds: float) -> None:
        self.outcome = outcome
        self.witness = witness
        self.seconds = seconds


def tests_for(path: str) -> list[str]:
    """Give the tests that shall notice a mutant of a module, the nearest first."""
    own = f"unit{path.removeprefix('kew').rpartition('/')[0]}/test_{Path(path).name}"
    nearest = [own] if (TESTS / own).exists() else []
    for prefix, tests in NEAREST.items():
        if path.startswith(prefix):
            nearest += [each for each in tests if each not in nearest]
            break
    return [*nearest, *EVERYWHERE]


def sample(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Choose some mutants; a change elsewhere in the code does not change the choice."""
    chosen = sorted(mutants, key=lambda each: sha256(f"{seed} {each.key}".encode()).digest())[:count]
    return [each for each in mutants if each in chosen]


def judged() -> dict[str, str]:
    """Give the mutants that may survive, and why."""
    found: dict[str, str] = {}
    for line in SURVIVORS.read_text().splitlines():
        if line and not line.startswith("#"):
            key, _, why = line.partition(" :: ")
            found[key] = why
    return found


def run_tests(source: Path, tests: list[str]) -> Verdict:
    """Run tests against a source tree until one fails."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "PYTHONDONTWRITEBYTECODE": "1",
        "KEW_EXPECT": "interpreted",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--tb=no",
        "--capture=no",  # so that a test that hangs can still say so
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.mutants.hurry",
    ]
    begun = time.monotonic()
    done = subprocess.run(
        [*command, *[str(TESTS / test) for test in tests]],
        cwd=TESTS.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    seconds = time.monotonic() - begun
    if done.returncode == 0:
        return Verdict(SURVIVED, "", seconds)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if done.returncode != 1 or not failed:
        raise RuntimeError(f"the tests could not be run:\n{done.stdout}\n{done.stderr}")
    return Verdict(KILLED, failed[0].partition(" - ")[0].partition("tests/")[2], seconds)


def judge(mutant: Mutant) -> Verdict:
    """Let the tests look at a mutant."""
    with tempfile.TemporaryDirectory(prefix="kew-mutant-") as place:
        source = Path(place)
        shutil.copytree(ROOT / "kew", source / "kew", ignore=shutil.ignore_patterns("__pycache__"))
        module = source / mutant.path
        module.write_text(mutant.apply(module.read_text()))
        return run_tests(source, tests_for(mutant.path))


def main() -> int:
    """Judge the mutants that were asked for; 0 when all of them were noticed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="parts of the names of the mutants wanted; none for all")
    parser.add_argument("--list", action="store_true", help="name the mutants and end")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--logic", action="store_true", help="mutants of logic in place of those of promises")
    parser.add_argument("--sample", type=int, default=0, help="only so many of them")
    parser.add_argument("--seed", type=int, default=1, help="which ones the sample has")
    parser.add_argument("--trust", action="store_true", help="the tests are known to pass without any mutant")
    asked = parser.parse_args()
    there = logic.find_all() if asked.logic else find_all()
    mutants = [each for each in there if not asked.names or any(name in each.name for name in asked.names)]
    if asked.sample:
        mutants = sample(mutants, asked.sample, asked.seed)
    allowed = judged()
    if asked.list or not mutants:
        print("\n".join([each.name for each in mutants]) or "no mutant has such a name")
        return 0 if mutants else 2
    tests = list(dict.fromkeys(test for each in mutants for test in tests_for(each.path)))
    unchanged = None if asked.trust else run_tests(ROOT, tests)
    if unchanged is not None and unchanged.outcome == KILLED:
        print(f"the tests fail without any mutant: {unchanged.witness}")
        return 2
    survivors = expected = 0
    begun = time.monotonic()
    with ThreadPoolExecutor(asked.jobs) as pool:
        for number, (mutant, verdict) in enumerate(zip(mutants, pool.map(judge, mutants), strict=True), 1):
            by = f" by {verdict.witness}" if verdict.witness else ""
            if verdict.outcome == SURVIVED and mutant.key in allowed:
                expected += 1
                by = f", as it may: {allowed[mutant.key]}"
            else:
                survivors += verdict.outcome == SURVIVED
            print(f"{number:3} {verdict.outcome} {mutant.name}{by} ({verdict.seconds:.0f} s)", flush=True)
    names = logic.KINDS if asked.logic else ("sync", "force", "check")
    kinds = ", ".join(f"{sum(each.kind == kind for each in mutants)} {kind}" for kind in names)
    print(
        f"{len(mutants)} mutants ({kinds}): {len(mutants) - survivors - expected} killed, {survivors} survived, "
        f"{expected} survived as they may, {time.monotonic() - begun:.0f} s"
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
