"""Counters of verbs, for statistics of the queue manager and of queues, and for accounting of programs.

Verbs call these functions only when `Engine.metered` is set. The functions run under the engine lock, except those for
MQOPEN, MQCLOSE, MQINQ and MQSET, which the edges call after they have left the lock.
"""

import time

from kew.accounting.account import TOPIC_NUMBER, Account, QueueAccount
from kew.codes.options import MQPER_PERSISTENT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Engine
from kew.queues.match import Match
from kew.queues.monitor import seconds_of
from kew.queues.queue import Queue


def trace(connection: Connection, verb: str, where: str, detail: str) -> None:
    """Trace a step of a verb, if a trace is active."""
    table = connection.engine.trace
    if table is not None:
        table.note(connection.number, verb, where, detail)


def enter(connection: Connection, queue: Queue | None) -> None:
    """Note that a verb begins its work in the engine."""
    account = connection.account
    if account is not None:
        account.enter(None if queue is None else queue.store.page_set.pool.counters)


def pause(connection: Connection) -> None:
    """Note that a verb stalls."""
    account = connection.account
    if account is not None:
        account.pause()


def put_done(
    connection: Connection,
    handle: Handle,
    queue: Queue,
    descriptor: MessageDescriptor,
    length: int,
    direct: bool,
    in_unit: bool,
) -> None:
    """Count a put that is done, or a long put that has begun."""
    persistent = descriptor.persistence == MQPER_PERSISTENT
    connection.engine.calls.put(length, persistent, handle.single, in_unit)
    statistics = queue.statistics
    if statistics is not None:
        statistics.put(length, persistent, handle.single, direct, queue.depth)
        if queue.stream is not None:
            statistics.streamed += 1
    account = connection.account
    if account is not None:
        of_queue = _of_handle(account, handle, queue)
        if queue.stream is not None:
            of_queue.streamed += 1
        account.put(of_queue, length, persistent, handle.single, direct, queue.depth)


def published(
    connection: Connection,
    handle: Handle,
    descriptor: MessageDescriptor,
    length: int,
    copies: int,
    in_unit: bool,
    seconds: float,
) -> None:
    """Count a publication that is done or has begun: one put, and the number of its copies."""
    persistent = descriptor.persistence == MQPER_PERSISTENT
    calls = connection.engine.calls
    calls.put(length, persistent, handle.single, in_unit)
    calls.publication(copies, seconds)
    account = connection.account
    if account is not None:
        of_topic = account.queue(handle.number, handle.opened_name or handle.name, handle.name, TOPIC_NUMBER)
        of_topic.published += copies
        account.put(of_topic, length, persistent, handle.single, False, 0)


def copied(engine: Engine, queue: Queue, length: int, persistent: bool, direct: bool, in_unit: bool) -> None:
    """Count the copy of a message on a stream queue: a put in the statistics, but not in accounting."""
    engine.calls.put(length, persistent, False, in_unit)
    if queue.statistics is not None:
        queue.statistics.put(length, persistent, False, direct, queue.depth)


def put_failed(connection: Connection, handle: Handle, queue: Queue | None) -> None:
    """Count a put that was refused."""
    connection.engine.calls.put_failed(handle.single)
    if queue is None:
        if connection.account is not None:
            connection.account.pause()
        return
    if queue.statistics is not None:
        queue.statistics.put_failed(handle.single)
    account = connection.account
    if account is not None:
        of_queue = _of_handle(account, handle, queue)
        account.leave(of_queue.put1 if handle.single else of_queue.put)


def _of_handle(account: Account, handle: Handle, queue: Queue) -> QueueAccount:
    if handle.number == account.recent_handle:  # as it nearly always is
        return account.recent
    return account.queue(handle.number, handle.opened_name, queue.name, queue.id)


