"""One conversation of a socket: its user is authenticated and admitted, then its program's calls are carried out."""

from abc import abstractmethod
from functools import partial
from typing import Final

from kew.channels.agents.callqueue import CallQueue
from kew.channels.agents.pendingconnections import network_of
from kew.channels.agents.program import HANDLERS, ProgramConnection
from kew.channels.agents.resources import AgentResources
from kew.channels.protocol.conversation import FIRST_CONVERSATION
from kew.channels.protocol.dialect import Dialect, letters, name, padded, words
from kew.channels.protocol.events import Event
from kew.channels.protocol.identity import Credentials, UserId
from kew.channels.protocol.mqapi import HAS_POLICIES, Connect, connect_refusal, connect_reply, connection_tag
from kew.channels.protocol.server import ServerSession
from kew.channels.transport.tcp import Receiver, Stream
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCNO_HANDLE_SHARE_BLOCK,
    MQCNO_HANDLE_SHARE_NO_BLOCK,
    MQCNO_HANDLE_SHARE_NONE,
    MQCNO_ISOLATED_BINDING,
    MQCNO_SHARED_BINDING,
)
from kew.codes.reasons import (
    MQRC_Q_MGR_NAME_ERROR,
    MQRC_Q_MGR_QUIESCING,
)
from kew.mqi.connections.connection import Connection
from kew.mqi.engine import QUIESCING
from kew.mqi.local.connection import LocalConnection
from kew.mqi.objects.policies import has_policies
from kew.security.admission import ConnectionAttempt

QUARTER: Final = 0.25
SHARING: Final = MQCNO_HANDLE_SHARE_NONE | MQCNO_HANDLE_SHARE_BLOCK | MQCNO_HANDLE_SHARE_NO_BLOCK


class Introduction:
    """The user and the password that a conversation has stated."""

    def __init__(self) -> None:
        self.user = ""
        self.credentials: tuple[str, str] | None = None


class ConversationSocket(Receiver):
    """The part of a conversation's socket that admission to the queue manager needs."""

    def __init__(
        self, resources: AgentResources, session: ServerSession, stream: Stream, address: str, local_user: str
    ) -> None:
        self.resources = resources
        self.session = session
        self.stream = stream
        self.address = address
        self.local_user = local_user  # of a program on this machine; blank for a network connection
        self.channel_name = ""
        self.process = 0  # of the client, as it states
        self.identifier = ""
        self.application = ""  # name of the application that connected last
        self.introduction: Introduction | None = None  # user and password of its first conversation

    @abstractmethod
    def asked(self) -> None:
        """Note that a conversation of this socket waits for admission."""

    @abstractmethod
    def rested(self) -> None:
        """Note that no worker carries out a call of the socket's conversations any more."""

    @abstractmethod
    def answered(self) -> None:
        """Note that the request of a conversation for admission was answered."""

    @abstractmethod
    def find_place(self) -> bool:
        """Count the socket on its channel once a conversation is admitted; at a limit the socket ends."""


