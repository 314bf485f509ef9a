"""Attributes of DISPLAY TPSTATUS, SBSTATUS and PUBSUB: topic tree, subscriptions, publish/subscribe engine."""

from typing import Final

from kew.codes import attributes as a
from kew.objects.schema import topics
from kew.objects.schema.common import SHARED_KINDS
from kew.objects.schema.grid import rows
from kew.objects.schema.model import AttributeSpec, ObjectType
from kew.objects.schema.texts import Hex
from kew.objects.schema.values import Choice

KINDS: Final = {
    **SHARED_KINDS,
    "route": topics.ROUTE,
    "put-response": topics.PUT_RESPONSE,
    "priority": topics.PRIORITY,
    "persistence": topics.PERSISTENCE,
    "durable": Choice({"YES": a.MQSUB_DURABLE_YES, "NO": a.MQSUB_DURABLE_NO}),
    "may-be-durable": topics.DURABLE,
    "multicast": topics.MULTICAST,
    "delivery": topics.DELIVERY,
    "publish": topics.PUBLISH,
    "scope": topics.SCOPE,
    "subscribe": topics.SUBSCRIBE,
    "dead-letter": topics.DEAD_LETTER,
    "subscription-type": topics.SUB_TYPE,
    "connection": Hex(24),
    "topic-string": topics.TOPIC_STRING,
    "engine-type": Choice({"LOCAL": a.MQPSST_LOCAL, "PARENT": a.MQPSST_PARENT, "CHILD": a.MQPSST_CHILD}),
    "engine-state": Choice(
        {
            "ACTIVE": a.MQPS_STATUS_ACTIVE,
            "INACTIVE": a.MQPS_STATUS_INACTIVE,
            "STARTING": a.MQPS_STATUS_STARTING,
            "STOPPING": a.MQPS_STATUS_STOPPING,
            "COMPAT": a.MQPS_STATUS_COMPAT,
            "ERROR": a.MQPS_STATUS_ERROR,
            "REFUSED": a.MQPS_STATUS_REFUSED,
        }
    ),
}

TOPIC_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                         | kind           | default | types | notes | meaning
ADMIN    | MQCA_ADMIN_TOPIC_NAME       | object-name    |         |       | live  | Topic object defined for this point of the tree.
CAPEXPRY | MQIA_CAP_EXPIRY             | expiry-cap     |         |       | live  | Cap on expiry in force.
CLROUTE  | MQIA_CLUSTER_PUB_ROUTE      | route          |         |       | live  | How publications travel in the cluster.
CLUSTER  | MQCA_CLUSTER_NAME           | object-name    |         |       | live  | Cluster the topic is in.
COMMINFO | MQCA_COMM_INFO_NAME         | object-name    |         |       | live  | Communication information object in force.
DEFPRESP | MQIA_DEF_PUT_RESPONSE_TYPE  | put-response   |         |       | live  | Put response in force.
DEFPRTY  | MQIA_DEF_PRIORITY           | priority       |         |       | live  | Priority in force.
DEFPSIST | MQIA_TOPIC_DEF_PERSISTENCE  | persistence    |         |       | live  | Persistence in force.
DURSUB   | MQIA_DURABLE_SUB            | may-be-durable |         |       | live  | Whether durable subscriptions may be made.
MCAST    | MQIA_MULTICAST              | multicast      |         |       | live  | Whether multicast is used.
MDURMDL  | MQCA_MODEL_DURABLE_Q        | object-name    |         |       | live  | Model queue for managed durable subscriptions.
MNDURMDL | MQCA_MODEL_NON_DURABLE_Q    | object-name    |         |       | live  | Model queue for managed non-durable subscriptions.
NPMSGDLV | MQIA_NPM_DELIVERY           | delivery       |         |       | live  | When a non-persistent publication counts as delivered.
PMSGDLV  | MQIA_PM_DELIVERY            | delivery       |         |       | live  | When a persistent publication counts as delivered.
PUB      | MQIA_INHIBIT_PUB            | publish        |         |       | live  | Whether publishing is allowed.
PUBCOUNT | MQIA_PUB_COUNT              | count          |         |       | live  | Number of publishers.
PUBSCOPE | MQIA_PUB_SCOPE              | scope          |         |       | live  | How far publications go.
RETAINED | MQIACF_RETAINED_PUBLICATION | yes-no         |         |       | live  | Whether there is a retained publication.
SUB      | MQIA_INHIBIT_SUB            | subscribe      |         |       | live  | Whether subscribing is allowed.
SUBCOUNT | MQIA_SUB_COUNT              | count          |         |       | live  | Number of subscribers.
SUBSCOPE | MQIA_SUB_SCOPE              | scope          |         |       | live  | How far subscriptions reach.
USEDLQ   | MQIA_USE_DEAD_LETTER_Q      | dead-letter    |         |       | live  | Whether the dead-letter queue is used.
""",
)

SUBSCRIBER_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                         | kind              | default | types | notes | meaning
SUBID    | MQBACF_SUB_ID               | hex 24            |         |       | live  | Identifier of the subscription.
SUBUSER  | MQCACF_SUB_USER_ID          | text 64           |         |       | live  | User whose authority the subscription has.
RESMDATE | MQCA_RESUME_DATE            | date              |         |       | live  | Date of the last resume.
RESMTIME | MQCA_RESUME_TIME            | time              |         |       | live  | Time of the last resume.
LMSGDATE | MQCACF_LAST_MSG_DATE        | date              |         |       | live  | Date a message was last put to it.
LMSGTIME | MQCACF_LAST_MSG_TIME        | time              |         |       | live  | Time a message was last put to it.
DURABLE  | MQIACF_DURABLE_SUBSCRIPTION | durable           |         |       | live  | Whether the subscription survives a restart.
SUBTYPE  | MQIACF_SUB_TYPE             | subscription-type |         |       | live  | How the subscription was made.
ACTCONN  | MQBACF_CONNECTION_ID        | connection        |         |       | live  | Connection that has the subscription open.
NUMMSGS  | MQIACF_MESSAGE_COUNT        | count             |         |       | live  | Messages put to it since it was made.
MCASTREL | MQIACF_MCAST_REL_INDICATOR  | number 0..100     |         |       | live  | Reliability of multicast messages.
""",
)

