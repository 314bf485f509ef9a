"""Attributes of DISPLAY QSTATUS and DISPLAY CONN: queues in use, connections, and handles."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.schema.common import MONITORING as MONITOR_LEVEL
from kew.objects.schema.common import OBJECT_NAME, SHARED_KINDS
from kew.objects.schema.grid import rows
from kew.objects.schema.local import APPLICATION
from kew.objects.schema.model import AttributeSpec, ObjectType
from kew.objects.schema.queues import NAME as QUEUE_NAME
from kew.objects.schema.texts import ByteText, Hex
from kew.objects.schema.values import NOT_AVAILABLE, Bits, Choice, Number

INDICATOR: Final = Number(0, 999999999, blank_at=NOT_AVAILABLE)
NO_IDENTIFIER: Final = 0  # PCF carries EXTCONN and CONN as one connection identifier

KINDS: Final = {
    **SHARED_KINDS,
    "monitor-level": MONITOR_LEVEL,
    "indicator": INDICATOR,
    "disposition": Choice({"QMGR": a.MQQSGD_Q_MGR, "SHARED": a.MQQSGD_SHARED, "COPY": a.MQQSGD_COPY}),
    "application-kind": Choice(
        {
            "USER": o.MQAT_USER,
            "SYSTEM": o.MQAT_QMGR,
            "CHINIT": o.MQAT_CHANNEL_INITIATOR,
            "BATCH": o.MQAT_BATCH,
            "RRSBATCH": o.MQAT_RRS_BATCH,
            "CICS": o.MQAT_CICS,
            "IMS": o.MQAT_IMS,
            "SYSTEMEXT": o.MQAT_SYSTEM_EXTENSION,
        },
        numbers=(0, APPLICATION.numbers[1] if APPLICATION.numbers else 0),
    ),
    "async-state": Choice(
        {
            "NONE": a.MQAS_NONE,
            "ACTIVE": a.MQAS_ACTIVE,
            "INACTIVE": a.MQAS_INACTIVE,
            "STARTED": a.MQAS_STARTED,
            "STARTWAIT": a.MQAS_START_WAIT,
            "STOPPED": a.MQAS_STOPPED,
            "SUSPENDED": a.MQAS_SUSPENDED,
            "SUSPTEMP": a.MQAS_SUSPENDED_TEMPORARY,
        }
    ),
    "open-yes": Choice({"NO": a.MQQSO_NO, "YES": a.MQQSO_YES}),
    "handle-state": Choice({"ACTIVE": a.MQHSTATE_ACTIVE, "INACTIVE": a.MQHSTATE_INACTIVE}),
    "open-input": Choice({"NO": a.MQQSO_NO, "SHARED": a.MQQSO_SHARED, "EXCL": a.MQQSO_EXCLUSIVE}),
    "unit-id": ByteText(256),
    "unit-type": Choice(
        {"QMGR": a.MQUOWT_Q_MGR, "XA": a.MQUOWT_XA, "CICS": a.MQUOWT_CICS, "RRS": a.MQUOWT_RRS, "IMS": a.MQUOWT_IMS}
    ),
    "connect-options": Bits(
        {
            "MQCNO_FASTPATH_BINDING": o.MQCNO_FASTPATH_BINDING,
            "MQCNO_SERIALIZE_CONN_TAG_Q_MGR": o.MQCNO_SERIALIZE_CONN_TAG_Q_MGR,
            "MQCNO_SERIALIZE_CONN_TAG_QSG": o.MQCNO_SERIALIZE_CONN_TAG_QSG,
            "MQCNO_RESTRICT_CONN_TAG_Q_MGR": o.MQCNO_RESTRICT_CONN_TAG_Q_MGR,
            "MQCNO_RESTRICT_CONN_TAG_QSG": o.MQCNO_RESTRICT_CONN_TAG_QSG,
            "MQCNO_HANDLE_SHARE_NONE": o.MQCNO_HANDLE_SHARE_NONE,
            "MQCNO_HANDLE_SHARE_BLOCK": o.MQCNO_HANDLE_SHARE_BLOCK,
            "MQCNO_HANDLE_SHARE_NO_BLOCK": o.MQCNO_HANDLE_SHARE_NO_BLOCK,
            "MQCNO_SHARED_BINDING": o.MQCNO_SHARED_BINDING,
            "MQCNO_ISOLATED_BINDING": o.MQCNO_ISOLATED_BINDING,
            "MQCNO_LOCAL_BINDING": o.MQCNO_LOCAL_BINDING,
            "MQCNO_CLIENT_BINDING": o.MQCNO_CLIENT_BINDING,
            "MQCNO_ACCOUNTING_MQI_ENABLED": o.MQCNO_ACCOUNTING_MQI_ENABLED,
            "MQCNO_ACCOUNTING_MQI_DISABLED": o.MQCNO_ACCOUNTING_MQI_DISABLED,
            "MQCNO_ACCOUNTING_Q_ENABLED": o.MQCNO_ACCOUNTING_Q_ENABLED,
            "MQCNO_ACCOUNTING_Q_DISABLED": o.MQCNO_ACCOUNTING_Q_DISABLED,
            "MQCNO_NO_CONV_SHARING": o.MQCNO_NO_CONV_SHARING,
            "MQCNO_ALL_CONVS_SHARE": o.MQCNO_ALL_CONVS_SHARE,
            "MQCNO_CD_FOR_OUTPUT_ONLY": o.MQCNO_CD_FOR_OUTPUT_ONLY,
            "MQCNO_USE_CD_SELECTION": o.MQCNO_USE_CD_SELECTION,
            "MQCNO_GENERATE_CONN_TAG": o.MQCNO_GENERATE_CONN_TAG,
            "MQCNO_RECONNECT": o.MQCNO_RECONNECT,
            "MQCNO_RECONNECT_DISABLED": o.MQCNO_RECONNECT_DISABLED,
            "MQCNO_RECONNECT_Q_MGR": o.MQCNO_RECONNECT_Q_MGR,
        },
        "MQCNO_NONE",
    ),
    "unit-state": Choice(
        {
            "NONE": a.MQUOWST_NONE,
            "ACTIVE": a.MQUOWST_ACTIVE,
            "PREPARED": a.MQUOWST_PREPARED,
            "UNRESOLVED": a.MQUOWST_UNRESOLVED,
        }
    ),
    "conntag": ByteText(128),
    "object-kind": Choice(
        {
            "QUEUE": o.MQOT_Q,
            "TOPIC": o.MQOT_TOPIC,
            "QMGR": o.MQOT_Q_MGR,
            "PROCESS": o.MQOT_PROCESS,
            "NAMELIST": o.MQOT_NAMELIST,
            "AUTHINFO": o.MQOT_AUTH_INFO,
            "CHANNEL": o.MQOT_CHANNEL,
            "CFSTRUCT": o.MQOT_CF_STRUC,
            "STGCLASS": o.MQOT_STORAGE_CLASS,
            "NONE": o.MQOT_NONE,
        }
    ),
    "open-options": Bits(
        {
            "MQOO_INPUT_AS_Q_DEF": o.MQOO_INPUT_AS_Q_DEF,
            "MQOO_INPUT_SHARED": o.MQOO_INPUT_SHARED,
            "MQOO_INPUT_EXCLUSIVE": o.MQOO_INPUT_EXCLUSIVE,
            "MQOO_BROWSE": o.MQOO_BROWSE,
            "MQOO_OUTPUT": o.MQOO_OUTPUT,
            "MQOO_INQUIRE": o.MQOO_INQUIRE,
            "MQOO_SET": o.MQOO_SET,
            "MQOO_SAVE_ALL_CONTEXT": o.MQOO_SAVE_ALL_CONTEXT,
            "MQOO_PASS_IDENTITY_CONTEXT": o.MQOO_PASS_IDENTITY_CONTEXT,
            "MQOO_PASS_ALL_CONTEXT": o.MQOO_PASS_ALL_CONTEXT,
            "MQOO_SET_IDENTITY_CONTEXT": o.MQOO_SET_IDENTITY_CONTEXT,
            "MQOO_SET_ALL_CONTEXT": o.MQOO_SET_ALL_CONTEXT,
            "MQOO_ALTERNATE_USER_AUTHORITY": o.MQOO_ALTERNATE_USER_AUTHORITY,
            "MQOO_FAIL_IF_QUIESCING": o.MQOO_FAIL_IF_QUIESCING,
            "MQOO_BIND_ON_OPEN": o.MQOO_BIND_ON_OPEN,
            "MQOO_BIND_NOT_FIXED": o.MQOO_BIND_NOT_FIXED,
            "MQOO_RESOLVE_NAMES": o.MQOO_RESOLVE_NAMES,
            "MQOO_CO_OP": o.MQOO_CO_OP,
            "MQOO_RESOLVE_LOCAL_Q": o.MQOO_RESOLVE_LOCAL_Q,
            "MQOO_NO_READ_AHEAD": o.MQOO_NO_READ_AHEAD,
            "MQOO_READ_AHEAD": o.MQOO_READ_AHEAD,
            "MQOO_NO_MULTICAST": o.MQOO_NO_MULTICAST,
            "MQOO_BIND_ON_GROUP": o.MQOO_BIND_ON_GROUP,
        },
        "MQOO_NONE",
    ),
    "read-ahead": Choice(
        {
            "NO": a.MQREADA_NO,
            "YES": a.MQREADA_YES,
            "INHIBITED": a.MQREADA_INHIBITED,
            "BACKLOG": a.MQREADA_BACKLOG,
        }
    ),
}

QUEUE_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                          | kind          | default | types | notes              | meaning
CURDEPTH | MQIA_CURRENT_Q_DEPTH         | count         |         |       | live               | Number of messages on the queue now.
CURFSIZE | MQIACF_CUR_Q_FILE_SIZE       | count         |         |       | live               | Megabytes the messages take now.
CURMAXFS | MQIACF_CUR_MAX_FILE_SIZE     | count         |         |       | live               | Megabytes they may take.
IPPROCS  | MQIA_OPEN_INPUT_COUNT        | count         |         |       | live               | Number of handles open for input.
LGETDATE | MQCACF_LAST_GET_DATE         | date          |         |       | live group=MONITOR | Date of the last get.
LGETTIME | MQCACF_LAST_GET_TIME         | time          |         |       | live group=MONITOR | Time of the last get.
LPUTDATE | MQCACF_LAST_PUT_DATE         | date          |         |       | live group=MONITOR | Date of the last put.
LPUTTIME | MQCACF_LAST_PUT_TIME         | time          |         |       | live group=MONITOR | Time of the last put.
MEDIALOG | MQCACF_MEDIA_LOG_EXTENT_NAME | text 24       |         |       | live               | Oldest log extent that media recovery of the queue needs.
MONQ     | MQIA_MONITORING_Q            | monitor-level |         |       | live group=MONITOR | Level of online monitoring in force.
MSGAGE   | MQIACF_OLDEST_MSG_AGE        | indicator     |         |       | live group=MONITOR | Age in seconds of the oldest message.
OPPROCS  | MQIA_OPEN_OUTPUT_COUNT       | count         |         |       | live               | Number of handles open for output.
QSGDISP  | MQIA_QSG_DISP                | disposition   |         |       | live               | Whether the queue is private or shared.
QTIME    | MQIACF_Q_TIME_INDICATOR      | pair          |         |       | live group=MONITOR | Microseconds messages stayed, over a short and a long period.
UNCOM    | MQIACF_UNCOMMITTED_MSGS      | count         |         |       | live               | Number of uncommitted puts and gets.
""",
)

