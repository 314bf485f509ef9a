"""`kew trigger`: the trigger monitor (as runmqtrm) starts the programs that trigger messages name.

A user who may define a process or put to an initiation queue could have any program run as the user of the monitor.
Therefore the monitor starts only programs on a list: those of --allow and of AllowedPrograms in the stanza
TriggerMonitor of qm.ini.
No shell sees any part of a trigger message.
"""

import fnmatch
import os
import posixpath
import shlex
import subprocess
import threading

import click

from kew.cli.connected import client_options, connected, over_network
from kew.cli.names import QUEUE_MANAGER
from kew.cli.screen import say
from kew.client import Connection, Queue
from kew.client.requests import get_options
from kew.codes import options as o
from kew.codes.errors import NoMessage
from kew.formats.binary import FormatError
from kew.formats.mqtm import TriggerMessage, decode, encode_character

DEFAULT_QUEUE = "SYSTEM.DEFAULT.INITIATION.QUEUE"
_BACKGROUND = "&"  # at the end of the environment data: the monitor does not wait for the program


class Refused(Exception):
    """The error of a trigger message that the monitor refuses, with the reason."""


def words_of(message: TriggerMessage, queue_manager: str) -> tuple[list[str], bool]:
    """Give the command (ApplId, MQTMC2, words of EnvData), and whether the monitor waits for its end."""
    message.queue_manager = queue_manager.encode()
    try:
        program = shlex.split(_text(message.application_id))
        further = shlex.split(_text(message.environment_data).removesuffix(_BACKGROUND))
        structure = encode_character(message).decode("utf-8")
    except ValueError as problem:
        raise Refused(f"it cannot be read: {problem}") from problem
    if not program:
        raise Refused("the process names no program (APPLICID)")
    if "\0" in structure or any("\0" in word for word in (*program, *further)):
        raise Refused("an argument cannot hold a zero byte")
    waits = not _text(message.environment_data).endswith(_BACKGROUND)
    return [*program, structure, *further], waits


def check_allowed(program: str, allowed: tuple[str, ...]) -> None:
    """Refuse a program that is not on the list; the list has paths, in which * and ? are wildcards."""
    if not posixpath.isabs(program) or posixpath.normpath(program) != program:
        raise Refused(f"{program} is not a whole path")
    if not any(fnmatch.fnmatchcase(program, pattern) for pattern in allowed):
        raise Refused(f"{program} is not on the list of allowed programs")


def _text(field: bytes) -> str:
    return field.rstrip(b" \0").decode("utf-8").strip()


class TriggerMonitor:
    """The trigger monitor, which gets trigger messages and starts programs one after the other."""

    def __init__(self, connection: Connection, queue_manager: str, allowed: tuple[str, ...]) -> None:
        self._connection = connection
        self._queue_manager = queue_manager
        self._allowed = allowed

    def run(self, source: Queue, count: int, wait: float) -> int:
        """Handle `count` trigger messages, or with 0 all that come within the wait interval; gives their number."""
        done = 0
        while not count or done < count:
            try:
                received = source.get(options=get_options(wait, True, False))
            except NoMessage:
                break
            done += 1
            process, waits = self._start(received.data)
            self._connection.commit()  # the program is started, so the message is not needed again
            if process is not None and waits:
                click.echo(f"kew: program {process.pid} ended with {process.wait()}")
            elif process is not None:
                threading.Thread(target=process.wait, name="kew-triggered", daemon=True).start()
        return done

    def _start(self, data: bytes) -> tuple["subprocess.Popen[bytes] | None", bool]:
        try:
            message = decode(data)
            words, waits = words_of(message, self._queue_manager)
            check_allowed(words[0], self._allowed)
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        except FormatError as problem:
            say(f"kew: a message that is not a trigger message is dropped: {problem}", err=True)
            return None, False
        except (Refused, OSError) as problem:
            queue = message.queue.rstrip(b" \0").decode(errors="replace")
            say(f"kew: nothing is started for queue {queue}: {problem}", err=True)
            return None, False
        say(f"kew: started {words[0]} for queue {_text(message.queue)}, process {process.pid}")
        return process, waits


def _configured(name: str) -> tuple[str, ...]:
    """Give the programs that qm.ini of a queue manager on this machine allows."""
    from kew.qmgr.config import load_configuration
    from kew.storage.directories import data_directory, directory_of
    from kew.storage.disk import RealDisk

    path = os.path.join(directory_of(data_directory(), name), "qm.ini")
    if over_network() or not os.path.exists(path):
        return ()
    programs = load_configuration(RealDisk(), path).trigger_monitor.programs
    return tuple([each.strip() for each in programs.split(",") if each.strip()])


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.option("-q", "--queue", default=DEFAULT_QUEUE, show_default=True, help="The initiation queue.")
@click.option("--allow", multiple=True, metavar="PATH", help="A program that may be started; * and ? are wildcards.")
@click.option("-n", "--count", type=click.IntRange(1), help="Number of trigger messages to handle.")
@client_options
def trigger(name: str, queue: str, allow: tuple[str, ...], count: int | None) -> None:
    """Start programs as messages arrive on queues with TRIGGER of the queue manager NAME.

    A program is named by APPLICID of the PROCESS; it gets one argument, the trigger message as characters (MQTMC2), and
    the words of ENVRDATA after it. The monitor waits for it to end, unless ENVRDATA ends with &. It runs as the user of
    the monitor, and only if its path is on the list: of --allow, or AllowedPrograms in the stanza TriggerMonitor of
    qm.ini.

    \b
    Examples:
      kew trigger QM1 --allow /usr/local/bin/serve-orders
      kew trigger QM1 -q APP.INIT --allow '/opt/app/bin/*'
    """
    allowed = (*allow, *_configured(name))
    if not allowed:
        raise click.UsageError("no program may be started: name some with --allow, or in qm.ini")
    with connected(name, "kew trigger") as connection, connection.open(queue, o.MQOO_INPUT_AS_Q_DEF) as source:
        TriggerMonitor(connection, name, allowed).run(source, count or 0, -1.0)
