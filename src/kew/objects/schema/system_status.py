"""Attributes of DISPLAY QMSTATUS, LOG, ARCHIVE, SYSTEM, USAGE, THREAD, TRACE, GROUP, SECURITY and CFSTATUS."""

from typing import Final

from kew.codes import attributes as a
from kew.objects.schema.common import (
    OBJECT_NAME,
    SHARED_KINDS,
    SHARED_REASONS,
    SHARED_ROWS,
)
from kew.objects.schema.grid import rows
from kew.objects.schema.model import LIVE, AttributeSpec, ObjectType, Row
from kew.objects.schema.storage import EXPAND, LOCATION, PAGE_CLASS, STRUCTURE_NAME
from kew.objects.schema.texts import Name, Text
from kew.objects.schema.values import Choice, Interval, ListOf, Number

# Whether a set of parameters is that of the start or what was set since.
PARAMETER_TYPE: Final = Row(
    "PARMTYPE",
    a.MQIACF_SYSP_TYPE,
    Choice({"INITIAL": a.MQSYSP_TYPE_INITIAL, "SET": a.MQSYSP_TYPE_SET}),
    "",
    "Whether the values are those of the start or set since.",
    role=LIVE,
)
STATISTICS_TIME: Final = Row(
    "STATIME",
    a.MQIACF_SYSP_SMF_STAT_TIME_MINS,
    Interval(inherit=False),
    "30",
    "Time between statistics records, MMMM.SS.",
    pcf_seconds=a.MQIACF_SYSP_SMF_STAT_TIME_SECS,
)
ACCOUNTING_TIME: Final = Row(
    "ACCTIME",
    a.MQIACF_SYSP_SMF_ACCT_TIME_MINS,
    Interval(inherit=True),
    "-1",
    "Time between accounting records, MMMM.SS; -1 for STATIME.",
    pcf_seconds=a.MQIACF_SYSP_SMF_ACCT_TIME_SECS,
)
THREAD_STATE: Final = Choice({"ACTIVE": 0, "INDOUBT": 1, "REGIONS": 2})
TRACE_TYPE: Final = Choice(
    {"GLOBAL": 1, "STAT": 2, "ACCTG": 3, "CHINIT": 4},
    synonyms={"G": "GLOBAL", "S": "STAT", "A": "ACCTG", "C": "CHINIT", "CHI": "CHINIT", "DQM": "CHINIT"},
)
TRACE_DESTINATION: Final = ListOf(Choice({"RES": 1, "GTF": 2, "SMF": 3, "SRV": 4}), 4)
TRACE_CLASS: Final = ListOf(Number(1, 32), 32)