def got(
    connection: Connection,
    handle: Handle,
    queue: Queue,
    descriptor: MessageDescriptor,
    length: int,
    browse: bool,
    specific: bool,
    in_unit: bool,
) -> None:
    """Count a get that gave a message."""
    persistent = descriptor.persistence == MQPER_PERSISTENT
    calls = connection.engine.calls
    calls.gets += 1
    if browse:
        calls.browsed += 1
    else:
        calls.got += 1
        if in_unit:
            calls.locked += 1
    statistics = queue.statistics
    if statistics is not None:
        if browse:
            statistics.browsed(length, persistent)
        else:
            statistics.got(length, persistent, queue.depth)
    account = connection.account
    if account is not None:
        of_queue = _of_handle(account, handle, queue)
        account.got(of_queue, length, persistent, not browse, specific)
        if not browse:
            put = account.put_moment(descriptor.put_date, descriptor.put_time)
            if put < 0:
                put = seconds_of(descriptor.put_date, descriptor.put_time)
                account.remember_moment(descriptor.put_date, descriptor.put_time, put)
            if put:
                account.stayed(of_queue, max(0.0, account.moment() - put))
        account.leave(of_queue.get)


def got_directly(connection: Connection, handle: Handle, descriptor: MessageDescriptor, length: int) -> None:
    """Count a waiting get that received a message from a put directly, without the queue."""
    queue = handle.queue
    if queue is None:
        return
    persistent = descriptor.persistence == MQPER_PERSISTENT
    calls = connection.engine.calls
    calls.gets += 1
    calls.got += 1
    if queue.statistics is not None:
        queue.statistics.got(length, persistent, queue.depth)
    account = connection.account
    if account is not None:
        of_queue = _of_handle(account, handle, queue)
        account.got(of_queue, length, persistent, True, False)
        account.stayed(of_queue, 0.0)
        of_queue.get.calls += 1


def redriven(connection: Connection, handle: Handle, browse: bool) -> None:
    """Count a waiting get that is tried again because a message has arrived."""
    queue = handle.queue
    if queue is not None and queue.statistics is not None:
        queue.statistics.redriven(browse)


def get_failed(
    connection: Connection, handle: Handle, browse: bool, empty: bool, truncated: bool, waited: bool
) -> None:
    """Count a get that gave no message; called under the engine lock or outside it."""
    connection.engine.calls.gets += 1
    queue = handle.queue
    if queue is None:
        return
    if queue.statistics is not None:
        queue.statistics.get_failed(browse, empty, truncated, waited)
    account = connection.account
    if account is not None:
        of_queue = _of_handle(account, handle, queue)
        of_queue.gets_failed += 1
        account.leave(of_queue.get)


def searched(connection: Connection, handle: Handle, queue: Queue, match: Match | None, expired: int) -> None:
    """Count the messages that a get passed over, and the expired ones that it met."""
    passed = 0
    if match is not None:
        passed, match.skipped = match.skipped, 0
    account = connection.account
    if account is not None and (passed or expired):
        of_queue = _of_handle(account, handle, queue)
        of_queue.passed += passed
        of_queue.expired += expired


def step(connection: Connection) -> None:
    """Note that a step of a long put is done."""
    account = connection.account
    if account is not None:
        account.step()


def idle(connection: Connection) -> None:
    """Note that a get found no message, and may wait."""
    account = connection.account
    if account is not None:
        account.idle()


# -- objects ----------------------------------------------------------------------------------------------------------


