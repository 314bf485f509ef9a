"""No module outside the queues and the storage below them knows how a store keeps its messages."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.test_import_order import MODULES, SOURCE, imported_names

from kew.queues.store import QueueStore

# What a page store is made of. Page sets, their maps and what fits into them are an administrator's affair.
INSIDE = {
    f"kew.storage.pages.{each}"
    for each in ("blob", "chain", "directory", "unforced", "item", "items", "longitem", "participant")
} | {f"kew.queues.{each}" for each in ("content", "index", "indexing", "selectorscans", "private", "propertyindex")}
NAMES = {"chain", "chains", "first_page", "frame_of", "load_runs", "runs", "set_state", "slot"}
# The engine and its assembly have the data manager, which all page stores share.
COMPOSE = {("mqi/engine.py", "kew.storage.pages.items"), ("qmgr/storageparts.py", "kew.storage.pages.items")}
# Packages in which these names mean something else: a run of columns, a worker's slot, an iterator.
ELSEWHERE = {"analytics", "perf", "client"}
OUTSIDE = [
    path
    for path in MODULES
    if path.relative_to(SOURCE).parts[0] not in ("queues", "storage") and len(path.relative_to(SOURCE).parts) > 1
]
OPERATIONS = {"put", "find", "browse", "take", "undo", "describe", "depth"}
UPKEEP = {"arrange", "drop", "due"}


def named(path: Path) -> Iterator[str]:
    """Give the attributes that a module names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            yield node.attr


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_outside_names_the_inside_of_a_store(path: Path) -> None:
    where = path.relative_to(SOURCE)
    for name in imported_names(path):
        module = next((each for each in INSIDE if name == each or name.startswith(f"{each}.")), None)
        if module is not None:
            assert (where.as_posix(), module) in COMPOSE, f"{where} imports {name}"
    if where.parts[0] not in ELSEWHERE:
        assert not NAMES & set(named(path))


def test_a_store_has_seven_operations_and_little_else() -> None:
    defined = {name for name, value in vars(QueueStore).items() if callable(value) and not name.startswith("_")}
    assert defined == OPERATIONS | UPKEEP


def test_the_modules_of_a_store_exist() -> None:
    for module in INSIDE:
        assert SOURCE.joinpath(*module.split(".")[1:]).with_suffix(".py").exists(), module
