"""Browses a queue and moves the messages that contain a word to another queue; a program for the ibmmq package.

    kew start QM1 --dev
    python -m kew.run examples/move.py QM1 "localhost(1414)" DEV.QUEUE.1 DEV.QUEUE.2 WORD

The message under the browse cursor is got and put in one unit of work, with its context as it was: it is in one of the
queues at any time, and looks as if it had been put there at once.
"""

import sys

import ibmmq  # type: ignore[import-not-found]
from ibmmq import CMQC

name, address, source_name, target_name, word = sys.argv[1:6]
manager = ibmmq.connect(name, "DEV.ADMIN.SVRCONN", address, "admin", "password")
source = ibmmq.Queue(manager, source_name, CMQC.MQOO_BROWSE | CMQC.MQOO_INPUT_SHARED | CMQC.MQOO_SAVE_ALL_CONTEXT)
target = ibmmq.Queue(manager, target_name, CMQC.MQOO_OUTPUT | CMQC.MQOO_PASS_ALL_CONTEXT)
look = ibmmq.GMO(Options=CMQC.MQGMO_BROWSE_NEXT | CMQC.MQGMO_FAIL_IF_QUIESCING)
take = ibmmq.GMO(Options=CMQC.MQGMO_MSG_UNDER_CURSOR | CMQC.MQGMO_SYNCPOINT)
give = ibmmq.PMO(Options=CMQC.MQPMO_PASS_ALL_CONTEXT | CMQC.MQPMO_SYNCPOINT)
give.Context = source.get_handle()
moved = left = 0
while True:
    try:
        text = source.get(None, ibmmq.MD(), look)
    except ibmmq.MQMIError as error:
        if error.reason != CMQC.MQRC_NO_MSG_AVAILABLE:
            raise
        break
    if word.encode() not in text:
        left += 1
        continue
    descriptor = ibmmq.MD()
    text = source.get(None, descriptor, take)
    target.put(text, descriptor, give)
    manager.commit()
    moved += 1
print(f"{moved} moved from {source_name} to {target_name}, {left} left")
source.close()
target.close()
manager.disconnect()
