"""Every test of a queue is run with each store that a queue may have, but for those that are about one of them."""

from collections.abc import Iterator

import pytest
from tests.support import memorystore

STORES = ("pages", "memory")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    has_queues = hasattr(metafunc.module, "create")
    only = not has_queues or metafunc.definition.get_closest_marker("pages")
    metafunc.parametrize("store", STORES[:1] if only else STORES, indirect=True)


@pytest.fixture(autouse=True)
def store(request: pytest.FixtureRequest) -> Iterator[str]:
    """The store that queues have in a test."""
    memorystore.use(request.param == "memory")
    yield request.param
    memorystore.use(False)
