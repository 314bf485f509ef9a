"""Parameters that belong to commands and not to objects: REPLACE, FORCE, ALL, TYPE and the like."""

from collections.abc import Mapping
from typing import Final

from kew.codes import attributes as a
from kew.codes import channels as c
from kew.codes import options as o
from kew.objects.schema import FAMILIES, AttributeSpec
from kew.objects.schema.channels import CHANNEL_TYPES, NO_SUCH_CHANNEL, TRANSPORT
from kew.objects.schema.security import AUTHORITY_LIST, OBJECT_TYPE
from kew.objects.schema.system_status import THREAD_STATE, TRACE_CLASS, TRACE_DESTINATION, TRACE_TYPE
from kew.objects.schema.texts import Hex, Name, ProfileName, Text
from kew.objects.schema.values import Choice, Flag, Kind, ListOf, Number

NO_PCF: Final = 0


def option(keyword: str, pcf: int, kind: Kind, help_text: str, synonyms: tuple[str, ...] = ()) -> AttributeSpec:
    """Return a parameter of a command."""
    return AttributeSpec(keyword, pcf, kind, kind.blank(), help_text, synonyms=synonyms)


def flag(words: Mapping[str, int], pcf: int, help_text: str) -> AttributeSpec:
    """Return a parameter that is one of a few bare words, named after the first."""
    return option(next(iter(words)), pcf, Flag(words), help_text)


NAME: Final = Name(48)
YES_NO: Final = Choice({"NO": 0, "YES": 1})

ALL: Final = flag({"ALL": 1}, a.MQIACF_ALL, "All attributes.")
CMDSCOPE: Final = option(
    "CMDSCOPE", a.MQCACF_COMMAND_SCOPE, Text(48), "Queue manager of the group that carries out the command; * for all."
)
REPLACE: Final = flag(
    {"REPLACE": a.MQRP_YES, "NOREPLACE": a.MQRP_NO}, a.MQIACF_REPLACE, "Whether an object of the same name is replaced."
)
LIKE: Final = option("LIKE", NO_PCF, Text(10240), "Object whose attributes are taken where the command gives none.")
FORCE: Final = flag(
    {"FORCE": a.MQFC_YES, "NOFORCE": a.MQFC_NO}, a.MQIACF_FORCE, "Whether the change is made though the object is open."
)
PURGE: Final = flag(
    {"PURGE": a.MQPO_YES, "NOPURGE": a.MQPO_NO}, a.MQIACF_PURGE, "Whether the messages are deleted with the queue."
)
AUTHREC: Final = option(
    "AUTHREC",
    a.MQIACF_REMOVE_AUTHREC,
    Choice({"YES": 1, "NO": 0}),
    "Whether the authority records of the object go too.",
)
IGNSTATE: Final = option(
    "IGNSTATE", a.MQIACF_IGNORE_STATE, YES_NO, "Whether it counts as success if there is nothing to do."
)
QSGDISP: Final = option(
    "QSGDISP",
    a.MQIA_QSG_DISP,
    Choice(
        {
            "LIVE": a.MQQSGD_LIVE,
            "ALL": a.MQQSGD_ALL,
            "QMGR": a.MQQSGD_Q_MGR,
            "SHARED": a.MQQSGD_SHARED,
            "PRIVATE": a.MQQSGD_PRIVATE,
            "COPY": a.MQQSGD_COPY,
            "GROUP": a.MQQSGD_GROUP,
        }
    ),
    "Which objects of the queue sharing group are meant.",
)
CHLDISP: Final = option(
    "CHLDISP",
    a.MQIACH_CHANNEL_DISP,
    Choice(
        {
            "PRIVATE": a.MQCHLD_PRIVATE,
            "SHARED": a.MQCHLD_SHARED,
            "FIXSHARED": a.MQCHLD_FIXSHARED,
            "ALL": a.MQCHLD_ALL,
            "DEFAULT": a.MQCHLD_DEFAULT,
        }
    ),
    "Whether private or shared channels are meant.",
)
CHLTABLE: Final = option(
    "CHLTABLE",
    a.MQIACH_CHANNEL_TABLE,
    Choice({"QMGRTBL": a.MQCHTAB_Q_MGR, "CLNTTBL": a.MQCHTAB_CLNTCONN}),
    "Whether the client channel table is meant.",
)
CHLTYPE: Final = option(
    "CHLTYPE",
    a.MQIACH_CHANNEL_TYPE,
    Choice(CHANNEL_TYPES, refused=NO_SUCH_CHANNEL),
    "Type of the channel.",
    synonyms=("TYPE",),
)
CHLTYPE_ALL: Final = option(
    "CHLTYPE",
    a.MQIACH_CHANNEL_TYPE,
    Choice({"ALL": c.MQCHT_ALL, **CHANNEL_TYPES}, refused=NO_SUCH_CHANNEL),
    "Type of channels shown.",
    synonyms=("TYPE",),
)

