"""Attributes of channels of every type, in the order DISPLAY CHANNEL shows them."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import channels as c
from kew.codes import options as o
from kew.objects.schema.common import (
    ALTERATION_DATE,
    ALTERATION_TIME,
    CHANNEL_NAME,
    DESCRIPTION,
    MANAGER_DISPOSITION,
    MESSAGE_LENGTH,
    MONITORING,
    MOST,
    NO_EXITS,
    OBJECT_NAME,
    TCP_ONLY,
)
from kew.objects.schema.model import DEFINE, LIVE, RESTART, AttributeSpec, ObjectType, Row
from kew.objects.texts import Text
from kew.objects.values import Choice, ListOf, Number

ALL: Final = "SDR SVR RCVR RQSTR CLNTCONN SVRCONN CLUSSDR CLUSRCVR"
MESSAGE: Final = "SDR SVR RCVR RQSTR CLUSSDR CLUSRCVR"
SENDING: Final = "SDR SVR CLUSSDR CLUSRCVR"
RECEIVING: Final = "RCVR RQSTR CLUSRCVR"
CALLING: Final = "SDR SVR RQSTR CLNTCONN CLUSSDR CLUSRCVR"
CLUSTER: Final = "CLUSSDR CLUSRCVR"
CLIENT: Final = "CLNTCONN SVRCONN"

TRANSPORT: Final = Choice(
    {"TCP": c.MQXPT_TCP}, refused={"LU62": TCP_ONLY, "NETBIOS": TCP_ONLY, "SPX": TCP_ONLY, "DECNET": TCP_ONLY}
)
COMPRESS_HEADER: Final = ListOf(Choice({"NONE": c.MQCOMPRESS_NONE, "SYSTEM": c.MQCOMPRESS_SYSTEM}), 2)
COMPRESS_MESSAGE: Final = ListOf(
    Choice(
        {
            "NONE": c.MQCOMPRESS_NONE,
            "RLE": c.MQCOMPRESS_RLE,
            "ZLIBFAST": c.MQCOMPRESS_ZLIBFAST,
            "ZLIBHIGH": c.MQCOMPRESS_ZLIBHIGH,
            "LZ4FAST": c.MQCOMPRESS_LZ4FAST,
            "LZ4HIGH": c.MQCOMPRESS_LZ4HIGH,
            "ANY": c.MQCOMPRESS_ANY,
        }
    ),
    16,
)
EXIT_NAMES: Final = ListOf(Text(128), 8)
EXIT_DATA: Final = ListOf(Text(32), 8)
RECONNECT: Final = Choice({"NO": c.MQRCN_NO, "YES": c.MQRCN_YES, "QMGR": c.MQRCN_Q_MGR, "DISABLED": c.MQRCN_DISABLED})
PUT_AUTHORITY: Final = Choice(
    {
        "DEF": c.MQPA_DEFAULT,
        "CTX": c.MQPA_CONTEXT,
        "ONLYMCA": c.MQPA_ONLY_MCA,
        "ALTMCA": c.MQPA_ALTERNATE_OR_MCA,
    }
)
PROPERTIES: Final = Choice(
    {"COMPAT": a.MQPROP_COMPATIBILITY, "NONE": a.MQPROP_NONE, "ALL": a.MQPROP_ALL, "V6COMPAT": a.MQPROP_V6COMPAT}
)
CHANNEL_DISPOSITION: Final = Choice(
    {"PRIVATE": a.MQCHLD_PRIVATE, "SHARED": a.MQCHLD_SHARED, "FIXSHARED": a.MQCHLD_FIXSHARED}
)
PROTECTION: Final = Choice({"PASSTHRU": c.MQSPL_PASSTHRU, "REMOVE": c.MQSPL_REMOVE, "ASPOLICY": c.MQSPL_AS_POLICY})
MCA_TYPE: Final = Choice({"PROCESS": c.MQMCAT_PROCESS, "THREAD": c.MQMCAT_THREAD})
CLIENT_AUTHENTICATION: Final = Choice({"REQUIRED": c.MQSCA_REQUIRED, "OPTIONAL": c.MQSCA_OPTIONAL})
AUTHENTICATED: Final = "SVR RCVR RQSTR SVRCONN CLUSRCVR"
CERTIFIED: Final = "SDR SVR RCVR RQSTR CLNTCONN SVRCONN CLUSRCVR"
SECRET: Final = Text(12)

ROWS: Final = (
    Row(
        "AFFINITY",
        a.MQIACH_CONNECTION_AFFINITY,
        Choice({"PREFERRED": c.MQCAFTY_PREFERRED, "NONE": c.MQCAFTY_NONE}),
        "PREFERRED",
        "Whether a client process that connects again prefers the same definition.",
        types="CLNTCONN",
    ),
    ALTERATION_DATE,
    ALTERATION_TIME,
    Row(
        "BATCHHB",
        a.MQIACH_BATCH_HB,
        Number(0, 999999),
        "0",
        "Milliseconds of silence after which the partner is checked before a batch is committed.",
        types=SENDING,
        change=RESTART,
    ),
    Row(
        "BATCHINT",
        a.MQIACH_BATCH_INTERVAL,
        Number(0, MOST),
        "0",
        "Milliseconds a batch is kept open for further messages.",
        types=SENDING,
        change=RESTART,
    ),
    Row(
        "BATCHLIM",
        a.MQIACH_BATCH_DATA_LIMIT,
        Number(0, 999999),
        "5000",
        "Kilobytes after which a batch ends; 0 for no limit.",
        types=SENDING,
        change=RESTART,
    ),
    Row(
        "BATCHSZ",
        a.MQIACH_BATCH_SIZE,
        Number(1, 9999),
        "50",
        "Most messages in a batch.",
        types=MESSAGE,
        change=RESTART,
    ),
    Row(
        "CERTLABL",
        a.MQCA_CERT_LABEL,
        Text(64),
        "",
        "Label of the certificate to present.",
        types=CERTIFIED,
        change=RESTART,
    ),
    Row(
        "CLNTWGHT",
        a.MQIACH_CLIENT_CHANNEL_WEIGHT,
        Number(0, 99),
        "0",
        "Weight of the definition when a client chooses among several.",
        types="CLNTCONN",
    ),
    Row(
        "CLUSNL",
        a.MQCA_CLUSTER_NAMELIST,
        OBJECT_NAME,
        "",
        "Namelist of the clusters the channel belongs to.",
        types=CLUSTER,
    ),
    Row("CLUSTER", a.MQCA_CLUSTER_NAME, OBJECT_NAME, "", "Cluster the channel belongs to.", types=CLUSTER),
    Row(
        "CLWLPRTY",
        a.MQIACH_CLWL_CHANNEL_PRIORITY,
        Number(0, 9),
        "0",
        "Priority of the channel when a cluster destination is chosen.",
        types=CLUSTER,
    ),
    Row(
        "CLWLRANK",
        a.MQIACH_CLWL_CHANNEL_RANK,
        Number(0, 9),
        "0",
        "Rank of the channel when a cluster destination is chosen.",
        types=CLUSTER,
    ),
    Row(
        "CLWLWGHT",
        a.MQIACH_CLWL_CHANNEL_WEIGHT,
        Number(1, 99),
        "50",
        "Weight of the channel when a cluster destination is chosen.",
        types=CLUSTER,
    ),
    Row(
        "COMPHDR",
        a.MQIACH_HDR_COMPRESSION,
        COMPRESS_HEADER,
        "NONE",
        "Header compressions offered, the preferred first.",
        change=RESTART,
    ),
    Row(
        "COMPMSG",
        a.MQIACH_MSG_COMPRESSION,
        COMPRESS_MESSAGE,
        "NONE",
        "Message compressions offered, the preferred first.",
        change=RESTART,
    ),
    Row(
        "CONNAME",
        a.MQCACH_CONNECTION_NAME,
        Text(264),
        "",
        "Host and port of the partner, as host(1414); several separated by commas.",
        types=CALLING,
        change=RESTART,
    ),
    Row(
        "CONVERT",
        a.MQIACH_DATA_CONVERSION,
        Choice({"NO": c.MQCDC_NO_SENDER_CONVERSION, "YES": c.MQCDC_SENDER_CONVERSION}),
        "NO",
        "Whether the sender converts message data.",
        types=SENDING,
        change=RESTART,
    ),
    Row(
        "DEFCDISP",
        a.MQIACH_DEF_CHANNEL_DISP,
        CHANNEL_DISPOSITION,
        "PRIVATE",
        "Whether the channel is private or shared by the queue sharing group.",
        types="SDR SVR RCVR RQSTR SVRCONN",
        refused="channels belong to one queue manager",
    ),
    Row(
        "DEFRECON",
        a.MQIACH_DEF_RECONNECT,
        RECONNECT,
        "NO",
        "Whether a client reconnects by itself, unless the program says.",
        types="CLNTCONN",
    ),
    Row("DESCR", a.MQCACH_DESC, DESCRIPTION, "", "Comment on the channel."),
    Row(
        "DISCINT",
        a.MQIACH_DISC_INTERVAL,
        Number(0, 999999),
        "6000",
        "Seconds without messages after which the channel ends; 0 for never.",
        types="SDR SVR SVRCONN CLUSSDR CLUSRCVR",
        defaults={"SVRCONN": "0"},
        change=RESTART,
    ),
    Row(
        "HBINT",
        a.MQIACH_HB_INTERVAL,
        Number(0, 999999),
        "300",
        "Seconds of silence after which a heartbeat flows.",
        change=RESTART,
    ),
    Row(
        "KAINT",
        a.MQIACH_KEEP_ALIVE_INTERVAL,
        Number(0, 99999, {"AUTO": c.MQKAI_AUTO}),
        "AUTO",
        "Seconds between TCP keepalives; AUTO derives it from HBINT.",
        change=RESTART,
    ),
    Row(
        "LOCLADDR",
        a.MQCACH_LOCAL_ADDRESS,
        Text(48),
        "",
        "Local address, and ports, for outgoing connections.",
        types=CALLING,
        change=RESTART,
    ),
    Row(
        "LONGRTY",
        a.MQIACH_LONG_RETRY,
        Number(0, MOST),
        "999999999",
        "Attempts at the long interval.",
        types=SENDING,
        change=RESTART,
    ),
    Row(
        "LONGTMR",
        a.MQIACH_LONG_TIMER,
        Number(0, MOST),
        "1200",
        "Seconds between attempts once SHORTRTY is used up.",
        types=SENDING,
        change=RESTART,
    ),
    Row(
        "MAXINST",
        a.MQIACH_MAX_INSTANCES,
        Number(0, MOST),
        "999999999",
        "Most instances of the channel at a time.",
        types="SVRCONN",
    ),
    Row(
        "MAXINSTC",
        a.MQIACH_MAX_INSTS_PER_CLIENT,
        Number(0, MOST),
        "999999999",
        "Most instances of the channel from one client at a time.",
        types="SVRCONN",
    ),
    Row(
        "MAXMSGL",
        a.MQIACH_MAX_MSG_LENGTH,
        MESSAGE_LENGTH,
        "4194304",
        "Longest message in bytes; 0 for the queue manager's.",
        change=RESTART,
    ),
    Row(
        "MCANAME",
        a.MQCACH_MCA_NAME,
        Text(20),
        "",
        "Reserved.",
        types="SDR SVR RQSTR CLUSSDR CLUSRCVR",
        refused="it is reserved and always blank",
    ),
    Row(
        "MCATYPE",
        a.MQIACH_MCA_TYPE,
        MCA_TYPE,
        "PROCESS",
        "Whether the channel agent runs as a thread or a process.",
        types="SDR SVR RQSTR CLUSSDR CLUSRCVR",
        defaults={"CLUSSDR": "THREAD", "CLUSRCVR": "THREAD"},
        change=RESTART,
    ),
    Row(
        "MCAUSER",
        a.MQCACH_MCA_USER_ID,
        Text(64),
        "",
        "User whose authority the channel has; blank gives none.",
        types="SDR SVR RCVR RQSTR SVRCONN CLUSSDR CLUSRCVR",
        change=RESTART,
    ),
    Row("MODENAME", a.MQCACH_MODE_NAME, Text(8), "", "LU 6.2 mode name.", types=CALLING, refused=TCP_ONLY),
    Row(
        "MONCHL",
        a.MQIA_MONITORING_CHANNEL,
        MONITORING,
        "QMGR",
        "Level of online monitoring.",
        types="SDR SVR RCVR RQSTR SVRCONN CLUSSDR CLUSRCVR",
    ),
    Row(
        "MRDATA",
        a.MQCACH_MR_EXIT_USER_DATA,
        Text(32),
        "",
        "Data for the message-retry exit.",
        types=RECEIVING,
        refused=NO_EXITS,
    ),
    Row("MREXIT", a.MQCACH_MR_EXIT_NAME, Text(128), "", "Message-retry exit.", types=RECEIVING, refused=NO_EXITS),
    Row(
        "MRRTY",
        a.MQIACH_MR_COUNT,
        Number(0, MOST),
        "10",
        "Attempts to put a message before it is given up.",
        types=RECEIVING,
        change=RESTART,
    ),
    Row(
        "MRTMR",
        a.MQIACH_MR_INTERVAL,
        Number(0, MOST),
        "1000",
        "Milliseconds between these attempts.",
        types=RECEIVING,
        change=RESTART,
    ),
    Row(
        "MSGDATA",
        a.MQCACH_MSG_EXIT_USER_DATA,
        EXIT_DATA,
        "",
        "Data for message exits.",
        types=MESSAGE,
        refused=NO_EXITS,
    ),
    Row("MSGEXIT", a.MQCACH_MSG_EXIT_NAME, EXIT_NAMES, "", "Message exits.", types=MESSAGE, refused=NO_EXITS),
    Row(
        "NETPRTY",
        a.MQIACH_NETWORK_PRIORITY,
        Number(0, 9),
        "0",
        "Priority of the connection when there are several networks.",
        types="CLUSRCVR",
    ),
    Row(
        "NPMSPEED",
        a.MQIACH_NPM_SPEED,
        Choice({"FAST": c.MQNPMS_FAST, "NORMAL": c.MQNPMS_NORMAL}),
        "FAST",
        "Whether non-persistent messages travel outside syncpoint.",
        types=MESSAGE,
        change=RESTART,
    ),
    Row(
        "PASSWORD",
        a.MQCACH_PASSWORD,
        SECRET,
        "",
        "Password for LU 6.2.",
        types="SDR SVR RQSTR CLNTCONN CLUSSDR",
        refused=TCP_ONLY,
    ),
    Row(
        "PROPCTL",
        a.MQIA_PROPERTY_CONTROL,
        PROPERTIES,
        "COMPAT",
        "How message properties are sent to an older partner.",
        types=SENDING,
        change=RESTART,
    ),
    Row(
        "PUTAUT",
        a.MQIACH_PUT_AUTHORITY,
        PUT_AUTHORITY,
        "DEF",
        "Whose authority is used to put messages.",
        types="RCVR RQSTR SVRCONN CLUSRCVR",
        change=RESTART,
    ),
    Row(
        "QMNAME",
        a.MQCA_Q_MGR_NAME,
        OBJECT_NAME,
        "",
        "Queue manager a client connects to with this definition.",
        types="CLNTCONN",
    ),
    Row(
        "QSGDISP", a.MQIA_QSG_DISP, MANAGER_DISPOSITION, "QMGR", "Disposition in the queue sharing group.", role=DEFINE
    ),
    Row("RCVDATA", a.MQCACH_RCV_EXIT_USER_DATA, EXIT_DATA, "", "Data for receive exits.", refused=NO_EXITS),
    Row("RCVEXIT", a.MQCACH_RCV_EXIT_NAME, EXIT_NAMES, "", "Receive exits.", refused=NO_EXITS),
    Row(
        "RESETSEQ",
        a.MQIACH_RESET_REQUESTED,
        Number(0, MOST, {"NO": a.MQCHRR_RESET_NOT_REQUESTED}),
        "NO",
        "Sequence number that a pending RESET CHANNEL will set.",
        types=MESSAGE,
        role=LIVE,
    ),
    Row("SCYDATA", a.MQCACH_SEC_EXIT_USER_DATA, Text(32), "", "Data for the security exit.", refused=NO_EXITS),
    Row("SCYEXIT", a.MQCACH_SEC_EXIT_NAME, Text(128), "", "Security exit.", refused=NO_EXITS),
    Row("SENDDATA", a.MQCACH_SEND_EXIT_USER_DATA, EXIT_DATA, "", "Data for send exits.", refused=NO_EXITS),
    Row("SENDEXIT", a.MQCACH_SEND_EXIT_NAME, EXIT_NAMES, "", "Send exits.", refused=NO_EXITS),
    Row(
        "SEQWRAP",
        a.MQIACH_SEQUENCE_NUMBER_WRAP,
        Number(100, MOST),
        "999999999",
        "Sequence number after which counting starts again.",
        types=MESSAGE,
        change=RESTART,
    ),
    Row(
        "SHARECNV",
        a.MQIACH_SHARING_CONVERSATIONS,
        Number(0, MOST),
        "10",
        "Conversations that may share one socket; 0 works as before version 7.",
        types=CLIENT,
        change=RESTART,
    ),
    Row(
        "SHORTRTY",
        a.MQIACH_SHORT_RETRY,
        Number(0, MOST),
        "10",
        "Attempts at the short interval.",
        types=SENDING,
        change=RESTART,
    ),
    Row(
        "SHORTTMR",
        a.MQIACH_SHORT_TIMER,
        Number(0, MOST),
        "60",
        "Seconds between these attempts.",
        types=SENDING,
        change=RESTART,
    ),
    Row(
        "SPLPROT",
        a.MQIACH_SPL_PROTECTION,
        PROTECTION,
        "PASSTHRU",
        "What the channel does with protected messages.",
        types="SDR SVR RCVR RQSTR",
        change=RESTART,
    ),
    Row(
        "SSLCAUTH",
        a.MQIACH_SSL_CLIENT_AUTH,
        CLIENT_AUTHENTICATION,
        "REQUIRED",
        "Whether the partner must present a certificate.",
        types=AUTHENTICATED,
        change=RESTART,
    ),
    Row("SSLCIPH", a.MQCACH_SSL_CIPHER_SPEC, Text(32), "", "TLS CipherSpec; blank for none.", change=RESTART),
    Row(
        "SSLPEER",
        a.MQCACH_SSL_PEER_NAME,
        Text(1024),
        "",
        "Distinguished name the partner's certificate must match.",
        change=RESTART,
    ),
    Row("STATCHL", a.MQIA_STATISTICS_CHANNEL, MONITORING, "QMGR", "Level of statistics.", types=MESSAGE),
    Row("TPNAME", a.MQCACH_TP_NAME, Text(64), "", "LU 6.2 transaction program.", types=CALLING, refused=TCP_ONLY),
    Row("TRPTYPE", a.MQIACH_XMIT_PROTOCOL_TYPE, TRANSPORT, "TCP", "Transport.", change=RESTART),
    Row(
        "USEDLQ",
        a.MQIA_USE_DEAD_LETTER_Q,
        Choice({"YES": a.MQUSEDLQ_YES, "NO": a.MQUSEDLQ_NO}),
        "YES",
        "Whether messages that cannot be delivered go to the dead-letter queue.",
        types=MESSAGE,
        change=RESTART,
    ),
    Row(
        "USERID",
        a.MQCACH_USER_ID,
        Text(12),
        "",
        "User for LU 6.2.",
        types="SDR SVR RQSTR CLNTCONN CLUSSDR",
        refused=TCP_ONLY,
    ),
    Row("XMITQ", a.MQCACH_XMIT_Q_NAME, OBJECT_NAME, "", "Transmission queue.", types="SDR SVR", change=RESTART),
)

NAME: Final = AttributeSpec(
    "CHANNEL", a.MQCACH_CHANNEL_NAME, CHANNEL_NAME, "", "Name of the channel.", synonyms=("CHL",)
)
CHANNEL_TYPES: Final = {
    "SDR": c.MQCHT_SENDER,
    "SVR": c.MQCHT_SERVER,
    "RCVR": c.MQCHT_RECEIVER,
    "RQSTR": c.MQCHT_REQUESTER,
    "CLNTCONN": c.MQCHT_CLNTCONN,
    "SVRCONN": c.MQCHT_SVRCONN,
    "CLUSSDR": c.MQCHT_CLUSSDR,
    "CLUSRCVR": c.MQCHT_CLUSRCVR,
}
NO_SUCH_CHANNEL: Final = {"AMQP": "there are no AMQP channels", "MQTT": "there are no MQTT channels"}
HELP: Final = {
    "SDR": "Sends messages from a transmission queue; this side starts.",
    "SVR": "Sends messages from a transmission queue when the partner asks.",
    "RCVR": "Receives what a sender sends.",
    "RQSTR": "Asks a server for messages and receives them.",
    "CLNTCONN": "What a client program uses to connect.",
    "SVRCONN": "Where client programs connect.",
    "CLUSSDR": "Sends to a queue manager of a cluster.",
    "CLUSRCVR": "Receives from the queue managers of a cluster, and advertises this one.",
}

TYPES: Final = tuple(
    ObjectType(
        name,
        "CHANNEL",
        ("AMQ8414I", "Display Channel details."),
        NAME,
        ROWS,
        type_keyword="CHLTYPE",
        pcf_type=o.MQOT_CHANNEL,
        pcf_subtype=(a.MQIACH_CHANNEL_TYPE, CHANNEL_TYPES[name]),
        help_text=HELP[name],
    )
    for name in CHANNEL_TYPES
)
