"""Life of message channels: limits, retries, addresses, adoption, and what the error log says of it."""

import socket
import time
from pathlib import Path

import pytest
from tests.support.network import eventually
from tests.support.partners import CHANNEL, REMOTE, TARGET, Partner, partners
from tests.support.proxy import Proxy

from kew import client
from kew.channels.channelrecords import ChannelRecords
from kew.channels.mca.calling import LocalPlace
from kew.channels.transport.address import AddressError
from kew.codes.attributes import MQCHS_PAUSED, MQCHS_RETRYING, MQCHS_RUNNING, MQCHS_STARTING, MQMON_MEDIUM
from kew.codes.options import MQOO_OUTPUT
from kew.codes.reasons import MQRC_CHANNEL_AUTO_DEF_ERROR, MQRC_CHANNEL_AUTO_DEF_OK
from kew.formats import mqxqh, pcf
from kew.qmgr.manager import CommandFailed

INACTIVE = 0


def arrived(two: Partner, count: int) -> bool:
    queue = two.manager.host.queues.by_name[TARGET]
    return eventually(lambda: queue.depth == count and not queue.uncommitted, 30)


def test_a_message_that_cannot_be_stored_uses_up_the_retries(tmp_path: Path) -> None:
    """The channel begins to run each time, and moves nothing: that is no success that restores the count."""
    with partners(tmp_path, "SHORTTMR(0) SHORTRTY(3) LONGRTY(0)", "MCAUSER('app') USEDLQ(NO) MRRTY(0)") as (one, two):
        two.mqsc(f"ALTER QLOCAL({TARGET}) PUT(DISABLED)")
        one.put(REMOTE, b"stays")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert eventually(lambda: "STATUS(STOPPED)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL})"))
        assert two.errors().count("AMQ9565E") == 4
        assert one.held() == 1
        assert two.depth("DEAD") == 0, "USEDLQ(NO) keeps the dead-letter queue out of it"


def test_a_channel_that_has_worked_again_has_all_its_retries(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(1) SHORTRTY(5)") as (one, two), Proxy(two.port) as proxy:
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('{proxy.address}')")
        proxy.cut()
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        assert "SHORTRTS(4)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) SHORTRTS")
        proxy.mend()
        assert one.reaches(MQCHS_RUNNING)
        assert eventually(lambda: "SHORTRTS(5)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) SHORTRTS"))
        one.put(REMOTE, b"x")
        assert arrived(two, 1)


def test_the_sending_end_is_told_of_dead_letters(tmp_path: Path) -> None:
    with partners(tmp_path) as (one, two):
        one.mqsc("DEFINE QREMOTE(NOWHERE) RNAME(NO.SUCH) RQMNAME(QM2) XMITQ(QM2)")
        one.put("NOWHERE", b"dead")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert eventually(lambda: two.depth("DEAD") == 1)
        assert eventually(lambda: "AMQ9544W" in one.errors())


def test_fast_messages_that_a_cut_has_taken_are_counted(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two), Proxy(two.port) as proxy:
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('{proxy.address}')", f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RUNNING)
        two.mqsc(f"ALTER QLOCAL({TARGET}) MAXDEPTH(1)")
        one.put(REMOTE, *[b"%d" % number for number in range(5)], persistent=False)
        assert two.reaches(MQCHS_PAUSED)
        proxy.cut()
        assert one.reaches(MQCHS_RETRYING)
        assert eventually(lambda: "CSQX905W" in one.errors())


def test_the_next_address_is_tried_where_a_partner_does_not_let_the_channel_begin(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two), Proxy(two.port, lambda: 100) as hostile:
        with socket.create_server(("127.0.0.1", 0)) as free:
            nobody = free.getsockname()[1]
        addresses = ",".join(f"127.0.0.1({port})" for port in (nobody, hostile.port, two.port))
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('{addresses}')")
        one.put(REMOTE, b"found")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert two.get(TARGET).data == b"found"
        assert len(hostile.lines) == 1
        assert eventually(lambda: "AMQ9209E" in one.errors())
        assert f"CONNAME(127.0.0.1({two.port}))" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) CONNAME")


