"""Moves money between two queues, all or nothing: what fails half-way is backed out, and tried again.

    kew start QM1 --dev
    python -m kew.run examples/syncpoint.py QM1 "localhost(1414)"

A message that cannot be handled comes back again and again; its backout count says how often. After three times it is
moved out of the way, as the queue's BOTHRESH and BOQNAME would have it.
"""

import sys

import ibmmq  # type: ignore[import-not-found]
from ibmmq import CMQC

ATTEMPTS = 3


def book(text: str) -> str:
    """The work: refuses what is not a number."""
    return f"booked {int(text)}"


def handle(manager: "ibmmq.QueueManager", queue: "ibmmq.Queue") -> bool:
    """Take a request and put the result in one unit of work; says whether there was one."""
    descriptor = ibmmq.MD()
    try:
        text = queue.get(None, descriptor, ibmmq.GMO(Options=CMQC.MQGMO_SYNCPOINT)).decode()
    except ibmmq.MQMIError as error:
        if error.reason != CMQC.MQRC_NO_MSG_AVAILABLE:
            raise
        return False
    together = ibmmq.PMO(Options=CMQC.MQPMO_SYNCPOINT)
    if descriptor.BackoutCount >= ATTEMPTS:
        manager.put1("DEV.QUEUE.3", text, ibmmq.MD(), together)
        manager.commit()
        print(f"{text}: moved to DEV.QUEUE.3 after {descriptor.BackoutCount} attempts")
        return True
    try:
        manager.put1("DEV.QUEUE.2", book(text), ibmmq.MD(), together)
    except ValueError as problem:
        manager.backout()
        print(f"{text}: backed out, {problem}")
    else:
        manager.commit()
        print(f"{text}: committed")
    return True


def main() -> None:
    """Put two requests, one of them bad, and handle what there is."""
    name, address = sys.argv[1:3]
    manager = ibmmq.connect(name, "DEV.APP.SVRCONN", address, "app", "password")
    for text in ("100", "a lot"):
        manager.put1("DEV.QUEUE.1", text)
    queue = ibmmq.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_INPUT_SHARED)
    while handle(manager, queue):
        pass
    queue.close()
    manager.disconnect()


if __name__ == "__main__":
    main()
