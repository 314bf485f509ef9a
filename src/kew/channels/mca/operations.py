"""PING, RESET and RESOLVE CHANNEL: operations on a message channel that does not run."""

import socket
import time
from functools import partial
from typing import Final

from kew.channels.control import ChannelBusy
from kew.channels.mca.definition import RECEIVING_TYPES, SENDING_TYPES, MessageChannel
from kew.channels.mca.doubt import batch_of, units_in_doubt
from kew.channels.mca.offer import offer_of
from kew.channels.mca.record import RECEIVING, SENDING, RecordOwner
from kew.channels.mca.services import ChannelServices
from kew.channels.mca.syncqueue import SyncQueue, all_records
from kew.channels.protocol.control import Ping
from kew.channels.protocol.lifecycle import ChannelEnded, ChannelStarted, Failed, TimedOut
from kew.channels.protocol.resync import Kept
from kew.channels.protocol.sending import SenderChannel
from kew.channels.protocol.states import READY
from kew.channels.protocol.status import describe
from kew.channels.transport.address import AddressError
from kew.codes.reasons import MQRCCF_CHANNEL_INDOUBT, MQRCCF_HOST_NOT_AVAILABLE, MQRCCF_REMOTE_QM_UNAVAILABLE
from kew.objects.catalogue import Record

PING_SECONDS: Final = 30.0
APPLICATION: Final = "kew channel command"


class PingFailed(Exception):
    """The partner has not answered a ping as it must."""


def ping(services: ChannelServices, record: Record, data: bytes) -> None:
    """Connect, negotiate, have the partner echo the data, and disconnect; raises ChannelBusy."""
    channel = MessageChannel(record)
    tried: list[str] = []
    try:
        for host, port in channel.addresses():
            try:
                with socket.create_connection((host, port), PING_SECONDS) as endpoint:
                    _exchange(services, channel, endpoint, data)
                    return
            except OSError as problem:
                tried.append(f"{host}({port}): {problem.strerror or problem}")
    except PingFailed as failure:
        raise ChannelBusy("AMQ9999E", MQRCCF_REMOTE_QM_UNAVAILABLE, str(failure)) from failure
    except AddressError as problem:
        tried.append(str(problem))
    raise ChannelBusy("AMQ9202E", MQRCCF_HOST_NOT_AVAILABLE, "; ".join(tried) or "CONNAME is blank")


def _exchange(services: ChannelServices, channel: MessageChannel, endpoint: socket.socket, data: bytes) -> None:
    session = SenderChannel(offer_of(services, channel), Kept(bytes(7) + b"\1"))
    endpoint.sendall(session.start())
    deadline = time.monotonic() + PING_SECONDS
    while True:
        endpoint.settimeout(max(deadline - time.monotonic(), 0.001))
        received = endpoint.recv(65536)
        if not received:
            raise PingFailed("the partner has closed the connection")
        for event in session.receive(received):
            if isinstance(event, ChannelStarted):
                endpoint.sendall(session.ping(data))
            elif isinstance(event, Ping):
                if event.payload != data:
                    raise PingFailed("other bytes than those that were sent came back")
                session.end()
                endpoint.sendall(session.take_output())
                return
            elif isinstance(event, ChannelEnded):
                raise PingFailed(f"the partner refuses: {describe(event.code)}")
            elif isinstance(event, Failed | TimedOut):
                raise PingFailed(str(event.error) if isinstance(event, Failed) else f"no {event.what} in time")
        if session.state != READY:
            output = session.take_output()
            if output:
                endpoint.sendall(output)


def in_doubt(services: ChannelServices, record: Record) -> bool:
    """Say whether batches of a sending channel are in doubt."""
    channel = MessageChannel(record)
    if channel.kind not in SENDING_TYPES:
        return False
    owner = RecordOwner(SENDING, channel.name, channel.transmission_queue)
    with services.engine.lock:
        return bool(units_in_doubt(services.engine, owner.key))


def reset(services: ChannelServices, record: Record, number: int) -> None:
    """Set the number of the next message; a sending end does so for both ends at the next start."""
    channel = MessageChannel(record)
    local = services.connect_own(APPLICATION)
    try:
        if channel.kind in RECEIVING_TYPES:
            for owner, kept in all_records(local):
                if owner.kind == RECEIVING and owner.channel == channel.name:
                    sync = SyncQueue(local, owner)
                    sync.find()
                    sync.store(kept.changed(number=max(number - 1, 0)))
        else:
            sync = SyncQueue(local, RecordOwner(SENDING, channel.name, channel.transmission_queue))
            sync.store(sync.load().changed(reset=number))
    finally:
        local.abandon()


def resolve(services: ChannelServices, record: Record, commit: bool) -> None:
    """Commit or back out the batches in doubt, as the operator decides."""
    channel, engine = MessageChannel(record), services.engine
    owner = RecordOwner(SENDING, channel.name, channel.transmission_queue)
    local = services.connect_own(APPLICATION)
    try:
        with engine.lock:
            found = units_in_doubt(engine, owner.key)
        if not found:
            raise ChannelBusy("AMQ9507E", MQRCCF_CHANNEL_INDOUBT, "no batch of the channel is in doubt")
        newest = batch_of(found[-1]).luwid
        for unit in found if commit else reversed(found):
            engine.run(partial(engine.units.commit if commit else engine.units.backout, unit))
        sync = SyncQueue(local, owner)
        kept = sync.load()
        sync.store(kept.changed(newest=max(kept.newest, newest)))
    finally:
        local.abandon()
