"""Lists the messages of a queue and leaves them there: a program for the pymqi package, which runs on Kew.

kew start QM1 --dev
python -m kew.run examples/browse.py QM1 DEV.QUEUE.1 "localhost(1414)"
"""

import sys

import pymqi  # type: ignore[import-not-found]

name, queue_name, address = sys.argv[1:4]
manager = pymqi.connect(name, "DEV.APP.SVRCONN", address, "app", "password")
queue = pymqi.Queue(manager, queue_name, pymqi.CMQC.MQOO_BROWSE)
options = pymqi.GMO(Options=pymqi.CMQC.MQGMO_BROWSE_NEXT)
while True:
    md = pymqi.MD()
    try:
        message = queue.get(None, md, options)
    except pymqi.MQMIError as error:
        if error.reason != pymqi.CMQC.MQRC_NO_MSG_AVAILABLE:
            raise
        break
    print(f"{md.PutDate.decode()} {md.PutTime.decode()} {md.PutApplName.decode().strip()}: {message!r}")
queue.close()
manager.disconnect()
