"""The dispatch table of commands: every command of the grammar has a function that carries it out or refuses it."""

from collections.abc import Callable
from typing import Final

from kew.codes.errors import Broken, MQError
from kew.commands.actions import (
    alter,
    channels,
    chinit,
    define,
    delete,
    display,
    entities,
    logs,
    messagechannels,
    move,
    operate,
    parameters,
    permit,
    records,
    security,
    services,
    status,
    subscriptions,
    system,
    topictree,
    tracing,
    unsupported,
)
from kew.commands.actions.context import Context
from kew.commands.actions.guard import take_defaults
from kew.commands.actions.outcome import Outcome, Refusal, Reply, done, refusal_of, refused
from kew.commands.mqsc import messages
from kew.commands.mqsc.grammar import OBJECTS, SHOWS
from kew.commands.mqsc.parser import Command
from kew.mqi.engine import broken_by
from kew.objects.caller import CONSOLE, Caller
from kew.objects.schema.values import BadValue
from kew.objects.secrets import without_secrets
from kew.storage.log import LogError

Function = Callable[[Context, Command], Outcome]


class Action:
    """A function, and the parameters of the command that it uses; all others are refused."""

    def __init__(self, function: Function, parameters: str = "", anything: bool = False) -> None:
        self.function = function
        self.parameters = frozenset(parameters.split())
        self.anything = anything  # the function refuses the command, whatever its parameters


# Parameters that every command accepts, since they change nothing; the value of CMDSCOPE is checked below.
_ALWAYS: Final = frozenset({"ALL", "CMDSCOPE"})
_TYPES: Final = "TYPE CHLTYPE AUTHTYPE"

SPECIAL: Final[dict[tuple[str, str], Action]] = {
    ("ALTER", "BUFFPOOL"): Action(alter.alter_pool),
    ("ALTER", "PSID"): Action(alter.alter_page_set),
    ("ALTER", "QMGR"): Action(alter.alter_manager, "FORCE"),
    ("ALTER", "SUB"): Action(subscriptions.alter_subscription, "SUBID"),
    ("ALTER", "TRACE"): Action(tracing.alter, "TNO CLASS COMMENT"),
    ("ARCHIVE", "LOG"): Action(logs.archive, "MODE TIME WAIT CANCEL"),
    ("CLEAR", "QLOCAL"): Action(delete.clear),
    ("CLEAR", "TOPICSTR"): Action(topictree.clear_topic_string, "CLRTYPE SCOPE"),
    ("DEFINE", "SUB"): Action(subscriptions.define_subscription, "REPLACE LIKE"),
    ("DELETE", "AUTHREC"): Action(records.delete_authority, "PROFILE OBJTYPE PRINCIPAL GROUP IGNSTATE"),
    ("DELETE", "POLICY"): Action(records.delete_policy, "IGNSTATE"),
    ("DELETE", "SUB"): Action(subscriptions.delete_subscription, "SUBID IGNSTATE"),
    ("DISPLAY", "ARCHIVE"): Action(parameters.display_parameters),
    ("DISPLAY", "AUTHREC"): Action(security.display_authorities, "PROFILE OBJTYPE PRINCIPAL GROUP MATCH"),
    ("DISPLAY", "AUTHSERV"): Action(entities.display_service),
    ("DISPLAY", "BUFFPOOL"): Action(display.display_configured),
    ("DISPLAY", "CHINIT"): Action(chinit.display),
    ("DISPLAY", "CHLAUTH"): Action(security.display_channel_records, "TYPE MATCH"),
    ("DISPLAY", "CHSTATUS"): Action(channels.display_channels, "CURRENT CONNAME XMITQ"),
    ("DISPLAY", "LSSTATUS"): Action(channels.display_listeners),
    ("DISPLAY", "CMDSERV"): Action(system.display_command_server),
    ("DISPLAY", "CONN"): Action(status.display_connections, "TYPE EXTCONN"),
    ("DISPLAY", "ENTAUTH"): Action(entities.display_authority, "OBJTYPE PRINCIPAL GROUP OBJNAME"),
    ("DISPLAY", "LOG"): Action(system.display_log),
    ("DISPLAY", "POLICY"): Action(display.display),
    ("DISPLAY", "PSID"): Action(display.display_configured),
    ("DISPLAY", "PUBSUB"): Action(topictree.display_publish_subscribe, "TYPE"),
    ("DISPLAY", "QCLUSTER"): Action(display.display, "QSGDISP"),
    ("DISPLAY", "QMGR"): Action(display.display_manager),
    ("DISPLAY", "QMSTATUS"): Action(system.display_manager_status, "TYPE"),
    ("DISPLAY", "QSTATUS"): Action(status.display_queue_status, "TYPE"),
    ("DISPLAY", "QUEUE"): Action(display.display, "TYPE QSGDISP"),
    ("DISPLAY", "SBSTATUS"): Action(subscriptions.display_subscription_status, "SUBID SUBTYPE DURABLE"),
    ("DISPLAY", "SUB"): Action(subscriptions.display_subscriptions, "SUBID SUBTYPE DURABLE DISTYPE"),
    ("DISPLAY", "SVSTATUS"): Action(services.display),
    ("DISPLAY", "SYSTEM"): Action(parameters.display_parameters),
    ("DISPLAY", "TCLUSTER"): Action(display.display, "QSGDISP"),
    ("DISPLAY", "THREAD"): Action(status.display_threads, "TYPE"),
    ("DISPLAY", "TPSTATUS"): Action(topictree.display_topic_status, "TYPE"),
    ("DISPLAY", "TRACE"): Action(tracing.display, "CLASS DEST TNO USERID RMID DETAIL"),
    ("DISPLAY", "USAGE"): Action(system.display_usage, "TYPE PSID"),
    ("END", ""): Action(operate.end),
    ("MOVE", "QLOCAL"): Action(move.move, "TOQLOCAL TYPE"),
    ("PING", "CHANNEL"): Action(messagechannels.ping, "DATALEN"),
    ("PING", "QMGR"): Action(operate.ping),
    ("REFRESH", "QMGR"): Action(operate.refresh_manager, "TYPE NAME OBJECT INCLINT"),
    ("REFRESH", "SECURITY"): Action(security.refresh, "TYPE"),
    ("RESET", "CHANNEL"): Action(messagechannels.reset, "SEQNUM"),
    ("RESET", "QMGR"): Action(logs.reset_manager, "TYPE REDUCE ARCHIVED CHILD PARENT"),
    ("RESET", "QSTATS"): Action(operate.reset_counts),
    ("RESOLVE", "CHANNEL"): Action(messagechannels.resolve, "ACTION"),
    ("RESOLVE", "INDOUBT"): Action(operate.resolve, "ACTION NID"),
    ("RVERIFY", "SECURITY"): Action(security.refresh),
    ("SET", "ARCHIVE"): Action(parameters.set_parameters, "DEFAULT"),
    ("SET", "AUTHREC"): Action(records.set_authority, "PROFILE OBJTYPE PRINCIPAL GROUP AUTHADD AUTHRMV"),
    ("SET", "CHLAUTH"): Action(records.set_channel_record, "TYPE ACTION"),
    ("SET", "LOG"): Action(parameters.set_parameters, "DEFAULT"),
    ("SET", "POLICY"): Action(records.set_policy, "ACTION ENFORCE"),
    ("SET", "SYSTEM"): Action(parameters.set_parameters, "DEFAULT"),
    ("START", "CHANNEL"): Action(channels.start_channel, "CHLTYPE IGNSTATE"),
    ("START", "CHINIT"): Action(chinit.start),
    ("START", "CMDSERV"): Action(operate.start_command_server),
    ("START", "LISTENER"): Action(channels.start_listener, "TRPTYPE PORT IPADDR IGNSTATE"),
    ("START", "SERVICE"): Action(services.start, "IGNSTATE"),
    ("START", "TRACE"): Action(tracing.start, "CLASS DEST RMID USERID COMMENT"),
    ("STOP", "CHANNEL"): Action(channels.stop_channel, "MODE STATUS CONNAME QMNAME CHLTYPE IGNSTATE"),
    ("STOP", "CHINIT"): Action(chinit.stop),
    ("STOP", "CMDSERV"): Action(operate.stop_command_server),
    ("STOP", "CONN"): Action(operate.stop_connection, "EXTCONN"),
    ("STOP", "LISTENER"): Action(channels.stop_listener, "TRPTYPE IGNSTATE"),
    ("STOP", "QMGR"): Action(operate.stop_manager, "MODE"),
    ("STOP", "SERVICE"): Action(services.stop, "IGNSTATE"),
    ("STOP", "TRACE"): Action(tracing.stop, "CLASS DEST RMID USERID TNO"),
}


