"""ARCHIVE LOG and RESET QMGR: end and archive the current log extent, reduce the log, collect statistics."""

from kew.accounting.traces import STATISTICS
from kew.codes.attributes import MQLR_AUTO
from kew.codes.options import MQACT_ADVANCE_LOG, MQACT_COLLECT_STATISTICS, MQACT_PUBSUB, MQACT_REDUCE_LOG
from kew.commands.actions import unsupported
from kew.commands.actions.context import Context
from kew.commands.actions.outcome import Outcome, Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.mqi.engine import broken_by
from kew.storage.log import LogError
from kew.storage.recovery.advance import Advance


def _advance(context: Context) -> int:
    """End the current log extent; gives its number."""
    engine = context.engine
    if not engine.log.settings.linear:
        raise Refusal(messages.FAILED, "the log is circular: its extents are used again and not archived")
    advance = Advance(engine.log, engine.store)
    try:
        advance.run(engine.run)
    except LogError as failure:
        raise broken_by(failure) from failure
    return advance.number


def archive(context: Context, command: Command) -> Outcome:
    """Carry out ARCHIVE LOG: end the current extent and archive it, in the background or, with WAIT(YES), now."""
    log = context.engine.log
    if "MODE" in command.options or "TIME" in command.options:
        raise Refusal(messages.NOT_YET, "work is not held while the log is archived: leave out MODE(QUIESCE) and TIME")
    if "CANCEL" in command.options:
        raise Refusal(messages.FAILED, "an archive that is under way goes on to its end, which takes moments")
    if log.settings.linear and not log.settings.archive:
        raise Refusal(messages.FAILED, "LogArchive=NO in qm.ini: full log extents are kept and not archived")
    number = _advance(context)
    outcome = Outcome(command.spec.done)
    if command.options.get("WAIT"):
        log.maintain()
        if not log.is_archived(number):
            raise Refusal(messages.FAILED, f"log extent {number} could not be archived; the error log says why")
        outcome.lines.append(f"{messages.ADVICE}: log extent {number} is archived.")
    else:
        outcome.lines.append(f"{messages.ADVICE}: log extent {number} is ended and will be archived.")
    return outcome


def reset_manager(context: Context, command: Command) -> Outcome:
    """Carry out RESET QMGR."""
    action = command.options["TYPE"]
    if action == MQACT_ADVANCE_LOG:
        _advance(context)
        return Outcome(command.spec.done)
    if action == MQACT_REDUCE_LOG:
        if command.options.get("REDUCE", MQLR_AUTO) != MQLR_AUTO:
            raise Refusal(messages.NOT_YET, "REDUCE(AUTO) only: all log files that nothing needs are given back")
        context.checkpointer.take()
        context.engine.log.maintain()
        return Outcome(command.spec.done)
    if action == MQACT_COLLECT_STATISTICS:
        if not any(trace.kind == STATISTICS for trace in context.traces.running()):
            raise Refusal(messages.FAILED, "no statistics trace is running: START TRACE(STAT)")
        context.operations.cut_statistics()
        return Outcome(command.spec.done)
    if action == MQACT_PUBSUB:
        raise Refusal(messages.NOT_YET, unsupported.RELATIONS)
    raise Refusal(messages.FAILED, "full log extents are archived by the queue manager itself")
