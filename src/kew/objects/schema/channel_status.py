"""Attributes of DISPLAY CHSTATUS, LSSTATUS, SVSTATUS, CLUSQMGR and CHINIT."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import channels as c
from kew.codes import options as o
from kew.objects.schema.channels import CHANNEL_TYPES, COMPRESS_HEADER, COMPRESS_MESSAGE, TRANSPORT
from kew.objects.schema.channels import NAME as CHANNEL_NAME_SPEC
from kew.objects.schema.channels import ROWS as CHANNEL_ROWS
from kew.objects.schema.common import (
    LEVELS,
    OBJECT_NAME,
    SHARED_KINDS,
)
from kew.objects.schema.grid import rows
from kew.objects.schema.local import CONTROL
from kew.objects.schema.model import LIVE, AttributeSpec, ObjectType, Row
from kew.objects.schema.queue_status import INDICATOR
from kew.objects.schema.texts import Text
from kew.objects.schema.values import Choice, Flag

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

KINDS: Final = {
    **SHARED_KINDS,
    "channel-type": Choice(CHANNEL_TYPES),
    "compress-header": COMPRESS_HEADER,
    "compress-message": COMPRESS_MESSAGE,
    "luwid": Text(16),
    "instance": Flag({"CURRENT": o.MQOT_CURRENT_CHANNEL, "SAVED": o.MQOT_SAVED_CHANNEL, "SHORT": o.MQOT_SHORT_CHANNEL}),
    "indoubt": Choice({"NO": a.MQCHIDS_NOT_INDOUBT, "YES": a.MQCHIDS_INDOUBT}),
    "agent": Choice({"NOTRUNNING": a.MQMCAS_STOPPED, "RUNNING": a.MQMCAS_RUNNING}),
    "monitor-level": Choice(LEVELS),
    "npmspeed": Choice({"FAST": c.MQNPMS_FAST, "NORMAL": c.MQNPMS_NORMAL}),
    "security": Choice(
        {
            "NONE": c.MQSECPROT_NONE,
            "SSLV3": c.MQSECPROT_SSLV30,
            "TLSV1": c.MQSECPROT_TLSV10,
            "TLSV12": c.MQSECPROT_TLSV12,
            "TLSV13": c.MQSECPROT_TLSV13,
        }
    ),
    "status": STATUS,
    "stop-request": Choice({"NO": a.MQCHSR_STOP_NOT_REQUESTED, "YES": a.MQCHSR_STOP_REQUESTED}),
    "substate": SUBSTATE,
    "indicator": INDICATOR,
    "service-state": Choice(
        {
            "RUNNING": a.MQSVC_STATUS_RUNNING,
            "STARTING": a.MQSVC_STATUS_STARTING,
            "STOPPING": a.MQSVC_STATUS_STOPPING,
            "STOPPED": a.MQSVC_STATUS_STOPPED,
            "RETRYING": a.MQSVC_STATUS_RETRYING,
        }
    ),
    "transport": TRANSPORT,
    "control": CONTROL,
    "servtype": Choice({"COMMAND": a.MQSVC_TYPE_COMMAND, "SERVER": a.MQSVC_TYPE_SERVER}),
    "definition": Choice(
        {
            "CLUSSDR": a.MQQMDT_EXPLICIT_CLUSTER_SENDER,
            "CLUSSDRA": a.MQQMDT_AUTO_CLUSTER_SENDER,
            "CLUSSDRB": a.MQQMDT_AUTO_EXP_CLUSTER_SENDER,
            "CLUSRCVR": a.MQQMDT_CLUSTER_RECEIVER,
        }
    ),
    "qmtype": Choice({"NORMAL": a.MQQMT_NORMAL, "REPOS": a.MQQMT_REPOSITORY}),
    "suspend": Choice({"NO": a.MQSUS_NO, "YES": a.MQSUS_YES}),
}

CHANNEL_STATUS_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                           | kind                            | default | types | notes              | meaning
CHLTYPE  | MQIACH_CHANNEL_TYPE           | channel-type                    |         |       | live               | Type of the channel.
BATCHES  | MQIACH_BATCHES                | count                           |         |       | live               | Batches completed since the channel started.
BATCHSZ  | MQIACH_BATCH_SIZE             | count                           |         |       | live               | Batch size agreed with the partner.
BUFSRCVD | MQIACH_BUFFERS_RCVD           | count                           |         |       | live               | Transmissions received.
BUFSSENT | MQIACH_BUFFERS_SENT           | count                           |         |       | live               | Transmissions sent.
BYTSRCVD | MQIACH_BYTES_RCVD             | long-count                      |         |       | live               | Bytes received.
BYTSSENT | MQIACH_BYTES_SENT             | long-count                      |         |       | live               | Bytes sent.
CHSTADA  | MQCACH_CHANNEL_START_DATE     | date                            |         |       | live               | Date the channel started.
CHSTATI  | MQCACH_CHANNEL_START_TIME     | time                            |         |       | live               | Time the channel started.
COMPHDR  | MQIACH_HDR_COMPRESSION        | compress-header                 |         |       | live group=MONITOR | Header compression: default, and of the last message.
COMPMSG  | MQIACH_MSG_COMPRESSION        | compress-message                |         |       | live group=MONITOR | Message compression: default, and of the last message.
COMPRATE | MQIACH_COMPRESSION_RATE       | pair                            |         |       | live group=MONITOR | Percentage saved by compression, over a short and a long period.
COMPTIME | MQIACH_COMPRESSION_TIME       | pair                            |         |       | live group=MONITOR | Microseconds a message to compress, over a short and a long period.
CONNAME  | MQCACH_CONNECTION_NAME        | text 264                        |         |       | live               | Address of the partner.
CURLUWID | MQCACH_CURRENT_LUWID          | luwid                           |         |       | live               | Unit of work of the current batch.
CURMSGS  | MQIACH_CURRENT_MSGS           | count                           |         |       | live               | Messages in the current batch.
CURRENT  | MQIACH_CHANNEL_INSTANCE_TYPE  | instance                        |         |       | live               | Whether this is the running state or the saved one.
CURSEQNO | MQIACH_CURRENT_SEQ_NUMBER     | count                           |         |       | live               | Sequence number of the last message.
EXITTIME | MQIACH_EXIT_TIME_INDICATOR    | pair                            |         |       | live group=MONITOR | Microseconds a message in exits.
HBINT    | MQIACH_HB_INTERVAL            | count                           |         |       | live               | Heartbeat interval agreed with the partner.
INDOUBT  | MQIACH_INDOUBT_STATUS         | indoubt                         |         |       | live               | Whether a batch waits for the partner's word.
JOBNAME  | MQCACH_MCA_JOB_NAME           | text 28                         |         |       | live               | Process and thread of the agent.
KAINT    | MQIACH_KEEP_ALIVE_INTERVAL    | number 0..99999 AUTO=MQKAI_AUTO |         |       | live               | Keepalive interval.
LOCLADDR | MQCACH_LOCAL_ADDRESS          | text 48                         |         |       | live               | Local address in use.
LONGRTS  | MQIACH_LONG_RETRIES_LEFT      | count                           |         |       | live               | Long attempts left.
LSTLUWID | MQCACH_LAST_LUWID             | luwid                           |         |       | live               | Last unit of work that was committed.
LSTMSGDA | MQCACH_LAST_MSG_DATE          | date                            |         |       | live               | Date of the last message.
LSTMSGTI | MQCACH_LAST_MSG_TIME          | time                            |         |       | live               | Time of the last message.
LSTSEQNO | MQIACH_LAST_SEQ_NUMBER        | count                           |         |       | live               | Sequence number of the last message of the last batch.
MAXMSGL  | MQIACH_MAX_MSG_LENGTH         | message-length                  |         |       | live               | Longest message agreed with the partner.
MCASTAT  | MQIACH_MCA_STATUS             | agent                           |         |       | live               | Whether the agent runs.
MCAUSER  | MQCACH_MCA_USER_ID            | text 64                         |         |       | live               | User whose authority the channel has.
MONCHL   | MQIA_MONITORING_CHANNEL       | monitor-level                   |         |       | live group=MONITOR | Level of online monitoring in force.
MSGS     | MQIACH_MSGS                   | count                           |         |       | live               | Messages sent or received, or MQI calls handled.
NETTIME  | MQIACH_NETWORK_TIME_INDICATOR | pair                            |         |       | live group=MONITOR | Microseconds a round trip takes, over a short and a long period.
NPMSPEED | MQIACH_NPM_SPEED              | npmspeed                        |         |       | live               | Whether non-persistent messages travel outside syncpoint.
PORT     | MQIACH_PORT_NUMBER            | number 0..65535                 |         |       | live               | Port in use.
QMNAME   | MQCA_Q_MGR_NAME               | object-name                     |         |       | live               | Queue manager the channel runs on.
RAPPLTAG | MQCACH_REMOTE_APPL_TAG        | text 28                         |         |       | live               | Program at the other end.
RQMNAME  | MQCA_REMOTE_Q_MGR_NAME        | object-name                     |         |       | live               | Queue manager at the other end.
SECPROT  | MQIACH_SECURITY_PROTOCOL      | security                        |         |       | live               | Security protocol in use.
SHORTRTS | MQIACH_SHORT_RETRIES_LEFT     | count                           |         |       | live               | Short attempts left.
SSLCERTI | MQCACH_SSL_CERT_ISSUER_NAME   | text 256                        |         |       | live               | Issuer of the partner's certificate.
SSLCERTU | MQCACH_SSL_CERT_USER_ID       | text 64                         |         |       | live               | User the partner's certificate is mapped to.
SSLCIPH  | MQCACH_SSL_CIPHER_SPEC        | text 32                         |         |       | live               | CipherSpec in use.
SSLKEYDA | MQCACH_SSL_KEY_RESET_DATE     | date                            |         |       | live               | Date of the last secret key reset.
SSLKEYTI | MQCACH_SSL_KEY_RESET_TIME     | time                            |         |       | live               | Time of the last secret key reset.
SSLPEER  | MQCACH_SSL_SHORT_PEER_NAME    | text 256                        |         |       | live               | Subject of the partner's certificate.
SSLRKEYS | MQIACH_SSL_KEY_RESETS         | count                           |         |       | live               | Secret key resets since the channel started.
STATCHL  | MQIA_STATISTICS_CHANNEL       | monitor-level                   |         |       | live               | Level of statistics in force.
STATUS   | MQIACH_CHANNEL_STATUS         | status                          |         |       | live               | State of the channel.
STOPREQ  | MQIACH_STOP_REQUESTED         | stop-request                    |         |       | live               | Whether a stop was asked for.
SUBSTATE | MQIACH_CHANNEL_SUBSTATE       | substate                        |         |       | live group=MONITOR | Current activity of the channel.
XBATCHSZ | MQIACH_BATCH_SIZE_INDICATOR   | pair                            |         |       | live group=MONITOR | Messages in a batch, over a short and a long period.
XMITQ    | MQCACH_XMIT_Q_NAME            | object-name                     |         |       | live               | Transmission queue.
XQMSGSA  | MQIACH_XMITQ_MSGS_AVAILABLE   | indicator                       |         |       | live group=MONITOR | Messages waiting on the transmission queue.
XQTIME   | MQIACH_XMITQ_TIME_INDICATOR   | pair                            |         |       | live group=MONITOR | Microseconds messages waited on the transmission queue.
CURSHCNV | MQIACH_CURRENT_SHARING_CONVS  | count                           |         |       | live               | Conversations that share the channel now.
MAXSHCNV | MQIACH_MAX_SHARING_CONVS      | count                           |         |       | live               | Conversations that may share it, as agreed.
RVERSION | MQCACH_REMOTE_VERSION         | text 8                          |         |       | live               | Version of the partner.
RPRODUCT | MQCACH_REMOTE_PRODUCT         | text 4                          |         |       | live               | Product of the partner.
""",
)

