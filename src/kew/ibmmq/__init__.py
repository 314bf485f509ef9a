"""The API of IBM's `ibmmq` package on Kew: the same names, in pure Python, for any MQ queue manager or one in process.

    from kew import ibmmq

    with_manager = ibmmq.connect("QM1", "DEV.APP.SVRCONN", "localhost(1414)", "app", "password")
    queue = ibmmq.Queue(with_manager, "DEV.QUEUE.1")
    queue.put("hello")
    print(queue.get())

`python -m kew.run program.py` runs a program with `import ibmmq` unchanged.
"""

from typing import Any

from kew.faces.face import as_bytes as ensure_strings_are_bytes
from kew.faces.pcf import padded_count
from kew.faces.structure import refuse_text as ensure_not_unicode
from kew.faces.structure import text_of
from kew.ibmmq import CMQC, CMQCFC, CMQSTRC, CMQXC
from kew.ibmmq.admin import (
    ByteString,
    ByteStringFilter,
    Filter,
    FilterOperator,
    IntegerFilter,
    PCFExecute,
    StringFilter,
)
from kew.ibmmq.errors import Error, MQMIError, PYIFError
from kew.ibmmq.objects import (
    EncodingDefault,
    MessageHandle,
    MQObject,
    OTelFunctions,
    OTelOptions,
    Queue,
    QueueManager,
    Subscription,
    Topic,
    common_q_args,
    commonQArgs,
    connect,
)
from kew.ibmmq.structures import (
    BNO,
    CBC,
    CBD,
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
    CIH,
    CMHO,
    CNO,
    CSP,
    CTLO,
    DLH,
    DMHO,
    DMPO,
    GMO,
    IIH,
    IMPO,
    MD,
    MDE,
    OD,
    PD,
    PMO,
    RFH2,
    SCO,
    SD,
    SMPO,
    SRO,
    STS,
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
otel_enabled = False
ensure_bytes = ensure_strings_are_bytes

__version__ = "2.1.2"  # version of IBM's package
__py_version__ = __version__
__c_version__ = __version__
__cmdlevel__ = CMQC.MQCMDL_CURRENT_LEVEL
__mqbuild__ = "common"


def get_versions() -> dict[str, str | int]:
    """Give the version of the API, and the level of MQ whose constants it has."""
    return {"module": __version__, "MQ": __cmdlevel__}


def is_unicode(s: Any) -> bool:
    """Say whether a value is text, not bytes."""
    return isinstance(s, str)


def to_string(v: Any, encoding: str = EncodingDefault.bytes_encoding) -> Any:
    """Decode characters, without padding; anything else stays as it is."""
    return text_of(v, encoding)


__all__ = [
    "BNO",
    "CBC",
    "CBD",
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
    "CIH",
    "CMHO",
    "CMQC",
    "CMQCFC",
    "CMQSTRC",
    "CMQXC",
    "CNO",
    "CSP",
    "CTLO",
    "DLH",
    "DMHO",
    "DMPO",
    "GMO",
    "IIH",
    "IMPO",
    "INTEGER64_TYPE",
    "MD",
    "MDE",
    "MQLONG_TYPE",
    "OD",
    "PD",
    "PMO",
    "RFH2",
    "SCO",
    "SD",
    "SMPO",
    "SRO",
    "STS",
    "TM",
    "TMC2",
    "XQH",
    "ByteString",
    "ByteStringFilter",
    "EncodingDefault",
    "Error",
    "Filter",
    "FilterOperator",
    "IntegerFilter",
    "MQMIError",
    "MQObject",
    "MQOpts",
    "MessageHandle",
    "OTelFunctions",
    "OTelOptions",
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
    "ensure_bytes",
    "ensure_not_unicode",
    "ensure_strings_are_bytes",
    "get_versions",
    "gmo",
    "is_unicode",
    "md",
    "od",
    "otel_enabled",
    "padded_count",
    "pmo",
    "sco",
    "to_string",
]
