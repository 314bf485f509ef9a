"""START SERVICE, STOP SERVICE and DISPLAY SVSTATUS."""

import time

from kew.codes.attributes import MQSVC_STATUS_RUNNING
from kew.commands.actions.context import Context, ServiceError, Services
from kew.commands.actions.display import finish
from kew.commands.actions.find import existing
from kew.commands.actions.outcome import Outcome, Refusal, Shown
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.objects.schema import object_type
from kew.objects.schema.values import Value


def _services(context: Context) -> Services:
    if context.services is None:
        raise Refusal(messages.FAILED, "this queue manager was started without services")
    return context.services


def start(context: Context, command: Command) -> Outcome:
    """Carry out START SERVICE."""
    record = existing(context, command)
    try:
        _services(context).start(record)
    except ServiceError as error:
        _forgive(command, error)
    return Outcome(command.spec.done)


def stop(context: Context, command: Command) -> Outcome:
    """Carry out STOP SERVICE."""
    record = existing(context, command)
    try:
        _services(context).stop(record)
    except ServiceError as error:
        _forgive(command, error)
    return Outcome(command.spec.done)


def _forgive(command: Command, error: ServiceError) -> None:
    if not (error.already and command.options.get("IGNSTATE")):
        raise Refusal(messages.FAILED, f"{error}.") from error


def display(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY SVSTATUS: show the services that are running."""
    kind = object_type("SVSTATUS")
    found: list[Shown] = []
    for running in _services(context).running() if context.services is not None else ():
        if not matches(command.name, running.name):
            continue
        began = time.localtime(running.started)
        values: dict[str, Value | None] = {
            **running.values,
            "STATUS": MQSVC_STATUS_RUNNING,
            "PID": running.process,
            "STARTDA": time.strftime("%Y-%m-%d", began),
            "STARTTI": time.strftime("%H.%M.%S", began),
        }
        found.append(Shown(kind, running.name, values))
    return finish(command, found)
