"""The objects of a new queue manager, and those that developers get with --dev, as data.

Values are written as in MQSC; attributes that a row does not have take the defaults of the type.
"""

from typing import Final

from kew.objects.definition import Definition

Rows = tuple[tuple[str, str, dict[str, str]], ...]

EVENT_QUEUE: Final = {"MAXDEPTH": "5000"}
REPLY_MODEL: Final = {"DEFTYPE": "TEMPDYN", "SHARE": "NOSHARE"}
PERSISTENT: Final = {"DEFPSIST": "YES", "MAXDEPTH": "999999999"}
BASE_TOPIC: Final = {
    "DESCR": "Root of the topic tree",
    "TOPICSTR": "",
    "CAPEXPRY": "NOLIMIT",
    "DEFPRTY": "0",
    "DEFPSIST": "NO",
    "DEFPRESP": "SYNC",
    "DURSUB": "YES",
    "MCAST": "DISABLED",
    "MDURMDL": "SYSTEM.DURABLE.MODEL.QUEUE",
    "MNDURMDL": "SYSTEM.NDURABLE.MODEL.QUEUE",
    "NPMSGDLV": "ALLAVAIL",
    "PMSGDLV": "ALLDUR",
    "PUB": "ENABLED",
    "PUBSCOPE": "ALL",
    "SUB": "ENABLED",
    "SUBSCOPE": "ALL",
    "USEDLQ": "YES",
}

STORAGE: Final[Rows] = (
    ("BUFFPOOL", "0", {"BUFFERS": "5000"}),
    ("BUFFPOOL", "1", {"BUFFERS": "50000"}),
    ("PSID", "0", {"BUFFPOOL": "0"}),
    ("PSID", "1", {"BUFFPOOL": "1", "EXPAND": "SYSTEM"}),
    ("STGCLASS", "DEFAULT", {"PSID": "1", "DESCR": "Messages of queues that name no other class"}),
    ("STGCLASS", "NODEFINE", {"PSID": "1", "DESCR": "Messages of queues whose class is missing"}),
    ("STGCLASS", "REMOTE", {"PSID": "1", "DESCR": "Messages for other queue managers"}),
    ("STGCLASS", "SYSTEM", {"PSID": "1", "DESCR": "Messages of the queue manager's own queues"}),
    ("STGCLASS", "SYSTEMST", {"PSID": "1"}),
)