LISTENER_STATUS_ROWS: Final = rows(
    KINDS,
    """
keyword | pcf                        | kind                | default | types | notes | meaning
STATUS  | MQIACH_LISTENER_STATUS     | service-state       |         |       | live  | State of the listener.
PID     | MQIACF_PROCESS_ID          | count               |         |       | live  | Process of the listener.
STARTDA | MQCACH_LISTENER_START_DATE | date                |         |       | live  | Date the listener started.
STARTTI | MQCACH_LISTENER_START_TIME | time                |         |       | live  | Time the listener started.
DESCR   | MQCACH_LISTENER_DESC       | description         |         |       | live  | Comment on the listener.
TRPTYPE | MQIACH_XMIT_PROTOCOL_TYPE  | transport           |         |       | live  | Transport.
CONTROL | MQIACH_LISTENER_CONTROL    | control             |         |       | live  | Whether it starts and stops with the queue manager.
IPADDR  | MQCACH_IP_ADDRESS          | text 48             |         |       | live  | Address listened on.
PORT    | MQIACH_PORT                | number 0..65535     |         |       | live  | Port listened on.
BACKLOG | MQIACH_BACKLOG             | number 0..999999999 |         |       | live  | Connection requests the system may hold.
""",
)

SERVICE_STATUS_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                        | kind          | default | types | notes | meaning
STATUS   | MQIACF_SERVICE_STATUS      | service-state |         |       | live  | State of the service.
PID      | MQIACF_PROCESS_ID          | count         |         |       | live  | Process of the service.
SERVTYPE | MQIA_SERVICE_TYPE          | servtype      |         |       | live  | Kind of service.
CONTROL  | MQIA_SERVICE_CONTROL       | control       |         |       | live  | Whether it starts and stops with the queue manager.
STARTDA  | MQCACF_SERVICE_START_DATE  | date          |         |       | live  | Date the service started.
STARTTI  | MQCACF_SERVICE_START_TIME  | time          |         |       | live  | Time the service started.
STARTCMD | MQCA_SERVICE_START_COMMAND | text 255      |         |       | live  | Program that starts the service.
STARTARG | MQCA_SERVICE_START_ARGS    | text 255      |         |       | live  | Arguments of the start program.
STOPCMD  | MQCA_SERVICE_STOP_COMMAND  | text 255      |         |       | live  | Program that stops the service.
STOPARG  | MQCA_SERVICE_STOP_ARGS     | text 255      |         |       | live  | Arguments of the stop program.
STDOUT   | MQCA_STDOUT_DESTINATION    | text 255      |         |       | live  | File for the program's output.
STDERR   | MQCA_STDERR_DESTINATION    | text 255      |         |       | live  | File for the program's errors.
DESCR    | MQCA_SERVICE_DESC          | description   |         |       | live  | Comment on the service.
""",
)


def _advertised(row: Row) -> Row:
    return Row(row.keyword, row.pcf, row.kind, "", row.help_text, role=LIVE)


CLUSTER_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                          | kind         | default | types | notes | meaning
CHANNEL  | MQCACH_CHANNEL_NAME          | channel-name |         |       | live  | Cluster-receiver channel of the queue manager.
CLUSTER  | MQCA_CLUSTER_NAME            | object-name  |         |       | live  | Cluster.
CLUSDATE | MQCA_CLUSTER_DATE            | date         |         |       | live  | Date the definition became known here.
CLUSTIME | MQCA_CLUSTER_TIME            | time         |         |       | live  | Time the definition became known here.
DEFTYPE  | MQIACF_Q_MGR_DEFINITION_TYPE | definition   |         |       | live  | How the queue manager was defined.
QMID     | MQCA_Q_MGR_IDENTIFIER        | text 48      |         |       | live  | Identifier of the queue manager.
QMTYPE   | MQIACF_Q_MGR_TYPE            | qmtype       |         |       | live  | Whether it is a full repository.
STATUS   | MQIACH_CHANNEL_STATUS        | status       |         |       | live  | State of the channel to it.
SUSPEND  | MQIACF_SUSPEND               | suspend      |         |       | live  | Whether it is suspended from the cluster.
VERSION  | MQCA_VERSION                 | text 8       |         |       | live  | Version of the queue manager.
XMITQ    | MQCA_XMIT_Q_NAME             | object-name  |         |       | live  | Transmission queue to it.
""",
) + tuple(
    _advertised(row)
    for row in CHANNEL_ROWS
    if "CLUSRCVR" in (row.types or ["CLUSRCVR"])
    and row.keyword not in {"CLUSTER", "CLUSNL", "QSGDISP", "RESETSEQ", "USEDLQ", "CERTLABL", "MONCHL", "STATCHL"}
)

