"""What DISPLAY QMSTATUS, LOG, ARCHIVE, SYSTEM, USAGE, THREAD, TRACE, GROUP, SECURITY and CFSTATUS show."""

from typing import Final

from kew.codes import attributes as a
from kew.objects.schema.common import COUNT, DATE, MOST, OBJECT_NAME, TIME, YES_NO, live
from kew.objects.schema.model import SET, AttributeSpec, ObjectType, Row
from kew.objects.schema.storage import EXPAND, LOCATION, PAGE_CLASS, STRUCTURE_NAME
from kew.objects.texts import Name, Text
from kew.objects.values import Choice, Interval, ListOf, Number

PATH: Final = Text(1024)
ADDRESS: Final = Text(24)  # a log address as text
EXTENT: Final = Text(24)
MEGABYTES: Final = Number(0, 2**63 - 1)
STATE: Final = Choice(
    {
        "RUNNING": a.MQQMSTA_RUNNING,
        "STARTING": a.MQQMSTA_STARTING,
        "QUIESCING": a.MQQMSTA_QUIESCING,
        "STANDBY": a.MQQMSTA_STANDBY,
    }
)
PART_STATE: Final = Choice(
    {
        "RUNNING": a.MQSVC_STATUS_RUNNING,
        "STARTING": a.MQSVC_STATUS_STARTING,
        "STOPPING": a.MQSVC_STATUS_STOPPING,
        "STOPPED": a.MQSVC_STATUS_STOPPED,
        "RETRYING": a.MQSVC_STATUS_RETRYING,
    }
)
LOG_TYPE: Final = Choice(
    {"CIRCULAR": a.MQLOGTYPE_CIRCULAR, "LINEAR": a.MQLOGTYPE_LINEAR, "REPLICATED": a.MQLOGTYPE_REPLICATED}
)

