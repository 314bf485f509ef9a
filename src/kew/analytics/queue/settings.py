"""The options of `kewmq`: the queue, its queue manager, and the connection to it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kew.client.blocking import Connection

KNOWN: Final = (
    "queuemanager",
    "queue",
    "connection",
    "channel",
    "user",
    "password",
    "datadirectory",
    "columns",
    "maxmessagesperbatch",
    "partitions",
    "id",
    "markerqueue",
    "persistence",
)
SPARKS_OWN: Final = ("path", "checkpointlocation", "batchid", "queryname")
MARKER_QUEUE: Final = "SYSTEM.KEW.BATCH.MARKERS"
APPLICATION: Final = "kewmq"


class Settings:
    """The options of a read or a write; they are sent to Spark's tasks, so they are text and numbers only."""

    def __init__(self, options: Mapping[str, str]) -> None:
        given = {name.lower(): value for name, value in options.items()}
        unknown = sorted(set(given) - set(KNOWN) - set(SPARKS_OWN))
        if unknown:
            raise ValueError(f"kewmq has no option {unknown[0]}; it has {', '.join(KNOWN)}")
        self.queue_manager = _needed(given, "queueManager")
        self.queue = _needed(given, "queue")
        self.connection_name = given.get("connection", "")
        self.channel = given.get("channel", "")
        self.user = given.get("user")
        self.password = given.get("password")
        self.data = given.get("datadirectory", "")
        if bool(self.connection_name) != bool(self.channel):
            raise ValueError("options connection and channel go together; without them it is local")
        self.columns = [name.strip() for name in given.get("columns", "").split(",") if name.strip()]
        self.most = _number(given, "maxMessagesPerBatch", 50_000)
        self.partitions = _number(given, "partitions", 2)
        self.id = given.get("id") or given.get("checkpointlocation", "")
        self.marker_queue = given.get("markerqueue", MARKER_QUEUE)
        self.persistence = given.get("persistence", "queue").lower()
        if self.persistence not in ("queue", "yes", "no"):
            raise ValueError(f"option persistence takes yes, no or queue, not {self.persistence}")

    def connect(self) -> "Connection":
        """Connect to the queue manager, over the network or by its socket on this machine."""
        from kew.client.blocking import connect, connect_local

        if not self.connection_name:
            return connect_local(self.queue_manager, APPLICATION, data=self.data)
        return connect(
            self.queue_manager, self.connection_name, self.channel, self.user, self.password, application=APPLICATION
        )


def _needed(given: Mapping[str, str], name: str) -> str:
    value = given.get(name.lower(), "").strip()
    if not value:
        raise ValueError(f"kewmq needs the option {name}")
    return value


def _number(given: Mapping[str, str], name: str, otherwise: int) -> int:
    text = given.get(name.lower(), str(otherwise))
    if not text.isdigit() or not 0 < int(text) <= 10_000_000:
        raise ValueError(f"option {name} takes a whole number from 1 to 10000000, not {text!r}")
    return int(text)