HANDLE_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                    | kind             | default | types | notes | meaning
APPLDESC | MQCACF_APPL_DESC       | text 64          |         |       | live  | Description of the program.
APPLTAG  | MQCACF_APPL_TAG        | text 28          |         |       | live  | Name of the program.
APPLTYPE | MQIA_APPL_TYPE         | application-kind |         |       | live  | Kind of program.
ASID     | MQCACF_ASID            | text 4           |         |       | live  | Address space of the program.
ASTATE   | MQIACF_ASYNC_STATE     | async-state      |         |       | live  | State of asynchronous consumption.
BROWSE   | MQIACF_OPEN_BROWSE     | open-yes         |         |       | live  | Whether the handle browses.
CHANNEL  | MQCACH_CHANNEL_NAME    | channel-name     |         |       | live  | Channel the program came by.
CONNAME  | MQCACH_CONNECTION_NAME | text 264         |         |       | live  | Address the program came from.
HSTATE   | MQIACF_HANDLE_STATE    | handle-state     |         |       | live  | Whether a call is under way.
INPUT    | MQIACF_OPEN_INPUT_TYPE | open-input       |         |       | live  | Whether the handle gets, alone or with others.
INQUIRE  | MQIACF_OPEN_INQUIRE    | open-yes         |         |       | live  | Whether the handle inquires.
OUTPUT   | MQIACF_OPEN_OUTPUT     | open-yes         |         |       | live  | Whether the handle puts.
PID      | MQIACF_PROCESS_ID      | count            |         |       | live  | Process of the program.
PSBNAME  | MQCACF_PSB_NAME        | text 8           |         |       | live  | IMS program specification block.
PSTID    | MQCACF_PST_ID          | text 4           |         |       | live  | IMS program region.
QMURID   | MQBACF_Q_MGR_UOW_ID    | unit-id          |         |       | live  | Queue manager's identifier of the unit of work.
QSGDISP  | MQIA_QSG_DISP          | disposition      |         |       | live  | Whether the queue is private or shared.
SET      | MQIACF_OPEN_SET        | open-yes         |         |       | live  | Whether the handle sets attributes.
TASKNO   | MQCACF_TASK_NUMBER     | text 7           |         |       | live  | CICS task.
TID      | MQIACF_THREAD_ID       | count            |         |       | live  | Thread of the program.
TRANSID  | MQCACF_TRANSACTION_ID  | text 4           |         |       | live  | CICS transaction.
URID     | MQBACF_EXTERNAL_UOW_ID | unit-id          |         |       | live  | External identifier of the unit of work.
URTYPE   | MQIACF_UOW_TYPE        | unit-type        |         |       | live  | Coordinator of the unit of work.
USERID   | MQCACF_USER_IDENTIFIER | text 64          |         |       | live  | User of the program.
""",
)

COUNT_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                   | kind  | default | types | notes | meaning
HIQDEPTH | MQIA_HIGH_Q_DEPTH     | count |         |       | live  | Most messages on the queue.
MSGSIN   | MQIA_MSG_ENQ_COUNT    | count |         |       | live  | Messages put.
MSGSOUT  | MQIA_MSG_DEQ_COUNT    | count |         |       | live  | Messages got.
RESETINT | MQIA_TIME_SINCE_RESET | count |         |       | live  | Seconds since the counters were last reset.
""",
)

