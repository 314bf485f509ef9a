"""MQINQ and MQSET: attributes of open queues, by the table of attributes."""

from collections.abc import Iterable, Mapping
from typing import Final

from kew.codes.attributes import (
    MQCA_FIRST,
    MQCA_LAST,
    MQCA_Q_NAME,
    MQCA_TRIGGER_DATA,
    MQIA_CURRENT_Q_DEPTH,
    MQIA_INHIBIT_GET,
    MQIA_INHIBIT_PUT,
    MQIA_OPEN_INPUT_COUNT,
    MQIA_OPEN_OUTPUT_COUNT,
    MQIA_PAGESET_ID,
    MQIA_Q_TYPE,
    MQIA_TRIGGER_CONTROL,
    MQIA_TRIGGER_DEPTH,
    MQIA_TRIGGER_MSG_PRIORITY,
    MQIA_TRIGGER_TYPE,
    MQIAV_NOT_APPLICABLE,
    MQQT_ALIAS,
    MQQT_LOCAL,
    MQQT_REMOTE,
)
from kew.codes.errors import MQError
from kew.codes.positions import KEWCA_POSITIONS
from kew.codes.reasons import (
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_HOBJ_ERROR,
    MQRC_INHIBIT_VALUE_ERROR,
    MQRC_NONE,
    MQRC_NOT_OPEN_FOR_INQUIRE,
    MQRC_NOT_OPEN_FOR_SET,
    MQRC_Q_DELETED,
    MQRC_SELECTOR_ERROR,
    MQRC_SELECTOR_NOT_FOR_TYPE,
    MQRC_TRIGGER_CONTROL_ERROR,
    MQRC_TRIGGER_DEPTH_ERROR,
    MQRC_TRIGGER_MSG_PRIORITY_ERR,
    MQRC_TRIGGER_TYPE_ERROR,
)
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.gets.positions import positions_of
from kew.mqi.objects.definitions import inquire_definition
from kew.mqi.puts.remote import RemoteOutlet
from kew.objects.catalogue import AttributeValue
from kew.objects.schema import ObjectType, object_type
from kew.objects.schema.values import BadValue
from kew.queues.administration import ALIAS, LOCAL, MODEL, REMOTE
from kew.queues.queue import Queue

# Attributes that MQSET may change, with the reason for an invalid value.
_SETTABLE: Final = {
    MQIA_INHIBIT_GET: MQRC_INHIBIT_VALUE_ERROR,
    MQIA_INHIBIT_PUT: MQRC_INHIBIT_VALUE_ERROR,
    MQIA_TRIGGER_CONTROL: MQRC_TRIGGER_CONTROL_ERROR,
    MQIA_TRIGGER_TYPE: MQRC_TRIGGER_TYPE_ERROR,
    MQIA_TRIGGER_DEPTH: MQRC_TRIGGER_DEPTH_ERROR,
    MQIA_TRIGGER_MSG_PRIORITY: MQRC_TRIGGER_MSG_PRIORITY_ERR,
    MQCA_TRIGGER_DATA: MQRC_SELECTOR_ERROR,
}
_NOT_APPLICABLE: Final = "*"  # fills a character attribute that the queue does not have


class Inquired(dict[int, AttributeValue]):
    """Values by selector, with the reason of the warning if the queue lacks an inquired attribute."""

    reason: int = MQRC_NONE


