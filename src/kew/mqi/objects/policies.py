"""The message protection policy of an object that a program opens.

    a queue here, or a definition of a remote queue      the policy of that name
    an alias                                             the policy of the alias; else the one of its target
    a queue at another queue manager, or of a cluster    the policy of the name that the program gives
    a dynamic queue                                      the policy of the name that it was given

A topic has no policy; publications through an alias with a policy are protected.
"""

from typing import Final

from kew.codes.options import MQOO_BROWSE, MQOO_OUTPUT
from kew.mqi.connections.handles import Handle
from kew.mqi.options import INPUT
from kew.objects.catalogue import Catalogue, Record

FAMILY: Final = "POLICY"
PROTECTED: Final = INPUT | MQOO_BROWSE | MQOO_OUTPUT  # an open with one of these options puts or gets messages


def policy_of(catalogue: Catalogue, handle: Handle, name: str) -> Record | None:
    """Give the policy of an open queue, by the name that the program opened."""
    records = catalogue.records
    if handle.created:
        return records.get((FAMILY, handle.name))
    own = records.get((FAMILY, name))
    if own is not None or handle.alias_values is None:
        return own
    return records.get((FAMILY, str(handle.alias_values.get("TARGET", ""))))


def policy_named(catalogue: Catalogue, name: str) -> Record | None:
    """Give the policy of a name that is to be opened."""
    records = catalogue.records
    own = records.get((FAMILY, name))
    if own is not None:
        return own
    queue = records.get(("QUEUE", name))
    return None if queue is None else records.get((FAMILY, str(queue.values.get("TARGET", ""))))


def has_policies(catalogue: Catalogue) -> bool:
    """Say whether there is any policy."""
    return any(True for _policy in catalogue.of_family(FAMILY))
