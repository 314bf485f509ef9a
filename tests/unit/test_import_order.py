"""Foundation first: a package imports only from packages listed before it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ORDER = [
    "codes",
    "formats",
    "protection",
    "storage",
    "objects",
    "selection",
    "queues",
    "topics",
    "sharing",
    "security",
    "accounting",
    "mqi",
    "channels",
    "commands",
    "qmgr",
    "client",
    "deadletters",
    "faces",
    "ibmmq",
    "pymqi",
    "analytics",
    "perf",
    "console",
    "cli",
]
# The two client APIs stand side by side, and any package may ask for the version.
SAME_LEVEL = {("pymqi", "ibmmq")}
EVERYWHERE = {"version"}

SOURCE = Path(__file__).parents[2] / "src" / "kew"
MODULES = sorted(SOURCE.rglob("*.py"))


def imported_names(path: Path) -> Iterator[str]:
    package = ["kew", *path.relative_to(SOURCE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = [*base, *(node.module.split(".") if node.module else [])]
            yield from (".".join([*origin, alias.name]) for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_toward_the_foundation(path: Path) -> None:
    own = path.relative_to(SOURCE).parts[0]
    if own.endswith(".py"):
        return
    assert own in ORDER, f"package {own} has no place in the order"
    for name in imported_names(path):
        parts = name.split(".")
        if parts[0] != "kew" or len(parts) < 2 or parts[1] in EVERYWHERE or parts[1] == own:
            continue
        assert parts[1] in ORDER, f"{path} imports {name}"
        assert ORDER.index(parts[1]) < ORDER.index(own), f"{path} imports {name}, which comes later"
        assert (own, parts[1]) not in SAME_LEVEL, f"{path} imports {name}"


def test_compiled_list_names_files_that_exist() -> None:
    root = SOURCE.parents[1]
    tree = ast.parse((root / "setup.py").read_text(encoding="utf-8"))
    compiled = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["COMPILED"]
    ]
    assert len(compiled) == 1
    assert compiled[0]
    assert len(set(compiled[0])) == len(compiled[0])
    for name in compiled[0]:
        assert (root / name).is_file(), name