QUEUES: Final[Rows] = (
    ("QALIAS", "SYSTEM.DEFAULT.ALIAS.QUEUE", {}),
    ("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE", {}),
    ("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE", {}),
    ("QREMOTE", "SYSTEM.DEFAULT.REMOTE.QUEUE", {}),
    ("QLOCAL", "SYSTEM.ADMIN.ACCOUNTING.QUEUE", {"MAXDEPTH": "3000", "DESCR": "Accounting messages"}),
    ("QLOCAL", "SYSTEM.ADMIN.ACTIVITY.QUEUE", {"DESCR": "Activity reports"}),
    ("QLOCAL", "SYSTEM.ADMIN.CHANNEL.EVENT", {**EVENT_QUEUE, "DESCR": "Channel events"}),
    ("QLOCAL", "SYSTEM.ADMIN.COMMAND.EVENT", {**EVENT_QUEUE, "DESCR": "Command events"}),
    (
        "QLOCAL",
        "SYSTEM.ADMIN.COMMAND.QUEUE",
        {"MAXDEPTH": "3000", "MAXMSGL": "104857600", "DESCR": "Commands for the command server"},
    ),
    ("QLOCAL", "SYSTEM.ADMIN.CONFIG.EVENT", {**EVENT_QUEUE, "DESCR": "Configuration events"}),
    ("QLOCAL", "SYSTEM.ADMIN.LOGGER.EVENT", {**EVENT_QUEUE, "DESCR": "Logger events"}),
    ("QLOCAL", "SYSTEM.ADMIN.PERFM.EVENT", {**EVENT_QUEUE, "DESCR": "Performance events"}),
    ("QLOCAL", "SYSTEM.ADMIN.PUBSUB.EVENT", {**EVENT_QUEUE, "DESCR": "Publish/subscribe events"}),
    ("QLOCAL", "SYSTEM.ADMIN.QMGR.EVENT", {**EVENT_QUEUE, "DESCR": "Queue manager events"}),
    ("QLOCAL", "SYSTEM.ADMIN.STATISTICS.QUEUE", {"MAXDEPTH": "3000", "DESCR": "Statistics messages"}),
    ("QLOCAL", "SYSTEM.ADMIN.TRACE.ACTIVITY.QUEUE", {"MAXDEPTH": "3000", "DESCR": "Activity trace messages"}),
    ("QLOCAL", "SYSTEM.ADMIN.TRACE.ROUTE.QUEUE", {"DESCR": "Trace-route replies"}),
    ("QLOCAL", "SYSTEM.AUTH.DATA.QUEUE", {**PERSISTENT, "DESCR": "Authority records"}),
    ("QLOCAL", "SYSTEM.BROKER.ADMIN.STREAM", {"DESCR": "Stream of the queued publish/subscribe interface"}),
    ("QLOCAL", "SYSTEM.BROKER.CONTROL.QUEUE", {"DESCR": "Requests to the queued publish/subscribe interface"}),
    ("QLOCAL", "SYSTEM.BROKER.DEFAULT.STREAM", {"DESCR": "Stream of the queued publish/subscribe interface"}),
    ("QLOCAL", "SYSTEM.BROKER.INTER.BROKER.COMMUNICATIONS", {"DESCR": "Messages between publish/subscribe engines"}),
    ("QLOCAL", "SYSTEM.CHANNEL.INITQ", {"DESCR": "Requests to start channels"}),
    (
        "QLOCAL",
        "SYSTEM.CHANNEL.SYNCQ",
        {**PERSISTENT, "INDXTYPE": "MSGID", "DESCR": "Where channels keep their sequence numbers"},
    ),
    ("QLOCAL", "SYSTEM.CHLAUTH.DATA.QUEUE", {**PERSISTENT, "DESCR": "Channel authentication records"}),
    ("QLOCAL", "SYSTEM.CICS.INITIATION.QUEUE", {"DESCR": "Trigger messages for CICS"}),
    (
        "QLOCAL",
        "SYSTEM.CLUSTER.COMMAND.QUEUE",
        {**PERSISTENT, "MAXMSGL": "104857600", "DESCR": "Messages between cluster repositories"},
    ),
    (
        "QLOCAL",
        "SYSTEM.CLUSTER.HISTORY.QUEUE",
        {**PERSISTENT, "DESCR": "Former information about clusters, before a refresh"},
    ),
    ("QLOCAL", "SYSTEM.CLUSTER.REPOSITORY.QUEUE", {**PERSISTENT, "DESCR": "Information about clusters"}),
    (
        "QLOCAL",
        "SYSTEM.CLUSTER.TRANSMIT.QUEUE",
        {
            "USAGE": "XMITQ",
            "INDXTYPE": "CORRELID",
            "MAXDEPTH": "999999999",
            "MAXMSGL": "104857600",
            "DEFBIND": "NOTFIXED",
            "DESCR": "Messages for queue managers of clusters",
        },
    ),
    (
        "QMODEL",
        "SYSTEM.CLUSTER.TRANSMIT.MODEL.QUEUE",
        {
            "DEFTYPE": "PERMDYN",
            "USAGE": "XMITQ",
            "INDXTYPE": "CORRELID",
            "MAXDEPTH": "999999999",
            "MAXMSGL": "104857600",
            "SHARE": "SHARE",
            "DESCR": "Pattern for transmission queues of cluster-sender channels",
        },
    ),
    ("QLOCAL", "SYSTEM.COMMAND.INPUT", {"MAXDEPTH": "3000", "DESCR": "MQSC commands as messages"}),
    ("QMODEL", "SYSTEM.COMMAND.REPLY.MODEL", {**REPLY_MODEL, "DESCR": "Pattern for command reply queues"}),
    ("QLOCAL", "SYSTEM.DDELAY.LOCAL.QUEUE", {**PERSISTENT, "DESCR": "Messages whose delivery is delayed"}),
    ("QLOCAL", "SYSTEM.DEAD.LETTER.QUEUE", {"MAXDEPTH": "999999999", "DESCR": "Messages that cannot be delivered"}),
    ("QLOCAL", "SYSTEM.DEFAULT.INITIATION.QUEUE", {"DESCR": "Trigger messages"}),
    (
        "QMODEL",
        "SYSTEM.DURABLE.MODEL.QUEUE",
        {
            "DEFTYPE": "PERMDYN",
            "SHARE": "SHARE",
            "DEFSOPT": "SHARED",
            "MAXDEPTH": "999999999",
            "DESCR": "Pattern for queues of managed durable subscriptions",
        },
    ),
    ("QLOCAL", "SYSTEM.DURABLE.SUBSCRIBER.QUEUE", {**PERSISTENT, "DESCR": "Durable subscriptions"}),
    ("QLOCAL", "SYSTEM.HIERARCHY.STATE", {**PERSISTENT, "DESCR": "State of publish/subscribe relations"}),
    ("QLOCAL", "SYSTEM.INTER.QMGR.CONTROL", {**PERSISTENT, "DESCR": "Requests between publish/subscribe engines"}),
    ("QLOCAL", "SYSTEM.INTER.QMGR.FANREQ", {**PERSISTENT, "DESCR": "Subscriptions of other queue managers"}),
    ("QLOCAL", "SYSTEM.INTER.QMGR.PUBS", {**PERSISTENT, "DESCR": "Publications of other queue managers"}),
    ("QMODEL", "SYSTEM.JMS.TEMPQ.MODEL", {**REPLY_MODEL, "DESCR": "Pattern for temporary queues of JMS"}),
    (
        "QMODEL",
        "SYSTEM.MQEXPLORER.REPLY.MODEL",
        {**REPLY_MODEL, "DESCR": "Pattern for reply queues of graphical tools"},
    ),
    (
        "QMODEL",
        "SYSTEM.MQSC.REPLY.QUEUE",
        {**REPLY_MODEL, "DEFPSIST": "NO", "DESCR": "Pattern for reply queues of MQSC"},
    ),
    (
        "QMODEL",
        "SYSTEM.NDURABLE.MODEL.QUEUE",
        {
            "DEFTYPE": "TEMPDYN",
            "SHARE": "SHARE",
            "DEFSOPT": "SHARED",
            "MAXDEPTH": "999999999",
            "DESCR": "Pattern for queues of managed non-durable subscriptions",
        },
    ),
    (
        "QLOCAL",
        "SYSTEM.KEW.BATCH.MARKERS",
        {**PERSISTENT, "INDXTYPE": "CORRELID", "DESCR": "Which batch of each Spark query was put last"},
    ),
    ("QLOCAL", "SYSTEM.PENDING.DATA.QUEUE", {**PERSISTENT, "DESCR": "Deferred messages"}),
    (
        "QLOCAL",
        "SYSTEM.PROTECTION.ERROR.QUEUE",
        {"MAXMSGL": "104857600", "DESCR": "Messages whose protection is broken"},
    ),
    ("QLOCAL", "SYSTEM.PROTECTION.POLICY.QUEUE", {**PERSISTENT, "DESCR": "Message protection policies"}),
    ("QMODEL", "SYSTEM.REST.REPLY.QUEUE", {**REPLY_MODEL, "DESCR": "Pattern for reply queues of the REST interface"}),
    ("QLOCAL", "SYSTEM.RETAINED.PUB.QUEUE", {**PERSISTENT, "DESCR": "Retained publications"}),
    ("QLOCAL", "SYSTEM.SELECTION.EVALUATION.QUEUE", {"DESCR": "Evaluation of extended selectors"}),
    ("QLOCAL", "SYSTEM.SELECTION.VALIDATION.QUEUE", {"DESCR": "Validation of extended selectors"}),
)

