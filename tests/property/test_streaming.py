"""Copies of any message are the message, but for what streaming takes away; and the message is as it would be alone."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.hosting import DEEP, EVERYTHING, create, small
from tests.support.simdisk import SimDisk

from kew.codes.attributes import MQST_BEST_EFFORT, MQST_MUST_DUP
from kew.codes.options import MQEI_UNLIMITED, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor, encode
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.streaming import GENERATING
from kew.mqi.local.connection import LocalConnection
from kew.mqi.messages.reply import KNOWN_REPORTS

QUEUES = ("ALONE", "BEST", "MUST")


@cache
def site() -> tuple[LocalConnection, dict[str, Handle]]:
    """Make a queue manager with a queue without a stream, and two with one each."""
    host = create(SimDisk(), small(pool=400, log_pages=1024))
    for name, qos in (("BEST", MQST_BEST_EFFORT), ("MUST", MQST_MUST_DUP)):
        host.administration.define("QLOCAL", f"{name}.COPIES", DEEP)
        host.administration.define("QLOCAL", name, {**DEEP, "STREAMQ": f"{name}.COPIES", "STRMQOS": qos})
    host.administration.define("QLOCAL", "ALONE", DEEP)
    host.administration.define("QLOCAL", "R", DEEP)
    program = host.connect("property")
    return program, {name: program.open(name, EVERYTHING) for name in (*QUEUES, "BEST.COPIES", "MUST.COPIES")}


def text(size: int) -> st.SearchStrategy[bytes]:
    return st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=size).map(lambda each: each.encode())


DESCRIPTORS = st.builds(
    MessageDescriptor,
    report=st.integers(0, KNOWN_REPORTS).map(lambda bits: bits & KNOWN_REPORTS),
    expiry=st.one_of(st.just(MQEI_UNLIMITED), st.integers(10_000, 99_999_999)),
    feedback=st.integers(0, 999_999_999),
    encoding=st.integers(0, 1 << 30),
    ccsid=st.integers(1, 65535),
    format=text(8),
    priority=st.integers(0, 9),
    persistence=st.integers(0, 1),
    message_id=st.binary(min_size=24, max_size=24).filter(any),
    correlation_id=st.binary(min_size=24, max_size=24),
    reply_to_queue=st.just(b"R"),
    reply_to_queue_manager=st.just(b"QM1"),
)


@settings(deadline=None, max_examples=150)
@given(DESCRIPTORS, st.sampled_from([0, 1, 3000, 3600, 3800, 12_000]), st.booleans())
def test_message_and_copy(descriptor: MessageDescriptor, size: int, syncpoint: bool) -> None:
    program, handles = site()
    stored: dict[str, bytes] = {}
    for name in QUEUES:
        mine = descriptor.copy()
        program.put(handles[name], mine, bytes(size), MQPMO_SYNCPOINT if syncpoint else 0)
        program.commit()
        got = program.get(handles[name])
        assert got.data == bytes(size)
        got.descriptor.put_date = got.descriptor.put_time = b""
        got.descriptor.expiry = descriptor.expiry  # time has passed
        stored[name] = encode(got.descriptor)
        if name == "ALONE":
            continue
        copy = program.get(handles[f"{name}.COPIES"])
        assert copy.data == bytes(size)
        assert copy.descriptor.expiry == MQEI_UNLIMITED
        assert copy.descriptor.report == descriptor.report & ~GENERATING
        copy.descriptor.put_date = copy.descriptor.put_time = b""
        copy.descriptor.expiry, copy.descriptor.report = descriptor.expiry, descriptor.report
        assert encode(copy.descriptor) == stored[name]
    assert stored["ALONE"] == stored["BEST"] == stored["MUST"]
