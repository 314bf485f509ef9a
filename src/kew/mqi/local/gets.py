"""Gets of a thread in this process: the engine lock, page reads, and the wait for a message."""

import time

from kew.mqi.engine import broken_by, settle
from kew.mqi.gets import get as getting
from kew.mqi.gets.browsemarks import seconds_hidden
from kew.mqi.gets.request import GetRequest, Got
from kew.mqi.local.waiter import LocalWaiter
from kew.storage.log import LogError
from kew.storage.stall import Stall


def get_now(request: GetRequest) -> Got | None:
    """Get a message that is on the queue; None if there is none."""
    engine = request.connection.engine
    lock = engine.lock
    while True:
        try:
            with lock:
                return getting.get(request)
        except Stall as stall:
            waiting = stall
        except LogError as broken:
            raise broken_by(broken) from broken
        settle(engine, request.handle.queue, waiting)


def get_waiting(request: GetRequest, wait_interval: int) -> Got | None:
    """Get a message that is on the queue or arrives within a number of milliseconds (negative: no limit)."""
    engine = request.connection.engine
    lock = engine.lock
    waiting: Stall | None = None
    deadline = time.monotonic() + wait_interval / 1000 if wait_interval >= 0 else 0.0
    while True:
        try:
            with lock:
                got = getting.get(request)
                if got is None:
                    waiter = LocalWaiter(request)
                    queue = request.handle.queue
                    assert queue is not None
                    queue.waiters.add(waiter)
                    hidden = seconds_hidden(engine, request.handle, queue, request.options)
        except Stall as stall:
            waiting = stall
        except LogError as broken:
            raise broken_by(broken) from broken
        else:
            if got is not None:
                return got
            waiting = None
        if waiting is not None:
            settle(engine, request.handle.queue, waiting)
            continue
        assert queue is not None
        left = deadline - time.monotonic() if wait_interval >= 0 else -1.0
        looks_again = hidden >= 0 and (wait_interval < 0 or hidden < left)
        if looks_again:
            left = hidden
        try:
            if wait_interval < 0 or left > 0:
                waiter.wait(left)
        finally:
            with lock:
                queue.waiters.remove(waiter)
        if waiter.got is not None:
            return waiter.got
        if waiter.error is not None:
            raise waiter.error
        if not waiter.again and not looks_again:
            return None
