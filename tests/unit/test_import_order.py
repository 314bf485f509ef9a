"""Foundation first: packages, and the folders of a package, import only from those listed before them."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
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

# The folders of a package in their order, "" for the modules beside them: each imports from those before it only.
FOLDERS = {
    "analytics": ["smf", "queue", "reports", "jobs", ""],
    "channels": ["protocol", "transport", "", "agents", "mca"],
    "cli": ["", "manual"],
    "commands": ["mqsc", "actions", "pcf", "", "queued"],
    "formats": ["", "smf/layouts", "smf"],
    "mqi": [
        "",
        "messages",
        "connections",
        "delivery",
        "gets",
        "puts",
        "transactions",
        "publishing",
        "objects",
        "subscribing",
        "local",
    ],
    "objects": ["schema", ""],
    "perf": ["", "report"],
    "qmgr": ["control", "workers", "", "doctor"],
    "storage": ["", "log", "buffers", "pages", "recovery"],
}
# The network client runs where no queue manager is: it uses these, and no more, of the packages before it.
CLIENT = {
    "channels/protocol",
    "channels/transport",
    "codes",
    "formats",
    "protection",
    "security/peernames.py",
    "storage/directories.py",
}

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


def module_of(name: str) -> Path | None:
    """The file of a name that is imported: a module, a package, or something that one of them holds."""
    parts = name.split(".")[1:]
    while parts:
        path = SOURCE.joinpath(*parts)
        if path.with_suffix(".py").is_file():
            return path.with_suffix(".py").relative_to(SOURCE)
        if (path / "__init__.py").is_file():
            return (path / "__init__.py").relative_to(SOURCE)
        parts.pop()
    return None


def imported_modules(path: Path) -> set[Path]:
    """The files of Kew that a module imports, also late, in a function, and for types only."""
    found = [module_of(name) for name in imported_names(path) if name.split(".")[0] == "kew"]
    return {each for each in found if each is not None} - {path.relative_to(SOURCE)}


def folder_of(module: Path) -> str:
    return "/".join(module.parent.parts[1:])


@pytest.mark.parametrize(
    "package", [each.name for each in sorted(SOURCE.iterdir()) if (each / "__init__.py").is_file()]
)
def test_folders_of_a_package_have_an_order(package: str) -> None:
    modules = [path for path in MODULES if path.relative_to(SOURCE).parts[0] == package]
    order = FOLDERS.get(package, [""])
    assert {folder_of(path.relative_to(SOURCE)) for path in modules} - {""} == set(order) - {""}
    for path in modules:
        own = path.relative_to(SOURCE)
        for other in imported_modules(path):
            if other.parts[0] == package and folder_of(own) != folder_of(other):
                before = order.index(folder_of(other)) < order.index(folder_of(own))
                assert before, f"{own} imports {other}, whose folder comes later in FOLDERS"


def test_no_modules_import_each_other() -> None:
    graph = {path.relative_to(SOURCE): imported_modules(path) for path in MODULES}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as cycle:
        pytest.fail("imports in a circle: " + " <- ".join([str(module) for module in cycle.args[1]]))


@pytest.mark.parametrize("path", sorted((SOURCE / "client").rglob("*.py")), ids=lambda path: str(path.name))
def test_the_client_needs_no_queue_manager(path: Path) -> None:
    for other in imported_modules(path):
        if other.parts[0] != "client" and other.parts[0] not in EVERYWHERE:
            allowed = [each for each in CLIENT if other.as_posix() == each or other.as_posix().startswith(f"{each}/")]
            assert allowed, f"{path} imports {other}"


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
