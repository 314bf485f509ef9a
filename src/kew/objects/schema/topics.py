"""Attributes of topics and subscriptions, in the order DISPLAY shows them."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.schema.common import (
    NO_MULTICAST,
    OBJECT_NAME,
    SHARED_KINDS,
    SHARED_REASONS,
    SHARED_ROWS,
)
from kew.objects.schema.custom import Custom
from kew.objects.schema.grid import rows
from kew.objects.schema.model import AttributeSpec, ObjectType
from kew.objects.schema.texts import Text
from kew.objects.schema.values import Choice, Number

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
PROXY: Final = Choice({"FIRSTUSE": a.MQTA_PROXY_SUB_FIRSTUSE, "FORCE": a.MQTA_PROXY_SUB_FORCE})
SUB_TYPE: Final = Choice({"ADMIN": a.MQSUBTYPE_ADMIN, "API": a.MQSUBTYPE_API, "PROXY": a.MQSUBTYPE_PROXY})

KINDS: Final = {
    **SHARED_KINDS,
    "trace-propagation": Choice(
        {
            "ASPARENT": o.MQOTEL_PCTL_AS_PARENT,
            "QMGR": o.MQOTEL_PCTL_QMGR,
            "MANUAL": o.MQOTEL_PCTL_MANUAL,
            "AUTO": o.MQOTEL_PCTL_AUTO,
        }
    ),
    "trace": Choice(
        {
            "ASPARENT": o.MQOTEL_TRACE_AS_PARENT,
            "QMGR": o.MQOTEL_TRACE_QMGR,
            "OFF": o.MQOTEL_TRACE_OFF,
            "ON": o.MQOTEL_TRACE_ON,
        }
    ),
    "topic-string": TOPIC_STRING,
    "route": ROUTE,
    "custom": Custom(),
    "priority": PRIORITY,
    "persistence": PERSISTENCE,
    "put-response": PUT_RESPONSE,
    "durable": DURABLE,
    "multicast": MULTICAST,
    "delivery": DELIVERY,
    "proxy": PROXY,
    "publish": PUBLISH,
    "scope": SCOPE,
    "subscribe": SUBSCRIBE,
    "dead-letter": DEAD_LETTER,
    "wildcard": Choice({"PASSTHRU": a.MQTA_PASSTHRU, "BLOCK": a.MQTA_BLOCK}),
    "cluster-state": Choice(
        {"ACTIVE": a.MQCLST_ACTIVE, "PENDING": a.MQCLST_PENDING, "INVALID": a.MQCLST_INVALID, "ERROR": a.MQCLST_ERROR}
    ),
    "distype": Choice({"RESOLVED": 0, "DEFINED": 1}),
    "destination": Choice({"PROVIDED": a.MQDC_PROVIDED, "MANAGED": a.MQDC_MANAGED}),
    "durability": Choice({"YES": a.MQSUB_DURABLE_YES, "NO": a.MQSUB_DURABLE_NO}),
    "properties": Choice(
        {
            "MSGPROP": a.MQPSPROP_MSGPROP,
            "COMPAT": a.MQPSPROP_COMPAT,
            "NONE": a.MQPSPROP_NONE,
            "RFH2": a.MQPSPROP_RFH2,
        }
    ),
    "published-priority": Number(0, 9, {"ASPUB": o.MQPRI_PRIORITY_AS_PUBLISHED, "ASQDEF": o.MQPRI_PRIORITY_AS_Q_DEF}),
    "reqonly": Choice({"NO": a.MQRU_PUBLISH_ALL, "YES": a.MQRU_PUBLISH_ON_REQUEST}),
    "selector-type": Choice(
        {"NONE": a.MQSELTYPE_NONE, "STANDARD": a.MQSELTYPE_STANDARD, "EXTENDED": a.MQSELTYPE_EXTENDED}
    ),
    "sub-scope": Choice({"ALL": a.MQTSCOPE_ALL, "QMGR": a.MQTSCOPE_QMGR}),
    "sub-type": SUB_TYPE,
    "varuser": Choice({"ANY": a.MQVU_ANY_USER, "FIXED": a.MQVU_FIXED_USER}),
    "wildcards": Choice({"TOPIC": a.MQWS_TOPIC, "CHAR": a.MQWS_CHAR}, synonyms={"DEFAULT": "TOPIC"}),
}

TOPIC_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                           | kind                | default  | types | notes                        | meaning
TOPICSTR | MQCA_TOPIC_STRING             | topic-string        |          |       | define                       | Topic string this object stands for.
DESCR    | MQCA_TOPIC_DESC               | description         |          |       |                              | Comment on the topic.
CAPEXPRY | MQIA_CAP_EXPIRY               | topic-expiry-cap    | ASPARENT |       |                              | Longest time, in tenths of a second, a publication may live.
CLUSTER  | MQCA_CLUSTER_NAME             | object-name         |          |       |                              | Cluster the topic is advertised in.
CLROUTE  | MQIA_CLUSTER_PUB_ROUTE        | route               | DIRECT   |       |                              | How publications travel in the cluster.
COMMINFO | MQCA_COMM_INFO_NAME           | object-name         |          |       | refused=no-multicast         | Communication information object for multicast.
CUSTOM   | MQCA_CUSTOM                   | custom              |          |       |                              | Named values such as CAPEXPRY(6000).
DEFPRTY  | MQIA_DEF_PRIORITY             | priority            | ASPARENT |       |                              | Priority of publications made without one.
DEFPSIST | MQIA_TOPIC_DEF_PERSISTENCE    | persistence         | ASPARENT |       |                              | Whether publications made without a persistence survive a restart.
DEFPRESP | MQIA_DEF_PUT_RESPONSE_TYPE    | put-response        | ASPARENT |       |                              | Whether publishing waits for a reply, unless the program says.
DURSUB   | MQIA_DURABLE_SUB              | durable             | ASPARENT |       |                              | Whether durable subscriptions may be made.
MCAST    | MQIA_MULTICAST                | multicast           | ASPARENT |       |                              | Whether multicast is used.
MDURMDL  | MQCA_MODEL_DURABLE_Q          | object-name         |          |       |                              | Model queue for managed durable subscriptions; blank for the parent's.
MNDURMDL | MQCA_MODEL_NON_DURABLE_Q      | object-name         |          |       |                              | Model queue for managed non-durable subscriptions; blank for the parent's.
NPMSGDLV | MQIA_NPM_DELIVERY             | delivery            | ASPARENT |       |                              | When a non-persistent publication counts as delivered.
OTELPCTL | MQIA_OTEL_PROPAGATION_CONTROL | trace-propagation   | ASPARENT |       | refused=no-telemetry mq=QMGR | How the trace context of messages is passed on.
OTELTRAC | MQIA_OTEL_TRACE               | trace               | ASPARENT |       | refused=no-telemetry mq=QMGR | Whether publications are traced.
PMSGDLV  | MQIA_PM_DELIVERY              | delivery            | ASPARENT |       |                              | When a persistent publication counts as delivered.
PROXYSUB | MQIA_PROXY_SUB                | proxy               | FIRSTUSE |       |                              | When other queue managers of the cluster are told of interest in the topic.
PUB      | MQIA_INHIBIT_PUB              | publish             | ASPARENT |       |                              | Whether publishing is allowed.
PUBSCOPE | MQIA_PUB_SCOPE                | scope               | ASPARENT |       |                              | How far publications go.
QSGDISP  | MQIA_QSG_DISP                 | manager-disposition | QMGR     |       | define                       | Disposition in the queue sharing group.
SUB      | MQIA_INHIBIT_SUB              | subscribe           | ASPARENT |       |                              | Whether subscribing is allowed.
SUBSCOPE | MQIA_SUB_SCOPE                | scope               | ASPARENT |       |                              | How far subscriptions reach.
USEDLQ   | MQIA_USE_DEAD_LETTER_Q        | dead-letter         | ASPARENT |       |                              | Whether publications that cannot be delivered go to the dead-letter queue.
WILDCARD | MQIA_WILDCARD_OPERATION       | wildcard            | PASSTHRU |       |                              | Whether wildcard subscriptions made higher up see this topic.
ALTDATE
ALTTIME
CLSTATE  | MQIA_CLUSTER_OBJECT_STATE     | cluster-state       | ACTIVE   |       | live group=CLUSINFO          | State of the topic in the cluster.
CLUSDATE | MQCA_CLUSTER_DATE             | date                |          |       | live group=CLUSINFO          | Date the definition reached this queue manager from the cluster.
CLUSQMGR | MQCA_CLUSTER_Q_MGR_NAME       | object-name         |          |       | live group=CLUSINFO          | Queue manager that hosts the cluster topic.
CLUSTIME | MQCA_CLUSTER_TIME             | time                |          |       | live group=CLUSINFO          | Time the definition reached this queue manager from the cluster.
QMID     | MQCA_Q_MGR_IDENTIFIER         | text 48             |          |       | live group=CLUSINFO          | Identifier of the queue manager that hosts the cluster topic.
""",
    reasons=SHARED_REASONS,
    shared=SHARED_ROWS,
)

