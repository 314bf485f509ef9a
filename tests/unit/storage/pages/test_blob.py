"""How an item's bytes lie in its pages."""

import pytest

from kew.storage.page import PAYLOAD_SIZE
from kew.storage.pages.blob import (
    BLOB_HEAD_SIZE,
    FIRST_ROOM,
    LIST_SIZE,
    RUNS_IN_FIRST_PAGE,
    RUNS_IN_RUN_PAGE,
    SINGLE_PAGE,
    Layout,
    pages_of,
    parse_layout,
    parse_run_page,
    run_pages_needed,
)


@pytest.mark.parametrize(
    ("length", "pages"),
    [
        (0, 1),
        (SINGLE_PAGE, 1),
        (SINGLE_PAGE + 1, 2),
        (FIRST_ROOM + PAYLOAD_SIZE, 2),
        (FIRST_ROOM + PAYLOAD_SIZE + 1, 3),
        (FIRST_ROOM + 10 * PAYLOAD_SIZE, 11),
        (104_857_600, 1 + -(-(104_857_600 - FIRST_ROOM) // PAYLOAD_SIZE)),
    ],
)
def test_pages_of_an_item(length: int, pages: int) -> None:
    assert pages_of(length) == pages


@pytest.mark.parametrize(
    ("runs", "pages"),
    [(0, 0), (64, 0), (65, 1), (RUNS_IN_RUN_PAGE, 1), (RUNS_IN_RUN_PAGE + 1, 2), (25_803, 51)],
)
def test_run_pages_of_a_list_of_runs(runs: int, pages: int) -> None:
    assert run_pages_needed(runs) == pages


def test_the_longest_message_in_the_worst_page_set_can_be_described() -> None:
    runs = pages_of(104_857_600 + 364) - 1
    assert run_pages_needed(runs) * 4 <= LIST_SIZE, "the numbers of its run pages fit into its first page"
    assert runs < 65536


@pytest.mark.parametrize("count", [1, RUNS_IN_FIRST_PAGE])
def test_a_short_list_of_runs_stands_in_the_first_page(count: int) -> None:
    runs = [(100 + 3 * number, 2) for number in range(count)]
    layout = Layout(9000, 7, runs, [])
    head = layout.head()
    assert len(head) == BLOB_HEAD_SIZE + LIST_SIZE
    assert layout.run_page_payloads() == []
    back = parse_layout(b"...." + head, 4, 7)
    assert (back.length, back.first, back.runs, back.run_pages) == (9000, 7, runs, [])
    assert back.all_runs() == [(7, 1), *runs]


@pytest.mark.parametrize("count", [RUNS_IN_FIRST_PAGE + 1, RUNS_IN_RUN_PAGE, RUNS_IN_RUN_PAGE + 1, 3000])
def test_a_long_list_of_runs_stands_in_pages_of_its_own(count: int) -> None:
    runs = [(100 + 3 * number, 2) for number in range(count)]
    numbers = [50_000 + number for number in range(run_pages_needed(count))]
    layout = Layout(count * 2 * PAYLOAD_SIZE, 7, runs, numbers)
    head = layout.head()
    payloads = layout.run_page_payloads()
    assert len(head) == BLOB_HEAD_SIZE + LIST_SIZE
    assert len(payloads) == len(numbers)
    assert all(len(payload) <= PAYLOAD_SIZE for payload in payloads)
    back = parse_layout(head, 0, 7)
    assert (back.run_pages, back.runs) == (numbers, [])
    for place, payload in enumerate(payloads):
        back.runs.extend(parse_run_page(payload.ljust(PAYLOAD_SIZE, b"\xff"), 0, place, count))
    assert back.runs == runs
    assert back.all_runs() == [(7, 1), *runs, *[(number, 1) for number in numbers]]
