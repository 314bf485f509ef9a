"""Ctrl-C while the main thread does a writer step for itself: held back until the step is over."""

import signal
import threading
from collections.abc import Iterator

import pytest
from tests.support.logs import PLACES, LogLedger, new_disk
from tests.support.threads import Background, strike_when

from kew.storage.log import Log, LogSettings, interrupts

ONE = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18)
DUAL = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18, dual=True)


@pytest.fixture(autouse=True)
def _usual_handler() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    after = signal.signal(signal.SIGINT, before)
    assert after is signal.default_int_handler, "the handler was not given back"


def test_what_came_meanwhile_is_raised_at_the_end_once() -> None:
    assert interrupts.hold()
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        interrupts.release()
    assert interrupts.hold()
    interrupts.release()


def test_holding_twice_is_holding_once() -> None:
    assert interrupts.hold()
    assert not interrupts.hold()
    interrupts.release()


def test_a_handler_of_the_program_hears_of_it_afterwards() -> None:
    heard: list[int] = []

    def hear(number: int, _frame: object) -> None:
        heard.append(number)

    signal.signal(signal.SIGINT, hear)
    assert interrupts.hold()
    signal.raise_signal(signal.SIGINT)
    assert heard == []
    interrupts.release()
    assert heard == [signal.SIGINT]
    assert signal.signal(signal.SIGINT, signal.default_int_handler) is hear


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL])
def test_where_python_has_no_handler_nothing_is_held(handler: signal.Handlers) -> None:
    signal.signal(signal.SIGINT, handler)
    assert not interrupts.hold()
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_another_thread_has_nothing_to_hold() -> None:
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(interrupts.hold()))
    thread.start()
    thread.join()
    assert answers == [False]


@pytest.mark.parametrize("settings", [ONE, DUAL], ids=["one", "dual"])
@pytest.mark.parametrize("threads", [False, True])
def test_a_step_that_meets_ctrl_c_is_done_and_the_log_goes_on(settings: LogSettings, threads: bool) -> None:
    ledger = LogLedger(new_disk(settings), settings)
    log = ledger.open()
    if threads:
        log.start_writer()
    aim = 0
    struck: set[str] = set()

    def strike(operation: str, _path: str, _length: int) -> None:
        nonlocal aim
        if threading.current_thread() is threading.main_thread():
            aim -= 1
            if aim == 0:
                struck.add(operation)
                signal.raise_signal(signal.SIGINT)

    ledger.disk.delay = strike
    for number in range(1, 40):
        aim = 1 + number % 4
        ledger.append(100 * number)
        end = log.next_address
        try:
            log.force(end)
        except KeyboardInterrupt:
            assert log.durable >= end
        assert log.broken is None
    aim = 0
    log.stop_writer()
    assert struck >= {"write", "sync"}
    ledger.after(ledger.disk.crash(keep="none"))


def test_who_waits_for_the_writer_and_is_interrupted_does_not_keep_the_others_waiting() -> None:
    ledger = LogLedger(new_disk(ONE), ONE)
    log = ledger.open()
    log.start_writer()
    ledger.append(100)
    end = log.next_address
    go_on = threading.Event()

    def slow(_operation: str, _path: str, _length: int) -> None:
        go_on.wait()

    ledger.disk.delay = slow
    assert not log.request_force(end)
    waiting = Background(lambda: log.force(end))
    # Those who wait: the request above, the other thread, the main thread.
    striking = strike_when(lambda: log.counters.write_requests_wait == 3)
    with pytest.raises(KeyboardInterrupt):
        log.force(end)
    go_on.set()
    striking.result()
    waiting.result()
    assert log.durable >= end
    assert log.broken is None
    log.stop_writer()
    ledger.after(ledger.disk.crash(keep="none"))


def test_a_log_that_was_made_is_closed_in_spite_of_ctrl_c() -> None:
    disk = new_disk(ONE)
    log = Log.open(disk, ONE, PLACES)
    log.append(1, 0, 0, b"last words")
    disk.delay = lambda operation, _path, _length: signal.raise_signal(signal.SIGINT) if operation == "write" else None
    with pytest.raises(KeyboardInterrupt):
        log.force(log.next_address)
    disk.delay = None
    log.close()
    records = list(Log.open(disk.crash(keep="none"), ONE, PLACES).read(log.needed))
    assert [record.payload for record in records] == [b"last words"]
