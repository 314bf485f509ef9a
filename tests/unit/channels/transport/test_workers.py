"""Workers take turns among those whose jobs wait."""

from functools import partial
from threading import Event

from kew.channels.transport.workers import Workers


def test_those_who_have_jobs_take_turns() -> None:
    workers = Workers("tests", 1)
    begun, go = Event(), Event()
    done: list[str] = []

    def hold() -> None:
        begun.set()
        go.wait(30)

    workers.submit(hold)
    assert begun.wait(30)
    for name in ("a1", "a2", "a3", "b1", "c1", "c2"):
        workers.submit(partial(done.append, name), name[0])
    go.set()
    workers.stop()
    assert done == ["a1", "b1", "c1", "a2", "c2", "a3"]


def test_each_thread_counts_what_it_has_done() -> None:
    workers = Workers("tests", 3)
    begun, go = Event(), Event()

    def work() -> None:
        begun.set()
        assert go.wait(30)
        sum(range(20_000))

    workers.submit(work)
    assert begun.wait(30)
    assert [one.jobs for one in workers.counts()] == [0, 0, 0]
    go.set()
    workers.stop()
    first, second, third = workers.counts()
    assert (first.jobs, second.jobs, third.jobs) == (1, 0, 0)
    assert first.busy >= first.processor > 0
    assert second.busy == 0
