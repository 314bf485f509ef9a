"""From a command to the function that carries it out. Every command of the grammar has one, if only to refuse it."""

from collections.abc import Callable
from typing import Final

from kew.codes.errors import Broken, MQError
from kew.commands.actions import (
    absent,
    alter,
    define,
    delete,
    display,
    operate,
    permit,
    records,
    security,
    status,
    system,
)
from kew.commands.actions.context import Context
from kew.commands.actions.outcome import Outcome, Refusal, Reply, done, refusal_of, refused
from kew.commands.mqsc import messages
from kew.commands.mqsc.grammar import OBJECTS
from kew.commands.mqsc.parser import Command
from kew.mqi.engine import broken_by
from kew.storage.log import LogError

Function = Callable[[Context, Command], Outcome]


class Action:
    """A function, and the parameters of the command that it heeds; all others are refused."""

    def __init__(self, function: Function, heeds: str = "", anything: bool = False) -> None:
        self.function = function
        self.heeds = frozenset(heeds.split())
        self.anything = anything  # refuses in any case, whatever is given


# Parameters that mean nothing more than what is so anyhow: CMDSCOPE is looked at below.
_ALWAYS: Final = frozenset({"ALL", "CMDSCOPE"})
_TYPES: Final = "TYPE CHLTYPE AUTHTYPE"

SPECIAL: Final[dict[tuple[str, str], Action]] = {
    ("ALTER", "BUFFPOOL"): Action(alter.alter_pool),
    ("ALTER", "PSID"): Action(alter.alter_page_set),
    ("ALTER", "QMGR"): Action(alter.alter_manager, "FORCE"),
    ("CLEAR", "QLOCAL"): Action(delete.clear),
    ("DELETE", "AUTHREC"): Action(records.delete_authority, "PROFILE OBJTYPE PRINCIPAL GROUP IGNSTATE"),
    ("DELETE", "POLICY"): Action(records.delete_policy, "IGNSTATE"),
    ("DISPLAY", "AUTHREC"): Action(security.display_authorities, "PROFILE OBJTYPE PRINCIPAL GROUP MATCH"),
    ("DISPLAY", "BUFFPOOL"): Action(display.display_configured),
    ("DISPLAY", "CHLAUTH"): Action(security.display_channel_records, "TYPE MATCH"),
    ("DISPLAY", "CONN"): Action(status.display_connections, "TYPE EXTCONN"),
    ("DISPLAY", "LOG"): Action(system.display_log),
    ("DISPLAY", "POLICY"): Action(display.display),
    ("DISPLAY", "PSID"): Action(display.display_configured),
    ("DISPLAY", "QCLUSTER"): Action(display.display, "QSGDISP"),
    ("DISPLAY", "QMGR"): Action(display.display_manager),
    ("DISPLAY", "QMSTATUS"): Action(system.display_manager_status, "TYPE"),
    ("DISPLAY", "QSTATUS"): Action(status.display_queue_status, "TYPE"),
    ("DISPLAY", "QUEUE"): Action(display.display, "TYPE QSGDISP"),
    ("DISPLAY", "TCLUSTER"): Action(display.display, "QSGDISP"),
    ("DISPLAY", "THREAD"): Action(status.display_threads, "TYPE"),
    ("DISPLAY", "USAGE"): Action(system.display_usage, "TYPE PSID"),
    ("END", ""): Action(operate.end),
    ("PING", "QMGR"): Action(operate.ping),
    ("REFRESH", "SECURITY"): Action(security.refresh, "TYPE"),
    ("RESET", "QSTATS"): Action(operate.reset_counts),
    ("RESOLVE", "INDOUBT"): Action(operate.resolve, "ACTION NID"),
    ("RVERIFY", "SECURITY"): Action(security.refresh),
    ("SET", "AUTHREC"): Action(records.set_authority, "PROFILE OBJTYPE PRINCIPAL GROUP AUTHADD AUTHRMV"),
    ("SET", "CHLAUTH"): Action(records.set_channel_record, "TYPE ACTION"),
    ("SET", "POLICY"): Action(records.set_policy, "ACTION"),
    ("STOP", "QMGR"): Action(operate.stop_manager, "MODE"),
}


def _table() -> dict[tuple[str, str], Action]:
    table: dict[tuple[str, str], Action] = {}
    for target, _short, _family, _said, _pcf in OBJECTS:
        table["DEFINE", target] = Action(define.define, f"REPLACE LIKE FORCE {_TYPES}")
        table["ALTER", target] = Action(alter.alter, f"FORCE {_TYPES}")
        table["DELETE", target] = Action(delete.delete, f"PURGE AUTHREC IGNSTATE {_TYPES}")
        table["DISPLAY", target] = Action(display.display, f"QSGDISP SUBTYPE {_TYPES}")
    table.update(SPECIAL)
    for key in absent.NOT_YET:
        table[key] = Action(absent.not_yet, anything=True)
    for target in absent.NOTHING:
        table["DISPLAY", target] = Action(absent.nothing, anything=True)
    return table


ACTIONS: Final = _table()


def _check_parameters(context: Context, command: Command, action: Action) -> None:
    scope = command.options.get("CMDSCOPE", "")
    if scope not in ("", "*", context.name):
        raise Refusal(messages.FAILED, f"CMDSCOPE({scope!r}): this queue manager is in no queue sharing group")
    if action.anything:
        return
    for keyword in command.options:
        if keyword not in action.heeds and keyword not in _ALWAYS:
            raise Refusal(messages.NOT_YET, f"{keyword} has no effect on {command.spec.title} yet")


def perform(context: Context, command: Command, issuer: str | None = None) -> Reply:
    """Carry a command out. What it did is on disk once the log is, up to the address that the reply names.

    The issuer is the user whose authority counts; None is the owner, who came in by the control door. The blank user is
    nobody and may do nothing.
    """
    action = ACTIONS[command.verb, command.target]
    try:
        if issuer is not None:
            permit.check(context, command, issuer)
        _check_parameters(context, command, action)
        outcome = action.function(context, command)
        return done(command, outcome if issuer is None else permit.visible(context, command, outcome, issuer))
    except Refusal as refusal:
        return refused(command, refusal)
    except LogError as failure:
        raise broken_by(failure) from failure
    except Broken:
        raise
    except MQError as error:
        return refused(command, refusal_of(error, command.name))
