"""MQPUT: checks a request, has its target put the message, and counts the put."""

from time import perf_counter

from kew.codes.errors import MQError
from kew.codes.options import MQCCSI_Q_MGR, MQPER_PERSISTENT, MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_HOBJ_ERROR, MQRC_NONE, MQRC_NOT_OPEN_FOR_OUTPUT
from kew.mqi.connections import metering
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.longput import LongPut
from kew.mqi.messages.transform import BodyTransform, PutTransform
from kew.mqi.options import check_put
from kew.mqi.puts.request import PutRequest
from kew.mqi.puts.target import LOCAL_QUEUE, PutTarget
from kew.storage.log import LogAddress
from kew.storage.stall import Stall


def put(request: PutRequest) -> LogAddress | LongPut:
    """Put a message; gives the log address to wait for (0 for none), or a put that is to be continued.

    May stall, with nothing changed, and is then called again.
    """
    engine, handle = request.connection.engine, request.handle
    if not engine.metered:
        return _put(request)
    if handle.queue is None and target_of(handle).counts_itself:
        return _put(request)
    if engine.detailed or handle.queue is None:
        return _metered(request)
    try:
        result = _put(request)
    except MQError:
        engine.calls.put_failed(handle.single)
        raise
    persistent = request.descriptor.persistence == MQPER_PERSISTENT
    engine.calls.put(len(request.data), persistent, handle.single, request.options & MQPMO_SYNCPOINT != 0)
    return result


def _metered(request: PutRequest) -> LogAddress | LongPut:
    connection, handle, descriptor, length = request.connection, request.handle, request.descriptor, len(request.data)
    queue = handle.put_to()
    handed_over = 0 if queue is None else queue.counters.handed_over
    tracing = connection.engine.trace is not None
    begun = perf_counter() if queue is None else 0.0
    if tracing:
        _trace(request, f"entry, {length} bytes, options {request.options}")
    metering.enter(connection, queue)
    try:
        result = _put(request)
    except Stall as stall:
        metering.pause(connection)
        if tracing:
            _trace(request, f"stall: {stall}")
        raise
    except MQError as error:
        metering.put_failed(connection, handle, queue)
        if tracing:
            _trace(request, f"exit {error.reason}")
        raise
    in_unit = request.options & MQPMO_SYNCPOINT != 0
    if queue is None:
        copies = target_of(handle).copies
        metering.published(connection, handle, descriptor, length, copies, in_unit, perf_counter() - begun)
        if tracing:
            _trace(request, f"exit 0, {copies} copies")
        return result
    direct = queue.counters.handed_over != handed_over
    metering.put_done(connection, handle, queue, descriptor, length, direct, in_unit)
    if tracing:
        how = "to a waiting getter" if direct else f"depth {queue.depth}"
        log = f", then the log to {result:X}" if isinstance(result, int) and result else ""
        _trace(request, f"exit 0, {how}{log}")
    return result


def _trace(request: PutRequest, detail: str) -> None:
    handle = request.handle
    metering.trace(request.connection, "MQPUT1" if handle.single else "MQPUT", handle.opened_name, detail)


def target_of(handle: Handle) -> PutTarget:
    """Give the target of puts through a handle."""
    outlet = handle.outlet
    if outlet is None:
        return LOCAL_QUEUE
    assert isinstance(outlet, PutTarget)
    return outlet


def _put(request: PutRequest) -> LogAddress | LongPut:
    """Check the request, and have its target put the message."""
    connection, handle = request.connection, request.handle
    connection.check()
    handle.warning = MQRC_NONE
    target: PutTarget = LOCAL_QUEUE if handle.outlet is None else target_of(handle)
    check_put(request.options, target.not_allowed)
    if handle.owner != connection.number:
        raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
    if not handle.output:
        raise handle.refusal(MQRC_NOT_OPEN_FOR_OUTPUT)
    if handle.transform is not None:
        return _put_turned(target, request, handle.transform)
    return target.put(request)


def _put_turned(target: PutTarget, request: PutRequest, transform: BodyTransform) -> LogAddress | LongPut:
    """Put the transformed body; the program's own descriptor is then completed from the one that was stored."""
    connection, descriptor = request.connection, request.descriptor
    if descriptor.ccsid == MQCCSI_Q_MGR:
        descriptor.ccsid = connection.engine.ccsid
    turning = request.turning
    if turning is None:
        turning = request.turning = PutTransform(transform, descriptor.copy(), request.data)
    body = turning.turned()
    stored = turning.descriptor
    inner = PutRequest(connection, request.handle, stored, body, request.options, request.context, request.delay)
    result = target.put(inner)
    descriptor.stored = b""
    descriptor.take_over(stored)
    return result


def continue_put(connection: Connection, long_put: LongPut) -> tuple[bool, LogAddress]:
    """Take a step of a long put; says whether it is done and, if so, the log address to wait for."""
    if not connection.engine.metered:
        return long_put.step(connection)
    metering.enter(connection, None)
    try:
        return long_put.step(connection)
    finally:
        metering.step(connection)


def abandon_put(connection: Connection, long_put: LongPut) -> None:
    """Abandon a long put, unless its unit is decided; nothing of it remains. May stall, and may be called twice."""
    long_put.abandon(connection)
