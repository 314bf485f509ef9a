"""The event loop: one thread that serves every socket of a queue manager.

Nothing that runs in the loop may wait, with one exception. Work that waits goes to a worker (workers.py), which posts
the rest of the work to the loop. The exception is a hook that runs before the loop goes to sleep: when there is no post
and no ready socket, the hook of the acknowledgements may write and sync the log (agents/acknowledgements.py says when).
A socket that becomes ready meanwhile is served after that one sync. Each turn runs the timers that are due, the posts
of other threads, and the ready sockets. All posts and output that one socket has caused are done before the next socket
is served; if many sockets are ready, their output is written together, since the system wakes several programs in a row
at less cost than each of them after the one before has gone to sleep again. Before the loop goes to sleep the hooks
run, so that the log is forced once for all commits of the turn; a hook may check whether the loop is idle.
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
MANY: Final = 5  # number of ready sockets from which on their output is written together
MOST_TOGETHER: Final = 32  # most sockets with output waiting, so that the first does not wait long
MOST_BULKY: Final = 2  # most sockets with long messages on their way that are served in one turn
LONGEST_SLEEP: Final = 60.0

Work = Callable[[], None]


class Handler:
    """Serves one socket of the loop."""

    def __init__(self) -> None:
        self.bulk = False  # long messages are on their way: a few such sockets are served in a turn
        self.turn = 0  # the last in which the socket was served as one of them

    @abstractmethod
    def ready(self, events: int) -> None:
        """Act on the events of the socket: readable, writable."""

    @abstractmethod
    def flush(self) -> None:
        """Write the waiting output."""

    @abstractmethod
    def failed(self, problem: Exception) -> None:
        """End the service of the socket after an unexpected error."""


class Timer:
    """A function to be called later."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.cancelled = False


class Loop:
    """Waits for sockets, timers and other threads, and calls their handlers."""

    def __init__(self, name: str, on_error: Callable[[Exception], None] | None = None) -> None:
        self.now = monotonic()  # time at which this turn began
        self.before_sleep: list[Work] = []
        self._on_error = on_error  # called with exceptions that no handler caught
        self._epoll = select.epoll()
        self._handlers: dict[int, Handler] = {}
        self.served = 0  # how often a socket was ready
        self._turns = 0
        self._found: list[tuple[int, int]] = []  # the ready sockets, if a hook has looked
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
        """Have a function called soon by the loop's thread."""
        self._posted.append(work)
        if self._sleeping:
            os.eventfd_write(self._bell, 1)

    def stop(self) -> None:
        """End the thread after all posted functions are done; called once, by another thread."""
        self.post(self._stop)
        if self._runner.is_alive():
            self._runner.join()
        os.close(self._bell)  # not earlier: a posting thread may be about to wake the loop

    @property
    def inside(self) -> bool:
        """True in the loop's own thread."""
        return threading.current_thread() is self._runner

    # From the loop's own thread (or before it starts).

    def add(self, descriptor: int, handler: Handler, events: int) -> None:
        """Watch a socket."""
        self._handlers[descriptor] = handler
        self._epoll.register(descriptor, events)

    def change(self, descriptor: int, events: int) -> None:
        """Change the events that a socket is watched for."""
        self._epoll.modify(descriptor, events)

    def remove(self, descriptor: int) -> None:
        """Stop watching a socket; it stays open."""
        if self._handlers.pop(descriptor, None) is not None:
            with contextlib.suppress(OSError):
                self._epoll.unregister(descriptor)

    def flush_soon(self, handler: Handler) -> None:
        """Have a handler's output written once the current function is done."""
        self._unflushed.append(handler)

    def idle(self) -> bool:
        """Say whether the loop has nothing to do now: no post and no ready socket. Called by hooks only."""
        if self._posted or self._stopping:
            return False
        if not self._found:
            self._found = self._epoll.poll(0, MOST_EVENTS)
        return not self._found

    def later(self, seconds: float, work: Work) -> Timer:
        """Have a function called after some seconds."""
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
        bulky: list[tuple[int, int, int]] = []
        for descriptor, events in found:
            handler = self._handlers.get(descriptor)
            if handler is not None:
                if handler.bulk:
                    bulky.append((handler.turn, descriptor, events))
                    continue
                self._serve(handler, events)
                if len(self._unflushed) >= at_once:
                    self._settle()
            elif descriptor == self._bell:
                try:
                    os.eventfd_read(self._bell)
                except BlockingIOError:  # an earlier turn has read it
                    continue
        if bulky:
            self._serve_some(bulky)

    def _serve(self, handler: Handler, events: int) -> None:
        self.served += 1
        try:
            handler.ready(events)
        except Exception as problem:  # an error of one connection must not end the others
            self._report(problem)
            handler.failed(problem)
        self._do_posted()

    def _serve_some(self, ready: list[tuple[int, int, int]]) -> None:
        """Serve the sockets with long messages that have waited longest; the others stay ready for later turns."""
        self._turns += 1
        if len(ready) > MOST_BULKY:
            ready.sort()
        for _turn, descriptor, events in ready[:MOST_BULKY]:
            handler = self._handlers.get(descriptor)
            if handler is not None:
                handler.turn = self._turns
                self._serve(handler, events)
                self._settle()

    def _sleep(self) -> list[tuple[int, int]]:
        """Wait for ready sockets until a timer is due; not at all if there is a post."""
        timeout = self._sleep_seconds()
        # A post from now on wakes the loop; earlier posts are seen here.
        self._sleeping = True
        if self._posted or self._stopping:
            timeout = 0.0
        found = self._epoll.poll(timeout, MOST_EVENTS)
        self._sleeping = False
        return found

    def _settle(self) -> None:
        """Run the posted functions and write their output, until there is neither."""
        while self._posted or self._unflushed:
            self._do_posted()
            unflushed = self._unflushed
            if unflushed:
                self._unflushed = []
                for handler in reversed(unflushed):  # first the programs that a call has woken, then the caller
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
        """Give the longest time to sleep. A timer may ring late, by no more than the time of this turn."""
        if not self._timers:
            return LONGEST_SLEEP
        return min(self._timers[0][0] - self.now, LONGEST_SLEEP)

    def _report(self, problem: Exception) -> None:
        if self._on_error is not None:
            self._on_error(problem)
