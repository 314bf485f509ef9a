"""The network side of a queue manager: the wiring of the loop, the agents and the listeners.

All work on sockets is done in the loop's thread; the methods here are called from other threads, and have that thread
do it.
"""

import os
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

from kew.channels.agents.autodefinition import AutomaticDefinition
from kew.channels.agents.channels import Channels
from kew.channels.agents.registry import Agents
from kew.channels.agents.resources import AgentResources
from kew.channels.agents.settings import ChannelSettings
from kew.channels.control import ChannelBusy, ChannelState, ListenerState, MessageChannelState
from kew.channels.mca import operations
from kew.channels.mca.manager import ChannelActive, ChannelLimit, MessageChannels
from kew.channels.mca.services import ChannelServices, Keys
from kew.channels.mca.triggers import ChannelTriggers
from kew.channels.protocol.resync import MOST_IN_DOUBT
from kew.channels.transport import openssl
from kew.channels.transport.listener import BACKLOG, Listener, listen_tcp, listen_unix
from kew.channels.transport.loop import Loop
from kew.channels.transport.memory import MemoryBudget
from kew.channels.transport.tls import KeyProblem, server_context
from kew.channels.transport.workers import WorkerCounts, Workers
from kew.codes.attributes import (
    MQSSL_FIPS_YES,
    MQSVC_CONTROL_Q_MGR,
    MQSVC_CONTROL_Q_MGR_START,
    MQTCPKEEP_NO,
    MQTCPKEEP_YES,
)
from kew.codes.messages import Notices
from kew.codes.reasons import MQRCCF_CHANNEL_IN_USE, MQRCCF_CHANNEL_NOT_ACTIVE
from kew.mqi.engine import Engine
from kew.mqi.local.connection import LocalConnection
from kew.objects.catalogue import Record
from kew.objects.schema.values import Value
from kew.qmgr.config import Configuration
from kew.qmgr.interception import Interception
from kew.queues.administration import QueueAdministration
from kew.security.admission import Admission
from kew.security.failures import Failures
from kew.security.identity import AT_ONCE
from kew.storage.directories import BINDINGS

LOOP_SECONDS: Final = 10.0

T = TypeVar("T")