def _table() -> dict[tuple[str, str], Action]:
    table: dict[tuple[str, str], Action] = {}
    for target in [each.target for each in OBJECTS]:
        table["DEFINE", target] = Action(define.define, f"REPLACE LIKE FORCE {_TYPES}")
        table["ALTER", target] = Action(alter.alter, f"FORCE {_TYPES}")
        table["DELETE", target] = Action(delete.delete, f"PURGE AUTHREC IGNSTATE CHLTABLE {_TYPES}")
        table["DISPLAY", target] = Action(display.display, f"QSGDISP SUBTYPE {_TYPES}")
    table.update(SPECIAL)
    for key in unsupported.NOT_YET:
        table[key] = Action(unsupported.not_yet, anything=True)
    for target in unsupported.NOTHING:
        table["DISPLAY", target] = Action(unsupported.nothing, anything=True)
    return table


ACTIONS: Final = _table()


def _check_parameters(context: Context, command: Command, action: Action) -> None:
    scope = command.options.get("CMDSCOPE", "")
    if scope not in ("", "*", context.name):
        raise Refusal(messages.FAILED, f"CMDSCOPE({scope!r}): this queue manager is in no queue sharing group")
    if action.anything:
        return
    for keyword in command.options:
        if keyword not in action.parameters and keyword not in _ALWAYS:
            raise Refusal(messages.NOT_YET, f"{keyword} has no effect on {command.spec.title} yet")


def perform(context: Context, command: Command, caller: Caller = CONSOLE) -> Reply:
    """Carry a command out. Its effect is on disk once the log is, up to the address that the reply has.

    The command is carried out under the authority of the caller's user. The owner of the queue manager, who uses the
    control socket, has all authorities; the blank user has none.
    """
    issuer = caller.user
    action = ACTIONS[command.verb, command.target]
    events = context.engine.events
    try:
        if issuer is not None:
            permit.check(context, command, issuer)
        _check_parameters(context, command, action)
        command.come_from(caller)
        remarks = take_defaults(command)
        outcome = action.function(context, command)
        outcome.lines = remarks + outcome.lines
        text = without_secrets(command.text)
        events.command(command.spec.pcf, command.spec.carries == SHOWS, caller, text, command.sent)
        return done(command, outcome if issuer is None else permit.visible(context, command, outcome, issuer))
    except Refusal as refusal:
        return refused(command, refusal)
    except BadValue as bad:  # a value that is valid for the parameter and not for the object
        return refused(command, Refusal(messages.FAILED, f"{bad}."))
    except LogError as failure:
        raise broken_by(failure) from failure
    except Broken:
        raise
    except MQError as error:
        return refused(command, refusal_of(error, command.name))
