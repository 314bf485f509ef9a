"""The compiled list of setup.py, and the rules that mypyc has for interpreted code beside compiled code.

These faults show only where Kew is compiled; the source shows them at once.
"""

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def compiled_list() -> list[str]:
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["COMPILED"]:
            listed = ast.literal_eval(node.value)
            assert isinstance(listed, tuple)
            return list(listed)
    raise AssertionError("setup.py has no COMPILED")


COMPILED = compiled_list()


def module_name(path: str) -> str:
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_open(node: ast.ClassDef) -> bool:
    """Say whether interpreted classes may inherit from a class of a compiled module; from exceptions they may."""
    marks = {ast.unparse(each) for each in node.decorator_list}
    return (
        "mypyc_attr(allow_interpreted_subclasses=True)" in marks
        or "mypyc_attr(native_class=False)" in marks
        or bool(
            {ast.unparse(base) for base in node.bases}
            & {"Exception", "Protocol", "NamedTuple", "TypedDict", "Enum", "IntEnum"}
        )
    )


def closed_classes() -> set[str]:
    """Give the names, with their modules, of the compiled classes that no interpreted class may inherit from."""
    found = set()
    for path in COMPILED:
        for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not is_open(node):
                found.add(f"{module_name(path)}.{node.name}")
    return found


CLOSED = closed_classes()
INTERPRETED = sorted(
    path
    for folder in ("src", "tests", "examples")
    for path in (ROOT / folder).rglob("*.py")
    if str(path.relative_to(ROOT)) not in COMPILED
)


def bases(path: Path) -> Iterator[tuple[str, str]]:
    """Give each class of a module with the full name of each of its bases that is imported."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for base in node.bases:
                head, _, rest = ast.unparse(base).partition(".")
                yield node.name, imported.get(head, head) + (f".{rest}" if rest else "")


def home_of(name: str) -> str:
    """Give the module that defines a class, where a package passes it on."""
    module, _, attribute = name.rpartition(".")
    spec = importlib.util.find_spec(module) if module.startswith("kew") else None
    if spec is None or spec.origin is None or not spec.origin.endswith("__init__.py"):
        return name
    tree = ast.parse((ROOT / "src" / module.replace(".", "/") / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and attribute in {each.name for each in node.names}:
            return home_of(f"{node.module}.{attribute}")
    return name


def test_no_interpreted_class_inherits_from_a_closed_one() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {name} inherits from {base}"
        for path in INTERPRETED
        for name, base in bases(path)
        if base.startswith("kew.") and home_of(base) in CLOSED
    ]
    assert wrong == [], "compile it too, or give the base @mypyc_attr(allow_interpreted_subclasses=True)"


@pytest.mark.parametrize("path", COMPILED)
def test_no_constant_holds_a_slice(path: str) -> None:
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        assert not (isinstance(node, ast.Call) and ast.unparse(node.func) == "slice"), f"{path}:{node.lineno}"
