"""The event loop: one thread that serves every socket of a queue manager.

Nothing that runs in it may wait, with one exception. Work that waits goes to a worker (workers.py), which posts what is
left to do. The exception is a hook that runs before the loop goes to sleep: when no post and no ready socket is there,
the hook of the acknowledgements may write and sync the log (agents/acknowledgements.py says when). A socket that
becomes ready meanwhile is served after that one sync. Each turn: timers that are due, what others have posted, the
sockets that are ready. What one socket has caused, in posts and in output, is done before the next is looked at; where
many are ready their output is written together, since to wake one program after the other costs the system less than to
wake each when the one before has gone to sleep again. Before the loop goes to sleep the hooks run, so that one request
to the log serves all commits of the turn; a hook may ask whether there is anything else to do.
"""

import contextlib
import heapq
import os
import select
import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

READABLE: Final = select.EPOLLIN
WRITABLE: Final = select.EPOLLOUT
ENDED: Final = select.EPOLLHUP | select.EPOLLERR
MOST_EVENTS: Final = 256
MANY: Final = 5  # sockets that are ready, from which on output is written together
MOST_TOGETHER: Final = 32  # of which output waits; the first should not wait for ever
LONGEST_SLEEP: Final = 60.0

Work = Callable[[], None]


class Handler:
    """What the loop knows of a socket."""

    @abstractmethod
    def ready(self, events: int) -> None:
        """Act on what the socket is ready for."""

    @abstractmethod
    def flush(self) -> None:
        """Write what waits to be written."""

    @abstractmethod
    def failed(self, problem: Exception) -> None:
        """Give up after an error that nobody expected."""


class Timer:
    """Something to be done later."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.cancelled = False


class Loop:
    """Waits for sockets, timers and other threads, and calls whom they concern."""

    def __init__(self, name: str) -> None:
        self.now = monotonic()  # when this turn began
        self.before_sleep: list[Work] = []
        self.on_error: Callable[[Exception], None] | None = None  # told of what nobody caught
        self._epoll = select.epoll()
        self._handlers: dict[int, Handler] = {}
        self._found: list[tuple[int, int]] = []  # the sockets that are ready, when a hook has asked
        self._posted: deque[Work] = deque()
        self._unflushed: list[Handler] = []
        self._timers: list[tuple[float, int, Timer]] = []
        self._timer_number = 0
        self._sleeping = False
        self._stopping = False
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll.register(self._bell, READABLE)
        self._runner = threading.Thread(target=self._run, name=name, daemon=True)

    # From any thread.

    def start(self) -> None:
        """Start the thread."""
        self._runner.start()

    def post(self, work: Work) -> None:
        """Have something done by the loop's thread, soon."""
        self._posted.append(work)
        if self._sleeping:
            os.eventfd_write(self._bell, 1)

    def stop(self) -> None:
        """End the thread, after what has been posted is done; called once, by another thread."""
        self.post(self._stop)
        if self._runner.is_alive():
            self._runner.join()
        os.close(self._bell)  # not before: whoever posts may be about to ring it

    @property
    def inside(self) -> bool:
        """Whether the caller is the loop's own thread."""
        return threading.current_thread() is self._runner

    # From the loop's own thread (or before it starts).

    def add(self, descriptor: int, handler: Handler, events: int) -> None:
        """Watch a socket."""
        self._handlers[descriptor] = handler
        self._epoll.register(descriptor, events)

    def change(self, descriptor: int, events: int) -> None:
        """Watch a socket for something else."""
        self._epoll.modify(descriptor, events)

    def remove(self, descriptor: int) -> None:
        """Watch a socket no longer; it is still open."""
        if self._handlers.pop(descriptor, None) is not None:
            with contextlib.suppress(OSError):
                self._epoll.unregister(descriptor)

    def flush_soon(self, handler: Handler) -> None:
        """Have a handler's output written once what runs now is done."""
        self._unflushed.append(handler)

    def idle(self) -> bool:
        """Say whether there is nothing to do at this moment: no post, no socket that is ready. Asked by hooks only."""
        if self._posted or self._stopping:
            return False
        if not self._found:
            self._found = self._epoll.poll(0, MOST_EVENTS)
        return not self._found

    def later(self, seconds: float, work: Work) -> Timer:
        """Have something done after a time."""
        timer = Timer(work)
        self._timer_number += 1
        heapq.heappush(self._timers, (monotonic() + seconds, self._timer_number, timer))
        return timer

    def _stop(self) -> None:
        self._stopping = True

    def _run(self) -> None:
        while not self._stopping:
            self._turn()
        self._epoll.close()

    def _turn(self) -> None:
        self.now = monotonic()
        if self._timers:
            self._ring_timers()
        self._settle()
        for hook in self.before_sleep:
            hook()
        found = self._found
        if found:
            self._found = []
        elif self._posted:
            return  # by a hook
        else:
            found = self._sleep()
        at_once = 1 if len(found) < MANY else MOST_TOGETHER
        for descriptor, events in found:
            handler = self._handlers.get(descriptor)
            if handler is not None:
                try:
                    handler.ready(events)
                except Exception as problem:  # one connection's trouble is not the others'
                    self._report(problem)
                    handler.failed(problem)
                self._do_posted()
                if len(self._unflushed) >= at_once:
                    self._settle()
            elif descriptor == self._bell:
                try:
                    os.eventfd_read(self._bell)
                except BlockingIOError:  # an earlier turn has heard it
                    continue

    def _sleep(self) -> list[tuple[int, int]]:
        """Wait for sockets that are ready, if nothing else is to be done, until a timer is due."""
        timeout = self._sleep_seconds()
        # Whoever posts from now on rings; whoever has posted before is seen here.
        self._sleeping = True
        if self._posted or self._stopping:
            timeout = 0.0
        found = self._epoll.poll(timeout, MOST_EVENTS)
        self._sleeping = False
        return found

    def _settle(self) -> None:
        """Do what has been posted, and write what has been said, until there is neither."""
        while self._posted or self._unflushed:
            self._do_posted()
            unflushed = self._unflushed
            if unflushed:
                self._unflushed = []
                for handler in reversed(unflushed):  # who waited for what a call has caused, then who called
                    handler.flush()

    def _do_posted(self) -> None:
        while self._posted:
            work = self._posted.popleft()
            try:
                work()
            except Exception as problem:
                self._report(problem)

    def _ring_timers(self) -> None:
        while self._timers and self._timers[0][0] <= self.now:
            _when, _number, timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                self._posted.append(timer.work)

    def _sleep_seconds(self) -> float:
        """How long to sleep at most. A timer may ring late, by no more than this turn has taken."""
        if not self._timers:
            return LONGEST_SLEEP
        return min(self._timers[0][0] - self.now, LONGEST_SLEEP)

    def _report(self, problem: Exception) -> None:
        if self.on_error is not None:
            self.on_error(problem)