KINDS: Final = {
    **SHARED_KINDS,
    "state": Choice(
        {
            "RUNNING": a.MQQMSTA_RUNNING,
            "STARTING": a.MQQMSTA_STARTING,
            "QUIESCING": a.MQQMSTA_QUIESCING,
            "STANDBY": a.MQQMSTA_STANDBY,
        }
    ),
    "extent": Text(24),
    "megabytes": Number(0, 2**63 - 1),
    "autoclus": Choice({"NONE": a.MQAUTOCLUS_TYPE_NONE, "UNIFORM": a.MQAUTOCLUS_TYPE_UNIFORM}),
    "part-state": Choice(
        {
            "RUNNING": a.MQSVC_STATUS_RUNNING,
            "STARTING": a.MQSVC_STATUS_STARTING,
            "STOPPING": a.MQSVC_STATUS_STOPPING,
            "STOPPED": a.MQSVC_STATUS_STOPPED,
            "RETRYING": a.MQSVC_STATUS_RETRYING,
        }
    ),
    "path": Text(1024),
    "address": Text(24),
    "log-type": Choice(
        {"CIRCULAR": a.MQLOGTYPE_CIRCULAR, "LINEAR": a.MQLOGTYPE_LINEAR, "REPLICATED": a.MQLOGTYPE_REPLICATED}
    ),
    "qmfsenc": Choice({"NO": a.MQFSENC_NO, "YES": a.MQFSENC_YES, "UNKNOWN": a.MQFSENC_UNKNOWN}),
    "standby": Choice({"NOPERMIT": a.MQSTDBY_NOT_PERMITTED, "PERMIT": a.MQSTDBY_PERMITTED}),
    "compress-log": Choice({"NONE": 0, "RLE": 1, "ANY": 2}),
    "offload": Choice(
        {
            "AVAILABLE": a.MQSYSP_STATUS_AVAILABLE,
            "BUSY": a.MQSYSP_STATUS_BUSY,
            "ALLOCATING": a.MQSYSP_STATUS_ALLOC_ARCHIVE,
            "COPYLOG": a.MQSYSP_STATUS_COPYING_LOG,
            "UNKNOWN": a.MQSYSP_STATUS_UNKNOWN,
        }
    ),
    "tstamp": Choice({"NO": a.MQSYSP_NO, "YES": a.MQSYSP_YES, "EXT": a.MQSYSP_EXTENDED}),
    "units": Choice({"BLK": a.MQSYSP_ALLOC_BLK, "TRK": a.MQSYSP_ALLOC_TRK, "CYL": a.MQSYSP_ALLOC_CYL}),
    "arcwrtc": ListOf(Number(1, 16), 14),
    "exclmsg": ListOf(Name(4), 16),
    "clcache": Choice({"STATIC": 0, "DYNAMIC": 1}),
    "expand": EXPAND,
    "page-state": Choice(
        {
            "AVAILABLE": a.MQUSAGE_PS_AVAILABLE,
            "DEFINED": a.MQUSAGE_PS_DEFINED,
            "OFFLINE": a.MQUSAGE_PS_OFFLINE,
            "NOTDEFINED": a.MQUSAGE_PS_NOT_DEFINED,
            "SUSPENDED": a.MQUSAGE_PS_SUSPENDED,
        }
    ),
    "location": LOCATION,
    "page-class": PAGE_CLASS,
    "data-set": Choice(
        {
            "OLDESTUOW": a.MQUSAGE_DS_OLDEST_ACTIVE_UOW,
            "OLDESTPS": a.MQUSAGE_DS_OLDEST_PS_RECOVERY,
            "OLDESTCF": a.MQUSAGE_DS_OLDEST_CF_RECOVERY,
        }
    ),
    "thread-state": THREAD_STATE,
    "uowstate": Choice(
        {
            "NONE": a.MQUOWST_NONE,
            "ACTIVE": a.MQUOWST_ACTIVE,
            "PREPARED": a.MQUOWST_PREPARED,
            "UNRESOLVED": a.MQUOWST_UNRESOLVED,
        }
    ),
    "trace-type": TRACE_TYPE,
    "trace-class": TRACE_CLASS,
    "trace-destination": TRACE_DESTINATION,
    "userid": ListOf(Text(12), 8),
    "rmid": ListOf(Number(0, 255), 8),
    "group-state": Choice(
        {
            "UNKNOWN": a.MQQSGS_UNKNOWN,
            "CREATED": a.MQQSGS_CREATED,
            "ACTIVE": a.MQQSGS_ACTIVE,
            "INACTIVE": a.MQQSGS_INACTIVE,
            "FAILED": a.MQQSGS_FAILED,
            "PENDING": a.MQQSGS_PENDING,
        }
    ),
    "switches": ListOf(Text(32), 32),
    "cftype": Choice({"APPL": a.MQCFTYPE_APPL, "ADMIN": a.MQCFTYPE_ADMIN}),
    "structure-state": Choice(
        {
            "ACTIVE": a.MQCFSTATUS_ACTIVE,
            "NOTFOUND": a.MQCFSTATUS_NOT_FOUND,
            "INBACKUP": a.MQCFSTATUS_IN_BACKUP,
            "INRECOVER": a.MQCFSTATUS_IN_RECOVER,
            "FAILED": a.MQCFSTATUS_FAILED,
            "UNKNOWN": a.MQCFSTATUS_UNKNOWN,
            "EMPTY": a.MQCFSTATUS_EMPTY,
            "NEW": a.MQCFSTATUS_NEW,
            "RECOVERED": a.MQCFSTATUS_RECOVERED,
            "NONE": a.MQCFSTATUS_NONE,
        }
    ),
    "offlduse": Choice({"NONE": a.MQCFOFFLD_NONE, "SMDS": a.MQCFOFFLD_SMDS}),
    "logs": ListOf(OBJECT_NAME, 32),
    "access": Choice(
        {"ENABLED": a.MQCFACCESS_ENABLED, "SUSPENDED": a.MQCFACCESS_SUSPENDED, "DISABLED": a.MQCFACCESS_DISABLED}
    ),
    "openmode": Choice(
        {
            "NONE": a.MQS_OPENMODE_NONE,
            "READONLY": a.MQS_OPENMODE_READONLY,
            "UPDATE": a.MQS_OPENMODE_UPDATE,
            "RECOVERY": a.MQS_OPENMODE_RECOVERY,
        }
    ),
    "status": Choice(
        {
            "CLOSED": a.MQS_STATUS_CLOSED,
            "CLOSING": a.MQS_STATUS_CLOSING,
            "OPENING": a.MQS_STATUS_OPENING,
            "OPEN": a.MQS_STATUS_OPEN,
            "NOTENABLED": a.MQS_STATUS_NOTENABLED,
            "ALLOCFAIL": a.MQS_STATUS_ALLOCFAIL,
            "OPENFAIL": a.MQS_STATUS_OPENFAIL,
            "STGFAIL": a.MQS_STATUS_STGFAIL,
            "DATAFAIL": a.MQS_STATUS_DATAFAIL,
        }
    ),
    "avail": Choice({"NORMAL": a.MQS_AVAIL_NORMAL, "ERROR": a.MQS_AVAIL_ERROR, "STOPPED": a.MQS_AVAIL_STOPPED}),
    "expandst": Choice(
        {"NORMAL": a.MQS_EXPANDST_NORMAL, "FAILED": a.MQS_EXPANDST_FAILED, "MAXIMUM": a.MQS_EXPANDST_MAXIMUM}
    ),
}
REASONS: Final = {
    **SHARED_REASONS,
    "complog": "log records are written as they are",
    "no-hardware": "there is no such hardware on this host",
    "acelim": "connections are limited by MAXCHL and MAXHANDS",
    "service": "it is reserved for z/OS service",
}
SHARED: Final = {
    **SHARED_ROWS,
    "PARMTYPE": PARAMETER_TYPE,
    "ACCTIME": ACCOUNTING_TIME,
    "STATIME": STATISTICS_TIME,
}