def opened(connection: Connection, handle: Handle | None) -> None:
    """Count an MQOPEN that is done; one that was refused, or of an object other than a queue, is not counted."""
    connection.engine.calls.opens += 1
    trace(connection, "MQOPEN", "" if handle is None else handle.opened_name, "failed" if handle is None else "exit 0")
    queue = None if handle is None else handle.put_to()
    if handle is None or queue is None:
        _other(connection)
        return
    if queue.stream is not None and handle.output:
        connection.engine.calls.opens += 1  # of the queue for the copies
    if queue.statistics is not None:
        queue.statistics.opens += 1
        queue.statistics.handles(queue.input_handles, queue.output_handles)
    account = connection.account
    if account is not None:
        of_queue = _of_handle(account, handle, queue)
        of_queue.handles += 1
        of_queue.total_handles += 1
        if not of_queue.opened:
            of_queue.opened = time.time()
        of_queue.closed = 0.0
        if handle.selector is not None:
            of_queue.selections += 1
            of_queue.longest_selection = max(of_queue.longest_selection, len(handle.selector.text))
        account.leave(of_queue.open)


def closed(connection: Connection, handle: Handle, queue: Queue | None) -> None:
    """Count an MQCLOSE that is done."""
    connection.engine.calls.closes += 1
    trace(connection, "MQCLOSE", handle.opened_name, "exit 0")
    if queue is None:
        _other(connection)
        return
    if queue.statistics is not None:
        queue.statistics.closes += 1
        queue.statistics.handles(queue.input_handles, queue.output_handles)
    account = connection.account
    if account is not None:
        of_queue = _of_handle(account, handle, queue)
        of_queue.handles -= 1
        if of_queue.handles <= 0:
            of_queue.closed = time.time()
        account.leave(of_queue.close)
        account.forget_handle(handle.number)


def inquired(connection: Connection, handle: Handle) -> None:
    """Count an MQINQ that is done."""
    connection.engine.calls.inquiries += 1
    trace(connection, "MQINQ", handle.opened_name, "exit")
    queue = handle.queue
    if queue is None:
        _other(connection)
        return
    if queue.statistics is not None:
        queue.statistics.inquiries += 1
    account = connection.account
    if account is not None:
        account.leave(_of_handle(account, handle, queue).inquire)


def was_set(connection: Connection, handle: Handle) -> None:
    """Count an MQSET that is done."""
    connection.engine.calls.sets += 1
    trace(connection, "MQSET", handle.opened_name, "exit")
    queue = handle.queue
    if queue is None:
        _other(connection)
        return
    if queue.statistics is not None:
        queue.statistics.sets += 1
    account = connection.account
    if account is not None:
        account.leave(_of_handle(account, handle, queue).set)


def subscribed(connection: Connection, durable: bool, selection: int) -> None:
    """Count an MQSUB that is done, with the length of its selection string."""
    calls = connection.engine.calls
    calls.subscribed += 1
    if durable:
        calls.subscribed_durably += 1
    trace(connection, "MQSUB", "", "exit")
    account = connection.account
    if account is not None:
        if selection:
            account.selections += 1
            account.longest_selection = max(account.longest_selection, selection)
        account.leave(account.subscribe)


def requested(connection: Connection) -> None:
    """Count an MQSUBRQ that is done."""
    connection.engine.calls.requested += 1
    trace(connection, "MQSUBRQ", "", "exit")
    account = connection.account
    if account is not None:
        account.leave(account.request)


def _other(connection: Connection) -> None:
    account = connection.account
    if account is not None:
        account.leave(account.other)


# -- units of work ----------------------------------------------------------------------------------------------------


def committed(connection: Connection, messages: int) -> None:
    """Count an MQCMIT that is done, with the number of messages it has unlocked."""
    calls = connection.engine.calls
    calls.commits += 1
    calls.unlocked += messages
    account = connection.account
    if account is not None:
        account.leave(account.commit)


def backed_out(connection: Connection, messages: int) -> None:
    """Count an MQBACK that is done, with the number of messages it has unlocked."""
    calls = connection.engine.calls
    calls.backouts += 1
    calls.unlocked += messages
    account = connection.account
    if account is not None:
        account.leave(account.backout)


def prepared(connection: Connection) -> None:
    """Count the prepare of a branch."""
    trace(connection, "XAPREP", "", "exit")
    account = connection.account
    if account is not None:
        account.leave(account.prepare)
