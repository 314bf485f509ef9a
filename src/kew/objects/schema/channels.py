"""Attributes of channels of every type, in the order DISPLAY CHANNEL shows them."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import channels as c
from kew.codes import options as o
from kew.objects.schema.common import (
    CHANNEL_NAME,
    SHARED_KINDS,
    SHARED_REASONS,
    SHARED_ROWS,
    TCP_ONLY,
)
from kew.objects.schema.grid import rows
from kew.objects.schema.model import AttributeSpec, ObjectType
from kew.objects.schema.texts import Text
from kew.objects.schema.values import Choice, ListOf

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
AUTHENTICATED: Final = "SVR RCVR RQSTR SVRCONN CLUSRCVR"
CERTIFIED: Final = "SDR SVR RCVR RQSTR CLNTCONN SVRCONN CLUSRCVR"

KINDS: Final = {
    **SHARED_KINDS,
    "affinity": Choice({"PREFERRED": c.MQCAFTY_PREFERRED, "NONE": c.MQCAFTY_NONE}),
    "compress-header": COMPRESS_HEADER,
    "compress-message": COMPRESS_MESSAGE,
    "convert": Choice({"NO": c.MQCDC_NO_SENDER_CONVERSION, "YES": c.MQCDC_SENDER_CONVERSION}),
    "channel-disposition": Choice(
        {"PRIVATE": a.MQCHLD_PRIVATE, "SHARED": a.MQCHLD_SHARED, "FIXSHARED": a.MQCHLD_FIXSHARED}
    ),
    "reconnect": Choice({"NO": c.MQRCN_NO, "YES": c.MQRCN_YES, "QMGR": c.MQRCN_Q_MGR, "DISABLED": c.MQRCN_DISABLED}),
    "mca-type": Choice({"PROCESS": c.MQMCAT_PROCESS, "THREAD": c.MQMCAT_THREAD}),
    "exit-data": ListOf(Text(32), 8),
    "exit-names": ListOf(Text(128), 8),
    "npmspeed": Choice({"FAST": c.MQNPMS_FAST, "NORMAL": c.MQNPMS_NORMAL}),
    "secret": Text(12),
    "properties": Choice(
        {"COMPAT": a.MQPROP_COMPATIBILITY, "NONE": a.MQPROP_NONE, "ALL": a.MQPROP_ALL, "V6COMPAT": a.MQPROP_V6COMPAT}
    ),
    "put-authority": Choice(
        {
            "DEF": c.MQPA_DEFAULT,
            "CTX": c.MQPA_CONTEXT,
            "ONLYMCA": c.MQPA_ONLY_MCA,
            "ALTMCA": c.MQPA_ALTERNATE_OR_MCA,
        }
    ),
    "protection": Choice({"PASSTHRU": c.MQSPL_PASSTHRU, "REMOVE": c.MQSPL_REMOVE, "ASPOLICY": c.MQSPL_AS_POLICY}),
    "client-authentication": Choice({"REQUIRED": c.MQSCA_REQUIRED, "OPTIONAL": c.MQSCA_OPTIONAL}),
    "transport": TRANSPORT,
    "usedlq": Choice({"YES": a.MQUSEDLQ_YES, "NO": a.MQUSEDLQ_NO}),
}
REASONS: Final = {
    **SHARED_REASONS,
    "defcdisp": "channels belong to one queue manager",
    "mcaname": "it is reserved and always blank",
}

ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                          | kind                                              | default   | types                                        | notes                                                  | meaning
AFFINITY | MQIACH_CONNECTION_AFFINITY   | affinity                                          | PREFERRED | CLNTCONN                                     |                                                        | Whether a client process that connects again prefers the same definition.
ALTDATE
ALTTIME
BATCHHB  | MQIACH_BATCH_HB              | number 0..999999                                  | 0         | SDR SVR CLUSSDR CLUSRCVR                     | restart                                                | Milliseconds of silence after which the partner is checked before a batch is committed.
BATCHINT | MQIACH_BATCH_INTERVAL        | number 0..999999999                               | 0         | SDR SVR CLUSSDR CLUSRCVR                     | restart                                                | Milliseconds a batch is kept open for further messages.
BATCHLIM | MQIACH_BATCH_DATA_LIMIT      | number 0..999999                                  | 5000      | SDR SVR CLUSSDR CLUSRCVR                     | restart                                                | Kilobytes after which a batch ends; 0 for no limit.
BATCHSZ  | MQIACH_BATCH_SIZE            | number 1..9999                                    | 50        | SDR SVR RCVR RQSTR CLUSSDR CLUSRCVR          | restart                                                | Most messages in a batch.
CERTLABL | MQCA_CERT_LABEL              | text 64                                           |           | SDR SVR RCVR RQSTR CLNTCONN SVRCONN CLUSRCVR | restart                                                | Label of the certificate to present.
CLNTWGHT | MQIACH_CLIENT_CHANNEL_WEIGHT | number 0..99                                      | 0         | CLNTCONN                                     |                                                        | Weight of the definition when a client chooses among several.
CLUSNL   | MQCA_CLUSTER_NAMELIST        | object-name                                       |           | CLUSSDR CLUSRCVR                             |                                                        | Namelist of the clusters the channel belongs to.
CLUSTER  | MQCA_CLUSTER_NAME            | object-name                                       |           | CLUSSDR CLUSRCVR                             |                                                        | Cluster the channel belongs to.
CLWLPRTY | MQIACH_CLWL_CHANNEL_PRIORITY | number 0..9                                       | 0         | CLUSSDR CLUSRCVR                             |                                                        | Priority of the channel when a cluster destination is chosen.
CLWLRANK | MQIACH_CLWL_CHANNEL_RANK     | number 0..9                                       | 0         | CLUSSDR CLUSRCVR                             |                                                        | Rank of the channel when a cluster destination is chosen.
CLWLWGHT | MQIACH_CLWL_CHANNEL_WEIGHT   | number 1..99                                      | 50        | CLUSSDR CLUSRCVR                             |                                                        | Weight of the channel when a cluster destination is chosen.
COMPHDR  | MQIACH_HDR_COMPRESSION       | compress-header                                   | NONE      |                                              | restart                                                | Header compressions offered, the preferred first.
COMPMSG  | MQIACH_MSG_COMPRESSION       | compress-message                                  | NONE      |                                              | restart                                                | Message compressions offered, the preferred first.
CONNAME  | MQCACH_CONNECTION_NAME       | text 264                                          |           | SDR SVR RQSTR CLNTCONN CLUSSDR CLUSRCVR      | restart                                                | Host and port of the partner, as host(1414); several separated by commas.
CONVERT  | MQIACH_DATA_CONVERSION       | convert                                           | NO        | SDR SVR CLUSSDR CLUSRCVR                     | restart                                                | Whether the sender converts message data.
DEFCDISP | MQIACH_DEF_CHANNEL_DISP      | channel-disposition                               | PRIVATE   | SDR SVR RCVR RQSTR SVRCONN                   | refused=defcdisp                                       | Whether the channel is private or shared by the queue sharing group.
DEFRECON | MQIACH_DEF_RECONNECT         | reconnect                                         | NO        | CLNTCONN                                     |                                                        | Whether a client reconnects by itself, unless the program says.
DESCR    | MQCACH_DESC                  | description                                       |           |                                              |                                                        | Comment on the channel.
DISCINT  | MQIACH_DISC_INTERVAL         | number 0..999999                                  | 6000      | SDR SVR SVRCONN CLUSSDR CLUSRCVR             | default:SVRCONN=0 restart                              | Seconds without messages after which the channel ends; 0 for never.
HBINT    | MQIACH_HB_INTERVAL           | number 0..999999                                  | 300       |                                              | restart                                                | Seconds of silence after which a heartbeat flows.
KAINT    | MQIACH_KEEP_ALIVE_INTERVAL   | number 0..99999 AUTO=MQKAI_AUTO                   | AUTO      |                                              | restart                                                | Seconds between TCP keepalives; AUTO derives it from HBINT.
LOCLADDR | MQCACH_LOCAL_ADDRESS         | text 48                                           |           | SDR SVR RQSTR CLNTCONN CLUSSDR CLUSRCVR      | restart                                                | Local address, and ports, for outgoing connections.
LONGRTY  | MQIACH_LONG_RETRY            | number 0..999999999                               | 999999999 | SDR SVR CLUSSDR CLUSRCVR                     | restart                                                | Attempts at the long interval.
LONGTMR  | MQIACH_LONG_TIMER            | number 0..999999999                               | 1200      | SDR SVR CLUSSDR CLUSRCVR                     | restart                                                | Seconds between attempts once SHORTRTY is used up.
MAXINST  | MQIACH_MAX_INSTANCES         | number 0..999999999                               | 999999999 | SVRCONN                                      |                                                        | Most instances of the channel at a time.
MAXINSTC | MQIACH_MAX_INSTS_PER_CLIENT  | number 0..999999999                               | 999999999 | SVRCONN                                      |                                                        | Most instances of the channel from one client at a time.
MAXMSGL  | MQIACH_MAX_MSG_LENGTH        | message-length                                    | 4194304   |                                              | restart                                                | Longest message in bytes; 0 for the queue manager's.
MCANAME  | MQCACH_MCA_NAME              | text 20                                           |           | SDR SVR RQSTR CLUSSDR CLUSRCVR               | refused=mcaname                                        | Reserved.
MCATYPE  | MQIACH_MCA_TYPE              | mca-type                                          | PROCESS   | SDR SVR RQSTR CLUSSDR CLUSRCVR               | default:CLUSSDR=THREAD default:CLUSRCVR=THREAD restart | Whether the channel agent runs as a thread or a process.
MCAUSER  | MQCACH_MCA_USER_ID           | text 64                                           |           | SDR SVR RCVR RQSTR SVRCONN CLUSSDR CLUSRCVR  | restart                                                | User whose authority the channel has; blank gives none.
MODENAME | MQCACH_MODE_NAME             | text 8                                            |           | SDR SVR RQSTR CLNTCONN CLUSSDR CLUSRCVR      | refused=tcp-only                                       | LU 6.2 mode name.
MONCHL   | MQIA_MONITORING_CHANNEL      | monitoring                                        | QMGR      | SDR SVR RCVR RQSTR SVRCONN CLUSSDR CLUSRCVR  |                                                        | Level of online monitoring.
MRDATA   | MQCACH_MR_EXIT_USER_DATA     | text 32                                           |           | RCVR RQSTR CLUSRCVR                          | refused=no-exits                                       | Data for the message-retry exit.
MREXIT   | MQCACH_MR_EXIT_NAME          | text 128                                          |           | RCVR RQSTR CLUSRCVR                          | refused=no-exits                                       | Message-retry exit.
MRRTY    | MQIACH_MR_COUNT              | number 0..999999999                               | 10        | RCVR RQSTR CLUSRCVR                          | restart                                                | Attempts to put a message before it is given up.
MRTMR    | MQIACH_MR_INTERVAL           | number 0..999999999                               | 1000      | RCVR RQSTR CLUSRCVR                          | restart                                                | Milliseconds between these attempts.
MSGDATA  | MQCACH_MSG_EXIT_USER_DATA    | exit-data                                         |           | SDR SVR RCVR RQSTR CLUSSDR CLUSRCVR          | refused=no-exits                                       | Data for message exits.
MSGEXIT  | MQCACH_MSG_EXIT_NAME         | exit-names                                        |           | SDR SVR RCVR RQSTR CLUSSDR CLUSRCVR          | refused=no-exits                                       | Message exits.
NETPRTY  | MQIACH_NETWORK_PRIORITY      | number 0..9                                       | 0         | CLUSRCVR                                     |                                                        | Priority of the connection when there are several networks.
NPMSPEED | MQIACH_NPM_SPEED             | npmspeed                                          | FAST      | SDR SVR RCVR RQSTR CLUSSDR CLUSRCVR          | restart                                                | Whether non-persistent messages travel outside syncpoint.
PASSWORD | MQCACH_PASSWORD              | secret                                            |           | SDR SVR RQSTR CLNTCONN CLUSSDR               | refused=tcp-only                                       | Password for LU 6.2.
PROPCTL  | MQIA_PROPERTY_CONTROL        | properties                                        | COMPAT    | SDR SVR CLUSSDR CLUSRCVR                     | restart                                                | How message properties are sent to an older partner.
PUTAUT   | MQIACH_PUT_AUTHORITY         | put-authority                                     | DEF       | RCVR RQSTR SVRCONN CLUSRCVR                  | restart                                                | User whose authority is used to put messages.
QMNAME   | MQCA_Q_MGR_NAME              | object-name                                       |           | CLNTCONN                                     |                                                        | Queue manager a client connects to with this definition.
QSGDISP  | MQIA_QSG_DISP                | manager-disposition                               | QMGR      |                                              | define                                                 | Disposition in the queue sharing group.
RCVDATA  | MQCACH_RCV_EXIT_USER_DATA    | exit-data                                         |           |                                              | refused=no-exits                                       | Data for receive exits.
RCVEXIT  | MQCACH_RCV_EXIT_NAME         | exit-names                                        |           |                                              | refused=no-exits                                       | Receive exits.
RESETSEQ | MQIACH_RESET_REQUESTED       | number 0..999999999 NO=MQCHRR_RESET_NOT_REQUESTED | NO        | SDR SVR RCVR RQSTR CLUSSDR CLUSRCVR          | live                                                   | Sequence number that a pending RESET CHANNEL will set.
SCYDATA  | MQCACH_SEC_EXIT_USER_DATA    | text 32                                           |           |                                              | refused=no-exits                                       | Data for the security exit.
SCYEXIT  | MQCACH_SEC_EXIT_NAME         | text 128                                          |           |                                              | refused=no-exits                                       | Security exit.
SENDDATA | MQCACH_SEND_EXIT_USER_DATA   | exit-data                                         |           |                                              | refused=no-exits                                       | Data for send exits.
SENDEXIT | MQCACH_SEND_EXIT_NAME        | exit-names                                        |           |                                              | refused=no-exits                                       | Send exits.
SEQWRAP  | MQIACH_SEQUENCE_NUMBER_WRAP  | number 100..999999999                             | 999999999 | SDR SVR RCVR RQSTR CLUSSDR CLUSRCVR          | restart                                                | Sequence number after which counting starts again.
SHARECNV | MQIACH_SHARING_CONVERSATIONS | number 0..999999999                               | 10        | CLNTCONN SVRCONN                             | restart                                                | Conversations that may share one socket; 0 works as before version 7.
SHORTRTY | MQIACH_SHORT_RETRY           | number 0..999999999                               | 10        | SDR SVR CLUSSDR CLUSRCVR                     | restart                                                | Attempts at the short interval.
SHORTTMR | MQIACH_SHORT_TIMER           | number 0..999999999                               | 60        | SDR SVR CLUSSDR CLUSRCVR                     | restart                                                | Seconds between these attempts.
SPLPROT  | MQIACH_SPL_PROTECTION        | protection                                        | PASSTHRU  | SDR SVR RCVR RQSTR                           | restart                                                | Treatment of protected messages by the channel.
SSLCAUTH | MQIACH_SSL_CLIENT_AUTH       | client-authentication                             | REQUIRED  | SVR RCVR RQSTR SVRCONN CLUSRCVR              | restart                                                | Whether the partner must present a certificate.
SSLCIPH  | MQCACH_SSL_CIPHER_SPEC       | text 32                                           |           |                                              | restart                                                | TLS CipherSpec; blank for none.
SSLPEER  | MQCACH_SSL_PEER_NAME         | text 1024                                         |           |                                              | restart                                                | Distinguished name the partner's certificate must match.
STATCHL  | MQIA_STATISTICS_CHANNEL      | monitoring                                        | QMGR      | SDR SVR RCVR RQSTR CLUSSDR CLUSRCVR          |                                                        | Level of statistics.
TPNAME   | MQCACH_TP_NAME               | text 64                                           |           | SDR SVR RQSTR CLNTCONN CLUSSDR CLUSRCVR      | refused=tcp-only                                       | LU 6.2 transaction program.
TRPTYPE  | MQIACH_XMIT_PROTOCOL_TYPE    | transport                                         | TCP       |                                              | restart                                                | Transport.
USEDLQ   | MQIA_USE_DEAD_LETTER_Q       | usedlq                                            | YES       | SDR SVR RCVR RQSTR CLUSSDR CLUSRCVR          | restart                                                | Whether messages that cannot be delivered go to the dead-letter queue.
USERID   | MQCACH_USER_ID               | text 12                                           |           | SDR SVR RQSTR CLNTCONN CLUSSDR               | refused=tcp-only                                       | User for LU 6.2.
XMITQ    | MQCACH_XMIT_Q_NAME           | object-name                                       |           | SDR SVR                                      | restart                                                | Transmission queue.
""",
    reasons=REASONS,
    shared=SHARED_ROWS,
)

