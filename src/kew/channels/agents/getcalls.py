"""Gets of one conversation: requests to be sent messages (REQUEST_MSGS) and calls (MQGET).

A get is carried out at once, or it waits on its queue and is served by the thread that makes a message available. With
read-ahead the get continues while the client's window is open. The client itself measures the wait interval of a
REQUEST_MSGS: at its end the client sends a last request that asks for confirmation. If a message is then on its way to
the client, as the last index in that request shows, no further message is got.

A client that does not read gets no messages: a get that finds the socket congested waits until there is room.
"""

from functools import partial
from typing import Final

from kew.channels.agents.callqueue import CallQueue
from kew.channels.agents.getcall import GetCall, GetOwner
from kew.channels.agents.getmatch import MATCHES, PLACES, Tokens, has_token, placed, plain
from kew.channels.agents.readahead import ReadAhead
from kew.channels.protocol.delivery import (
    CONSUMER,
    Message,
    RequestMessages,
    Selection,
    get_failure,
    paused,
    queue_state_reply,
    status_of,
)
from kew.channels.protocol.descriptor import MD2_SIZE, from_canonical, to_canonical
from kew.channels.protocol.dialect import padded
from kew.channels.protocol.events import WARNING, Event
from kew.channels.protocol.messages import Get, get_reply
from kew.channels.protocol.options import GetOptions
from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_CONVERT,
    MQGMO_FAIL_IF_QUIESCING,
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_MSG_ID,
    MQWI_UNLIMITED,
)
from kew.codes.reasons import (
    MQRC_CALL_IN_PROGRESS,
    MQRC_CONNECTION_BROKEN,
    MQRC_GET_INHIBITED,
    MQRC_HOBJ_ERROR,
    MQRC_MATCH_OPTIONS_ERROR,
    MQRC_MSG_TOO_BIG_FOR_CHANNEL,
    MQRC_NO_MSG_AVAILABLE,
    MQRC_NONE,
    MQRC_SYNCPOINT_LIMIT_REACHED,
    MQRC_TRUNCATED_MSG_FAILED,
    MQRC_WAIT_INTERVAL_ERROR,
)
from kew.formats.mqmd import decode_stored
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.connections.logicalorder import group_status, segment_status, segmentation
from kew.mqi.engine import settle
from kew.mqi.gets import get as getting
from kew.mqi.gets.browsemarks import seconds_hidden
from kew.mqi.gets.conversion import convert_got
from kew.mqi.gets.request import SYNCPOINT, GetRequest, Got
from kew.mqi.gets.reservations import ReservedMessagesTaken, release
from kew.storage.log import LogError
from kew.storage.log.ticket import Ticket
from kew.storage.stall import GiveWay, Stall

_IN_A_ROW: Final = 32  # messages read ahead before other sockets have their turn
_BARRED: Final = 0.5  # seconds between two checks whether gets are allowed again
_MOMENT: Final = 0.01  # seconds that a program needs to continue after the notification of no message
ONE_MESSAGE: Final = 1  # a window of as many bytes asks for one message


