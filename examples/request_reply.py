"""Asks a question on one queue and reads the answer on another: a program for IBM's ibmmq package, which runs on Kew.

    kew start QM1 --dev
    python -m kew.run examples/request_reply.py QM1 "localhost(1414)"

Without an address the queue manager of this machine is used.
"""

import sys

import ibmmq  # type: ignore[import-not-found]
from ibmmq import CMQC


def connect(name: str, address: str) -> "ibmmq.QueueManager":
    """A connection as the developer's user, or as whoever runs this."""
    if address:
        return ibmmq.connect(name, "DEV.APP.SVRCONN", address, "app", "password")
    return ibmmq.connect(name)


def answer(manager: "ibmmq.QueueManager") -> None:
    """Take one request and put the answer where it asks for it, all or nothing."""
    requests = ibmmq.Queue(manager, "DEV.QUEUE.1", CMQC.MQOO_INPUT_SHARED)
    request = ibmmq.MD()
    question = requests.get(None, request, ibmmq.GMO(Options=CMQC.MQGMO_SYNCPOINT))
    reply = ibmmq.MD(MsgType=CMQC.MQMT_REPLY, CorrelId=request.MsgId)
    manager.put1(request.ReplyToQ, question.upper(), reply, ibmmq.PMO(Options=CMQC.MQPMO_SYNCPOINT))
    manager.commit()
    requests.close()


def main() -> None:
    """Ask, answer, read."""
    manager = connect(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    replies = ibmmq.Queue(manager, "DEV.QUEUE.2", CMQC.MQOO_INPUT_SHARED)
    request = ibmmq.MD(MsgType=CMQC.MQMT_REQUEST, ReplyToQ="DEV.QUEUE.2")
    manager.put1("DEV.QUEUE.1", "is anybody there?", request)
    answer(manager)
    got = ibmmq.MD(CorrelId=request.MsgId)
    wait = ibmmq.GMO(Options=CMQC.MQGMO_WAIT | CMQC.MQGMO_NO_SYNCPOINT, WaitInterval=5000)
    print(replies.get(None, got, wait).decode())
    try:
        replies.get(None, ibmmq.MD(CorrelId=request.MsgId), ibmmq.GMO())
    except ibmmq.MQMIError as error:
        print(error)
    replies.close()
    manager.disconnect()


if __name__ == "__main__":
    main()
