"""Attributes that the engine does not use yet: they can only have their default.

The table leaves out attributes that are only stored and shown (DESCR, BOQNAME), attributes that have an effect only
with another one of this table (CLWLRANK with CLUSTER), and those of objects that Kew cannot use yet (CFSTRUCT).
"""

from typing import Final

CLUSTERS: Final = "arrives with clusters"
ONE_LOOP: Final = "one thread serves all channels"
ONE_CERTIFICATE: Final = "the key repository holds one certificate"
CERTIFICATES: Final = "certificates are checked by those that the key repository trusts"
CIPHERS: Final = "SSLCIPH of the channel says which algorithms are allowed"
ACTIVITY: Final = "arrives with activity reports"
IN_SMF: Final = "statistics and accounting are SMF records: START TRACE(STAT) or TRACE(ACCTG)"
TABLE: Final = "the table of a resident trace has 10,000 entries"
SHARING: Final = "arrives with shared queues"
IMAGES: Final = "arrives with automatic media images"
ARCHIVE_PLACE: Final = "LogArchivePath in qm.ini says where archive logs go"
POOLS: Final = "all pools are ordinary 64-bit storage"

NOT_HEEDED: Final[dict[str, dict[str, str]]] = {
    "QUEUE": {
        "CFSTRUCT": SHARING,
        "CLCHNAME": CLUSTERS,
        "CLUSNL": CLUSTERS,
        "CLUSTER": CLUSTERS,
        "IMGRCOVQ": IMAGES,
        "MAXFSIZE": "a page set, not a queue, has a size",
        "NPMCLASS": "non-persistent messages do not survive a restart",
        "QSGDISP": SHARING,
    },
    "QMGR": {
        "ACCTCONO": IN_SMF,
        "ACCTINT": "ACCTIME of SET SYSTEM says how long an interval of accounting is",
        "ACCTMQI": IN_SMF,
        "ACTIVREC": ACTIVITY,
        "CCSID": "messages of the queue manager are in UTF-8",
        "CERTLABL": ONE_CERTIFICATE,
        "CERTQSGL": SHARING,
        "CERTVPOL": CERTIFICATES,
        "CFCONLOS": SHARING,
        "CHIDISPS": ONE_LOOP,
        "CLWLMRUC": CLUSTERS,
        "CLWLUSEQ": CLUSTERS,
        "DEFCLXQ": CLUSTERS,
        "IMGINTVL": IMAGES,
        "IMGLOGLN": IMAGES,
        "IMGRCOVO": IMAGES,
        "IMGRCOVQ": IMAGES,
        "IMGSCHED": IMAGES,
        "INITKEY": "passwords in definitions are kept as they are; who may read the files may read them",
        "LSTRTMR": "a listener that ends is started by command",
        "MONACLS": CLUSTERS,
        "PSCLUS": CLUSTERS,
        "REPOS": CLUSTERS,
        "REPOSNL": CLUSTERS,
        "REVDNS": "host names are not looked up",
        "ROUTEREC": ACTIVITY,
        "SQQMNAME": SHARING,
        "SSLCRLNL": CERTIFICATES,
        "SSLTASKS": ONE_LOOP,
        "STATACLS": CLUSTERS,
        "STATINT": "STATIME of SET SYSTEM says how long an interval of statistics is",
        "STATMQI": IN_SMF,
        "SUITEB": CIPHERS,
        "TRAXSTR": "START TRACE(CHINIT) starts it",
        "TRAXTBL": TABLE,
        "TREELIFE": "points of the topic tree are kept while they are in use",
    },
    "CHANNEL": {
        "CERTLABL": ONE_CERTIFICATE,
    },
    "TOPIC": {"CLUSTER": CLUSTERS},
    "SYSTEM": {"TRACTBL": TABLE},
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
