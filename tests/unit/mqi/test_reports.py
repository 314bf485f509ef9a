"""Reports that the queue manager makes: expiration, exception, what they carry, and that none is lost or sent twice."""

from collections.abc import Iterator
from random import Random

import pytest
from tests.support.audit import check_space
from tests.support.authorities import admit, grant
from tests.support.engines import open_engine
from tests.support.hosting import DEEP, EVERYTHING, NAME, ROOT, Notes
from tests.support.simdisk import PowerLoss, SimDisk

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQEI_UNLIMITED,
    MQENC_NATIVE,
    MQFB_COA,
    MQFB_COD,
    MQFB_EXPIRATION,
    MQFMT_DEAD_LETTER_HEADER,
    MQFMT_RF_HEADER_2,
    MQFMT_STRING,
    MQGMO_BROWSE_FIRST,
    MQGMO_SYNCPOINT,
    MQMT_REPORT,
    MQOO_OUTPUT,
    MQOT_Q,
    MQPMO_SYNCPOINT,
    MQRO_COA,
    MQRO_COA_WITH_DATA,
    MQRO_COD_WITH_FULL_DATA,
    MQRO_DISCARD_MSG,
    MQRO_EXCEPTION,
    MQRO_EXCEPTION_WITH_FULL_DATA,
    MQRO_EXPIRATION,
    MQRO_EXPIRATION_WITH_DATA,
    MQRO_EXPIRATION_WITH_FULL_DATA,
    MQRO_NONE,
)
from kew.codes.reasons import MQRC_NOT_AUTHORIZED, MQRC_PUT_INHIBITED, MQRC_Q_FULL
from kew.formats import mqdlh, mqrfh2
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.reports import undeliverable
from kew.mqi.engine import Clock
from kew.mqi.gets.request import Got
from kew.mqi.local.connection import LocalConnection
from kew.objects.definition import Definition
from kew.objects.schema import object_type
from kew.qmgr.assemble import Host
from kew.qmgr.files import Places
from kew.qmgr.pagesets import PageSetSettings
from kew.qmgr.storageparts import EngineSettings, create_engine
from kew.queues.expiry import scan
from kew.storage.log import LogSettings
from kew.storage.pages.pageset import EXPAND_SYSTEM

REPLIES = b"R".ljust(48)


def settings(pool: int) -> EngineSettings:
    return EngineSettings(
        LogSettings(file_pages=256, primary=3, secondary=2),
        {0: 60, 1: pool},
        {
            0: PageSetSettings(pages=64, expand=EXPAND_SYSTEM, pool=0),
            1: PageSetSettings(pages=512, expand=EXPAND_SYSTEM, pool=1),
        },
    )


class Site:
    """A queue manager whose clock the test moves, with queues for messages, reports and dead letters."""

    def __init__(self, disk: SimDisk | None = None, pool: int = 300) -> None:
        self.settings = settings(pool)
        self.notes = Notes()
        self.seconds = 1_700_000_000.0
        fresh = disk is None
        self.disk = SimDisk() if disk is None else disk
        if fresh:
            create_engine(self.disk, NAME, Places(ROOT), self.settings)
        self.host: Host = open_engine(self.disk, NAME, Places(ROOT), self.settings, self.notes, threads=False)
        self.host.engine.clock = Clock(lambda: self.seconds)
        if fresh:
            for name in ("Q", "R", "DLQ"):
                self.host.administration.define("QLOCAL", name, DEEP)
        self.program: LocalConnection = self.host.connect("test")
        self.queue = self.program.open("Q", EVERYTHING)
        self.replies = self.program.open("R", EVERYTHING)

    def put(self, report: int, size: int = 300, expiry: int = MQEI_UNLIMITED, persistence: int = 1) -> bytes:
        descriptor = MessageDescriptor(
            report=report, expiry=expiry, persistence=persistence, reply_to_queue=REPLIES, format=MQFMT_STRING
        )
        self.program.put(self.queue, descriptor, Random(size).randbytes(size))
        return descriptor.message_id

    def drain(self, handle: Handle) -> list[Got]:
        found = []
        while True:
            try:
                found.append(self.program.get(handle))
            except NoMessage:
                return found

    def scan(self) -> None:
        scan(self.host.engine.run, self.host.queues, int(self.seconds * 1000))
        self.host.report_writer.work()


@pytest.fixture
def site() -> Iterator[Site]:
    yield (site := Site())
    site.host.stop()


