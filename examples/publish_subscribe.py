"""Subscribes to a part of the topic tree and publishes in it: a program for IBM's ibmmq package, which runs on Kew.

    kew start QM1 --dev
    python -m kew.run examples/publish_subscribe.py QM1 "localhost(1414)"

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


def subscribe(manager: "ibmmq.QueueManager", topic: str) -> "ibmmq.Subscription":
    """A subscription with a queue that the queue manager makes, and takes away with it."""
    sd = ibmmq.SD(Options=CMQC.MQSO_CREATE | CMQC.MQSO_MANAGED | CMQC.MQSO_NON_DURABLE)
    sd.set_vs("ObjectString", topic)
    subscription = ibmmq.Subscription(manager)
    subscription.sub(sub_desc=sd)
    return subscription


def main() -> None:
    """Publish three prices; those who subscribe late see what is retained."""
    manager = connect(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    fruit = subscribe(manager, "dev/price/fruit/#")
    retain = ibmmq.PMO(Options=CMQC.MQPMO_RETAIN)
    for topic, price in (("apple", "1.20"), ("pear", "1.70"), ("apple", "1.30")):
        ibmmq.Topic(manager, topic_string=f"dev/price/fruit/{topic}").pub(f"{topic} {price}", ibmmq.MD(), retain)
    for _ in range(3):
        print("heard", fruit.get().decode())
    late = subscribe(manager, "dev/price/+/apple")
    print("retained", late.get().decode())
    for subscription in (fruit, late):
        subscription.close(close_sub_queue=True)
    manager.disconnect()


if __name__ == "__main__":
    main()
