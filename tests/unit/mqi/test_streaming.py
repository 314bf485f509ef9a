"""Streaming queues: what the copy is, what becomes of the message when there can be none, and what it costs others."""

from collections.abc import Iterator
from random import Random

import pytest
from tests.support.engines import open_engine
from tests.support.hosting import EVERYTHING, NAME, ROOT, Notes
from tests.support.simdisk import SimDisk
from tests.support.stores import chains_of

from kew.accounting.account import Account
from kew.codes.attributes import MQST_BEST_EFFORT, MQST_MUST_DUP, MQUS_TRANSMISSION
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQEI_UNLIMITED,
    MQGMO_SYNCPOINT,
    MQMF_LAST_MSG_IN_GROUP,
    MQOO_OUTPUT,
    MQOT_TOPIC,
    MQPMO_SYNCPOINT,
    MQRO_COA_WITH_FULL_DATA,
    MQRO_PASS_CORREL_ID,
    MQSO_CREATE,
)
from kew.codes.reasons import MQRC_PAGESET_FULL, MQRC_PUT_INHIBITED, MQRC_Q_FULL, MQRC_UNKNOWN_OBJECT_NAME
from kew.formats import mqmde, mqxqh
from kew.formats.mqmd import MessageDescriptor, encode
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Clock
from kew.mqi.gets.request import Got
from kew.mqi.local.connection import LocalConnection
from kew.mqi.subscribing.subscribe import SubscriptionRequest
from kew.objects.catalogue import AttributeValue
from kew.objects.definition import Definition
from kew.qmgr.assemble import Host
from kew.qmgr.files import Places
from kew.qmgr.pagesets import PageSetSettings
from kew.qmgr.storageparts import EngineSettings, create_engine
from kew.storage.log import LogSettings
from kew.storage.pages.pageset import EXPAND_NONE, EXPAND_SYSTEM
from kew.storage.pages.spacemap import ITEM, VOLATILE

MUST, BEST = MQST_MUST_DUP, MQST_BEST_EFFORT


def settings(copies: int = 2000, pool: int = 400) -> EngineSettings:
    """Page set 1 for messages, page set 2, which does not grow, for their copies."""
    return EngineSettings(
        LogSettings(file_pages=256, primary=3, secondary=2),
        {0: 60, 1: pool, 2: pool},
        {
            0: PageSetSettings(pages=64, expand=EXPAND_SYSTEM, pool=0),
            1: PageSetSettings(pages=512, expand=EXPAND_SYSTEM, pool=1),
            2: PageSetSettings(pages=copies, expand=EXPAND_NONE, pool=2),
        },
        {"DEFAULT": 1, "COPIES": 2},
    )


class Site:
    """A queue manager, a program, the queue Q and the queue S of its copies."""

    def __init__(self, qos: int, copies: int = 2000, pool: int = 400) -> None:
        self.notes = Notes()
        disk = SimDisk()
        create_engine(disk, NAME, Places(ROOT), settings(copies, pool))
        self.host: Host = open_engine(disk, NAME, Places(ROOT), settings(copies, pool), self.notes, threads=False)
        self.host.engine.clock = Clock(lambda: 1_700_000_000.0)
        self.program: LocalConnection = self.host.connect("test")
        self.define("S", STGCLASS="COPIES")
        self.define("Q", STREAMQ="S", STRMQOS=qos)
        self.queue = self.program.open("Q", EVERYTHING)
        self.copies = self.program.open("S", EVERYTHING)

    def define(self, name: str, **values: AttributeValue) -> None:
        self.host.administration.define("QLOCAL", name, {"MAXDEPTH": 999_999_999, "MAXMSGL": 104_857_600, **values})

    def alter(self, name: str, **values: AttributeValue) -> None:
        self.host.administration.alter(name, values)

    def put(self, size: int = 10, persistence: int = 0, options: int = 0) -> None:
        self.program.put(self.queue, MessageDescriptor(persistence=persistence), Random(size).randbytes(size), options)

    def depths(self) -> tuple[int, int]:
        return self.host.queues.by_name["Q"].depth, self.host.queues.by_name["S"].depth

    def drain(self, handle: Handle) -> list[Got]:
        found = []
        while True:
            try:
                found.append(self.program.get(handle))
            except NoMessage:
                return found


