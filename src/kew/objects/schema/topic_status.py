"""What DISPLAY TPSTATUS, SBSTATUS and PUBSUB show: the topic tree, subscriptions and the engine between them."""

from typing import Final

from kew.codes import attributes as a
from kew.objects.schema import topics
from kew.objects.schema.common import COUNT, DATE, EXPIRY_CAP, OBJECT_NAME, TIME, YES_NO, live
from kew.objects.schema.model import AttributeSpec, ObjectType
from kew.objects.texts import Hex, Text
from kew.objects.values import Choice, Number

CONNECTION: Final = Hex(24)
SUBSCRIPTION_TYPE: Final = topics.SUB_TYPE
DURABLE: Final = Choice({"YES": a.MQSUB_DURABLE_YES, "NO": a.MQSUB_DURABLE_NO})

TOPIC_ROWS: Final = (
    live("ADMIN", a.MQCA_ADMIN_TOPIC_NAME, OBJECT_NAME, "Topic object defined for this point of the tree."),
    live("CAPEXPRY", a.MQIA_CAP_EXPIRY, EXPIRY_CAP, "Cap on expiry in force."),
    live("CLROUTE", a.MQIA_CLUSTER_PUB_ROUTE, topics.ROUTE, "How publications travel in the cluster."),
    live("CLUSTER", a.MQCA_CLUSTER_NAME, OBJECT_NAME, "Cluster the topic is in."),
    live("COMMINFO", a.MQCA_COMM_INFO_NAME, OBJECT_NAME, "Communication information object in force."),
    live("DEFPRESP", a.MQIA_DEF_PUT_RESPONSE_TYPE, topics.PUT_RESPONSE, "Put response in force."),
    live("DEFPRTY", a.MQIA_DEF_PRIORITY, topics.PRIORITY, "Priority in force."),
    live("DEFPSIST", a.MQIA_TOPIC_DEF_PERSISTENCE, topics.PERSISTENCE, "Persistence in force."),
    live("DURSUB", a.MQIA_DURABLE_SUB, topics.DURABLE, "Whether durable subscriptions may be made."),
    live("MCAST", a.MQIA_MULTICAST, topics.MULTICAST, "Whether multicast is used."),
    live("MDURMDL", a.MQCA_MODEL_DURABLE_Q, OBJECT_NAME, "Model queue for managed durable subscriptions."),
    live("MNDURMDL", a.MQCA_MODEL_NON_DURABLE_Q, OBJECT_NAME, "Model queue for managed non-durable subscriptions."),
    live("NPMSGDLV", a.MQIA_NPM_DELIVERY, topics.DELIVERY, "When a non-persistent publication counts as delivered."),
    live("PMSGDLV", a.MQIA_PM_DELIVERY, topics.DELIVERY, "When a persistent publication counts as delivered."),
    live("PUB", a.MQIA_INHIBIT_PUB, topics.PUBLISH, "Whether publishing is allowed."),
    live("PUBCOUNT", a.MQIA_PUB_COUNT, COUNT, "Number of publishers."),
    live("PUBSCOPE", a.MQIA_PUB_SCOPE, topics.SCOPE, "How far publications go."),
    live("RETAINED", a.MQIACF_RETAINED_PUBLICATION, YES_NO, "Whether there is a retained publication."),
    live("SUB", a.MQIA_INHIBIT_SUB, topics.SUBSCRIBE, "Whether subscribing is allowed."),
    live("SUBCOUNT", a.MQIA_SUB_COUNT, COUNT, "Number of subscribers."),
    live("SUBSCOPE", a.MQIA_SUB_SCOPE, topics.SCOPE, "How far subscriptions reach."),
    live("USEDLQ", a.MQIA_USE_DEAD_LETTER_Q, topics.DEAD_LETTER, "Whether the dead-letter queue is used."),
)
SUBSCRIBER_ROWS: Final = (
    live("SUBID", a.MQBACF_SUB_ID, Hex(24), "Identifier of the subscription."),
    live("SUBUSER", a.MQCACF_SUB_USER_ID, Text(64), "User whose authority the subscription has."),
    live("RESMDATE", a.MQCA_RESUME_DATE, DATE, "Date of the last resume."),
    live("RESMTIME", a.MQCA_RESUME_TIME, TIME, "Time of the last resume."),
    live("LMSGDATE", a.MQCACF_LAST_MSG_DATE, DATE, "Date a message was last put to it."),
    live("LMSGTIME", a.MQCACF_LAST_MSG_TIME, TIME, "Time a message was last put to it."),
    live("DURABLE", a.MQIACF_DURABLE_SUBSCRIPTION, DURABLE, "Whether the subscription survives a restart."),
    live("SUBTYPE", a.MQIACF_SUB_TYPE, SUBSCRIPTION_TYPE, "How the subscription was made."),
    live("ACTCONN", a.MQBACF_CONNECTION_ID, CONNECTION, "Connection that has the subscription open."),
    live("NUMMSGS", a.MQIACF_MESSAGE_COUNT, COUNT, "Messages put to it since it was made."),
    live("MCASTREL", a.MQIACF_MCAST_REL_INDICATOR, Number(0, 100), "Reliability of multicast messages."),
)
PUBLISHER_ROWS: Final = (
    live("LPUBDATE", a.MQCACF_LAST_PUB_DATE, DATE, "Date of the last publication."),
    live("LPUBTIME", a.MQCACF_LAST_PUB_TIME, TIME, "Time of the last publication."),
    live("ACTCONN", a.MQBACF_CONNECTION_ID, CONNECTION, "Connection that publishes."),
    live("NUMPUBS", a.MQIACF_PUBLISH_COUNT, COUNT, "Publications made."),
    live("MCASTREL", a.MQIACF_MCAST_REL_INDICATOR, Number(0, 100), "Reliability of multicast messages."),
)
SUBSCRIPTION_ROWS: Final = (
    live("SUBID", a.MQBACF_SUB_ID, Hex(24), "Identifier of the subscription."),
    live("SUBUSER", a.MQCACF_SUB_USER_ID, Text(64), "User whose authority the subscription has."),
    live("RESMDATE", a.MQCA_RESUME_DATE, DATE, "Date of the last resume."),
    live("RESMTIME", a.MQCA_RESUME_TIME, TIME, "Time of the last resume."),
    live("LMSGDATE", a.MQCACF_LAST_MSG_DATE, DATE, "Date a message was last put to it."),
    live("LMSGTIME", a.MQCACF_LAST_MSG_TIME, TIME, "Time a message was last put to it."),
    live("ACTCONN", a.MQBACF_CONNECTION_ID, CONNECTION, "Connection that has the subscription open."),
    live("DURABLE", a.MQIACF_DURABLE_SUBSCRIPTION, DURABLE, "Whether the subscription survives a restart."),
    live("MCASTREL", a.MQIACF_MCAST_REL_INDICATOR, Number(0, 100), "Reliability of multicast messages."),
    live("NUMMSGS", a.MQIACF_MESSAGE_COUNT, COUNT, "Messages put to it since it was made."),
    live("SUBTYPE", a.MQIACF_SUB_TYPE, SUBSCRIPTION_TYPE, "How the subscription was made."),
    live("TOPICSTR", a.MQCA_TOPIC_STRING, topics.TOPIC_STRING, "Topic string subscribed to."),
)

