"""Commands for parts that a queue manager does not have yet: each is refused with the name of the missing part.

A DISPLAY of objects that Kew cannot have gets the reply that MQ gives when no object exists.
"""

from typing import Final

from kew.commands.actions.context import Context
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command

RELATIONS: Final = "publications do not go to other queue managers yet"
CLUSTERS: Final = "clusters are not there yet"
SHARING: Final = "queue sharing groups are not there yet"
SECURITY: Final = "users are remembered until REFRESH SECURITY, so there are no intervals and switches"
LOGGING: Final = "log parameters are set in qm.ini; full extents of a linear log are archived without a command"

NOT_YET: Final[dict[tuple[str, str], str]] = {
    ("ALTER", "SECURITY"): SECURITY,
    ("ALTER", "SMDS"): SHARING,
    ("BACKUP", "CFSTRUCT"): SHARING,
    ("DEFINE", "LOG"): LOGGING,
    ("DISPLAY", "SECURITY"): SECURITY,
    ("RECOVER", "BSDS"): "a lost copy of the bootstrap file is made again when the queue manager starts",
    ("RECOVER", "CFSTRUCT"): SHARING,
    ("REFRESH", "CLUSTER"): CLUSTERS,
    ("RESET", "CFSTRUCT"): SHARING,
    ("RESET", "CLUSTER"): CLUSTERS,
    ("RESET", "SMDS"): SHARING,
    ("RESUME", "QMGR"): CLUSTERS,
    ("START", "SMDSCONN"): SHARING,
    ("STOP", "SMDSCONN"): SHARING,
    ("SUSPEND", "QMGR"): CLUSTERS,
}

# Objects that cannot exist yet, and the message that there are none.
NOTHING: Final[dict[str, str]] = {
    "CFSTATUS": NOT_FOUND,
    "CLUSQMGR": NOT_FOUND,
    "GROUP": NOT_FOUND,
    "SMDS": NOT_FOUND,
    "SMDSCONN": NOT_FOUND,
}


def not_yet(_context: Context, command: Command) -> Outcome:
    """Refuse a command for a part that is missing."""
    raise Refusal(messages.NOT_YET, NOT_YET[command.verb, command.target])


def nothing(_context: Context, command: Command) -> Outcome:
    """Reply that there is nothing to show."""
    raise Refusal(NOTHING[command.target], "", command.name or command.target)