def check_empty(host: Host) -> None:
    """Check that queues without messages hold nothing but directory pages."""
    for number in (1, 2):
        states = host.store.page_sets[number].space.states
        volatile = [len(chain.by_number) for chain in chains_of(host) if chain.page_set.id == number and chain.volatile]
        assert states.count(VOLATILE) == sum(volatile)
        assert states.count(ITEM) == 0


@pytest.fixture(params=[BEST, MUST], ids=["best", "must"])
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    yield (site := Site(request.param))
    site.host.stop()


@pytest.mark.parametrize("persistence", [0, 1])
@pytest.mark.parametrize("size", [0, 100, 3600, 3700, 9000, 300_000])
def test_the_copy_is_the_message_in_every_field_and_byte(site: Site, size: int, persistence: int) -> None:
    descriptor = MessageDescriptor(
        persistence=persistence,
        priority=6,
        format=b"MQSTR   ",
        correlation_id=b"c" * 24,
        group_id=b"g" * 24,
        message_flags=MQMF_LAST_MSG_IN_GROUP,
        sequence_number=3,
        report=MQRO_PASS_CORREL_ID,
        reply_to_queue=b"R".ljust(48),
        application_identity_data=b"identity".ljust(32),
    )
    site.program.put(site.queue, descriptor, Random(size).randbytes(size))
    original, copy = site.program.get(site.queue), site.program.get(site.copies)
    assert original.data == copy.data == Random(size).randbytes(size)
    assert encode(original.descriptor) == encode(copy.descriptor)
    assert site.host.queues.by_name["S"].counters.streamed == 1
    assert site.host.queues.by_name["Q"].counters.streamed == 0


def test_the_copy_lives_for_ever_or_as_long_as_its_queue_says(site: Site) -> None:
    confirmed = MessageDescriptor(expiry=70, report=MQRO_COA_WITH_FULL_DATA, reply_to_queue=b"R")
    site.program.put(site.queue, confirmed, b"one")
    site.alter("S", CAPEXPRY=600)
    site.program.put(site.queue, MessageDescriptor(expiry=70), b"two")
    site.program.put(site.queue, MessageDescriptor(), b"three")
    assert [got.descriptor.expiry for got in site.drain(site.queue)] == [70, 70, MQEI_UNLIMITED]
    copies = site.drain(site.copies)
    assert [got.descriptor.expiry for got in copies] == [MQEI_UNLIMITED, 600, 600]
    assert [got.descriptor.report for got in copies] == [0, 0, 0]


def test_statistics_count_copies_and_accounts_do_not(site: Site) -> None:
    engine = site.host.engine
    engine.metered = engine.detailed = True
    site.program.connection.account = account = Account(site.host.log, 0.0, 0.0)
    before = engine.calls.opens
    queue = site.program.open("Q", MQOO_OUTPUT)
    assert engine.calls.opens - before == 2
    pages = site.host.store.counters.pages_taken
    site.program.put(queue, MessageDescriptor(persistence=1), b"one")
    site.program.put(queue, MessageDescriptor(persistence=0), bytes(9000))
    assert engine.calls.puts == 4
    assert (engine.calls.persistent, engine.calls.messages()) == (2, 4)
    assert site.host.store.counters.pages_taken - pages == 2 * (1 + 3)
    assert sum(each.valid_puts for each in account.queues.values()) == 2


def test_persistent_copies_double_what_is_logged(site: Site) -> None:
    log = site.host.log

    def logged(stream: str) -> int:
        site.alter("Q", STREAMQ=stream)
        before = log.next_address
        for _ in range(200):
            site.put(2000, 1)
        return log.next_address - before

    assert 1.9 <= logged("S") / logged("") <= 2.2