ENGINE_TYPE: Final = Choice({"LOCAL": a.MQPSST_LOCAL, "PARENT": a.MQPSST_PARENT, "CHILD": a.MQPSST_CHILD})
ENGINE_STATE: Final = Choice(
    {
        "ACTIVE": a.MQPS_STATUS_ACTIVE,
        "INACTIVE": a.MQPS_STATUS_INACTIVE,
        "STARTING": a.MQPS_STATUS_STARTING,
        "STOPPING": a.MQPS_STATUS_STOPPING,
        "COMPAT": a.MQPS_STATUS_COMPAT,
        "ERROR": a.MQPS_STATUS_ERROR,
        "REFUSED": a.MQPS_STATUS_REFUSED,
    }
)
ENGINE_ROWS: Final = (
    live("TYPE", a.MQIACF_PS_STATUS_TYPE, ENGINE_TYPE, "Whether this is the local engine or a relation."),
    live("QMNAME", a.MQCA_Q_MGR_NAME, OBJECT_NAME, "Queue manager."),
    live("STATUS", a.MQIACF_PUBSUB_STATUS, ENGINE_STATE, "State of the engine."),
    live("SUBCOUNT", a.MQIA_SUB_COUNT, COUNT, "Number of subscriptions."),
    live("TPCOUNT", a.MQIA_TOPIC_NODE_COUNT, COUNT, "Number of nodes of the topic tree."),
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
