"""Authority for users of tests."""

from kew.codes.options import MQOT_Q, MQOT_Q_MGR
from kew.objects.definition import Definition
from kew.objects.schema import object_type
from kew.objects.schema.security import AUTHORITIES, AUTHORITY_SETS, MQZAET_GROUP, MQZAET_PRINCIPAL
from kew.qmgr.assemble import Host
from kew.security.authority import SELF

WORDS = {**AUTHORITIES, **AUTHORITY_SETS}


def grant(host: Host, entity: str, kind: int, profile: str, words: str, group: bool = False) -> None:
    """Record an authority, in place of what the entity had by the same profile."""
    values = {
        "ENTITY": entity,
        "ENTTYPE": MQZAET_GROUP if group else MQZAET_PRINCIPAL,
        "OBJTYPE": kind,
        "AUTHLIST": tuple(WORDS[word] for word in words.split(",")),
    }
    host.objects.place(Definition(object_type("AUTHREC"), profile, values), replace=True)


def admit(host: Host, user: str, queues: str = "**", words: str = "ALLMQI") -> None:
    """Let a user connect and use queues."""
    grant(host, user, MQOT_Q_MGR, SELF, "ALLMQI")
    grant(host, user, MQOT_Q, queues, words)
