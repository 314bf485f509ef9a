"""Damaged dialogues, a few of them; tests/fuzz/wire.py plays many more."""

from random import Random

import pytest
from tests.fuzz.wire import run
from tests.support.responder import Responder, ToyQueueManager
from tests.support.vectors import vector

from kew.channels.protocol.dialect import padded
from kew.channels.protocol.lifecycle import ChannelRequested, Failed
from kew.channels.protocol.negotiate import InitialData, Terms
from kew.channels.protocol.server import ServerSession
from kew.channels.protocol.states import CLOSED


@pytest.mark.parametrize("seed", range(8))
def test_nothing_does_worse_than_to_be_refused(seed: int) -> None:
    assert run(Random(seed), 40, 60.0) > 0


def test_a_server_takes_no_reply() -> None:
    said: list[bytes] = []
    server = Responder(ToyQueueManager(), said.append)
    for number in (1, 3, 5, 6):
        server.receive(vector(number))
    server.receive(vector(9))
    assert server.closed
    assert server.failures[0].error.status == 0x0A


def test_an_answer_to_a_conversation_whose_number_lives_again() -> None:
    server = ServerSession()
    events = server.receive(vector(1))
    assert isinstance(events[0], ChannelRequested)
    server.accept(Terms("QM1", "QM1_ID"))
    server.receive(vector(3) + vector(28))
    connect = bytearray(vector(8))
    connect[11] = 3
    call = server.receive(bytes(connect))[0]
    ending = bytearray(vector(30))
    ending[10] = 0x30
    ending[28] = 3
    server.receive(bytes(ending) + vector(28))
    server.take_output()
    assert server.send(call) == b""


@pytest.mark.parametrize("size", [0, 1023])
def test_an_offer_that_no_terms_can_meet(size: int) -> None:
    server = ServerSession()
    offer = bytearray(vector(1))
    offer[40:44] = size.to_bytes(4, "big")
    server.receive(bytes(offer))
    data, events = server.accept(Terms("QM1", "QM1_ID"))
    assert isinstance(events[0], Failed)
    assert data[-1] == 0xF3
    assert server.state == CLOSED
    assert server.accept(Terms("QM1", "QM1_ID")) == (b"", [])


def test_a_channel_name_is_echoed_as_it_came() -> None:
    offer = InitialData()
    offer.channel_name = padded("WITH/ODD%NAME", 20)
    assert offer.copy().channel_name == offer.channel_name