# The patterns of channels have no partner, so they do not pass the rules that a channel of use must pass.
CHANNELS: Final[Rows] = (
    ("SDR", "SYSTEM.DEF.SENDER", {}),
    ("SVR", "SYSTEM.DEF.SERVER", {}),
    ("RCVR", "SYSTEM.DEF.RECEIVER", {}),
    ("RQSTR", "SYSTEM.DEF.REQUESTER", {}),
    ("CLNTCONN", "SYSTEM.DEF.CLNTCONN", {}),
    ("SVRCONN", "SYSTEM.DEF.SVRCONN", {}),
    ("CLUSSDR", "SYSTEM.DEF.CLUSSDR", {}),
    ("CLUSRCVR", "SYSTEM.DEF.CLUSRCVR", {}),
    ("AMQP", "SYSTEM.DEF.AMQP", {}),
    ("RCVR", "SYSTEM.AUTO.RECEIVER", {}),
    ("SVRCONN", "SYSTEM.AUTO.SVRCONN", {}),
)

OTHERS: Final[Rows] = (
    ("IDPWOS", "SYSTEM.DEFAULT.AUTHINFO.IDPWOS", {"ADOPTCTX": "YES"}),
    ("IDPWLDAP", "SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP", {"ADOPTCTX": "YES"}),
    ("CRLLDAP", "SYSTEM.DEFAULT.AUTHINFO.CRLLDAP", {}),
    ("OCSP", "SYSTEM.DEFAULT.AUTHINFO.OCSP", {}),
    ("COMMINFO", "SYSTEM.DEFAULT.COMMINFO.MULTICAST", {}),
    ("LISTENER", "SYSTEM.DEFAULT.LISTENER.TCP", {}),
    ("NAMELIST", "SYSTEM.DEFAULT.NAMELIST", {}),
    (
        "NAMELIST",
        "SYSTEM.QPUBSUB.QUEUE.NAMELIST",
        {
            "NAMES": "SYSTEM.BROKER.DEFAULT.STREAM,SYSTEM.BROKER.ADMIN.STREAM",
            "DESCR": "Queues that the queued publish/subscribe interface reads",
        },
    ),
    (
        "NAMELIST",
        "SYSTEM.QPUBSUB.SUBPOINT.NAMELIST",
        {"NAMES": "SYSTEM.BROKER.DEFAULT.SUBPOINT", "DESCR": "Topics that stand for subscription points"},
    ),
    ("PROCESS", "SYSTEM.DEFAULT.PROCESS", {}),
    ("SERVICE", "SYSTEM.DEFAULT.SERVICE", {}),
    ("TOPIC", "SYSTEM.BASE.TOPIC", BASE_TOPIC),
    ("TOPIC", "SYSTEM.DEFAULT.TOPIC", {}),
    (
        "TOPIC",
        "SYSTEM.ADMIN.TOPIC",
        {"TOPICSTR": "$SYS/MQ", "WILDCARD": "BLOCK", "DESCR": "Publications of the queue manager"},
    ),
    (
        "TOPIC",
        "SYSTEM.BROKER.ADMIN.STREAM",
        {"TOPICSTR": "SYSTEM.BROKER.ADMIN.STREAM", "WILDCARD": "BLOCK", "DESCR": "Stream of queued publish/subscribe"},
    ),
    (
        "TOPIC",
        "SYSTEM.BROKER.DEFAULT.STREAM",
        {
            "TOPICSTR": "SYSTEM.BROKER.DEFAULT.STREAM",
            "WILDCARD": "BLOCK",
            "DESCR": "Stream of queued publish/subscribe",
        },
    ),
    (
        "TOPIC",
        "SYSTEM.BROKER.DEFAULT.SUBPOINT",
        {"TOPICSTR": "SYSTEM.BROKER.DEFAULT.SUBPOINT", "DESCR": "Default subscription point"},
    ),
    ("SUB", "SYSTEM.DEFAULT.SUB", {}),
)

