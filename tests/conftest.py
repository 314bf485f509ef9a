"""Names the build under test, and refuses to test another than the one that was asked for."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from kew.version import VERSION, is_compiled

BUILD = "compiled" if is_compiled() else "interpreted"
# They use every core, which they have once the interpreted tests beside them are done. Spark comes after those that
# fork: a process with a session has threads that a child would miss.
LAST = ("crash", "fault", "spark")

# The same examples in every run: a suite that is red is red for everybody. --hypothesis-profile=search tries others.
# None of them is red because the machine is busy.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", PATIENT, derandomize=True)
settings.register_profile("search", PATIENT, derandomize=False)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="write what conformance scripts say now as expected")
    parser.addoption("--puts", type=int, default=25_000, help="of the streaming experiment; the seed has 500000")


def pytest_report_header() -> str:
    return f"kew {VERSION}, {BUILD}"


def pytest_sessionstart() -> None:
    # Who starts the suite in the background of a script lets it ignore Ctrl-C, and every program that it starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    expected = os.environ.get("KEW_EXPECT", BUILD)
    if expected != BUILD:
        pytest.exit(f"these tests were to run {expected}, but kew is {BUILD}", returncode=3)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = config.rootpath / "tests"

    def place(item: pytest.Item) -> int:
        part = item.path.relative_to(here).parts[0]
        return LAST.index(part) + 1 if part in LAST else 0

    items.sort(key=place)
