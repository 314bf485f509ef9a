"""Errors of the client name what they are about: queue, channel, queue manager and user, which the wire leaves out."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from kew import client
from kew.codes.errors import MQError
from kew.codes.options import MQOO_OUTPUT
from kew.codes.reasons import (
    MQRC_CHANNEL_CONFIG_ERROR,
    MQRC_NOT_AUTHORIZED,
    MQRC_PUT_INHIBITED,
    MQRC_Q_MGR_NAME_ERROR,
    MQRC_UNKNOWN_CHANNEL_NAME,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a queue manager with the objects of developers listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    path = str(tmp_path_factory.mktemp("named"))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), path)
    with manager.start("QM1", path, developer=True) as running:
        running.mqsc(
            f"DEFINE LISTENER(L) TRPTYPE(TCP) PORT({port}) IPADDR('127.0.0.1')",
            "START LISTENER(L)",
            "ALTER QLOCAL(DEV.QUEUE.1) PUT(DISABLED)",
        )
        yield f"127.0.0.1({port})"


def connect(address: str, **how: Any) -> client.Connection:
    known = {"channel": "DEV.APP.SVRCONN", "user": "app", "password": "password"}
    return client.connect(connection_name=address, **{**known, **how})


@pytest.mark.parametrize(
    ("how", "reason", "names"),
    [
        ({"queue_manager": "OTHER"}, MQRC_Q_MGR_NAME_ERROR, "qmgr 'OTHER', channel 'DEV.APP.SVRCONN'"),
        ({"channel": "NO.SUCH"}, MQRC_UNKNOWN_CHANNEL_NAME, "channel 'NO.SUCH', user 'app'"),
        ({"channel": "SYSTEM.DEF.SENDER"}, MQRC_CHANNEL_CONFIG_ERROR, "channel 'SYSTEM.DEF.SENDER'"),
        ({"password": "wrong"}, MQRC_NOT_AUTHORIZED, "channel 'DEV.APP.SVRCONN', user 'app'"),
    ],
)
def test_a_connection_that_fails_names_what_was_asked_for(
    address: str, how: dict[str, str], reason: int, names: str
) -> None:
    with pytest.raises(MQError) as refused:
        connect(address, **how)
    assert refused.value.reason == reason
    assert names in str(refused.value)
    assert "wrong" not in str(refused.value)


def test_a_verb_that_fails_names_the_queue_or_topic(address: str) -> None:
    with connect(address) as connection:
        for call, reason, named in (
            (lambda: connection.open("NO.SUCH", MQOO_OUTPUT), MQRC_UNKNOWN_OBJECT_NAME, "queue 'NO.SUCH'"),
            (lambda: connection.put1("DEV.QUEUE.1", b"x"), MQRC_PUT_INHIBITED, "queue 'DEV.QUEUE.1'"),
            (
                lambda: connection.open("DEV.QUEUE.1", MQOO_OUTPUT).put(b"x"),
                MQRC_PUT_INHIBITED,
                "queue 'DEV.QUEUE.1'",
            ),
            (lambda: connection.open_topic("", MQOO_OUTPUT, topic="NONE"), MQRC_UNKNOWN_OBJECT_NAME, "topic 'NONE'"),
        ):
            with pytest.raises(MQError) as refused:
                call()
            assert refused.value.reason == reason
            assert named in str(refused.value)
