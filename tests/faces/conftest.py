"""One queue manager for all tests of a module, its queues emptied after each."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.network import Reachable, reachable
from tests.support.programs import FACES, WAYS, Site


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("faces")) as running:
        yield running


@pytest.fixture(params=FACES, ids=lambda face: face.__name__.partition(".")[2])
def face(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@pytest.fixture
def site(place: Reachable, face: Any, way: str) -> Iterator[Site]:
    site = Site(place, face, way)
    yield site
    site.end()
    for name in ("DEV.QUEUE.1", "DEV.QUEUE.2", "DEV.QUEUE.3"):
        place.mqsc(f"ALTER QLOCAL({name}) GET(ENABLED) PUT(ENABLED)")
        answer = place.mqsc(f"CLEAR QLOCAL({name})")
        assert "AMQ8022I" in answer, answer
