"""The log buffer between those who want records on disk and the writer."""

from threading import Thread

from kew.storage.log.buffer import LogBuffer
from kew.storage.logaddress import PAGE_HEADER, LogAddress


def buffer() -> LogBuffer:
    made = LogBuffer(LogAddress(PAGE_HEADER), 64, False, lambda: 0.0)
    made.set_limit(1 << 30)
    made.start()
    return made


def test_a_writer_who_wakes_to_find_the_work_done_sleeps_again() -> None:
    """Another may write what was wanted before the writer that was woken runs: that is no reason to end."""
    records = buffer()
    woken: list[bool] = []
    for _ in range(200):
        writer = Thread(target=lambda: woken.append(records.idle()))
        writer.start()
        while not records.resting():
            pass
        records.append(1, 0, 0, b"one", b"", 0)
        records.want(records.next_address)  # rings
        taken = records.take()  # by somebody who writes for himself
        assert taken is not None
        records.written(taken)
        while writer.is_alive() and not records.resting():
            pass
        records.append(1, 0, 0, b"two", b"", 0)
        records.want(records.next_address)
        writer.join()
        rest = records.take()
        if rest is not None:
            records.written(rest)
    assert woken == [True] * 200


def test_the_writer_ends_when_it_is_told_to_and_nothing_is_wanted() -> None:
    records = buffer()
    woken: list[bool] = []
    writer = Thread(target=lambda: woken.append(records.idle()))
    writer.start()
    while not records.resting():
        pass
    records.stop()
    writer.join()
    assert woken == [False]