SUB_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                          | kind                                         | default   | types | notes  | meaning
SUBID    | MQBACF_SUB_ID                | hex 24                                       |           |       | keep   | Identifier given to the subscription when it was made.
TOPICSTR | MQCA_TOPIC_STRING            | topic-string                                 |           |       | define | Topic string subscribed to, appended to that of TOPICOBJ.
TOPICOBJ | MQCA_TOPIC_NAME              | object-name                                  |           |       | define | Topic object subscribed to.
DISTYPE  | MQIA_DISPLAY_TYPE            | distype                                      | RESOLVED  |       | live   | Whether the topic string shown is the whole one or as defined.
DEST     | MQCACF_DESTINATION           | object-name                                  |           |       |        | Queue, alias or remote queue that publications go to.
DESTCLAS | MQIACF_DESTINATION_CLASS     | destination                                  | PROVIDED  |       | define | Whether the destination is named or managed by the queue manager.
DESTCORL | MQBACF_DESTINATION_CORREL_ID | hex 24                                       |           |       |        | Correlation identifier of publications sent to this subscription.
DESTQMGR | MQCACF_DESTINATION_Q_MGR     | object-name                                  |           |       |        | Queue manager of the destination.
DURABLE  | MQIACF_DURABLE_SUBSCRIPTION  | durability                                   | YES       |       | keep   | Whether the subscription survives a restart.
EXPIRY   | MQIACF_EXPIRY                | number 0..999999999 UNLIMITED=MQEI_UNLIMITED | UNLIMITED |       |        | Tenths of a second after which the subscription ends.
PSPROP   | MQIACF_PUBSUB_PROPERTIES     | properties                                   | MSGPROP   |       |        | How publish/subscribe properties are added to publications.
PUBACCT  | MQBACF_ACCOUNTING_TOKEN      | hex 32                                       |           |       |        | Accounting token of publications sent to this subscription.
PUBAPPID | MQCACF_APPL_IDENTITY_DATA    | text 32                                      |           |       |        | Application identity of publications sent to this subscription.
PUBPRTY  | MQIACF_PUB_PRIORITY          | published-priority                           | ASPUB     |       |        | Priority of publications sent to this subscription.
REQONLY  | MQIACF_REQUEST_ONLY          | reqonly                                      | NO        |       |        | Whether publications come only when asked for.
SELECTOR | MQCACF_SUB_SELECTOR          | text 10240                                   |           |       | define | Condition that publications must meet.
SELTYPE  | MQIACF_SELECTOR_TYPE         | selector-type                                | NONE      |       | keep   | Kind of selector.
SUBLEVEL | MQIACF_SUB_LEVEL             | number 0..9                                  | 1         |       | define | Level at which publications are intercepted.
SUBSCOPE | MQIACF_SUBSCRIPTION_SCOPE    | sub-scope                                    | ALL       |       | define | How far the subscription reaches.
SUBTYPE  | MQIACF_SUB_TYPE              | sub-type                                     | ADMIN     |       | keep   | How the subscription was made.
SUBUSER  | MQCACF_SUB_USER_ID           | text 64                                      |           |       |        | User whose authority the subscription has.
USERDATA | MQCACF_SUB_USER_DATA         | text 10240                                   |           |       |        | Text passed with each publication.
VARUSER  | MQIACF_VARIABLE_USER_ID      | varuser                                      | ANY       |       |        | Whether other users may take over the subscription.
WSCHEMA  | MQIACF_WILDCARD_SCHEMA       | wildcards                                    | TOPIC     |       | define | How wildcards in the topic string are read.
CRDATE
CRTIME
ALTDATE
ALTTIME
""",
    shared=SHARED_ROWS,
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
