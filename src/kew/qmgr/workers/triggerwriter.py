"""Puts the trigger messages that no put has made, and switches TRIGGER off after DEPTH, in a thread of its own.

A trigger message that its initiation queue does not take goes to the dead-letter queue; if that fails too, a message
reports it to the operator.
"""

import threading
from collections.abc import Callable
from typing import Final

from kew.codes.errors import Broken, MQError
from kew.codes.messages import Notices
from kew.codes.options import (
    MQAT_QMGR,
    MQENC_NATIVE,
    MQFMT_DEAD_LETTER_HEADER,
    MQFMT_TRIGGER,
    MQPER_PERSISTENCE_AS_Q_DEF,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SET_ALL_CONTEXT,
    MQPRI_PRIORITY_AS_Q_DEF,
)
from kew.codes.reasons import reason_name
from kew.formats.mqdlh import DeadLetterHeader, encode
from kew.mqi.delivery.triggermessages import put_trigger_message, trigger_descriptor
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.workers.worker import Worker
from kew.queues.administration import QueueAdministration
from kew.queues.queue import Queue
from kew.queues.trigger import Triggers

APPLICATION: Final = "kew trigger writer"


class TriggerWriter(Worker):
    """The worker that puts due trigger messages, and switches TRIGGER off for queues whose DEPTH trigger has fired."""

    def __init__(
        self,
        triggers: Triggers,
        administration: QueueAdministration,
        connect: Callable[[str], LocalConnection],
        notices: Notices,
        bell: threading.Event,
    ) -> None:
        super().__init__("kew-triggers", bell=bell)
        self._triggers = triggers
        self._administration = administration
        self._connect = connect
        self._notices = notices
        self._writing = threading.Lock()  # held by the thread, and by callers of write_pending

    def start(self) -> None:
        """Start the thread, which first puts the trigger messages that are already due."""
        self._bell.set()
        super().start()

    def attend(self, stopping: bool) -> float | None:
        """Put the waiting trigger messages."""
        self.write_pending()
        return None

    def write_pending(self) -> None:
        """Put the trigger messages that are due, and switch TRIGGER off after DEPTH triggers."""
        with self._writing:
            if not self._triggers.due and not self._triggers.spent:
                return
            connection = self._connect(APPLICATION)
            try:
                while self._triggers.due:
                    self._put(connection, self._triggers.due.popleft())
                self._switch_off()
            finally:
                connection.disconnect()

    def _switch_off(self) -> None:
        spent = self._triggers.next_spent()
        try:
            self._administration.switch_off_triggers()
        except Broken:
            raise
        except MQError as error:
            self._notices.tell("CSQM912W", (error.reason,), (error.name, spent.name if spent is not None else ""))

    def _put(self, connection: LocalConnection, queue: Queue) -> None:
        engine = connection.engine
        if queue.deleted:
            return
        try:
            reason = engine.run(lambda: put_trigger_message(engine, queue, None))
        except Broken:
            raise
        except MQError as error:
            reason = error.reason
        if reason:
            self._bury(connection, queue, reason)

    def _bury(self, connection: LocalConnection, queue: Queue, reason: int) -> None:
        engine = connection.engine
        own = engine.catalogue.records.get(("QMGR", engine.name))
        dead = "" if own is None else str(own.values["DEADQ"])
        initiation = str(queue.definition["INITQ"])
        said = "no dead-letter queue is named"
        if dead:
            descriptor = trigger_descriptor(engine, MQPRI_PRIORITY_AS_Q_DEF, MQPER_PERSISTENCE_AS_Q_DEF)
            name = descriptor.put_application_name
            header = DeadLetterHeader(
                reason,
                initiation.encode(),
                engine.name.encode(),
                MQENC_NATIVE,
                engine.ccsid,
                MQFMT_TRIGGER,
                MQAT_QMGR,
                name,
                descriptor.put_date,
                descriptor.put_time,
            )
            descriptor.format = MQFMT_DEAD_LETTER_HEADER
            data = encode(header) + self._triggers.message(queue)
            try:
                connection.put1(dead, descriptor, data, MQPMO_NO_SYNCPOINT | MQPMO_SET_ALL_CONTEXT)
                said = f"it is on {dead}"
            except Broken:
                raise
            except MQError as error:
                said = f"{dead} did not take it: {error.name}"
        self._notices.tell("CSQM911W", (reason,), (queue.name, initiation, reason_name(reason), said))
