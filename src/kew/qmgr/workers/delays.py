"""Delivers delayed messages to their queues when their time has come, in a thread of its own.

A message is got from the staging queue and put to its target queue in one unit of work: a crash leaves it on one of
them. A message that its target does not take goes to the dead-letter queue; without that queue it stays and is retried.
"""

from collections.abc import Callable
from typing import Final

from kew.codes.errors import Broken, MQError
from kew.codes.messages import Notices
from kew.codes.options import (
    MQAT_QMGR,
    MQEI_UNLIMITED,
    MQENC_NATIVE,
    MQFMT_DEAD_LETTER_HEADER,
    MQGMO_SYNCPOINT,
    MQMO_MATCH_MSG_ID,
    MQOO_INPUT_SHARED,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_HEADER_ERROR, reason_name
from kew.formats import mqdlh
from kew.formats.binary import FormatError
from kew.formats.mqdlh import DeadLetterHeader
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.delay import QUEUE, Delayed, unwrap
from kew.mqi.engine import Engine
from kew.mqi.gets.request import Got
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.workers.worker import Worker
from kew.queues.cursor import DueScan
from kew.queues.queue import Queue
from kew.storage.message import HEADERS

APPLICATION: Final = "kew delivery delay"
AGAIN: Final = 5.0  # seconds after which an undelivered message is tried again
MOST_AT_ONCE: Final = 100  # messages that are delivered at a time
GLANCE: Final = 0.05  # seconds after which a due message that is not yet committed is tried again
LONGEST: Final = 60.0  # seconds until the clock is read again: it may have been set
_MESSAGE_ID: Final = 48


class DelayProcessor(Worker):
    """Waits for the next due message and delivers it."""

    def __init__(self, engine: Engine, connect: Callable[[str], LocalConnection], notices: Notices) -> None:
        super().__init__("kew-delays", 0.0)
        self._engine = engine
        self._connect = connect
        self._notices = notices
        self._told: set[int] = set()  # reason codes already reported to the operator

    def attend(self, stopping: bool) -> float | None:
        """Deliver the messages that are due; when stopping, leave them on the staging queue."""
        if stopping:
            return None
        try:
            return self.deliver_due()
        except Broken:
            raise
        except MQError as error:
            self._tell(error.reason, QUEUE, "it is tried again")
            return AGAIN

    def deliver_due(self) -> float | None:
        """Deliver the messages that are due; gives the seconds until the next one is due, None without a next one."""
        staging = self._engine.queues.by_name.get(QUEUE)
        if staging is None or not staging.depth:
            return None
        found = staging
        due, wait = self._engine.run(lambda: self._look(found))
        if due:
            connection = self._connect(APPLICATION)
            try:
                failed = self._deliver(connection, due)
            finally:
                connection.disconnect()
            wait = AGAIN if failed else 0.0
        return wait

    def _look(self, staging: Queue) -> tuple[list[bytes], float | None]:
        """Give the ids of messages that are due, and the seconds until the next is due; may stall."""
        now = int(self._engine.clock.now() * 1000)
        due: list[tuple[int, bytes]] = []
        scan = DueScan(now)
        while not scan.done:
            for item in staging.due(scan):
                if len(due) < MOST_AT_ONCE:
                    found = staging.describe(item, HEADERS)
                    due.append((found.expiry, found.content[_MESSAGE_ID : _MESSAGE_ID + 24]))
                else:
                    scan.note(now)
        due.sort()
        wait = None if not scan.soonest else max((scan.soonest - now) / 1000, GLANCE if scan.soonest <= now else 0.0)
        if wait is not None:
            wait = min(wait, LONGEST)
        return [message_id for _moment, message_id in due], wait

    def _deliver(self, connection: LocalConnection, due: list[bytes]) -> bool:
        """Deliver messages; say whether one could not be delivered."""
        failed = False
        handle = connection.open(QUEUE, MQOO_INPUT_SHARED)
        for message_id in due:
            if self._stopping:
                break
            try:
                wanted = MessageDescriptor(message_id=message_id)
                got = connection.get(handle, MQGMO_SYNCPOINT, 0, MQMO_MATCH_MSG_ID, wanted)
                self._put(connection, handle, got)
                connection.commit()
            except Broken:
                raise
            except MQError as error:
                connection.backout()
                self._tell(error.reason, QUEUE, "it is tried again")
                failed = True
        connection.close(handle)
        return failed

    def _put(self, connection: LocalConnection, handle: Handle, got: Got) -> None:
        try:
            delayed = unwrap(got.data)
        except FormatError as problem:
            raw = Delayed(0, QUEUE, got.descriptor, got.data)
            self._bury(connection, raw, MQRC_HEADER_ERROR, str(problem))
            return
        descriptor = delayed.descriptor
        if descriptor.expiry != MQEI_UNLIMITED:
            late = int(connection.engine.clock.now() * 1000) - delayed.moment
            descriptor.expiry = max(1, descriptor.expiry - late // 100)
        try:
            options = MQPMO_SYNCPOINT | MQPMO_SET_ALL_CONTEXT
            if delayed.topic:
                options |= delayed.options
                connection.deliver_publication(delayed.topic, delayed.level, descriptor, delayed.data, options)
            else:
                connection.deliver(delayed.queue, descriptor, delayed.data, options)
        except Broken:
            raise
        except MQError as error:
            self._bury(connection, delayed, error.reason, error.name)

    def _bury(self, connection: LocalConnection, delayed: Delayed, reason: int, why: str) -> None:
        """Put a message that cannot be delivered on the dead-letter queue; raises MQError if that fails too."""
        engine = connection.engine
        own = engine.catalogue.records.get(("QMGR", engine.name))
        dead = "" if own is None else str(own.values["DEADQ"])
        if not dead:
            raise MQError(reason, destination=delayed.destination, why=why)
        descriptor = delayed.descriptor.copy()
        engine.clock.now()
        header = DeadLetterHeader(
            reason,
            delayed.destination.encode()[:48],
            engine.name.encode(),
            descriptor.encoding,
            descriptor.ccsid,
            descriptor.format,
            MQAT_QMGR,
            engine.name.encode(),
            engine.clock.date,
            engine.clock.time,
        )
        descriptor.format = MQFMT_DEAD_LETTER_HEADER
        descriptor.encoding = MQENC_NATIVE
        options = MQPMO_SYNCPOINT | MQPMO_SET_ALL_CONTEXT
        connection.deliver(dead, descriptor, mqdlh.encode(header) + delayed.data, options)
        self._tell(reason, delayed.destination, f"it is on {dead}")

    def _tell(self, reason: int, queue: str, said: str) -> None:
        if reason not in self._told:
            self._told.add(reason)
            self._notices.tell("CSQM913W", (reason,), (queue, reason_name(reason), said))
