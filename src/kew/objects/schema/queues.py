"""Attributes of queues: local, alias, remote and model, in the order DISPLAY QUEUE shows them."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.schema.common import (
    OBJECT_NAME,
    SHARED_KINDS,
    SHARED_REASONS,
    SHARED_ROWS,
)
from kew.objects.schema.custom import Custom
from kew.objects.schema.grid import rows
from kew.objects.schema.model import AttributeSpec, ObjectType
from kew.objects.schema.texts import Name
from kew.objects.schema.values import Choice, Flag, Number

HELD: Final = "QLOCAL QMODEL"

KINDS: Final = {
    **SHARED_KINDS,
    "clchname": Name(20, generic=True),
    "priority": Number(0, 9),
    "clwluseq": Choice({"QMGR": a.MQCLWL_USEQ_AS_Q_MGR, "ANY": a.MQCLWL_USEQ_ANY, "LOCAL": a.MQCLWL_USEQ_LOCAL}),
    "custom": Custom(),
    "defbind": Choice(
        {"OPEN": a.MQBND_BIND_ON_OPEN, "NOTFIXED": a.MQBND_BIND_NOT_FIXED, "GROUP": a.MQBND_BIND_ON_GROUP}
    ),
    "defpsist": Choice({"NO": o.MQPER_NOT_PERSISTENT, "YES": o.MQPER_PERSISTENT}),
    "defpresp": Choice({"SYNC": o.MQPRT_SYNC_RESPONSE, "ASYNC": o.MQPRT_ASYNC_RESPONSE}),
    "defreada": Choice({"NO": a.MQREADA_NO, "YES": a.MQREADA_YES, "DISABLED": a.MQREADA_DISABLED}),
    "defsopt": Choice({"SHARED": o.MQOO_INPUT_SHARED, "EXCL": o.MQOO_INPUT_EXCLUSIVE}),
    "deftype": Choice(
        {
            "PREDEFINED": a.MQQDT_PREDEFINED,
            "PERMDYN": a.MQQDT_PERMANENT_DYNAMIC,
            "TEMPDYN": a.MQQDT_TEMPORARY_DYNAMIC,
            "SHAREDYN": a.MQQDT_SHARED_DYNAMIC,
        }
    ),
    "model-type": Choice(
        {
            "TEMPDYN": a.MQQDT_TEMPORARY_DYNAMIC,
            "PERMDYN": a.MQQDT_PERMANENT_DYNAMIC,
            "SHAREDYN": a.MQQDT_SHARED_DYNAMIC,
        }
    ),
    "distl": Choice({"NO": a.MQDL_NOT_SUPPORTED, "YES": a.MQDL_SUPPORTED}),
    "get": Choice({"ENABLED": a.MQQA_GET_ALLOWED, "DISABLED": a.MQQA_GET_INHIBITED}),
    "hardenbo": Flag({"HARDENBO": a.MQQA_BACKOUT_HARDENED, "NOHARDENBO": a.MQQA_BACKOUT_NOT_HARDENED}),
    "imgrcovq": Choice({"QMGR": a.MQIMGRCOV_AS_Q_MGR, "YES": a.MQIMGRCOV_YES, "NO": a.MQIMGRCOV_NO}),
    "indxtype": Choice(
        {"NONE": a.MQIT_NONE, "MSGID": a.MQIT_MSG_ID, "CORRELID": a.MQIT_CORREL_ID, "GROUPID": a.MQIT_GROUP_ID},
        refused={"MSGTOKEN": "message tokens are assigned without an index"},
    ),
    "msgdlvsq": Choice({"PRIORITY": a.MQMDS_PRIORITY, "FIFO": a.MQMDS_FIFO}),
    "trigger": Flag({"TRIGGER": a.MQTC_ON, "NOTRIGGER": a.MQTC_OFF}),
    "npmclass": Choice({"NORMAL": a.MQNPM_CLASS_NORMAL, "HIGH": a.MQNPM_CLASS_HIGH}),
    "trace-propagation": Choice(
        {"QMGR": o.MQOTEL_PCTL_QMGR, "MANUAL": o.MQOTEL_PCTL_MANUAL, "AUTO": o.MQOTEL_PCTL_AUTO}
    ),
    "trace": Choice({"QMGR": o.MQOTEL_TRACE_QMGR, "OFF": o.MQOTEL_TRACE_OFF, "ON": o.MQOTEL_TRACE_ON}),
    "put": Choice({"ENABLED": a.MQQA_PUT_ALLOWED, "DISABLED": a.MQQA_PUT_INHIBITED}),
    "propctl": Choice(
        {
            "COMPAT": a.MQPROP_COMPATIBILITY,
            "ALL": a.MQPROP_ALL,
            "FORCE": a.MQPROP_FORCE_MQRFH2,
            "NONE": a.MQPROP_NONE,
            "V6COMPAT": a.MQPROP_V6COMPAT,
        }
    ),
    "percent": Number(0, 100),
    "qsvciev": Choice({"NONE": a.MQQSIE_NONE, "HIGH": a.MQQSIE_HIGH, "OK": a.MQQSIE_OK}),
    "scope": Choice({"QMGR": o.MQSCO_Q_MGR}, refused={"CELL": "there is no cell directory"}),
    "share": Flag({"SHARE": a.MQQA_SHAREABLE, "NOSHARE": a.MQQA_NOT_SHAREABLE}),
    "strmqos": Choice({"BESTEF": a.MQST_BEST_EFFORT, "MUSTDUP": a.MQST_MUST_DUP}),
    "trigtype": Choice({"FIRST": a.MQTT_FIRST, "EVERY": a.MQTT_EVERY, "DEPTH": a.MQTT_DEPTH, "NONE": a.MQTT_NONE}),
    "usage": Choice({"NORMAL": a.MQUS_NORMAL, "XMITQ": a.MQUS_TRANSMISSION}),
    "targtype": Choice({"QUEUE": o.MQOT_Q, "TOPIC": o.MQOT_TOPIC}),
    "clusqt": Choice(
        {
            "QLOCAL": a.MQCQT_LOCAL_Q,
            "QALIAS": a.MQCQT_ALIAS_Q,
            "QREMOTE": a.MQCQT_REMOTE_Q,
            "QMGR": a.MQCQT_Q_MGR_ALIAS,
        }
    ),
}

ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                           | kind                                       | default    | types                 | notes                        | meaning
ACCTQ    | MQIA_ACCOUNTING_Q             | on-off-qmgr                                | QMGR       | QLOCAL QMODEL         |                              | Whether accounting data is collected for the queue.
ALTDATE
ALTTIME
BOQNAME  | MQCA_BACKOUT_REQ_Q_NAME       | object-name                                |            | QLOCAL QMODEL         |                              | Queue an application should move a message to once it was backed out too often.
BOTHRESH | MQIA_BACKOUT_THRESHOLD        | count                                      | 0          | QLOCAL QMODEL         |                              | Number of backouts after which a message belongs on BOQNAME.
CAPEXPRY | MQIA_CAP_EXPIRY               | expiry-cap                                 | NOLIMIT    |                       |                              | Longest time, in tenths of a second, a message put from now on may stay before it expires.
CFSTRUCT | MQCA_CF_STRUC_NAME            | name 16                                    |            | QLOCAL QMODEL         | empty                        | Coupling facility structure that holds the messages of a shared queue.
CLUSNL   | MQCA_CLUSTER_NAMELIST         | object-name                                |            | QLOCAL QALIAS QREMOTE |                              | Namelist of the clusters the queue is advertised in.
CLUSTER  | MQCA_CLUSTER_NAME             | object-name                                |            | QLOCAL QALIAS QREMOTE |                              | Cluster the queue is advertised in.
CLCHNAME | MQCA_CLUS_CHL_NAME            | clchname                                   |            | QLOCAL                |                              | Cluster-sender channels, by generic name, that use this as their transmission queue.
CLWLPRTY | MQIA_CLWL_Q_PRIORITY          | priority                                   | 0          | QLOCAL QALIAS QREMOTE |                              | Priority of the queue when a cluster destination is chosen.
CLWLRANK | MQIA_CLWL_Q_RANK              | priority                                   | 0          | QLOCAL QALIAS QREMOTE |                              | Rank of the queue when a cluster destination is chosen.
CLWLUSEQ | MQIA_CLWL_USEQ                | clwluseq                                   | QMGR       | QLOCAL                |                              | Whether a put prefers the local queue or any instance in the cluster.
CRDATE
CRTIME
CURDEPTH | MQIA_CURRENT_Q_DEPTH          | count                                      | 0          | QLOCAL                | live                         | Number of messages on the queue now.
CUSTOM   | MQCA_CUSTOM                   | custom                                     |            |                       |                              | Named values: CAPEXPRY(6000), PROPINDX(colour) to index by a property.
DEFBIND  | MQIA_DEF_BIND                 | defbind                                    | OPEN       | QLOCAL QALIAS QREMOTE |                              | When a cluster destination is fixed, unless the program says.
DEFPRTY  | MQIA_DEF_PRIORITY             | priority                                   | 0          |                       |                              | Priority of messages put without one.
DEFPSIST | MQIA_DEF_PERSISTENCE          | defpsist                                   | NO         |                       |                              | Whether messages put without a persistence survive a restart.
DEFPRESP | MQIA_DEF_PUT_RESPONSE_TYPE    | defpresp                                   | SYNC       |                       |                              | Whether a put waits for its reply, unless the program says.
DEFREADA | MQIA_DEF_READ_AHEAD           | defreada                                   | NO         | QLOCAL QMODEL QALIAS  |                              | Whether non-persistent messages are sent to a client ahead of its gets.
DEFSOPT  | MQIA_DEF_INPUT_OPEN_OPTION    | defsopt                                    | SHARED     | QLOCAL QMODEL         | default:QMODEL=EXCL          | How the queue is opened for input, unless the program says.
DEFTYPE  | MQIA_DEFINITION_TYPE          | deftype                                    | PREDEFINED | QLOCAL                | keep                         | Whether the queue was defined or made from a model.
DEFTYPE  | MQIA_DEFINITION_TYPE          | model-type                                 | TEMPDYN    | QMODEL                |                              | Kind of queue made when a program opens the model.
DESCR    | MQCA_Q_DESC                   | description                                |            |                       |                              | Comment on the queue.
DISTL    | MQIA_DIST_LISTS               | distl                                      | NO         | QLOCAL QMODEL         |                              | Whether the partner of a transmission queue takes distribution lists; its channel sets it.
GET      | MQIA_INHIBIT_GET              | get                                        | ENABLED    | QLOCAL QMODEL QALIAS  |                              | Whether programs may get messages.
HARDENBO | MQIA_HARDEN_GET_BACKOUT       | hardenbo                                   | HARDENBO   | QLOCAL QMODEL         |                              | Whether backout counts survive a restart.
IMGRCOVQ | MQIA_MEDIA_IMAGE_RECOVER_Q    | imgrcovq                                   | QMGR       | QLOCAL QMODEL         |                              | Whether the queue can be recovered from a media image, with linear logging.
INDXTYPE | MQIA_INDEX_TYPE               | indxtype                                   | NONE       | QLOCAL QMODEL         |                              | Identifier by which messages are indexed, so that a get by it takes constant time.
INITQ    | MQCA_INITIATION_Q_NAME        | object-name                                |            | QLOCAL QMODEL         |                              | Initiation queue that trigger messages go to.
IPPROCS  | MQIA_OPEN_INPUT_COUNT         | count                                      | 0          | QLOCAL                | live                         | Number of handles open for input.
MAXDEPTH | MQIA_MAX_Q_DEPTH              | number 0..999999999                        | 5000       | QLOCAL QMODEL         |                              | Most messages the queue holds.
MAXMSGL  | MQIA_MAX_MSG_LENGTH           | message-length                             | 4194304    | QLOCAL QMODEL         |                              | Longest message in bytes.
MAXFSIZE | MQIA_MAX_Q_FILE_SIZE          | number 20..267386880 DEFAULT=MQQFS_DEFAULT | DEFAULT    | QLOCAL QMODEL         |                              | Most megabytes of storage the messages take.
MONQ     | MQIA_MONITORING_Q             | monitoring                                 | QMGR       | QLOCAL QMODEL         |                              | Level of online monitoring, which fills LGETTIME, MSGAGE and QTIME of DISPLAY QSTATUS.
MSGDLVSQ | MQIA_MSG_DELIVERY_SEQUENCE    | msgdlvsq                                   | PRIORITY   | QLOCAL QMODEL         | force                        | Order in which messages are delivered.
TRIGGER  | MQIA_TRIGGER_CONTROL          | trigger                                    | NOTRIGGER  | QLOCAL QMODEL         |                              | Whether arriving messages cause trigger messages.
NPMCLASS | MQIA_NPM_CLASS                | npmclass                                   | NORMAL     | QLOCAL QMODEL         | mq=HIGH                      | Whether non-persistent messages survive an orderly restart.
OPPROCS  | MQIA_OPEN_OUTPUT_COUNT        | count                                      | 0          | QLOCAL                | live                         | Number of handles open for output.
OTELPCTL | MQIA_OTEL_PROPAGATION_CONTROL | trace-propagation                          | QMGR       |                       | refused=no-telemetry         | How the trace context of messages is passed on.
OTELTRAC | MQIA_OTEL_TRACE               | trace                                      | QMGR       |                       | refused=no-telemetry         | Whether puts and gets are traced.
PROCESS  | MQCA_PROCESS_NAME             | object-name                                |            | QLOCAL QMODEL         |                              | Process definition named in trigger messages.
PUT      | MQIA_INHIBIT_PUT              | put                                        | ENABLED    |                       |                              | Whether programs may put messages.
PROPCTL  | MQIA_PROPERTY_CONTROL         | propctl                                    | COMPAT     | QLOCAL QMODEL QALIAS  |                              | How message properties are given to a program that uses no message handle.
PSID     | MQIA_PAGESET_ID               | number 0..99                               | 0          | QLOCAL                | live                         | Page set that holds the messages.
QDEPTHHI | MQIA_Q_DEPTH_HIGH_LIMIT       | percent                                    | 80         | QLOCAL QMODEL         |                              | Percentage of MAXDEPTH at which the queue counts as deep.
QDEPTHLO | MQIA_Q_DEPTH_LOW_LIMIT        | percent                                    | 20         | QLOCAL QMODEL         |                              | Percentage of MAXDEPTH at which the queue counts as shallow again.
QDPHIEV  | MQIA_Q_DEPTH_HIGH_EVENT       | event                                      | DISABLED   | QLOCAL QMODEL         |                              | Whether reaching QDEPTHHI causes an event.
QDPLOEV  | MQIA_Q_DEPTH_LOW_EVENT        | event                                      | DISABLED   | QLOCAL QMODEL         |                              | Whether falling to QDEPTHLO causes an event.
QDPMAXEV | MQIA_Q_DEPTH_MAX_EVENT        | event                                      | ENABLED    | QLOCAL QMODEL         |                              | Whether a full queue causes an event.
QSGDISP  | MQIA_QSG_DISP                 | disposition                                | QMGR       |                       | define                       | Whether the queue is private or shared by the queue sharing group.
QSVCIEV  | MQIA_Q_SERVICE_INTERVAL_EVENT | qsvciev                                    | NONE       | QLOCAL QMODEL         |                              | Which service interval events are made.
QSVCINT  | MQIA_Q_SERVICE_INTERVAL       | number 0..999999999                        | 999999999  | QLOCAL QMODEL         |                              | Milliseconds within which a get should follow.
RETINTVL | MQIA_RETENTION_INTERVAL       | number 0..999999999                        | 999999999  | QLOCAL QMODEL         |                              | Hours for which the queue is needed; kept for housekeeping programs.
SCOPE    | MQIA_SCOPE                    | scope                                      | QMGR       | QLOCAL QALIAS QREMOTE |                              | Scope of the definition.
SHARE    | MQIA_SHAREABILITY             | share                                      | SHARE      | QLOCAL QMODEL         | default:QMODEL=NOSHARE force | Whether several programs may have the queue open for input.
STATQ    | MQIA_STATISTICS_Q             | on-off-qmgr                                | QMGR       | QLOCAL QMODEL         |                              | Whether queue statistics are collected.
STGCLASS | MQCA_STORAGE_CLASS            | name 8                                     | DEFAULT    | QLOCAL QMODEL         | empty                        | Storage class, which says which page set holds the messages.
STREAMQ  | MQCA_STREAM_QUEUE_NAME        | object-name                                |            | QLOCAL QMODEL         |                              | Queue, or alias of a topic, that gets a copy of each message put from now on.
STRMQOS  | MQIA_STREAM_QUEUE_QOS         | strmqos                                    | BESTEF     | QLOCAL QMODEL         |                              | Whether a put still succeeds when its copy cannot be made.
TRIGDATA | MQCA_TRIGGER_DATA             | text 64                                    |            | QLOCAL QMODEL         |                              | Text passed in trigger messages.
TRIGDPTH | MQIA_TRIGGER_DEPTH            | number 1..999999999                        | 1          | QLOCAL QMODEL         |                              | Number of messages that causes a trigger of type DEPTH.
TRIGMPRI | MQIA_TRIGGER_MSG_PRIORITY     | priority                                   | 0          | QLOCAL QMODEL         |                              | Lowest priority that counts for triggering.
TRIGTYPE | MQIA_TRIGGER_TYPE             | trigtype                                   | FIRST      | QLOCAL QMODEL         |                              | Condition for a trigger message.
USAGE    | MQIA_USAGE                    | usage                                      | NORMAL     | QLOCAL QMODEL         | empty                        | Whether this is a transmission queue.
RNAME    | MQCA_REMOTE_Q_NAME            | object-name                                |            | QREMOTE               | force                        | Name of the queue on the other queue manager.
RQMNAME  | MQCA_REMOTE_Q_MGR_NAME        | object-name                                |            | QREMOTE               | force                        | Queue manager the queue is on.
XMITQ    | MQCA_XMIT_Q_NAME              | object-name                                |            | QREMOTE               | force                        | Transmission queue to it; blank for one named RQMNAME.
TARGET   | MQCA_BASE_OBJECT_NAME         | object-name                                |            | QALIAS                | synonym=TARGQ force          | Queue or topic object the alias stands for.
TARGTYPE | MQIA_BASE_TYPE                | targtype                                   | QUEUE      | QALIAS                | force                        | Whether the alias stands for a queue or a topic.
CLUSDATE | MQCA_CLUSTER_DATE             | date                                       |            | QLOCAL QALIAS QREMOTE | live group=CLUSINFO          | Date the definition reached this queue manager from the cluster.
CLUSQMGR | MQCA_CLUSTER_Q_MGR_NAME       | object-name                                |            | QLOCAL QALIAS QREMOTE | live group=CLUSINFO          | Queue manager that hosts the cluster queue.
CLUSQT   | MQIA_CLUSTER_Q_TYPE           | clusqt                                     | QLOCAL     | QLOCAL QALIAS QREMOTE | live group=CLUSINFO          | Type of the queue on its host.
CLUSTIME | MQCA_CLUSTER_TIME             | time                                       |            | QLOCAL QALIAS QREMOTE | live group=CLUSINFO          | Time the definition reached this queue manager from the cluster.
QMID     | MQCA_Q_MGR_IDENTIFIER         | text 48                                    |            | QLOCAL QALIAS QREMOTE | live group=CLUSINFO          | Identifier of the queue manager that hosts the cluster queue.
""",
    reasons=SHARED_REASONS,
    shared=SHARED_ROWS,
)

NAME: Final = AttributeSpec("QUEUE", a.MQCA_Q_NAME, OBJECT_NAME, "", "Name of the queue.", synonyms=("Q",))

TITLE: Final = ("AMQ8409I", "Display Queue details.")


def _queue(name: str, short: str, queue_type: int, object_type: int, help_text: str) -> ObjectType:
    return ObjectType(
        name,
        "QUEUE",
        TITLE,
        NAME,
        ROWS,
        synonyms=(short,),
        type_keyword="TYPE",
        pcf_type=object_type,
        pcf_subtype=(a.MQIA_Q_TYPE, queue_type),
        help_text=help_text,
    )


TYPES: Final = (
    _queue("QLOCAL", "QL", a.MQQT_LOCAL, o.MQOT_LOCAL_Q, "A queue that this queue manager holds."),
    _queue("QALIAS", "QA", a.MQQT_ALIAS, o.MQOT_ALIAS_Q, "Another name for a queue or a topic."),
    _queue("QREMOTE", "QR", a.MQQT_REMOTE, o.MQOT_REMOTE_Q, "A local name for a queue of another queue manager."),
    _queue("QMODEL", "QM", a.MQQT_MODEL, o.MQOT_MODEL_Q, "The pattern from which dynamic queues are made."),
)
