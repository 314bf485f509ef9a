"""Message channels between two queue managers: what arrives, in what order, and what stays when something is cut."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.certificates import certify, found
from tests.support.network import eventually
from tests.support.partners import CHANNEL, REMOTE, TARGET, Partner, partners
from tests.support.proxy import Proxy

from kew.codes.attributes import MQCHS_PAUSED, MQCHS_RETRYING, MQCHS_RUNNING
from kew.codes.options import MQFMT_DEAD_LETTER_HEADER, MQPER_PERSISTENT
from kew.codes.reasons import MQRC_Q_FULL, MQRC_UNKNOWN_OBJECT_NAME
from kew.formats import mqdlh
from kew.qmgr import manager
from kew.qmgr.manager import CommandFailed, QueueManager

INACTIVE = 0


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Partner, Partner]]:
    with partners(tmp_path) as both:
        yield both


def texts(count: int, start: int = 0) -> list[bytes]:
    return [b"message %d" % number for number in range(start, start + count)]


def arrived(two: Partner, count: int) -> bool:
    """Wait until so many messages are on the target queue and committed."""
    queue = two.manager.host.queues.by_name[TARGET]
    return eventually(lambda: queue.depth == count and not queue.uncommitted, 30)


def test_messages_arrive_in_order_and_whole(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    one.put(REMOTE, *texts(120), correlation_id=b"c" * 24, format=b"MQSTR   ")
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert arrived(two, 120)
    assert eventually(one.settled)
    first = two.get(TARGET)
    assert first.data == b"message 0"
    assert first.descriptor.correlation_id == b"c" * 24
    assert first.descriptor.format == b"MQSTR   "
    assert first.descriptor.persistence == MQPER_PERSISTENT
    assert first.descriptor.put_application_name.rstrip() == b"tests"
    assert two.get_all(TARGET) == texts(119, 1)


def test_both_ends_keep_the_number_and_the_unit_of_the_last_batch(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    one.put(REMOTE, *texts(120))
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert eventually(lambda: one.settled() and two.depth(TARGET) == 120)
    assert eventually(lambda: (one.state() or two.state()).batches == 3)  # type: ignore[union-attr]
    one.mqsc(f"STOP CHANNEL({CHANNEL})")
    assert one.reaches(INACTIVE)
    assert two.reaches(INACTIVE)
    (ours,) = one.network.saved_channel_states()
    (theirs,) = two.network.saved_channel_states()
    assert ours.last_sequence == theirs.last_sequence == 120
    assert ours.last_luwid == theirs.last_luwid != bytes(8)
    assert not ours.in_doubt
    assert theirs.partner == "QM1"


def test_a_channel_goes_on_where_it_was_stopped(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    for start in range(0, 60, 20):
        one.put(REMOTE, *texts(20, start))
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, start + 20)
        one.mqsc(f"STOP CHANNEL({CHANNEL})")
        assert one.reaches(INACTIVE)
        assert not one.manager.host.queues.by_name["QM2"].get_allowed
        assert "STATUS(STOPPED)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL})")
    assert two.get_all(TARGET) == texts(60)


def test_messages_that_come_while_the_channel_runs_are_sent(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert one.reaches(MQCHS_RUNNING)
    for number in range(20):
        one.put(REMOTE, b"%d" % number, persistent=number % 2 == 0)
        assert two.get(TARGET).data == b"%d" % number


def test_a_long_message_travels_in_segments(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    long = random.Random(7).randbytes(3_000_000)
    one.put(REMOTE, long, b"short", long[:40000])
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert arrived(two, 3)
    assert two.get_all(TARGET) == [long, b"short", long[:40000]]


def test_a_message_longer_than_the_channel_allows_is_a_dead_letter_here(tmp_path: Path) -> None:
    with partners(tmp_path, "MAXMSGL(1000)") as (one, two):
        one.mqsc("DEFINE QLOCAL(DEAD)", "ALTER QMGR DEADQ(DEAD)")
        one.put(REMOTE, b"x" * 2000, b"short")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert two.get(TARGET).data == b"short"
        dead = one.get("DEAD")
        assert dead.descriptor.format == MQFMT_DEAD_LETTER_HEADER
        header = mqdlh.decode(dead.data)
        assert header.reason == 2218
        assert header.destination_queue.rstrip() == TARGET.encode()
        assert dead.data.endswith(b"x" * 2000)


def test_a_trigger_starts_the_channel_and_the_disconnect_interval_ends_it(tmp_path: Path) -> None:
    with partners(tmp_path, "DISCINT(1)") as (one, two):
        one.mqsc(
            f"ALTER QLOCAL(QM2) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA({CHANNEL})",
        )
        for number in range(2):
            one.put(REMOTE, b"%d" % number)
            assert two.get(TARGET).data == b"%d" % number
            assert one.reaches(INACTIVE)
        assert eventually(lambda: "AMQ9545I" in one.errors())


def test_a_trigger_without_a_name_finds_the_channel_of_the_queue(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    one.mqsc("ALTER QLOCAL(QM2) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)")
    one.put(REMOTE, b"found")
    assert two.get(TARGET).data == b"found"


def test_a_partner_that_is_not_there_is_tried_again(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(1)") as (one, two):
        port = two.port
        two.network.stop_listener("TEST")
        one.put(REMOTE, b"late")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        assert "SHORTRTS(9)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) SHORTRTS")
        assert eventually(lambda: "AMQ9202E" in one.errors())
        two.listen(port)
        assert two.get(TARGET).data == b"late"


def test_a_channel_that_has_tried_in_vain_is_stopped(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTRTY(0) LONGRTY(0)") as (one, two):
        two.network.stop_listener("TEST")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert eventually(lambda: "STATUS(STOPPED)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL})"))
        assert eventually(lambda: not one.manager.host.queues.by_name["QM2"].get_allowed)
        assert eventually(lambda: "CSQX904W" in one.errors())


def test_a_receiver_without_a_user_is_refused_and_messages_stay(tmp_path: Path) -> None:
    with partners(tmp_path, receiver="") as (one, two):
        one.put(REMOTE, b"stays")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        assert one.held() == 1
        assert eventually(lambda: "refused by a security rule" in one.errors())
        assert eventually(lambda: CHANNEL in two.errors())


def test_a_channel_that_does_not_exist_there(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    two.mqsc(f"DELETE CHANNEL({CHANNEL})")
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert one.reaches(MQCHS_RETRYING)
    assert eventually(lambda: "no such channel" in one.errors())
    assert eventually(lambda: "AMQ9519E" in two.errors())


def test_a_stopped_receiver_lets_nobody_in_until_it_is_started(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(1)") as (one, two):
        two.mqsc(f"STOP CHANNEL({CHANNEL})")
        one.put(REMOTE, b"waits")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        two.mqsc(f"START CHANNEL({CHANNEL})")
        assert two.get(TARGET).data == b"waits"


def test_the_receiving_end_may_stop_the_channel(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    one.put(REMOTE, b"one")
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert arrived(two, 1)
    two.mqsc(f"STOP CHANNEL({CHANNEL})")
    assert two.reaches(INACTIVE)
    assert one.reaches(INACTIVE)
    assert two.depth(TARGET) == 1


def test_force_cuts_the_connection(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert one.reaches(MQCHS_RUNNING)
    one.mqsc(f"STOP CHANNEL({CHANNEL}) MODE(FORCE) STATUS(INACTIVE)")
    assert one.reaches(INACTIVE)
    assert two.reaches(INACTIVE)
    one.put(REMOTE, b"after")
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert two.get(TARGET).data == b"after"


def test_an_unknown_queue_is_a_dead_letter_there(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    one.mqsc("DEFINE QREMOTE(NOWHERE) RNAME(NO.SUCH) RQMNAME(QM2) XMITQ(QM2)")
    one.put("NOWHERE", b"lost?")
    one.put(REMOTE, b"found")
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert two.get(TARGET).data == b"found"
    header = mqdlh.decode(two.get("DEAD").data)
    assert header.reason == MQRC_UNKNOWN_OBJECT_NAME
    assert header.destination_queue.rstrip() == b"NO.SUCH"
    assert header.destination_queue_manager.rstrip() == b"QM2"


def test_without_a_dead_letter_queue_persistent_messages_stay(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(1)", "MCAUSER('app') MRRTY(0)") as (one, two):
        two.mqsc("ALTER QMGR DEADQ(' ')", f"ALTER QLOCAL({TARGET}) MAXDEPTH(2)")
        one.put(REMOTE, *texts(4))
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        assert two.depth(TARGET) == 0
        assert one.held() == 4
        assert eventually(lambda: "AMQ9565E" in two.errors())
        two.mqsc(f"ALTER QLOCAL({TARGET}) MAXDEPTH(10)")
        assert arrived(two, 4)
        assert two.get_all(TARGET) == texts(4)


def test_a_full_queue_is_tried_again_while_the_channel_is_paused(tmp_path: Path) -> None:
    with partners(tmp_path, receiver="MCAUSER('app') MRRTY(1000) MRTMR(20)") as (one, two):
        two.mqsc(f"ALTER QLOCAL({TARGET}) MAXDEPTH(2)")
        one.put(REMOTE, *texts(4), persistent=False)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert two.reaches(MQCHS_PAUSED)
        assert [two.get(TARGET).data for _ in range(4)] == texts(4)
        assert two.depth("DEAD") == 0


def test_after_so_many_tries_a_message_is_a_dead_letter(tmp_path: Path) -> None:
    with partners(tmp_path, receiver="MCAUSER('app') MRRTY(2) MRTMR(1)") as (one, two):
        two.mqsc(f"ALTER QLOCAL({TARGET}) MAXDEPTH(1)")
        one.put(REMOTE, *texts(2))
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert mqdlh.decode(two.get("DEAD").data).reason == MQRC_Q_FULL
        assert two.get(TARGET).data == texts(1)[0]


def test_ping_answers_or_says_why_not(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    assert "AMQ8020I" in one.mqsc(f"PING CHANNEL({CHANNEL})")
    assert "AMQ8020I" in one.mqsc(f"PING CHANNEL({CHANNEL}) DATALEN(32768)")
    with pytest.raises(CommandFailed, match="AMQ9512E"):
        two.mqsc(f"PING CHANNEL({CHANNEL})")
    two.network.stop_listener("TEST")
    with pytest.raises(CommandFailed, match="AMQ9202E"):
        one.mqsc(f"PING CHANNEL({CHANNEL})")


def test_numbers_that_differ_stop_the_channel_until_they_are_reset(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(1)") as (one, two):
        one.put(REMOTE, *texts(3))
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, 3)
        one.mqsc(f"STOP CHANNEL({CHANNEL})")
        assert one.reaches(INACTIVE)
        assert two.reaches(INACTIVE)
        two.mqsc(f"RESET CHANNEL({CHANNEL}) SEQNUM(9)")
        one.put(REMOTE, b"after")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        assert eventually(lambda: "AMQ9526E" in one.errors())
        one.mqsc(f"STOP CHANNEL({CHANNEL})", f"RESET CHANNEL({CHANNEL}) SEQNUM(9)", f"START CHANNEL({CHANNEL})")
        assert arrived(two, 4)
        assert eventually(lambda: two.network.saved_channel_states()[0].last_sequence == 9)


def test_an_active_channel_is_not_deleted_reset_or_resolved(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert one.reaches(MQCHS_RUNNING)
    for command in (
        "DELETE CHANNEL({})",
        "RESET CHANNEL({})",
        "RESOLVE CHANNEL({}) ACTION(COMMIT)",
        "START CHANNEL({})",
    ):
        with pytest.raises(CommandFailed, match="AMQ9514E"):
            one.mqsc(command.format(CHANNEL))
    assert "AMQ8018I" in one.mqsc(f"START CHANNEL({CHANNEL}) IGNSTATE(YES)")
    with pytest.raises(CommandFailed, match="AMQ9514E"):
        two.mqsc(f"DELETE CHANNEL({CHANNEL})")


@pytest.mark.parametrize("window", [1, 2])
def test_a_connection_cut_at_any_byte_loses_and_doubles_nothing(tmp_path: Path, window: int) -> None:
    """Each connection ends after a number of bytes of both directions; the channel comes back until all has arrived."""
    rng = random.Random(window)
    count = 150
    with partners(tmp_path, "SHORTTMR(0) SHORTRTY(999999) BATCHSZ(7)") as (one, two):
        with Proxy(two.port, lambda: rng.choice((600, 1500, 4000, 9000, 20000)) + rng.randrange(600)) as proxy:
            one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('{proxy.address}')")
            one.put(REMOTE, *texts(count))
            one.mqsc(f"START CHANNEL({CHANNEL})")
            assert eventually(one.settled, 120), one.errors()[-3000:]
            assert len(proxy.lines) > 5
            one.mqsc(f"STOP CHANNEL({CHANNEL}) MODE(FORCE)")
            assert one.reaches(INACTIVE)
        assert two.get_all(TARGET) == texts(count)


CONFIRMATION = 28  # bytes


def leave_in_doubt(one: Partner, two: Partner, missing: int) -> None:
    """Send one message, then another whose connection is cut so many bytes before the end of its confirmation."""
    limits: list[int] = [-1]
    with Proxy(two.port, lambda: limits[0]) as proxy:
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('{proxy.address}')")
        for number in range(2):
            one.put(REMOTE, b"message %d" % number)
            one.mqsc(f"START CHANNEL({CHANNEL})")
            if number:
                assert one.reaches(MQCHS_RETRYING)
                return
            assert eventually(one.settled)
            limits[0] = sum([len(data) for _, data in proxy.lines[0].pieces]) - missing
            one.mqsc(f"STOP CHANNEL({CHANNEL}) MODE(FORCE) STATUS(INACTIVE)")
            assert one.reaches(INACTIVE)
            assert two.reaches(INACTIVE)


@pytest.mark.parametrize(("missing", "action"), [(CONFIRMATION, "COMMIT"), (2 * CONFIRMATION, "BACKOUT")])
def test_a_batch_in_doubt_is_resolved_by_command(tmp_path: Path, missing: int, action: str) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two):
        leave_in_doubt(one, two, missing)
        (saved,) = one.network.saved_channel_states()
        assert saved.in_doubt
        assert saved.messages_in_batch == 1
        (theirs,) = two.network.saved_channel_states()
        assert (theirs.last_luwid == saved.luwid) == (action == "COMMIT")
        assert "INDOUBT(YES)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) SAVED INDOUBT")
        one.mqsc(f"STOP CHANNEL({CHANNEL}) STATUS(INACTIVE)")
        with pytest.raises(CommandFailed, match="AMQ9507E"):
            one.mqsc(f"DELETE CHANNEL({CHANNEL})")
        one.mqsc(f"RESOLVE CHANNEL({CHANNEL}) ACTION({action})")
        assert one.held() == (0 if action == "COMMIT" else 1)
        with pytest.raises(CommandFailed, match="AMQ9507E"):
            one.mqsc(f"RESOLVE CHANNEL({CHANNEL}) ACTION({action})")
        one.put(REMOTE, b"message 2")
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('127.0.0.1({two.port})')", f"START CHANNEL({CHANNEL})")
        assert arrived(two, 3)
        assert two.get_all(TARGET) == texts(3)


def test_a_batch_in_doubt_is_settled_by_the_next_start(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two):
        leave_in_doubt(one, two, CONFIRMATION)
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('127.0.0.1({two.port})')", f"START CHANNEL({CHANNEL})")
        assert eventually(one.settled)
        assert two.get_all(TARGET) == texts(2)


def test_a_partner_whose_record_was_lost_leaves_the_batch_in_doubt(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(3600)") as (one, two):
        leave_in_doubt(one, two, CONFIRMATION)
        assert two.get_all("SYSTEM.CHANNEL.SYNCQ")
        one.mqsc(f"ALTER CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('127.0.0.1({two.port})')", f"START CHANNEL({CHANNEL})")
        assert eventually(lambda: "AMQ9507E" in one.errors())
        assert one.held() == 1
        (saved,) = one.network.saved_channel_states()
        assert saved.in_doubt


def test_a_message_for_a_third_queue_manager_waits_on_a_transmission_queue(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    two.mqsc("DEFINE QLOCAL(QM3) USAGE(XMITQ)")
    one.mqsc("DEFINE QREMOTE(QM3) RQMNAME(QM3) XMITQ(QM2)")
    one.put("FAR", b"through", manager_name="QM3")
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert eventually(lambda: two.depth("QM3") == 1)


def test_a_reply_finds_its_way_back(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    one.listen()
    one.mqsc(
        "DEFINE QLOCAL(REPLIES)",
        "DEFINE CHANNEL(QM2.TO.QM1) CHLTYPE(RCVR) MCAUSER('app')",
        "SET CHLAUTH(QM2.TO.QM1) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,SETALL)",
    )
    two.mqsc(
        "DEFINE QLOCAL(QM1) USAGE(XMITQ)",
        f"DEFINE CHANNEL(QM2.TO.QM1) CHLTYPE(SDR) XMITQ(QM1) CONNAME('127.0.0.1({one.port})')",
        "START CHANNEL(QM2.TO.QM1)",
    )
    one.mqsc(f"START CHANNEL({CHANNEL})")
    one.put(REMOTE, b"question", reply_to_queue=b"REPLIES".ljust(48))
    question = two.get(TARGET)
    assert question.descriptor.reply_to_queue_manager.rstrip() == b"QM1"
    two.put("REPLIES", b"answer", manager_name="QM1", correlation_id=question.descriptor.message_id)
    answer = one.get("REPLIES")
    assert answer.data == b"answer"
    assert answer.descriptor.correlation_id == question.descriptor.message_id


def restarted(tmp_path: Path, one: Partner) -> QueueManager:
    """End QM1 and start it again."""
    one.manager.stop()
    return manager.start("QM1", str(tmp_path / "QM1"), developer=True)


def test_channels_come_back_after_a_restart(tmp_path: Path) -> None:
    with partners(tmp_path) as (one, two):
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RUNNING)
        one.put(REMOTE, *texts(3))
        assert arrived(two, 3)
        with restarted(tmp_path, one) as again:
            one = Partner("QM1", again)
            assert one.reaches(MQCHS_RUNNING)
            one.put(REMOTE, *texts(3, 3))
            assert arrived(two, 6)
            assert two.get_all(TARGET) == texts(6)


def test_a_stopped_channel_stays_stopped_after_a_restart(tmp_path: Path) -> None:
    with partners(tmp_path) as (one, _two):
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RUNNING)
        one.mqsc(f"STOP CHANNEL({CHANNEL})")
        assert one.reaches(INACTIVE)
        with restarted(tmp_path, one) as again:
            one = Partner("QM1", again)
            assert "STATUS(STOPPED)" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL})")
            one.mqsc(f"START CHANNEL({CHANNEL})")
            assert one.reaches(MQCHS_RUNNING)


def test_a_partner_that_restarts_is_found_again(tmp_path: Path) -> None:
    with partners(tmp_path, "SHORTTMR(1)") as (one, two):
        one.mqsc(f"START CHANNEL({CHANNEL})")
        one.put(REMOTE, *texts(3))
        assert arrived(two, 3)
        port = two.port
        two.manager.stop()
        assert one.reaches(MQCHS_RETRYING)
        one.put(REMOTE, *texts(3, 3))
        with manager.start("QM2", str(tmp_path / "QM2"), developer=True) as again:
            two = Partner("QM2", again)
            two.listen(port)
            assert arrived(two, 6)
            assert two.get_all(TARGET) == texts(6)


def test_the_records_of_a_deleted_channel_go_with_it(tmp_path: Path) -> None:
    with partners(tmp_path) as (one, two):
        one.put(REMOTE, b"x")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, 1)
        assert eventually(one.settled)
        one.mqsc(f"STOP CHANNEL({CHANNEL}) STATUS(INACTIVE)")
        assert one.reaches(INACTIVE)
        assert two.reaches(INACTIVE)
        for end in (one, two):
            end.mqsc(f"DELETE CHANNEL({CHANNEL})")
            assert end.held("SYSTEM.CHANNEL.SYNCQ") == 0


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    authority = found(folder, "ca", "/O=Kew/CN=Authority")
    for name in ("QM1", "QM2"):
        certify(folder, name, f"/O=Kew/OU=Channels/CN={name}", authority)
        (folder / f"{name}.ca.pem").write_text((folder / "ca.crt").read_text())
    return folder


def secure(keys: Path, *ends: Partner) -> None:
    for end in ends:
        end.mqsc(f"ALTER QMGR SSLKEYR('{keys}/{end.name}')", "REFRESH SECURITY TYPE(SSL)")


@pytest.mark.parametrize("cipher", ["TLS_AES_256_GCM_SHA384", "ECDHE_RSA_AES_256_GCM_SHA384", "ANY_TLS12_OR_HIGHER"])
def test_a_channel_with_tls(tmp_path: Path, keys: Path, cipher: str) -> None:
    security = f"SSLCIPH({cipher}) SSLPEER('OU=Channels')"
    with partners(tmp_path, security, f"MCAUSER('app') {security}") as (one, two):
        secure(keys, one, two)
        one.put(REMOTE, b"secret", b"x" * 200000)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, 2)
        assert two.get_all(TARGET) == [b"secret", b"x" * 200000]
        ours, theirs = one.state(), two.state()
        assert ours is not None
        assert theirs is not None
        assert ours.cipher == theirs.cipher != ""
        assert "CN=QM2" in ours.peer
        assert "CN=QM1" in theirs.peer


@pytest.mark.parametrize(
    ("sender", "receiver", "told"),
    [
        ("", "SSLCIPH(ANY_TLS13)", "AMQ9639E"),
        ("SSLCIPH(ANY_TLS13)", "", "AMQ9635E"),
        ("SSLCIPH(TLS_AES_128_GCM_SHA256)", "SSLCIPH(TLS_AES_256_GCM_SHA384)", "AMQ9631E"),
        ("SSLCIPH(ANY_TLS13)", "SSLCIPH(ANY_TLS13) SSLPEER('CN=QM7')", "AMQ9636E"),
        ("SSLCIPH(ANY_TLS13) SSLPEER('CN=QM7')", "SSLCIPH(ANY_TLS13)", "AMQ9636E"),
    ],
)
def test_security_that_does_not_fit_lets_no_message_leave(
    tmp_path: Path, keys: Path, sender: str, receiver: str, told: str
) -> None:
    with partners(tmp_path, sender, f"MCAUSER('app') {receiver}") as (one, two):
        secure(keys, one, two)
        one.put(REMOTE, b"stays")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        assert one.held() == 1
        assert eventually(lambda: told in one.errors() + two.errors())


def test_tls_without_keys_of_its_own(tmp_path: Path) -> None:
    with partners(tmp_path, "SSLCIPH(ANY_TLS13)") as (one, _two):
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert one.reaches(MQCHS_RETRYING)
        assert eventually(lambda: "no key repository" in one.errors())


def test_a_local_address_is_used(tmp_path: Path) -> None:
    with partners(tmp_path, "LOCLADDR('127.0.0.1')") as (one, two):
        one.put(REMOTE, b"x")
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, 1)
        assert "LOCLADDR(127.0.0.1(" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) LOCLADDR")


@pytest.mark.parametrize("method", ["RLE", "ZLIBFAST", "ZLIBHIGH", "LZ4FAST", "LZ4HIGH"])
def test_compression(tmp_path: Path, method: str) -> None:
    compression = "COMPMSG({}) COMPHDR(SYSTEM)"
    with partners(tmp_path, compression.format(method), f"MCAUSER('app') {compression.format('ANY')}") as (one, two):
        messages = [b"a" * 100_000, b"", b"x", bytes(range(256)) * 4, b"abc" * 1_000_000]
        one.put(REMOTE, *messages)
        one.mqsc(f"START CHANNEL({CHANNEL})")
        assert arrived(two, len(messages))
        ours = one.state()
        assert ours is not None
        assert (ours.bytes_sent < 1_000_000) == (method != "RLE")
        assert 0 < ours.saved_bytes[1] <= 100
        assert f"COMPMSG({method},{method})" in one.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) COMPMSG")
        assert two.get_all(TARGET) == messages


def requesting(one: Partner, two: Partner, kind: str, server: str) -> None:
    """Make the channel one of a requester at QM2, and of a sender or server at QM1 that listens."""
    one.listen()
    one.mqsc(f"DELETE CHANNEL({CHANNEL})", f"DEFINE CHANNEL({CHANNEL}) CHLTYPE({kind}) XMITQ(QM2) {server}")
    two.mqsc(
        f"DELETE CHANNEL({CHANNEL})",
        f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(RQSTR) CONNAME('127.0.0.1({one.port})') MCAUSER('app')",
    )
    one.mqsc(f"SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)")


def test_a_requester_gets_from_a_server_on_the_same_socket(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    requesting(one, two, "SVR", "MCAUSER('app')")
    one.put(REMOTE, *texts(70))
    two.mqsc(f"START CHANNEL({CHANNEL})")
    assert arrived(two, 70)
    assert two.get_all(TARGET) == texts(70)
    assert two.reaches(MQCHS_RUNNING)
    one.put(REMOTE, b"later")
    assert two.get(TARGET).data == b"later"
    two.mqsc(f"STOP CHANNEL({CHANNEL})")
    assert two.reaches(INACTIVE)
    assert one.reaches(INACTIVE)


def test_a_server_sends_nothing_to_a_requester_that_no_rule_lets_in(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    requesting(one, two, "SVR", "")
    one.put(REMOTE, b"stays")
    two.mqsc(f"START CHANNEL({CHANNEL})")
    assert eventually(lambda: "refused by a security rule" in two.errors())
    assert two.reaches(INACTIVE)
    assert one.held() == 1


def test_a_sender_calls_back_a_requester(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    requesting(one, two, "SDR", f"CONNAME('127.0.0.1({two.port})')")
    one.put(REMOTE, *texts(3))
    two.mqsc(f"START CHANNEL({CHANNEL})")
    assert arrived(two, 3)
    assert eventually(lambda: len(two.network.message_channel_states()) == 1)
    assert two.reaches(MQCHS_RUNNING)


@pytest.mark.parametrize("receiver", ["RCVR", "RQSTR"])
def test_a_server_may_call(pair: tuple[Partner, Partner], receiver: str) -> None:
    one, two = pair
    address = f"CONNAME('127.0.0.1({two.port})')"
    one.mqsc(f"DELETE CHANNEL({CHANNEL})", f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(SVR) XMITQ(QM2) {address}")
    two.mqsc(f"DELETE CHANNEL({CHANNEL})")
    more = "CONNAME('127.0.0.1(9)')" if receiver == "RQSTR" else ""
    two.mqsc(f"DEFINE CHANNEL({CHANNEL}) CHLTYPE({receiver}) MCAUSER('app') {more}")
    one.put(REMOTE, *texts(3))
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert arrived(two, 3)


def test_two_senders_have_nothing_to_say_to_each_other(pair: tuple[Partner, Partner]) -> None:
    one, two = pair
    two.mqsc(
        f"DELETE CHANNEL({CHANNEL})",
        "DEFINE QLOCAL(QM1) USAGE(XMITQ)",
        f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(SDR) XMITQ(QM1) CONNAME('127.0.0.1(9)')",
    )
    one.mqsc(f"START CHANNEL({CHANNEL})")
    assert one.reaches(MQCHS_RETRYING)
    assert eventually(lambda: "AMQ9547E" in two.errors())


def test_a_requester_whose_partner_is_not_there_does_not_try_again(pair: tuple[Partner, Partner]) -> None:
    _one, two = pair
    two.mqsc(f"DELETE CHANNEL({CHANNEL})", f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(RQSTR) CONNAME('127.0.0.1(9)')")
    two.mqsc(f"START CHANNEL({CHANNEL})")
    assert eventually(lambda: "AMQ9202E" in two.errors())
    assert two.reaches(INACTIVE)