PUBLISHER_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                        | kind          | default | types | notes | meaning
LPUBDATE | MQCACF_LAST_PUB_DATE       | date          |         |       | live  | Date of the last publication.
LPUBTIME | MQCACF_LAST_PUB_TIME       | time          |         |       | live  | Time of the last publication.
ACTCONN  | MQBACF_CONNECTION_ID       | connection    |         |       | live  | Connection that publishes.
NUMPUBS  | MQIACF_PUBLISH_COUNT       | count         |         |       | live  | Publications made.
MCASTREL | MQIACF_MCAST_REL_INDICATOR | number 0..100 |         |       | live  | Reliability of multicast messages.
""",
)

SUBSCRIPTION_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                         | kind              | default | types | notes | meaning
SUBID    | MQBACF_SUB_ID               | hex 24            |         |       | live  | Identifier of the subscription.
SUBUSER  | MQCACF_SUB_USER_ID          | text 64           |         |       | live  | User whose authority the subscription has.
RESMDATE | MQCA_RESUME_DATE            | date              |         |       | live  | Date of the last resume.
RESMTIME | MQCA_RESUME_TIME            | time              |         |       | live  | Time of the last resume.
LMSGDATE | MQCACF_LAST_MSG_DATE        | date              |         |       | live  | Date a message was last put to it.
LMSGTIME | MQCACF_LAST_MSG_TIME        | time              |         |       | live  | Time a message was last put to it.
ACTCONN  | MQBACF_CONNECTION_ID        | connection        |         |       | live  | Connection that has the subscription open.
DURABLE  | MQIACF_DURABLE_SUBSCRIPTION | durable           |         |       | live  | Whether the subscription survives a restart.
MCASTREL | MQIACF_MCAST_REL_INDICATOR  | number 0..100     |         |       | live  | Reliability of multicast messages.
NUMMSGS  | MQIACF_MESSAGE_COUNT        | count             |         |       | live  | Messages put to it since it was made.
SUBTYPE  | MQIACF_SUB_TYPE             | subscription-type |         |       | live  | How the subscription was made.
TOPICSTR | MQCA_TOPIC_STRING           | topic-string      |         |       | live  | Topic string subscribed to.
""",
)

ENGINE_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                   | kind         | default | types | notes | meaning
TYPE     | MQIACF_PS_STATUS_TYPE | engine-type  |         |       | live  | Whether this is the local engine or a relation.
QMNAME   | MQCA_Q_MGR_NAME       | object-name  |         |       | live  | Queue manager.
STATUS   | MQIACF_PUBSUB_STATUS  | engine-state |         |       | live  | State of the engine.
SUBCOUNT | MQIA_SUB_COUNT        | count        |         |       | live  | Number of subscriptions.
TPCOUNT  | MQIA_TOPIC_NODE_COUNT | count        |         |       | live  | Number of nodes of the topic tree.
""",
)

TOPIC_STRING_NAME: Final = AttributeSpec("TOPICSTR", a.MQCA_TOPIC_STRING, topics.TOPIC_STRING, "", "Topic string.")

TITLE: Final = ("AMQ8754I", "Display topic status details.")

STATUS_TYPE: Final = a.MQIACF_TOPIC_STATUS_TYPE

TYPES: Final = (
    ObjectType(
        "TPSTATUS",
        "TPSTATUS",
        TITLE,
        TOPIC_STRING_NAME,
        TOPIC_ROWS,
        synonyms=("TPS",),
        type_keyword="TYPE",
        type_label="TOPIC",
        pcf_subtype=(STATUS_TYPE, a.MQIACF_TOPIC_STATUS),
        status=True,
        always="ADMIN",
        help_text="Points of the topic tree.",
    ),
    ObjectType(
        "TPSUB",
        "TPSTATUS",
        TITLE,
        TOPIC_STRING_NAME,
        SUBSCRIBER_ROWS,
        type_keyword="TYPE",
        type_label="SUB",
        pcf_subtype=(STATUS_TYPE, a.MQIACF_TOPIC_SUB),
        status=True,
        always="SUBID",
        help_text="Subscribers of a topic.",
    ),
    ObjectType(
        "TPPUB",
        "TPSTATUS",
        TITLE,
        TOPIC_STRING_NAME,
        PUBLISHER_ROWS,
        type_keyword="TYPE",
        type_label="PUB",
        pcf_subtype=(STATUS_TYPE, a.MQIACF_TOPIC_PUB),
        status=True,
        always="ACTCONN",
        help_text="Publishers to a topic.",
    ),
    ObjectType(
        "SBSTATUS",
        "SBSTATUS",
        ("AMQ8099I", "Display subscription status details."),
        topics.SUB_NAME,
        SUBSCRIPTION_ROWS,
        status=True,
        always="SUBID",
        help_text="State of subscriptions.",
    ),
    ObjectType(
        "PUBSUB",
        "PUBSUB",
        ("AMQ8723I", "Display pub/sub status details."),
        None,
        ENGINE_ROWS,
        status=True,
        always="TYPE QMNAME STATUS",
        help_text="State of publish/subscribe.",
    ),
)
