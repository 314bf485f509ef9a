"""The agent of a server-connection channel: one socket, and the conversations on it.

    new socket --(channel named, or refused)--> negotiated --(MQCONN: admitted, with a place, or refused)--> connected
    any state --(the socket ends, the protocol is broken, time is up, STOP CHANNEL)--> gone

A program on this machine uses a socket in the file system; such a socket has no channel, and the operating system gives
the program's user.
"""

import socket
import time
from abc import abstractmethod
from functools import partial
from typing import Final

from kew.channels.agents.channels import Channel, Channels
from kew.channels.agents.pendingconnections import network_of
from kew.channels.agents.resources import AgentResources
from kew.channels.agents.serverconversation import ConversationSocket, ServerConversation
from kew.channels.control import ChannelState
from kew.channels.protocol.dialect import name
from kew.channels.protocol.events import Event
from kew.channels.protocol.lifecycle import (
    ChannelEnded,
    ChannelRequested,
    ChannelStarted,
    ConversationEnded,
    ConversationStarted,
    Failed,
    TimedOut,
)
from kew.channels.protocol.negotiate import MQREQUEST, REQUEST_INITIATION, InitialData
from kew.channels.protocol.server import ServerSession
from kew.channels.protocol.status import QUEUE_MANAGER_TERMINATING, TIMEOUT_EXPIRED
from kew.channels.transport.memory import SMALL, MemoryBudget, Share
from kew.channels.transport.tcp import Stream
from kew.codes.channels import MQKAI_AUTO
from kew.codes.reasons import (
    MQRC_Q_MGR_QUIESCING,
)

MOST_UNREAD: Final = 1 << 15  # bytes unread by a pending connection, which has asked for little so far
LAST_WORDS: Final = 10.0  # seconds in which the other side must read the last bytes


class AgentShare(Share):
    """The share of an agent's socket in the memory of all sockets."""

    def __init__(self, budget: MemoryBudget, agent: "Agent") -> None:
        super().__init__(budget, network_of(agent.address))
        self._agent = agent

    def stalled(self, seconds: float) -> None:
        """End the socket."""
        self._agent.hold_no_longer(self.held, seconds)

    def kept(self) -> bool:
        """Say whether the queue manager itself keeps the socket from transferring bytes."""
        stream = self._agent.stream
        return stream.barred or (not stream.reading and not self.unread)


class Registry:
    """Keeps the agents of a queue manager."""

    @abstractmethod
    def gone(self, agent: "Agent") -> None:
        """Remove an agent that has ended."""

    @abstractmethod
    def stepped(self, agent: "Agent") -> None:
        """Note that a pending connection has made progress."""

    @abstractmethod
    def asked(self, agent: "Agent") -> None:
        """Note that a pending connection waits for admission."""

    @abstractmethod
    def answered(self, agent: "Agent") -> None:
        """Note that a pending connection was refused, and may try again."""

    @abstractmethod
    def welcomed(self, agent: "Agent") -> None:
        """Note that an agent is no longer pending."""

    @abstractmethod
    def defines(self, agent: "Agent", channel: str, client: bool) -> bool:
        """Have an undefined channel defined that a partner names; say whether the agent is to wait for that."""

    @abstractmethod
    def message_channel(self, agent: "Agent", offer: InitialData, opening: bytes) -> int:
        """Pass an agent's socket, with the bytes received, to a message channel; gives the status code of a refusal."""


