"""Searches of deep queues by clients: the loop does them a part at a time, and no worker is kept from others."""

from pathlib import Path
from threading import Thread

import pytest
from tests.support.network import reachable

from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.queues.private import MOST_PASSED

QUEUE = "DEV.QUEUE.1"
DEEP = 5 * MOST_PASSED


def test_a_search_by_selector_needs_no_worker(tmp_path: Path) -> None:
    with reachable(tmp_path) as site, site.connect() as connection:
        queue = connection.open(QUEUE, MQOO_OUTPUT)
        for number in range(DEEP):
            queue.put(b"%d" % number, MessageDescriptor(persistence=0))
        before = site.network.resources.workers.started
        selecting = connection.open(QUEUE, MQOO_INPUT_SHARED, selector="colour = 'blue'")
        with pytest.raises(NoMessage):
            selecting.get()
        assert site.network.resources.workers.started == before


def test_several_searches_at_once_come_to_their_end_while_others_work(tmp_path: Path) -> None:
    with reachable(tmp_path) as site, site.connect() as connection:
        queue = connection.open(QUEUE, MQOO_OUTPUT)
        for number in range(DEEP):
            queue.put(b"%d" % number, MessageDescriptor(persistence=0))
        ended: list[str] = []

        def search(text: str) -> None:
            with site.connect() as other:
                selecting = other.open(QUEUE, MQOO_INPUT_SHARED, selector=text)
                try:
                    selecting.get()
                except NoMessage:
                    ended.append(text)

        searching = [Thread(target=search, args=(f"size = {number}",)) for number in range(4)]
        for each in searching:
            each.start()
        beside = connection.open("DEV.QUEUE.2", MQOO_OUTPUT | MQOO_INPUT_SHARED)
        for number in range(20):
            beside.put(b"%d" % number, MessageDescriptor(persistence=0))
            assert beside.get().data == b"%d" % number
        for each in searching:
            each.join()
        assert sorted(ended) == [f"size = {number}" for number in range(4)]
        assert site.depth(QUEUE) == DEEP
