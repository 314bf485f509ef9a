"""Isolated bindings: the agent is a process of its own, and nothing of a program that dies is left behind."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.network import NAME, Reachable, eventually, reachable

from kew import client, ibmmq
from kew.client import aio
from kew.client.relay import LONGEST, segments
from kew.codes.errors import Broken, MQError
from kew.codes.options import (
    MQCNO_FASTPATH_BINDING,
    MQCNO_ISOLATED_BINDING,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
)
from kew.codes.reasons import MQRC_OPTIONS_ERROR, MQRC_Q_MGR_NAME_ERROR

QUEUE = "DEV.QUEUE.1"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reachable]:
    with reachable(tmp_path) as running:
        monkeypatch.setenv("KEW_DATA", running.data)
        yield running


def isolated(site: Reachable) -> client.Connection:
    return client.connect_local(NAME, "tests", data=site.data, options=MQCNO_ISOLATED_BINDING)


def agents() -> list[int]:
    """The agents that this process has started."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                words = Path("/proc", name, "cmdline").read_bytes().split(b"\0")
                parent = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if any(word.endswith(b"relay.py") for word in words) and int(parent) == os.getpid():
                found.append(int(name))
    return found


def test_the_asyncio_client_has_such_an_agent_too(site: Reachable) -> None:
    async def work() -> bytes:
        connection = await aio.connect_local(NAME, "tests", data=site.data, options=MQCNO_ISOLATED_BINDING)
        async with connection:
            assert len(agents()) == 1
            await connection.put1(QUEUE, b"x" * 100_000)
            async with await connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:
                return (await queue.get(30)).data

    assert asyncio.run(work()) == b"x" * 100_000
    assert eventually(lambda: not agents())


def test_messages_through_a_process_of_its_own(site: Reachable) -> None:
    with isolated(site) as connection:
        assert len(agents()) == 1
        queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        for size in (0, 10, 1_000_000, 4_000_000):
            queue.put(b"x" * size, syncpoint=True)
            connection.commit()
            assert len(queue.get(30).data) == size
        assert "CONNOPTS(MQCNO_ISOLATED_BINDING)" in site.mqsc(
            "DISPLAY CONN(*) WHERE(APPLTAG EQ 'tests') CONNOPTS PID"
        ).replace("\n", "")
    assert eventually(lambda: not agents())
    with site.connect_local():
        assert "CONNOPTS(MQCNO_SHARED_BINDING)" in site.mqsc("DISPLAY CONN(*) WHERE(APPLTAG EQ 'tests') CONNOPTS")


def test_a_program_that_dies_leaves_nothing_behind(site: Reachable) -> None:
    program = (
        "import os, sys\n"
        "from kew import client\n"
        f"c = client.connect_local({NAME!r}, 'tests', data=sys.argv[1], options={MQCNO_ISOLATED_BINDING})\n"
        f"q = c.open({QUEUE!r}, {MQOO_OUTPUT})\n"
        "q.put(b'never', syncpoint=True)\n"
        "c.driver.endpoint.sendall(b'TSHM\\0\\0\\1\\0half a segment')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    source = Path(client.__file__).parents[2]
    ended = subprocess.run([sys.executable, "-c", program, site.data], env={**os.environ, "PYTHONPATH": str(source)})
    assert ended.returncode == -signal.SIGKILL
    assert eventually(lambda: site.depth(QUEUE) == 0 and "AMQ8461I" not in site.mqsc("DISPLAY CONN(*)"))
    assert eventually(lambda: "tests" not in site.mqsc("DISPLAY CONN(*) ALL"))


def test_an_agent_that_dies_is_a_broken_connection(site: Reachable) -> None:
    connection = isolated(site)
    queue = connection.open(QUEUE, MQOO_OUTPUT)
    queue.put(b"never", syncpoint=True)
    os.kill(agents()[0], signal.SIGKILL)
    with pytest.raises(Broken):
        connection.commit()
    assert eventually(lambda: site.depth(QUEUE) == 0)
    connection.driver.close()


def test_programs_ask_for_it_by_an_option(site: Reachable) -> None:
    manager = ibmmq.QueueManager(None)
    manager.connect_with_options(NAME, opts=MQCNO_ISOLATED_BINDING)
    assert len(agents()) == 1
    manager.put1(QUEUE, b"x")
    manager.disconnect()
    assert eventually(lambda: not agents())
    with pytest.raises(ibmmq.MQMIError) as refused:
        manager.connect_with_options(NAME, opts=MQCNO_ISOLATED_BINDING | MQCNO_FASTPATH_BINDING)
    assert refused.value.reason == MQRC_OPTIONS_ERROR


def test_no_such_queue_manager(tmp_path: Path) -> None:
    with pytest.raises(MQError) as problem:
        client.connect_local("NO.SUCH", data=str(tmp_path), options=MQCNO_ISOLATED_BINDING)
    assert problem.value.reason == MQRC_Q_MGR_NAME_ERROR
    assert not agents()


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        (b"", 0),
        (b"TSHM\0\0", 0),
        (b"TSHM\0\0\0\x1c" + bytes(20), 28),
        (b"TSHM\0\0\0\x1c" + bytes(20) + b"TSH \0\0\0\x1c", 28),
        (b"HTTP/1.1 200 OK", -1),
        (b"TSHM\0\0\0\x1b", -1),
        (b"TSHM" + (LONGEST + 1).to_bytes(4, "big"), -1),
    ],
)
def test_only_whole_segments_are_passed_on(said: bytes, whole: int) -> None:
    assert segments(bytearray(said)) == whole


def test_what_is_no_segment_ends_the_connection(site: Reachable) -> None:
    connection = isolated(site)
    endpoint = connection.driver.endpoint
    assert isinstance(endpoint, socket.socket)
    endpoint.sendall(b"this is no segment")
    endpoint.setblocking(True)
    endpoint.settimeout(60)
    assert endpoint.recv(1000) == b""
    connection.driver.close()
    assert eventually(lambda: not agents())
