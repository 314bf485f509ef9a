"""Puts event messages on their queues, in a thread of its own.

The thread connects when events wait and disconnects when all are put, so that it never delays the end of the queue
manager. An event whose queue is missing, full or inhibited is lost; a message reports the number lost of each batch.
"""

import threading
from collections.abc import Callable
from typing import Final

from kew.accounting.events import Event, Events
from kew.codes.errors import Broken, MQError
from kew.codes.messages import Notices
from kew.codes.options import (
    MQAT_QMGR,
    MQENC_NATIVE,
    MQFMT_EVENT,
    MQOO_OUTPUT,
    MQOO_SET_ALL_CONTEXT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SET_ALL_CONTEXT,
)
from kew.formats import charset, pcf
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.workers.worker import Worker

APPLICATION: Final = "kew event writer"


class EventWriter(Worker):
    """The worker that puts waiting events on their queues."""

    def __init__(
        self, events: Events, connect: Callable[[str], LocalConnection], notices: Notices, bell: threading.Event
    ) -> None:
        super().__init__("kew-events", bell=bell)
        self._events = events
        self._connect = connect
        self._notices = notices
        self._writing = threading.Lock()  # held by the thread, and by callers of write_pending

    def attend(self, stopping: bool) -> float | None:
        """Put the waiting events."""
        self.write_pending()
        return None

    def write_pending(self) -> None:
        """Put the waiting events."""
        with self._writing:
            if self._events.pending or self._events.lost:
                self._events.write_here(True)
                try:
                    self._write()
                finally:
                    self._events.write_here(False)

    def _write(self) -> None:
        events = self._events
        connection = self._connect(APPLICATION)
        lost = events.take_lost()
        try:
            while events.pending:
                lost += self._put(connection, events.pending.popleft())
        finally:
            connection.disconnect()
        if lost:
            self._notices.tell("CSQW133E", (lost,), ("event queues",))

    def _put(self, connection: LocalConnection, event: Event) -> int:
        """Put the messages of an event; gives the number of lost ones."""
        manager = self._events.queue_manager.encode()
        clock = connection.engine.clock
        together = connection.engine.ids.next() if len(event.messages) > 1 else bytes(24)
        left = len(event.messages)
        try:
            handle = connection.open(event.queue, MQOO_OUTPUT | MQOO_SET_ALL_CONTEXT)
            try:
                for message in event.messages:
                    clock.now()
                    descriptor = MessageDescriptor(
                        format=MQFMT_EVENT,
                        encoding=MQENC_NATIVE,
                        ccsid=charset.UTF_8,
                        correlation_id=together,
                        put_application_type=MQAT_QMGR,
                        put_application_name=manager[:28].ljust(28),
                        put_date=clock.date,
                        put_time=clock.time,
                    )
                    connection.put(handle, descriptor, pcf.encode(message), MQPMO_NO_SYNCPOINT | MQPMO_SET_ALL_CONTEXT)
                    left -= 1
            finally:
                connection.close(handle)
        except Broken:
            raise
        except MQError:
            return left
        return 0