# Types by which DISPLAY chooses what to show.
QTYPE: Final = option(
    "TYPE",
    a.MQIA_Q_TYPE,
    Choice(
        {
            "ALL": a.MQQT_ALL,
            "QLOCAL": a.MQQT_LOCAL,
            "QALIAS": a.MQQT_ALIAS,
            "QREMOTE": a.MQQT_REMOTE,
            "QMODEL": a.MQQT_MODEL,
            "QCLUSTER": a.MQQT_CLUSTER,
        }
    ),
    "Type of queues shown.",
    synonyms=("QTYPE",),
)
TOPIC_TYPE: Final = option(
    "TYPE",
    a.MQIA_TOPIC_TYPE,
    Choice({"LOCAL": a.MQTOPT_LOCAL, "CLUSTER": a.MQTOPT_CLUSTER, "ALL": a.MQTOPT_ALL}),
    "Whether local or cluster topics are meant.",
)
TOPIC_LOCAL: Final = option("TYPE", a.MQIA_TOPIC_TYPE, Choice({"LOCAL": a.MQTOPT_LOCAL}), "Type of the topic.")
AUTHTYPE: Final = option(
    "AUTHTYPE",
    a.MQIA_AUTH_INFO_TYPE,
    Choice(
        {"IDPWOS": o.MQAIT_IDPW_OS, "IDPWLDAP": o.MQAIT_IDPW_LDAP, "CRLLDAP": o.MQAIT_CRL_LDAP, "OCSP": o.MQAIT_OCSP}
    ),
    "Type of the object.",
)
AUTHTYPE_ALL: Final = option(
    "AUTHTYPE",
    a.MQIA_AUTH_INFO_TYPE,
    Choice(
        {
            "ALL": o.MQAIT_ALL,
            "IDPWOS": o.MQAIT_IDPW_OS,
            "IDPWLDAP": o.MQAIT_IDPW_LDAP,
            "CRLLDAP": o.MQAIT_CRL_LDAP,
            "OCSP": o.MQAIT_OCSP,
        }
    ),
    "Type of objects shown.",
)
RECORD_TYPES: Final = {label: kind.pcf_subtype[1] for label, kind in FAMILIES["CHLAUTH"].by_label.items()}
CHLAUTH_TYPE: Final = option("TYPE", a.MQIACF_CHLAUTH_TYPE, Choice(RECORD_TYPES), "Type of the record.")
CHLAUTH_TYPE_ALL: Final = option(
    "TYPE", a.MQIACF_CHLAUTH_TYPE, Choice({"ALL": a.MQCAUT_ALL, **RECORD_TYPES}), "Type of records shown."
)


NO_STATUS: Final = {
    "HAINST": "there are no queue managers with several instances",
    "NATIVEHA": "there are no replicated queue managers",
}