def test_a_copy_is_not_copied_again(site: Site) -> None:
    site.define("T")
    site.alter("S", STREAMQ="T")
    site.put()
    assert site.depths() == (1, 1)
    assert site.host.queues.by_name["T"].depth == 0


def test_the_operator_is_told_once_for_a_handle_and_a_reason() -> None:
    site = Site(BEST)
    site.alter("S", PUT=1)
    for _ in range(5):
        site.put()
        site.put(persistence=1, options=MQPMO_SYNCPOINT)
    site.program.commit()
    site.alter("S", PUT=0, MAXDEPTH=1)
    for _ in range(5):
        site.put()
    site.alter("S", PUT=1)
    site.put()
    inserts = [((2051,), ("S", "Q", "MQRC_PUT_INHIBITED")), ((2053,), ("S", "Q", "MQRC_Q_FULL"))]
    assert site.notes.about("CSQM587E") == inserts
    other = site.program.open("Q", EVERYTHING)
    site.program.put(other, MessageDescriptor(), b"")
    assert len(site.notes.about("CSQM587E")) == 3
    assert site.depths() == (17, 1)
    site.host.stop()


@pytest.mark.parametrize("persistence", [0, 1])
@pytest.mark.parametrize("size", [10, 9000])
@pytest.mark.parametrize("options", [0, MQPMO_SYNCPOINT])
def test_a_full_page_set_harms_the_message_only_if_it_must_be_copied(options: int, size: int, persistence: int) -> None:
    for qos in (BEST, MUST):
        site = Site(qos, copies=40)
        most = 30 if size == 10 else 12
        done, refusals = 0, []
        for _ in range(60):
            try:
                site.put(size, persistence, options)
                done += 1
            except MQError as error:
                refusals.append(error.reason)
            if options:
                site.program.commit()
        depth, copies = site.depths()
        assert 0 < copies <= most + 10
        if qos == BEST:
            assert (done, depth, refusals) == (60, 60, [])
        else:
            assert done == depth == copies
            assert set(refusals) == {MQRC_PAGESET_FULL}
        assert site.notes.about("CSQM587E") == [((2192,), ("S", "Q", "MQRC_PAGESET_FULL"))]
        assert len(site.drain(site.queue)) == depth
        assert len(site.drain(site.copies)) == copies
        check_empty(site.host)
        site.host.stop()


@pytest.mark.parametrize("size", [10, 9000])
def test_what_else_is_in_the_unit_stays_when_a_copy_fails(size: int) -> None:
    site = Site(MUST)
    site.define("OTHER")
    other = site.program.open("OTHER", EVERYTHING)
    site.put(persistence=1)
    site.program.get(site.queue, MQGMO_SYNCPOINT)
    site.program.put(other, MessageDescriptor(persistence=1), b"x" * size, MQPMO_SYNCPOINT)
    site.alter("S", MAXDEPTH=1)
    for persistence in (0, 1):
        with pytest.raises(MQError) as caught:
            site.put(size, persistence, MQPMO_SYNCPOINT)
        assert caught.value.reason == MQRC_Q_FULL
    site.program.put(other, MessageDescriptor(persistence=1), b"y", MQPMO_SYNCPOINT)
    site.program.commit()
    assert site.depths() == (0, 1)
    assert [len(got.data) for got in site.drain(other)] == [size, 1]
    site.drain(site.copies)
    check_empty(site.host)
    site.host.stop()


def test_a_stream_that_comes_and_goes_counts_as_it_is_at_the_put(site: Site) -> None:
    must = site.host.queues.by_name["Q"].definition["STRMQOS"] == MUST
    site.program.close(site.copies)
    site.host.administration.delete("S")
    if must:
        with pytest.raises(MQError) as caught:
            site.put()
        assert caught.value.reason == MQRC_UNKNOWN_OBJECT_NAME
    else:
        site.put()
    site.define("S", STGCLASS="COPIES")
    site.put()
    site.alter("Q", STREAMQ="")
    site.put()
    assert site.depths() == ((2 if must else 3), 1)


