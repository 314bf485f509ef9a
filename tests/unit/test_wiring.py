"""Parts are whole when they are made: no callback and no part of a queue manager is assigned from outside."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "kew"
TREES = {path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")}

# In qmgr, where parts are put together, values of these are filled in: what a start restores, and what is counted.
FILLED_IN = {
    "qmgr/assemble.py": {"restart.report"},
    "qmgr/control/client.py": {"counts"},
    "qmgr/errorlog.py": {"alike"},
    "qmgr/ini.py": {"problem"},
    "qmgr/loading.py": {"queue", "unit", "self._queues"},
    "qmgr/pagesets.py": {"page_set"},
    "qmgr/workers/delays.py": {"descriptor"},
    "qmgr/workers/triggerwriter.py": {"descriptor"},
}


def assigned(tree: ast.AST) -> Iterator[tuple[ast.Attribute, int]]:
    """The attributes of other objects that a module assigns, and the lines."""
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign | ast.AugAssign):
            targets = [node.target]
        for target in targets:
            for each in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                if isinstance(each, ast.Attribute) and ast.unparse(each.value) not in ("self", "cls"):
                    yield each, each.lineno


def is_callback(annotation: ast.expr | None, aliases: set[str]) -> bool:
    if annotation is None:
        return False
    kinds = ast.unparse(annotation).strip("'\"")
    return kinds.startswith("Callable[") or bool(aliases.intersection(kinds.replace("|", " ").split()))


def aliases_of(tree: ast.Module) -> set[str]:
    """The names that a module gives to types of functions."""
    return {
        ast.unparse(node.targets[0])
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("Callable[")
    }


def aliases_in(tree: ast.Module) -> set[str]:
    """Those names with the imported ones."""
    found = aliases_of(tree)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            origin = TREES.get(node.module.removeprefix("kew.").replace(".", "/") + ".py")
            if origin is not None:
                found |= aliases_of(origin).intersection([each.name for each in node.names])
    return found


def callbacks() -> set[str]:
    """The names of attributes that are callbacks in every class that has an attribute of the name."""
    found: dict[str, bool] = {}
    for tree in TREES.values():
        aliases = aliases_in(tree)
        for made in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__init__"]:
            parameters = {each.arg: each.annotation for each in [*made.args.args, *made.args.kwonlyargs]}
            for node in ast.walk(made):
                target: ast.expr | None = node.target if isinstance(node, ast.AnnAssign) else None
                annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
                if isinstance(node, ast.Assign):
                    target = node.targets[0]
                    if isinstance(node.value, ast.Name):
                        annotation = parameters.get(node.value.id)
                if isinstance(target, ast.Attribute):
                    found[target.attr] = found.get(target.attr, True) and is_callback(annotation, aliases)
    return {name for name, always in found.items() if always}


def test_no_callback_is_assigned_from_outside() -> None:
    names = callbacks()
    assert {"_on_blocked", "make_log_room", "on_expired", "_on_freed"} <= names
    outside = [
        f"{path}:{line}: {ast.unparse(target)}"
        for path, tree in TREES.items()
        for target, line in assigned(tree)
        if target.attr in names
    ]
    assert outside == []


def test_no_part_of_a_queue_manager_is_completed_from_outside() -> None:
    outside = [
        f"{path}:{line}: {ast.unparse(target)}"
        for path, tree in TREES.items()
        if path.startswith("qmgr/")
        for target, line in assigned(tree)
        if ast.unparse(target.value) not in FILLED_IN.get(path, set())
    ]
    assert outside == []
