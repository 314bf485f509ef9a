"""The map from packages to folders of tests is whole and true."""

import re
from pathlib import Path

import pytest
from tools.testmap import TESTS, folders_of

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "kew"
PACKAGES = sorted(path.relative_to(SOURCE).parts[0] for path in SOURCE.glob("*/__init__.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_folders_of_tests(package: str) -> None:
    assert package in TESTS or any(each.startswith(f"{package}/") for each in TESTS)


@pytest.mark.parametrize("package", TESTS)
def test_an_entry_names_folders_that_exist(package: str) -> None:
    assert (SOURCE / package).is_dir()
    for folder in TESTS[package]:
        assert list((ROOT / "tests" / folder).glob("**/test_*.py")), folder


def test_a_module_of_a_package_leads_to_tests_of_its_package() -> None:
    modules = [path.relative_to(ROOT).as_posix() for path in SOURCE.glob("*/**/*.py")]
    assert {name for name in modules if folders_of(name) == ("unit",)} == set()


@pytest.mark.parametrize("package", TESTS)
def test_the_unit_tests_of_an_entry_import_it(package: str) -> None:
    dotted = f"kew.{package.replace('/', '.')}"
    parent, _dot, name = dotted.rpartition(".")
    imported = re.compile(rf"^(?:(?:from|import) {dotted}\b|from {parent} import .*\b{name}\b)", re.MULTILINE)
    for folder in TESTS[package]:
        texts = [path.read_text() for path in (ROOT / "tests" / folder).rglob("*.py")]
        assert not folder.startswith("unit/") or any(imported.search(text) for text in texts)


def test_a_folder_of_unit_tests_belongs_to_a_package() -> None:
    named = {folder for folders in TESTS.values() for folder in folders}
    for path in (ROOT / "tests" / "unit").glob("**/test_*.py"):
        folder = path.parent.relative_to(ROOT / "tests").as_posix()
        assert folder == "unit" or any(f"{folder}/".startswith(f"{each}/") for each in named), folder


@pytest.mark.parametrize(
    ("path", "folders"),
    [
        ("src/kew/storage/log/log.py", ("unit/storage/log", "crash", "fault")),
        ("src/kew/formats/smf/layouts/grid.py", ("unit/formats",)),
        ("src/kew/version.py", ("unit",)),
    ],
)
def test_a_module_leads_to_the_tests_of_its_nearest_package(path: str, folders: tuple[str, ...]) -> None:
    assert folders_of(path) == folders
