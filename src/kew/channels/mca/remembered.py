"""The states of channels after a restart of the queue manager, on SYSTEM.CHANNEL.SYNCQ.

A channel that runs or retries has a message with the state WANTED, a channel stopped by STOP CHANNEL one with the state
STOPPED; an inactive channel has none. The MsgId is a digest of the channel's name, the body is

    0 "KCHS"    4 u2 version, 1    6 u2 state: 1 WANTED, 2 STOPPED    8 c20 channel
"""

import threading
from hashlib import sha256
from struct import Struct
from typing import Final

from kew.channels.mca.services import ChannelServices
from kew.channels.mca.syncqueue import QUEUE
from kew.codes.errors import NoMessage
from kew.codes.options import (
    MQENC_NATIVE,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_SYNCPOINT,
    MQMO_MATCH_MSG_ID,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPER_PERSISTENT,
    MQPMO_SYNCPOINT,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection

WANTED: Final = 1
STOPPED: Final = 2
APPLICATION: Final = "kew channel states"
_EYE: Final = b"KCHS"
_VERSION: Final = 1
_BODY: Final = Struct("<4sHH20s")


class RememberedStates:
    """The remembered states of channels. Each change is on disk when the method returns; from any thread."""

    def __init__(self, services: ChannelServices) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._states: dict[str, int] = {}

    def load(self) -> dict[str, int]:
        """Read the remembered states, by channel."""
        with self._lock:
            local = self._services.connect_own(APPLICATION)
            found: dict[str, int] = {}
            try:
                handle = local.open(QUEUE, MQOO_BROWSE)
                option = MQGMO_BROWSE_FIRST
                while True:
                    data = local.get(handle, option).data
                    option = MQGMO_BROWSE_NEXT
                    if len(data) != _BODY.size:
                        continue  # a synchronisation record
                    eye, version, state, name = _BODY.unpack(data)
                    if eye == _EYE and version == _VERSION:
                        found[name.rstrip(b" \0").decode("ascii", "replace")] = state
            except NoMessage:
                self._states = found
                return dict(found)
            finally:
                local.abandon()

    def set(self, name: str, state: int) -> None:
        """Keep a state of a channel, in place of the one before."""
        with self._lock:
            if self._states.get(name) == state:
                return
            local = self._services.connect_own(APPLICATION)
            try:
                handle = local.open(QUEUE, MQOO_INPUT_SHARED | MQOO_OUTPUT)
                _remove(local, handle, name)
                descriptor = MessageDescriptor(
                    encoding=MQENC_NATIVE, persistence=MQPER_PERSISTENT, message_id=_key(name)
                )
                body = _BODY.pack(_EYE, _VERSION, state, name.encode()[:20].ljust(20))
                local.put(handle, descriptor, body, MQPMO_SYNCPOINT)
                local.commit()
                self._states[name] = state
            finally:
                local.abandon()

    def forget(self, name: str) -> None:
        """Remove the remembered state of a channel, which is now inactive."""
        with self._lock:
            if name not in self._states:
                return
            local = self._services.connect_own(APPLICATION)
            try:
                _remove(local, local.open(QUEUE, MQOO_INPUT_SHARED), name)
                local.commit()
                del self._states[name]
            finally:
                local.abandon()


def _remove(local: LocalConnection, handle: Handle, name: str) -> None:
    """Get the message of a channel in the open unit of work, if there is one."""
    try:
        wanted = MessageDescriptor(message_id=_key(name))
        local.get(handle, MQGMO_SYNCPOINT, 0, MQMO_MATCH_MSG_ID, wanted)
    except NoMessage:
        return


def _key(name: str) -> bytes:
    return sha256(f"state\0{name}".encode()).digest()[:24]
