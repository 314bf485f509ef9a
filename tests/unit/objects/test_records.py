"""Definitions of every type are stored and read back as they were."""

from hypothesis import given
from tests.support.definitions import definitions

from kew.objects.administration import key_of, new_record
from kew.objects.catalogue import Record, decode_record
from kew.objects.definition import Definition


@given(definitions())
def test_a_record_read_back_has_the_same_values(definition: Definition) -> None:
    record = new_record(definition)
    again = decode_record(record.encode())
    assert (again.key, again.kind, again.values) == (record.key, record.kind, record.values)


def test_an_attribute_that_an_older_record_lacks_takes_its_default() -> None:
    again = decode_record(Record("QUEUE", "QLOCAL", "Q", 16, {"MAXDEPTH": 7}).encode())
    assert again.values["MAXDEPTH"] == 7
    assert again.values["MAXMSGL"] == 4194304


def test_records_of_one_name_stand_side_by_side_and_queues_do_not() -> None:
    one = Definition.of("ADDRESSMAP", "A.*", {"ADDRESS": "10.0.0.1"})
    other = Definition.of("ADDRESSMAP", "A.*", {"ADDRESS": "10.0.0.2"})
    blocked = Definition.of("BLOCKUSER", "A.*", {"USERLIST": "x"})
    assert len({key_of(one), key_of(other), key_of(blocked)}) == 3
    assert key_of(Definition.of("QLOCAL", "Q")) == key_of(Definition.of("QALIAS", "Q"))
    assert key_of(Definition.of("SVRCONN", "C")) != key_of(Definition.of("CLNTCONN", "C"))
