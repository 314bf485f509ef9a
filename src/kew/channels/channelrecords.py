"""Channels as fields of SMF: the channel initiator (115-231) and each instance of a channel (116-10).

One thread serves all sockets, so there is one dispatcher; its processor time is that thread's. The adapters are the
worker threads of message channels, as many as CHIADAPS says. There are no tasks for names or TLS: the operating system
resolves names, and the dispatcher itself encrypts. An instance is identified by name, address and start; an instance
that has ended since the last record is reported once more.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from kew.accounting.statistics import duration, moment
from kew.accounting.tasks import cut_text
from kew.channels.control import ChannelState, MessageChannelState
from kew.channels.transport.workers import WorkerCounts
from kew.codes.attributes import (
    MQCHLD_PRIVATE,
    MQCHS_BINDING,
    MQCHS_RUNNING,
    MQCHS_STOPPING,
    MQMON_HIGH,
    MQMON_LOW,
    MQMON_MEDIUM,
)
from kew.codes.channels import MQCHT_SVRCONN
from kew.formats.smf.layouts.structure import Value, Values

RECORDED: Final = (MQMON_LOW, MQMON_MEDIUM, MQMON_HIGH)
INACTIVE: Final = 0  # MQCHS_INACTIVE
MOST_RECORDED: Final = 10000  # instances in one interval
_Key = tuple[str, str, float]


def _key(state: ChannelState | MessageChannelState) -> _Key:
    return state.name, state.address, state.started


class ChannelSource(Protocol):
    """The channels of a running queue manager, as the records need them."""

    @property
    def most_channels(self) -> int:
        """The limit on current channels."""

    @property
    def most_active(self) -> int:
        """The limit on active channels."""

    def channel_states(self) -> list[ChannelState]:
        """Give the state of each instance."""

    def keep_ended(self, most: int) -> None:
        """Keep the final state of up to so many instances that end; 0 keeps none."""

    def take_ended(self) -> list[tuple[ChannelState, float]]:
        """Give the instances that have ended since the last call, with the time of each end."""

    def message_channel_states(self) -> list[MessageChannelState]:
        """Give the states of the message channel instances, and of channels that retry."""

    def take_ended_message_channels(self) -> list[tuple[MessageChannelState, float]]:
        """Give the instances of message channels that have ended since the last call, with the time of each end."""

    def adapter_counts(self) -> list[WorkerCounts]:
        """Give the counters of each adapter worker."""

    def take_peak(self) -> int:
        """Give the largest number of instances at once since the last call."""

    def processor_seconds(self) -> float:
        """Give the processor time of the thread that serves all channels."""


class ChannelRecords:
    """The work of the channels of a queue manager since the last record, as fields of SMF."""

    def __init__(self, network: ChannelSource, job: str) -> None:
        self._network = network
        self._job = job[:4] + "CHIN"
        self._calls: dict[_Key, int] = {}
        self._before: dict[_Key, ChannelState] = {}
        self._messages_before: dict[_Key, MessageChannelState] = {}
        self._adapters: list[WorkerCounts] = []
        self._processor = 0.0
        self._looked = time.time()
        self.level = 0  # STATCHL of the queue manager

    def set_level(self, level: int) -> None:
        """Set the level of STATCHL of the queue manager."""
        self.level = level

    def set_recording(self, recorded: bool) -> None:
        """Begin to keep the final state of instances that end, or stop."""
        self._network.keep_ended(MOST_RECORDED if recorded else 0)

    def initiator(self, now: float) -> Mapping[str, Sequence[Values]]:
        """Give the structures of an SMF record of subtype 231."""
        network = self._network
        states = network.channel_states()
        calls = {_key(state): state.calls for state in states}
        requests = sum([count - self._calls.get(key, 0) for key, count in calls.items()])
        self._calls = calls
        processor = network.processor_seconds()
        busy, self._processor = max(0.0, processor - self._processor), processor
        elapsed, self._looked = max(0.0, now - self._looked), now
        control: dict[str, Value] = {
            "QCCTJOBN": self._job,
            "QCCTNOCC": network.take_peak(),
            "QCCTMXCC": network.most_channels,
            "QCCTNOAC": len(states),
            "QCCTMXAC": network.most_active,
            "QCCTMXTP": network.most_channels,
        }
        dispatcher: dict[str, Value] = {
            "QCTTSKN": 1,
            "QCTREQN": max(0, requests),
            "QCTCPTM": duration(busy),
            "QCTELTM": duration(busy),
            "QCTWTTM": duration(max(0.0, elapsed - busy)),
            "QCTCHLN": len(states),
        }
        return {"QCCT": [control], "QCT_DSP": [dispatcher], "QCT_ADP": self._adapter_tasks(elapsed)}

    def _adapter_tasks(self, elapsed: float) -> list[dict[str, Value]]:
        """Give the work of each adapter; a request counts at its end, with no more time than the interval has."""
        found: list[dict[str, Value]] = []
        adapters = self._network.adapter_counts()
        for number, now in enumerate(adapters):
            before = self._adapters[number] if number < len(self._adapters) else WorkerCounts()
            busy = min(max(0.0, now.busy - before.busy), elapsed)
            found.append(
                {
                    "QCTTSKN": number + 1,
                    "QCTREQN": now.jobs - before.jobs,
                    "QCTCPTM": duration(min(max(0.0, now.processor - before.processor), busy)),
                    "QCTELTM": duration(busy),
                    "QCTWTTM": duration(elapsed - busy),
                }
            )
        self._adapters = adapters
        return found

    def channels(self, now: float) -> Sequence[Values]:
        """Give the structures of records of subtype 10, if STATCHL of the queue manager asks for them."""
        network = self._network
        states = network.channel_states()
        ended = network.take_ended()
        message_channels = [one for one in network.message_channel_states() if one.started and not one.saved]
        ended_ones = network.take_ended_message_channels()
        found: list[Values] = []
        if self.level in RECORDED:
            found += [self._channel(state, now, 0.0) for state in states]
            found += [self._channel(state, now, when) for state, when in ended]
        self._before = {_key(state): state for state in states} if self.level in RECORDED else {}
        message_channels = [state for state in message_channels if state.statistics in RECORDED]
        found += [self._message_channel(state, now, 0.0) for state in message_channels]
        found += [self._message_channel(state, now, when) for state, when in ended_ones if state.statistics in RECORDED]
        self._messages_before = {_key(state): state for state in message_channels}
        return found

    def _message_channel(self, state: MessageChannelState, now: float, stopped: float) -> dict[str, Value]:
        before = self._messages_before.get(_key(state))

        def since(name: str) -> int:
            earlier = getattr(before, name) if before is not None else 0
            return max(0, int(getattr(state, name)) - int(earlier))

        least, most = state.network_extremes
        times: dict[str, Value] = {"QCSTNTMN": least, "QCSTNTMX": most} if least >= 0 else {}
        return times | {
            "QCSTCLTM": moment(now),
            "QCSTCHNM": cut_text(state.name, 20),
            "QCSTCHDP": MQCHLD_PRIVATE,
            "QCSTCHTY": state.kind,
            "QCSTCHST": INACTIVE if stopped else state.status,
            "QCSTSTCL": state.statistics,
            "QCSTCNNM": cut_text(state.address, 48),
            "QCSTSTRT": moment(state.started),
            "QCSTLUDT": moment(stopped),
            "QCSTLMST": moment(state.last_message),
            "QCSTNPMG": since("persistent"),
            "QCSTFUBA": since("full_batches"),
            "QCSTNBYT": since("message_bytes"),
            "QCSTNPBY": since("persistent_bytes"),
            "QCSTNTAV": max(0, state.network_time[0]),
            "QCSTPTRC": since("put_retries"),
            "QCSTQETC": since("found_empty"),
            "QCSTCBIT": state.batch_interval,
            "QCSTCBDL": state.batch_limit,
            "QCSTCBSZ": state.batch_size,
            "QCSTNMSG": since("messages"),
            "QCSTBATC": since("batches"),
            "QCSTBFST": since("writes") if not stopped else 0,
            "QCSTBFRC": since("reads"),
            "QCSTBYST": since("bytes_sent"),
            "QCSTBYRC": since("bytes_received"),
            "QCSTCPRA": max(0, state.saved_bytes[1]),
            "QCSTRQMN": cut_text(state.partner, 48),
            "QCSTDSPN": 1,
        }

    def _channel(self, state: ChannelState, now: float, stopped: float) -> dict[str, Value]:
        before = self._before.get(_key(state))
        calls, reads, sent, received = (
            (0, 0, 0, 0) if before is None else (before.calls, before.reads, before.bytes_sent, before.bytes_received)
        )
        running = MQCHS_BINDING if state.binding else MQCHS_RUNNING
        status = INACTIVE if stopped else MQCHS_STOPPING if state.stopping else running
        return {
            "QCSTCLTM": moment(now),
            "QCSTCHNM": cut_text(state.name, 20),
            "QCSTCHDP": MQCHLD_PRIVATE,
            "QCSTCHTY": MQCHT_SVRCONN,
            "QCSTCHST": status,
            "QCSTSTCL": self.level,
            "QCSTCNNM": cut_text(state.address, 48),
            "QCSTSTRT": moment(state.started),
            "QCSTLUDT": moment(stopped),
            "QCSTLMST": moment(state.last_call),
            "QCSTNMSG": state.calls - calls,
            "QCSTBFRC": state.reads - reads,
            "QCSTCSCV": state.conversations,
            "QCSTBYST": state.bytes_sent - sent,
            "QCSTBYRC": state.bytes_received - received,
            "QCSTCPRA": max(0, state.saved[1]),
            "QCSTRQMN": cut_text(state.application, 48),
            "QCSTDSPN": 1,
        }