def inquire(connection: Connection, handle: Handle, selectors: Iterable[int]) -> Inquired:
    """MQINQ: give the values of some attributes."""
    connection.check()
    queue = handle.queue
    if handle.owner != connection.number:
        raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
    if handle.definition is not None:
        return Inquired(inquire_definition(handle, handle.definition, selectors))
    remote = isinstance(handle.outlet, RemoteOutlet)
    if not handle.inquire or (queue is None and not remote):
        raise handle.refusal(MQRC_NOT_OPEN_FOR_INQUIRE)
    _refresh_definition(connection, handle)
    stored: Mapping[str, AttributeValue] | None = handle.alias_values
    live = _of_definition(handle)
    if queue is not None and stored is None:
        stored = queue.definition
        live = _of_queue(queue)
    assert stored is not None
    kind = object_type(_kind(handle))
    found = Inquired()
    for selector in selectors:
        spec = kind.by_pcf.get(selector)
        if selector == KEWCA_POSITIONS and queue is not None:
            found[selector] = positions_of(connection.engine, handle, queue)
        elif selector in live:
            found[selector] = live[selector]
        elif spec is not None and spec.keyword in stored:
            found[selector] = spec.to_pcf(stored[spec.keyword])[selector]
        elif _is_of_queues(selector):
            found[selector] = _NOT_APPLICABLE if MQCA_FIRST <= selector <= MQCA_LAST else MQIAV_NOT_APPLICABLE
            found.reason = MQRC_SELECTOR_NOT_FOR_TYPE
        else:
            raise MQError(MQRC_SELECTOR_ERROR, selector=selector)
    return found


def _of_queue(queue: Queue) -> dict[int, AttributeValue]:
    return {
        MQCA_Q_NAME: queue.name,
        MQIA_Q_TYPE: MQQT_LOCAL,
        MQIA_CURRENT_Q_DEPTH: queue.depth,
        MQIA_OPEN_INPUT_COUNT: queue.input_handles,
        MQIA_OPEN_OUTPUT_COUNT: queue.output_handles,
        MQIA_PAGESET_ID: queue.store.page_set.id,
    }


def _of_definition(handle: Handle) -> dict[int, AttributeValue]:
    return {MQCA_Q_NAME: handle.opened_name, MQIA_Q_TYPE: MQQT_REMOTE if _kind(handle) == REMOTE else MQQT_ALIAS}


def _kind(handle: Handle) -> str:
    """Give the object type whose attributes MQINQ and MQSET of a handle use."""
    if isinstance(handle.outlet, RemoteOutlet):
        return handle.outlet.kind
    return LOCAL if handle.alias_values is None else ALIAS


def _refresh_definition(connection: Connection, handle: Handle) -> None:
    """Take over the definition as it is now; one that was deleted, or leads to another queue, is an error."""
    if handle.queue is not None and handle.queue.deleted:
        raise MQError(MQRC_Q_DELETED, queue=handle.queue.name)
    if isinstance(handle.outlet, RemoteOutlet):
        handle.outlet.refresh_definitions(connection.engine, handle)
    elif handle.alias_values is not None:
        handle.refresh_alias(connection.engine.catalogue)


def _is_of_queues(selector: int) -> bool:
    return any(selector in object_type(kind).by_pcf for kind in (LOCAL, ALIAS, MODEL, REMOTE))


def settings(connection: Connection, handle: Handle, values: Mapping[int, int | str]) -> dict[str, AttributeValue]:
    """MQSET: check the new values; gives them as attributes of the definition."""
    connection.check()
    if handle.owner != connection.number:
        raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
    if not handle.set or (handle.queue is None and not isinstance(handle.outlet, RemoteOutlet)):
        raise handle.refusal(MQRC_NOT_OPEN_FOR_SET)
    _refresh_definition(connection, handle)
    kind = object_type(_kind(handle))
    changes: dict[str, AttributeValue] = {}
    for selector, value in values.items():
        _set(kind, selector, value, changes)
    return changes


def _set(kind: ObjectType, selector: int, value: int | str, changes: dict[str, AttributeValue]) -> None:
    wrong = _SETTABLE.get(selector)
    spec = kind.by_pcf.get(selector)
    if wrong is None or spec is None:
        raise MQError(MQRC_SELECTOR_ERROR, selector=selector)
    try:
        wanted = spec.from_pcf({selector: value})
    except BadValue as bad:
        raise MQError(wrong, selector=selector, value=value) from bad
    assert wanted is not None
    if spec.pending and wanted != spec.default:
        raise MQError(MQRC_FUNCTION_NOT_SUPPORTED, attribute=spec.keyword, why=spec.pending)
    changes[spec.keyword] = wanted
