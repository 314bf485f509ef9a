"""Publishes prices and subscribes to some of them: a program for IBM's ibmmq package, which runs on Kew.

    kew start QM1 --dev
    python -m kew.run examples/publish_subscribe.py QM1 "localhost(1414)"

A subscriber gets what is published after it has subscribed, and what was retained before.
"""

import sys

import ibmmq  # type: ignore[import-not-found]
from ibmmq import CMQC

name, address = sys.argv[1:3]
manager = ibmmq.connect(name, "DEV.APP.SVRCONN", address, "app", "password")


def publish(topic_string: str, text: str, options: int = 0) -> None:
    """Publish a text on a topic below dev/, which the developer's user may use."""
    topic = ibmmq.Topic(manager, topic_string=topic_string)
    topic.open(open_opts=CMQC.MQOO_OUTPUT)
    topic.pub(text.encode(), ibmmq.MD(Format=CMQC.MQFMT_STRING), ibmmq.PMO(Options=options))
    topic.close()


publish("dev/price/pears", "2.50", CMQC.MQPMO_RETAIN)
wanted = ibmmq.SD(Options=CMQC.MQSO_CREATE | CMQC.MQSO_NON_DURABLE | CMQC.MQSO_MANAGED)
wanted.set_vs("ObjectString", "dev/price/#")
prices = ibmmq.Subscription(manager)
prices.sub(sub_desc=wanted)
publish("dev/price/apples", "1.80")
publish("dev/weather", "rain")
wait = ibmmq.GMO(Options=CMQC.MQGMO_NO_SYNCPOINT | CMQC.MQGMO_WAIT | CMQC.MQGMO_NO_PROPERTIES, WaitInterval=500)
while True:
    try:
        price = prices.get(None, ibmmq.MD(), wait)
    except ibmmq.MQMIError as error:
        if error.reason != CMQC.MQRC_NO_MSG_AVAILABLE:
            raise
        break
    print(price.decode())
prices.close(sub_close_options=CMQC.MQCO_REMOVE_SUB, close_sub_queue=True)
manager.disconnect()
