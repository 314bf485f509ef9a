"""Kinds and rows that several object families share."""

from typing import Final

from kew.codes import attributes as a
from kew.objects.schema.model import KEEP, Row
from kew.objects.schema.texts import Name, Text
from kew.objects.schema.values import Choice, Kind, Number

NO_YES: Final = {"NO": 0, "YES": 1}
LARGEST_NUMBER: Final = 999999999  # the largest number most attributes take

OBJECT_NAME: Final = Name(48)
CHANNEL_NAME: Final = Name(20)
DESCRIPTION: Final = Text(64)
DATE: Final = Text(12)
TIME: Final = Text(8)
USER: Final = Text(12)
COUNT: Final = Number(0, LARGEST_NUMBER)
LONG_COUNT: Final = Number(0, 2**63 - 1)
MESSAGE_LENGTH: Final = Number(0, 104857600)
YES_NO: Final = Choice(NO_YES)
EVENT: Final = Choice({"DISABLED": a.MQEVR_DISABLED, "ENABLED": a.MQEVR_ENABLED})
EXPIRY_CAP: Final = Number(0, LARGEST_NUMBER, {"NOLIMIT": -1})
TOPIC_EXPIRY_CAP: Final = Number(0, LARGEST_NUMBER, {"NOLIMIT": -1, "ASPARENT": -2})

TCP_ONLY: Final = "channels and listeners use TCP"
NO_EXITS: Final = "no exit programs are loaded into a queue manager"
NO_MULTICAST: Final = "publications travel over queues and channels, there is no multicast transport"
NO_SYSPLEX: Final = "it belongs to the z/OS sysplex, which this host is not part of"
NO_TELEMETRY: Final = "there is no OpenTelemetry exporter in the queue manager"
NO_OTMA: Final = "there is no OTMA bridge to IMS"

LEVELS: Final = {"OFF": a.MQMON_OFF, "LOW": a.MQMON_LOW, "MEDIUM": a.MQMON_MEDIUM, "HIGH": a.MQMON_HIGH}
MONITORING: Final = Choice({"QMGR": a.MQMON_Q_MGR, **LEVELS})
ON_OFF_QMGR: Final = Choice({"QMGR": a.MQMON_Q_MGR, "ON": a.MQMON_ON, "OFF": a.MQMON_OFF})

DISPOSITION: Final = Choice(
    {"QMGR": a.MQQSGD_Q_MGR, "SHARED": a.MQQSGD_SHARED},
    synonyms={"PRIVATE": "QMGR"},
    refused={
        "GROUP": "each queue manager of a group keeps its own definitions",
        "COPY": "each queue manager of a group keeps its own definitions",
    },
)
MANAGER_DISPOSITION: Final = Choice({"QMGR": a.MQQSGD_Q_MGR}, synonyms={"PRIVATE": "QMGR"}, refused=DISPOSITION.refused)

ALTERATION_DATE: Final = Row("ALTDATE", a.MQCA_ALTERATION_DATE, DATE, "", "Date of the last change.", role=KEEP)
ALTERATION_TIME: Final = Row("ALTTIME", a.MQCA_ALTERATION_TIME, TIME, "", "Time of the last change.", role=KEEP)
CREATION_DATE: Final = Row("CRDATE", a.MQCA_CREATION_DATE, DATE, "", "Date of creation.", role=KEEP)
CREATION_TIME: Final = Row("CRTIME", a.MQCA_CREATION_TIME, TIME, "", "Time of creation.", role=KEEP)


SHARED_KINDS: Final[dict[str, Kind]] = {
    "object-name": OBJECT_NAME,
    "channel-name": CHANNEL_NAME,
    "description": DESCRIPTION,
    "date": DATE,
    "time": TIME,
    "user": USER,
    "count": COUNT,
    "long-count": LONG_COUNT,
    "message-length": MESSAGE_LENGTH,
    "yes-no": YES_NO,
    "event": EVENT,
    "expiry-cap": EXPIRY_CAP,
    "topic-expiry-cap": TOPIC_EXPIRY_CAP,
    "monitoring": MONITORING,
    "on-off-qmgr": ON_OFF_QMGR,
    "disposition": DISPOSITION,
    "manager-disposition": MANAGER_DISPOSITION,
}
SHARED_REASONS: Final = {
    "tcp-only": TCP_ONLY,
    "no-exits": NO_EXITS,
    "no-multicast": NO_MULTICAST,
    "no-sysplex": NO_SYSPLEX,
    "no-otma": NO_OTMA,
    "no-telemetry": NO_TELEMETRY,
}
SHARED_ROWS: Final = {row.keyword: row for row in (ALTERATION_DATE, ALTERATION_TIME, CREATION_DATE, CREATION_TIME)}