def status_type(family: str) -> AttributeSpec:
    """Return the TYPE parameter by which DISPLAY chooses among the kinds of one status."""
    members = FAMILIES[family]
    labels = {label: kind.pcf_subtype[1] for label, kind in members.by_label.items()}
    refused = {word: why for word, why in NO_STATUS.items() if family == "QMSTATUS" and word not in labels}
    return option(
        "TYPE", members.types[0].pcf_subtype[0], Choice(labels, refused=refused), "Kind of information to show."
    )


CONN_TYPE: Final = option(
    "TYPE",
    a.MQIACF_CONN_INFO_TYPE,
    Choice({"CONN": a.MQIACF_CONN_INFO_CONN, "HANDLE": a.MQIACF_CONN_INFO_HANDLE, "ALL": a.MQIACF_CONN_INFO_ALL}),
    "Whether connections, their handles or both are shown.",
)
USAGE_TYPE: Final = option(
    "TYPE",
    a.MQIACF_USAGE_TYPE,
    Choice(
        {
            "ALL": 0,
            "PAGESET": a.MQIACF_USAGE_PAGESET,
            "BUFFPOOL": a.MQIACF_USAGE_BUFFER_POOL,
            "DATASET": a.MQIACF_USAGE_DATA_SET,
            "SMDS": a.MQIACF_USAGE_SMDS,
        }
    ),
    "Kind of information to show.",
)
PUBSUB_TYPE: Final = option(
    "TYPE",
    a.MQIACF_PS_STATUS_TYPE,
    Choice({"ALL": a.MQPSST_ALL, "LOCAL": a.MQPSST_LOCAL, "PARENT": a.MQPSST_PARENT, "CHILD": a.MQPSST_CHILD}),
    "Which engines are shown.",
)
INSTANCE: Final = flag(
    {"CURRENT": o.MQOT_CURRENT_CHANNEL, "SAVED": o.MQOT_SAVED_CHANNEL, "SHORT": o.MQOT_SHORT_CHANNEL},
    a.MQIACH_CHANNEL_INSTANCE_TYPE,
    "Whether the running or the saved state is shown.",
)
SUBTYPE: Final = option(
    "SUBTYPE",
    a.MQIACF_SUB_TYPE,
    Choice(
        {
            "USER": a.MQSUBTYPE_USER,
            "ALL": a.MQSUBTYPE_ALL,
            "ADMIN": a.MQSUBTYPE_ADMIN,
            "API": a.MQSUBTYPE_API,
            "PROXY": a.MQSUBTYPE_PROXY,
        }
    ),
    "Which subscriptions are shown.",
)
DURABLE: Final = option(
    "DURABLE",
    a.MQIACF_DURABLE_SUBSCRIPTION,
    Choice({"ALL": a.MQSUB_DURABLE_ALL, "YES": a.MQSUB_DURABLE_YES, "NO": a.MQSUB_DURABLE_NO}),
    "Whether durable or other subscriptions are shown.",
)
DISTYPE: Final = option(
    "DISTYPE",
    a.MQIA_DISPLAY_TYPE,
    Choice({"RESOLVED": 0, "DEFINED": 1}),
    "Whether topic strings are shown whole or as defined.",
)
SUBID: Final = option("SUBID", a.MQBACF_SUB_ID, Hex(24), "Identifier of the subscription.")
SUBNAME: Final = option("SUBNAME", a.MQCACF_SUB_NAME, Text(10240), "Name of the subscription.")
EXTCONN: Final = option("EXTCONN", NO_PCF, Hex(16), "First half of the connection identifier.")
URDISP: Final = option(
    "URDISP", NO_PCF, Choice({"ALL": 0, "GROUP": 1, "QMGR": 2}), "Owner of the units of recovery to show."
)
CONNAME: Final = option("CONNAME", a.MQCACH_CONNECTION_NAME, Text(264), "Address of the partner.")
QMNAME: Final = option("QMNAME", a.MQCA_Q_MGR_NAME, Name(48, generic=True), "Queue manager.")
SMDS: Final = option("SMDS", a.MQCACF_CF_SMDS, Name(48, generic=True), "Queue manager that owns the data set.")
CFSTRUCT: Final = option("CFSTRUCT", a.MQCA_CF_STRUC_NAME, Name(16, generic=True), "Structure.")
OBSMSGS: Final = option("OBSMSGS", a.MQIACF_OBSOLETE_MSGS, YES_NO, "Whether obsolete messages are looked for.")
PSID: Final = option("PSID", a.MQIA_PAGESET_ID, Choice({"*": -1}, numbers=(0, 99)), "Page set; * for all.")