@pytest.mark.parametrize("qos", [BEST, MUST])
def test_copies_through_a_tiny_pool_wait_for_pages_and_lose_nothing(qos: int) -> None:
    cramped = Site(qos, pool=24)
    random = Random(7)
    sizes = [random.choice([5, 500, 3000, 9000, 40_000]) for _ in range(120)]
    for place, size in enumerate(sizes):
        cramped.put(size, place % 2, MQPMO_SYNCPOINT if place % 3 == 0 else 0)
        if place % 6 == 5:
            cramped.program.commit()
    cramped.program.commit()
    wanted = sorted(Random(size).randbytes(size) for size in sizes)
    assert sorted(got.data for got in cramped.drain(cramped.queue)) == wanted
    assert sorted(got.data for got in cramped.drain(cramped.copies)) == wanted
    check_empty(cramped.host)
    cramped.host.stop()


def test_a_copy_for_another_queue_manager_carries_its_address_and_descriptor(site: Site) -> None:
    site.define("XMIT", USAGE=MQUS_TRANSMISSION)
    far = {"RNAME": "FAR.Q", "RQMNAME": "QM2", "XMITQ": "XMIT"}
    site.host.administration.define("QREMOTE", "FAR", far)
    site.alter("Q", STREAMQ="FAR")
    plain = MessageDescriptor(persistence=1, priority=2, format=b"MQSTR   ")
    grouped = MessageDescriptor(format=b"MQSTR   ", group_id=b"g" * 24, message_flags=MQMF_LAST_MSG_IN_GROUP)
    transmitted = site.program.open("XMIT", EVERYTHING)
    for descriptor, size in ((plain, 3300), (grouped, 20)):
        data = Random(size).randbytes(size)
        site.program.put(site.queue, descriptor, data)
        got, original = site.program.get(transmitted), site.program.get(site.queue)
        header = mqxqh.decode(got.data)
        assert (header.remote_queue.rstrip(), header.remote_queue_manager.rstrip()) == (b"FAR.Q", b"QM2")
        assert header.descriptor.message_id == original.descriptor.message_id == got.descriptor.correlation_id
        assert got.data.endswith(data)
        assert got.descriptor.persistence == original.descriptor.persistence
        if descriptor is grouped:
            assert header.descriptor.format == b"MQHMDE  "
            extension = mqmde.decode(got.data, mqxqh.LENGTH)
            assert (extension.group_id, extension.format) == (b"g" * 24, b"MQSTR   ")
        else:
            assert header.descriptor.format == b"MQSTR   "


def test_after_a_hundred_random_failures_both_queues_are_equal_or_the_original_is_whole() -> None:
    for qos in (MUST, BEST):
        site = Site(qos, copies=120)
        random = Random(11)
        put: list[bytes] = []
        failures = 0
        while failures < 100:
            site.alter("S", PUT=int(random.random() < 0.3), MAXDEPTH=random.choice([5, 999_999_999]))
            unit: list[bytes] = []
            for _ in range(random.randrange(1, 6)):
                data = random.randbytes(random.choice([10, 2000, 9000]))
                descriptor = MessageDescriptor(persistence=random.randrange(2))
                syncpoint = random.random() < 0.5
                before = len(site.notes.about("CSQM587E"))
                site.queue.stream_failures.clear()
                try:
                    site.program.put(site.queue, descriptor, data, MQPMO_SYNCPOINT if syncpoint else 0)
                    (unit if syncpoint else put).append(data)
                except MQError as error:
                    assert error.reason in (MQRC_PUT_INHIBITED, MQRC_Q_FULL, MQRC_PAGESET_FULL)
                    assert qos == MUST
                failures += len(site.notes.about("CSQM587E")) - before
            if random.random() < 0.7:
                site.program.commit()
                put += unit
            else:
                site.program.backout()
            if random.random() < 0.2:
                site.alter("S", PUT=0)
                originals = sorted(got.data for got in site.drain(site.queue))
                copies = sorted(got.data for got in site.drain(site.copies))
                assert originals == sorted(put)
                assert copies == originals if qos == MUST else set(copies) <= set(originals)
                put.clear()
        site.alter("S", PUT=0)
        site.drain(site.queue)
        site.drain(site.copies)
        check_empty(site.host)
        site.host.stop()