QMSTATUS_ROWS: Final = (
    live("STATUS", a.MQIACF_Q_MGR_STATUS, STATE, "State of the queue manager."),
    live(
        "ARCHLOG", a.MQCACF_ARCHIVE_LOG_EXTENT_NAME, EXTENT, "Oldest log extent that waits to be archived.", group="LOG"
    ),
    live("ARCHSZ", a.MQIACF_ARCHIVE_LOG_SIZE, MEGABYTES, "Megabytes of log that wait to be archived.", group="LOG"),
    live(
        "AUTOCLUS",
        a.MQIACF_AUTO_CLUSTER_TYPE,
        Choice({"NONE": a.MQAUTOCLUS_TYPE_NONE, "UNIFORM": a.MQAUTOCLUS_TYPE_UNIFORM}),
        "Kind of automatic cluster.",
    ),
    live("CHINIT", a.MQIACF_CHINIT_STATUS, PART_STATE, "State of the channel initiator."),
    live("CHKPTCNT", a.MQIACF_CHECKPOINT_COUNT, COUNT, "Checkpoints taken since the start."),
    live("CHKPTOPS", a.MQIACF_CHECKPOINT_OPERATIONS, COUNT, "Operations since the last checkpoint."),
    live("CHKPTSZ", a.MQIACF_CHECKPOINT_SIZE, MEGABYTES, "Megabytes of log since the last checkpoint."),
    live("CMDSERV", a.MQIACF_CMD_SERVER_STATUS, PART_STATE, "State of the command server."),
    live("CONNS", a.MQIACF_CONNECTION_COUNT, COUNT, "Number of connections."),
    live("CURRLOG", a.MQCACF_CURRENT_LOG_EXTENT_NAME, EXTENT, "Log extent written now.", group="LOG"),
    live("DATFSSZ", a.MQIACF_DATA_FS_SIZE, MEGABYTES, "Megabytes of the file system of the queues."),
    live("DATFSUSE", a.MQIACF_DATA_FS_IN_USE, Number(0, 100), "Percentage of it in use."),
    live("DATPATH", a.MQCACF_Q_MGR_DATA_PATH, PATH, "Where the queue manager's data is."),
    live("DISKLSN", a.MQCACF_DISK_WRITTEN_LSN, ADDRESS, "Log address that is safe on disk.", group="LOG"),
    live("HOSTNAME", a.MQCACF_HOST_NAME, Text(256), "Host the queue manager runs on."),
    live("INSTDESC", a.MQCA_INSTALLATION_DESC, Text(64), "Comment on the installation."),
    live("INSTNAME", a.MQCA_INSTALLATION_NAME, Text(16), "Name of the installation."),
    live("INSTPATH", a.MQCA_INSTALLATION_PATH, PATH, "Where the installation is."),
    live("LOGEXTSZ", a.MQIACF_LOG_EXTENT_SIZE, MEGABYTES, "Kilobytes of a log extent.", group="LOG"),
    live("LOGFSSZ", a.MQIACF_LOG_FS_SIZE, MEGABYTES, "Megabytes of the file system of the log.", group="LOG"),
    live("LOGFSUSE", a.MQIACF_LOG_FS_IN_USE, Number(0, 100), "Percentage of it in use.", group="LOG"),
    live(
        "LOGINUSE",
        a.MQIACF_LOG_IN_USE,
        Number(0, 999),
        "Percentage of the primary log needed for restart.",
        group="LOG",
    ),
    live("LOGPATH", a.MQCACF_LOG_PATH, PATH, "Where the log is.", group="LOG"),
    live("LOGPRIM", a.MQIACF_LOG_PRIMARIES, COUNT, "Primary log extents.", group="LOG"),
    live("LOGSEC", a.MQIACF_LOG_SECONDARIES, COUNT, "Secondary log extents.", group="LOG"),
    live("LOGSTRDA", a.MQCACF_LOG_START_DATE, DATE, "Date of the start of the log.", group="LOG"),
    live("LOGSTRL", a.MQCACF_LOG_START_LSN, ADDRESS, "Address of the start of the log.", group="LOG"),
    live("LOGSTRTI", a.MQCACF_LOG_START_TIME, TIME, "Time of the start of the log.", group="LOG"),
    live("LOGTYPE", a.MQIACF_LOG_TYPE, LOG_TYPE, "Kind of logging.", group="LOG"),
    live("LOGUTIL", a.MQIACF_LOG_UTILIZATION, Number(0, 999), "How busy the log is, in percent.", group="LOG"),
    live(
        "MEDIALOG", a.MQCACF_MEDIA_LOG_EXTENT_NAME, EXTENT, "Oldest log extent that media recovery needs.", group="LOG"
    ),
    live("MEDIASZ", a.MQIACF_MEDIA_LOG_SIZE, MEGABYTES, "Megabytes of log that media recovery needs.", group="LOG"),
    live(
        "QMFSENC",
        a.MQIACF_Q_MGR_FS_ENCRYPTED,
        Choice({"NO": a.MQFSENC_NO, "YES": a.MQFSENC_YES, "UNKNOWN": a.MQFSENC_UNKNOWN}),
        "Whether the file system is encrypted.",
    ),
    live("QMFSSZ", a.MQIACF_Q_MGR_FS_SIZE, MEGABYTES, "Megabytes of the file system of the queue manager."),
    live("QMFSUSE", a.MQIACF_Q_MGR_FS_IN_USE, Number(0, 100), "Percentage of it in use."),
    live("RECLOG", a.MQCACF_RESTART_LOG_EXTENT_NAME, EXTENT, "Oldest log extent that a restart needs.", group="LOG"),
    live("RECSZ", a.MQIACF_RESTART_LOG_SIZE, MEGABYTES, "Megabytes of log that a restart needs.", group="LOG"),
    live("REUSESZ", a.MQIACF_REUSABLE_LOG_SIZE, MEGABYTES, "Megabytes of log that can be used again.", group="LOG"),
    live(
        "STANDBY",
        a.MQIACF_PERMIT_STANDBY,
        Choice({"NOPERMIT": a.MQSTDBY_NOT_PERMITTED, "PERMIT": a.MQSTDBY_PERMITTED}),
        "Whether a standby may wait.",
    ),
    live("STARTDA", a.MQCACF_Q_MGR_START_DATE, DATE, "Date the queue manager started."),
    live("STARTTI", a.MQCACF_Q_MGR_START_TIME, TIME, "Time the queue manager started."),
    live("UNICLUS", a.MQCACF_UNIFORM_CLUSTER_NAME, OBJECT_NAME, "Uniform cluster."),
)

