"""Attributes that the engine does not heed yet: they take their default and nothing else until it does.

Not in this table are attributes that are only kept for programs and people to read (DESCR, BOQNAME), those that do
nothing until another that stands here is switched on (TRIGTYPE until TRIGGER, CLWLRANK until CLUSTER), and those of
objects that are definitions and nothing else until their part arrives (TOPIC, PROCESS, CFSTRUCT).
"""

from typing import Final

CLUSTERS: Final = "arrives with clusters"
TOPICS: Final = "arrives with publish/subscribe"
ACTIVITY: Final = "arrives with activity reports"
EVENTS: Final = "arrives with event messages"
MONITORING: Final = "arrives with statistics and monitoring"
PROPERTIES: Final = "arrives with message properties"
SHARING: Final = "arrives with shared queues"
IMAGES: Final = "arrives with automatic media images"
ARCHIVE_PLACE: Final = "LogArchivePath in qm.ini says where archive logs go"
POOLS: Final = "all pools are ordinary 64-bit storage"

NOT_HEEDED: Final[dict[str, dict[str, str]]] = {
    "QUEUE": {
        "ACCTQ": MONITORING,
        "CFSTRUCT": SHARING,
        "CLCHNAME": CLUSTERS,
        "CLUSNL": CLUSTERS,
        "CLUSTER": CLUSTERS,
        "IMGRCOVQ": IMAGES,
        "MAXFSIZE": "a page set, not a queue, has a size",
        "MONQ": MONITORING,
        "NPMCLASS": "non-persistent messages do not survive a restart",
        "PROPCTL": PROPERTIES,
        "QDPHIEV": EVENTS,
        "QDPLOEV": EVENTS,
        "QDPMAXEV": EVENTS,
        "QSGDISP": SHARING,
        "QSVCIEV": EVENTS,
        "STATQ": MONITORING,
        "STREAMQ": "arrives with streaming queues",
        "TARGTYPE": TOPICS,
        "TRIGGER": "arrives with triggering",
    },
    "QMGR": {
        "ACCTCONO": MONITORING,
        "ACCTINT": MONITORING,
        "ACCTMQI": MONITORING,
        "ACCTQ": MONITORING,
        "ACTIVREC": ACTIVITY,
        "AUTHOREV": EVENTS,
        "AUTHEVSC": EVENTS,
        "CCSID": "messages of the queue manager are in UTF-8",
        "CERTQSGL": SHARING,
        "CFCONLOS": SHARING,
        "CLWLMRUC": CLUSTERS,
        "CLWLUSEQ": CLUSTERS,
        "CMDEV": EVENTS,
        "CONFIGEV": EVENTS,
        "DEFCLXQ": CLUSTERS,
        "IMGINTVL": IMAGES,
        "IMGLOGLN": IMAGES,
        "IMGRCOVO": IMAGES,
        "IMGRCOVQ": IMAGES,
        "IMGSCHED": IMAGES,
        "INHIBTEV": EVENTS,
        "LOCALEV": EVENTS,
        "LOGGEREV": EVENTS,
        "MARKINT": "arrives with browsing with marks",
        "MAXPROPL": PROPERTIES,
        "MONACLS": MONITORING,
        "MONCHL": MONITORING,
        "MONQ": MONITORING,
        "PERFMEV": EVENTS,
        "PSCLUS": TOPICS,
        "PSMODE": TOPICS,
        "PSNPMSG": TOPICS,
        "PSNPRES": TOPICS,
        "PSRTYCNT": TOPICS,
        "PSSYNCPT": TOPICS,
        "REPOS": CLUSTERS,
        "REPOSNL": CLUSTERS,
        "ROUTEREC": ACTIVITY,
        "SQQMNAME": SHARING,
        "STATACLS": MONITORING,
        "STATCHL": MONITORING,
        "STATINT": MONITORING,
        "STATMQI": MONITORING,
        "STATQ": MONITORING,
        "STRSTPEV": EVENTS,
        "TREELIFE": TOPICS,
        "TRIGINT": "arrives with triggering",
    },
    "CHANNEL": {"MONCHL": MONITORING, "STATCHL": MONITORING},
    "TOPIC": {"CLUSTER": CLUSTERS},
    "SYSTEM": {"TRACTBL": "arrives with the recording of traces"},
    "LOG": {
        "MAXARCH": "archive logs are remembered until they are removed",
        "MAXCNOFF": "one task archives the log",
    },
    "ARCHIVE": {
        "ARCPFX1": ARCHIVE_PLACE,
        "ARCPFX2": "there is one copy of archive logs",
        "ARCRETN": "archive logs are kept until they are removed",
        "QUIESCE": "work is not held while the log is archived",
        "COMPACT": "archive logs are copies, page for page",
        "TSTAMP": "archive logs are named by number",
    },
    "BUFFPOOL": {"LOCATION": POOLS, "PAGECLAS": POOLS},
}
