"""Connections: how many a second, what each costs in memory, and what TLS and compression cost.

The queue manager runs in a process of its own; programs come in without a password, which would be measured instead.
Memory is what the process grows by while the connections are held, each with a queue open and after a message of the
size; the sizes and ways of sharing are those of the table of channel footprints in the capacity planning document.
"""

import asyncio
import json
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from kew import client
from kew.client import ConnectSettings, aio
from kew.codes.channels import MQCOMPRESS_LZ4FAST, MQCOMPRESS_ZLIBFAST
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.config import ChannelsConfiguration, Configuration
from tests.bench.secrecy import secrecy
from tests.support.server import NAME, OPEN_CHANNEL, ServerProcess

Row = tuple[str, float, str, str, bool | None]

QUEUE = "DEV.QUEUE.1"
SIZES = (1, 10, 32, 64)  # KB
BOTH = MQOO_OUTPUT | MQOO_INPUT_SHARED


def server(folder: Path, attributes: str = "") -> ServerProcess:
    """A queue manager that takes any number of channels."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    folder.mkdir(parents=True)
    manager.create(NAME, Configuration(channels=ChannelsConfiguration(max_channels=65535)), str(folder))
    return ServerProcess(folder, attributes)


async def _one(connection: aio.AsyncConnection, size: int) -> aio.AsyncQueue:
    queue = await connection.open(QUEUE, BOTH)
    await queue.put(bytes(size), MessageDescriptor(persistence=0))
    await queue.get(10)
    return queue


async def _hold(where: ServerProcess, count: int, shared: int, size: int, look: Callable[[], int]) -> int:
    """Hold so many connections; what was seen then."""
    held: list[aio.AsyncConnection] = []
    queues: list[aio.AsyncQueue] = []
    last: aio.AsyncConnection | None = None
    for number in range(count):
        if last is None or shared < 2 or number % shared == 0:
            last = await aio.connect(NAME, where.address, OPEN_CHANNEL, application="bench", conversations=shared)
            held.append(last)
        else:
            held.append(await last.share())
        queues.append(await _one(held[-1], size))
    seen = look()
    for connection in held:
        connection.protocol.close()
    return seen


def footprint(folder: Path, count: int, shared: int, size: int) -> float:
    """KB that a connection costs the queue manager."""
    with server(folder, f"SHARECNV({shared})") as running:
        asyncio.run(_hold(running, 20, shared, size, running.memory))  # what is loaded at the first use
        before = running.memory()
        after = asyncio.run(_hold(running, count, shared, size, running.memory))
        return (after - before) / count / 1024


def rate(work: Callable[[], int], workers: int, seconds: float) -> float:
    """How often a second workers do something; `work` says how often it was done."""
    until = time.monotonic() + seconds
    counts = [0] * workers

    def run(place: int) -> None:
        while time.monotonic() < until:
            counts[place] += work()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(workers)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - begun)


def connects(folder: Path, seconds: float) -> float:
    """Connections made and ended a second."""
    with server(folder) as running:

        def once() -> int:
            running.connect().disconnect()
            return 1

        once()
        return rate(once, 4, seconds)


def saved(folder: Path) -> dict[str, float]:
    """The percentage that each method saves of orders in JSON, as DISPLAY CHSTATUS has it."""
    random = Random(1)
    orders = [
        {
            "order": number,
            "customer": f"C{random.randrange(10**6):06d}",
            "state": "accepted",
            "lines": [
                {"item": random.randrange(1000), "quantity": random.randrange(10), "price": random.random() * 100}
                for _line in range(4)
            ],
        }
        for number in range(60)
    ]
    body = json.dumps(orders).encode()
    rates: dict[str, float] = {}
    with server(folder, "COMPMSG(ANY)") as running:
        for name, method in (("LZ4FAST", MQCOMPRESS_LZ4FAST), ("ZLIBFAST", MQCOMPRESS_ZLIBFAST)):
            settings = ConnectSettings(
                NAME, running.address, OPEN_CHANNEL, message_compression=(method,), application="bench"
            )
            with client.connect_by(settings) as connection, connection.open(QUEUE, BOTH) as queue:
                for _turn in range(20):
                    queue.put(body, MessageDescriptor(persistence=0))
                    queue.get(10)
                shown = running.mqsc(f"DISPLAY CHSTATUS({OPEN_CHANNEL}) COMPRATE")
                rates[name] = float(shown.partition("COMPRATE(")[2].partition(",")[0])
    return rates


def connections(quick: bool) -> Iterator[Row]:
    """Connections held and made, with TLS and compressed."""
    count = 200 if quick else 2000
    seconds = 2.0 if quick else 6.0
    with tempfile.TemporaryDirectory(prefix="kew-bench-", dir=".") as name:
        where = Path(name).absolute()
        made = connects(where / "connects", seconds)
        yield "connect and disconnect over TCP, 4 programs", made, "/s", ">= 300", made >= 300
        with server(where / "tls") as running:
            yield from secrecy(running, where / "tls", 7 if quick else 15)
        rates = saved(where / "packed")
        yield "COMPRATE of JSON, LZ4FAST", rates["LZ4FAST"], "%", "", None
        above = rates["ZLIBFAST"] >= rates["LZ4FAST"]
        yield "COMPRATE of JSON, ZLIBFAST", rates["ZLIBFAST"], "%", ">= LZ4FAST", above
        for shared in (0, 1, 10):
            for size in SIZES[:1] if quick else SIZES:
                cost = footprint(where / f"held-{shared}-{size}", count, shared, size * 1024)
                yield f"{count} connections held, SHARECNV({shared}), {size} KB messages", cost, "KB each", "", None