NO_HARDWARE: Final = "there is no such hardware on this host"
COMPRESS_LOG: Final = Choice({"NONE": 0, "RLE": 1, "ANY": 2})
# Whether a set of parameters is that of the start or what was set since.
PARAMETER_TYPE: Final = live(
    "PARMTYPE",
    a.MQIACF_SYSP_TYPE,
    Choice({"INITIAL": a.MQSYSP_TYPE_INITIAL, "SET": a.MQSYSP_TYPE_SET}),
    "Whether the values are those of the start or set since.",
)
LOG_ROWS: Final = (
    Row(
        "COMPLOG",
        a.MQIACF_LOG_COMPRESSION,
        COMPRESS_LOG,
        "NONE",
        "How log records are compressed.",
        refused="log records are written as they are",
    ),
    Row(
        "DEALLCT",
        a.MQIACF_SYSP_DEALLOC_INTERVAL,
        Number(0, 1439, {"NOLIMIT": 1440}),
        "0",
        "Minutes an unused archive tape stays mounted.",
        refused=NO_HARDWARE,
    ),
    Row("MAXARCH", a.MQIACF_SYSP_MAX_ARCHIVE, Number(10, 1000), "500", "Most archive logs that are remembered."),
    Row("MAXCNOFF", a.MQIACF_SYSP_MAX_CONC_OFFLOADS, Number(1, 31), "31", "Most archive tasks at a time."),
    Row(
        "MAXRTU",
        a.MQIACF_SYSP_MAX_READ_TAPES,
        Number(1, 99),
        "2",
        "Most archive tapes read at a time.",
        refused=NO_HARDWARE,
    ),
    Row("WRTHRSH", a.MQIACF_SYSP_OUT_BUFFER_COUNT, Number(1, 256), "20", "Full log buffers that cause a write."),
    Row("ZHYLINK", a.MQIACF_SYSP_ZHYPERLINK, YES_NO, "NO", "Whether zHyperLink is used.", refused=NO_HARDWARE),
    Row("ZHYWRITE", a.MQIACF_SYSP_ZHYPERWRITE, YES_NO, "NO", "Whether zHyperWrite is used.", refused=NO_HARDWARE),
    live("COPY", a.MQIACF_SYSP_LOG_COPY, Number(0, 2), "Copy of the log."),
    live("LOGRBA", a.MQCACF_SYSP_LOG_RBA, ADDRESS, "Current log address."),
    live("DSNAME", a.MQCACF_DATA_SET_NAME, PATH, "Active log extent of the copy."),
    live("USED", a.MQIACF_SYSP_LOG_USED, Number(0, 100), "Percentage of the active log in use."),
    live("FULLLOGS", a.MQIACF_SYSP_FULL_LOGS, COUNT, "Full active log extents."),
    live("TOTLOGS", a.MQIACF_SYSP_TOTAL_LOGS, COUNT, "Active log extents."),
    live(
        "OFFLOAD",
        a.MQIACF_SYSP_OFFLOAD_STATUS,
        Choice(
            {
                "AVAILABLE": a.MQSYSP_STATUS_AVAILABLE,
                "BUSY": a.MQSYSP_STATUS_BUSY,
                "ALLOCATING": a.MQSYSP_STATUS_ALLOC_ARCHIVE,
                "COPYLOG": a.MQSYSP_STATUS_COPYING_LOG,
                "UNKNOWN": a.MQSYSP_STATUS_UNKNOWN,
            }
        ),
        "State of archiving.",
    ),
    live("SUSPEND", a.MQIACF_SYSP_LOG_SUSPEND, YES_NO, "Whether logging is suspended."),
)
UNITS: Final = Choice({"BLK": a.MQSYSP_ALLOC_BLK, "TRK": a.MQSYSP_ALLOC_TRK, "CYL": a.MQSYSP_ALLOC_CYL})
ARCHIVE_ROWS: Final = (
    PARAMETER_TYPE,
    Row("ARCPFX1", a.MQCACF_SYSP_ARCHIVE_PFX1, Text(255), "", "Folder for archive logs."),
    Row("ARCPFX2", a.MQCACF_SYSP_ARCHIVE_PFX2, Text(255), "", "Folder for second copies of archive logs."),
    Row("ARCRETN", a.MQIACF_SYSP_ARCHIVE_RETAIN, Number(0, 9999), "9999", "Days an archive log is kept."),
    Row(
        "QUIESCE", a.MQIACF_SYSP_QUIESCE_INTERVAL, Number(1, 999), "5", "Most seconds ARCHIVE LOG MODE(QUIESCE) waits."
    ),
    Row("COMPACT", a.MQIACF_SYSP_COMPACT, YES_NO, "NO", "Whether archive logs are compressed."),
    Row(
        "TSTAMP",
        a.MQIACF_SYSP_TIMESTAMP,
        Choice({"NO": a.MQSYSP_NO, "YES": a.MQSYSP_YES, "EXT": a.MQSYSP_EXTENDED}),
        "NO",
        "Whether the names of archive logs carry the time.",
    ),
    Row("ALCUNIT", a.MQIACF_SYSP_ALLOC_UNIT, UNITS, "BLK", "Unit of allocation.", refused=NO_HARDWARE),
    Row("PRIQTY", a.MQIACF_SYSP_ALLOC_PRIMARY, Number(1, MOST), "25715", "Primary allocation.", refused=NO_HARDWARE),
    Row("SECQTY", a.MQIACF_SYSP_ALLOC_SECONDARY, Number(1, MOST), "540", "Secondary allocation.", refused=NO_HARDWARE),
    Row("BLKSIZE", a.MQIACF_SYSP_BLOCK_SIZE, Number(4096, 28672), "24576", "Block size.", refused=NO_HARDWARE),
    Row(
        "CATALOG", a.MQIACF_SYSP_CATALOG, YES_NO, "NO", "Whether archive data sets are catalogued.", refused=NO_HARDWARE
    ),
    Row(
        "PROTECT",
        a.MQIACF_SYSP_PROTECT,
        YES_NO,
        "NO",
        "Whether archive data sets get discrete profiles.",
        refused=NO_HARDWARE,
    ),
    Row(
        "ARCWTOR",
        a.MQIACF_SYSP_ARCHIVE_WTOR,
        YES_NO,
        "NO",
        "Whether the operator is asked before an archive is mounted.",
        refused=NO_HARDWARE,
    ),
    Row(
        "ARCWRTC",
        a.MQIACF_SYSP_ROUTING_CODE,
        ListOf(Number(1, 16), 14),
        "1,3,4",
        "Routing codes of messages about archives.",
        refused=NO_HARDWARE,
    ),
    Row("UNIT", a.MQCACF_SYSP_ARCHIVE_UNIT1, Text(8), "", "Device for archive logs.", refused=NO_HARDWARE),
    Row("UNIT2", a.MQCACF_SYSP_ARCHIVE_UNIT2, Text(8), "", "Device for second copies.", refused=NO_HARDWARE),
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
SYSTEM_ROWS: Final = (
    PARAMETER_TYPE,
    ACCOUNTING_TIME,
    Row(
        "ACELIM",
        a.MQIACF_SYSP_MAX_ACE_POOL,
        Number(0, 999999),
        "0",
        "Kilobytes the connection pool may take; 0 for no limit.",
        refused="connections are limited by MAXCHL and MAXHANDS",
    ),
    Row("EXCLMSG", a.MQCACF_EXCL_OPERATOR_MESSAGES, ListOf(Name(4), 16), "", "Operator messages that are not written."),
    Row("LOGLOAD", a.MQIACF_SYSP_CHKPOINT_COUNT, Number(200, 16000000), "500000", "Log records between checkpoints."),
    Row(
        "SERVICE",
        a.MQCACF_SYSP_SERVICE,
        Text(32),
        "",
        "Reserved for service.",
        refused="it is reserved for z/OS service",
    ),
    STATISTICS_TIME,
    Row("TRACTBL", a.MQIACF_SYSP_TRACE_SIZE, Number(1, 2048), "99", "Buffers of 4 KB of the resident trace."),
    live("CLCACHE", a.MQIACF_SYSP_CLUSTER_CACHE, Choice({"STATIC": 0, "DYNAMIC": 1}), "Kind of cluster cache."),
    live("CMDUSER", a.MQCACF_SYSP_CMD_USER_ID, Text(12), "User of commands that come without one."),
    live("QMCCSID", a.MQIA_CODED_CHAR_SET_ID, Number(0, 65535), "Coded character set."),
    live("QSGDATA", a.MQCA_QSG_NAME, Text(32), "Queue sharing group."),
    live("SMFACCT", a.MQIACF_SYSP_SMF_ACCOUNTING, YES_NO, "Whether accounting starts with the queue manager."),
    live("SMFSTAT", a.MQIACF_SYSP_SMF_STATS, YES_NO, "Whether statistics start with the queue manager."),
    live("SPLCAP", a.MQIA_PROT_POLICY_CAPABILITY, YES_NO, "Whether message protection policies are enforced."),
    live("TRACSTR", a.MQIACF_SYSP_TRACE_CLASS, YES_NO, "Whether global trace starts with the queue manager."),
)

PAGE_STATE: Final = Choice(
    {
        "AVAILABLE": a.MQUSAGE_PS_AVAILABLE,
        "DEFINED": a.MQUSAGE_PS_DEFINED,
        "OFFLINE": a.MQUSAGE_PS_OFFLINE,
        "NOTDEFINED": a.MQUSAGE_PS_NOT_DEFINED,
        "SUSPENDED": a.MQUSAGE_PS_SUSPENDED,
    }
)
USAGE_PAGE_ROWS: Final = (
    live("BUFFPOOL", a.MQIACF_BUFFER_POOL_ID, Number(0, 99), "Buffer pool of the page set."),
    live("TOTAL", a.MQIACF_USAGE_TOTAL_PAGES, COUNT, "Pages of the page set."),
    live("UNUSED", a.MQIACF_USAGE_UNUSED_PAGES, COUNT, "Pages that hold nothing."),
    live("PERSIST", a.MQIACF_USAGE_PERSIST_PAGES, COUNT, "Pages that hold objects or persistent messages."),
    live("NONPERS", a.MQIACF_USAGE_NONPERSIST_PAGES, COUNT, "Pages that hold non-persistent messages."),
    live("EXPAND", a.MQIACF_USAGE_EXPAND_TYPE, EXPAND, "How the page set grows."),
    live("EXPCOUNT", a.MQIACF_USAGE_EXPAND_COUNT, COUNT, "Times it grew since the start."),
    live("STATUS", a.MQIACF_PAGESET_STATUS, PAGE_STATE, "State of the page set."),
    live("ENCRYPT", a.MQIACF_DS_ENCRYPTED, YES_NO, "Whether the page set is encrypted."),
    live("RBA", a.MQCACF_USAGE_LOG_RBA, ADDRESS, "Log address from which its recovery would start."),
)
USAGE_BUFFER_ROWS: Final = (
    live("BUFFERS", a.MQIACF_USAGE_TOTAL_BUFFERS, COUNT, "Buffers of the pool."),
    live("FREE", a.MQIACF_USAGE_FREE_BUFF, COUNT, "Buffers that can be taken."),
    live("FREEPCT", a.MQIACF_USAGE_FREE_BUFF_PERC, Number(0, 100), "Percentage that can be taken."),
    live("LOCATION", a.MQIACF_BUFFER_POOL_LOCATION, LOCATION, "Whether the pool is in 64-bit storage."),
    live("PAGECLAS", a.MQIACF_PAGECLAS, PAGE_CLASS, "Whether the pool is fixed in memory."),
)
DATA_SET: Final = Choice(
    {
        "OLDESTUOW": a.MQUSAGE_DS_OLDEST_ACTIVE_UOW,
        "OLDESTPS": a.MQUSAGE_DS_OLDEST_PS_RECOVERY,
        "OLDESTCF": a.MQUSAGE_DS_OLDEST_CF_RECOVERY,
    }
)
USAGE_DATA_ROWS: Final = (
    live("DSTYPE", a.MQIACF_USAGE_DATA_SET_TYPE, DATA_SET, "What the log address is needed for."),
    live("RBA", a.MQCACF_USAGE_LOG_RBA, ADDRESS, "Oldest log address needed."),
    live("LRSN", a.MQCACF_USAGE_LOG_LRSN, ADDRESS, "Oldest record sequence needed."),
    live("DSNAME", a.MQCACF_DATA_SET_NAME, PATH, "Log extent that holds it."),
)
USAGE_SMDS_ROWS: Final = (
    live("OFFLOADED", a.MQIACF_USAGE_OFFLOAD_MSGS, COUNT, "Messages in the data set."),
    live("TOTBLKS", a.MQIACF_USAGE_TOTAL_BLOCKS, COUNT, "Blocks of the data set."),
    live("DATBLKS", a.MQIACF_USAGE_DATA_BLOCKS, COUNT, "Blocks for message data."),
    live("USEDBLKS", a.MQIACF_USAGE_USED_BLOCKS, COUNT, "Blocks in use."),
    live("USEDPCT", a.MQIACF_USAGE_USED_RATE, Number(0, 100), "Percentage in use."),
    live("BLKSIZE", a.MQIACF_USAGE_BLOCK_SIZE, COUNT, "Kilobytes of a block."),
    live("TOTBUFS", a.MQIACF_USAGE_TOTAL_BUFFERS, COUNT, "Buffers."),
    live("INUSE", a.MQIACF_USAGE_INUSE_BUFFERS, COUNT, "Buffers in use."),
    live("SAVED", a.MQIACF_USAGE_SAVED_BUFFERS, COUNT, "Buffers that keep data for later."),
    live("EMPTY", a.MQIACF_USAGE_EMPTY_BUFFERS, COUNT, "Buffers that are empty."),
    live("READSAVE", a.MQIACF_USAGE_READS_SAVED, Number(0, 100), "Percentage of reads saved by buffers."),
    live("LOWFREE", a.MQIACF_USAGE_LOWEST_FREE, Number(-MOST, MOST), "Fewest buffers that were free."),
    live("WAITRATE", a.MQIACF_USAGE_WAIT_RATE, Number(0, 100), "Percentage of requests that waited."),
)

THREAD_STATE: Final = Choice({"ACTIVE": 0, "INDOUBT": 1, "REGIONS": 2})
THREAD_ROWS: Final = (
    live("TYPE", 0, THREAD_STATE, "State of the thread."),
    live("THREADXREF", 0, Text(24), "Program the thread belongs to."),
    live("REQ", 0, COUNT, "Requests made."),
    live("USERID", a.MQCACF_USER_IDENTIFIER, Text(64), "User of the thread."),
    live("ASID", a.MQCACF_ASID, Text(4), "Address space or process."),
    live("URID", a.MQCACF_Q_MGR_UOW_ID, Text(256), "Unit of recovery."),
    live(
        "UOWSTATE",
        a.MQIACF_UOW_STATE,
        Choice(
            {
                "NONE": a.MQUOWST_NONE,
                "ACTIVE": a.MQUOWST_ACTIVE,
                "PREPARED": a.MQUOWST_PREPARED,
                "UNRESOLVED": a.MQUOWST_UNRESOLVED,
            }
        ),
        "State of the unit of recovery.",
    ),
    live("NID", a.MQCACF_ORIGIN_NAME, Text(280), "Who began the unit of recovery."),
)
TRACE_TYPE: Final = Choice(
    {"GLOBAL": 1, "STAT": 2, "ACCTG": 3, "CHINIT": 4},
    synonyms={"G": "GLOBAL", "S": "STAT", "A": "ACCTG", "C": "CHINIT", "CHI": "CHINIT", "DQM": "CHINIT"},
)
TRACE_DESTINATION: Final = ListOf(Choice({"RES": 1, "GTF": 2, "SMF": 3, "SRV": 4}), 4)
TRACE_CLASS: Final = ListOf(Number(1, 32), 32)
TRACE_ROWS: Final = (
    live("TYPE", 0, TRACE_TYPE, "Kind of trace."),
    live("CLASS", a.MQIACF_SYSP_TRACE_CLASS, TRACE_CLASS, "Classes that are collected."),
    live("DEST", 0, TRACE_DESTINATION, "Where the data goes."),
    live("USERID", a.MQCACF_USER_IDENTIFIER, ListOf(Text(12), 8), "Users traced; blank for all."),
    live("RMID", 0, ListOf(Number(0, 255), 8), "Resource managers traced."),
    live("COMMENT", 0, Text(128), "Comment given at the start."),
)
GROUP_STATE: Final = Choice(
    {
        "UNKNOWN": a.MQQSGS_UNKNOWN,
        "CREATED": a.MQQSGS_CREATED,
        "ACTIVE": a.MQQSGS_ACTIVE,
        "INACTIVE": a.MQQSGS_INACTIVE,
        "FAILED": a.MQQSGS_FAILED,
        "PENDING": a.MQQSGS_PENDING,
    }
)
GROUP_ROWS: Final = (
    live("QMNAME", a.MQCA_Q_MGR_NAME, OBJECT_NAME, "Member of the group."),
    live("NUM", a.MQIACF_Q_MGR_NUMBER, COUNT, "Number of the member."),
    live("PREFIX", a.MQCACF_Q_MGR_CPF, Text(8), "Command prefix."),
    live("STATUS", a.MQIACF_Q_MGR_STATUS, GROUP_STATE, "State of the member."),
    live("VERSION", a.MQIA_COMMAND_LEVEL, Number(0, 9999), "Command level."),
)
SECURITY_ROWS: Final = (
    Row(
        "INTERVAL",
        a.MQIACF_SECURITY_INTERVAL,
        Number(0, 10080),
        "12",
        "Minutes between checks for users that timed out.",
        role=SET,
    ),
    Row(
        "TIMEOUT",
        a.MQIACF_SECURITY_TIMEOUT,
        Number(0, 10080),
        "54",
        "Minutes after which what is known of an unused user is dropped.",
        role=SET,
    ),
    live("SWITCHES", a.MQIACF_SECURITY_SWITCH, ListOf(Text(32), 32), "What is checked."),
)
STRUCTURE_STATE: Final = Choice(
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
)
CF_SUMMARY_ROWS: Final = (
    live(
        "CFTYPE",
        a.MQIACF_CF_STRUC_TYPE,
        Choice({"APPL": a.MQCFTYPE_APPL, "ADMIN": a.MQCFTYPE_ADMIN}),
        "Kind of structure.",
    ),
    live("STATUS", a.MQIACF_CF_STRUC_STATUS, STRUCTURE_STATE, "State of the structure."),
    live("SIZEMAX", a.MQIACF_CF_STRUC_SIZE_MAX, COUNT, "Kilobytes of the structure."),
    live("SIZEUSED", a.MQIACF_CF_STRUC_SIZE_USED, Number(0, 100), "Percentage in use."),
    live("ENTSMAX", a.MQIACF_CF_STRUC_ENTRIES_MAX, COUNT, "List entries."),
    live("ENTSUSED", a.MQIACF_CF_STRUC_ENTRIES_USED, COUNT, "List entries in use."),
    live(
        "OFFLDUSE",
        a.MQIA_CF_OFFLDUSE,
        Choice({"NONE": a.MQCFOFFLD_NONE, "SMDS": a.MQCFOFFLD_SMDS}),
        "Where large messages are.",
    ),
    live("FAILDATE", a.MQCACF_FAIL_DATE, DATE, "Date of failure."),
    live("FAILTIME", a.MQCACF_FAIL_TIME, TIME, "Time of failure."),
)
CF_CONNECT_ROWS: Final = (
    live("QMNAME", a.MQCA_Q_MGR_NAME, OBJECT_NAME, "Queue manager."),
    live("SYSNAME", a.MQCACF_SYSTEM_NAME, Text(8), "System it runs on."),
    live("STATUS", a.MQIACF_CF_STRUC_STATUS, STRUCTURE_STATE, "State of its connection."),
    live("FAILDATE", a.MQCACF_FAIL_DATE, DATE, "Date of failure."),
    live("FAILTIME", a.MQCACF_FAIL_TIME, TIME, "Time of failure."),
)
CF_BACKUP_ROWS: Final = (
    live("STATUS", a.MQIACF_CF_STRUC_STATUS, STRUCTURE_STATE, "State of backup."),
    live("QMNAME", a.MQCA_Q_MGR_NAME, OBJECT_NAME, "Queue manager that took it."),
    live("BKUPDATE", a.MQCACF_BACKUP_DATE, DATE, "Date of the backup."),
    live("BKUPTIME", a.MQCACF_BACKUP_TIME, TIME, "Time of the backup."),
    live("BKUPSIZE", a.MQIACF_CF_STRUC_BACKUP_SIZE, COUNT, "Megabytes of the backup."),
    live("BKUPSRBA", a.MQCACF_CF_STRUC_BACKUP_START, ADDRESS, "Log address of its start."),
    live("BKUPERBA", a.MQCACF_CF_STRUC_BACKUP_END, ADDRESS, "Log address of its end."),
    live("LOGS", a.MQCACF_CF_STRUC_LOG_Q_MGRS, ListOf(OBJECT_NAME, 32), "Queue managers whose logs recovery needs."),
)
CF_SMDS_ROWS: Final = (
    live("SMDS", a.MQCACF_CF_SMDS, OBJECT_NAME, "Queue manager that owns the data set."),
    live("STATUS", a.MQIACF_SMDS_STATUS, STRUCTURE_STATE, "State of the data set."),
    live(
        "ACCESS",
        a.MQIACF_CF_STRUC_ACCESS,
        Choice(
            {"ENABLED": a.MQCFACCESS_ENABLED, "SUSPENDED": a.MQCFACCESS_SUSPENDED, "DISABLED": a.MQCFACCESS_DISABLED}
        ),
        "Whether the data set may be used.",
    ),
    live("RCVDATE", a.MQCACF_RECOVERY_DATE, DATE, "Date recovery was enabled."),
    live("RCVTIME", a.MQCACF_RECOVERY_TIME, TIME, "Time recovery was enabled."),
    live("FAILDATE", a.MQCACF_FAIL_DATE, DATE, "Date of failure."),
    live("FAILTIME", a.MQCACF_FAIL_TIME, TIME, "Time of failure."),
)
SMDSCONN_ROWS: Final = (
    live("CFSTRUCT", a.MQCA_CF_STRUC_NAME, Name(16), "Structure the data set belongs to."),
    live(
        "OPENMODE",
        a.MQIACF_SMDS_OPENMODE,
        Choice(
            {
                "NONE": a.MQS_OPENMODE_NONE,
                "READONLY": a.MQS_OPENMODE_READONLY,
                "UPDATE": a.MQS_OPENMODE_UPDATE,
                "RECOVERY": a.MQS_OPENMODE_RECOVERY,
            }
        ),
        "How the data set is open.",
    ),
    live(
        "STATUS",
        a.MQIACF_SMDS_STATUS,
        Choice(
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
        "State of the connection.",
    ),
    live(
        "AVAIL",
        a.MQIACF_SMDS_AVAIL,
        Choice({"NORMAL": a.MQS_AVAIL_NORMAL, "ERROR": a.MQS_AVAIL_ERROR, "STOPPED": a.MQS_AVAIL_STOPPED}),
        "Whether the connection can be used.",
    ),
    live(
        "EXPANDST",
        a.MQIACF_SMDS_EXPANDST,
        Choice({"NORMAL": a.MQS_EXPANDST_NORMAL, "FAILED": a.MQS_EXPANDST_FAILED, "MAXIMUM": a.MQS_EXPANDST_MAXIMUM}),
        "State of expansion.",
    ),
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