class Network:
    """The network side of a queue manager."""

    def __init__(
        self,
        engine: Engine,
        administration: QueueAdministration,
        doorkeeper: Admission,
        configuration: Configuration,
        identifier: str,
        notices: Notices,
        trouble: Callable[[Exception], None],
        connect_own: Callable[[str], LocalConnection],
    ) -> None:
        self._engine = engine
        self._notices = notices
        self._tcp = configuration.tcp
        self.loop = Loop("kew-loop", trouble)
        self._workers = Workers("kew-worker")
        self._porters = Workers("kew-porter", AT_ONCE)
        failures = Failures(configuration.channels.most_delay, time.monotonic, notices)
        memory = MemoryBudget(configuration.channels.message_memory, configuration.channels.stall_timeout)
        self.resources = AgentResources(
            engine,
            administration,
            doorkeeper,
            self.loop,
            self._workers,
            self._porters,
            failures,
            memory,
            trouble,
            Interception(os.environ, notices).protection,
        )
        limits = configuration.channels
        self.settings = ChannelSettings(
            engine, configuration.tcp.keep_alive, limits.max_channels, limits.max_active_channels
        )
        self.channels = Channels(engine, identifier, self.settings, notices, self._place_free)
        self._message_services = ChannelServices(
            self.resources,
            identifier,
            min(configuration.channels.pipeline_length, MOST_IN_DOUBT),
            configuration.tcp.connect_timeout,
            self.settings,
            connect_own,
            notices,
            trouble,
        )
        self.message_channels = MessageChannels(self._message_services, self.channels)
        self.triggers: ChannelTriggers | None = None  # while the channel initiator runs
        definition = AutomaticDefinition(engine, self.settings, notices)
        self.agents = Agents(self.resources, self.channels, self.message_channels, definition)
        self._listeners: dict[str, Listener] = {}
        self._root = ""

    def _place_free(self) -> None:
        self.message_channels.place_free()

    def open(self, root: str) -> None:
        """Accept programs on this machine, by a socket in the queue manager's directory."""
        self._root = root
        self.refresh_keys()
        listener = Listener(self.loop, listen_unix(root, BINDINGS), self.agents.welcome_local)
        self._listeners[BINDINGS] = listener
        listener.open()
        self.loop.start()

    def listen(self, name: str, address: str, port: int, backlog: int = 0) -> int:
        """Listen on the network; gives the port, which for port 0 is a free one."""
        tcp = self._tcp
        endpoint = listen_tcp(address, port, backlog, tcp.server_send_buffer, tcp.server_receive_buffer)
        trouble = partial(self._cannot_accept, name)
        listener = Listener(self.loop, endpoint, self.agents.welcome, trouble, address, backlog or BACKLOG)
        self._listeners[name] = listener
        self._ask(listener.open)
        self._notices.tell("AMQ5026I", (os.getpid(), listener.port), (name, address or "*"))
        return listener.port

    def _cannot_accept(self, name: str, problem: OSError) -> None:
        self._notices.tell("AMQ9213E", (problem.errno or 0,), (name, problem.strerror or ""))

    def start_listeners(self, instead: Mapping[str, int]) -> None:
        """Start the listeners that start with the queue manager; `instead` has other ports than the defined ones.

        A defined port that is in use is reported in the error log, and the queue manager runs without that listener.
        """
        for record in self._engine.catalogue.of_family("LISTENER"):
            if record.values["CONTROL"] in (MQSVC_CONTROL_Q_MGR, MQSVC_CONTROL_Q_MGR_START):
                port = instead.get(record.name)
                try:
                    self.start_listener(record, None, port)
                except OSError:
                    if port is not None:
                        raise  # the caller requested this port, so it gets the failure

    # Commands.

    def start_listener(self, record: Record, address: str | None = None, port: int | None = None) -> None:
        """Start a listener as it is defined, or on another address or port."""
        defined = record.values["PORT"]
        backlog = record.values["BACKLOG"]
        chosen = port or (defined if isinstance(defined, int) else 0) or self._tcp.port
        where = str(record.values["IPADDR"]) if address is None else address
        try:
            self.listen(record.name, where, chosen, backlog if isinstance(backlog, int) else 0)
        except OSError as problem:
            self._notices.tell("AMQ9218E", (chosen, problem.errno or 0), (record.name, problem.strerror or ""))
            raise

    def refresh_keys(self) -> None:
        """Load the keys for TLS from the key repository (SSLKEYR, else `ssl/key` in the queue manager's directory)."""
        record = self._engine.catalogue.records.get(("QMGR", self._engine.name))
        values = record.values if record is not None else {}
        named = str(values.get("SSLKEYR", ""))
        repository = named or os.path.join(self._root, "ssl", "key")
        renew_after = values.get("SSLRKEYC", 0)
        bytes_of_keys = renew_after if isinstance(renew_after, int) and openssl.usable else 0
        tls: ssl.SSLContext | None = None
        keys: Keys | None = None
        if renew_after and not openssl.usable:
            self._notices.tell("CSQX901W", (), (ssl.OPENSSL_VERSION,))
        if named or os.path.exists(repository + ".pem"):
            try:
                fips = values.get("SSLFIPS") == MQSSL_FIPS_YES
                password = str(values.get("KEYRPWD", ""))
                tls = server_context(repository, password, fips)
                keys = Keys(repository, password, fips, bytes_of_keys)
            except KeyProblem as problem:
                self._notices.tell("AMQ9657E", (), (repository, str(problem)))
        self.agents.use_keys(tls, bytes_of_keys)
        self._message_services.use_keys(keys)

    def stop_listener(self, name: str) -> bool:
        """Stop a listener; say whether it ran."""
        listener = self._listeners.get(name)
        if listener is None:
            return False
        self._ask(listener.close)
        del self._listeners[name]
        self._notices.tell("AMQ5027I", (os.getpid(),), (name,))
        return True

    def listener_states(self) -> list[ListenerState]:
        """Give the listeners that run."""
        return [
            ListenerState(name, listener.address, listener.port, listener.backlog, listener.started)
            for name, listener in list(self._listeners.items())
            if listener.port
        ]

    def start_channel(self, record: Record) -> None:
        """Allow the use of a stopped channel again, and start a sending channel; raises ChannelBusy."""
        if record.kind == "SVRCONN":
            self.channels.stopped.discard(record.name)
            return
        try:
            self.message_channels.start(record)
        except ChannelActive as problem:
            raise ChannelBusy("AMQ9514E", MQRCCF_CHANNEL_IN_USE) from problem
        except ChannelLimit as problem:
            raise ChannelBusy("AMQ9513E", MQRCCF_CHANNEL_NOT_ACTIVE) from problem

    def forget_channel(self, name: str) -> None:
        """Forget the stopped state of a channel whose definition was deleted."""
        self.channels.stopped.discard(name)
        self.message_channels.forget(name)

    def stop_channel(self, name: str, address: str, partner: str, force: bool, stay: bool) -> int:
        """End all instances of a channel, or those of one address or partner; gives their number."""
        if stay:
            self.channels.stopped.add(name)
        count = self.message_channels.stop(name, address, partner, force, stay)
        return count + (0 if partner else self._ask(partial(self.agents.stop, name, address, force)))

    def start_triggers(self) -> None:
        """Start the channels that ran when the queue manager ended, and begin to serve channel triggers."""
        if self.triggers is None:
            self.message_channels.open()
            self.triggers = ChannelTriggers(self._message_services, self.message_channels)
            self.triggers.start()

    def stop_triggers(self) -> None:
        """Stop serving channel triggers, and end the channels that run."""
        if self.triggers is not None:
            self.triggers.stop()
            self.triggers = None

    def show_out(self) -> None:
        """End all connections from the network."""
        self._ask(self.agents.show_out)

    def channel_states(self) -> list[ChannelState]:
        """Give the states of the channel instances."""
        return self._ask(self.agents.states)

    def message_channel_states(self) -> list[MessageChannelState]:
        """Give the states of the message channel instances, and of channels that retry."""
        return self.message_channels.states()

    def saved_channel_states(self) -> list[MessageChannelState]:
        """Give the states of message channels from their synchronisation records."""
        return self.message_channels.saved()

    def channel_in_doubt(self, name: str) -> bool:
        """Say whether a batch of a sending channel is in doubt."""
        record = self.channels.find(name)
        return record is not None and operations.in_doubt(self._message_services, record)

    def ping_channel(self, record: Record, data: bytes) -> None:
        """Send bytes to the partner and compare the echo; raises ChannelBusy."""
        self._refuse_active(record)
        operations.ping(self._message_services, record, data)

    def reset_channel(self, record: Record, number: int) -> None:
        """Set the sequence number of the next message; raises ChannelBusy."""
        self._refuse_active(record)
        operations.reset(self._message_services, record, number)

    def resolve_channel(self, record: Record, commit: bool) -> None:
        """Commit or back out the batches in doubt; raises ChannelBusy."""
        self._refuse_active(record)
        operations.resolve(self._message_services, record, commit)

    def _refuse_active(self, record: Record) -> None:
        if self.message_channels.active(record.name):
            raise ChannelBusy("AMQ9514E", MQRCCF_CHANNEL_IN_USE)

    @property
    def most_channels(self) -> int:
        """Give the limit on current channels."""
        return self.settings.most_current

    @property
    def most_active(self) -> int:
        """Give the limit on active channels."""
        return self.settings.most_active

    @property
    def workers(self) -> int:
        """Give the number of adapter worker threads."""
        return self._workers.started

    @property
    def most_workers(self) -> int:
        """Give the limit on adapter worker threads."""
        return self._workers.most

    def configured(self) -> dict[str, Value]:
        """Give the attributes of the queue manager that qm.ini sets, or that are constant."""
        return {
            "ACTCHL": self.most_active,
            "CHIADAPS": self._message_services.workers.most,
            "CHIDISPS": 1,
            "MAXCHL": self.most_channels,
            "TCPCHL": self.most_channels,
            "TCPKEEP": MQTCPKEEP_YES if self.channels.keep_alive else MQTCPKEEP_NO,
        }

    # SMF records of channels.

    def keep_ended(self, most: int) -> None:
        """Keep the final states of up to `most` ended instances, for SMF records; 0 for none."""
        self.agents.keep_ended(most)
        self.message_channels.keep_ended(most)

    def take_ended(self) -> list[tuple[ChannelState, float]]:
        """Give the instances that have ended since the last call, with the time of each end."""
        return self._ask(self.agents.take_ended)

    def take_ended_message_channels(self) -> list[tuple[MessageChannelState, float]]:
        """Give the instances of message channels that have ended since the last call, with the time of each end."""
        return self.message_channels.take_ended()

    def adapter_counts(self) -> list[WorkerCounts]:
        """Give the counters of each adapter worker."""
        return self._message_services.workers.counts()

    def take_peak(self) -> int:
        """Give the largest number of channels at once since the last call."""
        return self.channels.take_peak()

    def processor_seconds(self) -> float:
        """Give the processor time that the thread of all channels has used."""
        return self._ask(time.thread_time)

    def stopped_channels(self) -> list[str]:
        """Give the stopped channels, which refuse connections."""
        return sorted(self.channels.stopped)

    def ports(self) -> list[int]:
        """Give the TCP ports with a listener."""
        return sorted([listener.port for listener in self._listeners.values() if listener.port])

    # The end.

    def quiesce(self) -> None:
        """Notify all programs that the queue manager is about to end."""
        self.stop_triggers()
        self.message_channels.quiesce()
        self._ask(self.agents.quiesce)

    def close(self) -> None:
        """End: refuse new connections, and end existing ones."""
        self.stop_triggers()
        self._ask(self._close_listeners)
        self.message_channels.close()
        self._ask(self._close)
        self._porters.stop()
        self._workers.stop()
        self.loop.stop()
        if self._root:
            os.unlink(os.path.join(self._root, BINDINGS))

    def _close_listeners(self) -> None:
        for listener in self._listeners.values():
            listener.close()

    def _close(self) -> None:
        self.agents.close()
        self.resources.acknowledgements.close()

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        """Have the loop's thread call a function after some seconds."""

        def wait() -> None:
            self.loop.later(seconds, work)

        self.loop.post(wait)

    def _ask(self, question: Callable[[], T]) -> T:
        """Have the loop's thread call a function, and wait for its result."""
        answers: list[T] = []
        problems: list[BaseException] = []
        done = threading.Event()

        def answer() -> None:
            try:
                answers.append(question())
            except BaseException as problem:
                problems.append(problem)
            done.set()

        self.loop.post(answer)
        if not done.wait(LOOP_SECONDS):
            raise TimeoutError("the event loop does not answer")
        if problems:
            raise problems[0]
        return answers[0]
