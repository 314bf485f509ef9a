"""DISPLAY of authority and channel authentication records, MATCH(RUNCHECK), and REFRESH SECURITY."""

from typing import Final

from kew.codes.attributes import MQMATCH_ALL, MQMATCH_EXACT, MQMATCH_RUNCHECK, MQSECTYPE_SSL, MQUSRC_NOACCESS
from kew.codes.options import MQOT_ALL, MQOT_Q_MGR
from kew.commands.actions.context import Context
from kew.commands.actions.display import finish, shown_of
from kew.commands.actions.find import family_of
from kew.commands.actions.outcome import Outcome, Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.printer import wanted
from kew.objects.catalogue import Record
from kew.objects.schema.security import MQZAET_GROUP, MQZAET_PRINCIPAL
from kew.objects.schema.values import Value
from kew.security.addresses import BadAddress
from kew.security.admission import ConnectionAttempt
from kew.security.authority import SELF
from kew.security.channelrules import Rule
from kew.security.profiles import BadProfile, Profile, is_generic, within

NO_RECORD: Final = "AMQ8884E"
RUNS: Final = "AMQ9783I"
CURRENTLY_DISABLED: Final = ("AMQ8898W", "Display channel authentication record details - currently disabled.")
# Values of MATCH in DISPLAY AUTHREC.
BY_PROFILE: Final = 0
EXACTLY: Final = 1
BY_MEMBERSHIP: Final = 2
BY_FILTER: Final = 3  # by PCF only: the profiles whose own names fit a pattern


def refresh(context: Context, command: Command) -> Outcome:
    """Carry out REFRESH SECURITY and RVERIFY SECURITY: read users, groups and their authorities again."""
    if command.options.get("TYPE") == MQSECTYPE_SSL:
        if context.channels is not None:
            context.channels.refresh_keys()
        return Outcome(command.spec.done)
    context.operations.refresh_users()
    return Outcome(command.spec.done)


# -- authority records -------------------------------------------------------------------------------------------------


def display_authorities(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY AUTHREC: show records by profile and by user or group."""
    match = command.options.get("MATCH", BY_PROFILE)
    about = command.options.get("OBJTYPE", MQOT_ALL)
    profile = SELF if about == MQOT_Q_MGR else command.name
    entities = _entities(context, command, match == BY_MEMBERSHIP)
    found = [
        shown_of(context, record)
        for record in sorted(family_of(context, "AUTHREC"), key=_by_identity)
        if about in (MQOT_ALL, record.values["OBJTYPE"])
        and (not profile or _asked_for(record.name, profile, match))
        and (not entities or (record.values["ENTTYPE"], record.values["ENTITY"]) in entities)
    ]
    return finish(command, found)


def _asked_for(profile: str, asked: str, match: Value) -> bool:
    return within(asked, profile) if match == BY_FILTER else _concerns(profile, asked, match == EXACTLY)


def _by_identity(record: Record) -> tuple[str, str]:
    return record.key


def _concerns(profile: str, asked: str, exactly: bool) -> bool:
    """Say whether a profile is the one in the command or, unless `exactly`, covers the object name in the command."""
    if profile == asked or exactly or is_generic(asked):
        return profile == asked
    try:
        return Profile(profile).matches(asked)
    except BadProfile:
        return False


def _entities(context: Context, command: Command, with_groups: bool) -> set[tuple[Value, Value]]:
    """Give the users and groups in the command, with the groups of those users on request; the empty set means all."""
    found: set[tuple[Value, Value]] = set()
    for keyword, kind in (("PRINCIPAL", MQZAET_PRINCIPAL), ("GROUP", MQZAET_GROUP)):
        names = command.options.get(keyword, ())
        if isinstance(names, tuple):
            found.update([(kind, name) for name in names])
    if with_groups:
        users = [str(name) for kind, name in found if kind == MQZAET_PRINCIPAL]
        found.update([(MQZAET_GROUP, group) for user in users for group in context.engine.authority.groups_of(user)])
    return found


# -- channel authentication records ------------------------------------------------------------------------------------


def display_channel_records(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY CHLAUTH: show records by channel name, or with MATCH(RUNCHECK) the one that would apply."""
    match = command.options.get("MATCH")
    outcome = _run_check(context, command) if match == MQMATCH_RUNCHECK else _by_name(context, command, match)
    if not context.gate.rules_apply():
        for one in outcome.shown:
            one.title = CURRENTLY_DISABLED
    return outcome


def _by_name(context: Context, command: Command, match: Value | None) -> Outcome:
    asked = command.name
    found = [
        shown_of(context, record)
        for record in family_of(context, "CHLAUTH")
        if (command.kind is None or record.kind == command.kind.name)
        and (
            record.name == asked
            or (match != MQMATCH_EXACT and within(asked, record.name))
            or (match == MQMATCH_ALL and within(record.name, asked))
        )
    ]
    return finish(command, found, NO_RECORD)


def _asked(command: Command, keyword: str) -> str:
    return str(command.selectors.get(keyword, ""))


def _run_check(context: Context, command: Command) -> Outcome:
    """Show the record that applies to a connection: its channel, address, and user, queue manager or certificate."""
    if command.generic or command.kind is not None:
        raise Refusal(messages.FAILED, "MATCH(RUNCHECK) is about one channel, and about records of all types")
    address = _asked(command, "ADDRESS")
    if not address:
        raise Refusal(messages.FAILED, "MATCH(RUNCHECK) needs ADDRESS")
    peer, issuer = _asked(command, "SSLPEER"), _asked(command, "SSLCERTI")
    user, partner = _asked(command, "CLNTUSER"), _asked(command, "QMNAME")
    if user and partner:
        raise Refusal(messages.FAILED, "a client has CLNTUSER, a queue manager QMNAME; not both")
    arrival = ConnectionAttempt(command.name, address, user, peer=peer, issuer=issuer, queue_manager=partner)
    try:
        return _decided(context, command, arrival)
    except BadAddress as bad:
        raise Refusal(messages.FAILED, f"ADDRESS: {bad}") from bad


def _decided(context: Context, command: Command, arrival: ConnectionAttempt) -> Outcome:
    gate = context.gate
    blocked = gate.rules.refusing_address(arrival.address)
    if blocked is not None and not blocked.warns:
        return _show(context, command, blocked.record)
    rule = gate.rules.rule_for(arrival, arrival.user)
    if rule is not None and rule.source == MQUSRC_NOACCESS and not rule.warns:
        return _show(context, command, rule.record)
    user = _runs_as(context, rule, arrival)
    if not arrival.queue_manager:
        users = gate.rules.refusing_user(arrival.channel, user, context.engine.authority.is_administrator(user))
        if users is not None and not users.warns:
            return _show(context, command, users.record)
    if rule is not None:
        return _show(context, command, rule.record)
    outcome = Outcome()
    outcome.lines.append(f"{RUNS}: Channel will run using MCAUSER('{user}').")
    return outcome


def _runs_as(context: Context, rule: Rule | None, arrival: ConnectionAttempt) -> str:
    """Give the user that a connection would run as, if the client's user is authenticated and adopted."""
    return (rule.mca_user if rule is not None else "") or arrival.user or context.gate.channel_user(arrival.channel)


def _show(context: Context, command: Command, record: Record) -> Outcome:
    outcome = Outcome()
    one = shown_of(context, record)
    one.specs = wanted(command, one.kind)
    outcome.shown = [one]
    return outcome
