"""MQOPEN and MQCLOSE of queues: names are resolved through aliases and models, and open handles are counted."""

from typing import Final

from kew.codes.attributes import (
    MQQDT_PERMANENT_DYNAMIC,
    MQQDT_TEMPORARY_DYNAMIC,
    MQRQ_CLOSE_NOT_AUTHORIZED,
    MQRQ_OPEN_NOT_AUTHORIZED,
)
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_DELETE,
    MQCO_DELETE_PURGE,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_BROWSE,
    MQOO_FAIL_IF_QUIESCING,
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_SAVE_ALL_CONTEXT,
    MQOO_SET,
    MQOT_Q,
    MQPMO_LOGICAL_ORDER,
)
from kew.codes.reasons import (
    MQRC_ALIAS_BASE_Q_TYPE_ERROR,
    MQRC_DYNAMIC_Q_NAME_ERROR,
    MQRC_HCONN_ERROR,
    MQRC_HOBJ_ERROR,
    MQRC_OBJECT_DAMAGED,
    MQRC_OBJECT_IN_USE,
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
    MQRC_OPTIONS_ERROR,
    MQRC_Q_TYPE_ERROR,
    MQRC_SELECTOR_INVALID_FOR_TYPE,
    MQRC_UNKNOWN_ALIAS_BASE_Q,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.destination import elsewhere
from kew.mqi.engine import Engine
from kew.mqi.gets import browsemarks
from kew.mqi.gets.request import offer
from kew.mqi.gets.reservations import release
from kew.mqi.objects.definitions import close_definition
from kew.mqi.options import INPUT, NOT_FOR_TOPICS, check_close, check_open, check_put
from kew.mqi.publishing.topics import is_topic_alias, open_alias
from kew.mqi.puts.remote import leads_away, open_elsewhere, open_remote
from kew.mqi.puts.target import PutTarget
from kew.objects.catalogue import Record
from kew.objects.schema import object_type
from kew.queues.administration import ALIAS, LOCAL, MODEL, QueueAdministration, check_name
from kew.queues.queue import Queue
from kew.security.authority import Refused
from kew.security.openauthority import authorise_open
from kew.security.rights import CREATE, DELETE, DISPLAY
from kew.selection.selector import Selector, selector_of

DYNAMIC_PREFIX: Final = "AMQ."
SYSTEM_PREFIX: Final = "SYSTEM."
_DELETES: Final = MQCO_DELETE | MQCO_DELETE_PURGE
_LONGEST_PATTERN: Final = 33


class Target:
    """The queue that a name stands for, with the alias or model that led to it."""

    def __init__(self, queue: Queue, opened: Record | None) -> None:
        self.queue = queue
        self.opened = opened  # the alias through which it was reached
        self.created = False


def find_model(administration: QueueAdministration, name: str) -> Record | None:
    """Give the definition of a model queue; None if the name is not that of a model queue."""
    record = administration.find(name)
    return record if record is not None and record.kind == MODEL else None


def other_manager(engine: Engine, manager: str, options: int) -> str:
    """Give the remote queue manager that a program names; blank for this queue manager.

    A queue opened by a queue manager alias, even one of this queue manager, cannot be inquired about or set.
    """
    other = elsewhere(engine, manager)
    if not other and manager and manager != engine.name and options & (MQOO_INQUIRE | MQOO_SET):
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, queue_manager=manager, options=options)
    return other


def check_put1(connection: Connection, record: Record | None, name: str, options: int) -> None:
    """Refuse an MQPUT1 that names a model queue, or has options that no queue takes."""
    connection.check()
    if record is not None and is_topic_alias(record):
        check_put(options, NOT_FOR_TOPICS)
    else:
        check_put(options)
    check_put1_options(options)
    if record is not None and record.kind == MODEL:
        raise MQError(MQRC_Q_TYPE_ERROR, name=name)


def check_put1_options(options: int) -> None:
    """Refuse options of MQPUT1 that a put of one message cannot have."""
    if options & MQPMO_LOGICAL_ORDER:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)


def dynamic_name(pattern: str, unique: int) -> str:
    """Complete the name of a dynamic queue: an asterisk at its end, at place 33 at most, becomes a unique number."""
    pattern = pattern.rstrip() or DYNAMIC_PREFIX + "*"
    if not pattern.endswith("*") or len(pattern) > _LONGEST_PATTERN:
        return pattern
    return f"{pattern[:-1]}{unique:016X}"