# Security.
MATCH_RECORD: Final = option(
    "MATCH",
    a.MQIACH_MATCH,
    Choice(
        {"GENERIC": a.MQMATCH_GENERIC, "EXACT": a.MQMATCH_EXACT, "RUNCHECK": a.MQMATCH_RUNCHECK, "ALL": a.MQMATCH_ALL}
    ),
    "How the name is compared.",
)
MATCH_PROFILE: Final = option(
    "MATCH", a.MQIACF_AUTH_OPTIONS, Choice({"PROFILE": 0, "EXACT": 1, "MEMBERSHIP": 2}), "How the profile is compared."
)
ACTION_RECORD: Final = option(
    "ACTION",
    a.MQIACF_ACTION,
    Choice({"ADD": o.MQACT_ADD, "REPLACE": o.MQACT_REPLACE, "REMOVE": o.MQACT_REMOVE, "REMOVEALL": o.MQACT_REMOVEALL}),
    "Action on the record.",
)
ACTION_POLICY: Final = option(
    "ACTION",
    a.MQIACF_ACTION,
    Choice({"REPLACE": o.MQACT_REPLACE, "ADD": o.MQACT_ADD, "REMOVE": o.MQACT_REMOVE}),
    "Action on the policy.",
)
PROFILE: Final = option("PROFILE", a.MQCACF_AUTH_PROFILE_NAME, ProfileName(), "Pattern of object names.")
OBJTYPE: Final = option(
    "OBJTYPE",
    a.MQIACF_OBJECT_TYPE,
    Choice({**OBJECT_TYPE.words, "ALL": o.MQOT_ALL}, synonyms=OBJECT_TYPE.synonyms),
    "Kind of object.",
)
PRINCIPAL: Final = option("PRINCIPAL", a.MQCACF_PRINCIPAL_ENTITY_NAMES, ListOf(Text(64), 16), "Users.")
GROUP: Final = option("GROUP", a.MQCACF_GROUP_ENTITY_NAMES, ListOf(Text(64), 16), "Groups.")
OBJNAME: Final = option("OBJNAME", a.MQCACF_OBJECT_NAME, Text(48), "Name of the object, or a generic profile.")
AUTHADD: Final = option("AUTHADD", a.MQIACF_AUTH_ADD_AUTHS, AUTHORITY_LIST, "Authorities to give.")
AUTHRMV: Final = option("AUTHRMV", a.MQIACF_AUTH_REMOVE_AUTHS, AUTHORITY_LIST, "Authorities to take away.")
SERVCOMP: Final = option("SERVCOMP", a.MQCACF_SERVICE_COMPONENT, Text(48), "Authorisation component.")
ENFORCE: Final = flag({"ENFORCE": 1}, NO_PCF, "Messages without protection are not accepted.")
SECURITY_TYPE: Final = option(
    "TYPE",
    a.MQIACF_SECURITY_TYPE,
    Choice(
        {
            "AUTHSERV": a.MQSECTYPE_AUTHSERV,
            "SSL": a.MQSECTYPE_SSL,
            "CONNAUTH": a.MQSECTYPE_CONNAUTH,
            "CLASSES": a.MQSECTYPE_CLASSES,
        }
    ),
    "Data to read again.",
)

