"""Defines a queue, lists the queues that hold messages and deletes it, all by PCF; a program for the ibmmq package.

kew start QM1 --dev
python -m kew.run examples/administer.py QM1 "localhost(1414)"
"""

import sys

import ibmmq  # type: ignore[import-not-found]
from ibmmq import CMQC, CMQCFC

name, address = sys.argv[1:3]
manager = ibmmq.connect(name, "DEV.ADMIN.SVRCONN", address, "admin", "password")
commands = ibmmq.PCFExecute(manager)
commands.MQCMD_CREATE_Q(
    {
        CMQC.MQCA_Q_NAME: "PAYMENTS",
        CMQC.MQIA_Q_TYPE: CMQC.MQQT_LOCAL,
        CMQC.MQIA_MAX_Q_DEPTH: 1000,
        CMQCFC.MQIACF_REPLACE: CMQCFC.MQRP_YES,
    }
)
manager.put1("PAYMENTS", "one")
manager.put1("PAYMENTS", "two")
filled = ibmmq.Filter(CMQC.MQIA_CURRENT_Q_DEPTH).greater(0)
for row in commands.MQCMD_INQUIRE_Q({CMQC.MQCA_Q_NAME: "PAY*", CMQC.MQIA_Q_TYPE: CMQC.MQQT_LOCAL}, [filled]):
    queue, depth = row[CMQC.MQCA_Q_NAME].decode().strip(), row[CMQC.MQIA_CURRENT_Q_DEPTH]
    print(f"{queue} holds {depth} messages of at most {row[CMQC.MQIA_MAX_Q_DEPTH]}")
try:
    commands.MQCMD_DELETE_Q({CMQC.MQCA_Q_NAME: "PAYMENTS", CMQC.MQIA_Q_TYPE: CMQC.MQQT_LOCAL})
except ibmmq.MQMIError as error:
    print(f"it cannot be deleted while it holds messages: {error.reason}")
commands.MQCMD_CLEAR_Q({CMQC.MQCA_Q_NAME: "PAYMENTS"})
commands.MQCMD_DELETE_Q({CMQC.MQCA_Q_NAME: "PAYMENTS", CMQC.MQIA_Q_TYPE: CMQC.MQQT_LOCAL})
print("PAYMENTS is deleted")
commands.disconnect()
manager.disconnect()