@pytest.mark.parametrize("how", ["get", "browse", "scan"])
@pytest.mark.parametrize("persistence", [0, 1])
@pytest.mark.parametrize("size", [300, 20_000])
def test_a_message_that_expires_is_reported_once_however_it_is_met(
    site: Site, how: str, persistence: int, size: int
) -> None:
    asked = (MQRO_EXPIRATION, MQRO_EXPIRATION_WITH_DATA, MQRO_EXPIRATION_WITH_FULL_DATA)
    ids = [site.put(report, size, 50, persistence) for report in asked]
    site.put(MQRO_NONE, size, 50, persistence)
    site.seconds += 60
    if how == "scan":
        site.scan()
    else:
        with pytest.raises(NoMessage):
            site.program.get(site.queue, MQGMO_BROWSE_FIRST if how == "browse" else 0)
    assert site.host.queues.by_name["Q"].depth == 0
    assert site.host.queues.by_name["Q"].counters.expired == 4
    site.host.report_writer.work()
    site.scan()
    reports = site.drain(site.replies)
    assert [got.descriptor.correlation_id for got in reports] == ids
    assert [len(got.data) for got in reports] == [0, 100, size]
    for got in reports:
        descriptor = got.descriptor
        assert (descriptor.feedback, descriptor.message_type) == (MQFB_EXPIRATION, MQMT_REPORT)
        assert (descriptor.persistence, descriptor.format, descriptor.expiry) == (persistence, MQFMT_STRING, -1)
        assert descriptor.original_length == size
        assert Random(size).randbytes(size).startswith(got.data)


def test_an_expiry_report_and_its_message_are_one_unit_across_a_crash() -> None:
    first = Site()
    kept = {first.put(MQRO_EXPIRATION_WITH_FULL_DATA, size, 50) for size in (10, 9000, 300)}
    first.host.checkpointer.take()
    first.seconds += 60
    stop, lost = 1, True
    start = first.disk.crash(keep="none")
    while lost:
        site = Site(start.copy())
        site.seconds += 60
        site.disk.stop_after(stop)
        try:
            site.scan()
            site.host.writer.flush()
            site.host.checkpointer.take()
            lost = False
        except (PowerLoss, MQError):
            lost = True
        for seed in range(3):
            after = Site(site.disk.crash(Random(seed), "random"))
            after.seconds += 60
            after.scan()
            after.scan()
            reported = [got.descriptor.correlation_id for got in after.drain(after.replies)]
            assert sorted(reported) == sorted(kept)
            assert after.host.queues.by_name["Q"].depth == 0
            after.host.crash()
        stop += 1
    assert stop > 3


def test_reports_on_expiry_are_sent_before_the_queue_manager_ends() -> None:
    site = Site()
    ids = [site.put(MQRO_EXPIRATION, 10, 50) for _ in range(5)]
    site.seconds += 60
    scan(site.host.engine.run, site.host.queues, int(site.seconds * 1000))
    site.host.stop()
    again = Site(site.disk)
    assert [got.descriptor.correlation_id for got in again.drain(again.replies)] == ids
    check_space(again.host)
    again.host.stop()


@pytest.mark.parametrize("persistence", [0, 1])
def test_confirmations_through_a_tiny_pool_lose_nothing(persistence: int) -> None:
    site = Site(pool=26)
    random = Random(3)
    sizes = [random.choice([10, 3000, 9000, 60_000]) for _ in range(60)]
    for place, size in enumerate(sizes):
        site.put(MQRO_COA | MQRO_COD_WITH_FULL_DATA, size, persistence=persistence)
        if place % 4 == 3:
            for turn in range(4):
                site.program.get(site.queue, MQGMO_SYNCPOINT if turn % 2 else 0)
            site.program.commit()
    reports = site.drain(site.replies)
    arrivals = [got for got in reports if got.descriptor.feedback == MQFB_COA]
    deliveries = [got for got in reports if got.descriptor.feedback == MQFB_COD]
    assert len(arrivals) == len(sizes)
    assert [len(got.data) for got in deliveries] == sizes
    assert all(got.data == Random(len(got.data)).randbytes(len(got.data)) for got in deliveries)
    site.host.stop()


def test_headers_come_before_the_hundred_bytes(site: Site) -> None:
    folder = b"<usr><a>1</a></usr>".ljust(20)
    length = 36 + 4 + len(folder)
    rfh2 = b"RFH \2\0\0\0" + length.to_bytes(4, "little") + MQENC_NATIVE.to_bytes(4, "little") + bytes(4)
    rfh2 += MQFMT_STRING + bytes(4) + (1208).to_bytes(4, "little") + len(folder).to_bytes(4, "little") + folder
    descriptor = MessageDescriptor(report=MQRO_COA_WITH_DATA, reply_to_queue=REPLIES, format=MQFMT_RF_HEADER_2)
    site.program.put(site.queue, descriptor, rfh2 + b"x" * 500)
    (report,) = site.drain(site.replies)
    assert report.data == rfh2 + b"x" * 100


