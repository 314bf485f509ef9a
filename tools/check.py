"""Checks what differs from the main branch: lint and types of all, the quick tests of what changed.

`python -m tools.check [BASE]`; BASE is what the change is compared with, the main branch by default. Tests run
interpreted, so that nothing has to be built. Suites that take long are named and left to `make test`.
"""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.testmap import folders_of

ROOT = Path(__file__).parents[1]
LONG = ("crash", "fault", "property", "wire", "spark", "perf", "faces", "security")  # minutes each: left to make test
PATHS = ("src", "tests", "examples", "tools")
SECONDS = 150  # for the tests, of the three minutes that a check may take
# What else is quick to check: a beginning of the file's name -> tests of its own.
ALSO = {
    "src/": ("unit/test_import_order.py", "unit/test_testmap.py"),
    "src/kew/version.py": ("unit/test_changes.py",),
    "tests/unit/": ("unit/test_testmap.py",),
    "tools/": ("unit/test_changes.py", "unit/test_check.py", "unit/test_prose.py", "unit/test_testmap.py"),
    "changes/": ("unit/test_changes.py",),
    "CHANGES.md": ("unit/test_changes.py",),
}
# Of every page. The rest of tests/docs runs what the pages show.
PAGES = tuple([f"docs/test_{name}.py" for name in ("links", "paths", "prose", "readmes")])


def git(*arguments: str) -> list[str]:
    """Give the lines that git prints."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed(base: str) -> list[str]:
    """Give the files that differ from a base, and those that git does not know yet."""
    origin = git("merge-base", base, "HEAD") or git("rev-parse", "HEAD~1")
    names = git("diff", "--name-only", *origin[:1]) + git("ls-files", "--others", "--exclude-standard")
    return sorted(name for name in set(names) if (ROOT / name).exists())


def wanted(names: list[str]) -> tuple[list[str], list[str]]:
    """Give the tests to run for changed files, and the folders that take too long for a check."""
    now: set[str] = set()
    later: set[str] = set()
    for name in names:
        if name.startswith("src/kew/") and name.endswith(".py"):
            for folder in folders_of(name):
                long = folder == "unit" or folder.split("/")[0] in LONG  # all unit tests take minutes too
                (later if long else now).add(f"tests/{folder}")
        elif name.startswith("tests/") and Path(name).name.startswith("test_") and name.endswith(".py"):
            now.add(name)
        elif name.endswith(".md"):
            now.update(f"tests/{test}" for test in PAGES)
            if name.startswith(("docs/", "README")):
                later.add("tests/docs")
        for beginning, tests in ALSO.items():
            if name.startswith(beginning):
                now.update(f"tests/{test}" for test in tests)
    inside = {name for name in now if any(name != other and name.startswith(f"{other}/") for other in now)}
    return sorted(now - inside), sorted(later)


def interrupted(process: subprocess.Popen[str]) -> str:
    """End a part as Ctrl-C does, so that its tests end the processes that they started; gives what it said."""
    process.send_signal(signal.SIGINT)
    try:
        told, _none = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        told, _none = process.communicate()
    return told


def run(name: str, command: list[str], environment: dict[str, str], limit: float | None) -> bool:
    """Run a part of the check and tell how it went; everything that a failed part said is shown.

    Only the tests have a limit: types take longer the first time, and are remembered for the next.
    """
    begun = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    try:
        told, _none = process.communicate(timeout=limit)
        passed = process.returncode in (0, 5)
    except subprocess.TimeoutExpired:
        load = os.getloadavg()[0]
        told = f"{interrupted(process)}\nnot done after {limit:.0f} s, at a load of {load:.0f}: run it by itself"
        passed = False
    print(f"{name}: {'passed' if passed else 'FAILED'} in {time.monotonic() - begun:.0f} s", flush=True)
    if not passed:
        print(told.rstrip(), flush=True)
    return passed


def main(arguments: list[str]) -> int:
    """Run lint, types and the tests of what changed side by side; 0 when all pass."""
    base = arguments[0] if arguments else "origin/main" if git("rev-parse", "origin/main") else "main"
    names = changed(base)
    now, later = wanted(names)
    python = sys.executable
    paths = [*PATHS, "setup.py"]
    sources = {"PYTHONPATH": str(ROOT / "src"), "KEW_EXPECT": "interpreted", "COLUMNS": "100"}
    parts: list[tuple[str, list[str], dict[str, str], float | None]] = [
        ("format", [python, "-m", "ruff", "format", "--check", *paths], {}, None),
        ("lint", [python, "-m", "ruff", "check", *paths], {}, None),
        ("types", [python, "-m", "mypy", *PATHS], {"MYPYPATH": "src"}, None),
        ("prose", [python, "-m", "tools.prose"], {}, None),
    ]
    if now:
        chosen = [python, "-m", "pytest", "-x", "-p", "no:cacheprovider", *now]
        parts.insert(0, (f"tests of {len(names)} changed files ({', '.join(now)})", chosen, sources, SECONDS))
    with ThreadPoolExecutor(os.cpu_count() or 1) as workers:
        passed = list(workers.map(lambda part: run(*part), parts))
    if later:
        print(f"Left to `make test`: {', '.join(later)}")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