# Actions on channels, listeners, clusters and the queue manager.
MODE_STOP: Final = option(
    "MODE",
    a.MQIACF_MODE,
    Choice({"QUIESCE": a.MQMODE_QUIESCE, "FORCE": a.MQMODE_FORCE, "TERMINATE": a.MQMODE_TERMINATE}),
    "How the stop is made.",
)
STATUS_STOP: Final = option(
    "STATUS",
    a.MQIACH_CHANNEL_STATUS,
    Choice({"STOPPED": a.MQCHS_STOPPED, "INACTIVE": a.MQCHS_INACTIVE}),
    "State after the stop.",
)
DATALEN: Final = option("DATALEN", a.MQIACH_DATA_COUNT, Number(16, 32768), "Bytes of the test message.")
SEQNUM: Final = option(
    "SEQNUM", a.MQIACH_MSG_SEQUENCE_NUMBER, Number(1, 999999999), "Sequence number of the next message."
)
ACTION_INDOUBT: Final = option(
    "ACTION",
    a.MQIACH_IN_DOUBT,
    Choice({"COMMIT": a.MQIDO_COMMIT, "BACKOUT": a.MQIDO_BACKOUT}),
    "How units that are in doubt end.",
)
NID: Final = option("NID", NO_PCF, Text(280), "Origin of the unit of recovery; * for all.")
PORT: Final = option("PORT", a.MQIACH_PORT_NUMBER, Number(0, 65535), "Port.")
IPADDR: Final = option("IPADDR", a.MQCACH_IP_ADDRESS, Text(48), "Address.")
TRPTYPE: Final = option("TRPTYPE", a.MQIACH_XMIT_PROTOCOL_TYPE, TRANSPORT, "Transport.")
INDISP: Final = option(
    "INDISP",
    a.MQIACH_INBOUND_DISP,
    Choice({"QMGR": a.MQINBD_Q_MGR, "GROUP": a.MQINBD_GROUP}),
    "Whether connections are for the queue manager or its group.",
)
INITQ: Final = option("INITQ", a.MQCA_INITIATION_Q_NAME, NAME, "Initiation queue.")
ENVPARM: Final = option("ENVPARM", a.MQCACF_ENV_INFO, Text(256), "Parameters of the started task.")
SHARED: Final = option(
    "SHARED",
    a.MQIACH_SHARED_CHL_RESTART,
    Choice({"RESTART": a.MQCHSH_RESTART_YES, "STOP": a.MQCHSH_RESTART_NO}),
    "Whether shared channels start elsewhere.",
)
CLUSTER: Final = option("CLUSTER", a.MQCA_CLUSTER_NAME, Name(48, generic=True), "Cluster.")
CLUSNL: Final = option("CLUSNL", a.MQCA_CLUSTER_NAMELIST, NAME, "Namelist of clusters.")
FACILITY: Final = option(
    "FACILITY",
    a.MQIACF_Q_MGR_FACILITY,
    Choice({"DB2": a.MQQMFAC_DB2, "IMSBRIDGE": a.MQQMFAC_IMS_BRIDGE}),
    "Facility meant.",
)
LOG: Final = flag({"LOG": 1}, NO_PCF, "Logging is meant.")
REPOS: Final = option(
    "REPOS",
    a.MQIACF_REFRESH_REPOSITORY,
    Choice({"NO": a.MQCFO_REFRESH_REPOSITORY_NO, "YES": a.MQCFO_REFRESH_REPOSITORY_YES}),
    "Whether what is known of full repositories is dropped too.",
)
ACTION_CLUSTER: Final = option(
    "ACTION",
    a.MQIACF_ACTION,
    Choice({"FORCEREMOVE": o.MQACT_FORCE_REMOVE}),
    "Action on the queue manager in the cluster.",
)
QMID: Final = option("QMID", a.MQCA_Q_MGR_IDENTIFIER, Text(48), "Identifier of a queue manager.")
QUEUES: Final = option(
    "QUEUES",
    a.MQIACF_REMOVE_QUEUES,
    Choice({"NO": a.MQCFO_REMOVE_QUEUES_NO, "YES": a.MQCFO_REMOVE_QUEUES_YES}),
    "Whether its cluster queues go too.",
)
RESET_TYPE: Final = option(
    "TYPE",
    a.MQIACF_ACTION,
    Choice(
        {
            "ADVANCELOG": o.MQACT_ADVANCE_LOG,
            "STATISTICS": o.MQACT_COLLECT_STATISTICS,
            "PUBSUB": o.MQACT_PUBSUB,
            "REDUCELOG": o.MQACT_REDUCE_LOG,
            "ARCHIVED": o.MQACT_ARCHIVE_LOG,
        }
    ),
    "Action on the queue manager.",
)
REFRESH_TYPE: Final = option(
    "TYPE",
    a.MQIACF_REFRESH_TYPE,
    Choice(
        {"CONFIGEV": a.MQRT_CONFIGURATION, "EXPIRY": a.MQRT_EXPIRY, "PROXYSUB": a.MQRT_PROXYSUB},
        refused={"EARLY": "there is no early code to refresh", "NSPROC": "there is no such subsystem"},
    ),
    "Kind of refresh.",
)
CHILD: Final = option("CHILD", a.MQCA_CHILD, NAME, "Child queue manager.")
PARENT: Final = option("PARENT", a.MQCA_PARENT, NAME, "Parent queue manager.")
REDUCE: Final = option(
    "REDUCE",
    a.MQIACF_LOG_REDUCTION,
    Choice({"AUTO": a.MQLR_AUTO, "ONE": a.MQLR_ONE, "MAX": a.MQLR_MAX}, numbers=(1, 999999999)),
    "How many log extents go.",
)
ARCHIVED: Final = option("ARCHIVED", a.MQCACF_ARCHIVE_LOG_EXTENT_NAME, Text(24), "Log extent that was archived.")
OBJECT: Final = option(
    "OBJECT",
    a.MQIACF_OBJECT_TYPE,
    Choice(
        {
            "ALL": o.MQOT_ALL,
            "QUEUE": o.MQOT_Q,
            "QLOCAL": o.MQOT_LOCAL_Q,
            "QALIAS": o.MQOT_ALIAS_Q,
            "QREMOTE": o.MQOT_REMOTE_Q,
            "QMODEL": o.MQOT_MODEL_Q,
            "CHANNEL": o.MQOT_CHANNEL,
            "NAMELIST": o.MQOT_NAMELIST,
            "PROCESS": o.MQOT_PROCESS,
            "STGCLASS": o.MQOT_STORAGE_CLASS,
            "CFSTRUCT": o.MQOT_CF_STRUC,
            "AUTHINFO": o.MQOT_AUTH_INFO,
            "TOPIC": o.MQOT_TOPIC,
            "LISTENER": o.MQOT_LISTENER,
            "SERVICE": o.MQOT_SERVICE,
        }
    ),
    "Kind of objects meant.",
)
OBJECT_NAME: Final = option("NAME", a.MQCACF_OBJECT_NAME, Name(48, generic=True), "Names of objects meant.")
INCLINT: Final = option(
    "INCLINT", a.MQIACF_REFRESH_INTERVAL, Number(0, 999999), "Minutes back from which changes are meant."
)
CLRTYPE: Final = option("CLRTYPE", a.MQIACF_CLEAR_TYPE, Choice({"RETAINED": a.MQCLRT_RETAINED}), "Data to clear.")
CLEAR_SCOPE: Final = option(
    "SCOPE",
    a.MQIACF_CLEAR_SCOPE,
    Choice({"LOCAL": a.MQCLRS_LOCAL, "GLOBAL": a.MQCLRS_GLOBAL}),
    "How far the clearing goes.",
)
TOQLOCAL: Final = option("TOQLOCAL", a.MQCACF_TO_Q_NAME, NAME, "Queue the messages go to.")
MOVE_TYPE: Final = option(
    "TYPE",
    a.MQIACF_MOVE_TYPE,
    Choice({"MOVE": a.MQIACF_MOVE_TYPE_MOVE, "ADD": a.MQIACF_MOVE_TYPE_ADD}),
    "Whether the target must be empty.",
)
EXCLINT: Final = option(
    "EXCLINT", a.MQIACF_EXCLUDE_INTERVAL, Number(30, 600), "Seconds of the newest log the backup leaves out."
)
RECOVER_TYPE: Final = option(
    "TYPE",
    a.MQIACF_PURGE,
    Choice({"NORMAL": a.MQPO_NO, "PURGE": a.MQPO_YES}),
    "Whether the structure is recovered or emptied.",
)
ACTION_FAIL: Final = option("ACTION", a.MQIACF_ACTION, Choice({"FAIL": o.MQACT_FAIL}), "Action on the data set.")
ACCESS: Final = option(
    "ACCESS",
    a.MQIACF_CF_STRUC_ACCESS,
    Choice({"ENABLED": a.MQCFACCESS_ENABLED, "DISABLED": a.MQCFACCESS_DISABLED}),
    "Whether the data set may be used.",
)
STATUS_SMDS: Final = option(
    "STATUS",
    a.MQIACF_SMDS_STATUS,
    Choice({"FAILED": a.MQCFSTATUS_FAILED, "RECOVERED": a.MQCFSTATUS_RECOVERED}),
    "State the data set gets.",
)
ARCHIVE_MODE: Final = option(
    "MODE", a.MQIACF_MODE, Choice({"QUIESCE": a.MQMODE_QUIESCE}), "Whether updates are held first."
)
ARCHIVE_TIME: Final = option("TIME", NO_PCF, Number(1, 999), "Most seconds to wait for that.")
ARCHIVE_WAIT: Final = option("WAIT", NO_PCF, YES_NO, "Whether the command waits for the archive.")
CANCEL: Final = option("CANCEL", NO_PCF, Choice({"OFFLOAD": 1}), "Ends an archive that is under way.")
COPY: Final = option("COPY", a.MQIACF_SYSP_LOG_COPY, Number(1, 2), "Copy of the log.")
DEFAULT: Final = flag({"DEFAULT": 1}, NO_PCF, "All values go back to those of the start.")