CONNECTION_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                        | kind             | default | types | notes | meaning
EXTCONN  |                            | hex 16           |         |       | live  | First half of the connection identifier.
PID      | MQIACF_PROCESS_ID          | count            |         |       | live  | Process of the program.
TID      | MQIACF_THREAD_ID           | count            |         |       | live  | Thread of the program.
APPLDESC | MQCACF_APPL_DESC           | text 64          |         |       | live  | Description of the program.
APPLTAG  | MQCACF_APPL_TAG            | text 28          |         |       | live  | Name of the program.
APPLTYPE | MQIA_APPL_TYPE             | application-kind |         |       | live  | Kind of program.
ASID     | MQCACF_ASID                | text 4           |         |       | live  | Address space of the program.
ASTATE   | MQIACF_ASYNC_STATE         | async-state      |         |       | live  | State of asynchronous consumption.
CHANNEL  | MQCACH_CHANNEL_NAME        | channel-name     |         |       | live  | Channel the program came by.
CLIENTID | MQCACH_CLIENT_ID           | text 256         |         |       | live  | Client identifier.
CONNAME  | MQCACH_CONNECTION_NAME     | text 264         |         |       | live  | Address the program came from.
CONNOPTS | MQIACF_CONNECT_OPTIONS     | connect-options  |         |       | live  | Options of the connect.
USERID   | MQCACF_USER_IDENTIFIER     | text 64          |         |       | live  | User of the program.
UOWLOG   | MQCACF_UOW_LOG_EXTENT_NAME | text 24          |         |       | live  | Log extent in which the unit of work first wrote.
UOWSTDA  | MQCACF_UOW_START_DATE      | date             |         |       | live  | Date the unit of work began.
UOWSTTI  | MQCACF_UOW_START_TIME      | time             |         |       | live  | Time the unit of work began.
UOWLOGDA | MQCACF_UOW_LOG_START_DATE  | date             |         |       | live  | Date the unit of work first wrote to the log.
UOWLOGTI | MQCACF_UOW_LOG_START_TIME  | time             |         |       | live  | Time the unit of work first wrote to the log.
URTYPE   | MQIACF_UOW_TYPE            | unit-type        |         |       | live  | Coordinator of the unit of work.
EXTURID  | MQBACF_EXTERNAL_UOW_ID     | unit-id          |         |       | live  | External identifier of the unit of work.
QMURID   | MQBACF_Q_MGR_UOW_ID        | unit-id          |         |       | live  | Queue manager's identifier of the unit of work.
UOWSTATE | MQIACF_UOW_STATE           | unit-state       |         |       | live  | State of the unit of work.
CONNTAG  | MQBACF_CONN_TAG            | conntag          |         |       | live  | Tag of the connection.
NID      | MQCACF_ORIGIN_NAME         | text 256         |         |       | live  | Origin of the unit of work.
PSBNAME  | MQCACF_PSB_NAME            | text 8           |         |       | live  | IMS program specification block.
PSTID    | MQCACF_PST_ID              | text 4           |         |       | live  | IMS program region.
TASKNO   | MQCACF_TASK_NUMBER         | text 7           |         |       | live  | CICS task.
TRANSID  | MQCACF_TRANSACTION_ID      | text 4           |         |       | live  | CICS transaction.
""",
)

OPEN_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                      | kind         | default | types | notes | meaning
EXTCONN  |                          | hex 16       |         |       | live  | First half of the connection identifier.
OBJNAME  | MQCACF_OBJECT_NAME       | object-name  |         |       | live  | Object that is open.
OBJTYPE  | MQIACF_OBJECT_TYPE       | object-kind  |         |       | live  | Kind of object.
ASTATE   | MQIACF_ASYNC_STATE       | async-state  |         |       | live  | State of asynchronous consumption.
DEST     | MQCACF_DESTINATION       | object-name  |         |       | live  | Destination of the subscription.
DESTQMGR | MQCACF_DESTINATION_Q_MGR | object-name  |         |       | live  | Queue manager of that destination.
HSTATE   | MQIACF_HANDLE_STATE      | handle-state |         |       | live  | Whether a call is under way.
OPENOPTS | MQIACF_OPEN_OPTIONS      | open-options |         |       | live  | Options of the open.
QSGDISP  | MQIA_QSG_DISP            | disposition  |         |       | live  | Whether the object is private or shared.
READA    | MQIA_DEF_READ_AHEAD      | read-ahead   |         |       | live  | State of read ahead.
SUBID    | MQBACF_SUB_ID            | hex 24       |         |       | live  | Subscription of the handle.
SUBNAME  | MQCACF_SUB_NAME          | text 10240   |         |       | live  | Name of that subscription.
TOPICSTR | MQCA_TOPIC_STRING        | text 10240   |         |       | live  | Topic string of the handle.
""",
)

