"""The three tests of table 1 of the report on streaming queues: how deep a queue of expiring copies becomes.

Programs put at a fixed rate to five queues with STRMQOS(MUSTDUP), others drain them; the copies stay until they expire.
The rate is one in ten thousand of the report's, and the clock is the test's, so that an hour takes a second. The
report's own depths are 0.990 to 1.001 of the formula, and the files 0.669 to 0.814 of what it advises to have.
A message of ours takes whole pages of 4 KB, so that short ones take a third more than advised: 4 KB where it has 3.
"""

from math import ceil

import pytest
from tests.support.hosting import create, small
from tests.support.simdisk import SimDisk

from kew.codes.attributes import MQST_MUST_DUP
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.mqi.engine import Clock
from kew.objects.catalogue import AttributeValue
from kew.queues.expiry import scan
from kew.storage.pages.spacemap import VOLATILE

QUEUES = 5
RATE = 1  # puts a second, on all queues together
PAGE = 4096
ADVISED = 1.5  # of the size of messages, for what is stored with them


@pytest.mark.parametrize(
    ("size", "cap", "interval"),
    [(2048, 3000, 300), (2048, 36_000, 300), (20_480, 6000, 1)],
    ids=["5 minutes", "an hour", "20 KB and a scan every second"],
)
def test_the_depth_is_what_the_report_predicts(size: int, cap: int, interval: int) -> None:
    host = create(SimDisk(), small(pool=1000, pages=20_000))
    now = 1_700_000_000.0
    host.engine.clock = Clock(lambda: now)
    host.administration.define("QLOCAL", "Q", {})
    program = host.connect("programs")
    queues = []
    for number in range(QUEUES):
        host.administration.define("QLOCAL", f"S{number}", {"CUSTOM": f"CAPEXPRY({cap})"})
        stream: dict[str, AttributeValue] = {"STREAMQ": f"S{number}", "STRMQOS": MQST_MUST_DUP}
        host.administration.define("QLOCAL", f"Q{number}", stream)
        queues.append(program.open(f"Q{number}", MQOO_OUTPUT | MQOO_INPUT_SHARED))
    copies = [host.queues.by_name[f"S{number}"] for number in range(QUEUES)]
    deepest = most_pages = 0
    data = bytes(size)
    for second in range(cap // 10 + 2 * interval + 1):
        if second % interval == 0:
            scan(host.engine.run, host.queues, int(now * 1000))
        for place in range(RATE):
            queue = queues[(second * RATE + place) % QUEUES]
            program.put(queue, MessageDescriptor(), data)
            program.get(queue)
        now += 1
        depth = sum([queue.depth for queue in copies])
        if depth > deepest:
            deepest = depth
            most_pages = host.store.page_sets[1].space.states.count(VOLATILE)
    predicted = RATE * cap / 10 + RATE * interval
    assert 0.97 <= deepest / predicted <= 1.03
    whole = ceil((LENGTH + size) / PAGE) * PAGE
    sizing = max(size * ADVISED, whole) * predicted
    assert most_pages * PAGE <= sizing * 1.05
    assert (whole <= size * ADVISED) == (size > PAGE)
    host.stop()