class Agent(ConversationSocket):
    """The agent of one socket."""

    def __init__(
        self,
        resources: AgentResources,
        channels: Channels,
        registry: Registry,
        stream: Stream,
        address: str,
        local_user: str,
    ) -> None:
        super().__init__(resources, ServerSession(), stream, address, local_user)
        self.channel: Channel | None = None
        self.started = time.time()
        self.calls = 0
        self.last_call = 0.0  # when, in the loop's time
        self.stopping = False
        self.admitted = False  # a conversation is or was admitted; before that the socket is pending, and has no place
        self._steps = 0  # steps taken toward being admitted
        self.reads = 0
        self.callers: dict[int, ServerConversation] = {}
        self._channels = channels
        self._registry = registry
        self._over = False
        self._defined = False  # the channel was looked at for automatic definition
        self._ending = 0.0  # when it began to send its last bytes
        stream.share = self._share = AgentShare(resources.memory, self)
        self._room = self._share.room()  # of calls that have begun to come
        # Bytes that came before a channel was named, for a message channel to read again.
        self._opening: list[bytes] = []
        stream.open(self)

    # Bytes.

    def received(self, data: bytes) -> None:
        """Act on the bytes that were received from the socket."""
        self.reads += 1
        if not self.admitted:
            self._step(1)  # its TLS is done, or it has none
            if self.session.offer is None:
                self._opening.append(data)
        for event in self.session.receive(data):
            self._event(event)
        if self._over:
            return
        if self.session.incoming > SMALL or self._room.size:
            self._take_room(len(data))
        said = self.session.take_output()
        if said:
            self.stream.write(said)
        if not self.admitted and self.stream.pending > MOST_UNREAD:
            self.end()
        elif self.stream.congested:
            self.stream.pause()

    def _take_room(self, size: int) -> None:
        """Reserve memory for incomplete calls, now that so many bytes have come; without memory, stop reading."""
        incoming = self.session.incoming
        share = self._share
        share.expect(incoming > 0, share.unread, self.resources.loop.now)
        share.move(size, self.resources.loop.now)
        self.stream.bulk = share.unsent or share.unread
        if incoming <= self._room.size:
            self.rested()
        elif not self._room.ask(incoming, partial(self.resources.loop.post, self._has_room)):
            self.stream.bar()

    def _has_room(self) -> None:
        """Read again: there is memory for the call."""
        share = self._share
        share.expect(False, share.unread, 0.0)
        share.expect(self.session.incoming > 0, share.unread, self.resources.loop.now)
        self.stream.admit()

    def rested(self) -> None:
        """Return the memory of calls that are done."""
        if self._room.size and not any(caller.busy for caller in self.callers.values()):
            self._room.give_back(self.session.incoming)

    def hold_no_longer(self, size: int, seconds: float) -> None:
        """End the socket, which holds memory and transfers nothing."""
        self._channels.held_up(self.channel_name, self.address or "this machine", size, int(seconds))
        self.end()

    def relieved(self) -> None:
        """Continue: the other side reads again."""
        self.stream.resume()
        for caller in list(self.callers.values()):
            if caller.program is not None:
                caller.program.gets.resume()

    def lost(self, why: str) -> None:
        """End: the socket is closed."""
        if self.stream.shaking_hands:
            self._channels.failed_handshake(self.address, why)
        elif self.channel is not None and self._connections():
            self._channels.vanished(self.channel_name, self.address)
        self.end()

    def _connections(self) -> int:
        """Give the number of programs that are connected by this socket."""
        return len([caller for caller in self.callers.values() if caller.program is not None])

    def tick(self, now: float) -> None:
        """Check the time limits of the socket."""
        if self._ending:
            if now - self._ending >= LAST_WORDS:
                self.stream.close()
                self.end()
            return
        if not self.stream.barred:  # its signs of life are not read
            for event in self.session.tick(now):
                self._event(event)
        said = self.session.take_output()
        if said:
            self.stream.write(said)
        channel = self.channel
        if channel is not None and channel.idle_limit and self.last_call:
            waiting = [caller for caller in self.callers.values() if caller.busy or _waits(caller)]
            if not waiting and now - self.last_call >= channel.idle_limit:
                self.dismiss(TIMEOUT_EXPIRED)

    # Events.

    def _event(self, event: Event) -> None:
        if event.kind:
            caller = self.callers.get(event.conversation_id)
            if caller is None:
                return
            if caller.program is None and caller.introduce(event):
                return
            self.calls += 1
            self.last_call = self.resources.loop.now
            caller.take(event)
        elif isinstance(event, ChannelRequested):
            self._step(2)
            self._requested(event.offer)
        elif isinstance(event, ChannelStarted):
            self._step(3)
            if self.channel is not None and self._channels.keep_alive:
                self.stream.keep_alive(self.channel.probes_after(self.session.heartbeat))
            self.callers[1] = ServerConversation(self, 1)
        elif isinstance(event, ConversationStarted):
            self.callers[event.conversation_id] = ServerConversation(self, event.conversation_id)
        elif isinstance(event, ConversationEnded):
            caller = self.callers.pop(event.conversation_id, None)
            if caller is not None:
                caller.end()
        elif isinstance(event, Failed):
            self._channels.spoke_wrongly(self.channel_name, self.address or "this machine", str(event.error))
            self.stream.write(self.session.take_output())
            self._finish()
        elif isinstance(event, TimedOut):
            if self._connections():
                self._channels.fell_silent(self.channel_name, self.address or "this machine", event.what)
            self._finish()
        elif isinstance(event, ChannelEnded):
            self._finish()

    def begin(self) -> None:
        """Continue with the partner's offer, after an attempt to define the channel."""
        offer = self.session.offer
        if offer is not None and not self._over and not self._ending:
            self._requested(offer)

    def _requested(self, offer: InitialData) -> None:
        self.process = offer.process_id
        asked = name(offer.channel_name)
        if not self.local_user and not self._defined and not offer.capabilities1 & REQUEST_INITIATION:
            self._defined = True
            if self._registry.defines(self, asked, offer.capabilities1 & MQREQUEST != 0):
                return
        opening, self._opening = b"".join(self._opening), []
        if not self.local_user and not offer.capabilities1 & MQREQUEST:
            refusal = self._registry.message_channel(self, offer, opening)
            if refusal:
                self.dismiss(refusal)
            else:
                self._over = True  # the socket has another owner
                self._share.close()
                self.stream.share = None
                self.session.let_go()
                self._registry.gone(self)
            return
        if self.local_user:
            terms = self._channels.local_terms()
        else:
            channel, refusal = self._channels.ask_for(asked, self.address)
            if channel is None:
                self.dismiss(refusal)
                return
            self.channel = channel
            self.channel_name = asked
            self._trace("started", "")
            secured = self.stream.secured
            refusal = self._channels.refusal(channel, self.address, secured)
            if refusal:
                self.dismiss(refusal)
                return
            terms = self._channels.terms(channel, secured is not None)
        self.identifier = name(terms.queue_manager_id)
        said, events = self.session.accept(terms)
        self.stream.write(said)
        for event in events:
            self._event(event)

    # Being admitted.

    def _step(self, number: int) -> None:
        """Note progress toward admission; each kind of step counts once, since a client could repeat one for ever."""
        if number > self._steps:
            self._steps = number
            self._registry.stepped(self)

    def asked(self) -> None:
        """Note that a conversation of this socket waits for admission."""
        if not self.admitted:
            self._step(4)
            self._registry.asked(self)

    def answered(self) -> None:
        """Note that the request of a conversation for admission was answered."""
        if not self.admitted:
            self._registry.answered(self)

    def find_place(self) -> bool:
        """Count the socket on its channel once a conversation is admitted; at a limit the socket ends."""
        if not self.admitted:
            refusal = self._channels.enter(self.channel, self.address) if self.channel is not None else 0
            if refusal:
                self.dismiss(refusal)
                return False
            self.admitted = True
            self._registry.welcomed(self)
        return True

    def state(self) -> ChannelState:
        """The state of this channel instance."""
        session = self.session
        agreed = session.agreed
        offer = session.offer
        packing = session.packing
        secured = self.stream.secured
        renewals = self.stream.renewals
        callers = list(self.callers.values())
        first = callers[0] if callers else None
        return ChannelState(
            name=self.channel_name,
            address=self.address,
            local_address=_local_address(self.stream.endpoint),
            started=self.started,
            last_call=time.time() - (self.resources.loop.now - self.last_call) if self.last_call else 0.0,
            calls=self.calls,
            reads=self.reads,
            writes=self.stream.writes,
            bytes_received=session.bytes_received,
            bytes_sent=session.bytes_sent,
            heartbeat=session.heartbeat,
            max_message=session.max_message,
            conversations=len(callers),
            max_conversations=agreed.conversations if agreed is not None else 0,
            user=first.admitted if first is not None else "",
            application=first.application if first is not None else self.application,
            product=name(offer.product) if offer is not None else "",
            getting=any(_waits(caller) for caller in callers),
            stopping=self.stopping,
            binding=not self.admitted,
            header_compression=packing.header_method if packing is not None else 0,
            message_compression=packing.message_method if packing is not None else 0,
            saved=(packing.rate.recent_percent, packing.rate.percent) if packing is not None else (-1, -1),
            security=secured.version if secured is not None else "",
            cipher=secured.cipher if secured is not None else "",
            peer=secured.peer if secured is not None else "",
            issuer=secured.issuer if secured is not None else "",
            renewals=renewals.count if renewals is not None else 0,
            renewed=renewals.last if renewals is not None else 0.0,
            keep_alive=self.channel.keep_alive if self.channel is not None else MQKAI_AUTO,
        )

    # The end.

    def quiesce(self, reason: int = MQRC_Q_MGR_QUIESCING) -> None:
        """Notify all programs of the socket that the queue manager is about to end."""
        for number, caller in self.callers.items():
            if caller.program is not None:
                caller.program.quiesce(reason, number)

    def dismiss(self, code: int = QUEUE_MANAGER_TERMINATING) -> None:
        """End the channel from this side, with a status code."""
        if not self._over:
            self._trace("refused", f"status {code}")
            self.stream.write(self.session.refuse(code))
            self._finish()

    def _finish(self) -> None:
        """Send the remaining bytes, then end."""
        if not self._over and not self._ending:
            self._ending = self.resources.loop.now
            self._end_callers()
            self.stream.finish()

    def _trace(self, step: str, detail: str) -> None:
        table = self.resources.engine.channel_trace
        if table is not None:
            table.note(0, step, self.channel_name, f"{self.address or 'here'} {detail}".rstrip())

    def _end_callers(self) -> None:
        for caller in list(self.callers.values()):
            caller.end()
        self.callers.clear()

    def end(self) -> None:
        """End at once: units of work in flight are backed out."""
        if self._over:
            return
        self._over = True
        self._trace("ended", f"{self.calls} calls, {self.reads} reads")
        self.stream.close()
        self._end_callers()
        self.session.let_go()  # at once, and not when the collector of cycles comes by
        if self.admitted and self.channel is not None:
            self._channels.leave(self.channel.name, self.address)
        self._registry.gone(self)


def _local_address(endpoint: socket.socket) -> str:
    """Give this side's address and port; blank once the socket is closed."""
    try:
        found = endpoint.getsockname()
    except OSError:
        return ""
    return f"{found[0]}({found[1]})"


def _waits(caller: ServerConversation) -> bool:
    return caller.program is not None and caller.program.gets.waiting
