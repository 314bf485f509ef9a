"""What DISPLAY CHSTATUS, LSSTATUS, SVSTATUS, CLUSQMGR and CHINIT show: channels and what runs beside them."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import channels as c
from kew.codes import options as o
from kew.objects.schema.channels import CHANNEL_TYPES, COMPRESS_HEADER, COMPRESS_MESSAGE, TRANSPORT
from kew.objects.schema.channels import NAME as CHANNEL_NAME_SPEC
from kew.objects.schema.channels import ROWS as CHANNEL_ROWS
from kew.objects.schema.common import (
    CHANNEL_NAME,
    COUNT,
    DATE,
    DESCRIPTION,
    LEVELS,
    LONG_COUNT,
    MESSAGE_LENGTH,
    MOST,
    OBJECT_NAME,
    TIME,
    live,
)
from kew.objects.schema.local import CONTROL
from kew.objects.schema.model import AttributeSpec, ObjectType, Row
from kew.objects.schema.queue_status import INDICATOR
from kew.objects.texts import Text
from kew.objects.values import Choice, Flag, Number, Pair

MONITOR_LEVEL: Final = Choice(LEVELS)
CHANNEL_TYPE: Final = Choice(CHANNEL_TYPES)
STATUS: Final = Choice(
    {
        "INACTIVE": a.MQCHS_INACTIVE,
        "BINDING": a.MQCHS_BINDING,
        "STARTING": a.MQCHS_STARTING,
        "RUNNING": a.MQCHS_RUNNING,
        "STOPPING": a.MQCHS_STOPPING,
        "RETRYING": a.MQCHS_RETRYING,
        "STOPPED": a.MQCHS_STOPPED,
        "REQUESTING": a.MQCHS_REQUESTING,
        "PAUSED": a.MQCHS_PAUSED,
        "DISCONNECTED": a.MQCHS_DISCONNECTED,
        "INITIALIZING": a.MQCHS_INITIALIZING,
        "SWITCHING": a.MQCHS_SWITCHING,
    }
)
SUBSTATE: Final = Choice(
    {
        "ENDBATCH": a.MQCHSSTATE_END_OF_BATCH,
        "SEND": a.MQCHSSTATE_SENDING,
        "RECEIVE": a.MQCHSSTATE_RECEIVING,
        "SERIALIZE": a.MQCHSSTATE_SERIALIZING,
        "RESYNCH": a.MQCHSSTATE_RESYNCHING,
        "HEARTBEAT": a.MQCHSSTATE_HEARTBEATING,
        "SCYEXIT": a.MQCHSSTATE_IN_SCYEXIT,
        "RCVEXIT": a.MQCHSSTATE_IN_RCVEXIT,
        "SENDEXIT": a.MQCHSSTATE_IN_SENDEXIT,
        "MSGEXIT": a.MQCHSSTATE_IN_MSGEXIT,
        "MREXIT": a.MQCHSSTATE_IN_MREXIT,
        "CHADEXIT": a.MQCHSSTATE_IN_CHADEXIT,
        "NETCONNECT": a.MQCHSSTATE_NET_CONNECTING,
        "SSLHANDSHK": a.MQCHSSTATE_SSL_HANDSHAKING,
        "NAMESERVER": a.MQCHSSTATE_NAME_SERVER,
        "MQPUT": a.MQCHSSTATE_IN_MQPUT,
        "MQGET": a.MQCHSSTATE_IN_MQGET,
        "MQICALL": a.MQCHSSTATE_IN_MQI_CALL,
        "COMPRESS": a.MQCHSSTATE_COMPRESSING,
    },
    blank_at=a.MQCHSSTATE_OTHER,
)
INSTANCE: Final = Flag(
    {"CURRENT": o.MQOT_CURRENT_CHANNEL, "SAVED": o.MQOT_SAVED_CHANNEL, "SHORT": o.MQOT_SHORT_CHANNEL}
)
SECURITY: Final = Choice(
    {
        "NONE": c.MQSECPROT_NONE,
        "SSLV3": c.MQSECPROT_SSLV30,
        "TLSV1": c.MQSECPROT_TLSV10,
        "TLSV12": c.MQSECPROT_TLSV12,
        "TLSV13": c.MQSECPROT_TLSV13,
    }
)
INDOUBT: Final = Choice({"NO": a.MQCHIDS_NOT_INDOUBT, "YES": a.MQCHIDS_INDOUBT})
STOP_REQUEST: Final = Choice({"NO": a.MQCHSR_STOP_NOT_REQUESTED, "YES": a.MQCHSR_STOP_REQUESTED})
AGENT: Final = Choice({"NOTRUNNING": a.MQMCAS_STOPPED, "RUNNING": a.MQMCAS_RUNNING})
LUWID: Final = Text(16)

CHANNEL_STATUS_ROWS: Final = (
    live("CHLTYPE", a.MQIACH_CHANNEL_TYPE, CHANNEL_TYPE, "Type of the channel."),
    live("BATCHES", a.MQIACH_BATCHES, COUNT, "Batches completed since the channel started."),
    live("BATCHSZ", a.MQIACH_BATCH_SIZE, COUNT, "Batch size agreed with the partner."),
    live("BUFSRCVD", a.MQIACH_BUFFERS_RCVD, COUNT, "Transmissions received."),
    live("BUFSSENT", a.MQIACH_BUFFERS_SENT, COUNT, "Transmissions sent."),
    live("BYTSRCVD", a.MQIACH_BYTES_RCVD, LONG_COUNT, "Bytes received."),
    live("BYTSSENT", a.MQIACH_BYTES_SENT, LONG_COUNT, "Bytes sent."),
    live("CHSTADA", a.MQCACH_CHANNEL_START_DATE, DATE, "Date the channel started."),
    live("CHSTATI", a.MQCACH_CHANNEL_START_TIME, TIME, "Time the channel started."),
    live(
        "COMPHDR",
        a.MQIACH_HDR_COMPRESSION,
        COMPRESS_HEADER,
        "Header compression: default, and of the last message.",
        group="MONITOR",
    ),
    live(
        "COMPMSG",
        a.MQIACH_MSG_COMPRESSION,
        COMPRESS_MESSAGE,
        "Message compression: default, and of the last message.",
        group="MONITOR",
    ),
    live(
        "COMPRATE",
        a.MQIACH_COMPRESSION_RATE,
        Pair(),
        "Percentage saved by compression, over a short and a long period.",
        group="MONITOR",
    ),
    live(
        "COMPTIME",
        a.MQIACH_COMPRESSION_TIME,
        Pair(),
        "Microseconds a message to compress, over a short and a long period.",
        group="MONITOR",
    ),
    live("CONNAME", a.MQCACH_CONNECTION_NAME, Text(264), "Address of the partner."),
    live("CURLUWID", a.MQCACH_CURRENT_LUWID, LUWID, "Unit of work of the current batch."),
    live("CURMSGS", a.MQIACH_CURRENT_MSGS, COUNT, "Messages in the current batch."),
    live("CURRENT", a.MQIACH_CHANNEL_INSTANCE_TYPE, INSTANCE, "Whether this is the running state or the saved one."),
    live("CURSEQNO", a.MQIACH_CURRENT_SEQ_NUMBER, COUNT, "Sequence number of the last message."),
    live("EXITTIME", a.MQIACH_EXIT_TIME_INDICATOR, Pair(), "Microseconds a message in exits.", group="MONITOR"),
    live("HBINT", a.MQIACH_HB_INTERVAL, COUNT, "Heartbeat interval agreed with the partner."),
    live("INDOUBT", a.MQIACH_INDOUBT_STATUS, INDOUBT, "Whether a batch waits for the partner's word."),
    live("JOBNAME", a.MQCACH_MCA_JOB_NAME, Text(28), "Process and thread of the agent."),
    live("KAINT", a.MQIACH_KEEP_ALIVE_INTERVAL, Number(0, 99999, {"AUTO": c.MQKAI_AUTO}), "Keepalive interval."),
    live("LOCLADDR", a.MQCACH_LOCAL_ADDRESS, Text(48), "Local address in use."),
    live("LONGRTS", a.MQIACH_LONG_RETRIES_LEFT, COUNT, "Long attempts left."),
    live("LSTLUWID", a.MQCACH_LAST_LUWID, LUWID, "Last unit of work that was committed."),
    live("LSTMSGDA", a.MQCACH_LAST_MSG_DATE, DATE, "Date of the last message."),
    live("LSTMSGTI", a.MQCACH_LAST_MSG_TIME, TIME, "Time of the last message."),
    live("LSTSEQNO", a.MQIACH_LAST_SEQ_NUMBER, COUNT, "Sequence number of the last message of the last batch."),
    live("MAXMSGL", a.MQIACH_MAX_MSG_LENGTH, MESSAGE_LENGTH, "Longest message agreed with the partner."),
    live("MCASTAT", a.MQIACH_MCA_STATUS, AGENT, "Whether the agent runs."),
    live("MCAUSER", a.MQCACH_MCA_USER_ID, Text(64), "User whose authority the channel has."),
    live("MONCHL", a.MQIA_MONITORING_CHANNEL, MONITOR_LEVEL, "Level of online monitoring in force.", group="MONITOR"),
    live("MSGS", a.MQIACH_MSGS, COUNT, "Messages sent or received, or MQI calls handled."),
    live(
        "NETTIME",
        a.MQIACH_NETWORK_TIME_INDICATOR,
        Pair(),
        "Microseconds a round trip takes, over a short and a long period.",
        group="MONITOR",
    ),
    live(
        "NPMSPEED",
        a.MQIACH_NPM_SPEED,
        Choice({"FAST": c.MQNPMS_FAST, "NORMAL": c.MQNPMS_NORMAL}),
        "Whether non-persistent messages travel outside syncpoint.",
    ),
    live("PORT", a.MQIACH_PORT_NUMBER, Number(0, 65535), "Port in use."),
    live("QMNAME", a.MQCA_Q_MGR_NAME, OBJECT_NAME, "Queue manager the channel runs on."),
    live("RAPPLTAG", a.MQCACH_REMOTE_APPL_TAG, Text(28), "Program at the other end."),
    live("RQMNAME", a.MQCA_REMOTE_Q_MGR_NAME, OBJECT_NAME, "Queue manager at the other end."),
    live("SECPROT", a.MQIACH_SECURITY_PROTOCOL, SECURITY, "Security protocol in use."),
    live("SHORTRTS", a.MQIACH_SHORT_RETRIES_LEFT, COUNT, "Short attempts left."),
    live("SSLCERTI", a.MQCACH_SSL_CERT_ISSUER_NAME, Text(256), "Issuer of the partner's certificate."),
    live("SSLCERTU", a.MQCACH_SSL_CERT_USER_ID, Text(64), "User the partner's certificate is mapped to."),
    live("SSLCIPH", a.MQCACH_SSL_CIPHER_SPEC, Text(32), "CipherSpec in use."),
    live("SSLKEYDA", a.MQCACH_SSL_KEY_RESET_DATE, DATE, "Date of the last secret key reset."),
    live("SSLKEYTI", a.MQCACH_SSL_KEY_RESET_TIME, TIME, "Time of the last secret key reset."),
    live("SSLPEER", a.MQCACH_SSL_SHORT_PEER_NAME, Text(256), "Subject of the partner's certificate."),
    live("SSLRKEYS", a.MQIACH_SSL_KEY_RESETS, COUNT, "Secret key resets since the channel started."),
    live("STATCHL", a.MQIA_STATISTICS_CHANNEL, MONITOR_LEVEL, "Level of statistics in force."),
    live("STATUS", a.MQIACH_CHANNEL_STATUS, STATUS, "State of the channel."),
    live("STOPREQ", a.MQIACH_STOP_REQUESTED, STOP_REQUEST, "Whether a stop was asked for."),
    live("SUBSTATE", a.MQIACH_CHANNEL_SUBSTATE, SUBSTATE, "What the channel is doing.", group="MONITOR"),
    live(
        "XBATCHSZ",
        a.MQIACH_BATCH_SIZE_INDICATOR,
        Pair(),
        "Messages in a batch, over a short and a long period.",
        group="MONITOR",
    ),
    live("XMITQ", a.MQCACH_XMIT_Q_NAME, OBJECT_NAME, "Transmission queue."),
    live(
        "XQMSGSA",
        a.MQIACH_XMITQ_MSGS_AVAILABLE,
        INDICATOR,
        "Messages waiting on the transmission queue.",
        group="MONITOR",
    ),
    live(
        "XQTIME",
        a.MQIACH_XMITQ_TIME_INDICATOR,
        Pair(),
        "Microseconds messages waited on the transmission queue.",
        group="MONITOR",
    ),
    live("CURSHCNV", a.MQIACH_CURRENT_SHARING_CONVS, COUNT, "Conversations that share the channel now."),
    live("MAXSHCNV", a.MQIACH_MAX_SHARING_CONVS, COUNT, "Conversations that may share it, as agreed."),
    live("RVERSION", a.MQCACH_REMOTE_VERSION, Text(8), "Version of the partner."),
    live("RPRODUCT", a.MQCACH_REMOTE_PRODUCT, Text(4), "Product of the partner."),
)

SERVICE_STATE: Final = Choice(
    {
        "RUNNING": a.MQSVC_STATUS_RUNNING,
        "STARTING": a.MQSVC_STATUS_STARTING,
        "STOPPING": a.MQSVC_STATUS_STOPPING,
        "STOPPED": a.MQSVC_STATUS_STOPPED,
        "RETRYING": a.MQSVC_STATUS_RETRYING,
    }
)
LISTENER_STATUS_ROWS: Final = (
    live("STATUS", a.MQIACH_LISTENER_STATUS, SERVICE_STATE, "State of the listener."),
    live("PID", a.MQIACF_PROCESS_ID, COUNT, "Process of the listener."),
    live("STARTDA", a.MQCACH_LISTENER_START_DATE, DATE, "Date the listener started."),
    live("STARTTI", a.MQCACH_LISTENER_START_TIME, TIME, "Time the listener started."),
    live("DESCR", a.MQCACH_LISTENER_DESC, DESCRIPTION, "Comment on the listener."),
    live("TRPTYPE", a.MQIACH_XMIT_PROTOCOL_TYPE, TRANSPORT, "Transport."),
    live("CONTROL", a.MQIACH_LISTENER_CONTROL, CONTROL, "Whether it starts and stops with the queue manager."),
    live("IPADDR", a.MQCACH_IP_ADDRESS, Text(48), "Address listened on."),
    live("PORT", a.MQIACH_PORT, Number(0, 65535), "Port listened on."),
    live("BACKLOG", a.MQIACH_BACKLOG, Number(0, MOST), "Connection requests the system may hold."),
)
SERVICE_STATUS_ROWS: Final = (
    live("STATUS", a.MQIACF_SERVICE_STATUS, SERVICE_STATE, "State of the service."),
    live("PID", a.MQIACF_PROCESS_ID, COUNT, "Process of the service."),
    live(
        "SERVTYPE",
        a.MQIA_SERVICE_TYPE,
        Choice({"COMMAND": a.MQSVC_TYPE_COMMAND, "SERVER": a.MQSVC_TYPE_SERVER}),
        "Kind of service.",
    ),
    live("CONTROL", a.MQIA_SERVICE_CONTROL, CONTROL, "Whether it starts and stops with the queue manager."),
    live("STARTDA", a.MQCACF_SERVICE_START_DATE, DATE, "Date the service started."),
    live("STARTTI", a.MQCACF_SERVICE_START_TIME, TIME, "Time the service started."),
    live("STARTCMD", a.MQCA_SERVICE_START_COMMAND, Text(255), "Program that starts the service."),
    live("STARTARG", a.MQCA_SERVICE_START_ARGS, Text(255), "Arguments of the start program."),
    live("STOPCMD", a.MQCA_SERVICE_STOP_COMMAND, Text(255), "Program that stops the service."),
    live("STOPARG", a.MQCA_SERVICE_STOP_ARGS, Text(255), "Arguments of the stop program."),
    live("STDOUT", a.MQCA_STDOUT_DESTINATION, Text(255), "File for the program's output."),
    live("STDERR", a.MQCA_STDERR_DESTINATION, Text(255), "File for the program's errors."),
    live("DESCR", a.MQCA_SERVICE_DESC, DESCRIPTION, "Comment on the service."),
)

DEFINITION: Final = Choice(
    {
        "CLUSSDR": a.MQQMDT_EXPLICIT_CLUSTER_SENDER,
        "CLUSSDRA": a.MQQMDT_AUTO_CLUSTER_SENDER,
        "CLUSSDRB": a.MQQMDT_AUTO_EXP_CLUSTER_SENDER,
        "CLUSRCVR": a.MQQMDT_CLUSTER_RECEIVER,
    }
)


def _advertised(row: Row) -> Row:
    return live(row.keyword, row.pcf, row.kind, row.help_text)


CLUSTER_ROWS: Final = (
    live("CHANNEL", a.MQCACH_CHANNEL_NAME, CHANNEL_NAME, "Cluster-receiver channel of the queue manager."),
    live("CLUSTER", a.MQCA_CLUSTER_NAME, OBJECT_NAME, "Cluster."),
    live("CLUSDATE", a.MQCA_CLUSTER_DATE, DATE, "Date the definition became known here."),
    live("CLUSTIME", a.MQCA_CLUSTER_TIME, TIME, "Time the definition became known here."),
    live("DEFTYPE", a.MQIACF_Q_MGR_DEFINITION_TYPE, DEFINITION, "How the queue manager was defined."),
    live("QMID", a.MQCA_Q_MGR_IDENTIFIER, Text(48), "Identifier of the queue manager."),
    live(
        "QMTYPE",
        a.MQIACF_Q_MGR_TYPE,
        Choice({"NORMAL": a.MQQMT_NORMAL, "REPOS": a.MQQMT_REPOSITORY}),
        "Whether it is a full repository.",
    ),
    live("STATUS", a.MQIACH_CHANNEL_STATUS, STATUS, "State of the channel to it."),
    live(
        "SUSPEND",
        a.MQIACF_SUSPEND,
        Choice({"NO": a.MQSUS_NO, "YES": a.MQSUS_YES}),
        "Whether it is suspended from the cluster.",
    ),
    live("VERSION", a.MQCA_VERSION, Text(8), "Version of the queue manager."),
    live("XMITQ", a.MQCA_XMIT_Q_NAME, OBJECT_NAME, "Transmission queue to it."),
    *(
        _advertised(row)
        for row in CHANNEL_ROWS
        if "CLUSRCVR" in (row.types or ["CLUSRCVR"])
        and row.keyword not in {"CLUSTER", "CLUSNL", "QSGDISP", "RESETSEQ", "USEDLQ", "CERTLABL", "MONCHL", "STATCHL"}
    ),
)

CHINIT_ROWS: Final = (
    live("STATUS", a.MQIACF_CHINIT_STATUS, SERVICE_STATE, "State of the channel initiator."),
    live("ADAPSTR", a.MQIACH_ADAPS_STARTED, COUNT, "Adapter workers started."),
    live("ADAPMAX", a.MQIACH_ADAPS_MAX, COUNT, "Adapter workers asked for."),
    live("DISPSTR", a.MQIACH_DISPS_STARTED, COUNT, "Dispatchers started."),
    live("DISPMAX", a.MQIACH_DISPS_MAX, COUNT, "Dispatchers asked for."),
    live("SSLSTR", a.MQIACH_SSLTASKS_STARTED, COUNT, "TLS workers started."),
    live("SSLMAX", a.MQIACH_SSLTASKS_MAX, COUNT, "TLS workers asked for."),
    live("CURCHL", a.MQIACH_CURRENT_CHL, COUNT, "Channels current."),
    live("CURMAX", a.MQIACH_CURRENT_CHL_MAX, COUNT, "Most channels current."),
    live("ACTCHL", a.MQIACH_ACTIVE_CHL, COUNT, "Channels active."),
    live("ACTMAX", a.MQIACH_ACTIVE_CHL_MAX, COUNT, "Most channels active."),
    live("PAUSED", a.MQIACH_ACTIVE_CHL_PAUSED, COUNT, "Active channels paused."),
    live("STARTED", a.MQIACH_ACTIVE_CHL_STARTED, COUNT, "Active channels started."),
    live("STOPPED", a.MQIACH_ACTIVE_CHL_STOPPED, COUNT, "Channels stopped."),
    live("RETRYING", a.MQIACH_ACTIVE_CHL_RETRY, COUNT, "Channels retrying."),
)
CMDSERV_ROWS: Final = (live("STATUS", a.MQIACF_CMD_SERVER_STATUS, SERVICE_STATE, "State of the command server."),)

LISTENER_NAME: Final = AttributeSpec("LISTENER", a.MQCACH_LISTENER_NAME, OBJECT_NAME, "", "Name of the listener.")
SERVICE_NAME: Final = AttributeSpec("SERVICE", a.MQCA_SERVICE_NAME, OBJECT_NAME, "", "Name of the service.")
CLUSTER_NAME: Final = AttributeSpec(
    "CLUSQMGR", a.MQCA_CLUSTER_Q_MGR_NAME, OBJECT_NAME, "", "Name of the queue manager."
)

TYPES: Final = (
    ObjectType(
        "CHSTATUS",
        "CHSTATUS",
        ("AMQ8417I", "Display Channel Status details."),
        CHANNEL_NAME_SPEC,
        CHANNEL_STATUS_ROWS,
        synonyms=("CHS",),
        status=True,
        always="CHLTYPE CONNAME CURRENT RQMNAME STATUS SUBSTATE XMITQ",
        help_text="State of channels.",
    ),
    ObjectType(
        "LSSTATUS",
        "LSSTATUS",
        ("AMQ8631I", "Display listener status details."),
        LISTENER_NAME,
        LISTENER_STATUS_ROWS,
        status=True,
        always="STATUS PID",
        help_text="State of listeners.",
    ),
    ObjectType(
        "SVSTATUS",
        "SVSTATUS",
        ("AMQ8632I", "Display service status details."),
        SERVICE_NAME,
        SERVICE_STATUS_ROWS,
        status=True,
        always="STATUS PID",
        help_text="State of services.",
    ),
    ObjectType(
        "CLUSQMGR",
        "CLUSQMGR",
        ("AMQ8441I", "Display Cluster Queue Manager details."),
        CLUSTER_NAME,
        CLUSTER_ROWS,
        status=True,
        always="CHANNEL CLUSTER",
        help_text="Queue managers of the clusters this one belongs to.",
    ),
    ObjectType(
        "CHINIT",
        "CHINIT",
        ("CSQX830I", "Display channel initiator details."),
        None,
        CHINIT_ROWS,
        synonyms=("CHI",),
        status=True,
        help_text="State of the channel initiator.",
    ),
    ObjectType(
        "CMDSERV",
        "CMDSERV",
        ("AMQ8079I", "Display command server details."),
        None,
        CMDSERV_ROWS,
        synonyms=("CS",),
        status=True,
        help_text="State of the command server.",
    ),
)