# Closed by default: connections, those of administrators too, are refused unless another record allows them.
RECORDS: Final[Rows] = (
    (
        "ADDRESSMAP",
        "*",
        {"ADDRESS": "*", "USERSRC": "NOACCESS", "DESCR": "Nobody comes in unless another rule says so"},
    ),
    ("BLOCKUSER", "*", {"USERLIST": "*MQADMIN", "DESCR": "Administrators do not come in by a channel"}),
    ("ADDRESSMAP", "SYSTEM.*", {"ADDRESS": "*", "USERSRC": "NOACCESS", "DESCR": "Nobody uses the pattern channels"}),
)

DEVELOPER_LISTENER: Final = "DEV.LISTENER.TCP"
DEVELOPER: Final[Rows] = (
    ("QLOCAL", "DEV.QUEUE.1", {}),
    ("QLOCAL", "DEV.QUEUE.2", {}),
    ("QLOCAL", "DEV.QUEUE.3", {}),
    ("QLOCAL", "DEV.DEAD.LETTER.QUEUE", {}),
    ("QMODEL", "DEV.APP.MODEL.QUEUE", {}),
    ("TOPIC", "DEV.BASE.TOPIC", {"TOPICSTR": "dev/"}),
    ("IDPWOS", "DEV.AUTHINFO", {"CHCKCLNT": "REQDADM", "CHCKLOCL": "OPTIONAL", "ADOPTCTX": "YES"}),
    ("SVRCONN", "DEV.ADMIN.SVRCONN", {}),
    ("SVRCONN", "DEV.APP.SVRCONN", {"MCAUSER": "app"}),
    ("LISTENER", DEVELOPER_LISTENER, {"PORT": "1414", "IPADDR": "127.0.0.1", "CONTROL": "QMGR"}),
    (
        "ADDRESSMAP",
        "DEV.APP.SVRCONN",
        {"ADDRESS": "*", "USERSRC": "CHANNEL", "CHCKCLNT": "ASQMGR", "DESCR": "Programs come in by this channel"},
    ),
    ("BLOCKUSER", "DEV.ADMIN.SVRCONN", {"USERLIST": "nobody", "DESCR": "Administrators may come in by this channel"}),
    (
        "USERMAP",
        "DEV.ADMIN.SVRCONN",
        {"CLNTUSER": "admin", "USERSRC": "CHANNEL", "DESCR": "The administrator comes in by this channel"},
    ),
    ("AUTHREC", "SELF", {"ENTITY": "app", "OBJTYPE": "QMGR", "AUTHLIST": "CONNECT,INQ"}),
    ("AUTHREC", "DEV.**", {"ENTITY": "app", "OBJTYPE": "QUEUE", "AUTHLIST": "BROWSE,GET,INQ,PUT"}),
    ("AUTHREC", "DEV.**", {"ENTITY": "app", "OBJTYPE": "TOPIC", "AUTHLIST": "PUB,SUB,RESUME"}),
    ("AUTHREC", "DEV.APP.MODEL.QUEUE", {"ENTITY": "app", "OBJTYPE": "QUEUE", "AUTHLIST": "BROWSE,DSP,GET,INQ,PUT"}),
    (
        "AUTHREC",
        "SYSTEM.DEFAULT.MODEL.QUEUE",
        {"ENTITY": "app", "OBJTYPE": "QUEUE", "AUTHLIST": "BROWSE,DSP,GET,INQ,PUT"},
    ),
)
DEVELOPER_QMGR: Final = {"DEADQ": "DEV.DEAD.LETTER.QUEUE", "CONNAUTH": "DEV.AUTHINFO"}
DEVELOPER_USERS: Final = {"app": "password", "admin": "password"}
DEVELOPER_GROUPS: Final = {"app": ("mqclient",), "admin": ("mqm",)}


def _made(rows: Rows) -> list[Definition]:
    return [Definition.of(kind, name, spelled) for kind, name, spelled in rows]


def system_objects() -> list[Definition]:
    """Return the objects of a new queue manager, storage first, in the order they should be created."""
    return _made(STORAGE + QUEUES + CHANNELS + OTHERS + RECORDS)


def developer_objects() -> list[Definition]:
    """Return the further objects for developers, all of which may be replaced."""
    return _made(DEVELOPER)


def queue_manager(name: str, developer: bool = False) -> Definition:
    """Return the attributes of a new queue manager."""
    return Definition.of("QMGR", name, DEVELOPER_QMGR if developer else {})
