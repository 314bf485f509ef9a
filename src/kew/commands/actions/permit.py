"""The authorities that commands need, as MQ documents them for PCF commands.

Every command needs CONNECT and DSP on the queue manager. In addition:

    DEFINE     CRT, or CHG on a replaced object; DSP on the object it starts from
    ALTER      CHG          DELETE   DLT          CLEAR   CLR
    STREAMQ    CHG also on the queue that it names: a program that puts needs no authority there
    DISPLAY    DSP on each object shown; objects without it are left out
    START, STOP and PING of channels, listeners and services    CTRL
    RESET and RESOLVE of channels    CTRLX

A command on anything without authorities of its own, authority records included, needs CHG on the queue manager, and
DSP for DISPLAY.
"""

from typing import Final

from kew.codes.attributes import MQRQ_CMD_NOT_AUTHORIZED
from kew.codes.options import (
    MQOT_AUTH_INFO,
    MQOT_CHANNEL,
    MQOT_CLNTCONN_CHANNEL,
    MQOT_COMM_INFO,
    MQOT_LISTENER,
    MQOT_NAMELIST,
    MQOT_PROCESS,
    MQOT_Q,
    MQOT_Q_MGR,
    MQOT_SERVICE,
    MQOT_TOPIC,
)
from kew.commands.actions.context import Context
from kew.commands.actions.find import CHANNEL, PATTERNS, QUEUE, named
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal, Shown
from kew.commands.mqsc.parser import Command
from kew.objects.schema import ObjectType
from kew.security import rights
from kew.security.authority import SELF, Refused

# Families of objects, and of their status, that have authorities of their own.
TYPES: Final = {
    "QUEUE": MQOT_Q,
    "QSTATUS": MQOT_Q,
    "QSTATS": MQOT_Q,
    "TOPIC": MQOT_TOPIC,
    "CHANNEL": MQOT_CHANNEL,
    "CHSTATUS": MQOT_CHANNEL,
    "LISTENER": MQOT_LISTENER,
    "LSSTATUS": MQOT_LISTENER,
    "SERVICE": MQOT_SERVICE,
    "SVSTATUS": MQOT_SERVICE,
    "PROCESS": MQOT_PROCESS,
    "NAMELIST": MQOT_NAMELIST,
    "AUTHINFO": MQOT_AUTH_INFO,
    "COMMINFO": MQOT_COMM_INFO,
}
CLIENT: Final = "CLNTCONN"
NEEDED: Final = {
    "ALTER": rights.CHANGE,
    "DELETE": rights.DELETE,
    "CLEAR": rights.CLEAR,
    "MOVE": rights.CHANGE,
    "START": rights.CONTROL,
    "STOP": rights.CONTROL,
    "PING": rights.CONTROL,
    "RESET": rights.CONTROL_EXTENDED,
    "RESOLVE": rights.CONTROL_EXTENDED,
}
# Commands whose authority is not that of their verb.
SPECIAL: Final = {("RESET", "QSTATS"): rights.DISPLAY | rights.CHANGE}
HARMLESS: Final = ("DISPLAY", "PING", "END")  # on the queue manager these need DSP only
OF_MANAGER: Final = {"STOP QMGR": rights.CONTROL}


def type_of(kind: ObjectType) -> int | None:
    """Give the object type of authority records for a kind of object; None if it has no authorities."""
    return MQOT_CLNTCONN_CHANNEL if kind.name == CLIENT else TYPES.get(kind.family)


def check(context: Context, command: Command, issuer: str) -> None:
    """Refuse a command for which its issuer does not have the authority."""
    _ask(context, issuer, MQOT_Q_MGR, SELF, rights.CONNECT | rights.DISPLAY)
    family = command.spec.family.name if command.spec.family is not None else ""
    verb = command.verb
    if family not in TYPES or (verb not in ("DISPLAY", "DEFINE") and verb not in NEEDED):
        if verb not in HARMLESS:
            _ask(context, issuer, MQOT_Q_MGR, SELF, OF_MANAGER.get(command.spec.title, rights.CHANGE))
    elif verb == "DEFINE":
        _check_definition(context, command, issuer)
    elif verb != "DISPLAY":
        right = SPECIAL.get((verb, command.target), NEEDED[verb])
        if command.generic:
            _ask(context, issuer, MQOT_Q_MGR, SELF, rights.CHANGE)  # about all of them
            return
        for object_type in _types(context, command, family):
            _ask(context, issuer, object_type, command.name, right)
        if "TOQLOCAL" in command.options:
            _ask(context, issuer, MQOT_Q, str(command.options["TOQLOCAL"]), right)
        _check_stream(context, command, issuer, "")


def _ask(context: Context, issuer: str, object_type: int, name: str, right: int) -> None:
    context.engine.authority.authorise(issuer, object_type, name, right, MQRQ_CMD_NOT_AUTHORIZED)


def _types(context: Context, command: Command, family: str) -> list[int]:
    """Give the object types that a command may mean; an MQI client channel may share the name of another channel."""
    if command.kind is not None:
        found = type_of(command.kind)
        return [found] if found is not None else []
    if family == CHANNEL:
        kinds = {record.kind for record in named(context, CHANNEL, command.name)}
        both = [MQOT_CLNTCONN_CHANNEL if kind == CLIENT else MQOT_CHANNEL for kind in kinds]
        return sorted(set(both)) or [MQOT_CHANNEL]
    return [TYPES[family]]


def _check_definition(context: Context, command: Command, issuer: str) -> None:
    kind = command.kind
    assert kind is not None
    object_type = type_of(kind)
    assert object_type is not None
    authority = context.engine.authority
    there = [record for record in named(context, kind.family, command.name) if record.kind == kind.name]
    if there and command.flag("REPLACE"):
        _ask(context, issuer, object_type, command.name, rights.CHANGE)
    elif not authority.allows_creation(issuer, object_type, command.name):
        refused = Refused(MQRQ_CMD_NOT_AUTHORIZED, issuer, object_type, command.name, rights.CREATE, 0)
        raise authority.refusal(refused)
    base = str(command.options.get("LIKE", "")) or PATTERNS.get(kind.name, "")
    if base:
        _ask(context, issuer, object_type, base, rights.DISPLAY)
    if kind.family == QUEUE:
        _check_stream(context, command, issuer, base)


def _check_stream(context: Context, command: Command, issuer: str, base: str) -> None:
    """Check CHG on the queue of STREAMQ, since programs put copies there without an authority of their own."""
    stream = str(command.attributes.get("STREAMQ", ""))
    if "STREAMQ" not in command.attributes:
        for record in named(context, QUEUE, base):
            stream = str(record.values.get("STREAMQ", ""))
    if stream:
        _ask(context, issuer, MQOT_Q, stream, rights.CHANGE)


def visible(context: Context, command: Command, outcome: Outcome, issuer: str) -> Outcome:
    """Remove the objects that the issuer may not display; if none is left, refuse or say that there are none."""
    shown = outcome.shown
    outcome.shown = [one for one in shown if _may_see(context, one, issuer)]
    if shown and not outcome.shown:
        if command.generic or not command.name:
            raise Refusal(NOT_FOUND, "", command.name)
        object_type = type_of(shown[0].kind)
        assert object_type is not None
        _ask(context, issuer, object_type, shown[0].name, rights.DISPLAY)
    return outcome


def _may_see(context: Context, one: Shown, issuer: str) -> bool:
    object_type = type_of(one.kind)
    return object_type is None or context.engine.authority.allows(issuer, object_type, one.name, rights.DISPLAY)
