"""Messages that can be seen and are not on disk yet: each is known until its own record is there."""

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.support.hosting import create, lasting, opened, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.options import MQGMO_BROWSE_FIRST, MQGMO_BROWSE_NEXT, MQGMO_SYNCPOINT, MQPMO_SYNCPOINT
from kew.mqi.gets.get import get
from kew.mqi.gets.request import GetRequest
from kew.mqi.puts.put import put
from kew.mqi.puts.request import PutRequest
from kew.mqi.transactions.units import commit
from kew.qmgr.assemble import Host
from kew.storage.log import LogAddress


class Site:
    """A queue whose messages are put without waiting for the log."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.putter, self.queue = queue_of(host)
        self.getter, self.other = opened(host)

    def put(self, in_unit: bool) -> LogAddress:
        """Put a message; gives the address from which on a crash cannot undo it."""
        with self.host.lock:
            options = MQPMO_SYNCPOINT if in_unit else 0
            address = put(PutRequest(self.putter.connection, self.queue, lasting(), b"x", options))
            if in_unit:
                address = commit(self.putter.connection)
        assert isinstance(address, int)
        return address

    def shown(self, options: int) -> LogAddress:
        """Give the address that another program waits for before it is shown a message."""
        with self.host.lock:
            got = get(GetRequest(self.getter.connection, self.other, options, None, -1))
        assert got is not None
        return got.address


@pytest.mark.parametrize("in_unit", [False, True])
@pytest.mark.parametrize("options", [MQGMO_SYNCPOINT, MQGMO_BROWSE_FIRST])
def test_whoever_is_shown_the_older_of_two_messages_on_their_way_waits_for_it(in_unit: bool, options: int) -> None:
    site = Site(create(SimDisk(), small()))
    older, newer = site.put(in_unit), site.put(in_unit)
    assert site.host.log.durable < older < newer
    assert site.shown(options) == older


@given(steps=some.lists(some.sampled_from(["put", "unit", "force", "show"]), max_size=30))
def test_each_message_is_shown_once_its_own_record_is_on_disk(steps: list[str]) -> None:
    site = Site(create(SimDisk(), small()))
    log = site.host.log
    needed: list[LogAddress] = []
    for step in [*steps, "show"]:
        if step == "force":
            log.force(log.next_address)
        elif step != "show":
            needed.append(site.put(step == "unit"))
        else:
            for number, address in enumerate(needed):
                told = site.shown(MQGMO_BROWSE_NEXT if number else MQGMO_BROWSE_FIRST)
                if address > log.durable:
                    assert told == address
                else:
                    assert told <= log.durable
