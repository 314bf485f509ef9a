"""The records of distribution lists behind MQOD and MQPMO, in both byte orders and in EBCDIC."""

import pytest

from kew.channels.protocol.dialect import BIG, LITTLE, Dialect
from kew.channels.protocol.distribution import (
    Responses,
    destinations,
    encode_put_fields,
    put_fields,
    put_responses_of,
    responses_of,
    return_put_fields,
    set_destinations,
    set_put_fields,
    set_put_responses,
    set_responses,
)
from kew.channels.protocol.options import PutOptions, decode_put_options
from kew.channels.protocol.structures import ObjectDescriptor, decode_object_descriptor
from kew.formats.mqpmr import PutRecord

DIALECTS = [Dialect(LITTLE, 546, 819, False), Dialect(BIG, 273, 819, False), Dialect(BIG, 785, 500, True)]
NAMES = [("Q.ONE", ""), ("Q_2", "QM%2"), ("", "")]
ALL_FIELDS = 31


@pytest.mark.parametrize("dialect", DIALECTS, ids=["little", "big", "ebcdic"])
@pytest.mark.parametrize("version", [2, 3, 4])
def test_a_list_travels_behind_its_descriptor(dialect: Dialect, version: int) -> None:
    target = ObjectDescriptor()
    target.version = version
    set_destinations(target, NAMES, dialect)
    data = target.encode(dialect)
    there = decode_object_descriptor(data, 0, len(data), dialect)
    assert there.size == len(data)
    assert destinations(there, dialect) == NAMES
    set_responses(there, Responses([(0, 0), (2, 2085), (1, 2136)]), dialect)
    back = there.encode(dialect)
    answered = decode_object_descriptor(back, 0, len(back), dialect)
    assert responses_of(answered, dialect).answers == [(0, 0), (2, 2085), (1, 2136)]
    assert destinations(answered, dialect) == NAMES


@pytest.mark.parametrize("dialect", DIALECTS, ids=["little", "big", "ebcdic"])
@pytest.mark.parametrize("fields", [0, 1, 2, 4, 8, 16, 9, ALL_FIELDS])
def test_records_travel_behind_put_options(dialect: Dialect, fields: int) -> None:
    records = [PutRecord(), PutRecord()]
    records[0].message_id, records[0].group_id = b"m" * 24, b"g" * 24
    records[1].correlation_id, records[1].feedback, records[1].accounting_token = b"c" * 24, -7, b"t" * 32
    options = PutOptions()
    set_put_fields(options, 3, fields, records, dialect)
    data = options.encode(dialect)
    there = decode_put_options(data, 0, len(data), dialect)
    assert there.size == len(data)
    found = put_fields(there, dialect)
    expected = [encode_put_fields(record, fields, dialect) for record in [*records, PutRecord()]]
    assert [encode_put_fields(record, fields, dialect) for record in found] == expected
    found[2].message_id = b"new".ljust(24, b"\0")
    return_put_fields(there, found, dialect)
    set_put_responses(there, Responses([(0, 0), (2, 2053), (2, 2051), (2, 9999)]), dialect)
    back = there.encode(dialect)
    assert len(back) == len(data)
    answered = decode_put_options(back, 0, len(back), dialect)
    assert put_responses_of(answered, dialect).answers == [(0, 0), (2, 2053), (2, 2051)]
    if fields & 1:
        assert put_fields(answered, dialect)[2].message_id == b"new".ljust(24, b"\0")


def test_what_has_no_records_has_no_answers() -> None:
    dialect = DIALECTS[0]
    target = ObjectDescriptor()
    assert destinations(target, dialect) == []
    assert responses_of(target, dialect).answers == []
    set_responses(target, Responses([(0, 0)]), dialect)
    assert target.extra == b""
    options = PutOptions()
    assert put_fields(options, dialect) == []
    assert put_responses_of(options, dialect).answers == []
