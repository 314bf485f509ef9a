"""MQINQ and MQSET."""

import pytest
from tests.support.hosting import EVERYTHING, after_power_loss, create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.attributes import (
    MQCA_BASE_OBJECT_NAME,
    MQCA_Q_DESC,
    MQCA_Q_NAME,
    MQCA_STORAGE_CLASS,
    MQIA_CURRENT_Q_DEPTH,
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
    MQIAV_NOT_APPLICABLE,
    MQQT_ALIAS,
    MQQT_LOCAL,
)
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INQUIRE, MQOO_OUTPUT, MQOO_SET, MQPMO_SYNCPOINT
from kew.codes.reasons import (
    MQRC_GET_INHIBITED,
    MQRC_INHIBIT_VALUE_ERROR,
    MQRC_NOT_OPEN_FOR_INQUIRE,
    MQRC_NOT_OPEN_FOR_SET,
    MQRC_PUT_INHIBITED,
    MQRC_SELECTOR_ERROR,
    MQRC_SELECTOR_NOT_FOR_TYPE,
)


def test_attributes_of_a_queue() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, DESCR="what it is for", DEFPRTY=4, DEFPSIST=1, INDXTYPE=2, MSGDLVSQ=1, SHARE=1)
    connection.put(queue, passing(), b"x")
    connection.put(queue, passing(), b"y", MQPMO_SYNCPOINT)
    opened(host, options=MQOO_OUTPUT)
    expected = {
        MQCA_Q_NAME: "Q1",
        MQCA_Q_DESC: "what it is for",
        MQIA_Q_TYPE: MQQT_LOCAL,
        MQIA_CURRENT_Q_DEPTH: 2,
        MQIA_MAX_Q_DEPTH: 999_999_999,
        MQIA_MAX_MSG_LENGTH: 104_857_600,
        MQIA_OPEN_INPUT_COUNT: 1,
        MQIA_OPEN_OUTPUT_COUNT: 2,
        MQIA_INHIBIT_PUT: 0,
        MQIA_INHIBIT_GET: 0,
        MQIA_DEF_PRIORITY: 4,
        MQIA_DEF_PERSISTENCE: 1,
        MQIA_SHAREABILITY: 1,
        MQIA_MSG_DELIVERY_SEQUENCE: 1,
        MQIA_INDEX_TYPE: 2,
        MQIA_DEFINITION_TYPE: 1,
    }
    assert connection.inquire(queue, expected) == expected


def test_attributes_of_an_alias() -> None:
    host = create(SimDisk(), small())
    queue_of(host)
    host.administration.define("QALIAS", "A1", {"TARGET": "Q1", "DEFPRTY": 4})
    connection, alias = opened(host, "A1")
    expected = {MQCA_Q_NAME: "A1", MQCA_BASE_OBJECT_NAME: "Q1", MQIA_Q_TYPE: MQQT_ALIAS, MQIA_DEF_PRIORITY: 4}
    assert connection.inquire(alias, expected) == expected
    found = connection.inquire(alias, [MQIA_CURRENT_Q_DEPTH, MQCA_STORAGE_CLASS, MQIA_DEF_PRIORITY])
    assert found.reason == MQRC_SELECTOR_NOT_FOR_TYPE
    assert found == {MQIA_CURRENT_Q_DEPTH: MQIAV_NOT_APPLICABLE, MQCA_STORAGE_CLASS: "*", MQIA_DEF_PRIORITY: 4}


def test_an_attribute_that_does_not_exist() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    with pytest.raises(MQError) as error:
        connection.inquire(queue, [999_999])
    assert error.value.reason == MQRC_SELECTOR_ERROR


def test_the_handle_must_be_open_for_it() -> None:
    host = create(SimDisk(), small())
    queue_of(host)
    connection, queue = opened(host, options=MQOO_OUTPUT)
    with pytest.raises(MQError) as error:
        connection.inquire(queue, [])
    assert error.value.reason == MQRC_NOT_OPEN_FOR_INQUIRE
    with pytest.raises(MQError) as error:
        connection.set(queue, {})
    assert error.value.reason == MQRC_NOT_OPEN_FOR_SET


def test_inhibiting_puts_and_gets_is_durable() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    queue_of(host)
    connection, queue = opened(host, options=EVERYTHING | MQOO_SET)
    connection.put(queue, lasting(), b"x")
    connection.set(queue, {MQIA_INHIBIT_PUT: 1, MQIA_INHIBIT_GET: 1})
    for each in (host, after_power_loss(disk, settings)):
        connection, queue = opened(each, options=EVERYTHING | MQOO_SET)
        assert connection.inquire(queue, [MQIA_INHIBIT_PUT, MQIA_INHIBIT_GET]) == {
            MQIA_INHIBIT_PUT: 1,
            MQIA_INHIBIT_GET: 1,
        }
        with pytest.raises(MQError) as error:
            connection.put(queue, lasting(), b"x")
        assert error.value.reason == MQRC_PUT_INHIBITED
        with pytest.raises(MQError) as error:
            connection.get(queue)
        assert error.value.reason == MQRC_GET_INHIBITED
        connection.set(queue, {MQIA_INHIBIT_PUT: 0, MQIA_INHIBIT_GET: 0})
        assert connection.get(queue).data == b"x"


def test_values_and_attributes_that_cannot_be_set() -> None:
    host = create(SimDisk(), small())
    queue_of(host)
    connection, queue = opened(host, options=MQOO_SET | MQOO_INQUIRE)
    with pytest.raises(MQError) as error:
        connection.set(queue, {MQIA_INHIBIT_PUT: 2})
    assert error.value.reason == MQRC_INHIBIT_VALUE_ERROR
    with pytest.raises(MQError) as error:
        connection.set(queue, {MQIA_INHIBIT_PUT: 1, MQIA_MAX_Q_DEPTH: 5})
    assert error.value.reason == MQRC_SELECTOR_ERROR
    assert connection.inquire(queue, [MQIA_INHIBIT_PUT]) == {MQIA_INHIBIT_PUT: 0}, "none or all"


def test_what_is_set_through_an_alias_is_the_alias() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    host.administration.define("QALIAS", "A1", {"TARGET": "Q1"})
    alias = connection.open("A1", EVERYTHING | MQOO_SET)
    connection.set(alias, {MQIA_INHIBIT_PUT: 1})
    assert connection.inquire(alias, [MQIA_INHIBIT_PUT]) == {MQIA_INHIBIT_PUT: 1}
    assert connection.inquire(queue, [MQIA_INHIBIT_PUT]) == {MQIA_INHIBIT_PUT: 0}
    with pytest.raises(MQError) as error:
        connection.put(alias, lasting(), b"x")
    assert error.value.reason == MQRC_PUT_INHIBITED
    connection.put(queue, lasting(), b"x")
