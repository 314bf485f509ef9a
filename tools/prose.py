"""Checks the prose in the source: how docstrings and texts open, and how a text says that a value is wrong.

`python -m tools.prose [FILE ...]`; without files, all of src is checked. The rules are those of docs/design/style.md.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kew"

# Packages that are still to be rewritten; a package that has been taken off this list stays off.
NOT_YET: tuple[str, ...] = ()
# Text that opens as it should not and is right: a part of the file's path, and the beginning of the text.
ALLOWED: tuple[tuple[str, str], ...] = ()

_OPENING = re.compile(
    r"(?:who|whom|whose|what|whoever|whatever|whichever|somebody|someone|those|they|them|he|she)\b", re.IGNORECASE
)
# "X is no Y", but not "there is no Y", "is no longer", "is no more than" or "is no such".
_IS_NO = re.compile(
    r"(?P<before>\b[\w()%{}'\"*.-]+) (?:is|are|was|were) no "
    r"(?!longer\b|more\b|less\b|fewer\b|lower\b|further\b|larger\b|smaller\b|such\b|other\b|one\b)\w+"
)
_SENTENCE = re.compile(r"[A-Z][\w'(),-]* [\w'(),-]+ [\w'(),-]+ ")


class Finding:
    """A text that breaks a rule, and its place."""

    def __init__(self, path: Path, line: int, rule: str, text: str) -> None:
        self.path = path
        self.line = line
        self.rule = rule
        self.text = text

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.rule}: {self.text}"


def docstrings(tree: ast.Module) -> dict[int, str]:
    """Give the docstrings of a module, its classes and its functions, by the identity of their nodes."""
    found: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
                continue
            if isinstance(first.value.value, str):
                found[id(first.value)] = first.value.value
    return found


def wrong(text: str, is_docstring: bool) -> Iterator[str]:
    """Give the rules that a text breaks."""
    if (is_docstring or _SENTENCE.match(text)) and _OPENING.match(text) and not text.rstrip().endswith("?"):
        yield "opens with a pronoun or a question word"
    for match in _IS_NO.finditer(text):
        if match["before"].lower() != "there":
            yield f"says {match[0]!r} where 'is not a' is meant"
            break


def texts(value: str) -> Iterator[tuple[int, str]]:
    """Give the texts of a string, each with its line: the string itself or, of a table, the last cell of each row."""
    lines = value.splitlines()
    if len(lines) > 2 and all(" | " in line for line in lines if line.strip()):
        for number, line in enumerate(lines):
            yield number, line.rpartition(" | ")[2].strip()
    elif value.strip():
        yield 0, value.strip()


def check(path: Path) -> list[Finding]:
    """Give the findings of one file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = docstrings(tree)
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        for line, text in texts(node.value):
            if any(part in str(path) and text.startswith(beginning) for part, beginning in ALLOWED):
                continue
            for rule in wrong(text, id(node) in documented):
                found.append(Finding(path, node.lineno + line, rule, text.splitlines()[0][:80]))
    return found


def is_covered(path: Path) -> bool:
    """Say whether the rules hold for a file already."""
    return path.is_relative_to(SOURCE) and path.relative_to(SOURCE).parts[0] not in NOT_YET


def main(arguments: list[str]) -> int:
    """Print the findings; 1 when there are any."""
    files = [Path(name).resolve() for name in arguments] or sorted(SOURCE.rglob("*.py"))
    found = [finding for path in files if is_covered(path) for finding in check(path)]
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
