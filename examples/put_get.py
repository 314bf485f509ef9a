"""Puts a message and gets it again: the smallest program for IBM's ibmmq package, which runs on Kew.

    kew start QM1 --dev
    python -m kew.run examples/put_get.py QM1 "localhost(1414)"

Without an address the queue manager of this machine is used.
"""

import sys

import ibmmq  # type: ignore[import-not-found]
from ibmmq import CMQC

name, *address = sys.argv[1:]
manager = ibmmq.connect(name, "DEV.APP.SVRCONN", address[0], "app", "password") if address else ibmmq.connect(name)
queue = ibmmq.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_OUTPUT | CMQC.MQOO_INPUT_SHARED)
put = ibmmq.MD(Persistence=CMQC.MQPER_PERSISTENT, Format=CMQC.MQFMT_STRING)
queue.put("Hello", put)  # on disk when it returns
got = ibmmq.MD()
text = queue.get(None, got, ibmmq.GMO(Options=CMQC.MQGMO_NO_SYNCPOINT)).decode()
print(f"{text}, put by user {got.UserIdentifier.decode().strip()}; the same message: {got.MsgId == put.MsgId}")
queue.close()
manager.disconnect()
