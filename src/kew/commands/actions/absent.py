"""Commands for parts that a queue manager does not have yet: each is refused with what it waits for.

A DISPLAY of something of which there is nothing is answered as MQ does, since that is the truth.
"""

from typing import Final

from kew.commands.actions.context import Context
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command

CHANNELS: Final = "channels are not there yet"
CLUSTERS: Final = "clusters are not there yet"
TOPICS: Final = "publish/subscribe is not there yet"
SHARING: Final = "queue sharing groups are not there yet"
STATISTICS: Final = "statistics, accounting and traces are not there yet"
SECURITY: Final = "users are remembered until REFRESH SECURITY, so there are no intervals and switches"
LOGGING: Final = "log parameters are set in qm.ini; full extents of a linear log are archived without a command"

NOT_YET: Final[dict[tuple[str, str], str]] = {
    ("ALTER", "SECURITY"): SECURITY,
    ("ALTER", "SMDS"): SHARING,
    ("ALTER", "TRACE"): STATISTICS,
    ("ARCHIVE", "LOG"): LOGGING,
    ("BACKUP", "CFSTRUCT"): SHARING,
    ("CLEAR", "TOPICSTR"): TOPICS,
    ("DEFINE", "LOG"): LOGGING,
    ("DISPLAY", "ARCHIVE"): LOGGING,
    ("DISPLAY", "PUBSUB"): TOPICS,
    ("DISPLAY", "SECURITY"): SECURITY,
    ("DISPLAY", "SYSTEM"): STATISTICS,
    ("MOVE", "QLOCAL"): "the engine does not move messages between queues yet",
    ("PING", "CHANNEL"): CHANNELS,
    ("RECOVER", "BSDS"): "a lost copy of the bootstrap file is made again when the queue manager starts",
    ("RECOVER", "CFSTRUCT"): SHARING,
    ("REFRESH", "CLUSTER"): CLUSTERS,
    ("REFRESH", "QMGR"): "events and the scan for expired messages are not there yet",
    ("RESET", "CFSTRUCT"): SHARING,
    ("RESET", "CHANNEL"): CHANNELS,
    ("RESET", "CLUSTER"): CLUSTERS,
    ("RESET", "QMGR"): LOGGING,
    ("RESET", "SMDS"): SHARING,
    ("RESOLVE", "CHANNEL"): CHANNELS,
    ("RESUME", "QMGR"): CLUSTERS,
    ("SET", "ARCHIVE"): LOGGING,
    ("SET", "LOG"): LOGGING,
    ("SET", "SYSTEM"): STATISTICS,
    ("START", "CHANNEL"): CHANNELS,
    ("START", "CHINIT"): CHANNELS,
    ("START", "CMDSERV"): "the command server is not there yet",
    ("START", "LISTENER"): CHANNELS,
    ("START", "SERVICE"): "services are not started yet",
    ("START", "SMDSCONN"): SHARING,
    ("START", "TRACE"): STATISTICS,
    ("STOP", "CHANNEL"): CHANNELS,
    ("STOP", "CHINIT"): CHANNELS,
    ("STOP", "CMDSERV"): "the command server is not there yet",
    ("STOP", "CONN"): "connections are ended by their programs",
    ("STOP", "LISTENER"): CHANNELS,
    ("STOP", "SERVICE"): "services are not started yet",
    ("STOP", "SMDSCONN"): SHARING,
    ("STOP", "TRACE"): STATISTICS,
    ("SUSPEND", "QMGR"): CLUSTERS,
}

# What there is none of, and the message that says so.
NOTHING: Final[dict[str, str]] = {
    "CFSTATUS": NOT_FOUND,
    "CHINIT": NOT_FOUND,
    "CHSTATUS": "AMQ8420I",
    "CLUSQMGR": NOT_FOUND,
    "CMDSERV": NOT_FOUND,
    "GROUP": NOT_FOUND,
    "LSSTATUS": NOT_FOUND,
    "SBSTATUS": NOT_FOUND,
    "SMDS": NOT_FOUND,
    "SMDSCONN": NOT_FOUND,
    "SVSTATUS": NOT_FOUND,
    "TPSTATUS": NOT_FOUND,
    "TRACE": NOT_FOUND,
}


def not_yet(_context: Context, command: Command) -> Outcome:
    """Refuse a command for a part that is not there."""
    raise Refusal(messages.NOT_YET, NOT_YET[command.verb, command.target])


def nothing(_context: Context, command: Command) -> Outcome:
    """Say that there is nothing to show."""
    raise Refusal(NOTHING[command.target], "", command.name or command.target)