QMSTATUS_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                            | kind          | default | types | notes          | meaning
STATUS   | MQIACF_Q_MGR_STATUS            | state         |         |       | live           | State of the queue manager.
ARCHLOG  | MQCACF_ARCHIVE_LOG_EXTENT_NAME | extent        |         |       | live group=LOG | Oldest log extent that waits to be archived.
ARCHSZ   | MQIACF_ARCHIVE_LOG_SIZE        | megabytes     |         |       | live group=LOG | Megabytes of log that wait to be archived.
AUTOCLUS | MQIACF_AUTO_CLUSTER_TYPE       | autoclus      |         |       | live           | Kind of automatic cluster.
CHINIT   | MQIACF_CHINIT_STATUS           | part-state    |         |       | live           | State of the channel initiator.
CHKPTCNT | MQIACF_CHECKPOINT_COUNT        | count         |         |       | live           | Checkpoints taken since the start.
CHKPTOPS | MQIACF_CHECKPOINT_OPERATIONS   | count         |         |       | live           | Operations since the last checkpoint.
CHKPTSZ  | MQIACF_CHECKPOINT_SIZE         | megabytes     |         |       | live           | Megabytes of log since the last checkpoint.
CMDSERV  | MQIACF_CMD_SERVER_STATUS       | part-state    |         |       | live           | State of the command server.
CONNS    | MQIACF_CONNECTION_COUNT        | count         |         |       | live           | Number of connections.
CURRLOG  | MQCACF_CURRENT_LOG_EXTENT_NAME | extent        |         |       | live group=LOG | Log extent written now.
DATFSSZ  | MQIACF_DATA_FS_SIZE            | megabytes     |         |       | live           | Megabytes of the file system of the queues.
DATFSUSE | MQIACF_DATA_FS_IN_USE          | number 0..100 |         |       | live           | Percentage of it in use.
DATPATH  | MQCACF_Q_MGR_DATA_PATH         | path          |         |       | live           | Where the queue manager's data is.
DISKLSN  | MQCACF_DISK_WRITTEN_LSN        | address       |         |       | live group=LOG | Log address that is safe on disk.
HOSTNAME | MQCACF_HOST_NAME               | text 256      |         |       | live           | Host the queue manager runs on.
INSTDESC | MQCA_INSTALLATION_DESC         | text 64       |         |       | live           | Comment on the installation.
INSTNAME | MQCA_INSTALLATION_NAME         | text 16       |         |       | live           | Name of the installation.
INSTPATH | MQCA_INSTALLATION_PATH         | path          |         |       | live           | Where the installation is.
LOGEXTSZ | MQIACF_LOG_EXTENT_SIZE         | megabytes     |         |       | live group=LOG | Kilobytes of a log extent.
LOGFSSZ  | MQIACF_LOG_FS_SIZE             | megabytes     |         |       | live group=LOG | Megabytes of the file system of the log.
LOGFSUSE | MQIACF_LOG_FS_IN_USE           | number 0..100 |         |       | live group=LOG | Percentage of it in use.
LOGINUSE | MQIACF_LOG_IN_USE              | number 0..999 |         |       | live group=LOG | Percentage of the primary log needed for restart.
LOGPATH  | MQCACF_LOG_PATH                | path          |         |       | live group=LOG | Where the log is.
LOGPRIM  | MQIACF_LOG_PRIMARIES           | count         |         |       | live group=LOG | Primary log extents.
LOGSEC   | MQIACF_LOG_SECONDARIES         | count         |         |       | live group=LOG | Secondary log extents.
LOGSTRDA | MQCACF_LOG_START_DATE          | date          |         |       | live group=LOG | Date of the start of the log.
LOGSTRL  | MQCACF_LOG_START_LSN           | address       |         |       | live group=LOG | Address of the start of the log.
LOGSTRTI | MQCACF_LOG_START_TIME          | time          |         |       | live group=LOG | Time of the start of the log.
LOGTYPE  | MQIACF_LOG_TYPE                | log-type      |         |       | live group=LOG | Kind of logging.
LOGUTIL  | MQIACF_LOG_UTILIZATION         | number 0..999 |         |       | live group=LOG | How busy the log is, in percent.
MEDIALOG | MQCACF_MEDIA_LOG_EXTENT_NAME   | extent        |         |       | live group=LOG | Oldest log extent that media recovery needs.
MEDIASZ  | MQIACF_MEDIA_LOG_SIZE          | megabytes     |         |       | live group=LOG | Megabytes of log that media recovery needs.
QMFSENC  | MQIACF_Q_MGR_FS_ENCRYPTED      | qmfsenc       |         |       | live           | Whether the file system is encrypted.
QMFSSZ   | MQIACF_Q_MGR_FS_SIZE           | megabytes     |         |       | live           | Megabytes of the file system of the queue manager.
QMFSUSE  | MQIACF_Q_MGR_FS_IN_USE         | number 0..100 |         |       | live           | Percentage of it in use.
RECLOG   | MQCACF_RESTART_LOG_EXTENT_NAME | extent        |         |       | live group=LOG | Oldest log extent that a restart needs.
RECSZ    | MQIACF_RESTART_LOG_SIZE        | megabytes     |         |       | live group=LOG | Megabytes of log that a restart needs.
REUSESZ  | MQIACF_REUSABLE_LOG_SIZE       | megabytes     |         |       | live group=LOG | Megabytes of log that can be used again.
STANDBY  | MQIACF_PERMIT_STANDBY          | standby       |         |       | live           | Whether a standby may wait.
STARTDA  | MQCACF_Q_MGR_START_DATE        | date          |         |       | live           | Date the queue manager started.
STARTTI  | MQCACF_Q_MGR_START_TIME        | time          |         |       | live           | Time the queue manager started.
UNICLUS  | MQCACF_UNIFORM_CLUSTER_NAME    | object-name   |         |       | live           | Uniform cluster.
""",
)

LOG_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                           | kind                        | default | types | notes               | meaning
COMPLOG  | MQIACF_LOG_COMPRESSION        | compress-log                | NONE    |       | refused=complog     | How log records are compressed.
DEALLCT  | MQIACF_SYSP_DEALLOC_INTERVAL  | number 0..1439 NOLIMIT=1440 | 0       |       | refused=no-hardware | Minutes an unused archive tape stays mounted.
MAXARCH  | MQIACF_SYSP_MAX_ARCHIVE       | number 10..1000             | 500     |       |                     | Most archive logs that are remembered.
MAXCNOFF | MQIACF_SYSP_MAX_CONC_OFFLOADS | number 1..31                | 31      |       |                     | Most archive tasks at a time.
MAXRTU   | MQIACF_SYSP_MAX_READ_TAPES    | number 1..99                | 2       |       | refused=no-hardware | Most archive tapes read at a time.
WRTHRSH  | MQIACF_SYSP_OUT_BUFFER_COUNT  | number 1..256               | 20      |       |                     | Full log buffers that cause a write.
ZHYLINK  | MQIACF_SYSP_ZHYPERLINK        | yes-no                      | NO      |       | refused=no-hardware | Whether zHyperLink is used.
ZHYWRITE | MQIACF_SYSP_ZHYPERWRITE       | yes-no                      | NO      |       | refused=no-hardware | Whether zHyperWrite is used.
COPY     | MQIACF_SYSP_LOG_COPY          | number 0..2                 |         |       | live                | Copy of the log.
LOGRBA   | MQCACF_SYSP_LOG_RBA           | address                     |         |       | live                | Current log address.
DSNAME   | MQCACF_DATA_SET_NAME          | path                        |         |       | live                | Active log extent of the copy.
USED     | MQIACF_SYSP_LOG_USED          | number 0..100               |         |       | live                | Percentage of the active log in use.
FULLLOGS | MQIACF_SYSP_FULL_LOGS         | count                       |         |       | live                | Full active log extents.
TOTLOGS  | MQIACF_SYSP_TOTAL_LOGS        | count                       |         |       | live                | Active log extents.
OFFLOAD  | MQIACF_SYSP_OFFLOAD_STATUS    | offload                     |         |       | live                | State of archiving.
SUSPEND  | MQIACF_SYSP_LOG_SUSPEND       | yes-no                      |         |       | live                | Whether logging is suspended.
""",
    reasons=REASONS,
)