class ServerConversation(CallQueue):
    """One conversation of a socket: first a request to connect, then the connection of a program."""

    def __init__(self, agent: ConversationSocket, number: int) -> None:
        super().__init__(agent.resources, agent.session, agent.stream)
        self.number = number
        self.introduction: Introduction | None = None  # user and password of this conversation
        self.application = ""
        self.program: ProgramConnection | None = None
        self.admitted = ""  # the user whose authority the conversation has
        self.delay = 0  # seconds before the refusal that asks for a password
        self._asked = 0.0  # time of the request to be admitted
        self._agent = agent

    def perform(self, event: Event) -> None:
        """Carry out a call: any in the table for a connected program, otherwise only MQCONN."""
        program = self.program
        if program is not None:
            HANDLERS[event.kind](program, event)
        elif isinstance(event, Connect):
            self._connect(event)

    def disconnected(self) -> None:
        """Note that the program has disconnected; later calls of it are ignored."""
        self.program = None

    def rested(self) -> None:
        """Note that no worker carries out a call of the conversation any more."""
        self._agent.rested()

    def introduce(self, event: Event) -> bool:
        """Note the user and password that an event states; says whether the event was of that kind."""
        if not isinstance(event, UserId) and not isinstance(event, Credentials):
            return False
        stated = self.introduction
        if stated is None:
            stated = self.introduction = Introduction()
            if self._agent.introduction is None and self.number == FIRST_CONVERSATION:
                self._agent.introduction = stated
        if isinstance(event, UserId):
            stated.user = words(event.long_user, event.dialect) or words(event.user, event.dialect)
            password = words(event.password, event.dialect)
            if password:
                stated.credentials = (stated.user, password)
        elif event.user:
            stated.credentials = (_secret(event.user, event.dialect), _secret(event.password, event.dialect))
        return True

    @property
    def stated(self) -> Introduction:
        """The user and password that the conversation states, else those of the first conversation of its socket.

        IBM's clients in compatibility mode state the user once for each socket, and share a socket only among
        conversations of the same user. The user is authenticated and admitted anew for each conversation.
        """
        return self.introduction or self._agent.introduction or Introduction()

    def _connect(self, call: Connect) -> None:
        wanted = name(call.queue_manager)
        if not wanted.startswith("*") and wanted not in ("", self.resources.engine.name):
            self.say(connect_refusal(call, MQRC_Q_MGR_NAME_ERROR))
        else:
            self._agent.asked()
            self._asked = self.resources.loop.now
            then = partial(self._connected, call)
            credentials = self.stated.credentials
            if credentials is not None and self.resources.doorkeeper.recognises(*credentials):
                self.slowly(self._admit, then)  # a known password need not wait behind guesses
            else:
                self.at_the_door(network_of(self._agent.address), self._admit, then)

    def _admit(self) -> None:
        """Authenticate and admit the user. Runs in an authentication worker, since checking a password takes long."""
        agent = self._agent
        doorkeeper = self.resources.doorkeeper
        user, credentials = self.stated.user, self.stated.credentials
        try:
            if agent.local_user:
                self.admitted = doorkeeper.admit_local(agent.local_user, credentials)
            else:
                secured = agent.stream.secured
                peer, issuer = (secured.peer, secured.issuer) if secured is not None else ("", "")
                arrival = ConnectionAttempt(agent.channel_name, agent.address, user, credentials, peer, issuer)
                self.admitted = doorkeeper.admit(arrival)
        except MQError as error:
            delay = error.facts.get("delay", 0)
            self.delay = delay if isinstance(delay, int) else 0
            raise
        # Looked up here, so that no call waits for the system under the engine lock.
        self.resources.engine.authority.groups_of(self.admitted)

    def _connected(self, call: Connect, reason: int) -> None:
        engine = self.resources.engine
        agent = self._agent
        self.application = words(call.application_name, call.dialect)
        agent.answered()
        if not reason:
            try:
                with engine.lock:
                    connection = Connection(engine, self.application, self.admitted)
                    connection.check()
                    if engine.state == QUIESCING:
                        raise MQError(MQRC_Q_MGR_QUIESCING)
            except MQError as error:
                reason = error.reason
        if reason:
            wait = self._wait()
            if wait:
                self.resources.loop.later(wait, partial(self._refuse, call, reason))
            else:
                self._refuse(call, reason)
            return
        if not agent.find_place():
            return
        with engine.lock:
            engine.enter(connection)
        connection.application_type = call.application_type
        connection.accounting_token = call.accounting_token
        connection.channel = agent.channel_name
        connection.conname = agent.address
        connection.process = agent.process
        binding = MQCNO_ISOLATED_BINDING if call.connect_options & MQCNO_ISOLATED_BINDING else MQCNO_SHARED_BINDING
        connection.options = call.connect_options & SHARING | binding
        connection.protection = self.resources.protection(agent.channel_name, agent.session.extended)
        local = LocalConnection(engine, self.resources.administration, connection)
        self.program = ProgramConnection(self, local)
        identifier = b"AMQC" + padded(engine.name, 12) + connection.number.to_bytes(8, "big")
        tag = connection_tag(identifier, agent.identifier, self.application)
        agent.application = self.application
        if engine.channel_trace is not None:
            engine.channel_trace.note(
                connection.number, "MQCONN", agent.channel_name, f"from {agent.address or 'here'}"
            )
        reply = connect_reply(call, identifier, tag)
        if agent.session.extended and has_policies(engine.catalogue):
            reply.capability_flags |= HAS_POLICIES
        self.say(reply)

    def _wait(self) -> float:
        """Give the seconds to wait before a refusal is sent.

        A refusal after a password takes the same time whether the password was wrong or right, checked or recognised:
        it is delayed by FAILDLAY, by more after many refusals (`security/failures.py`), and then to a whole quarter of
        a second, so that the time of the check does not show.
        """
        delay = self.resources.doorkeeper.delay(bool(self._agent.local_user))
        credentials = self.stated.credentials
        if credentials is None or delay is None:
            return self.delay
        delay = self.resources.failures.count(credentials[0], network_of(self._agent.address), delay)
        return delay + QUARTER - (self.resources.loop.now - self._asked) % QUARTER

    def _refuse(self, call: Connect, reason: int) -> None:
        if not self.over:
            self.say(connect_refusal(call, reason))

    def leave(self) -> None:
        """Disconnect the program from the queue manager: the conversation is over."""
        if self.program is not None:
            self.program.leave()
            self.program = None


def _secret(given: bytes, dialect: Dialect | None) -> str:
    """Decode a user or password: some clients send UTF-8 whatever character set they state."""
    try:
        return given.decode()
    except UnicodeDecodeError:
        return letters(given, dialect)
