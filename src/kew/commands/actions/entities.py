"""DISPLAY ENTAUTH and AUTHSERV: the authorities of one user or group on one object, and the authorisation service."""

from typing import Final

from kew.codes.attributes import MQUIDSUPP_YES
from kew.codes.options import MQOT_ALL, MQOT_Q_MGR
from kew.commands.actions.context import Context
from kew.commands.actions.display import finish
from kew.commands.actions.outcome import Outcome, Refusal, Shown
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.objects.schema import object_type
from kew.objects.schema.security import MQZAET_GROUP, MQZAET_PRINCIPAL
from kew.objects.schema.values import Value
from kew.security import rights
from kew.security.authority import SELF

COMPONENT: Final = "Kew.AUTHORITY"
INTERFACE: Final = 6  # MQZAS_VERSION_6, the newest


def display_authority(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY ENTAUTH: show the authorities that all records, those of a user's groups too, give together."""
    about = command.options["OBJTYPE"]
    name = str(command.options.get("OBJNAME", "")).strip()
    if not isinstance(about, int) or about == MQOT_ALL:
        raise Refusal(messages.FAILED, "OBJTYPE(ALL) is not the type of one object.")
    if about == MQOT_Q_MGR:
        if name not in ("", context.name):
            raise Refusal(messages.FAILED, "OBJNAME does not go with OBJTYPE(QMGR): it is this queue manager.")
        name = SELF
    elif not name:
        raise Refusal(messages.FAILED, "OBJNAME says which object.")
    kind, entity = _entity(command)
    authority = context.engine.authority
    group = kind == MQZAET_GROUP
    held = authority.held_by_group(entity, about, name) if group else authority.held(entity, about, name)
    shown: dict[str, Value | None] = {
        "OBJNAME": "" if about == MQOT_Q_MGR else name,
        "ENTITY": entity,
        "ENTTYPE": kind,
        "OBJTYPE": about,
        "AUTHLIST": rights.numbers(held & rights.applicable(about)),
    }
    return finish(command, [Shown(object_type("ENTAUTH"), "", shown)])


def _entity(command: Command) -> tuple[int, str]:
    found: list[tuple[int, str]] = []
    for keyword, kind in (("PRINCIPAL", MQZAET_PRINCIPAL), ("GROUP", MQZAET_GROUP)):
        names = command.options.get(keyword, ())
        if isinstance(names, tuple):
            found.extend([(kind, str(name)) for name in names])
    if len(found) != 1:
        raise Refusal(messages.FAILED, "one user or one group, not several.")
    return found[0]


def display_service(_context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY AUTHSERV."""
    shown: dict[str, Value | None] = {"IFVER": INTERFACE, "SERVCOMP": COMPONENT, "UIDSUPP": MQUIDSUPP_YES}
    return finish(command, [Shown(object_type("AUTHSERV"), "", shown)])