def test_all_addresses_in_vain_are_one_retry(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two):
        two.mqsc(f"DELETE CHANNEL({CHANNEL})")
        twice = ",".join([f"127.0.0.1({two.port})"] * 2)
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('{twice}')", f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        assert "SHORTRTS(9)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) SHORTRTS")
        assert eventually(lambda: one.errors().count("AMQ9999E") == 2)


def free_ports() -> tuple[int, int]:
    """Two ports in a row of which the first is taken by this process until the second was used."""
    for port in range(30000, 60000, 2):
        try:
            for number in (port, port + 1):
                socket.create_server(("127.0.0.1", number)).close()
        except OSError:
            continue
        return port, port + 1
    raise AssertionError("no ports are free")


@pytest.mark.parametrize("attribute", ["LOCLADDR", "OPORTMIN"])
def test_the_first_local_port_of_a_range_that_is_free_is_used(tmp_path: Path, attribute: str) -> None:
    low, high = free_ports()
    with partners(tmp_path) as (one, two), socket.create_server(("127.0.0.1", low)):
        if attribute == "LOCLADDR":
            one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) LOCLADDR('127.0.0.1({low},{high})')")
        else:
            one.mqsc(f"ALTER QMGR OPORTMIN({low}) OPORTMAX({high})")
        one.put(REMOTE, b"x")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, 1)
        assert f"LOCLADDR(127.0.0.1({high}))" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) LOCLADDR")


@pytest.mark.parametrize("wrong", ["host(2,1)", "host(70000)", "host(1", "a b"])
def test_a_local_address_that_is_not_one(wrong: str) -> None:
    with pytest.raises(AddressError, match="LOCLADDR"):
        LocalPlace(wrong)


def second(one: Partner, two: Partner) -> None:
    """Define another channel between the two."""
    one.mqsc(
        "DEFINE QLOCAL(OTHER) USAGE(XMITQ)",
        f"DEFINE CHANNEL(ANOTHER) CHLTYPE(SDR) XMITQ(OTHER) CONNAME('127.0.0.1({two.port})') SHORTTMR(3600)",
    )
    two.mqsc(
        "DEFINE CHANNEL(ANOTHER) CHLTYPE(RCVR) MCAUSER('app')",
        "SET CHLAUTH(ANOTHER) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
    )


def test_a_channel_waits_until_one_more_may_be_active(tmp_path: Path) -> None:
    with partners(tmp_path) as (one, two):
        second(one, two)
        one.mqsc("ALTER QMGR ACTCHL(1) CHLEV(ENABLED)", f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RUNNING)
        one.mqsc("START CHANNEL(ANOTHER)")
        assert one.reaches(MQCHS_STARTING, "ANOTHER")
        assert "STATUS(STARTING)" in one.mqsc("DISPLAY CHSTATUS(ANOTHER)")
        assert eventually(lambda: "AMQ9573E" in one.errors())
        with pytest.raises(CommandFailed, match="AMQ9514E"):
            one.mqsc("START CHANNEL(ANOTHER)")
        one.mqsc(f"STOP CHANNEL({CHANNEL}) STATUS(INACTIVE)")
        assert one.reaches(MQCHS_RUNNING, "ANOTHER")
        assert eventually(lambda: "AMQ9574I" in one.errors())
        one.mqsc("STOP CHANNEL(ANOTHER) STATUS(INACTIVE)")
        assert one.reaches(INACTIVE, "ANOTHER")