def test_a_report_without_data_has_the_format_behind_the_properties(site: Site) -> None:
    following = mqrfh2.RulesHeader(encoding=MQENC_NATIVE, ccsid=819, format=MQFMT_STRING)
    following.folders = ["<usr><a>1</a></usr>"]
    rfh2 = mqrfh2.encode(following)
    descriptor = MessageDescriptor(report=MQRO_COA, reply_to_queue=REPLIES, format=MQFMT_RF_HEADER_2)
    site.program.put(site.queue, descriptor, rfh2 + b"text")
    (report,) = site.drain(site.replies)
    assert (report.data, report.descriptor.format, report.descriptor.ccsid) == (b"", MQFMT_STRING, 819)


def test_a_report_is_put_under_the_authority_of_the_messages_user(site: Site) -> None:
    admit(site.host, "app")
    grant(site.host, "app", MQOT_Q, "R", "GET")
    set_dead_letter_queue(site.host)
    program = site.host.connect("app", user="app")
    queue = program.open("Q", MQOO_OUTPUT)
    program.put(queue, MessageDescriptor(report=MQRO_COA, reply_to_queue=REPLIES), b"one")
    assert site.drain(site.replies) == []
    (dead,) = site.drain(site.program.open("DLQ", EVERYTHING))
    header = mqdlh.decode(dead.data)
    assert header.reason == MQRC_NOT_AUTHORIZED
    assert header.destination_queue.rstrip() == b"R"
    assert dead.descriptor.format == MQFMT_DEAD_LETTER_HEADER


def set_dead_letter_queue(host: Host) -> None:
    """Give the queue manager a dead-letter queue."""
    host.objects.place(Definition(object_type("QMGR"), NAME, {"DEADQ": "DLQ"}), replace=True)


def test_a_report_that_nobody_takes_is_told_to_the_operator(site: Site) -> None:
    site.host.administration.alter("R", {"PUT": 1})
    site.put(MQRO_COA)
    assert [numbers[0] for numbers, _texts in site.notes.about("CSQM902W")] == [MQRC_PUT_INHIBITED]
    assert len(site.drain(site.queue)) == 1


@pytest.mark.parametrize(
    ("report", "reports", "letters"),
    [
        (0, 0, 1),
        (MQRO_EXCEPTION, 1, 1),
        (MQRO_EXCEPTION_WITH_FULL_DATA | MQRO_DISCARD_MSG, 1, 0),
        (MQRO_DISCARD_MSG, 0, 1),
    ],
)
def test_what_cannot_be_delivered_is_reported_and_buried_as_asked(
    site: Site, report: int, reports: int, letters: int
) -> None:
    set_dead_letter_queue(site.host)
    user = site.host.authority.owner.encode().ljust(12)
    message = MessageDescriptor(
        report=report, reply_to_queue=REPLIES, format=MQFMT_STRING, priority=3, persistence=1, user_identifier=user
    )
    message.message_id = b"m" * 24
    engine = site.host.engine
    for sending in undeliverable(engine, message, b"data", "FULL.Q", "", MQRC_Q_FULL, None):
        while not engine.run(sending.step):
            pass
    found = site.drain(site.replies)
    assert [got.descriptor.feedback for got in found] == [MQRC_Q_FULL] * reports
    dead = site.drain(site.program.open("DLQ", EVERYTHING))
    assert len(dead) == letters
    for got in dead:
        header = mqdlh.decode(got.data)
        assert (header.reason, header.destination_queue.rstrip(), header.format) == (
            MQRC_Q_FULL,
            b"FULL.Q",
            MQFMT_STRING,
        )
        assert got.data.endswith(b"data")
        assert got.descriptor.message_id == b"m" * 24


def test_a_report_in_a_unit_goes_with_the_unit(site: Site) -> None:
    descriptor = MessageDescriptor(report=MQRO_COA, reply_to_queue=REPLIES, persistence=1)
    site.program.put(site.queue, descriptor, b"one", MQPMO_SYNCPOINT)
    site.program.abandon()
    site.program = site.host.connect("again")
    assert site.host.queues.by_name["R"].depth == 0
    assert site.host.queues.by_name["Q"].depth == 0