CHINIT_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                       | kind          | default | types | notes | meaning
STATUS   | MQIACF_CHINIT_STATUS      | service-state |         |       | live  | State of the channel initiator.
ADAPSTR  | MQIACH_ADAPS_STARTED      | count         |         |       | live  | Adapter workers started.
ADAPMAX  | MQIACH_ADAPS_MAX          | count         |         |       | live  | Adapter workers asked for.
DISPSTR  | MQIACH_DISPS_STARTED      | count         |         |       | live  | Dispatchers started.
DISPMAX  | MQIACH_DISPS_MAX          | count         |         |       | live  | Dispatchers asked for.
SSLSTR   | MQIACH_SSLTASKS_STARTED   | count         |         |       | live  | TLS workers started.
SSLMAX   | MQIACH_SSLTASKS_MAX       | count         |         |       | live  | TLS workers asked for.
CURCHL   | MQIACH_CURRENT_CHL        | count         |         |       | live  | Channels current.
CURMAX   | MQIACH_CURRENT_CHL_MAX    | count         |         |       | live  | Most channels current.
ACTCHL   | MQIACH_ACTIVE_CHL         | count         |         |       | live  | Channels active.
ACTMAX   | MQIACH_ACTIVE_CHL_MAX     | count         |         |       | live  | Most channels active.
PAUSED   | MQIACH_ACTIVE_CHL_PAUSED  | count         |         |       | live  | Active channels paused.
STARTED  | MQIACH_ACTIVE_CHL_STARTED | count         |         |       | live  | Active channels started.
STOPPED  | MQIACH_ACTIVE_CHL_STOPPED | count         |         |       | live  | Channels stopped.
RETRYING | MQIACH_ACTIVE_CHL_RETRY   | count         |         |       | live  | Channels retrying.
""",
)

CMDSERV_ROWS: Final = rows(
    KINDS,
    """
keyword | pcf                      | kind          | default | types | notes | meaning
STATUS  | MQIACF_CMD_SERVER_STATUS | service-state |         |       | live  | State of the command server.
""",
)

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
