"""Distribution lists, as programs of both packages make them with ctypes, by every way."""

import ctypes
import struct
from typing import Any

import pytest
from tests.support.programs import Site

QUEUES = (b"DEV.QUEUE.1", b"DEV.QUEUE.2", b"DEV.QUEUE.3")


class Records:
    """Object records, and room for the responses."""

    def __init__(self, *queues: bytes) -> None:
        self.objects = ctypes.create_string_buffer(b"".join([queue.ljust(48) + b" " * 48 for queue in queues]))
        self.responses = ctypes.create_string_buffer(8 * len(queues))
        self.count = len(queues)

    def descriptor(self, face: Any) -> Any:
        return face.OD(
            Version=face.CMQC.MQOD_VERSION_2,
            RecsPresent=self.count,
            ObjectRecPtr=ctypes.addressof(self.objects),
            ResponseRecPtr=ctypes.addressof(self.responses),
        )

    @property
    def answers(self) -> list[tuple[int, ...]]:
        return [struct.unpack_from("=ii", self.responses, 8 * place) for place in range(self.count)]


def test_a_message_to_several_queues(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    records = Records(*QUEUES)
    od = records.descriptor(face)
    listed = face.Queue(site.connect(), od, cmqc.MQOO_OUTPUT)
    assert (od.KnownDestCount, od.InvalidDestCount) == (3, 0)
    ids = ctypes.create_string_buffer(b"mine".ljust(24, b"\0") + bytes(48))
    pmo = face.PMO(
        Version=cmqc.MQPMO_VERSION_2,
        RecsPresent=3,
        PutMsgRecFields=cmqc.MQPMRF_MSG_ID,
        PutMsgRecPtr=ctypes.addressof(ids),
    )
    listed.put(b"to all", face.MD(), pmo)
    assert (pmo.KnownDestCount, pmo.UnknownDestCount, pmo.InvalidDestCount) == (3, 0, 0)
    for place, name in enumerate(QUEUES):
        md = face.MD()
        assert site.queue(name.decode()).get(None, md) == b"to all"
        assert md.MsgId == ids.raw[24 * place : 24 * place + 24]
    assert ids.raw.startswith(b"mine\0")
    listed.close()


def test_what_became_of_each(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    records = Records(QUEUES[0], b"NO.SUCH", QUEUES[2])
    manager = site.connect()
    md, pmo = face.MD(), face.PMO(Version=cmqc.MQPMO_VERSION_2)
    with pytest.raises(face.MQMIError) as warned:
        manager.put1(records.descriptor(face), b"to two", md, pmo)
    assert (warned.value.comp, warned.value.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_MULTIPLE_REASONS)
    assert records.answers == [(0, 0), (cmqc.MQCC_FAILED, cmqc.MQRC_UNKNOWN_OBJECT_NAME), (0, 0)]
    assert site.queue(QUEUES[0].decode()).get() == site.queue(QUEUES[2].decode()).get() == b"to two"
    with pytest.raises(face.MQMIError) as opened:
        face.Queue(manager, records.descriptor(face), cmqc.MQOO_OUTPUT)
    assert (opened.value.comp, opened.value.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_MULTIPLE_REASONS)
    assert records.answers[1] == (cmqc.MQCC_FAILED, cmqc.MQRC_UNKNOWN_OBJECT_NAME)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"RecsPresent": -1}, "MQRC_RECS_PRESENT_ERROR"),
        ({"RecsPresent": 1 << 20}, "MQRC_RECS_PRESENT_ERROR"),
        ({"ObjectName": b"DEV.QUEUE.1"}, "MQRC_OBJECT_NAME_ERROR"),
        ({"ObjectQMgrName": b"QM1"}, "MQRC_OBJECT_Q_MGR_NAME_ERROR"),
        ({"ObjectRecPtr": 0}, "MQRC_OBJECT_RECORDS_ERROR"),
        ({"ObjectRecOffset": 168}, "MQRC_OBJECT_RECORDS_ERROR"),
        ({"ResponseRecOffset": 168}, "MQRC_RESPONSE_RECORDS_ERROR"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_lists_that_are_none(site: Site, wrong: dict[str, Any], reason: str) -> None:
    face, cmqc = site.face, site.face.CMQC
    records = Records(*QUEUES)
    od = records.descriptor(face)
    for field, value in wrong.items():
        od[field] = value
    with pytest.raises(face.MQMIError) as refused:
        face.Queue(site.connect(), od, cmqc.MQOO_OUTPUT)
    assert refused.value.reason == getattr(cmqc, reason)


def test_records_for_what_is_no_list(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    pmo = face.PMO(Version=cmqc.MQPMO_VERSION_2, RecsPresent=1)
    with pytest.raises(face.MQMIError) as refused:
        site.queue().put(b"x", face.MD(), pmo)
    assert refused.value.reason == cmqc.MQRC_RECS_PRESENT_ERROR
