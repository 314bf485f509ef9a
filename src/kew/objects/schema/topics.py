"""Attributes of topics and subscriptions, in the order DISPLAY shows them."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.custom import Custom
from kew.objects.schema.common import (
    ALTERATION_DATE,
    ALTERATION_TIME,
    CREATION_DATE,
    CREATION_TIME,
    DATE,
    DESCRIPTION,
    MANAGER_DISPOSITION,
    MOST,
    NO_MULTICAST,
    OBJECT_NAME,
    TIME,
    TOPIC_EXPIRY_CAP,
)
from kew.objects.schema.model import DEFINE, KEEP, LIVE, AttributeSpec, ObjectType, Row
from kew.objects.texts import Hex, Text
from kew.objects.values import Choice, Number

TOPIC_STRING: Final = Text(10240)
DELIVERY: Final = Choice(
    {
        "ASPARENT": a.MQDLV_AS_PARENT,
        "ALL": a.MQDLV_ALL,
        "ALLDUR": a.MQDLV_ALL_DUR,
        "ALLAVAIL": a.MQDLV_ALL_AVAIL,
    }
)
SCOPE: Final = Choice({"ASPARENT": a.MQSCOPE_AS_PARENT, "ALL": a.MQSCOPE_ALL, "QMGR": a.MQSCOPE_QMGR})
PERSISTENCE: Final = Choice(
    {"ASPARENT": o.MQPER_PERSISTENCE_AS_PARENT, "NO": o.MQPER_NOT_PERSISTENT, "YES": o.MQPER_PERSISTENT}
)
PUT_RESPONSE: Final = Choice(
    {"ASPARENT": o.MQPRT_RESPONSE_AS_PARENT, "SYNC": o.MQPRT_SYNC_RESPONSE, "ASYNC": o.MQPRT_ASYNC_RESPONSE}
)
PRIORITY: Final = Number(0, 9, {"ASPARENT": o.MQPRI_PRIORITY_AS_PARENT})
MULTICAST: Final = Choice(
    {"ASPARENT": a.MQMC_AS_PARENT, "DISABLED": a.MQMC_DISABLED},
    refused={"ENABLED": NO_MULTICAST, "ONLY": NO_MULTICAST},
)
DURABLE: Final = Choice(
    {"ASPARENT": a.MQSUB_DURABLE_AS_PARENT, "YES": a.MQSUB_DURABLE_ALLOWED, "NO": a.MQSUB_DURABLE_INHIBITED}
)
PUBLISH: Final = Choice(
    {"ASPARENT": a.MQTA_PUB_AS_PARENT, "ENABLED": a.MQTA_PUB_ALLOWED, "DISABLED": a.MQTA_PUB_INHIBITED}
)
SUBSCRIBE: Final = Choice(
    {"ASPARENT": a.MQTA_SUB_AS_PARENT, "ENABLED": a.MQTA_SUB_ALLOWED, "DISABLED": a.MQTA_SUB_INHIBITED}
)
DEAD_LETTER: Final = Choice({"ASPARENT": a.MQUSEDLQ_AS_PARENT, "YES": a.MQUSEDLQ_YES, "NO": a.MQUSEDLQ_NO})
ROUTE: Final = Choice({"DIRECT": a.MQCLROUTE_DIRECT, "TOPICHOST": a.MQCLROUTE_TOPIC_HOST, "NONE": a.MQCLROUTE_NONE})
CLUSTER_STATE: Final = Choice(
    {"ACTIVE": a.MQCLST_ACTIVE, "PENDING": a.MQCLST_PENDING, "INVALID": a.MQCLST_INVALID, "ERROR": a.MQCLST_ERROR}
)
PROXY: Final = Choice({"FIRSTUSE": a.MQTA_PROXY_SUB_FIRSTUSE, "FORCE": a.MQTA_PROXY_SUB_FORCE})

TOPIC_ROWS: Final = (
    Row("TOPICSTR", a.MQCA_TOPIC_STRING, TOPIC_STRING, "", "Topic string this object stands for.", role=DEFINE),
    Row("DESCR", a.MQCA_TOPIC_DESC, DESCRIPTION, "", "Comment on the topic."),
    Row(
        "CAPEXPRY",
        a.MQIA_CAP_EXPIRY,
        TOPIC_EXPIRY_CAP,
        "ASPARENT",
        "Longest time, in tenths of a second, a publication may live.",
    ),
    Row("CLUSTER", a.MQCA_CLUSTER_NAME, OBJECT_NAME, "", "Cluster the topic is advertised in."),
    Row("CLROUTE", a.MQIA_CLUSTER_PUB_ROUTE, ROUTE, "DIRECT", "How publications travel in the cluster."),
    Row(
        "COMMINFO",
        a.MQCA_COMM_INFO_NAME,
        OBJECT_NAME,
        "",
        "Communication information object for multicast.",
        refused=NO_MULTICAST,
    ),
    Row("CUSTOM", a.MQCA_CUSTOM, Custom(), "", "Named values such as CAPEXPRY(6000)."),
    Row("DEFPRTY", a.MQIA_DEF_PRIORITY, PRIORITY, "ASPARENT", "Priority of publications made without one."),
    Row(
        "DEFPSIST",
        a.MQIA_TOPIC_DEF_PERSISTENCE,
        PERSISTENCE,
        "ASPARENT",
        "Whether publications made without a persistence survive a restart.",
    ),
    Row(
        "DEFPRESP",
        a.MQIA_DEF_PUT_RESPONSE_TYPE,
        PUT_RESPONSE,
        "ASPARENT",
        "Whether publishing waits for a reply, unless the program says.",
    ),
    Row("DURSUB", a.MQIA_DURABLE_SUB, DURABLE, "ASPARENT", "Whether durable subscriptions may be made."),
    Row("MCAST", a.MQIA_MULTICAST, MULTICAST, "ASPARENT", "Whether multicast is used."),
    Row(
        "MDURMDL",
        a.MQCA_MODEL_DURABLE_Q,
        OBJECT_NAME,
        "",
        "Model queue for managed durable subscriptions; blank for the parent's.",
    ),
    Row(
        "MNDURMDL",
        a.MQCA_MODEL_NON_DURABLE_Q,
        OBJECT_NAME,
        "",
        "Model queue for managed non-durable subscriptions; blank for the parent's.",
    ),
    Row(
        "NPMSGDLV", a.MQIA_NPM_DELIVERY, DELIVERY, "ASPARENT", "When a non-persistent publication counts as delivered."
    ),
    Row("PMSGDLV", a.MQIA_PM_DELIVERY, DELIVERY, "ASPARENT", "When a persistent publication counts as delivered."),
    Row(
        "PROXYSUB",
        a.MQIA_PROXY_SUB,
        PROXY,
        "FIRSTUSE",
        "When other queue managers of the cluster are told of interest in the topic.",
    ),
    Row("PUB", a.MQIA_INHIBIT_PUB, PUBLISH, "ASPARENT", "Whether publishing is allowed."),
    Row("PUBSCOPE", a.MQIA_PUB_SCOPE, SCOPE, "ASPARENT", "How far publications go."),
    Row(
        "QSGDISP", a.MQIA_QSG_DISP, MANAGER_DISPOSITION, "QMGR", "Disposition in the queue sharing group.", role=DEFINE
    ),
    Row("SUB", a.MQIA_INHIBIT_SUB, SUBSCRIBE, "ASPARENT", "Whether subscribing is allowed."),
    Row("SUBSCOPE", a.MQIA_SUB_SCOPE, SCOPE, "ASPARENT", "How far subscriptions reach."),
    Row(
        "USEDLQ",
        a.MQIA_USE_DEAD_LETTER_Q,
        DEAD_LETTER,
        "ASPARENT",
        "Whether publications that cannot be delivered go to the dead-letter queue.",
    ),
    Row(
        "WILDCARD",
        a.MQIA_WILDCARD_OPERATION,
        Choice({"PASSTHRU": a.MQTA_PASSTHRU, "BLOCK": a.MQTA_BLOCK}),
        "PASSTHRU",
        "Whether wildcard subscriptions made higher up see this topic.",
    ),
    ALTERATION_DATE,
    ALTERATION_TIME,
    Row(
        "CLSTATE",
        a.MQIA_CLUSTER_OBJECT_STATE,
        CLUSTER_STATE,
        "ACTIVE",
        "State of the topic in the cluster.",
        role=LIVE,
        group="CLUSINFO",
    ),
    Row(
        "CLUSDATE",
        a.MQCA_CLUSTER_DATE,
        DATE,
        "",
        "Date the definition reached this queue manager from the cluster.",
        role=LIVE,
        group="CLUSINFO",
    ),
    Row(
        "CLUSQMGR",
        a.MQCA_CLUSTER_Q_MGR_NAME,
        OBJECT_NAME,
        "",
        "Queue manager that hosts the cluster topic.",
        role=LIVE,
        group="CLUSINFO",
    ),
    Row(
        "CLUSTIME",
        a.MQCA_CLUSTER_TIME,
        TIME,
        "",
        "Time the definition reached this queue manager from the cluster.",
        role=LIVE,
        group="CLUSINFO",
    ),
    Row(
        "QMID",
        a.MQCA_Q_MGR_IDENTIFIER,
        Text(48),
        "",
        "Identifier of the queue manager that hosts the cluster topic.",
        role=LIVE,
        group="CLUSINFO",
    ),
)

SUB_TYPE: Final = Choice({"ADMIN": a.MQSUBTYPE_ADMIN, "API": a.MQSUBTYPE_API, "PROXY": a.MQSUBTYPE_PROXY})
SELECTOR_TYPE: Final = Choice(
    {"NONE": a.MQSELTYPE_NONE, "STANDARD": a.MQSELTYPE_STANDARD, "EXTENDED": a.MQSELTYPE_EXTENDED}
)
DESTINATION: Final = Choice({"PROVIDED": a.MQDC_PROVIDED, "MANAGED": a.MQDC_MANAGED})
PROPERTIES: Final = Choice(
    {
        "MSGPROP": a.MQPSPROP_MSGPROP,
        "COMPAT": a.MQPSPROP_COMPAT,
        "NONE": a.MQPSPROP_NONE,
        "RFH2": a.MQPSPROP_RFH2,
    }
)
PUBLISHED_PRIORITY: Final = Number(0, 9, {"ASPUB": o.MQPRI_PRIORITY_AS_PUBLISHED, "ASQDEF": o.MQPRI_PRIORITY_AS_Q_DEF})
WILDCARDS: Final = Choice({"TOPIC": a.MQWS_TOPIC, "CHAR": a.MQWS_CHAR}, synonyms={"DEFAULT": "TOPIC"})
SUB_SCOPE: Final = Choice({"ALL": a.MQTSCOPE_ALL, "QMGR": a.MQTSCOPE_QMGR})

SUB_ROWS: Final = (
    Row("SUBID", a.MQBACF_SUB_ID, Hex(24), "", "Identifier given to the subscription when it was made.", role=KEEP),
    Row(
        "TOPICSTR",
        a.MQCA_TOPIC_STRING,
        TOPIC_STRING,
        "",
        "Topic string subscribed to, appended to that of TOPICOBJ.",
        role=DEFINE,
    ),
    Row("TOPICOBJ", a.MQCA_TOPIC_NAME, OBJECT_NAME, "", "Topic object subscribed to.", role=DEFINE),
    Row(
        "DISTYPE",
        a.MQIA_DISPLAY_TYPE,
        Choice({"RESOLVED": 0, "DEFINED": 1}),
        "RESOLVED",
        "Whether the topic string shown is the whole one or as defined.",
        role=LIVE,
    ),
    Row("DEST", a.MQCACF_DESTINATION, OBJECT_NAME, "", "Queue, alias or remote queue that publications go to."),
    Row(
        "DESTCLAS",
        a.MQIACF_DESTINATION_CLASS,
        DESTINATION,
        "PROVIDED",
        "Whether the destination is named or managed by the queue manager.",
        role=DEFINE,
    ),
    Row(
        "DESTCORL",
        a.MQBACF_DESTINATION_CORREL_ID,
        Hex(24),
        "",
        "Correlation identifier of publications sent to this subscription.",
    ),
    Row("DESTQMGR", a.MQCACF_DESTINATION_Q_MGR, OBJECT_NAME, "", "Queue manager of the destination."),
    Row(
        "DURABLE",
        a.MQIACF_DURABLE_SUBSCRIPTION,
        Choice({"YES": a.MQSUB_DURABLE_YES, "NO": a.MQSUB_DURABLE_NO}),
        "YES",
        "Whether the subscription survives a restart.",
        role=KEEP,
    ),
    Row(
        "EXPIRY",
        a.MQIACF_EXPIRY,
        Number(0, MOST, {"UNLIMITED": o.MQEI_UNLIMITED}),
        "UNLIMITED",
        "Tenths of a second after which the subscription ends.",
    ),
    Row(
        "PSPROP",
        a.MQIACF_PUBSUB_PROPERTIES,
        PROPERTIES,
        "MSGPROP",
        "How publish/subscribe properties are added to publications.",
    ),
    Row(
        "PUBACCT", a.MQBACF_ACCOUNTING_TOKEN, Hex(32), "", "Accounting token of publications sent to this subscription."
    ),
    Row(
        "PUBAPPID",
        a.MQCACF_APPL_IDENTITY_DATA,
        Text(32),
        "",
        "Application identity of publications sent to this subscription.",
    ),
    Row(
        "PUBPRTY",
        a.MQIACF_PUB_PRIORITY,
        PUBLISHED_PRIORITY,
        "ASPUB",
        "Priority of publications sent to this subscription.",
    ),
    Row(
        "REQONLY",
        a.MQIACF_REQUEST_ONLY,
        Choice({"NO": a.MQRU_PUBLISH_ALL, "YES": a.MQRU_PUBLISH_ON_REQUEST}),
        "NO",
        "Whether publications come only when asked for.",
    ),
    Row("SELECTOR", a.MQCACF_SUB_SELECTOR, Text(10240), "", "Condition that publications must meet.", role=DEFINE),
    Row("SELTYPE", a.MQIACF_SELECTOR_TYPE, SELECTOR_TYPE, "NONE", "Kind of selector.", role=KEEP),
    Row("SUBLEVEL", a.MQIACF_SUB_LEVEL, Number(0, 9), "1", "Level at which publications are intercepted.", role=DEFINE),
    Row("SUBSCOPE", a.MQIACF_SUBSCRIPTION_SCOPE, SUB_SCOPE, "ALL", "How far the subscription reaches.", role=DEFINE),
    Row("SUBTYPE", a.MQIACF_SUB_TYPE, SUB_TYPE, "ADMIN", "How the subscription was made.", role=KEEP),
    Row("SUBUSER", a.MQCACF_SUB_USER_ID, Text(64), "", "User whose authority the subscription has."),
    Row("USERDATA", a.MQCACF_SUB_USER_DATA, Text(10240), "", "Text passed with each publication."),
    Row(
        "VARUSER",
        a.MQIACF_VARIABLE_USER_ID,
        Choice({"ANY": a.MQVU_ANY_USER, "FIXED": a.MQVU_FIXED_USER}),
        "ANY",
        "Whether other users may take over the subscription.",
    ),
    Row(
        "WSCHEMA",
        a.MQIACF_WILDCARD_SCHEMA,
        WILDCARDS,
        "TOPIC",
        "How wildcards in the topic string are read.",
        role=DEFINE,
    ),
    CREATION_DATE,
    CREATION_TIME,
    ALTERATION_DATE,
    ALTERATION_TIME,
)

TOPIC_NAME: Final = AttributeSpec("TOPIC", a.MQCA_TOPIC_NAME, OBJECT_NAME, "", "Name of the topic object.")
SUB_NAME: Final = AttributeSpec(
    "SUB", a.MQCACF_SUB_NAME, Text(10240), "", "Name of the subscription.", synonyms=("SUBNAME",)
)

TYPES: Final = (
    ObjectType(
        "TOPIC",
        "TOPIC",
        ("AMQ8633I", "Display topic details."),
        TOPIC_NAME,
        TOPIC_ROWS,
        type_keyword="TYPE",
        type_label="LOCAL",
        pcf_type=o.MQOT_TOPIC,
        pcf_subtype=(a.MQIA_TOPIC_TYPE, a.MQTOPT_LOCAL),
        help_text="A point of the topic tree with attributes of its own.",
    ),
    ObjectType(
        "SUB",
        "SUB",
        ("AMQ8096I", "Display subscription details."),
        SUB_NAME,
        SUB_ROWS,
        help_text="A subscription of a queue to a topic.",
    ),
)
