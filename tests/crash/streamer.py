"""A process that puts to a queue that must be copied, in and out of syncpoint, until it is killed.

`python -m tests.crash.streamer DIRECTORY SEED`: prints the number of each message that was acknowledged. Every now and
then the queue of the copies takes none; the numbers of messages that were refused are printed with a minus.
"""

import sys
from random import Random

from kew.codes.errors import MQError
from kew.codes.options import MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager

NAME, QUEUE, COPIES = "QM1", "Q", "S"


def main() -> None:
    """Put until the end."""
    directory, seed = sys.argv[1:]
    random = Random(int(seed))
    number = int(seed) * 1_000_000
    with manager.start(NAME, directory) as running:
        program = running.connect("streamer")
        queue = program.open(QUEUE, MQOO_OUTPUT)
        while True:
            running.host.administration.alter(COPIES, {"PUT": int(random.random() < 0.2)})
            unit: list[int] = []
            for _ in range(random.randrange(1, 30)):
                number += 1
                syncpoint = random.random() < 0.5
                data = Random(number).randbytes(random.choice([20, 2000, 9000]))
                descriptor = MessageDescriptor(persistence=1, message_id=number.to_bytes(24, "big"))
                try:
                    program.put(queue, descriptor, data, MQPMO_SYNCPOINT if syncpoint else 0)
                except MQError:
                    print(-number, flush=True)
                    continue
                if syncpoint:
                    unit.append(number)
                else:
                    print(number, flush=True)
            program.commit()
            for each in unit:
                print(each, flush=True)


if __name__ == "__main__":
    main()
