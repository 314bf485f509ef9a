"""Finds the places in the storage packages that keep a promise, and takes one of them away.

Three kinds of place, found in the syntax tree and replaced in the text, so that nothing else changes:

    sync    a call that makes something durable: sync, sync_directory, fdatasync, fsync
    force   a call that waits until the log is durable
    check   a comparison of checksums, or the use of what such a comparison says
"""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2] / "src"
STORAGE = "kew/storage"

SYNCS = ("sync", "sync_directory", "fdatasync", "fsync")
FORCES = ("force", "force_to_disk")
CHECKS = ("check",)  # says what is wrong with a page, or nothing
CHECKSUMS = ("crc", "crc32")


class Mutant:
    """One place, and what stands there instead."""

    def __init__(
        self,
        path: str,
        kind: str,
        node: ast.expr | ast.stmt,
        text: str,
        instead: str,
        start: tuple[int, int] | None = None,
        end: tuple[int, int] | None = None,
    ) -> None:
        self.path = path
        self.kind = kind
        self.line = node.lineno
        self.text = text
        self.within = ""  # the function it is in
        self._instead = instead
        self._start = start or (node.lineno, node.col_offset)
        self._end = end or (node.end_lineno or node.lineno, node.end_col_offset or 0)

    @property
    def name(self) -> str:
        """Where it is, and what was there."""
        return f"{self.path}:{self.line} {self.kind} {self.text}"

    @property
    def key(self) -> str:
        """What it is, wherever in its function it stands."""
        return f"{self.path} {self.within} {self.kind} {self.text}"

    def apply(self, source: str) -> str:
        """Give the module's text with the place taken away."""
        lines = source.splitlines(keepends=True)
        (first, start), (last, end) = self._start, self._end
        before, after = lines[first - 1].encode()[:start], lines[last - 1].encode()[end:]
        changed = (before + self._instead.encode() + after).decode()
        return "".join([*lines[: first - 1], changed, *lines[last:]])


def find_all() -> list[Mutant]:
    """Give every mutant of the storage packages, in the order of the files."""
    found: list[Mutant] = []
    for file in sorted((ROOT / STORAGE).rglob("*.py")):
        found += find(file.read_text(), str(file.relative_to(ROOT)))
    return found


def find(source: str, path: str) -> list[Mutant]:
    """Give the mutants of a module."""
    found: list[Mutant] = []
    for node in ast.walk(ast.parse(source)):
        kind = instead = ""
        if isinstance(node, ast.Call):
            kind, instead = _of_call(node)
        elif isinstance(node, ast.Compare):
            kind, instead = _of_comparison(node)
        if kind:
            assert isinstance(node, ast.expr)
            found.append(Mutant(path, kind, node, ast.unparse(node), instead))
    return sorted(found, key=lambda mutant: mutant.line)


def _of_call(node: ast.Call) -> tuple[str, str]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if name in SYNCS:
        return "sync", "None"
    if name in FORCES:
        return "force", "None"
    if name in CHECKS:
        return "check", '""'
    return "", ""


def _of_comparison(node: ast.Compare) -> tuple[str, str]:
    named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    if not named & set(CHECKSUMS):
        return "", ""
    return "check", {"Eq": "True", "NotEq": "False"}[type(node.ops[0]).__name__]