AMQP_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                       | kind                            | default                    | types | notes   | meaning
ALTDATE
ALTTIME
CERTLABL | MQCA_CERT_LABEL           | text 64                         |                            |       | restart | Label of the certificate that the channel presents.
DESCR    | MQCACH_DESC               | description                     |                            |       |         | Comment on the channel.
AMQPKA   | MQIACH_AMQP_KEEP_ALIVE    | number 0..99999 AUTO=MQKAI_AUTO | AUTO                       |       | restart | Milliseconds without traffic after which a client is gone.
LOCLADDR | MQCACH_LOCAL_ADDRESS      | text 48                         |                            |       | restart | Local address to listen on.
MAXINST  | MQIACH_MAX_INSTANCES      | number 0..999999999             | 999999999                  |       | restart | Most clients at a time.
MAXMSGL  | MQIACH_MAX_MSG_LENGTH     | message-length                  | 4194304                    |       | restart | Longest message.
MCAUSER  | MQCACH_MCA_USER_ID        | text 64                         |                            |       | restart | User whose authority the channel has.
PORT     | MQIACH_PORT_NUMBER        | number 0..65535                 | 5672                       |       | restart | Port to listen on.
SSLCAUTH | MQIACH_SSL_CLIENT_AUTH    | client-authentication           | REQUIRED                   |       | restart | Whether the client must have a certificate.
SSLCIPH  | MQCACH_SSL_CIPHER_SPEC    | text 32                         |                            |       | restart | CipherSpec; blank for no TLS.
SSLPEER  | MQCACH_SSL_PEER_NAME      | text 1024                       |                            |       | restart | Pattern of the subject of the client's certificate.
TPROOT   | MQCACH_TOPIC_ROOT         | object-name                     | SYSTEM.BASE.TOPIC          |       | restart | Topic object below which clients publish and subscribe.
TMPMODEL | MQCACH_TEMPORARY_MODEL_Q  | object-name                     | SYSTEM.DEFAULT.MODEL.QUEUE |       | restart | Model of temporary queues.
TMPQPRFX | MQCACH_TEMPORARY_Q_PREFIX | text 32                         | AMQP.*                     |       | restart | How the names of temporary queues begin.
USECLTID | MQIACH_USE_CLIENT_ID      | yes-no                          | NO                         |       | restart | Whether the identifier of a client is its user.
""",
    reasons=REASONS,
    shared=SHARED_ROWS,
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
    "AMQP": c.MQCHT_AMQP,
}

NO_SUCH_CHANNEL: Final = {"MQTT": "there are no MQTT channels"}

HELP: Final = {
    "SDR": "Sends messages from a transmission queue; this side starts.",
    "SVR": "Sends messages from a transmission queue when the partner asks.",
    "RCVR": "Receives what a sender sends.",
    "RQSTR": "Asks a server for messages and receives them.",
    "CLNTCONN": "A definition with which client programs connect.",
    "SVRCONN": "Takes the connections of client programs.",
    "CLUSSDR": "Sends to a queue manager of a cluster.",
    "CLUSRCVR": "Receives from the queue managers of a cluster, and advertises this one.",
    "AMQP": "Where AMQP programs connect; a definition only, since AMQP channels do not run.",
}

TYPES: Final = tuple(
    ObjectType(
        name,
        "CHANNEL",
        ("AMQ8414I", "Display Channel details."),
        NAME,
        AMQP_ROWS if name == "AMQP" else ROWS,
        type_keyword="CHLTYPE",
        pcf_type=o.MQOT_CHANNEL,
        pcf_subtype=(a.MQIACH_CHANNEL_TYPE, CHANNEL_TYPES[name]),
        help_text=HELP[name],
    )
    for name in CHANNEL_TYPES
)
