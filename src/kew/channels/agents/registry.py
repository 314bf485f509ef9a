"""All agents of a queue manager: new sockets, pending connections, and the state of each channel instance.

A flood costs bounded memory and time: pending connections, whose user is not yet authenticated, take no place of a
channel. Their number is limited; when another comes, `pendingconnections.py` says which one to drop. Each has ten
seconds.
"""

import contextlib
import os
import pwd
import resource
import socket
import ssl
import struct
import time
from functools import partial
from typing import Final

from kew.channels.agents.autodefinition import AutomaticDefinition
from kew.channels.agents.channels import Channels, Secure
from kew.channels.agents.messagechannels import MessageChannelAcceptor
from kew.channels.agents.pendingconnections import PendingConnections
from kew.channels.agents.resources import AgentResources
from kew.channels.agents.svrconn import Agent, Registry
from kew.channels.control import ChannelState
from kew.channels.protocol.dialect import name
from kew.channels.protocol.negotiate import REQUEST_INITIATION, InitialData
from kew.channels.protocol.status import QUEUE_MANAGER_TERMINATING, USER_CLOSED
from kew.channels.transport.memory import return_memory
from kew.channels.transport.tcp import Stream
from kew.codes.attributes import MQRQ_CHANNEL_STOPPED_DISABLED
from kew.codes.reasons import MQRC_CHANNEL_STOPPED_BY_USER, MQRC_CONNECTION_QUIESCING

MOST_PENDING: Final = 1000  # some 4 KB each before they send a byte, 10 once they have named a channel, 65 in TLS
DESCRIPTORS: Final = 4  # pending connections may take one in so many of the descriptors of the process
TICK: Final = 1.0
STOP_SECONDS: Final = 10.0  # seconds
_PEER: Final = struct.Struct("3i")