ARCHIVE_ROWS: Final = rows(
    KINDS,
    """
keyword | pcf                          | kind                | default | types | notes               | meaning
PARMTYPE
ARCPFX1 | MQCACF_SYSP_ARCHIVE_PFX1     | text 255            |         |       |                     | Folder for archive logs.
ARCPFX2 | MQCACF_SYSP_ARCHIVE_PFX2     | text 255            |         |       |                     | Folder for second copies of archive logs.
ARCRETN | MQIACF_SYSP_ARCHIVE_RETAIN   | number 0..9999      | 9999    |       |                     | Days an archive log is kept.
QUIESCE | MQIACF_SYSP_QUIESCE_INTERVAL | number 1..999       | 5       |       |                     | Most seconds ARCHIVE LOG MODE(QUIESCE) waits.
COMPACT | MQIACF_SYSP_COMPACT          | yes-no              | NO      |       |                     | Whether archive logs are compressed.
TSTAMP  | MQIACF_SYSP_TIMESTAMP        | tstamp              | NO      |       |                     | Whether the names of archive logs carry the time.
ALCUNIT | MQIACF_SYSP_ALLOC_UNIT       | units               | BLK     |       | refused=no-hardware | Unit of allocation.
PRIQTY  | MQIACF_SYSP_ALLOC_PRIMARY    | number 1..999999999 | 25715   |       | refused=no-hardware | Primary allocation.
SECQTY  | MQIACF_SYSP_ALLOC_SECONDARY  | number 1..999999999 | 540     |       | refused=no-hardware | Secondary allocation.
BLKSIZE | MQIACF_SYSP_BLOCK_SIZE       | number 4096..28672  | 24576   |       | refused=no-hardware | Block size.
CATALOG | MQIACF_SYSP_CATALOG          | yes-no              | NO      |       | refused=no-hardware | Whether archive data sets are catalogued.
PROTECT | MQIACF_SYSP_PROTECT          | yes-no              | NO      |       | refused=no-hardware | Whether archive data sets get discrete profiles.
ARCWTOR | MQIACF_SYSP_ARCHIVE_WTOR     | yes-no              | NO      |       | refused=no-hardware | Whether the operator is asked before an archive is mounted.
ARCWRTC | MQIACF_SYSP_ROUTING_CODE     | arcwrtc             | 1,3,4   |       | refused=no-hardware | Routing codes of messages about archives.
UNIT    | MQCACF_SYSP_ARCHIVE_UNIT1    | text 8              |         |       | refused=no-hardware | Device for archive logs.
UNIT2   | MQCACF_SYSP_ARCHIVE_UNIT2    | text 8              |         |       | refused=no-hardware | Device for second copies.
""",
    reasons=REASONS,
    shared=SHARED,
)