def create_dynamic(
    connection: Connection,
    administration: QueueAdministration,
    model: Record,
    name: str,
    options: int,
    alternate_user: str = "",
) -> Queue:
    """Create the dynamic queue of a model queue. Waits for the disk if the queue is permanent.

    The user needs the authority to open the model queue, and DSP on it, as in MQ. A name that begins with SYSTEM. needs
    CRT too, since such queues belong to the queue manager.
    """
    authority = connection.engine.authority
    authorise_open(authority, connection.principal, alternate_user, MQOT_Q, model.name, options, DISPLAY)
    try:
        check_name(name)
    except MQError as error:
        raise MQError(MQRC_DYNAMIC_Q_NAME_ERROR, name=name) from error
    creator = alternate_user if options & MQOO_ALTERNATE_USER_AUTHORITY else connection.principal
    if name.startswith(SYSTEM_PREFIX) and not authority.allows_creation(creator, MQOT_Q, name):
        raise authority.refusal(Refused(MQRQ_OPEN_NOT_AUTHORIZED, creator, MQOT_Q, name, CREATE, options))
    local = object_type(LOCAL)
    values = {keyword: value for keyword, value in model.values.items() if keyword in local}
    if values["DEFTYPE"] == MQQDT_PERMANENT_DYNAMIC:
        administration.define(LOCAL, name, values)
        queue = administration.registry.by_name[name]
    else:
        queue = administration.define_temporary(name, values)
    queue.creator = creator
    return queue


def resolve(administration: QueueAdministration, name: str) -> Target:
    """Find the local queue that a name leads to."""
    queue = administration.registry.by_name.get(name)
    if queue is not None:
        return Target(queue, None)
    record = administration.find(name)
    if record is None:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
    if record.kind == ALIAS:
        base = str(record.values.get("TARGET", ""))
        queue = administration.registry.by_name.get(base)
        if queue is None:
            target = administration.find(base)
            reason = MQRC_UNKNOWN_ALIAS_BASE_Q if target is None else MQRC_ALIAS_BASE_Q_TYPE_ERROR
            if target is not None and target.kind == LOCAL:
                reason = MQRC_OBJECT_DAMAGED
            raise MQError(reason, alias=name, target=base)
        return Target(queue, record)
    raise MQError(MQRC_OBJECT_DAMAGED, name=name)  # defined, but its page set could not be used


def selector_for(options: int, text: str) -> Selector | None:
    """Read the selection string of an open; only an open for input or browse may have one."""
    selector = selector_of(text)
    if selector is not None and not options & (INPUT | MQOO_BROWSE):
        raise MQError(MQRC_SELECTOR_INVALID_FOR_TYPE, options=options)
    return selector


def check_request(connection: Connection, options: int) -> None:
    """Refuse open options that no queue takes, before a model queue makes a dynamic queue."""
    connection.check()
    check_open(options)
    if options & MQOO_FAIL_IF_QUIESCING:
        connection.refuse_if_quiescing()


def open_named(
    connection: Connection,
    administration: QueueAdministration,
    name: str,
    options: int,
    alternate_user: str = "",
    manager: str = "",
) -> Handle:
    """MQOPEN of a local or remote queue by its name, in one hold of the lock.

    An unknown name makes an event. An alias of a topic is opened for publications.
    """
    record = None if manager else administration.find(name)
    if record is not None and is_topic_alias(record):
        return open_alias(connection, record, options, alternate_user)
    try:
        if manager:
            return open_elsewhere(connection, name, manager, options, alternate_user)
        if record is not None and leads_away(connection.engine, record):
            return open_remote(connection, record, options, alternate_user)
        target = resolve(administration, name)
    except MQError as error:
        connection.engine.events.open_failed(error.reason, name, connection.application, error.facts)
        raise
    return open_queue(connection, target, name, options, alternate_user)