class Agents(Registry):
    """The agents of a queue manager. Everything here runs in the loop's thread."""

    def __init__(
        self,
        resources: AgentResources,
        channels: Channels,
        message_channels: MessageChannelAcceptor,
        definition: AutomaticDefinition | None = None,
    ) -> None:
        self.resources = resources
        self.channels = channels
        self._message_channels = message_channels
        self.all: dict[Agent, None] = {}
        self.pending: PendingConnections[Agent] = PendingConnections()
        self.tls: ssl.SSLContext | None = None  # None where the queue manager has no keys
        self.renew_after = 0  # bytes after which keys of TLS are renewed (SSLRKEYC); 0 for never
        descriptors, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.most_pending = min(MOST_PENDING, max(descriptors // DESCRIPTORS, 1))
        self.stop_seconds = STOP_SECONDS  # that programs have to disconnect after the notification
        self._closed = False
        self.definition = definition
        self.most_ended = 0  # instances that have ended and are kept for SMF records
        self._ended: list[tuple[ChannelState, float]] = []
        resources.loop.later(TICK, self._tick)

    def use_keys(self, tls: ssl.SSLContext | None, renew_after: int) -> None:
        """Use the queue manager's keys for new sockets; without a context new sockets have no TLS."""
        self.tls = tls
        self.renew_after = renew_after

    def keep_ended(self, most: int) -> None:
        """Keep the final state of up to so many instances that end; 0 keeps none."""
        self.most_ended = most

    # New sockets.

    def welcome(self, endpoint: socket.socket, address: str, _port: int) -> None:
        """Accept a socket from the network."""
        if self._closed or self.resources.doorkeeper.blocks(address):
            endpoint.close()
            return
        with contextlib.suppress(OSError):  # the client may have gone already, which the next read shows
            endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.channels.keep_alive:
                endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._take(endpoint, address, "")

    def welcome_local(self, endpoint: socket.socket, _address: str, _port: int) -> None:
        """Accept a socket of a program on this machine; the operating system gives its user."""
        _process, user, _group = _PEER.unpack(endpoint.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
        if self._closed or user not in (0, os.geteuid()):
            endpoint.close()
            return
        self._take(endpoint, "", _user_name(user))

    def _take(self, endpoint: socket.socket, address: str, local_user: str) -> None:
        if len(self.pending) >= self.most_pending:
            first = self.pending.first_to_go()
            self.channels.crowded_out(first.address or "this machine", self.most_pending)
            first.end()
        stream = Stream(self.resources.loop, endpoint, None if local_user else self.tls)
        stream.renew_after = 0 if local_user else self.renew_after
        agent = Agent(self.resources, self.channels, self, stream, address, local_user)
        self.all[agent] = None
        self.pending.add(agent, address)

    def stepped(self, agent: Agent) -> None:
        """Note that a pending connection has made progress."""
        self.pending.step(agent)

    def asked(self, agent: Agent) -> None:
        """Note that a pending connection waits for admission."""
        self.pending.ask(agent)

    def answered(self, agent: Agent) -> None:
        """Note that a pending connection was refused, and may try again."""
        self.pending.answer(agent)

    def welcomed(self, agent: Agent) -> None:
        """Note that an agent is no longer pending."""
        self.pending.remove(agent)

    def message_channel(self, agent: Agent, offer: InitialData, opening: bytes) -> int:
        """Pass an agent's socket, with the bytes received, to a message channel; gives the status code of a refusal."""
        record, refusal = self.channels.ask_for_message_channel(name(offer.channel_name), agent.address)
        if record is not None:
            agent.channel_name = record.name
            refusal = self.channels.refusal(Secure(record), agent.address, agent.stream.secured)
            if not refusal:
                requests = offer.capabilities1 & REQUEST_INITIATION != 0
                refusal = self._message_channels.accept_partner(record, agent.stream, agent.address, opening, requests)
        return refusal

    def defines(self, agent: Agent, channel: str, client: bool) -> bool:
        """Have an undefined channel defined that a partner names; say whether the agent is to wait for that."""
        definition = self.definition
        if definition is None or not definition.applies(channel):
            return False

        def define() -> None:
            definition.define(channel, client, agent.address)
            self.resources.loop.post(agent.begin)

        self.resources.porters.submit(define)
        return True

    def gone(self, agent: Agent) -> None:
        """Remove an agent that has ended."""
        self.pending.remove(agent)
        self.all.pop(agent, None)
        if agent.admitted and agent.channel is not None and len(self._ended) < self.most_ended:
            self._ended.append((agent.state(), time.time()))

    def take_ended(self) -> list[tuple[ChannelState, float]]:
        """Give the instances that have ended since the last call, with the time of each end."""
        ended, self._ended = self._ended, []
        return ended

    def _tick(self) -> None:
        if self._closed:
            return
        now = self.resources.loop.now
        for agent in list(self.all):
            agent.tick(now)
        memory = self.resources.memory
        memory.tick(now)
        if memory.may_return():
            self.resources.workers.submit(return_memory)
        self.resources.loop.later(TICK, self._tick)

    def states(self) -> list[ChannelState]:
        """Give the state of each channel instance."""
        return [agent.state() for agent in self.all if agent.channel is not None]

    # Ending.

    def stop(self, channel: str, address: str, force: bool) -> int:
        """End the instances of a channel, by force or by a notification of their programs; gives their number."""
        self.resources.engine.events.channel(
            MQRC_CHANNEL_STOPPED_BY_USER, channel, MQRQ_CHANNEL_STOPPED_DISABLED, address
        )
        found = [agent for agent in self.all if agent.channel_name == channel and address in ("", agent.address)]
        for agent in found:
            agent.stopping = True
            if force:
                agent.dismiss(USER_CLOSED)
            else:
                agent.quiesce(MQRC_CONNECTION_QUIESCING)
                self.resources.loop.later(self.stop_seconds, partial(agent.dismiss, USER_CLOSED))
        return len(found)

    def show_out(self) -> None:
        """End all network sockets, pending connections too; programs on this machine stay."""
        for channel in {agent.channel_name for agent in self.all if agent.channel is not None}:
            self.stop(channel, "", True)
        for agent in self.pending.all():
            if agent.address:
                agent.end()

    def quiesce(self) -> None:
        """Notify all programs that the queue manager is about to end."""
        for agent in list(self.all):
            agent.quiesce()

    def close(self) -> None:
        """End all sockets."""
        self._closed = True
        for agent in list(self.all):
            agent.dismiss(QUEUE_MANAGER_TERMINATING)
            agent.stream.flush()
            agent.end()


def _user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
