"""Who writes the log for clients: the loop itself while it has nothing else to do and the disk is quick."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, current_thread

from tests.support.network import eventually, reachable

from kew.channels.agents.acknowledgements import SHARED_CALLS, SLOW, STALL
from kew.channels.protocol.events import Plain
from kew.channels.protocol.segments import MQCMIT, REPLY
from kew.codes.options import MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.storage.log import LogAddress

QUEUE = "DEV.QUEUE.1"


def test_a_loop_with_nothing_to_do_writes_the_log_and_leaves_a_slow_disk_to_the_writer(tmp_path: Path) -> None:
    with reachable(tmp_path) as site, site.connect() as connection:
        log = site.manager.host.log
        writers: list[str] = []

        def note(_address: LogAddress) -> None:
            writers.append(current_thread().name)

        def linger(_address: LogAddress) -> None:
            time.sleep(0.01)  # as a slow disk does

        queue = connection.open(QUEUE, MQOO_OUTPUT)
        log.on_durable.append(note)

        def written_by(name: str) -> Callable[[], bool]:
            def written() -> bool:
                writers.clear()
                queue.put(b"x", MessageDescriptor(persistence=1))
                return name in writers

            return written

        assert eventually(written_by("kew-loop"))
        log.on_durable.append(linger)
        assert eventually(written_by("kew-log-writer"))
        log.on_durable.remove(linger)
        assert eventually(written_by("kew-loop"))  # it is tried again
        log.on_durable.remove(note)
        assert site.depth(QUEUE) >= 3


def test_one_sync_that_takes_long_does_not_make_the_disk_a_slow_one(tmp_path: Path) -> None:
    with reachable(tmp_path) as site, site.connect() as connection:
        assert site.manager.network is not None
        waiting = site.manager.network.resources.acknowledgements
        log = site.manager.host.log
        stalls = [STALL, 2 * STALL]  # seconds

        def linger(_address: LogAddress) -> None:
            if stalls:
                time.sleep(stalls.pop())

        queue = connection.open(QUEUE, MQOO_OUTPUT)
        waiting._writing = waiting._wary_until = 0.0
        log.on_durable.append(linger)
        queue.put(b"x", MessageDescriptor(persistence=1))
        assert waiting._wary_until == 0.0
        waiting._writing = SLOW  # but that of one that is slow already
        queue.put(b"x", MessageDescriptor(persistence=1))
        assert waiting._wary_until > 0.0
        log.on_durable.remove(linger)


def test_a_reply_that_comes_just_after_the_writer_was_done_does_not_wait_for_the_next_write(tmp_path: Path) -> None:
    with reachable(tmp_path) as site:
        connection = site.connect()
        network = site.manager.network
        assert network is not None
        waiting = network.resources.acknowledgements
        connection.open(QUEUE, MQOO_OUTPUT).put(b"x", MessageDescriptor(persistence=1))
        (caller,) = [each for agent in network.agents.all for each in agent.callers.values()]
        released = Event()

        def come() -> None:
            waiting.park(waiting._asked, caller, Plain(MQCMIT + REPLY))
            network.loop.post(released.set)  # after what the line has posted

        network.loop.post(come)
        assert released.wait(60)
        assert not waiting._line
        connection.driver.close()


def test_who_comes_alone_after_many_have_come_together_is_answered_and_then_not_kept_waiting(tmp_path: Path) -> None:
    with reachable(tmp_path) as site, site.connect() as connection:
        assert site.manager.network is not None
        waiting = site.manager.network.resources.acknowledgements
        queue = connection.open(QUEUE, MQOO_OUTPUT)
        waiting._usual = 16.0
        for _turn in range(40):
            queue.put(b"x", MessageDescriptor(persistence=1))
        assert waiting._usual < SHARED_CALLS  # one program makes no company
        assert site.depth(QUEUE) == 40


def test_a_loop_whose_company_has_come_before_the_alarm_writes_the_log_itself(tmp_path: Path) -> None:
    with reachable(tmp_path) as site:
        waiting = site.network.resources.acknowledgements
        log = site.manager.host.log
        loop = site.network.loop
        writers: list[str] = []
        written = Event()

        def note(_address: LogAddress) -> None:
            writers.append(current_thread().name)
            written.set()

        def gather() -> None:
            waiting._alarm.set(0.0001)
            waiting._expecting = True
            while loop.idle():  # until the time is up, with the alarm not looked at
                pass
            loop._found.clear()
            waiting._usual = 1.0  # as many as there are
            waiting._gathered = 1
            waiting._wary_until = 0.0
            waiting.want(log.next_address)

        connection = site.manager.connect("tests")
        handle = connection.open(QUEUE, MQOO_OUTPUT)
        # Something is logged, and nobody waits for it.
        connection.put(handle, MessageDescriptor(persistence=1), b"x", MQPMO_SYNCPOINT)
        log.on_durable.append(note)
        loop.post(gather)
        assert written.wait(60)
        log.on_durable.remove(note)
        assert writers[0] == "kew-loop"
        connection.disconnect()