def open_queue(
    connection: Connection, target: Target, opened_name: str, options: int, alternate_user: str = ""
) -> Handle:
    """MQOPEN of a queue that was found; the request was checked."""
    queue = target.queue
    if queue.deleted:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=opened_name)
    if not target.created:
        creator = queue.creator if target.opened is None else ""
        authority = connection.engine.authority
        authorise_open(authority, connection.principal, alternate_user, MQOT_Q, opened_name, options, creator=creator)
    if queue.damaged and options & (INPUT | MQOO_BROWSE | MQOO_OUTPUT):
        raise MQError(MQRC_OBJECT_DAMAGED, queue=queue.name)
    options = _choose_input(queue, options)
    handle = Handle(0, queue.name, options, queue)
    handle.opened_name = opened_name
    handle.output = options & MQOO_OUTPUT != 0
    handle.input = options & INPUT != 0
    handle.browse = options & MQOO_BROWSE != 0
    handle.inquire = options & MQOO_INQUIRE != 0
    handle.set = options & MQOO_SET != 0
    handle.saves_context = options & MQOO_SAVE_ALL_CONTEXT != 0
    handle.created = target.created
    connection.add_handle(handle)
    if target.opened is not None:
        handle.refresh_alias(connection.engine.catalogue)
    queue.handles += 1
    if handle.input:
        queue.input_handles += 1
        if options & MQOO_INPUT_EXCLUSIVE:
            queue.exclusive = True
        if queue.input_handles == 1:
            connection.engine.queues.triggers.initiation_queue_changed(queue)
    if handle.output:
        queue.output_handles += 1
    return handle


def _choose_input(queue: Queue, options: int) -> int:
    if options & MQOO_INPUT_AS_Q_DEF:
        options = options & ~MQOO_INPUT_AS_Q_DEF | queue.default_input
    if options & MQOO_INPUT_SHARED and not queue.shareable:
        options = options & ~MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE
    if options & INPUT and (queue.exclusive or (options & MQOO_INPUT_EXCLUSIVE and queue.input_handles)):
        raise MQError(MQRC_OBJECT_IN_USE, queue=queue.name)
    return options


def close(connection: Connection, handle: Handle, options: int) -> bool:
    """MQCLOSE; says whether a temporary queue is now to be deleted, which may wait and is done outside the lock.

    A permanent dynamic queue that is to be deleted (`must_delete`) was deleted before.
    """
    if not connection.open:
        raise MQError(MQRC_HCONN_ERROR)
    queue = handle.queue
    if handle.owner != connection.number:
        raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
    if handle.definition is not None:
        close_definition(connection, handle, options)
        return False
    if isinstance(handle.outlet, PutTarget):
        handle.outlet.close(connection, handle, options)
        return False
    if queue is None:
        raise handle.refusal(MQRC_HOBJ_ERROR)
    check_close(options)
    release(connection, handle)
    # With its messages, whatever the options.
    delete = queue.dynamic == MQQDT_TEMPORARY_DYNAMIC and handle.created
    if not delete and options & _DELETES and queue.dynamic != MQQDT_PERMANENT_DYNAMIC:
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, queue=queue.name)
    locked = handle.cursor.locked
    if locked is not None:
        queue.let_go(locked)
        handle.cursor.locked = None
    queue.handles -= 1
    if handle.input:
        queue.input_handles -= 1
        if handle.options & MQOO_INPUT_EXCLUSIVE:
            queue.exclusive = False
        if not queue.input_handles:
            connection.engine.queues.triggers.closed(queue)
    if handle.output:
        queue.output_handles -= 1
    handle.close()
    del connection.handles[handle.number]
    if queue.marks is not None:
        browsemarks.closed(connection.engine, handle, queue)
    if locked is not None:
        offer(connection, queue, locked)
    return delete


def must_delete(connection: Connection, handle: Handle, options: int) -> bool:
    """Say whether a close has to delete a permanent dynamic queue first, or refuse the close. May stall.

    All other checks are made by `close`.
    """
    queue = handle.queue
    if queue is None or not connection.open or handle.owner != connection.number:
        return False
    check_close(options)
    if not options & _DELETES or queue.dynamic != MQQDT_PERMANENT_DYNAMIC or queue.deleted:
        return False
    if queue.name in connection.engine.topics.managed:
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, queue=queue.name)  # it goes with its subscription
    if queue.creator != connection.principal:
        authority = connection.engine.authority
        authority.authorise(connection.principal, MQOT_Q, queue.name, DELETE, MQRQ_CLOSE_NOT_AUTHORIZED, options)
    release(connection, handle)
    return True
