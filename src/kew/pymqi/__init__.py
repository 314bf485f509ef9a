"""The API of the `pymqi` package on Kew: the same names, in pure Python, for any MQ queue manager or one in process.

    from kew import pymqi

    manager = pymqi.connect("QM1", "DEV.APP.SVRCONN", "localhost(1414)", "app", "password")
    queue = pymqi.Queue(manager, "DEV.QUEUE.1")
    queue.put(b"hello")
    print(queue.get())

`python -m kew.run program.py` runs a program with `import pymqi` unchanged.
"""

from typing import Any

from kew.faces.face import as_bytes as ensure_bytes
from kew.faces.pcf import padded_count
from kew.faces.structure import refuse_text as ensure_not_unicode
from kew.pymqi import CMQC, CMQCFC, CMQXC, CMQZC
from kew.pymqi.errors import Error, MQMIError, PYIFError
from kew.pymqi.objects import (
    ByteString,
    Filter,
    FilterOperator,
    IntegerFilter,
    MessageHandle,
    PCFExecute,
    Queue,
    QueueManager,
    StringFilter,
    Subscription,
    Topic,
    common_q_args,
    commonQArgs,
    connect,
    default,
    make_q_desc,
    makeQDesc,
)
from kew.pymqi.structures import (
    CD,
    CFBF,
    CFBS,
    CFGR,
    CFH,
    CFIF,
    CFIL,
    CFIL64,
    CFIN,
    CFIN64,
    CFSF,
    CFSL,
    CFST,
    CMHO,
    GMO,
    IMPO,
    MD,
    OD,
    PD,
    PMO,
    RFH2,
    SCO,
    SD,
    SMPO,
    SRO,
    TM,
    TMC2,
    XQH,
    MQOpts,
    cd,
    gmo,
    md,
    od,
    pmo,
    sco,
)

MQLONG_TYPE = "i"
INTEGER64_TYPE = "q"
is_py2 = False
is_py3 = True

__version__ = "1.12.11"  # version strings of pymqi 1.12.13
__mqlevels__ = ("5.0", "5.1", "5.2", "5.3", "6.0", "7.0", "7.1", "7.5", "8.0.0", "8.0.1")
__mqbuild__ = "client"


def is_unicode(s: Any) -> bool:
    """Say whether a value is text, not bytes."""
    return isinstance(s, str)


def py23long(x: int) -> int:
    """Give the number: Python has one kind of whole numbers."""
    return x


__all__ = [
    "CD",
    "CFBF",
    "CFBS",
    "CFGR",
    "CFH",
    "CFIF",
    "CFIL",
    "CFIL64",
    "CFIN",
    "CFIN64",
    "CFSF",
    "CFSL",
    "CFST",
    "CMHO",
    "CMQC",
    "CMQCFC",
    "CMQXC",
    "CMQZC",
    "GMO",
    "IMPO",
    "INTEGER64_TYPE",
    "MD",
    "MQLONG_TYPE",
    "OD",
    "PD",
    "PMO",
    "RFH2",
    "SCO",
    "SD",
    "SMPO",
    "SRO",
    "TM",
    "TMC2",
    "XQH",
    "ByteString",
    "Error",
    "Filter",
    "FilterOperator",
    "IntegerFilter",
    "MQMIError",
    "MQOpts",
    "MessageHandle",
    "PCFExecute",
    "PYIFError",
    "Queue",
    "QueueManager",
    "StringFilter",
    "Subscription",
    "Topic",
    "cd",
    "commonQArgs",
    "common_q_args",
    "connect",
    "default",
    "ensure_bytes",
    "ensure_not_unicode",
    "gmo",
    "is_py2",
    "is_py3",
    "is_unicode",
    "makeQDesc",
    "make_q_desc",
    "md",
    "od",
    "padded_count",
    "pmo",
    "py23long",
    "sco",
]
