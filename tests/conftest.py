"""Names the build under test, and refuses to test another than the one that was asked for."""

import os

import pytest

from kew.version import VERSION, is_compiled

BUILD = "compiled" if is_compiled() else "interpreted"
LAST = ("crash", "fault")  # they use every core, which they have once the interpreted tests beside them are done


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="write what conformance scripts say now as expected")
    parser.addoption("--puts", type=int, default=25_000, help="of the streaming experiment; the seed has 500000")


def pytest_report_header() -> str:
    return f"kew {VERSION}, {BUILD}"


def pytest_sessionstart() -> None:
    expected = os.environ.get("KEW_EXPECT", BUILD)
    if expected != BUILD:
        pytest.exit(f"these tests were to run {expected}, but kew is {BUILD}", returncode=3)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = config.rootpath / "tests"
    items.sort(key=lambda item: item.path.is_relative_to(here) and item.path.relative_to(here).parts[0] in LAST)