CONNECTION_NAME: Final = AttributeSpec(
    "CONN", a.MQBACF_CONNECTION_ID, Hex(8), bytes(8), "Second half of the connection identifier."
)

CONNECTION_TITLE: Final = ("AMQ8276I", "Display Connection details.")

QUEUE_TITLE: Final = ("AMQ8450I", "Display queue status details.")

TYPES: Final = (
    ObjectType(
        "QSTATUS",
        "QSTATUS",
        QUEUE_TITLE,
        QUEUE_NAME,
        QUEUE_ROWS,
        synonyms=("QS",),
        type_keyword="TYPE",
        type_label="QUEUE",
        pcf_subtype=(a.MQIACF_Q_STATUS_TYPE, a.MQIACF_Q_STATUS),
        status=True,
        always="CURDEPTH",
        help_text="State of queues.",
    ),
    ObjectType(
        "QHANDLE",
        "QSTATUS",
        QUEUE_TITLE,
        QUEUE_NAME,
        HANDLE_ROWS,
        type_keyword="TYPE",
        type_label="HANDLE",
        pcf_subtype=(a.MQIACF_Q_STATUS_TYPE, a.MQIACF_Q_HANDLE),
        status=True,
        help_text="Open handles of queues.",
    ),
    ObjectType(
        "QSTATS",
        "QSTATS",
        ("CSQM201I", "Display QSTATS details."),
        AttributeSpec("QSTATS", a.MQCA_Q_NAME, OBJECT_NAME, "", "Name of the queue."),
        COUNT_ROWS,
        status=True,
        help_text="Counters of a queue since they were last reset.",
    ),
    ObjectType(
        "CONN",
        "CONN",
        CONNECTION_TITLE,
        CONNECTION_NAME,
        CONNECTION_ROWS,
        type_keyword="TYPE",
        type_label="CONN",
        pcf_subtype=(a.MQIACF_CONN_INFO_TYPE, a.MQIACF_CONN_INFO_CONN),
        status=True,
        type_after="EXTCONN",
        always="EXTCONN",
        help_text="Connections and their units of work.",
    ),
    ObjectType(
        "CONNHANDLE",
        "CONN",
        CONNECTION_TITLE,
        CONNECTION_NAME,
        OPEN_ROWS,
        type_keyword="TYPE",
        type_label="HANDLE",
        pcf_subtype=(a.MQIACF_CONN_INFO_TYPE, a.MQIACF_CONN_INFO_HANDLE),
        status=True,
        type_after="EXTCONN",
        always="EXTCONN OBJNAME OBJTYPE",
        help_text="Open handles of connections.",
    ),
)