def test_a_channel_beyond_the_limit_of_current_ones_is_refused(tmp_path: Path) -> None:
    with partners(tmp_path) as (one, two):
        second(one, two)
        one.mqsc("ALTER QMGR MAXCHL(1)", f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RUNNING)
        with pytest.raises(CommandFailed, match="AMQ9513E"):
            one.mqsc("START CHANNEL(ANOTHER)")


def hang_up(one: Partner, two: Partner, proxy: Proxy) -> None:
    """Lose the line so that only the sending end notices, and let it call again."""
    proxy.leave()
    assert one.reaches(MQCHS_RETRYING)
    one.mqsc(f"START CHANNEL({CHANNEL})")


def test_a_partner_that_calls_again_takes_its_place(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two), Proxy(two.port) as proxy:
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('{proxy.address}')", f"START CHANNEL({CHANNEL})")
        for number in range(3):
            assert one.reaches(MQCHS_RUNNING)
            one.put(REMOTE, b"%d" % number)
            assert arrived(two, number + 1)
            hang_up(one, two, proxy)
        assert one.reaches(MQCHS_RUNNING)
        assert two.errors().count("AMQ9524E") == 3
        hang_up(one, two, proxy)
        assert one.reaches(MQCHS_RETRYING), "two queue managers of one name would go on for ever"
        assert eventually(lambda: "CSQX906E" in two.errors())


def test_without_adoption_the_earlier_instance_stays(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two), Proxy(two.port) as proxy:
        two.mqsc("ALTER QMGR ADOPTMCA(NO)")
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('{proxy.address}')", f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RUNNING)
        hang_up(one, two, proxy)
        assert one.reaches(MQCHS_RETRYING)
        assert eventually(lambda: "ADOPTMCA(NO)" in two.errors())
        two.mqsc(f"STOP CHANNEL({CHANNEL}) MODE(FORCE) STATUS(INACTIVE)")
        assert two.reaches(INACTIVE)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RUNNING)


def test_a_partner_that_is_silent_for_longer_than_the_receive_time_is_given_up(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600) HBINT(600)", "MCAUSER('app') HBINT(600)") as (one, two):
        two.mqsc("ALTER QMGR RCVTTYPE(EQUAL) RCVTIME(1)")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        began = time.monotonic()
        assert one.reaches(MQCHS_RETRYING, seconds=90)
        assert time.monotonic() - began < 80, "HBINT(600) would have been 660 seconds"
        assert eventually(lambda: "AMQ9259E" in two.errors())


@pytest.mark.parametrize("mode", ["QUIESCE", "FORCE", "TERMINATE"])
@pytest.mark.parametrize("selected", ["CONNAME('127.0.0.1')", "QMNAME(QM1)"])
def test_one_instance_is_stopped_by_its_address_or_queue_manager(tmp_path: Path, mode: str, selected: str) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two):
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RUNNING)
        for other in ("CONNAME('10.1.1.1')", "QMNAME(QM9)"):
            with pytest.raises(CommandFailed, match="AMQ9533"):
                two.mqsc(f"STOP CHANNEL({CHANNEL}) {other}")
        with pytest.raises(CommandFailed):
            two.mqsc(f"STOP CHANNEL({CHANNEL}) {selected} STATUS(STOPPED)")
        two.mqsc(f"STOP CHANNEL({CHANNEL}) {selected} MODE({mode})")
        assert two.reaches(INACTIVE)
        assert "STATUS(STOPPED)" not in "".join(two.mqsc(f"DISPLAY CHANNEL({CHANNEL})"))
        assert eventually(lambda: one.state() is None or one.state().status == MQCHS_RETRYING)  # type: ignore[union-attr]


def events(end: Partner) -> list[int]:
    """The reasons of the channel events that were told."""
    found: list[int] = []
    queue = "SYSTEM.ADMIN.CHANNEL.EVENT"
    while eventually(lambda: end.depth(queue) > 0, 2):
        found.append(pcf.decode(end.get(queue).data).header.reason)
    return found


