"""The distribution header: read in both byte orders and in EBCDIC, and refused with a place where it is wrong."""

import struct
from collections.abc import Mapping
from random import Random

import pytest

from kew.codes.options import MQPMRF_CORREL_ID, MQPMRF_MSG_ID
from kew.formats import charset, mqdh
from kew.formats.binary import FormatError

NONE: Mapping[str, int] = {}


def built(
    order: str = "<", ebcdic: bool = False, count: int = 2, fields: int = MQPMRF_MSG_ID, wrong: Mapping[str, int] = NONE
) -> bytes:
    """A header with its records."""

    def text(value: bytes) -> bytes:
        return charset.convert(value, 819, 500) if ebcdic else value

    width = 24 * (fields & MQPMRF_MSG_ID != 0) + 24 * (fields & MQPMRF_CORREL_ID != 0)
    names = [text(b"Q%d" % number).ljust(48, text(b" ")) for number in range(count)]
    objects = b"".join([name + text(b"QM2".ljust(48)) for name in names])
    records = b"".join([bytes([number + 1]) * width for number in range(count)])
    values = {
        "length": 48 + len(objects) + len(records),
        "claimed": count,
        "objects": 48,
        "records": 48 + len(objects) if width else 0,
        **wrong,
    }
    return (
        text(b"DH  ")
        + struct.pack(order + "iiii", 1, values["length"], 273, 1208)
        + text(b"MQSTR   ")
        + struct.pack(order + "iiiii", 1, fields, values["claimed"], values["objects"], values["records"])
        + objects
        + records
    )


@pytest.mark.parametrize(("order", "ebcdic"), [("<", False), (">", False), (">", True)])
def test_the_destinations_and_their_records(order: str, ebcdic: bool) -> None:
    data = built(order, ebcdic)
    header = mqdh.decode(data + b"behind", 500 if ebcdic else 819)
    assert (header.encoding, header.ccsid, header.format, header.flags) == (273, 1208, b"MQSTR   ", 1)
    assert header.length == len(data)
    assert [each.queue.rstrip() for each in header.destinations] == [b"Q0", b"Q1"]
    assert [each.queue_manager.rstrip() for each in header.destinations] == [b"QM2", b"QM2"]
    assert [each.record.message_id[:1] for each in header.destinations] == [b"\1", b"\2"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"length": 47},
        {"length": 100000},
        {"claimed": 0},
        {"claimed": -1},
        {"claimed": 1000000},
        {"objects": 40},
        {"objects": 1 << 30},
        {"records": 47},
        {"records": 1 << 30},
    ],
    ids=str,
)
def test_a_wrong_header_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(FormatError, match="MQDH"):
        mqdh.decode(built(wrong=wrong), 819)


def test_no_damage_does_worse_than_to_be_refused() -> None:
    rng = Random(24)
    for _ in range(3000):
        data = bytearray(built(fields=MQPMRF_MSG_ID | MQPMRF_CORREL_ID))
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(48)] = rng.choice((0, 1, 0x7F, 0x80, 0xFF))
        try:
            mqdh.decode(bytes(data[: rng.randrange(len(data)) + 1]), 819)
        except FormatError as problem:
            assert problem.offset >= 0
