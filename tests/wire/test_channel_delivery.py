"""What becomes of messages between queue managers: authority, reports, distribution, conversion, length."""

from pathlib import Path

import pytest
from tests.support.network import eventually
from tests.support.partners import CHANNEL, REMOTE, TARGET, Partner, partners
from tests.unit.formats.test_mqdh import built

from kew.codes.attributes import MQCHS_PAUSED, MQCHS_RETRYING
from kew.codes.options import (
    MQENC_NATIVE,
    MQFB_COA,
    MQFB_COD,
    MQFMT_DIST_HEADER,
    MQFMT_STRING,
    MQFMT_XMIT_Q_HEADER,
    MQRO_COA,
    MQRO_COD,
    MQRO_DISCARD_MSG,
    MQRO_EXCEPTION_WITH_FULL_DATA,
)
from kew.codes.reasons import MQRC_NOT_AUTHORIZED, MQRC_Q_FULL, MQRC_UNKNOWN_OBJECT_NAME
from kew.formats import mqdlh, mqxqh
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqxqh import TransmissionHeader

BACK = "QM2.TO.QM1"


def arrived(two: Partner, count: int, queue_name: str = TARGET) -> bool:
    queue = two.manager.host.queues.by_name[queue_name]
    return eventually(lambda: queue.depth == count and not queue.uncommitted, 30)


def way_back(one: Partner, two: Partner) -> None:
    """Define a channel from QM2 to QM1, and a queue for replies there."""
    one.listen()
    one.mqsc(
        "DEFINE QLOCAL(REPLIES)",
        f"DEFINE CHANNEL({BACK}) CHLTYPE(RCVR) MCAUSER('app')",
        f"SET CHLAUTH({BACK}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,SETALL)",
    )
    two.mqsc(
        "DEFINE QLOCAL(QM1) USAGE(XMITQ)",
        f"DEFINE CHANNEL({BACK}) CHLTYPE(SDR) XMITQ(QM1) CONNAME('127.0.0.1({one.port})')",
        f"START CHANNEL({BACK})",
    )


def in_transit(data: bytes, descriptor: MessageDescriptor, queue: bytes = b"") -> bytes:
    return mqxqh.encode(TransmissionHeader(queue.ljust(48), b"QM2".ljust(48), descriptor)) + data


def test_confirmations_of_arrival_and_delivery_travel_back(tmp_path: Path) -> None:
    with partners(tmp_path) as (one, two):
        way_back(one, two)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        one.put(REMOTE, b"question", reply_to_queue=b"REPLIES".ljust(48), report=MQRO_COA | MQRO_COD)
        coa = one.get("REPLIES")
        assert coa.descriptor.feedback == MQFB_COA
        assert two.get(TARGET).data == b"question"
        assert one.get("REPLIES").descriptor.feedback == MQFB_COD


def test_a_message_that_cannot_be_put_returns_to_its_sender(tmp_path: Path) -> None:
    with partners(tmp_path, receiver="MCAUSER('app') MRRTY(0)") as (one, two):
        way_back(one, two)
        two.mqsc(f"ALTER QLOCAL({TARGET}) MAXDEPTH(0)")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        report = MQRO_EXCEPTION_WITH_FULL_DATA | MQRO_DISCARD_MSG
        one.put(REMOTE, b"returned", reply_to_queue=b"REPLIES".ljust(48), report=report)
        returned = one.get("REPLIES")
        assert returned.descriptor.feedback == MQRC_Q_FULL
        assert returned.data == b"returned"
        assert two.depth("DEAD") == 0


@pytest.mark.parametrize(("authority", "delivered"), [("DEF", True), ("CTX", False)])
def test_the_user_in_the_message_counts_with_context_authority(tmp_path: Path, authority: str, delivered: bool) -> None:
    with partners(tmp_path, receiver=f"MCAUSER('app') PUTAUT({authority})") as (one, two):
        two.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(ALTUSR)")
        inner = MessageDescriptor(persistence=1, user_identifier=b"nobody".ljust(12))
        one.put("QM2", in_transit(b"x", inner, TARGET.encode()), format=MQFMT_XMIT_Q_HEADER)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        if delivered:
            assert two.get(TARGET).descriptor.user_identifier.rstrip() == b"nobody"
        else:
            assert mqdlh.decode(two.get("DEAD").data).reason == MQRC_NOT_AUTHORIZED


