"""Traces are numbered, found by what they collect, changed and stopped; what cannot be collected is refused."""

import pytest

from kew.accounting.traces import ACCOUNTING, GLOBAL, MOST_TRACES, RESIDENT, SMF, STATISTICS, Trace, TraceError, Traces


def test_numbers_are_the_lowest_free_ones() -> None:
    traces = Traces()
    first = traces.start(Trace(STATISTICS, [1, 3]))
    second = traces.start(Trace(ACCOUNTING, [3]))
    assert (first.number, second.number) == (1, 2)
    traces.stop([1])
    assert traces.start(Trace(GLOBAL, [1])).number == 1


def test_the_same_order_is_one_trace() -> None:
    traces = Traces()
    first = traces.start(Trace(STATISTICS, [3, 1, 1]))
    assert traces.start(Trace(STATISTICS, [1, 3], comment="again")) is first
    assert len(traces.running()) == 1
    assert traces.start(Trace(STATISTICS, [1, 3], users=["ME"])) is not first


def test_collectors_ask_by_kind_and_class_and_hear_of_changes() -> None:
    traces = Traces()
    heard: list[bool] = []
    traces.on_change.append(lambda: heard.append(traces.collects(STATISTICS, 5)))
    trace = traces.start(Trace(STATISTICS, [1]))
    assert traces.alter(trace.number, [1, 5], "")
    assert not traces.collects(ACCOUNTING, 5)
    traces.stop([trace.number])
    assert heard == [False, True, False]


def test_altering_what_is_not_there_says_so() -> None:
    assert not Traces().alter(1, [1], "")


@pytest.mark.parametrize(
    "trace", [Trace(STATISTICS, [6]), Trace(STATISTICS, [1], [RESIDENT]), Trace(GLOBAL, [1], [SMF])]
)
def test_what_cannot_be_collected_is_refused(trace: Trace) -> None:
    traces = Traces()
    with pytest.raises(TraceError):
        traces.start(trace)
    assert traces.running() == []


def test_a_wrong_change_leaves_the_trace_as_it_was() -> None:
    traces = Traces()
    trace = traces.start(Trace(STATISTICS, [1]))
    with pytest.raises(TraceError):
        traces.alter(trace.number, [9], "")
    assert traces.running()[0].classes == (1,)


def test_there_are_at_most_so_many() -> None:
    traces = Traces()
    for number in range(MOST_TRACES):
        traces.start(Trace(GLOBAL, [1], users=[str(number)]))
    with pytest.raises(TraceError):
        traces.start(Trace(GLOBAL, [1]))
