"""Attributes that the engine does not heed yet: they take their default and nothing else until it does.

Not in this table are attributes that are only kept for programs and people to read (DESCR, BOQNAME), those that do
nothing until another that stands here is switched on (TRIGTYPE until TRIGGER), and those that only channels, clusters
and publish/subscribe read: what a definition says of them will be heeded when these parts arrive.
"""

from typing import Final

EVENTS: Final = "arrives with event messages"
MONITORING: Final = "arrives with statistics and monitoring"
PROPERTIES: Final = "arrives with message properties"
SHARING: Final = "arrives with shared queues"
IMAGES: Final = "arrives with automatic media images"
POOLS: Final = "all pools are ordinary 64-bit storage"

NOT_HEEDED: Final[dict[str, dict[str, str]]] = {
    "QUEUE": {
        "ACCTQ": MONITORING,
        "CFSTRUCT": SHARING,
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
        "TRIGGER": "arrives with triggering",
    },
    "QMGR": {
        "ACCTCONO": MONITORING,
        "ACCTINT": MONITORING,
        "ACCTMQI": MONITORING,
        "ACCTQ": MONITORING,
        "AUTHOREV": EVENTS,
        "AUTHEVSC": EVENTS,
        "CCSID": "messages of the queue manager are in UTF-8",
        "CMDEV": EVENTS,
        "CONFIGEV": EVENTS,
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
        "MONQ": MONITORING,
        "PERFMEV": EVENTS,
        "SCMDSERV": "arrives with the command server",
        "STATINT": MONITORING,
        "STATMQI": MONITORING,
        "STATQ": MONITORING,
        "STRSTPEV": EVENTS,
        "TRIGINT": "arrives with triggering",
    },
    "BUFFPOOL": {"LOCATION": POOLS, "PAGECLAS": POOLS},
}
