"""Puts one message to several queues at once, by a distribution list: a program for IBM's ibmmq package.

    kew start QM1 --dev
    python -m kew.run examples/distribute.py QM1 "localhost(1414)"

The package has no class for lists: the records are arrays in memory, to which the descriptor points, as in C.
"""

import ctypes
import struct
import sys

import ibmmq  # type: ignore[import-not-found]
from ibmmq import CMQC

QUEUES = (b"DEV.QUEUE.1", b"DEV.QUEUE.2", b"NO.SUCH.QUEUE")
MINE = b"distributed".ljust(24, b"\0")  # by which its messages are known among others


def main() -> None:
    """Put to three queues, of which one is not there, and say what became of each."""
    name, address = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    manager = ibmmq.connect(name, "DEV.APP.SVRCONN", address, "app", "password") if address else ibmmq.connect(name)
    objects = ctypes.create_string_buffer(b"".join([queue.ljust(48) + b" " * 48 for queue in QUEUES]))
    responses = ctypes.create_string_buffer(8 * len(QUEUES))
    od = ibmmq.OD(
        Version=CMQC.MQOD_VERSION_2,
        RecsPresent=len(QUEUES),
        ObjectRecPtr=ctypes.addressof(objects),
        ResponseRecPtr=ctypes.addressof(responses),
    )
    try:
        manager.put1(od, b"to all of you", ibmmq.MD(CorrelId=MINE), ibmmq.PMO())
    except ibmmq.MQMIError as told:
        if told.reason != CMQC.MQRC_MULTIPLE_REASONS:
            raise
    for place, queue in enumerate(QUEUES):
        _completion, reason = struct.unpack_from("=ii", responses, 8 * place)
        print(queue.decode(), "has it" if not reason else f"has not: {reason}")
    for queue in QUEUES[:2]:
        got = ibmmq.Queue(manager, queue, CMQC.MQOO_INPUT_SHARED).get(None, ibmmq.MD(CorrelId=MINE))
        print("got", got.decode())
    manager.disconnect()


if __name__ == "__main__":
    main()