# Trace.
CLASS: Final = option(
    "CLASS",
    NO_PCF,
    ListOf(Choice({"*": 0}, numbers=(1, TRACE_CLASS.most)), TRACE_CLASS.most),
    "Classes meant; * for all.",
)
DEST: Final = option("DEST", NO_PCF, TRACE_DESTINATION, "Where the data goes.")
COMMENT: Final = option("COMMENT", NO_PCF, Text(128), "Comment that DISPLAY TRACE shows.")
TDATA: Final = option("TDATA", NO_PCF, ListOf(Choice({"CORRELATION": 1, "TRACE": 2}), 2), "Headers added to records.")
RMID: Final = option("RMID", NO_PCF, ListOf(Choice({"*": -1}, numbers=(0, 255)), 8), "Resource managers meant.")
USERID: Final = option("USERID", a.MQCACF_USER_IDENTIFIER, ListOf(Text(12), 8), "Users meant.")
IFCID: Final = option("IFCID", NO_PCF, ListOf(Number(1, 999), 8), "Additional events.")
TNO: Final = option("TNO", NO_PCF, ListOf(Number(1, 32), 32), "Numbers of traces.")
DETAIL: Final = option("DETAIL", NO_PCF, ListOf(Choice({"*": 0}, numbers=(1, 2)), 2), "How much is shown.")
TRACE: Final = option(
    "TRACE",
    NO_PCF,
    Choice({**TRACE_TYPE.words, "*": 0}, synonyms=TRACE_TYPE.synonyms),
    "Kind of trace: GLOBAL, STAT, ACCTG or CHINIT.",
)
THREAD_TYPE: Final = option("TYPE", NO_PCF, Choice({**THREAD_STATE.words, "*": 9}), "Threads shown.")