SYSTEM_ROWS: Final = rows(
    KINDS,
    """
keyword | pcf                           | kind                 | default | types | notes           | meaning
PARMTYPE
ACCTIME
ACELIM  | MQIACF_SYSP_MAX_ACE_POOL      | number 0..999999     | 0       |       | refused=acelim  | Kilobytes the connection pool may take; 0 for no limit.
EXCLMSG | MQCACF_EXCL_OPERATOR_MESSAGES | exclmsg              |         |       |                 | Operator messages that are not written.
LOGLOAD | MQIACF_SYSP_CHKPOINT_COUNT    | number 200..16000000 | 500000  |       |                 | Log records between checkpoints.
SERVICE | MQCACF_SYSP_SERVICE           | text 32              |         |       | refused=service | Reserved for service.
STATIME
TRACTBL | MQIACF_SYSP_TRACE_SIZE        | number 1..2048       | 99      |       |                 | Buffers of 4 KB of the resident trace.
CLCACHE | MQIACF_SYSP_CLUSTER_CACHE     | clcache              |         |       | live            | Kind of cluster cache.
CMDUSER | MQCACF_SYSP_CMD_USER_ID       | text 12              |         |       | live            | User of commands that come without one.
QMCCSID | MQIA_CODED_CHAR_SET_ID        | number 0..65535      |         |       | live            | Coded character set.
QSGDATA | MQCA_QSG_NAME                 | text 32              |         |       | live            | Queue sharing group.
SMFACCT | MQIACF_SYSP_SMF_ACCOUNTING    | yes-no               |         |       | live            | Whether accounting starts with the queue manager.
SMFSTAT | MQIACF_SYSP_SMF_STATS         | yes-no               |         |       | live            | Whether statistics start with the queue manager.
SPLCAP  | MQIA_PROT_POLICY_CAPABILITY   | yes-no               |         |       | live            | Whether message protection policies are enforced.
TRACSTR | MQIACF_SYSP_TRACE_CLASS       | yes-no               |         |       | live            | Whether global trace starts with the queue manager.
""",
    reasons=REASONS,
    shared=SHARED,
)

USAGE_PAGE_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                           | kind         | default | types | notes | meaning
BUFFPOOL | MQIACF_BUFFER_POOL_ID         | number 0..99 |         |       | live  | Buffer pool of the page set.
TOTAL    | MQIACF_USAGE_TOTAL_PAGES      | count        |         |       | live  | Pages of the page set.
UNUSED   | MQIACF_USAGE_UNUSED_PAGES     | count        |         |       | live  | Pages that hold nothing.
PERSIST  | MQIACF_USAGE_PERSIST_PAGES    | count        |         |       | live  | Pages that hold objects or persistent messages.
NONPERS  | MQIACF_USAGE_NONPERSIST_PAGES | count        |         |       | live  | Pages that hold non-persistent messages.
EXPAND   | MQIACF_USAGE_EXPAND_TYPE      | expand       |         |       | live  | How the page set grows.
EXPCOUNT | MQIACF_USAGE_EXPAND_COUNT     | count        |         |       | live  | Times it grew since the start.
STATUS   | MQIACF_PAGESET_STATUS         | page-state   |         |       | live  | State of the page set.
ENCRYPT  | MQIACF_DS_ENCRYPTED           | yes-no       |         |       | live  | Whether the page set is encrypted.
RBA      | MQCACF_USAGE_LOG_RBA          | address      |         |       | live  | Log address from which its recovery would start.
""",
)

USAGE_BUFFER_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                         | kind          | default | types | notes | meaning
BUFFERS  | MQIACF_USAGE_TOTAL_BUFFERS  | count         |         |       | live  | Buffers of the pool.
FREE     | MQIACF_USAGE_FREE_BUFF      | count         |         |       | live  | Buffers that can be taken.
FREEPCT  | MQIACF_USAGE_FREE_BUFF_PERC | number 0..100 |         |       | live  | Percentage that can be taken.
LOCATION | MQIACF_BUFFER_POOL_LOCATION | location      |         |       | live  | Whether the pool is in 64-bit storage.
PAGECLAS | MQIACF_PAGECLAS             | page-class    |         |       | live  | Whether the pool is fixed in memory.
""",
)

USAGE_DATA_ROWS: Final = rows(
    KINDS,
    """
keyword | pcf                        | kind     | default | types | notes | meaning
DSTYPE  | MQIACF_USAGE_DATA_SET_TYPE | data-set |         |       | live  | Kind of recovery that needs the log address.
RBA     | MQCACF_USAGE_LOG_RBA       | address  |         |       | live  | Oldest log address needed.
LRSN    | MQCACF_USAGE_LOG_LRSN      | address  |         |       | live  | Oldest record sequence needed.
DSNAME  | MQCACF_DATA_SET_NAME       | path     |         |       | live  | Log extent that holds it.
""",
)

