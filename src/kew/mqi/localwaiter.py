"""A get of a thread in this process that waits: what those who put a message, or let one go, do for it."""

import threading
from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
)
from kew.codes.reasons import MQRC_NONE
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT
from kew.mqi import get as getting
from kew.mqi import metering
from kew.mqi.getrequest import GetRequest, Got
from kew.mqi.ordered import GROUPING
from kew.mqi.shaping import shaped
from kew.queues.waiters import Waiter
from kew.storage.log import NO_ADDRESS
from kew.storage.stall import Damaged, Stall

_BROWSE: Final = MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | MQGMO_BROWSE_MSG_UNDER_CURSOR
_SYNCPOINT: Final = MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT


class LocalWaiter(Waiter):
    """A get of a thread in this process that waits."""

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
        """Wait to be told, at most for a time; negative: for ever."""
        self._bell.acquire(True, seconds if seconds >= 0 else -1)

    def takes_directly(self) -> bool:
        """Say whether a message may be handed over without having been on the queue."""
        request = self.request
        if request.extends or request.handle.logical is not None:
            return False
        return not request.options & (_BROWSE | _SYNCPOINT | GROUPING)

    def hand_over(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Take a message that was never on the queue, if it fits."""
        request = self.request
        descriptor = descriptor.copy()
        if descriptor.format == RFH2_FORMAT:
            data = shaped(request.options, request.handle.property_control(), descriptor, data)
        if 0 <= request.buffer_length < len(data):
            return False
        self.got = Got(descriptor, data, len(data), MQRC_NONE, NO_ADDRESS)
        request.handle.save_context(self.got.descriptor)
        if request.connection.engine.metered:
            metering.got_directly(request.connection, request.handle, descriptor, len(data))
        self._bell.release()
        return True

    def serve(self) -> bool:
        """Try the get again."""
        request = self.request
        if request.connection.engine.detailed:
            metering.redriven(request.connection, request.handle, request.options & _BROWSE != 0)
        try:
            self.got = getting.get(request)
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
