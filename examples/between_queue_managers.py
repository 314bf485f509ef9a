"""Asks a question at one queue manager and answers it at another: a program for IBM's ibmmq package, which runs on Kew.

    python -m kew.run examples/between_queue_managers.py QM1 QM2

The tutorial "Two queue managers" makes the two queue managers and the channels between them.
"""

import sys

import ibmmq  # type: ignore[import-not-found]
from ibmmq import CMQC

SECONDS = 30


def waiting() -> "ibmmq.GMO":
    """Options of a get that waits for a message."""
    return ibmmq.GMO(Options=CMQC.MQGMO_WAIT | CMQC.MQGMO_NO_SYNCPOINT, WaitInterval=SECONDS * 1000)


def main() -> None:
    """Ask at the first, answer at the second, read the answer at the first."""
    here, there = ibmmq.connect(sys.argv[1]), ibmmq.connect(sys.argv[2])
    request = ibmmq.MD(MsgType=CMQC.MQMT_REQUEST, ReplyToQ="ANSWERS", Persistence=CMQC.MQPER_PERSISTENT)
    here.put1("QUESTIONS", "is anybody there?", request)

    asked = ibmmq.MD()
    questions = ibmmq.Queue(there, "QUESTIONS", CMQC.MQOO_INPUT_SHARED)
    question = questions.get(None, asked, waiting())
    print(f"{sys.argv[2]} was asked by {asked.ReplyToQMgr.decode().strip()}: {question.decode()}")
    way_back = ibmmq.OD(ObjectName=asked.ReplyToQ, ObjectQMgrName=asked.ReplyToQMgr)
    reply = ibmmq.MD(MsgType=CMQC.MQMT_REPLY, CorrelId=asked.MsgId, Persistence=asked.Persistence)
    there.put1(way_back, question.upper(), reply)
    questions.close()

    answers = ibmmq.Queue(here, "ANSWERS", CMQC.MQOO_INPUT_SHARED)
    print(f"{sys.argv[1]} got {answers.get(None, ibmmq.MD(CorrelId=request.MsgId), waiting()).decode()}")
    answers.close()
    here.disconnect()
    there.disconnect()


if __name__ == "__main__":
    main()