def test_a_channel_that_nobody_has_defined_is_defined_when_a_sender_names_it(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two):
        two.mqsc(
            f"DELETE CHANNEL({CHANNEL})",
            "ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED)",
            "ALTER CHANNEL(SYSTEM.AUTO.RECEIVER) CHLTYPE(RCVR) MCAUSER('app') BATCHSZ(7)",
        )
        one.put(REMOTE, b"x")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, 1)
        said = two.mqsc(f"DISPLAY CHANNEL({CHANNEL}) BATCHSZ MCAUSER")
        assert "CHLTYPE(RCVR)" in said
        assert "BATCHSZ(7)" in said
        assert eventually(lambda: "CSQX907I" in two.errors())
        assert events(two) == [MQRC_CHANNEL_AUTO_DEF_OK]


def test_nothing_is_defined_without_being_asked_for(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two):
        two.mqsc(f"DELETE CHANNEL({CHANNEL})")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        with pytest.raises(CommandFailed, match="AMQ8147E"):
            two.mqsc(f"DISPLAY CHANNEL({CHANNEL})")


def test_a_model_that_is_gone_is_told(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two):
        two.mqsc(
            f"DELETE CHANNEL({CHANNEL})",
            "DELETE CHANNEL(SYSTEM.AUTO.RECEIVER)",
            "ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED)",
        )
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        assert eventually(lambda: "CSQX908E" in two.errors())
        assert events(two) == [MQRC_CHANNEL_AUTO_DEF_ERROR]


def test_a_client_brings_about_a_server_connection_channel(tmp_path: Path) -> None:
    with partners(tmp_path) as (_one, two):
        two.mqsc(
            "ALTER QMGR CHAD(ENABLED)",
            "ALTER CHANNEL(SYSTEM.AUTO.SVRCONN) CHLTYPE(SVRCONN) MCAUSER('app')",
            "SET CHLAUTH('ANY.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        )
        with client.connect("QM2", f"127.0.0.1({two.port})", "ANY.NAME") as connection:
            queue = connection.open(TARGET, MQOO_OUTPUT)
            queue.put(b"x")
        assert two.depth(TARGET) == 1
        assert "CHLTYPE(SVRCONN)" in two.mqsc("DISPLAY CHANNEL(ANY.NAME)")


def test_a_channel_is_monitored_and_recorded_as_its_attributes_say(tmp_path: Path) -> None:
    with partners(tmp_path, "MONCHL(HIGH) STATCHL(MEDIUM) BATCHSZ(2)", "MCAUSER('app') MRTMR(20)") as (one, two):
        records = ChannelRecords(one.network, "QM1")
        records.set_recording(True)
        one.put(REMOTE, *[b"12345"] * 4)
        one.put(REMOTE, b"x", persistent=False)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, 5)
        assert eventually(lambda: (one.state() or two.state()).batches == 3)  # type: ignore[union-attr]
        said = one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) MONCHL STATCHL NETTIME XQTIME")
        assert "MONCHL(HIGH)" in said
        assert "STATCHL(MEDIUM)" in said
        assert all(f"{name}(" in said and f"{name}(,)" not in said for name in ("NETTIME", "XQTIME"))
        (row,) = records.channels(time.time())
        assert row["QCSTSTCL"] == MQMON_MEDIUM
        assert (row["QCSTNMSG"], row["QCSTNPMG"], row["QCSTBATC"], row["QCSTFUBA"]) == (5, 4, 3, 2)
        assert row["QCSTNPBY"] == 4 * (mqxqh.LENGTH + 5)
        assert isinstance(row["QCSTNTAV"], int)
        assert row["QCSTNTAV"] > 0
        theirs = two.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) MONCHL STATCHL")
        assert "MONCHL(OFF)" in theirs
        assert "STATCHL(OFF)" in theirs
        one.mqsc("ALTER QMGR MONCHL(NONE)")
        assert "MONCHL(OFF)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) MONCHL")