USAGE_SMDS_ROWS: Final = rows(
    KINDS,
    """
keyword   | pcf                        | kind                         | default | types | notes | meaning
OFFLOADED | MQIACF_USAGE_OFFLOAD_MSGS  | count                        |         |       | live  | Messages in the data set.
TOTBLKS   | MQIACF_USAGE_TOTAL_BLOCKS  | count                        |         |       | live  | Blocks of the data set.
DATBLKS   | MQIACF_USAGE_DATA_BLOCKS   | count                        |         |       | live  | Blocks for message data.
USEDBLKS  | MQIACF_USAGE_USED_BLOCKS   | count                        |         |       | live  | Blocks in use.
USEDPCT   | MQIACF_USAGE_USED_RATE     | number 0..100                |         |       | live  | Percentage in use.
BLKSIZE   | MQIACF_USAGE_BLOCK_SIZE    | count                        |         |       | live  | Kilobytes of a block.
TOTBUFS   | MQIACF_USAGE_TOTAL_BUFFERS | count                        |         |       | live  | Buffers.
INUSE     | MQIACF_USAGE_INUSE_BUFFERS | count                        |         |       | live  | Buffers in use.
SAVED     | MQIACF_USAGE_SAVED_BUFFERS | count                        |         |       | live  | Buffers that keep data for later.
EMPTY     | MQIACF_USAGE_EMPTY_BUFFERS | count                        |         |       | live  | Buffers that are empty.
READSAVE  | MQIACF_USAGE_READS_SAVED   | number 0..100                |         |       | live  | Percentage of reads saved by buffers.
LOWFREE   | MQIACF_USAGE_LOWEST_FREE   | number -999999999..999999999 |         |       | live  | Fewest buffers that were free.
WAITRATE  | MQIACF_USAGE_WAIT_RATE     | number 0..100                |         |       | live  | Percentage of requests that waited.
""",
)

THREAD_ROWS: Final = rows(
    KINDS,
    """
keyword    | pcf                    | kind         | default | types | notes | meaning
TYPE       |                        | thread-state |         |       | live  | State of the thread.
THREADXREF |                        | text 24      |         |       | live  | Program the thread belongs to.
REQ        |                        | count        |         |       | live  | Requests made.
USERID     | MQCACF_USER_IDENTIFIER | text 64      |         |       | live  | User of the thread.
ASID       | MQCACF_ASID            | text 4       |         |       | live  | Address space or process.
URID       | MQCACF_Q_MGR_UOW_ID    | text 256     |         |       | live  | Unit of recovery.
UOWSTATE   | MQIACF_UOW_STATE       | uowstate     |         |       | live  | State of the unit of recovery.
NID        | MQCACF_ORIGIN_NAME     | text 280     |         |       | live  | Origin of the unit of recovery.
""",
)

TRACE_ROWS: Final = rows(
    KINDS,
    """
keyword | pcf                     | kind              | default | types | notes | meaning
TYPE    |                         | trace-type        |         |       | live  | Kind of trace.
CLASS   | MQIACF_SYSP_TRACE_CLASS | trace-class       |         |       | live  | Classes that are collected.
DEST    |                         | trace-destination |         |       | live  | Where the data goes.
USERID  | MQCACF_USER_IDENTIFIER  | userid            |         |       | live  | Users traced; blank for all.
RMID    |                         | rmid              |         |       | live  | Resource managers traced.
COMMENT |                         | text 128          |         |       | live  | Comment given at the start.
""",
)

GROUP_ROWS: Final = rows(
    KINDS,
    """
keyword | pcf                 | kind           | default | types | notes | meaning
QMNAME  | MQCA_Q_MGR_NAME     | object-name    |         |       | live  | Member of the group.
NUM     | MQIACF_Q_MGR_NUMBER | count          |         |       | live  | Number of the member.
PREFIX  | MQCACF_Q_MGR_CPF    | text 8         |         |       | live  | Command prefix.
STATUS  | MQIACF_Q_MGR_STATUS | group-state    |         |       | live  | State of the member.
VERSION | MQIA_COMMAND_LEVEL  | number 0..9999 |         |       | live  | Command level.
""",
)

SECURITY_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                      | kind            | default | types | notes | meaning
INTERVAL | MQIACF_SECURITY_INTERVAL | number 0..10080 | 12      |       |       | Minutes between checks for users that timed out.
TIMEOUT  | MQIACF_SECURITY_TIMEOUT  | number 0..10080 | 54      |       |       | Minutes after which what is known of an unused user is dropped.
SWITCHES | MQIACF_SECURITY_SWITCH   | switches        |         |       | live  | Security checks that are made.
""",
)

CF_SUMMARY_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                          | kind            | default | types | notes | meaning
CFTYPE   | MQIACF_CF_STRUC_TYPE         | cftype          |         |       | live  | Kind of structure.
STATUS   | MQIACF_CF_STRUC_STATUS       | structure-state |         |       | live  | State of the structure.
SIZEMAX  | MQIACF_CF_STRUC_SIZE_MAX     | count           |         |       | live  | Kilobytes of the structure.
SIZEUSED | MQIACF_CF_STRUC_SIZE_USED    | number 0..100   |         |       | live  | Percentage in use.
ENTSMAX  | MQIACF_CF_STRUC_ENTRIES_MAX  | count           |         |       | live  | List entries.
ENTSUSED | MQIACF_CF_STRUC_ENTRIES_USED | count           |         |       | live  | List entries in use.
OFFLDUSE | MQIA_CF_OFFLDUSE             | offlduse        |         |       | live  | Where large messages are.
FAILDATE | MQCACF_FAIL_DATE             | date            |         |       | live  | Date of failure.
FAILTIME | MQCACF_FAIL_TIME             | time            |         |       | live  | Time of failure.
""",
)

