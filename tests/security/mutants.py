"""`python -m tests.security.mutants`: takes away each check of authority in turn, and expects the tests to notice.

    python -m tests.security.mutants                 all of them
    python -m tests.security.mutants permit opening  those whose name contains one of these
    python -m tests.security.mutants --list          what there is

Found in the syntax tree and replaced in the text of a copy of the sources:

    call     a call that refuses: nothing stands there instead
    refusal  an if that raises, or a conditional right: never true instead
    row      a row of a table that says what is needed: nothing is needed instead
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
MODULES = (
    "kew/security/authority.py",
    "kew/security/openauthority.py",
    "kew/security/admissioncontrol.py",
    "kew/security/channelrules.py",
    "kew/mqi/connections/connection.py",
    "kew/mqi/objects/open.py",
    "kew/mqi/puts/remote.py",
    "kew/mqi/objects/definitions.py",
    "kew/mqi/publishing/topics.py",
    "kew/mqi/subscribing/subscribe.py",
    "kew/commands/actions/permit.py",
    "kew/commands/actions/dispatch.py",
    "kew/commands/actions/subscriptions.py",
)
CALLS = {
    *("authorise", "authorise_open", "authorise_topic", "_authorise"),
    *("_ask", "_check_definition", "_check_user", "_check_proof", "permit.check"),
}
TABLES = {"ACCESS", "CONTEXT", "NEEDED", "SPECIAL", "OF_MANAGER"}
# Whose other conditions are not about authority.
ONLY_CALLS = ("kew/mqi/", "kew/commands/actions/dispatch.py", "kew/commands/actions/subscriptions.py")
# What refuses for another reason, or only keeps a table small: no answer depends on it.
NOT_ABOUT_AUTHORITY = ("len(remembered)", "wants_allowed", "self._on_blocked", "generation", "delay")
WITNESSES = (
    "tests/security/test_admission.py",
    "tests/security/test_definitions.py",
    "tests/security/test_matrix.py",
    "tests/security/test_streams.py",
    "tests/unit/security",
    "tests/unit/mqi/test_subscribe.py",
)
LONGEST = 300


class Mutant(NamedTuple):
    """A place, and what stands there instead."""

    path: str
    kind: str
    line: int
    start: int
    end: int
    text: str
    instead: str

    @property
    def name(self) -> str:
        """Where it is, and what was there."""
        return f"{self.path}:{self.line} {self.kind} {' '.join(self.text.split())[:90]}"


def _called(node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        return ""
    whole = ast.unparse(node.func)
    return whole if whole in CALLS else whole.rpartition(".")[2]


def _refuses(node: ast.If) -> bool:
    return any(isinstance(inner, ast.Raise | ast.Return) for inner in node.body)


def _rows(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    value = getattr(node, "value", None)
    targets = [getattr(node, "target", None), *getattr(node, "targets", [])]
    if not any(isinstance(target, ast.Name) and target.id in TABLES for target in targets):
        return
    if isinstance(value, ast.Dict):
        yield from ((each, "0") for each in value.values)
    elif isinstance(value, ast.Tuple):
        yield from ((each, "(0, 0)") for each in value.elts)


def find(path: str) -> Iterator[Mutant]:
    """Give the mutants of a module."""
    source = (ROOT / "src" / path).read_text(encoding="utf-8")
    places = [0]
    for line in source.splitlines(keepends=True):
        places.append(places[-1] + len(line))

    def mutant(node: ast.expr, kind: str, instead: str) -> Mutant:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = places[node.lineno - 1] + node.col_offset, places[node.end_lineno - 1] + node.end_col_offset
        return Mutant(path, kind, node.lineno, start, end, source[start:end], instead)

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and _called(node.value) in CALLS:
            yield mutant(node.value, "call", "None")
        elif isinstance(node, ast.If) and _refuses(node) and not path.startswith(ONLY_CALLS):
            test = ast.get_source_segment(source, node.test) or ""
            if not any(word in test for word in NOT_ABOUT_AUTHORITY):
                yield mutant(node.test, "refusal", "False")
        elif isinstance(node, ast.AnnAssign | ast.Assign) and not path.startswith(ONLY_CALLS):
            yield from (mutant(row, "row", instead) for row, instead in _rows(node))


def find_all() -> list[Mutant]:
    """Give every mutant, in the order of the files."""
    return [each for path in MODULES for each in sorted(find(path), key=lambda mutant: mutant.start)]


def witness(mutant: Mutant) -> str:
    """Give the test that notices, none if the mutant survives."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "src", Path(folder, "src"), ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        file = Path(folder, "src", mutant.path)
        source = file.read_text(encoding="utf-8")
        file.write_text(source[: mutant.start] + mutant.instead + source[mutant.end :], encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(Path(folder, "src")), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider"]
        done = subprocess.run(
            [*command, *WITNESSES],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            timeout=LONGEST,
            check=False,
        )
        said = [line for line in done.stdout.decode().splitlines() if line.startswith(("FAILED", "ERROR"))]
        return "" if done.returncode == 0 else (said or ["it does not even begin"])[0]


def main() -> int:
    """Run the mutants that were asked for; 0 if none survived."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--at-once", type=int, default=2)
    asked = parser.parse_args()
    chosen = [each for each in find_all() if not asked.names or any(word in each.name for word in asked.names)]
    if asked.list:
        print("\n".join([each.name for each in chosen]))
        return 0
    survivors = 0
    with ThreadPoolExecutor(asked.at_once) as pool:
        for mutant, noticed in zip(chosen, pool.map(witness, chosen), strict=True):
            survivors += not noticed
            print(f"{'killed' if noticed else 'SURVIVED'}  {mutant.name}\n        {noticed[:110]}", flush=True)
    print(f"{len(chosen)} mutants, {survivors} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
