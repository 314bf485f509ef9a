"""What was sent to a client that its program may not have had yet, and whether a program waits for what comes next.

A message that is sent before the program asked for it is lost if the program does not come for it. So what is
persistent, or goes into a unit of work, is sent only where the program waits; what is reserved or browsed stays on its
queue and cannot be lost. Kew's own clients say whether a program waits. Others leave it to be inferred from what they
were sent and told last, handle by handle, which is kept here.
"""

from kew.channels.agents.callqueue import CallQueue
from kew.channels.protocol.delivery import NEEDED, RESERVE, RequestMessages, Selection
from kew.codes.options import MQGMO_MSG_UNDER_CURSOR, MQGMO_SYNCPOINT
from kew.mqi.gets.groups import GROUPING
from kew.mqi.gets.request import BROWSE


class Sent:
    """What a client was sent and told last for one of its handles."""

    def __init__(self) -> None:
        self.index = 0  # of the last message, among all that the conversation was sent
        self.selection = -1  # the number of the selection that it was sent for
        self.told_empty = False  # the last request was for what is there now, and there was nothing


class ReadAhead:
    """What a conversation was sent."""

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
        """Take note of a message that is sent now."""
        self._count += 1
        sent = self._of(call.handle)
        sent.index = self._count
        if call.selection is not None:
            sent.selection = call.selection.index

    def told_empty(self, number: int) -> None:
        """Take note that the client is told of nothing."""
        self._of(number).told_empty = True

    def begin_anew(self, number: int) -> None:
        """Take back that messages of a handle are on their way: the client forgets them."""
        sent = self._handles.get(number)
        if sent is not None:
            sent.index = 0

    def forget(self, number: int) -> None:
        """Forget a handle that is closed."""
        self._handles.pop(number, None)

    def is_under_way(self, call: RequestMessages) -> bool:
        """Say whether a message was on its way to the client when it asked for one."""
        sent = self._handles.get(call.handle)
        return sent is not None and call.last_index < sent.index

    def has_crossed(self, call: RequestMessages, selection: Selection) -> bool:
        """Say whether it was what the client asks for."""
        return self.is_under_way(call) and self._handles[call.handle].selection == selection.index

    def is_needed(self, call: RequestMessages) -> bool:
        """Say whether a program waits for the first message.

        A client that is not Kew's may ask again after it was told that there is nothing, for its window to be open,
        when its program has gone on.
        """
        if self._call_queue.session.extended:
            return call.request_flags & NEEDED != 0
        sent = self._of(call.handle)
        told = sent.told_empty
        sent.told_empty = False
        return call.confirm or not told

    def reserves(self, call: RequestMessages) -> bool:
        """Say whether messages are sent ahead that the program gets in its unit of work."""
        options = call.options
        return (
            call.request_flags & RESERVE != 0
            and self._call_queue.session.extended
            and options & MQGMO_SYNCPOINT != 0
            and not options & (BROWSE | GROUPING | MQGMO_MSG_UNDER_CURSOR)
        )