CF_CONNECT_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                    | kind            | default | types | notes | meaning
QMNAME   | MQCA_Q_MGR_NAME        | object-name     |         |       | live  | Queue manager.
SYSNAME  | MQCACF_SYSTEM_NAME     | text 8          |         |       | live  | System it runs on.
STATUS   | MQIACF_CF_STRUC_STATUS | structure-state |         |       | live  | State of its connection.
FAILDATE | MQCACF_FAIL_DATE       | date            |         |       | live  | Date of failure.
FAILTIME | MQCACF_FAIL_TIME       | time            |         |       | live  | Time of failure.
""",
)

CF_BACKUP_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                          | kind            | default | types | notes | meaning
STATUS   | MQIACF_CF_STRUC_STATUS       | structure-state |         |       | live  | State of backup.
QMNAME   | MQCA_Q_MGR_NAME              | object-name     |         |       | live  | Queue manager that took it.
BKUPDATE | MQCACF_BACKUP_DATE           | date            |         |       | live  | Date of the backup.
BKUPTIME | MQCACF_BACKUP_TIME           | time            |         |       | live  | Time of the backup.
BKUPSIZE | MQIACF_CF_STRUC_BACKUP_SIZE  | count           |         |       | live  | Megabytes of the backup.
BKUPSRBA | MQCACF_CF_STRUC_BACKUP_START | address         |         |       | live  | Log address of its start.
BKUPERBA | MQCACF_CF_STRUC_BACKUP_END   | address         |         |       | live  | Log address of its end.
LOGS     | MQCACF_CF_STRUC_LOG_Q_MGRS   | logs            |         |       | live  | Queue managers whose logs recovery needs.
""",
)

CF_SMDS_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                    | kind            | default | types | notes | meaning
SMDS     | MQCACF_CF_SMDS         | object-name     |         |       | live  | Queue manager that owns the data set.
STATUS   | MQIACF_SMDS_STATUS     | structure-state |         |       | live  | State of the data set.
ACCESS   | MQIACF_CF_STRUC_ACCESS | access          |         |       | live  | Whether the data set may be used.
RCVDATE  | MQCACF_RECOVERY_DATE   | date            |         |       | live  | Date recovery was enabled.
RCVTIME  | MQCACF_RECOVERY_TIME   | time            |         |       | live  | Time recovery was enabled.
FAILDATE | MQCACF_FAIL_DATE       | date            |         |       | live  | Date of failure.
FAILTIME | MQCACF_FAIL_TIME       | time            |         |       | live  | Time of failure.
""",
)

SMDSCONN_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                  | kind     | default | types | notes | meaning
CFSTRUCT | MQCA_CF_STRUC_NAME   | name 16  |         |       | live  | Structure the data set belongs to.
OPENMODE | MQIACF_SMDS_OPENMODE | openmode |         |       | live  | How the data set is open.
STATUS   | MQIACF_SMDS_STATUS   | status   |         |       | live  | State of the connection.
AVAIL    | MQIACF_SMDS_AVAIL    | avail    |         |       | live  | Whether the connection can be used.
EXPANDST | MQIACF_SMDS_EXPANDST | expandst |         |       | live  | State of expansion.
""",
)

QMNAME: Final = AttributeSpec("QMNAME", a.MQCA_Q_MGR_NAME, OBJECT_NAME, "", "Name of the queue manager.")

PAGE_SET: Final = AttributeSpec("PSID", a.MQIA_PAGESET_ID, Number(0, 99), 0, "Page set.")

POOL: Final = AttributeSpec("BUFFPOOL", a.MQIACF_BUFFER_POOL_ID, Number(0, 99), 0, "Buffer pool.")

THREAD_NAME: Final = AttributeSpec("THREAD", a.MQCACF_APPL_TAG, Text(28), "", "Connection name of the thread.")

TRACE_NUMBER: Final = AttributeSpec("TNO", 0, Number(1, 32), 1, "Number of the trace.")

SMDSCONN_NAME: Final = AttributeSpec(
    "SMDSCONN", a.MQCACF_CF_SMDSCONN, OBJECT_NAME, "", "Queue manager that owns the data set."
)

STRUCTURE: Final = ("CSQM201I", "Display CFSTATUS details.")

USAGE_TYPE: Final = a.MQIACF_USAGE_TYPE

STRUCTURE_TYPE: Final = a.MQIACF_CF_STATUS_TYPE

