"""The calculators give the numbers of the reports."""

import pytest
from click.testing import CliRunner

from kew.cli import main
from kew.perf import capacity
from kew.perf.capacity import CapacityError


def test_clients_of_the_zos_report() -> None:
    assert capacity.footprint(1, 32) == 232
    answer = capacity.clients(1466, 120, 232)
    assert answer.value == 4643
    assert "1172 MB" in answer.worked


def test_conversations_share_a_channel() -> None:
    assert capacity.clients(1466, 120, 346, conversations=10).value == 1052 * 1024 // 346 * 10


@pytest.mark.parametrize(
    ("size", "capexpry", "interval", "depth", "disk"),
    [
        (2048, 3000, 300, 1_200_000, 18_432),
        (2048, 36000, 300, 7_800_000, 119_808),
        (20480, 6000, 1, 1_202_000, 184_627),
    ],
)
def test_expiry_tests_of_the_streaming_report(size: int, capexpry: int, interval: int, depth: int, disk: int) -> None:
    assert capacity.expiry_depth(2000, capexpry, interval).value == depth
    assert round(capacity.expiry_disk(2000, capexpry, interval, size, 5).value) == disk


def test_small_messages_are_sized_as_two_kilobytes() -> None:
    assert capacity.expiry_disk(1, 10, 1, 10).value == capacity.expiry_disk(1, 10, 1, 2048).value


def test_index_of_ten_million_messages() -> None:
    assert capacity.index_memory(10_000_000).value == pytest.approx(1.36)


def test_log_bandwidth_doubles_with_dual_logging() -> None:
    one = capacity.log_bandwidth(1000, 2048)
    assert one.value == pytest.approx(2.668)
    assert capacity.log_bandwidth(1000, 2048, 2).value == pytest.approx(2 * one.value)


def test_page_set_of_the_zos_report_holds_its_messages() -> None:
    pages = capacity.page_set(19_980, 1024).value
    assert abs(pages - 20_157) < 20_157 * 0.01


def test_questions_without_answer() -> None:
    with pytest.raises(CapacityError, match="SHARECNV"):
        capacity.footprint(5, 1)
    with pytest.raises(CapacityError, match="64 KB"):
        capacity.footprint(1, 65)
    with pytest.raises(CapacityError, match="less than"):
        capacity.clients(100, 90, 232)


def test_the_command_shows_formula_and_numbers() -> None:
    done = CliRunner().invoke(main, ["capacity", "clients", "--storage", "1466", "--used", "120", "--size", "32k"])
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0] == "Clients: 4,643 clients"
    assert lines[1].strip().startswith("clients = ")
    refused = CliRunner().invoke(main, ["capacity", "clients", "--storage", "1466", "--size", "1m"])
    assert refused.exit_code == 2
    assert "64 KB" in refused.output


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        (["index", "--messages", "10000000"], "Memory of the index: 1.36 GB"),
        (["expiry", "--rate", "2000", "--capexpry", "3000", "--queues", "5"], "Depth of the queue: 1,200,000 messages"),
        (["log", "--rate", "5000", "--size", "2k", "--copies", "2"], "Log bandwidth: 26.68 MB/s"),
        (["pageset", "--messages", "19980", "--size", "1k"], "Page set: 20,224 pages"),
    ],
)
def test_every_calculator_has_a_command(arguments: list[str], first: str) -> None:
    done = CliRunner().invoke(main, ["capacity", *arguments])
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[0] == first


def test_what_expires_needs_a_page_set_for_all_queues() -> None:
    done = CliRunner().invoke(main, ["capacity", "expiry", "--rate", "2000", "--capexpry", "3000", "--queues", "5"])
    assert f"Page set: {capacity.page_set(6_000_000, 2048).value:,} pages" in done.output.splitlines()