# -- publications to a queue with a stream -----------------------------------------------------------------------------


def publish(site: Site, size: int, persistence: int, options: int = 0) -> None:
    descriptor = MessageDescriptor(persistence=persistence)
    site.program.publish("", "fruit/pear", descriptor, Random(size).randbytes(size), options)


def subscribe(site: Site) -> None:
    site.program.subscribe(SubscriptionRequest(MQSO_CREATE, "fruit/#"), site.queue)


@pytest.mark.parametrize("options", [0, MQPMO_SYNCPOINT], ids=["alone", "in a unit"])
@pytest.mark.parametrize("persistence", [0, 1])
@pytest.mark.parametrize("size", [10, 3600, 20_000])
def test_a_publication_to_a_queue_with_a_stream_is_copied(
    site: Site, size: int, persistence: int, options: int
) -> None:
    subscribe(site)
    publish(site, size, persistence, options)
    if options:
        assert len(site.drain(site.copies)) == 0
        site.program.commit()
    originals, copies = site.drain(site.queue), site.drain(site.copies)
    assert [each.data for each in copies] == [each.data for each in originals]
    assert [each.descriptor.message_id for each in copies] == [each.descriptor.message_id for each in originals]
    assert len(copies) == 1
    publish(site, size, persistence, MQPMO_SYNCPOINT)
    site.program.backout()
    assert site.depths() == (0, 0)
    check_empty(site.host)


@pytest.mark.parametrize("size", [10, 20_000])
@pytest.mark.parametrize("persistence", [0, 1])
def test_a_publication_that_cannot_be_copied(site: Site, size: int, persistence: int) -> None:
    subscribe(site)
    site.define("OTHER")
    other = site.program.open("OTHER", EVERYTHING)
    site.program.subscribe(SubscriptionRequest(MQSO_CREATE, "fruit/#"), other)
    site.alter("S", PUT=1)
    must = site.host.queues.by_name["Q"].stream
    assert must is not None
    for options in (0, MQPMO_SYNCPOINT):
        publish(site, size, persistence, options)
        if options:
            site.program.commit()
    assert site.depths() == (0 if must.must else 2, 0)
    assert len(site.drain(other)) == 2
    assert len(site.notes.about("CSQM587E")) == 1
    site.drain(site.queue)
    check_empty(site.host)


def test_a_copy_that_is_published_is_not_copied_again(site: Site) -> None:
    """The queue streams to a topic, and gets what is published there."""
    site.host.administration.define("QALIAS", "AT", {"TARGET": "FRUIT", "TARGTYPE": MQOT_TOPIC})
    site.host.objects.place(Definition.of("TOPIC", "FRUIT", {"TOPICSTR": "fruit"}))
    site.alter("Q", STREAMQ="AT")
    subscribe(site)
    site.put()
    assert site.depths() == (2, 0)


@pytest.mark.parametrize("qos", [BEST, MUST])
def test_publications_through_a_tiny_pool_wait_for_pages_and_lose_nothing(qos: int) -> None:
    site = Site(qos, pool=24)
    subscribe(site)
    for number in range(30):
        publish(site, 100 if number % 3 else 9000, number % 2)
    assert site.depths() == (30, 30)
    assert [each.data for each in site.drain(site.queue)] == [each.data for each in site.drain(site.copies)]
    site.host.stop()