class GetCalls(GetOwner):
    """The gets of one conversation that are under way, one for each handle."""

    def __init__(self, call_queue: CallQueue, connection: Connection) -> None:
        self.call_queue = call_queue
        self.connection = connection
        self._resources = call_queue.resources
        self._stream = call_queue.stream
        self._lock = call_queue.resources.engine.lock
        self._active: dict[int, GetCall] = {}
        self._held: list[GetCall] = []  # until the client reads again
        self._missed = False  # a message was not taken because the client did not read
        self._sent = ReadAhead(call_queue)
        self._tokens = Tokens()
        self._conversation = 0  # by which the client knows it

    @property
    def waiting(self) -> bool:
        """Say whether a program waits in a get; a get that stays for later messages does not count."""
        return not all(get.idle for get in self._active.values())

    def congested(self) -> bool:
        """Say whether the client does not read; a get is then tried again only when the client reads."""
        if self._stream.congested:
            self._missed = True
            return True
        return False

    def served(self, get: GetCall) -> None:
        """Note that a get that waited has an outcome. From any thread, under the engine lock."""
        self._resources.loop.post(partial(self._resume, get))

    # Requests of clients.

    def ask(self, call: RequestMessages) -> None:
        """Begin the get of a REQUEST_MSGS, on a socket with shared conversations."""
        number = call.handle
        self._conversation = call.conversation_id
        standing = self._active.get(number)
        reserves = self._sent.reserves(call)
        ahead = call.requested_bytes > ONE_MESSAGE
        extended = self.call_queue.session.extended
        one_by_one = MQGMO_BROWSE_FIRST | (SYNCPOINT if extended else MQGMO_SYNCPOINT)
        streams = ahead and (reserves or not call.options & one_by_one)
        # Clients other than Kew's treat a window as open until it is used up, and wait for messages without asking.
        stays = ahead and not extended
        if standing is not None:
            if not (call.confirm or streams or stays or call.request_flags & CONSUMER):
                self.call_queue.say(get_failure(call, MQRC_CALL_IN_PROGRESS))
                return
            # The client's wait interval is over; or its window is open further, or its listener continues after a
            # reconnection, and the new request takes the place of the old one.
            self._withdraw(standing)
        if call.confirm and not streams and self._sent.is_under_way(call):
            self.call_queue.say(queue_state_reply(call))
            return
        handle = self.connection.handles.get(number)
        if handle is None:
            self.call_queue.session.forget_delivery(call.conversation_id, number)
            self._refuse(call, MQRC_HOBJ_ERROR, call.confirm)
            return
        handle.reads_ahead = ahead
        selection = call.selection if call.selection is not None else Selection()
        match = self._tokens.selected(
            number,
            selection.match_options,
            selection.message_id,
            selection.correlation_id,
            selection.group_id,
            selection.token,
        )
        match = placed(match, selection.match_options, selection.sequence_number, selection.offset)
        waits = stays or (not call.confirm and (call.options & MQGMO_WAIT != 0 or call.request_flags & CONSUMER != 0))
        if call.options & MQGMO_WAIT and call.wait_interval < 0 and call.wait_interval != MQWI_UNLIMITED:
            self._refuse(call, MQRC_WAIT_INTERVAL_ERROR, call.confirm)
            return
        if selection.match_options & ~MATCHES:
            self._refuse(call, MQRC_MATCH_OPTIONS_ERROR, call.confirm)
            return
        request = GetRequest(self.connection, handle, plain(call.options), match, self._room(call.max_length))
        request.memory = self._stream.share
        request.extends = selection.descriptor_version == 1
        request.reserves = reserves
        get = GetCall(self, call, number, request, waits)
        if call.options & MQGMO_CONVERT:
            get.converts_to(selection.ccsid, selection.encoding)
        get.streams = streams
        get.confirms = call.confirm
        if streams or stays:
            get.needed = self._sent.is_needed(call)
        if stays and self._sent.has_crossed(call, selection):
            get.under_way = 1
        self._active[number] = get
        self._carry_out(get)

    def get(self, call: Get) -> None:
        """Begin the get of an MQGET, on a socket without shared conversations."""
        number = call.handle
        handle = self.connection.handles.get(number)
        options = call.options.options
        reason = MQRC_NONE
        if handle is None:
            reason = MQRC_HOBJ_ERROR
        elif number in self._active:
            reason = MQRC_CALL_IN_PROGRESS
        elif call.options.match_options & ~MATCHES:
            reason = MQRC_MATCH_OPTIONS_ERROR
        wait = call.options.wait_interval
        if options & MQGMO_WAIT and wait < 0 and wait != MQWI_UNLIMITED:
            reason = MQRC_WAIT_INTERVAL_ERROR
        if handle is None or reason:
            self._refuse(call, reason)
            return
        dialect = call.dialect
        assert dialect is not None
        wanted = to_canonical(call.descriptor, dialect)
        matched = call.options.match_options if call.options.version >= 2 else MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID
        match = self._tokens.selected(
            number, matched, wanted[48:72], wanted[72:96], wanted[324:348], call.options.message_token
        )
        if matched & PLACES:
            asked = decode_stored(wanted, 0)
            match = placed(match, matched, asked.sequence_number, asked.offset)
        room = min(call.buffer_length, self._room(-1))
        request = GetRequest(self.connection, handle, options & ~MQGMO_CONVERT, match, room)
        request.memory = self._stream.share
        request.extends = len(call.descriptor) != MD2_SIZE
        get = GetCall(self, call, number, request, options & MQGMO_WAIT != 0)
        if options & MQGMO_CONVERT:
            asked = decode_stored(wanted, 0)
            get.converts_to(asked.ccsid, asked.encoding)
        if get.waits and wait >= 0:
            get.timer = self._resources.loop.later(wait / 1000.0, partial(self._expired, get))
        self._active[number] = get
        self._carry_out(get)

    def _room(self, asked: int) -> int:
        most = self.call_queue.session.max_message
        return most if asked < 0 else min(asked, most)

    # Carrying out a get.

    def _carry_out(self, get: GetCall) -> None:
        """Carry a get out as long as there are messages, and room to send them."""
        for _turn in range(_IN_A_ROW):
            if get.over:
                return
            if self.congested():
                self._held.append(get)
                return
            try:
                with self._lock:
                    get.request.ahead = get.is_ahead()
                    got = getting.get(get.request)
                    if got is None and get.waits and not get.request.held_back:
                        self._wait_on_queue(get)
            except Stall as stall:
                slowly, then = partial(self._get_slowly, get), partial(self._got_slowly, get)
                self.call_queue.stalled(stall, partial(self._carry_out, get), slowly, then)
                return
            except MQError as error:
                self._fail(get, error.reason)
                return
            except LogError:
                self._fail(get, MQRC_CONNECTION_BROKEN)
                return
            if got is None:
                if get.request.held_back:
                    self._hold_back(get)
                else:
                    self._found_none(get)
                return
            if not self._send(get, got):
                return
        self._resources.loop.post(partial(self._carry_out, get))

    def _wait_on_queue(self, get: GetCall) -> None:
        """Register a get as a waiter on its queue, under the same hold of the lock in which no message was found."""
        queue = get.request.handle.queue
        assert queue is not None
        queue.waiters.add(get)
        request = get.request
        hidden = seconds_hidden(self._resources.engine, request.handle, queue, request.options)
        if hidden >= 0:
            self._resources.loop.post(partial(self._look_later, get, hidden))

    def _look_later(self, get: GetCall, seconds: float) -> None:
        """Schedule another try of a waiting browse for the time when a browse mark expires."""
        self._resources.loop.later(seconds, partial(self._look_again, get))

    def _look_again(self, get: GetCall) -> None:
        """Try a waiting browse again: a browse mark has expired."""
        if not get.over and self._leave_queue(get):
            self._carry_out(get)

    def _get_slowly(self, get: GetCall) -> None:
        """Carry a get out in a worker, which may wait for pages.

        A search continues in the loop once its pages are in memory: a worker that searches would hold the interpreter
        lock for milliseconds, for which the loop would wait.
        """
        request = get.request
        engine = self._resources.engine
        try:
            while not self.call_queue.over:
                try:
                    with self._lock:
                        got = getting.get(request)
                        if got is not None:
                            get.taken = got
                        elif get.waits and not request.held_back and not self.call_queue.over:
                            self._wait_on_queue(get)
                    return
                except Stall as stall:
                    if isinstance(stall, (GiveWay, Ticket)):
                        get.stall = stall
                        return
                    waiting = stall
                settle(engine, request.handle.queue, waiting)
                if request.match is not None and request.long is None:
                    get.stall = GiveWay("the pages of a search are there")
                    return
            engine.run(lambda: getting.abandon_get(request))  # no program would have the message
        except BaseException:
            if request.long is not None or request.seek is not None:  # the get failed half-way, with messages locked
                engine.run(lambda: getting.abandon_get(request))
            raise

    def _got_slowly(self, get: GetCall, reason: int) -> None:
        if reason:
            self._fail(get, reason)
        elif get.stall is not None:
            stall, get.stall = get.stall, None
            slowly, then = partial(self._get_slowly, get), partial(self._got_slowly, get)
            self.call_queue.stalled(stall, partial(self._carry_out, get), slowly, then)
        elif get.taken is not None:
            self._resume(get)
        elif get.request.held_back:
            self._hold_back(get)
        else:
            self._found_none(get)

    def _found_none(self, get: GetCall) -> None:
        """End a get that found no message, or let it stay for later ones; notify the client if it asked for that."""
        call = get.call
        if not get.waits:
            self._end(get, MQRC_NO_MSG_AVAILABLE)
        elif get.confirms and isinstance(call, RequestMessages):
            get.idle = True
            get.confirms = get.needed = False
            if not get.under_way:
                self._sent.told_empty(get.number)
                getting.found_nothing(get.request)
            self.call_queue.say(queue_state_reply(call))

    def _resume(self, get: GetCall) -> None:
        """Continue a get that waited and now has an outcome."""
        taken = get.taken
        get.taken = None
        if get.over and taken is None:
            return
        if taken is not None:
            if self._send(get, taken):
                self._carry_out(get)
        elif get.again:
            get.again = False
            self.call_queue.slowly(partial(self._get_slowly, get), partial(self._got_slowly, get))
        elif get.reason:
            self._fail(get, get.reason)
        elif get.request.held_back:
            self._hold_back(get)

    def _hold_back(self, get: GetCall) -> None:
        """End a get whose next message the program has not asked for; the client asks again when its program gets.

        Kew's client asks again by itself once its program has had the messages on their way. Another client asks again
        after a pause notification, if its program waits or its wait is about to end. A get whose client was notified
        that there is no message is paused at once, any other after a moment.
        """
        call = get.call
        if get.over or not isinstance(call, RequestMessages):
            return
        if get.confirms or self.call_queue.session.extended:
            self._over(get)
            self.call_queue.say(queue_state_reply(call) if get.confirms else paused(call))
        elif get.under_way:
            self._over(get)
        elif get.idle:
            self._pause(get, call)
        else:
            get.timer = self._resources.loop.later(_MOMENT, partial(self._pause, get, call))

    def _pause(self, get: GetCall, call: RequestMessages) -> None:
        if not get.over:
            self._over(get)
            self.call_queue.say(paused(call))

    def _send(self, get: GetCall, taken: Got) -> bool:
        """Send a message; say whether the get continues with another."""
        goes_on = self._sent_on(get, taken)
        get.request.leave_room()  # the reply has it in the stream
        return goes_on

    def _sent_on(self, get: GetCall, taken: Got) -> bool:
        call = get.call
        if taken.reason == MQRC_TRUNCATED_MSG_FAILED and taken.length > self.call_queue.session.max_message:
            self._fail(get, MQRC_MSG_TOO_BIG_FOR_CHANNEL)
            return False
        if get.converts:
            convert_got(taken, get.ccsid, get.encoding, get.request.buffer_length, get.request.options)
        if isinstance(call, RequestMessages):
            get.under_way += 1
            self._sent.add(call)
            self._send_message(get, call, taken)
            if get.streams and not get.over and taken.reason != MQRC_TRUNCATED_MSG_FAILED:
                delivery = self.call_queue.session.delivery(call.conversation_id, call.handle)
                if delivery is not None and delivery.outstanding + self.call_queue.parked_size < delivery.window:
                    return True
        elif isinstance(call, Get):
            self._reply(get, call, taken)
        self._end(get, MQRC_NONE)
        return False

    def _send_message(self, get: GetCall, call: RequestMessages, taken: Got) -> None:
        version = 1 if get.request.extends else 2
        descriptor = from_canonical(taken.canonical(), self.call_queue.session.dialect, version)
        message = Message(call.handle, descriptor, taken.data)
        message.conversation_id = call.conversation_id
        message.epoch = call.epoch
        message.total_length = taken.length
        message.status = status_of(taken.canonical())
        message.resolved_name = get.request.handle.name.encode()
        message.reason = taken.reason
        if has_token(taken):
            message.token = self._tokens.of(get.number, taken)
        self.call_queue.say(message, taken.address)

    def _reply(self, get: GetCall, call: Get, taken: Got) -> None:
        dialect = call.dialect
        assert dialect is not None
        version = 2 if len(call.descriptor) == MD2_SIZE else 1
        call.descriptor = from_canonical(taken.canonical(), dialect, version)
        call.options.resolved_queue = padded(get.request.handle.name, 48)
        _tell_group(call.options, decode_stored(taken.canonical(), 0).message_flags)
        if has_token(taken):
            call.options.message_token = self._tokens.of(get.number, taken)
        reply = get_reply(call, taken.length, taken.data)
        if taken.reason:
            reply.fail(taken.reason, WARNING)
        self.call_queue.say(reply, taken.address)

    def _fail(self, get: GetCall, reason: int) -> None:
        get.request.leave_room()
        if get.over:
            return
        self._over(get)
        call = get.call
        if reason == MQRC_SYNCPOINT_LIMIT_REACHED and self.connection.reserved and isinstance(call, RequestMessages):
            self.call_queue.say(paused(call))  # no more before the program has had the messages on their way
        else:
            self._refuse(call, reason, get.confirms)
            if reason == MQRC_GET_INHIBITED and _listens(call) and not self.call_queue.session.extended:
                self._resources.loop.later(_BARRED, partial(self._try_barred, get))

    def _try_barred(self, get: GetCall) -> None:
        """Begin a listener's get again once queue and alias allow gets, since its client does not ask again."""
        handle, call = get.request.handle, get.call
        queue = handle.queue
        if self.connection.handles.get(get.number) is not handle or queue is None or get.number in self._active:
            return  # closed, or asked for after all
        if self.call_queue.over or not isinstance(call, RequestMessages):
            return
        if queue.get_allowed and handle.get_allowed_by_alias:
            self.ask(call)
        else:
            self._resources.loop.later(_BARRED, partial(self._try_barred, get))

    def _refuse(self, call: Event, reason: int, confirms: bool = False) -> None:
        if isinstance(call, RequestMessages):
            self.call_queue.say(get_failure(call, reason))
            if confirms:
                self.call_queue.say(queue_state_reply(call))
        elif isinstance(call, Get):
            reply = get_reply(call, 0, b"")
            reply.fail(reason)
            self.call_queue.say(reply)

    def _end(self, get: GetCall, reason: int) -> None:
        """End a get, with or without a message. A REQUEST_MSGS is answered only if it asked for confirmation."""
        if get.over:
            return
        self._over(get)
        if reason:
            getting.found_nothing(get.request)
        call = get.call
        if isinstance(call, RequestMessages):
            if get.confirms:
                self.call_queue.say(queue_state_reply(call))
        elif reason:
            self._refuse(call, reason)

    def _over(self, get: GetCall) -> None:
        get.over = True
        if get.taken is None:
            get.request.leave_room()
        if get.timer is not None:
            get.timer.cancelled = True
        if self._active.get(get.number) is get:
            del self._active[get.number]

    def _expired(self, get: GetCall) -> None:
        if not get.over and self._leave_queue(get):
            self._end(get, MQRC_NO_MSG_AVAILABLE)

    def _leave_queue(self, get: GetCall) -> bool:
        """Remove a get from the waiters of its queue; say whether the get was waiting."""
        queue = get.request.handle.queue
        if queue is None:
            return False
        with self._lock:
            return queue.waiters.remove(get)

    def _withdraw(self, get: GetCall) -> None:
        """End a get from this side. A message that the get has already taken still goes to the client."""
        self._leave_queue(get)
        if get in self._held:
            self._held.remove(get)
        get.confirms = False
        self._over(get)
        if get.taken is not None:
            self._resume(get)
        elif get.again:
            self._let_go(get)

    def _let_go(self, get: GetCall) -> None:
        """Give up a get that was to be tried again, and unlock its messages."""
        get.again = False
        abandon = partial(getting.abandon_get, get.request)
        try:
            with self._lock:
                abandon()
        except Stall:
            self.call_queue.slowly(partial(self._resources.engine.run, abandon), _nothing_more)
        except LogError:
            pass  # nothing is got any more

    # Messages sent ahead that are got in a unit of work.

    def consumed(self, number: int, count: int) -> None:
        """Get the first reserved messages of a handle in the unit of work, since the program has had them."""
        handle = self.connection.handles.get(number)
        if handle is None or not handle.reserved:
            return
        settling = ReservedMessagesTaken(self.connection, handle, count)
        try:
            with self._lock:
                settling.run()
        except Stall:
            run = partial(self._resources.engine.run, settling.run)
            self.call_queue.slowly(run, partial(self._settled, settling))
        except MQError as error:
            self._settled(settling, error.reason)
        except LogError:
            self._settled(settling, MQRC_CONNECTION_BROKEN)

    def released(self, number: int) -> None:
        """Release the reservations of a handle: its program will not get these messages."""
        handle = self.connection.handles.get(number)
        if handle is None:
            return
        get = self._active.get(number)
        if get is not None and get.request.reserves:
            self._withdraw(get)
        self._begin_anew(number)
        let_go = partial(release, self.connection, handle)
        self.call_queue.slowly(partial(self._resources.engine.run, let_go), _nothing_more)

    def _settled(self, settling: ReservedMessagesTaken, reason: int) -> None:
        """Back the unit of work out if it could not take messages that the program has had."""
        if reason and reason != MQRC_CONNECTION_BROKEN:
            self.stop_reserving()
            self.call_queue.slowly(partial(self._resources.engine.run, settling.fail), _nothing_more)

    def stop_reserving(self) -> None:
        """Send no more messages ahead: the reservations are about to be released, and the client asks again."""
        for get in list(self._active.values()):
            if get.request.reserves:
                self._withdraw(get)
        for number, handle in self.connection.handles.items():
            if handle.reserved is not None:
                self._begin_anew(number)

    def _begin_anew(self, number: int) -> None:
        """Forget that messages of a handle are on their way: the client discards them."""
        self._sent.begin_anew(number)
        self.call_queue.session.reopen_delivery(self._conversation, number)

    # Handles that close, and the end.

    def closing(self, handle: Handle) -> None:
        """End the get of a handle that is about to be closed."""
        get = self._active.get(handle.number)
        if get is not None:
            self._withdraw(get)
        self._sent.forget(handle.number)
        self._tokens.forget(handle.number)

    def end(self) -> None:
        """End all gets: the conversation is over."""
        for get in list(self._active.values()):
            self._withdraw(get)

    def quiesce(self, reason: int) -> None:
        """End the gets with FAIL_IF_QUIESCING: the queue manager, or the channel, is about to end."""
        for get in list(self._active.values()):
            if get.request.options & MQGMO_FAIL_IF_QUIESCING and self._leave_queue(get):
                self._fail(get, reason)

    def cancel(self, reason: int) -> None:
        """End the gets that a program waits in: another of its threads closes the handle."""
        for get in list(self._active.values()):
            if not get.idle and not _listens(get.call) and self._leave_queue(get):
                self._fail(get, reason)

    def resume(self) -> None:
        """Continue the gets that were held back while the client did not read."""
        held, self._held = self._held, []
        if self._missed:
            self._missed = False
            for get in list(self._active.values()):
                if get not in held and self._leave_queue(get):
                    held.append(get)
        for get in held:
            self._carry_out(get)


def _nothing_more(_reason: int) -> None:
    """Do nothing: the program learns of a failure at the end of its unit of work."""


def _listens(call: Event) -> bool:
    """Say whether a get serves asynchronous consumption (MQCB), for which it stays after each message."""
    return isinstance(call, RequestMessages) and call.request_flags & CONSUMER != 0


def _tell_group(options: GetOptions, flags: int) -> None:
    options.group_status = bytes([group_status(flags)])
    options.segment_status = bytes([segment_status(flags)])
    options.segmentation = bytes([segmentation(flags)])
