"""Attributes of the queue manager itself, in the order DISPLAY QMGR shows them."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.codes import structures as s
from kew.objects.schema.common import (
    LEVELS,
    MESSAGE_LENGTH,
    NO_YES,
    OBJECT_NAME,
    SHARED_KINDS,
    SHARED_REASONS,
    SHARED_ROWS,
)
from kew.objects.schema.grid import rows
from kew.objects.schema.model import KEEP, AttributeSpec, ObjectType
from kew.objects.schema.values import Choice, Flag, ListOf, Number

ENABLED: Final = Choice({"DISABLED": a.MQCAP_NOT_SUPPORTED, "ENABLED": a.MQCAP_SUPPORTED})
TRACE: Final = Choice({"OFF": o.MQOTEL_TRACE_OFF, "ON": o.MQOTEL_TRACE_ON})
PORT: Final = Number(0, 65535)

KINDS: Final = {
    **SHARED_KINDS,
    "connection-override": Choice({"DISABLED": a.MQMON_DISABLED, "ENABLED": a.MQMON_ENABLED}),
    "seconds": Number(1, 604800),
    "off-on": Choice({"OFF": a.MQMON_OFF, "ON": a.MQMON_ON}),
    "off-on-none": Choice({"OFF": a.MQMON_OFF, "ON": a.MQMON_ON, "NONE": a.MQMON_NONE}),
    "recording": Choice({"MSG": a.MQRECORDING_MSG, "QUEUE": a.MQRECORDING_Q, "DISABLED": a.MQRECORDING_DISABLED}),
    "adopt-check": Choice(
        {
            "ALL": a.MQADOPT_CHECK_ALL,
            "NONE": a.MQADOPT_CHECK_NONE,
            "QMNAME": a.MQADOPT_CHECK_Q_MGR_NAME,
            "NETADDR": a.MQADOPT_CHECK_NET_ADDR,
            "CHANNEL": a.MQADOPT_CHECK_CHANNEL_NAME,
        }
    ),
    "adoptmca": Choice({"ALL": a.MQADOPT_TYPE_ALL, "NO": a.MQADOPT_TYPE_NO}),
    "enabled": ENABLED,
    "capability": Choice({"NO": a.MQCAP_NOT_SUPPORTED, "YES": a.MQCAP_SUPPORTED}),
    "authority-scope": Choice(
        {"FAILURES": a.MQAUSC_FAILURES, "ALLCONNS": a.MQAUSC_ALLCONNS, "ALLCHECKS": a.MQAUSC_ALLCHECKS}
    ),
    "authority-event": Choice(
        {
            "DISABLED": a.MQEVR_DISABLED,
            "ENABLED": a.MQEVR_ENABLED,
            "APIONLY": a.MQEVR_API_ONLY,
            "ADMNONLY": a.MQEVR_ADMIN_ONLY,
            "USERONLY": a.MQEVR_USER_ONLY,
        }
    ),
    "certvpol": Choice({"ANY": s.MQ_CERT_VAL_POLICY_ANY, "RFC5280": s.MQ_CERT_VAL_POLICY_RFC5280}),
    "cf-loss": Choice({"TERMINATE": a.MQCFCONLOS_TERMINATE, "TOLERATE": a.MQCFCONLOS_TOLERATE}),
    "chad": Choice({"DISABLED": a.MQCHAD_DISABLED, "ENABLED": a.MQCHAD_ENABLED}),
    "exception-event": Choice(
        {"DISABLED": a.MQEVR_DISABLED, "ENABLED": a.MQEVR_ENABLED, "EXCEPTION": a.MQEVR_EXCEPTION}
    ),
    "chlauth": Choice({"ENABLED": a.MQCHLA_ENABLED, "DISABLED": a.MQCHLA_DISABLED}),
    "use-queue": Choice({"LOCAL": a.MQCLWL_USEQ_LOCAL, "ANY": a.MQCLWL_USEQ_ANY}),
    "command-event": Choice(
        {"DISABLED": a.MQEVR_DISABLED, "ENABLED": a.MQEVR_ENABLED, "NODISPLAY": a.MQEVR_NO_DISPLAY}
    ),
    "defclxq": Choice({"SCTQ": a.MQCLXQ_SCTQ, "CHANNEL": a.MQCLXQ_CHANNEL}),
    "distl": Choice(NO_YES),
    "groupur": Choice({"DISABLED": a.MQGUR_DISABLED, "ENABLED": a.MQGUR_ENABLED}),
    "igq": Choice({"DISABLED": a.MQIGQ_DISABLED, "ENABLED": a.MQIGQ_ENABLED}),
    "igq-authority": Choice(
        {
            "DEF": a.MQIGQPA_DEFAULT,
            "CTX": a.MQIGQPA_CONTEXT,
            "ONLYIGQ": a.MQIGQPA_ONLY_IGQ,
            "ALTIGQ": a.MQIGQPA_ALTERNATE_OR_IGQ,
        }
    ),
    "image-recovery": Choice({"YES": a.MQIMGRCOV_YES, "NO": a.MQIMGRCOV_NO}),
    "imgsched": Choice({"MANUAL": a.MQMEDIMGSCHED_MANUAL, "AUTO": a.MQMEDIMGSCHED_AUTO}),
    "ipaddrv": Choice({"IPV4": a.MQIPADDR_IPV4, "IPV6": a.MQIPADDR_IPV6}),
    "maxmsgl": Number(32768, MESSAGE_LENGTH.high),
    "cluster-sender": Choice({"QMGR": a.MQMON_Q_MGR, **LEVELS}),
    "monitor": Choice({**LEVELS, "NONE": a.MQMON_NONE}),
    "port": PORT,
    "trace-propagation": Choice({"MANUAL": o.MQOTEL_PCTL_MANUAL, "AUTO": o.MQOTEL_PCTL_AUTO}),
    "trace": TRACE,
    "platform": Choice({"UNIX": a.MQPL_UNIX, "ZOS": a.MQPL_ZOS, "WINDOWSNT": a.MQPL_WINDOWS_NT}),
    "psmode": Choice({"ENABLED": a.MQPSM_ENABLED, "COMPAT": a.MQPSM_COMPAT, "DISABLED": a.MQPSM_DISABLED}),
    "psclus": Choice({"ENABLED": a.MQPSCLUS_ENABLED, "DISABLED": a.MQPSCLUS_DISABLED}),
    "undelivered-message": Choice({"DISCARD": a.MQUNDELIVERED_DISCARD, "KEEP": a.MQUNDELIVERED_KEEP}),
    "undelivered": Choice(
        {
            "NORMAL": a.MQUNDELIVERED_NORMAL,
            "SAFE": a.MQUNDELIVERED_SAFE,
            "DISCARD": a.MQUNDELIVERED_DISCARD,
            "KEEP": a.MQUNDELIVERED_KEEP,
        }
    ),
    "pssyncpt": Choice({"IFPER": a.MQSYNCPOINT_IFPER, "YES": a.MQSYNCPOINT_YES}),
    "receive-type": Choice({"MULTIPLY": a.MQRCVTIME_MULTIPLY, "ADD": a.MQRCVTIME_ADD, "EQUAL": a.MQRCVTIME_EQUAL}),
    "revdns": Choice({"ENABLED": a.MQRDNS_ENABLED, "DISABLED": a.MQRDNS_DISABLED}),
    "start-mode": Choice({"QMGR": a.MQSVC_CONTROL_Q_MGR, "MANUAL": a.MQSVC_CONTROL_MANUAL}),
    "scycase": Choice({"MIXED": a.MQSCYC_MIXED, "UPPER": a.MQSCYC_UPPER}),
    "sqqmname": Choice({"USE": a.MQSQQM_USE, "IGNORE": a.MQSQQM_IGNORE}),
    "sslfips": Choice({"NO": a.MQSSL_FIPS_NO, "YES": a.MQSSL_FIPS_YES}),
    "suite-b": ListOf(
        Choice({"NONE": s.MQ_SUITE_B_NONE, "128_BIT": s.MQ_SUITE_B_128_BIT, "192_BIT": s.MQ_SUITE_B_192_BIT}), 4
    ),
    "syncpt": Flag({"SYNCPT": a.MQSP_AVAILABLE, "NOSYNCPT": a.MQSP_NOT_AVAILABLE}),
    "tcpstack": Choice({"SINGLE": a.MQTCPSTACK_SINGLE, "MULTIPLE": a.MQTCPSTACK_MULTIPLE}),
    "traxstr": Choice(NO_YES),
}
REASONS: Final = {
    **SHARED_REASONS,
    "no-activity-trace": "application activity trace is not recorded",
    "bridgeev": "there is no OTMA bridge to IMS",
    "chiservp": "it is reserved for z/OS service",
    "custom": "no custom value of a queue manager is known",
    "groupur": "units of recovery belong to one queue manager",
    "igq": "messages between members of a group use channels",
    "no-hierarchy": "publish/subscribe uses clusters, not hierarchies",
    "scycase": "profiles keep the case they are written in",
    "sslcryp": "TLS uses the library of the system",
}

ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                            | kind                                                   | default                        | types | notes                                     | meaning
ACCTCONO | MQIA_ACCOUNTING_CONN_OVERRIDE  | connection-override                                    | DISABLED                       |       | group=SYSTEM                              | Whether a program may override ACCTMQI and ACCTQ when it connects.
ACCTINT  | MQIA_ACCOUNTING_INTERVAL       | seconds                                                | 1800                           |       | group=SYSTEM                              | Seconds between accounting messages of a long connection.
ACCTMQI  | MQIA_ACCOUNTING_MQI            | off-on                                                 | OFF                            |       | group=SYSTEM                              | Whether MQI accounting is collected.
ACCTQ    | MQIA_ACCOUNTING_Q              | off-on-none                                            | OFF                            |       | group=SYSTEM                              | Whether queue accounting is collected for queues that say QMGR.
ACTCHL   | MQIA_ACTIVE_CHANNELS           | number 1..9999                                         | 200                            |       | group=CHINIT restart                      | Most channels active at a time.
ACTIVREC | MQIA_ACTIVITY_RECORDING        | recording                                              | DISABLED                       |       | group=SYSTEM mq=MSG                       | Where activity reports go.
ACTVCONO | MQIA_ACTIVITY_CONN_OVERRIDE    | connection-override                                    | DISABLED                       |       | group=SYSTEM refused=no-activity-trace    | Whether a program may override ACTVTRC.
ACTVTRC  | MQIA_ACTIVITY_TRACE            | off-on                                                 | OFF                            |       | group=SYSTEM refused=no-activity-trace    | Whether application activity is traced.
ADOPTCHK | MQIA_ADOPTNEWMCA_CHECK         | adopt-check                                            | ALL                            |       | group=CHINIT                              | Match that an inbound channel needs to take over an orphan of the same name.
ADOPTMCA | MQIA_ADOPTNEWMCA_TYPE          | adoptmca                                               | ALL                            |       | group=CHINIT                              | Whether an inbound channel takes over an orphan of the same name.
ADVCAP   | MQIA_ADVANCED_CAPABILITY       | enabled                                                | DISABLED                       |       | live group=SYSTEM                         | Whether message encryption and its like are there.
ALTDATE
ALTTIME
AMQPCAP  | MQIA_AMQP_CAPABILITY           | capability                                             | NO                             |       | live group=SYSTEM                         | Whether AMQP channels are there.
AUTHEVSC | MQIA_AUTHOREV_SCOPE            | authority-scope                                        | FAILURES                       |       | group=EVENT                               | Which authority checks cause events.
AUTHOREV | MQIA_AUTHORITY_EVENT           | authority-event                                        | DISABLED                       |       | group=EVENT                               | Whether authority events are made.
BRIDGEEV | MQIA_BRIDGE_EVENT              | event                                                  | DISABLED                       |       | group=EVENT refused=bridgeev              | Whether IMS bridge events are made.
CCSID    | MQIA_CODED_CHAR_SET_ID         | number 1..65535                                        | 1208                           |       | group=SYSTEM restart mq=819 mq=437 mq=850 | Coded character set of the queue manager.
CERTLABL | MQCA_CERT_LABEL                | text 64                                                |                                |       | group=SYSTEM mq=ibmwebspheremq*           | Label of the certificate that channels present.
CERTQSGL | MQCA_QSG_CERT_LABEL            | text 64                                                |                                |       | group=SYSTEM                              | Label of the certificate that shared channels present.
CERTVPOL | MQIA_CERT_VAL_POLICY           | certvpol                                               | ANY                            |       | group=SYSTEM                              | How partners' certificates are checked.
CFCONLOS | MQIA_CF_CFCONLOS               | cf-loss                                                | TOLERATE                       |       | group=SYSTEM                              | Action on the loss of a coupling facility structure.
CHAD     | MQIA_CHANNEL_AUTO_DEF          | chad                                                   | DISABLED                       |       | group=CHINIT                              | Whether receiver and server-connection channels define themselves.
CHADEV   | MQIA_CHANNEL_AUTO_DEF_EVENT    | event                                                  | DISABLED                       |       | group=EVENT                               | Whether automatic definition causes events.
CHADEXIT | MQCA_CHANNEL_AUTO_DEF_EXIT     | text 128                                               |                                |       | group=CHINIT refused=no-exits             | Exit called at automatic definition.
CHIADAPS | MQIA_CHINIT_ADAPTERS           | number 0..9999                                         | 8                              |       | group=CHINIT restart                      | Adapter workers that run MQI calls for channels.
CHIDISPS | MQIA_CHINIT_DISPATCHERS        | number 1..9999                                         | 5                              |       | group=CHINIT restart                      | Dispatchers that run channels.
CHISERVP | MQCA_CHINIT_SERVICE_PARM       | text 32                                                |                                |       | group=CHINIT refused=chiservp             | Reserved for service.
CHLEV    | MQIA_CHANNEL_EVENT             | exception-event                                        | DISABLED                       |       | group=EVENT                               | Whether channel events are made.
CHLAUTH  | MQIA_CHLAUTH_RECORDS           | chlauth                                                | ENABLED                        |       | group=CHINIT                              | Whether channel authentication records are used.
CLWLDATA | MQCA_CLUSTER_WORKLOAD_DATA     | text 32                                                |                                |       | group=CLUSTER refused=no-exits            | Data passed to the cluster workload exit.
CLWLEXIT | MQCA_CLUSTER_WORKLOAD_EXIT     | text 128                                               |                                |       | group=CLUSTER refused=no-exits            | Cluster workload exit.
CLWLLEN  | MQIA_CLUSTER_WORKLOAD_LENGTH   | number 0..999999999                                    | 100                            |       | group=CLUSTER refused=no-exits            | Bytes of a message passed to the cluster workload exit.
CLWLMRUC | MQIA_CLWL_MRU_CHANNELS         | number 1..999999999                                    | 999999999                      |       | group=CLUSTER                             | Most recently used outbound channels a put chooses among.
CLWLUSEQ | MQIA_CLWL_USEQ                 | use-queue                                              | LOCAL                          |       | group=CLUSTER                             | Whether a put prefers a local queue, for queues that say QMGR.
CMDEV    | MQIA_COMMAND_EVENT             | command-event                                          | DISABLED                       |       | group=EVENT                               | Whether commands cause events.
CMDLEVEL | MQIA_COMMAND_LEVEL             | number 0..9999                                         | 940                            |       | live group=SYSTEM                         | Level of the commands that are understood.
COMMANDQ | MQCA_COMMAND_INPUT_Q_NAME      | object-name                                            | SYSTEM.ADMIN.COMMAND.QUEUE     |       | live group=SYSTEM                         | Queue the command server reads.
CONFIGEV | MQIA_CONFIGURATION_EVENT       | event                                                  | DISABLED                       |       | group=EVENT                               | Whether changed definitions cause events.
CONNAUTH | MQCA_CONN_AUTH                 | object-name                                            | SYSTEM.DEFAULT.AUTHINFO.IDPWOS |       | group=SYSTEM                              | Authentication information object that checks users and passwords.
CPILEVEL | MQIA_CPI_LEVEL                 | number 0..9999                                         | 100                            |       | live group=SYSTEM                         | Reserved.
CRDATE
CRTIME
CUSTOM   | MQCA_CUSTOM                    | text 128                                               |                                |       | group=SYSTEM refused=custom               | Reserved for values without an attribute of their own.
DEADQ    | MQCA_DEAD_LETTER_Q_NAME        | object-name                                            |                                |       | group=SYSTEM                              | Queue for messages that cannot be delivered.
DEFCLXQ  | MQIA_DEF_CLUSTER_XMIT_Q_TYPE   | defclxq                                                | SCTQ                           |       | group=CLUSTER                             | Whether cluster-sender channels share one transmission queue.
DEFXMITQ | MQCA_DEF_XMIT_Q_NAME           | object-name                                            |                                |       | group=SYSTEM                              | Transmission queue used when no other is known.
DESCR    | MQCA_Q_MGR_DESC                | description                                            |                                |       | group=SYSTEM                              | Comment on the queue manager.
DISTL    | MQIA_DIST_LISTS                | distl                                                  | YES                            |       | live group=SYSTEM                         | Whether distribution lists are understood.
DNSGROUP | MQCA_DNS_GROUP                 | name 18                                                |                                |       | group=CHINIT refused=no-sysplex           | Dynamic domain name group.
DNSWLM   | MQIA_DNS_WLM                   | yes-no                                                 | NO                             |       | group=CHINIT refused=no-sysplex           | Whether the listener registers with the workload manager.
EXPRYINT | MQIA_EXPIRY_INTERVAL           | number 1..99999999 OFF=MQEXPI_OFF                      | 300                            |       | group=SYSTEM synonym=EXPIRYINT            | Seconds between scans for expired messages.
GROUPUR  | MQIA_GROUP_UR                  | groupur                                                | DISABLED                       |       | group=SYSTEM refused=groupur              | Whether units of recovery may belong to the group.
IGQ      | MQIA_INTRA_GROUP_QUEUING       | igq                                                    | DISABLED                       |       | group=SYSTEM refused=igq                  | Whether intra-group queuing is used.
IGQAUT   | MQIA_IGQ_PUT_AUTHORITY         | igq-authority                                          | DEF                            |       | group=SYSTEM refused=igq                  | Authority used by intra-group queuing.
IGQUSER  | MQCA_IGQ_USER_ID               | text 12                                                |                                |       | group=SYSTEM refused=igq                  | User used by intra-group queuing.
IMGINTVL | MQIA_MEDIA_IMAGE_INTERVAL      | number 1..999999999 OFF=MQMEDIMGINTVL_OFF              | 60                             |       | group=SYSTEM                              | Minutes between automatic media images.
IMGLOGLN | MQIA_MEDIA_IMAGE_LOG_LENGTH    | number 1..999999999 OFF=MQMEDIMGLOGLN_OFF              | OFF                            |       | group=SYSTEM                              | Megabytes of log between automatic media images.
IMGRCOVO | MQIA_MEDIA_IMAGE_RECOVER_OBJ   | image-recovery                                         | YES                            |       | group=SYSTEM                              | Whether objects other than queues can be recovered from a media image.
IMGRCOVQ | MQIA_MEDIA_IMAGE_RECOVER_Q     | image-recovery                                         | YES                            |       | group=SYSTEM                              | Whether queues that say QMGR can be recovered from a media image.
IMGSCHED | MQIA_MEDIA_IMAGE_SCHEDULING    | imgsched                                               | MANUAL                         |       | group=SYSTEM                              | Whether media images are written automatically.
INHIBTEV | MQIA_INHIBIT_EVENT             | event                                                  | DISABLED                       |       | group=EVENT                               | Whether puts and gets that a queue forbids cause events.
INITKEY  | MQCA_INITIAL_KEY               | text 256                                               |                                |       | group=SYSTEM                              | Key that protects stored passwords; never shown.
IPADDRV  | MQIA_IP_ADDRESS_VERSION        | ipaddrv                                                | IPV4                           |       | group=CHINIT                              | Address family preferred for a host that has both.
LOCALEV  | MQIA_LOCAL_EVENT               | event                                                  | DISABLED                       |       | group=EVENT                               | Whether errors on local objects cause events.
LOGGEREV | MQIA_LOGGER_EVENT              | event                                                  | DISABLED                       |       | group=EVENT                               | Whether changes of log extent cause events.
LSTRTMR  | MQIA_LISTENER_TIMER            | number 5..9999                                         | 60                             |       | group=CHINIT                              | Seconds between attempts to restart a listener.
LU62ARM  | MQCA_LU62_ARM_SUFFIX           | text 2                                                 |                                |       | group=CHINIT refused=tcp-only             | Suffix of the APPC parameter member.
LU62CHL  | MQIA_LU62_CHANNELS             | number 0..9999                                         | 200                            |       | group=CHINIT refused=tcp-only             | Most LU 6.2 channels.
LUGROUP  | MQCA_LU_GROUP_NAME             | text 8                                                 |                                |       | group=CHINIT refused=tcp-only             | Generic LU name.
LUNAME   | MQCA_LU_NAME                   | text 8                                                 |                                |       | group=CHINIT refused=tcp-only             | LU name for outbound transmissions.
MARKINT  | MQIA_MSG_MARK_BROWSE_INTERVAL  | number 0..999999999 NOLIMIT=MQMMBI_UNLIMITED           | 5000                           |       | group=SYSTEM                              | Milliseconds a message stays marked as browsed.
MAXCHL   | MQIA_MAX_CHANNELS              | number 1..9999                                         | 200                            |       | group=CHINIT restart                      | Most channels current at a time.
MAXHANDS | MQIA_MAX_HANDLES               | number 1..999999999                                    | 256                            |       | group=SYSTEM                              | Most handles one connection may have open.
MAXMSGL  | MQIA_MAX_MSG_LENGTH            | maxmsgl                                                | 4194304                        |       | group=SYSTEM                              | Longest message in bytes on any queue.
MAXPROPL | MQIA_MAX_PROPERTIES_LENGTH     | number 0..104857600 NOLIMIT=MQPROP_UNRESTRICTED_LENGTH | NOLIMIT                        |       | group=SYSTEM                              | Most bytes of properties in one message.
MAXPRTY  | MQIA_MAX_PRIORITY              | number 0..9                                            | 9                              |       | live group=SYSTEM                         | Highest message priority.
MAXUMSGS | MQIA_MAX_UNCOMMITTED_MSGS      | number 1..999999999                                    | 10000                          |       | group=SYSTEM                              | Most uncommitted messages in one unit of work.
MONACLS  | MQIA_MONITORING_AUTO_CLUSSDR   | cluster-sender                                         | QMGR                           |       | group=CLUSTER                             | Level of monitoring of automatic cluster-sender channels.
MONCHL   | MQIA_MONITORING_CHANNEL        | monitor                                                | OFF                            |       | group=SYSTEM                              | Level of monitoring of channels that say QMGR.
MONQ     | MQIA_MONITORING_Q              | monitor                                                | OFF                            |       | group=SYSTEM                              | Level of monitoring of queues that say QMGR.
OPORTMAX | MQIA_OUTBOUND_PORT_MAX         | port                                                   | 0                              |       | group=CHINIT                              | Highest local port for outgoing channels; 0 for any.
OPORTMIN | MQIA_OUTBOUND_PORT_MIN         | port                                                   | 0                              |       | group=CHINIT                              | Lowest local port for outgoing channels; 0 for any.
OTELPCTL | MQIA_OTEL_PROPAGATION_CONTROL  | trace-propagation                                      | MANUAL                         |       | group=SYSTEM refused=no-telemetry         | How trace context is passed on.
OTELTRAC | MQIA_OTEL_TRACE                | trace                                                  | OFF                            |       | group=SYSTEM refused=no-telemetry         | Whether OpenTelemetry spans are made.
PARENT   | MQCA_PARENT                    | object-name                                            |                                |       | group=PUBSUB refused=no-hierarchy         | Parent in a publish/subscribe hierarchy.
PERFMEV  | MQIA_PERFORMANCE_EVENT         | event                                                  | DISABLED                       |       | group=EVENT                               | Whether performance events are made.
PLATFORM | MQIA_PLATFORM                  | platform                                               | UNIX                           |       | live group=SYSTEM                         | Kind of system this is.
PSMODE   | MQIA_PUBSUB_MODE               | psmode                                                 | ENABLED                        |       | group=PUBSUB                              | Whether publish/subscribe and its queued interface run.
PSCLUS   | MQIA_PUBSUB_CLUSTER            | psclus                                                 | ENABLED                        |       | group=PUBSUB                              | Whether cluster topics are taken part in.
PSNPMSG  | MQIA_PUBSUB_NP_MSG             | undelivered-message                                    | DISCARD                        |       | group=PUBSUB                              | Treatment of a non-persistent publication that cannot be processed.
PSNPRES  | MQIA_PUBSUB_NP_RESP            | undelivered                                            | NORMAL                         |       | group=PUBSUB                              | Treatment of a response that cannot be delivered.
PSRTYCNT | MQIA_PUBSUB_MAXMSG_RETRY_COUNT | number 0..999999999                                    | 5                              |       | group=PUBSUB                              | How often a publish/subscribe command message is retried.
PSSYNCPT | MQIA_PUBSUB_SYNC_PT            | pssyncpt                                               | IFPER                          |       | group=PUBSUB                              | Whether publish/subscribe command messages are processed in syncpoint.
QMID     | MQCA_Q_MGR_IDENTIFIER          | text 48                                                |                                |       | keep group=SYSTEM                         | Identifier given to the queue manager when it was created.
QSGNAME  | MQCA_QSG_NAME                  | name 4                                                 |                                |       | live group=SYSTEM                         | Queue sharing group.
RCVTIME  | MQIA_RECEIVE_TIMEOUT           | number 0..999999                                       | 0                              |       | group=CHINIT                              | Time, in the sense of RCVTTYPE, a channel waits for its partner.
RCVTMIN  | MQIA_RECEIVE_TIMEOUT_MIN       | number 0..999999                                       | 0                              |       | group=CHINIT                              | Least seconds a channel waits for its partner.
RCVTTYPE | MQIA_RECEIVE_TIMEOUT_TYPE      | receive-type                                           | MULTIPLY                       |       | group=CHINIT                              | Whether RCVTIME multiplies HBINT, is added to it, or stands alone.
REMOTEEV | MQIA_REMOTE_EVENT              | event                                                  | DISABLED                       |       | group=EVENT                               | Whether errors on remote objects cause events.
REPOS    | MQCA_REPOSITORY_NAME           | object-name                                            |                                |       | group=CLUSTER                             | Cluster this is a full repository of.
REPOSNL  | MQCA_REPOSITORY_NAMELIST       | object-name                                            |                                |       | group=CLUSTER                             | Namelist of clusters this is a full repository of.
REVDNS   | MQIA_REVERSE_DNS_LOOKUP        | revdns                                                 | DISABLED                       |       | group=CHINIT mq=ENABLED                   | Whether addresses of partners are turned into host names.
ROUTEREC | MQIA_TRACE_ROUTE_RECORDING     | recording                                              | DISABLED                       |       | group=SYSTEM mq=MSG                       | Where trace-route replies go.
SCHINIT  | MQIA_CHINIT_CONTROL            | start-mode                                             | QMGR                           |       | group=CHINIT                              | Whether the channel initiator starts with the queue manager.
SCMDSERV | MQIA_CMD_SERVER_CONTROL        | start-mode                                             | QMGR                           |       | group=SYSTEM                              | Whether the command server starts with the queue manager.
SCYCASE  | MQIA_SECURITY_CASE             | scycase                                                | MIXED                          |       | group=SYSTEM refused=scycase              | Case of security profiles.
SPLCAP   | MQIA_PROT_POLICY_CAPABILITY    | enabled                                                | ENABLED                        |       | live group=SYSTEM                         | Whether message protection policies are enforced.
SQQMNAME | MQIA_SHARED_Q_Q_MGR_NAME       | sqqmname                                               | USE                            |       | group=SYSTEM                              | Whether the queue manager name counts when a shared queue is opened.
SSLCRLNL | MQCA_SSL_CRL_NAMELIST          | object-name                                            |                                |       | group=SYSTEM                              | Namelist of authentication information objects for certificate revocation.
SSLCRYP  | MQCA_SSL_CRYPTO_HARDWARE       | text 256                                               |                                |       | group=SYSTEM refused=sslcryp              | Cryptographic hardware.
SSLEV    | MQIA_SSL_EVENT                 | event                                                  | DISABLED                       |       | group=EVENT                               | Whether TLS errors cause events.
SSLFIPS  | MQIA_SSL_FIPS_REQUIRED         | sslfips                                                | NO                             |       | group=SYSTEM                              | Whether only FIPS-certified algorithms are allowed.
KEYRPWD  | MQCA_SSL_KEY_REPO_PASSWORD     | text 1536                                              |                                |       | group=SYSTEM                              | Password of the key repository; never shown.
SSLKEYR  | MQCA_SSL_KEY_REPOSITORY        | text 256                                               |                                |       | group=SYSTEM                              | Key repository for TLS.
SSLRKEYC | MQIA_SSL_RESET_COUNT           | number 0..999999999                                    | 0                              |       | group=SYSTEM                              | Bytes after which the TLS secret key is renewed; 0 for never.
SSLTASKS | MQIA_SSL_TASKS                 | number 0..9999                                         | 0                              |       | group=CHINIT restart                      | Workers that run TLS calls.
STATACLS | MQIA_STATISTICS_AUTO_CLUSSDR   | cluster-sender                                         | QMGR                           |       | group=CLUSTER                             | Level of statistics of automatic cluster-sender channels.
STATCHL  | MQIA_STATISTICS_CHANNEL        | monitor                                                | OFF                            |       | group=SYSTEM                              | Level of statistics of channels that say QMGR.
STATINT  | MQIA_STATISTICS_INTERVAL       | seconds                                                | 1800                           |       | group=SYSTEM                              | Seconds between statistics messages.
STATMQI  | MQIA_STATISTICS_MQI            | off-on                                                 | OFF                            |       | group=SYSTEM                              | Whether MQI statistics are collected.
STATQ    | MQIA_STATISTICS_Q              | off-on-none                                            | OFF                            |       | group=SYSTEM                              | Whether queue statistics are collected for queues that say QMGR.
STRSTPEV | MQIA_START_STOP_EVENT          | event                                                  | ENABLED                        |       | group=EVENT                               | Whether start and stop cause events.
SUITEB   | MQIA_SUITE_B_STRENGTH          | suite-b                                                | NONE                           |       | group=SYSTEM                              | Suite B strengths that TLS is limited to.
SYNCPT   | MQIA_SYNCPOINT                 | syncpt                                                 | SYNCPT                         |       | live group=SYSTEM                         | Whether syncpoints are there.
TCPCHL   | MQIA_TCP_CHANNELS              | number 0..9999                                         | 200                            |       | group=CHINIT restart                      | Most TCP channels current at a time.
TCPKEEP  | MQIA_TCP_KEEP_ALIVE            | yes-no                                                 | NO                             |       | group=CHINIT                              | Whether TCP keepalive is used.
TCPNAME  | MQCA_TCP_NAME                  | text 8                                                 | TCPIP                          |       | group=CHINIT refused=no-sysplex           | Name of the TCP system.
TCPSTACK | MQIA_TCP_STACK_TYPE            | tcpstack                                               | SINGLE                         |       | group=CHINIT refused=no-sysplex           | Whether several TCP systems are used.
TRAXSTR  | MQIA_CHINIT_TRACE_AUTO_START   | traxstr                                                | NO                             |       | group=CHINIT                              | Whether channel initiator trace starts by itself.
TRAXTBL  | MQIA_CHINIT_TRACE_TABLE_SIZE   | number 0..2048                                         | 2                              |       | group=CHINIT                              | Megabytes of the channel initiator's trace.
TREELIFE | MQIA_TREE_LIFE_TIME            | number 0..604000                                       | 1800                           |       | group=PUBSUB                              | Seconds an unused node of the topic tree stays; 0 for ever.
TRIGINT  | MQIA_TRIGGER_INTERVAL          | number 0..999999999                                    | 999999999                      |       | group=SYSTEM                              | Milliseconds before a trigger of type FIRST is repeated.
VERSION  | MQCA_VERSION                   | text 8                                                 |                                |       | live group=SYSTEM                         | Version, release, modification and fix of the program.
XRCAP    | MQIA_XR_CAPABILITY             | capability                                             | NO                             |       | live group=SYSTEM                         | Whether MQTT channels are there.
""",
    reasons=REASONS,
    shared=SHARED_ROWS,
)

NAME: Final = AttributeSpec("QMNAME", a.MQCA_Q_MGR_NAME, OBJECT_NAME, "", "Name of the queue manager.", role=KEEP)

TYPES: Final = (
    ObjectType(
        "QMGR",
        "QMGR",
        ("AMQ8408I", "Display Queue Manager details."),
        NAME,
        ROWS,
        pcf_type=o.MQOT_Q_MGR,
        help_text="The queue manager.",
    ),
)