TYPES: Final = (
    ObjectType(
        "QMSTATUS",
        "QMSTATUS",
        ("AMQ8705I", "Display Queue Manager Status Details."),
        QMNAME,
        QMSTATUS_ROWS,
        type_keyword="TYPE",
        type_label="QMGR",
        pcf_subtype=(a.MQIACF_Q_MGR_STATUS_INFO_TYPE, a.MQIACF_Q_MGR_STATUS_INFO_Q_MGR),
        status=True,
        always="STATUS",
        help_text="State of the queue manager.",
    ),
    ObjectType(
        "LOG",
        "LOG",
        ("CSQJ322I", "DISPLAY LOG report"),
        None,
        LOG_ROWS,
        status=True,
        help_text="The recovery log and its parameters.",
    ),
    ObjectType(
        "ARCHIVE",
        "ARCHIVE",
        ("CSQJ322I", "DISPLAY ARCHIVE report"),
        None,
        ARCHIVE_ROWS,
        synonyms=("ARC",),
        status=True,
        always="PARMTYPE",
        help_text="Parameters of log archiving.",
    ),
    ObjectType(
        "SYSTEM",
        "SYSTEM",
        ("CSQJ322I", "DISPLAY SYSTEM report"),
        None,
        SYSTEM_ROWS,
        status=True,
        always="PARMTYPE",
        help_text="System parameters.",
    ),
    ObjectType(
        "USAGE",
        "USAGE",
        ("CSQI010I", "Page set usage ..."),
        PAGE_SET,
        USAGE_PAGE_ROWS,
        type_keyword="TYPE",
        type_label="PAGESET",
        pcf_subtype=(USAGE_TYPE, a.MQIACF_USAGE_PAGESET),
        status=True,
        help_text="How full page sets are.",
    ),
    ObjectType(
        "USAGEBUFFER",
        "USAGE",
        ("CSQP001I", "Buffer pool usage ..."),
        POOL,
        USAGE_BUFFER_ROWS,
        type_keyword="TYPE",
        type_label="BUFFPOOL",
        pcf_subtype=(USAGE_TYPE, a.MQIACF_USAGE_BUFFER_POOL),
        status=True,
        help_text="How full buffer pools are.",
    ),
    ObjectType(
        "USAGEDATASET",
        "USAGE",
        ("CSQI070I", "Data set usage ..."),
        None,
        USAGE_DATA_ROWS,
        type_keyword="TYPE",
        type_label="DATASET",
        pcf_subtype=(USAGE_TYPE, a.MQIACF_USAGE_DATA_SET),
        status=True,
        help_text="Which logs recovery needs.",
    ),
    ObjectType(
        "USAGESMDS",
        "USAGE",
        ("CSQE280I", "SMDS usage ..."),
        STRUCTURE_NAME,
        USAGE_SMDS_ROWS,
        type_keyword="TYPE",
        type_label="SMDS",
        pcf_subtype=(USAGE_TYPE, a.MQIACF_USAGE_SMDS),
        status=True,
        help_text="How full shared message data sets are.",
    ),
    ObjectType(
        "THREAD",
        "THREAD",
        ("CSQV401I", "DISPLAY THREAD report follows"),
        THREAD_NAME,
        THREAD_ROWS,
        synonyms=("THD",),
        status=True,
        help_text="Threads and their units of recovery.",
    ),
    ObjectType(
        "TRACE",
        "TRACE",
        ("CSQW127I", "Current trace activity is -"),
        TRACE_NUMBER,
        TRACE_ROWS,
        status=True,
        help_text="Traces that are running.",
    ),
    ObjectType(
        "GROUP",
        "GROUP",
        ("CSQM201I", "Display GROUP details."),
        None,
        GROUP_ROWS,
        status=True,
        help_text="Members of the queue sharing group.",
    ),
    ObjectType(
        "SECURITY",
        "SECURITY",
        ("CSQH015I", "Security details."),
        None,
        SECURITY_ROWS,
        synonyms=("SEC",),
        status=True,
        help_text="Parameters of security.",
    ),
    ObjectType(
        "CFSTATUS",
        "CFSTATUS",
        STRUCTURE,
        STRUCTURE_NAME,
        CF_SUMMARY_ROWS,
        type_keyword="TYPE",
        type_label="SUMMARY",
        pcf_subtype=(STRUCTURE_TYPE, a.MQIACF_CF_STATUS_SUMMARY),
        status=True,
        help_text="State of structures.",
    ),
    ObjectType(
        "CFCONNECT",
        "CFSTATUS",
        STRUCTURE,
        STRUCTURE_NAME,
        CF_CONNECT_ROWS,
        type_keyword="TYPE",
        type_label="CONNECT",
        pcf_subtype=(STRUCTURE_TYPE, a.MQIACF_CF_STATUS_CONNECT),
        status=True,
        help_text="Connections to structures.",
    ),
    ObjectType(
        "CFBACKUP",
        "CFSTATUS",
        STRUCTURE,
        STRUCTURE_NAME,
        CF_BACKUP_ROWS,
        type_keyword="TYPE",
        type_label="BACKUP",
        pcf_subtype=(STRUCTURE_TYPE, a.MQIACF_CF_STATUS_BACKUP),
        status=True,
        help_text="Backups of structures.",
    ),
    ObjectType(
        "CFSMDS",
        "CFSTATUS",
        STRUCTURE,
        STRUCTURE_NAME,
        CF_SMDS_ROWS,
        type_keyword="TYPE",
        type_label="SMDS",
        pcf_subtype=(STRUCTURE_TYPE, a.MQIACF_CF_STATUS_SMDS),
        status=True,
        help_text="State of shared message data sets.",
    ),
    ObjectType(
        "SMDSCONN",
        "SMDSCONN",
        ("CSQM201I", "Display SMDSCONN details."),
        SMDSCONN_NAME,
        SMDSCONN_ROWS,
        status=True,
        help_text="Connections to shared message data sets.",
    ),
)
