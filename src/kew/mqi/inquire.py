"""MQINQ and MQSET: attributes of open queues."""

from collections.abc import Iterable, Mapping
from typing import Final

from kew.codes.attributes import (
    MQCA_BASE_OBJECT_NAME,
    MQCA_Q_DESC,
    MQCA_Q_NAME,
    MQCA_STORAGE_CLASS,
    MQIA_CURRENT_Q_DEPTH,
    MQIA_DEF_INPUT_OPEN_OPTION,
    MQIA_DEF_PERSISTENCE,
    MQIA_DEF_PRIORITY,
    MQIA_DEFINITION_TYPE,
    MQIA_INDEX_TYPE,
    MQIA_INHIBIT_GET,
    MQIA_INHIBIT_PUT,
    MQIA_MAX_MSG_LENGTH,
    MQIA_MAX_Q_DEPTH,
    MQIA_MSG_DELIVERY_SEQUENCE,
    MQIA_OPEN_INPUT_COUNT,
    MQIA_OPEN_OUTPUT_COUNT,
    MQIA_Q_TYPE,
    MQIA_SHAREABILITY,
    MQQT_ALIAS,
    MQQT_LOCAL,
)
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_INHIBIT_VALUE_ERROR,
    MQRC_NOT_OPEN_FOR_INQUIRE,
    MQRC_NOT_OPEN_FOR_SET,
    MQRC_SELECTOR_ERROR,
    MQRC_SELECTOR_NOT_FOR_TYPE,
)
from kew.mqi.connect import Connection
from kew.mqi.definitions import inquire_definition
from kew.mqi.handles import Handle
from kew.objects.catalogue import AttributeValue
from kew.queues.private import PrivateQueue

_KEYWORDS: Final = {
    MQIA_INHIBIT_PUT: "PUT",
    MQIA_INHIBIT_GET: "GET",
}


def inquire(connection: Connection, handle: Handle, selectors: Iterable[int]) -> dict[int, AttributeValue]:
    """MQINQ: the values of some attributes."""
    connection.check()
    queue = handle.queue
    if handle.definition is not None:
        return inquire_definition(handle, handle.definition, selectors)
    if not handle.inquire or queue is None:
        raise handle.refusal(MQRC_NOT_OPEN_FOR_INQUIRE)
    found: dict[int, AttributeValue] = {}
    for selector in selectors:
        if handle.alias_values is None:
            found[selector] = _of_queue(queue, connection.engine.catalogue.description(queue.name), selector)
        else:
            found[selector] = _of_alias(handle, handle.alias_values, selector)
    return found


def _of_queue(queue: PrivateQueue, stored: Mapping[str, AttributeValue], selector: int) -> AttributeValue:
    live: dict[int, AttributeValue] = {
        MQCA_Q_NAME: queue.name,
        MQCA_Q_DESC: stored.get("DESCR", ""),
        MQCA_STORAGE_CLASS: stored.get("STGCLASS", ""),
        MQIA_Q_TYPE: MQQT_LOCAL,
        MQIA_CURRENT_Q_DEPTH: queue.depth,
        MQIA_MAX_Q_DEPTH: queue.max_depth,
        MQIA_MAX_MSG_LENGTH: queue.max_length,
        MQIA_OPEN_INPUT_COUNT: queue.input_handles,
        MQIA_OPEN_OUTPUT_COUNT: queue.output_handles,
        MQIA_INHIBIT_PUT: int(not queue.put_allowed),
        MQIA_INHIBIT_GET: int(not queue.get_allowed),
        MQIA_DEF_PRIORITY: queue.default_priority,
        MQIA_DEF_PERSISTENCE: queue.default_persistence,
        MQIA_DEF_INPUT_OPEN_OPTION: queue.default_input,
        MQIA_SHAREABILITY: int(queue.shareable),
        MQIA_MSG_DELIVERY_SEQUENCE: int(not queue.by_priority),
        MQIA_INDEX_TYPE: queue.index_type,
        MQIA_DEFINITION_TYPE: queue.dynamic,
    }
    if selector not in live:
        raise MQError(MQRC_SELECTOR_ERROR, selector=selector)
    return live[selector]


def _of_alias(handle: Handle, values: Mapping[str, AttributeValue], selector: int) -> AttributeValue:
    known: dict[int, AttributeValue] = {
        MQCA_Q_NAME: handle.opened_name,
        MQCA_Q_DESC: values.get("DESCR", ""),
        MQCA_BASE_OBJECT_NAME: values.get("TARGET", ""),
        MQIA_Q_TYPE: MQQT_ALIAS,
        MQIA_INHIBIT_PUT: values.get("PUT", 0),
        MQIA_INHIBIT_GET: values.get("GET", 0),
        MQIA_DEF_PRIORITY: handle.default_priority,
        MQIA_DEF_PERSISTENCE: handle.default_persistence,
    }
    if selector not in known:
        raise MQError(MQRC_SELECTOR_NOT_FOR_TYPE, selector=selector)
    return known[selector]


def settings(connection: Connection, handle: Handle, values: Mapping[int, int]) -> dict[str, AttributeValue]:
    """MQSET: check the new values; gives them as attributes of the definition."""
    connection.check()
    if not handle.set or handle.queue is None:
        raise handle.refusal(MQRC_NOT_OPEN_FOR_SET)
    changes: dict[str, AttributeValue] = {}
    for selector, value in values.items():
        keyword = _KEYWORDS.get(selector)
        if keyword is None:
            raise MQError(MQRC_SELECTOR_ERROR, selector=selector)
        if value not in (0, 1):
            raise MQError(MQRC_INHIBIT_VALUE_ERROR, selector=selector, value=value)
        changes[keyword] = value
    return changes