def test_a_partner_is_mapped_to_a_user_by_its_queue_manager(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)", "MCAUSER('nobody')") as (one, two):
        two.mqsc(
            f"SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)",
            f"SET CHLAUTH({CHANNEL}) TYPE(QMGRMAP) QMNAME(QM1) USERSRC(MAP) MCAUSER('app')",
        )
        one.put(REMOTE, b"x")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, 1)
        assert "MCAUSER(app)" in two.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) MCAUSER")
        one.mqsc(f"STOP CHANNEL({CHANNEL}) STATUS(INACTIVE)")
        assert two.reaches(0)
        two.mqsc(
            f"SET CHLAUTH({CHANNEL}) TYPE(QMGRMAP) QMNAME(QM1) ACTION(REMOVE)",
            f"SET CHLAUTH({CHANNEL}) TYPE(QMGRMAP) QMNAME(*) USERSRC(NOACCESS)",
        )
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)


@pytest.mark.parametrize("persistent", [True, False])
def test_a_distribution_header_is_split_at_the_receiving_end(tmp_path: Path, persistent: bool) -> None:
    with partners(tmp_path, receiver="MCAUSER('app') MRRTY(50) MRTMR(20)") as (one, two):
        two.mqsc("DEFINE QLOCAL(Q0)", "DEFINE QLOCAL(Q2) MAXDEPTH(1)", "DEFINE QLOCAL(Q3)")
        two.put("Q2", b"in the way")
        inner = MessageDescriptor(
            persistence=persistent, format=MQFMT_DIST_HEADER, encoding=MQENC_NATIVE, ccsid=819, message_id=b"c" * 24
        )
        whole = in_transit(built(count=4) + b"to all", inner)
        one.put("QM2", whole, persistent=persistent, format=MQFMT_XMIT_Q_HEADER)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert two.reaches(MQCHS_PAUSED), mqdlh.decode(two.get("DEAD").data).reason
        assert two.get("Q2").data == b"in the way"
        for name, record in (("Q0", 1), ("Q2", 3), ("Q3", 4)):
            found = two.get(name)
            assert found.data == b"to all"
            assert found.descriptor.format == MQFMT_STRING
            assert found.descriptor.message_id == bytes([record]) * 24
            assert two.depth(name) == 0, "delivered twice after the pause"
        header = mqdlh.decode(two.get("DEAD").data)
        assert header.reason == MQRC_UNKNOWN_OBJECT_NAME
        assert header.destination_queue.rstrip() == b"Q1"


def test_a_message_is_converted_for_the_partner(tmp_path: Path) -> None:
    with partners(tmp_path, "CONVERT(YES)") as (one, two):
        one.put(REMOTE, "Käse".encode("latin-1"), format=MQFMT_STRING, ccsid=819, encoding=273)
        one.put(REMOTE, b"\x01\x02", ccsid=819, encoding=273)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        found = two.get(TARGET)
        assert found.data == "Käse".encode()
        assert (found.descriptor.ccsid, found.descriptor.encoding) == (1208, MQENC_NATIVE)
        assert two.get(TARGET).data == b"\x01\x02"


def test_a_message_that_cannot_be_converted_is_a_dead_letter_here(tmp_path: Path) -> None:
    with partners(tmp_path, "CONVERT(YES)") as (one, two):
        one.mqsc("DEFINE QLOCAL(DEAD)", "ALTER QMGR DEADQ(DEAD) CHLEV(EXCEPTION)")
        one.put(REMOTE, b"\x00\x01", format=b"MQPCF   ", ccsid=819)
        one.put(REMOTE, b"after", format=MQFMT_STRING, ccsid=819)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert two.get(TARGET).data == b"after"
        assert mqdlh.decode(one.get("DEAD").data).reason == 2110
        assert eventually(lambda: "AMQ9541E" in one.errors())
        assert eventually(lambda: one.depth("SYSTEM.ADMIN.CHANNEL.EVENT") == 1)


def test_a_message_of_100_megabytes(tmp_path: Path) -> None:
    longest = 100 << 20
    with partners(tmp_path, f"MAXMSGL({longest})", f"MCAUSER('app') MAXMSGL({longest})") as (one, two):
        for end in (one, two):
            end.mqsc(f"ALTER QMGR MAXMSGL({longest})")
        one.mqsc(f"ALTER QLOCAL(QM2) MAXMSGL({longest})", f"START CHANNEL({CHANNEL})")
        two.mqsc(f"ALTER QLOCAL({TARGET}) MAXMSGL({longest})")
        data = bytes(range(256)) * (40 << 12)
        one.put(REMOTE, data, persistent=False)
        assert arrived(two, 1)
        assert two.get(TARGET, 60).data == data
