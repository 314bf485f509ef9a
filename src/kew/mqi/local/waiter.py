"""The waiter of a get in this process: it is handed a message by a put, or tries the get again."""

import threading

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_NONE
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.gets import get as getting
from kew.mqi.gets.groups import GROUPING
from kew.mqi.gets.request import GetRequest, Got, as_program_sees, note_handed_over, note_redriven
from kew.queues.waiters import Waiter
from kew.storage.log import NO_ADDRESS
from kew.storage.stall import Damaged, Stall


class LocalWaiter(Waiter):
    """A get that waits, in a thread of this process."""

    def __init__(self, request: GetRequest) -> None:
        match = None if request.options & GROUPING else request.match
        super().__init__(match, request.connection.number)
        self.request = request
        self.got: Got | None = None
        self.error: BaseException | None = None
        self.again = False  # the get must be tried again by its own thread (it has to wait for I/O)
        self._bell = threading.Lock()
        self._bell.acquire()

    def wait(self, seconds: float) -> None:
        """Wait until the get has ended, at most for a time (negative: no limit)."""
        self._bell.acquire(True, seconds if seconds >= 0 else -1)

    def takes_directly(self) -> bool:
        """Say whether a put may hand a message directly to this get."""
        return self.request.takes_directly()

    def hand_over(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Take a message that was never on the queue, if it fits the program's buffer."""
        request = self.request
        descriptor = descriptor.copy()
        data = as_program_sees(request, descriptor, data)
        if not request.has_room(len(data)):
            return False
        self.got = Got(descriptor, data, len(data), MQRC_NONE, NO_ADDRESS)
        note_handed_over(request, descriptor, len(data))
        self._bell.release()
        return True

    def serve(self) -> bool:
        """Try the get again."""
        note_redriven(self.request)
        try:
            self.got = getting.get(self.request)
        except Stall:
            self.again = True
        except (MQError, Damaged) as error:
            self.error = error
        if self.got is None and self.error is None and not self.again:
            return False
        self._bell.release()
        return True

    def fail(self, reason: int) -> None:
        """End the wait with a reason."""
        self.error = MQError(reason)
        self._bell.release()
