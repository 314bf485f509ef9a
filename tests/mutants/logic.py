"""Finds the places where the engine decides, orders and repeats, and makes one of them wrong.

flip    a comparison the other way round; one of order lets its bound in, or no longer
sort    what was put in order stays as it is
once    a loop that ends after its first round
leave   a function that does nothing, and gives back what an empty one would
"""

import ast
from typing import Final

from tests.mutants.sites import ROOT, Mutant

PACKAGES: Final = ("kew/storage", "kew/queues", "kew/topics")
KINDS: Final = ("flip", "sort", "once", "leave")

_OPPOSITES: Final = {
    "Lt": "<=",
    "LtE": "<",
    "Gt": ">=",
    "GtE": ">",
    "Eq": "!=",
    "NotEq": "==",
    "Is": "is not",
    "IsNot": "is",
    "In": "not in",
    "NotIn": "in",
}
_NOTHING: Final = {"None": "", "bool": " False", "int": " 0", "str": ' ""', "bytes": ' b""', "float": " 0.0"}


def find_all() -> list[Mutant]:
    """Give every mutant of these packages, in the order of the files."""
    found: list[Mutant] = []
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            found += find(file.read_text(), str(file.relative_to(ROOT)))
    return found


def find(source: str, path: str) -> list[Mutant]:
    """Give the mutants of a module."""
    tree = ast.parse(source)
    pointless = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Assert) for inner in ast.walk(node)}
    found: list[Mutant] = []
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    function = {id(inner): node.name for node in functions for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in pointless:
            continue
        mutant = _mutant(node, path)
        if mutant is not None:
            mutant.within = function.get(id(node), "")
            found.append(mutant)
    return sorted(found, key=lambda mutant: (mutant.line, mutant.kind))


def _mutant(node: ast.AST, path: str) -> Mutant | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        instead = f"({left} {_OPPOSITES[type(node.ops[0]).__name__]} {right})"
        return Mutant(path, "flip", node, ast.unparse(node), instead)
    if isinstance(node, ast.Call):
        return _unsorted(node, path)
    if isinstance(node, ast.For | ast.While):
        last = node.body[-1]
        if isinstance(last, ast.Return | ast.Raise | ast.Break):
            return None
        begins = ast.unparse(node).splitlines()[0]
        return Mutant(path, "once", node, begins, f"\n{' ' * last.col_offset}break", _end(last), _end(last))
    if isinstance(node, ast.FunctionDef):
        return _left(node, path)
    return None


def _unsorted(node: ast.Call, path: str) -> Mutant | None:
    if isinstance(node.func, ast.Attribute) and node.func.attr == "sort":
        return Mutant(path, "sort", node, ast.unparse(node), "None")
    if isinstance(node.func, ast.Name) and node.func.id == "sorted":
        return Mutant(path, "sort", node, ast.unparse(node), f"list({ast.unparse(node.args[0])})")
    return None


def _left(node: ast.FunctionDef, path: str) -> Mutant | None:
    """A function that is left at once; none where there is nothing to leave, or nothing simple to give back."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not body or node.name.startswith("__") or node.returns is None:
        return None
    returned = ast.unparse(node.returns)
    if returned in _NOTHING:
        nothing = _NOTHING[returned]
    elif returned.endswith("| None"):
        nothing = " None"
    elif returned.startswith("list["):
        nothing = " []"
    else:
        return None
    first = body[0]
    if isinstance(first, ast.Return) and ast.unparse(first) == f"return{nothing}":
        return None
    place = (first.lineno, first.col_offset)
    return Mutant(path, "leave", node, f"def {node.name}", f"return{nothing}\n{' ' * first.col_offset}", place, place)


def _end(node: ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0
