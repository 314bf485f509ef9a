"""What DISPLAY QSTATUS and DISPLAY CONN show: queues in use, connections, and the handles that join them."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.schema.common import CHANNEL_NAME, COUNT, DATE, OBJECT_NAME, TIME, live
from kew.objects.schema.common import MONITORING as MONITOR_LEVEL
from kew.objects.schema.local import APPLICATION
from kew.objects.schema.model import AttributeSpec, ObjectType
from kew.objects.schema.queues import NAME as QUEUE_NAME
from kew.objects.texts import ByteText, Hex, Text
from kew.objects.values import NOT_AVAILABLE, Bits, Choice, Number, Pair

INDICATOR: Final = Number(0, 999999999, blank_at=NOT_AVAILABLE)
ASYNC_STATE: Final = Choice(
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
)
HANDLE_STATE: Final = Choice({"ACTIVE": a.MQHSTATE_ACTIVE, "INACTIVE": a.MQHSTATE_INACTIVE})
OPEN_INPUT: Final = Choice({"NO": a.MQQSO_NO, "SHARED": a.MQQSO_SHARED, "EXCL": a.MQQSO_EXCLUSIVE})
OPEN_YES: Final = Choice({"NO": a.MQQSO_NO, "YES": a.MQQSO_YES})
UNIT_TYPE: Final = Choice(
    {"QMGR": a.MQUOWT_Q_MGR, "XA": a.MQUOWT_XA, "CICS": a.MQUOWT_CICS, "RRS": a.MQUOWT_RRS, "IMS": a.MQUOWT_IMS}
)
UNIT_STATE: Final = Choice(
    {
        "NONE": a.MQUOWST_NONE,
        "ACTIVE": a.MQUOWST_ACTIVE,
        "PREPARED": a.MQUOWST_PREPARED,
        "UNRESOLVED": a.MQUOWST_UNRESOLVED,
    }
)
APPLICATION_KIND: Final = Choice(
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
)
READ_AHEAD: Final = Choice(
    {
        "NO": a.MQREADA_NO,
        "YES": a.MQREADA_YES,
        "INHIBITED": a.MQREADA_INHIBITED,
        "BACKLOG": a.MQREADA_BACKLOG,
    }
)
DISPOSITION: Final = Choice({"QMGR": a.MQQSGD_Q_MGR, "SHARED": a.MQQSGD_SHARED, "COPY": a.MQQSGD_COPY})
OBJECT_KIND: Final = Choice(
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
)
OPEN_OPTIONS: Final = Bits(
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
)
CONNECT_OPTIONS: Final = Bits(
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
)
UNIT_ID: Final = ByteText(256)
NO_IDENTIFIER: Final = 0  # PCF carries EXTCONN and CONN as one connection identifier

QUEUE_ROWS: Final = (
    live("CURDEPTH", a.MQIA_CURRENT_Q_DEPTH, COUNT, "Number of messages on the queue now."),
    live("CURFSIZE", a.MQIACF_CUR_Q_FILE_SIZE, COUNT, "Megabytes the messages take now."),
    live("CURMAXFS", a.MQIACF_CUR_MAX_FILE_SIZE, COUNT, "Megabytes they may take."),
    live("IPPROCS", a.MQIA_OPEN_INPUT_COUNT, COUNT, "Number of handles open for input."),
    live("LGETDATE", a.MQCACF_LAST_GET_DATE, DATE, "Date of the last get.", group="MONITOR"),
    live("LGETTIME", a.MQCACF_LAST_GET_TIME, TIME, "Time of the last get.", group="MONITOR"),
    live("LPUTDATE", a.MQCACF_LAST_PUT_DATE, DATE, "Date of the last put.", group="MONITOR"),
    live("LPUTTIME", a.MQCACF_LAST_PUT_TIME, TIME, "Time of the last put.", group="MONITOR"),
    live(
        "MEDIALOG",
        a.MQCACF_MEDIA_LOG_EXTENT_NAME,
        Text(24),
        "Oldest log extent that media recovery of the queue needs.",
    ),
    live("MONQ", a.MQIA_MONITORING_Q, MONITOR_LEVEL, "Level of online monitoring in force.", group="MONITOR"),
    live("MSGAGE", a.MQIACF_OLDEST_MSG_AGE, INDICATOR, "Age in seconds of the oldest message.", group="MONITOR"),
    live("OPPROCS", a.MQIA_OPEN_OUTPUT_COUNT, COUNT, "Number of handles open for output."),
    live("QSGDISP", a.MQIA_QSG_DISP, DISPOSITION, "Whether the queue is private or shared."),
    live(
        "QTIME",
        a.MQIACF_Q_TIME_INDICATOR,
        Pair(),
        "Microseconds messages stayed, over a short and a long period.",
        group="MONITOR",
    ),
    live("UNCOM", a.MQIACF_UNCOMMITTED_MSGS, COUNT, "Number of uncommitted puts and gets."),
)
HANDLE_ROWS: Final = (
    live("APPLDESC", a.MQCACF_APPL_DESC, Text(64), "What the program is."),
    live("APPLTAG", a.MQCACF_APPL_TAG, Text(28), "Name of the program."),
    live("APPLTYPE", a.MQIA_APPL_TYPE, APPLICATION_KIND, "Kind of program."),
    live("ASID", a.MQCACF_ASID, Text(4), "Address space of the program."),
    live("ASTATE", a.MQIACF_ASYNC_STATE, ASYNC_STATE, "State of asynchronous consumption."),
    live("BROWSE", a.MQIACF_OPEN_BROWSE, OPEN_YES, "Whether the handle browses."),
    live("CHANNEL", a.MQCACH_CHANNEL_NAME, CHANNEL_NAME, "Channel the program came by."),
    live("CONNAME", a.MQCACH_CONNECTION_NAME, Text(264), "Address the program came from."),
    live("HSTATE", a.MQIACF_HANDLE_STATE, HANDLE_STATE, "Whether a call is under way."),
    live("INPUT", a.MQIACF_OPEN_INPUT_TYPE, OPEN_INPUT, "Whether the handle gets, alone or with others."),
    live("INQUIRE", a.MQIACF_OPEN_INQUIRE, OPEN_YES, "Whether the handle inquires."),
    live("OUTPUT", a.MQIACF_OPEN_OUTPUT, OPEN_YES, "Whether the handle puts."),
    live("PID", a.MQIACF_PROCESS_ID, COUNT, "Process of the program."),
    live("PSBNAME", a.MQCACF_PSB_NAME, Text(8), "IMS program specification block."),
    live("PSTID", a.MQCACF_PST_ID, Text(4), "IMS program region."),
    live("QMURID", a.MQBACF_Q_MGR_UOW_ID, UNIT_ID, "Queue manager's identifier of the unit of work."),
    live("QSGDISP", a.MQIA_QSG_DISP, DISPOSITION, "Whether the queue is private or shared."),
    live("SET", a.MQIACF_OPEN_SET, OPEN_YES, "Whether the handle sets attributes."),
    live("TASKNO", a.MQCACF_TASK_NUMBER, Text(7), "CICS task."),
    live("TID", a.MQIACF_THREAD_ID, COUNT, "Thread of the program."),
    live("TRANSID", a.MQCACF_TRANSACTION_ID, Text(4), "CICS transaction."),
    live("URID", a.MQBACF_EXTERNAL_UOW_ID, UNIT_ID, "External identifier of the unit of work."),
    live("URTYPE", a.MQIACF_UOW_TYPE, UNIT_TYPE, "Who coordinates the unit of work."),
    live("USERID", a.MQCACF_USER_IDENTIFIER, Text(64), "User of the program."),
)

COUNT_ROWS: Final = (
    live("HIQDEPTH", a.MQIA_HIGH_Q_DEPTH, COUNT, "Most messages on the queue."),
    live("MSGSIN", a.MQIA_MSG_ENQ_COUNT, COUNT, "Messages put."),
    live("MSGSOUT", a.MQIA_MSG_DEQ_COUNT, COUNT, "Messages got."),
    live("RESETINT", a.MQIA_TIME_SINCE_RESET, COUNT, "Seconds since the counts were last cleared."),
)

CONNECTION_ROWS: Final = (
    live("EXTCONN", NO_IDENTIFIER, Hex(16), "First half of the connection identifier."),
    live("PID", a.MQIACF_PROCESS_ID, COUNT, "Process of the program."),
    live("TID", a.MQIACF_THREAD_ID, COUNT, "Thread of the program."),
    live("APPLDESC", a.MQCACF_APPL_DESC, Text(64), "What the program is."),
    live("APPLTAG", a.MQCACF_APPL_TAG, Text(28), "Name of the program."),
    live("APPLTYPE", a.MQIA_APPL_TYPE, APPLICATION_KIND, "Kind of program."),
    live("ASID", a.MQCACF_ASID, Text(4), "Address space of the program."),
    live("ASTATE", a.MQIACF_ASYNC_STATE, ASYNC_STATE, "State of asynchronous consumption."),
    live("CHANNEL", a.MQCACH_CHANNEL_NAME, CHANNEL_NAME, "Channel the program came by."),
    live("CLIENTID", a.MQCACH_CLIENT_ID, Text(256), "Client identifier."),
    live("CONNAME", a.MQCACH_CONNECTION_NAME, Text(264), "Address the program came from."),
    live("CONNOPTS", a.MQIACF_CONNECT_OPTIONS, CONNECT_OPTIONS, "Options of the connect."),
    live("USERID", a.MQCACF_USER_IDENTIFIER, Text(64), "User of the program."),
    live("UOWLOG", a.MQCACF_UOW_LOG_EXTENT_NAME, Text(24), "Log extent in which the unit of work first wrote."),
    live("UOWSTDA", a.MQCACF_UOW_START_DATE, DATE, "Date the unit of work began."),
    live("UOWSTTI", a.MQCACF_UOW_START_TIME, TIME, "Time the unit of work began."),
    live("UOWLOGDA", a.MQCACF_UOW_LOG_START_DATE, DATE, "Date the unit of work first wrote to the log."),
    live("UOWLOGTI", a.MQCACF_UOW_LOG_START_TIME, TIME, "Time the unit of work first wrote to the log."),
    live("URTYPE", a.MQIACF_UOW_TYPE, UNIT_TYPE, "Who coordinates the unit of work."),
    live("EXTURID", a.MQBACF_EXTERNAL_UOW_ID, UNIT_ID, "External identifier of the unit of work."),
    live("QMURID", a.MQBACF_Q_MGR_UOW_ID, UNIT_ID, "Queue manager's identifier of the unit of work."),
    live("UOWSTATE", a.MQIACF_UOW_STATE, UNIT_STATE, "State of the unit of work."),
    live("CONNTAG", a.MQBACF_CONN_TAG, ByteText(128), "Tag of the connection."),
    live("NID", a.MQCACF_ORIGIN_NAME, Text(256), "Who began the unit of work."),
    live("PSBNAME", a.MQCACF_PSB_NAME, Text(8), "IMS program specification block."),
    live("PSTID", a.MQCACF_PST_ID, Text(4), "IMS program region."),
    live("TASKNO", a.MQCACF_TASK_NUMBER, Text(7), "CICS task."),
    live("TRANSID", a.MQCACF_TRANSACTION_ID, Text(4), "CICS transaction."),
)
OPEN_ROWS: Final = (
    live("EXTCONN", NO_IDENTIFIER, Hex(16), "First half of the connection identifier."),
    live("OBJNAME", a.MQCACF_OBJECT_NAME, OBJECT_NAME, "Object that is open."),
    live("OBJTYPE", a.MQIACF_OBJECT_TYPE, OBJECT_KIND, "Kind of object."),
    live("ASTATE", a.MQIACF_ASYNC_STATE, ASYNC_STATE, "State of asynchronous consumption."),
    live("DEST", a.MQCACF_DESTINATION, OBJECT_NAME, "Destination of the subscription."),
    live("DESTQMGR", a.MQCACF_DESTINATION_Q_MGR, OBJECT_NAME, "Queue manager of that destination."),
    live("HSTATE", a.MQIACF_HANDLE_STATE, HANDLE_STATE, "Whether a call is under way."),
    live("OPENOPTS", a.MQIACF_OPEN_OPTIONS, OPEN_OPTIONS, "Options of the open."),
    live("QSGDISP", a.MQIA_QSG_DISP, DISPOSITION, "Whether the object is private or shared."),
    live("READA", a.MQIA_DEF_READ_AHEAD, READ_AHEAD, "State of read ahead."),
    live("SUBID", a.MQBACF_SUB_ID, Hex(24), "Subscription of the handle."),
    live("SUBNAME", a.MQCACF_SUB_NAME, Text(10240), "Name of that subscription."),
    live("TOPICSTR", a.MQCA_TOPIC_STRING, Text(10240), "Topic string of the handle."),
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
        help_text="Who has a queue open.",
    ),
    ObjectType(
        "QSTATS",
        "QSTATS",
        ("CSQM201I", "Display QSTATS details."),
        AttributeSpec("QSTATS", a.MQCA_Q_NAME, OBJECT_NAME, "", "Name of the queue."),
        COUNT_ROWS,
        status=True,
        help_text="What happened to a queue since its counts were last cleared.",
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
        help_text="What connections have open.",
    ),
)
