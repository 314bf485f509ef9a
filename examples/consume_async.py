"""Consumes a queue with asyncio while the same program does other things: kew.client, without any other package.

    kew start QM1 --dev
    python examples/consume_async.py QM1 "localhost(1414)"

Each message is got in a unit of work and committed once it is handled, so none is lost if the program ends half-way.
"""

import asyncio
import sys

from kew.client import aio
from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT

QUEUE = "DEV.QUEUE.1"
MESSAGES = 5


async def produce(name: str, address: str) -> None:
    """Put some messages, with pauses."""
    connection = await aio.connect(name, address, "DEV.APP.SVRCONN", "app", "password")
    async with connection, await connection.open(QUEUE, MQOO_OUTPUT) as queue:
        for number in range(MESSAGES):
            await queue.put(b"order %d" % number)
            await asyncio.sleep(0.01)


async def consume(name: str, address: str) -> None:
    """Handle messages until none has come for a second."""
    connection = await aio.connect(name, address, "DEV.APP.SVRCONN", "app", "password")
    async with connection, await connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:
        while True:
            try:
                message = await queue.get(wait=1.0, syncpoint=True)
            except NoMessage:
                return
            print(message.data.decode())
            await connection.commit()


async def main() -> None:
    """Produce and consume at the same time."""
    name, address = sys.argv[1:3]
    await asyncio.gather(produce(name, address), consume(name, address))


if __name__ == "__main__":
    asyncio.run(main())
