"""The alarm clock of the event loop."""

from threading import Event, current_thread

from kew.channels.transport.alarm import Alarm
from kew.channels.transport.loop import Loop


def test_it_rings_once_for_each_time_it_is_set_in_the_loops_thread() -> None:
    loop = Loop("loop")
    rung: list[str] = []
    done = Event()

    def ring() -> None:
        rung.append(current_thread().name)
        if len(rung) < 3:
            alarm.set(0.0001)
        else:
            alarm.close()
            loop.post(done.set)

    alarm = Alarm(loop, ring)
    loop.post(lambda: alarm.set(0.0001))
    loop.start()
    assert done.wait(30)
    loop.stop()
    assert rung == ["loop"] * 3


def test_a_time_that_was_set_anew_is_forgotten() -> None:
    loop = Loop("loop")
    rung: list[int] = []
    done = Event()

    def ring() -> None:
        rung.append(1)
        loop.later(0.0, done.set)

    alarm = Alarm(loop, ring)

    def twice() -> None:
        alarm.set(0.9)
        alarm.set(0.0001)

    loop.post(twice)
    loop.start()
    assert done.wait(30)
    loop.post(alarm.close)
    loop.stop()
    assert rung == [1]


def test_what_is_cancelled_does_not_ring_though_its_time_is_up() -> None:
    loop = Loop("loop")
    rung: list[int] = []
    found: list[bool] = []
    done = Event()
    alarm = Alarm(loop, lambda: rung.append(1))

    def change_ones_mind() -> None:
        alarm.set(0.0001)
        while loop.idle():  # until the loop would ring
            pass
        loop._found.clear()
        alarm.cancel()
        found.append(loop.idle())
        loop.later(0.0, done.set)

    loop.post(change_ones_mind)
    loop.start()
    assert done.wait(30)
    loop.post(alarm.close)
    loop.stop()
    assert found == [True]
    assert not rung
