"""Messages that were sent to a client and may not have reached its program yet, and whether the program waits.

A message that is sent before the program asks for it is lost if the program never asks. So a message that is
persistent, or got in a unit of work, is sent only where the program waits; a reserved or browsed message stays on its
queue and cannot be lost. Kew's own clients say whether a program waits. For other clients the agent infers that for
each handle from the last message and notification sent, which this module keeps.
"""

from kew.channels.agents.callqueue import CallQueue
from kew.channels.protocol.delivery import NEEDED, RESERVE, RequestMessages, Selection
from kew.codes.options import MQGMO_MSG_UNDER_CURSOR, MQGMO_SYNCPOINT
from kew.mqi.gets.groups import GROUPING
from kew.mqi.gets.request import BROWSE


class Sent:
    """The last message and the last notification sent to a client for one of its handles."""

    def __init__(self) -> None:
        self.index = 0  # index of the last message, among all of the conversation
        self.selection = -1  # the index of its selection
        self.told_empty = False  # the last request did not wait, and there was no message


class ReadAhead:
    """The messages that were sent to a conversation, by handle."""

    def __init__(self, call_queue: CallQueue) -> None:
        self._call_queue = call_queue
        self._count = 0
        self._handles: dict[int, Sent] = {}

    def _of(self, number: int) -> Sent:
        sent = self._handles.get(number)
        if sent is None:
            sent = self._handles[number] = Sent()
        return sent

    def add(self, call: RequestMessages) -> None:
        """Note a message that is sent now."""
        self._count += 1
        sent = self._of(call.handle)
        sent.index = self._count
        if call.selection is not None:
            sent.selection = call.selection.index

    def told_empty(self, number: int) -> None:
        """Note that the client is notified that there is no message."""
        self._of(number).told_empty = True

    def begin_anew(self, number: int) -> None:
        """Forget the messages of a handle that are on their way, since the client discards them."""
        sent = self._handles.get(number)
        if sent is not None:
            sent.index = 0

    def forget(self, number: int) -> None:
        """Forget a handle that is closed."""
        self._handles.pop(number, None)

    def is_under_way(self, call: RequestMessages) -> bool:
        """Say whether a message was on its way to the client when the client sent a request."""
        sent = self._handles.get(call.handle)
        return sent is not None and call.last_index < sent.index

    def has_crossed(self, call: RequestMessages, selection: Selection) -> bool:
        """Say whether a message on its way when the client sent a request is one that the request asks for."""
        return self.is_under_way(call) and self._handles[call.handle].selection == selection.index

    def is_needed(self, call: RequestMessages) -> bool:
        """Say whether a program waits for the first message.

        After the notification that there is no message, a client other than Kew's may ask again only to open its
        window, while no program waits.
        """
        if self._call_queue.session.extended:
            return call.request_flags & NEEDED != 0
        sent = self._of(call.handle)
        told = sent.told_empty
        sent.told_empty = False
        return call.confirm or not told

    def reserves(self, call: RequestMessages) -> bool:
        """Say whether a request is for messages that are sent ahead and got in the program's unit of work."""
        options = call.options
        return (
            call.request_flags & RESERVE != 0
            and self._call_queue.session.extended
            and options & MQGMO_SYNCPOINT != 0
            and not options & (BROWSE | GROUPING | MQGMO_MSG_UNDER_CURSOR)
        )
