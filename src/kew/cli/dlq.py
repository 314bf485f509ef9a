"""`kew dlq`: shows dead letters and replays them to their destinations."""

import json
from collections.abc import Iterator

import click

from kew.cli.connected import client_options, connected
from kew.cli.group import Commands
from kew.cli.names import QUEUE, QUEUE_MANAGER
from kew.cli.screen import say
from kew.cli.view import as_json, header_lines, take_apart
from kew.client import Received
from kew.codes import options, reasons
from kew.deadletters.letters import Letter, read
from kew.deadletters.moving import DeadLetterQueue

_NOT_ONE = "(no dead letter)"


@click.group(cls=Commands)
def dlq() -> None:
    """Show the messages of a dead-letter queue, and replay them.

    \b
    Examples:
      kew dlq list QM1
      kew dlq show QM1 --reason MQRC_Q_FULL
      kew dlq replay QM1 --reason 2053
    """


def reason_of(_context: click.Context, _parameter: click.Parameter, value: str | None) -> int | None:
    """Read a reason code, as a number or by its name."""
    if value is None:
        return None
    if value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    name = value.upper()
    for module in (reasons, options):
        number = vars(module).get(name)
        if name.startswith(("MQRC_", "MQFB_")) and isinstance(number, int):
            return number
    raise click.BadParameter(f"{value} is neither a number nor a name such as MQRC_Q_FULL")


def name_of(reason: int) -> str:
    """Give the name of a reason or feedback code."""
    for name, number in vars(options).items():
        if name.startswith("MQFB_") and number == reason and not name.endswith(("_FIRST", "_LAST")):
            return name
    return reasons.reason_name(reason)


_REASON = click.option("--reason", callback=reason_of, metavar="CODE", help="Only messages with this reason.")
_JSON = click.option("--json", "json_lines", is_flag=True, help="Write a line of JSON for each.")


def _letters(queue: DeadLetterQueue, reason: int | None) -> Iterator[tuple[Received, Letter | None]]:
    for received in queue.messages():
        letter = read(received.descriptor, received.data)
        if reason is None or (letter is not None and letter.reason == reason):
            yield received, letter


class _Group:
    """The messages with one reason code: their count, the oldest and newest time, and their destinations."""

    def __init__(self) -> None:
        self.count = 0
        self.oldest = ""
        self.newest = ""
        self.queues: dict[str, int] = {}

    def add(self, letter: Letter | None) -> None:
        self.count += 1
        if letter is None:
            return
        moment = (letter.header.put_date + letter.header.put_time).decode("ascii", "replace")
        self.oldest = min(self.oldest or moment, moment)
        self.newest = max(self.newest, moment)
        self.queues[letter.queue] = self.queues.get(letter.queue, 0) + 1


def _moment(stamp: str) -> str:
    if len(stamp) != 16 or not stamp.isdigit():
        return "-"
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]} {stamp[8:10]}:{stamp[10:12]}:{stamp[12:14]}"


@dlq.command("list")
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("queue", type=QUEUE, default="")
@_JSON
@client_options
def list_by_reason(name: str, queue: str, json_lines: bool) -> None:
    """Count the messages of a dead-letter QUEUE by reason code.

    The default QUEUE is the dead-letter queue of the queue manager NAME.

    \b
    Examples:
      kew dlq list QM1
      kew dlq list QM1 MY.DLQ --json
    """
    groups: dict[int | None, _Group] = {}
    with connected(name, "kew dlq") as connection:
        letters = DeadLetterQueue(connection, queue)
        for _received, letter in _letters(letters, None):
            groups.setdefault(None if letter is None else letter.reason, _Group()).add(letter)
    ordered = sorted(groups.items(), key=lambda each: (-each[1].count, each[0] or 0))
    if json_lines:
        for reason, group in ordered:
            named = "" if reason is None else name_of(reason)
            row = {"reason": reason, "name": named, "count": group.count, "queues": group.queues}
            click.echo(json.dumps({**row, "oldest": _moment(group.oldest), "newest": _moment(group.newest)}))
        return
    if not ordered:
        say(f"No messages on {letters.name}.")
        return
    click.echo(f"{'REASON':<7}{'NAME':<34}{'COUNT':>7}  {'OLDEST':<19}  {'NEWEST':<19}  QUEUES")
    for reason, group in ordered:
        code, named = ("-", _NOT_ONE) if reason is None else (str(reason), name_of(reason))
        queues = ", ".join([f"{each} ({count})" for each, count in sorted(group.queues.items())])
        oldest, newest = _moment(group.oldest), _moment(group.newest)
        say(f"{code:<7}{named:<34}{group.count:>7}  {oldest:<19}  {newest:<19}  {queues}".rstrip())


@dlq.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("queue", type=QUEUE, default="")
@_REASON
@_JSON
@client_options
def show(name: str, queue: str, reason: int | None, json_lines: bool) -> None:
    """Show the messages of a dead-letter QUEUE: header, descriptor and data; they stay there.

    \b
    Examples:
      kew dlq show QM1
      kew dlq show QM1 --reason MQRC_Q_FULL --json
    """
    with connected(name, "kew dlq") as connection:
        for number, (received, _letter) in enumerate(_letters(DeadLetterQueue(connection, queue), reason), 1):
            view = take_apart(received.descriptor, received.data)
            if json_lines:
                click.echo(json.dumps(as_json(view)))
                continue
            for line in header_lines(view, number):
                say(line)
            text = view.text()
            say(view.data.hex() if text is None else text)


@dlq.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("queue", type=QUEUE, default="")
@_REASON
@click.option("--to", "target", metavar="QUEUE", help="Put all messages on this queue.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most so many messages.")
@client_options
def replay(name: str, queue: str, reason: int | None, target: str | None, limit: int | None) -> None:
    """Put the messages of a dead-letter QUEUE on their original queues, without the dead-letter header.

    Each message is moved in a unit of work of its own: if kew is killed, it is on one queue or on the other. A message
    that cannot be put stays, and the exit code is 1.

    \b
    Examples:
      kew dlq replay QM1 --reason 2053
      kew dlq replay QM1 --to LATER --limit 100
    """
    moved, failures = 0, 0
    with connected(name, "kew dlq") as connection:
        letters = DeadLetterQueue(connection, queue)
        for _received, letter in _letters(letters, reason):
            if letter is None:
                continue
            where, manager = (target, "") if target else (letter.queue, letter.manager)
            failure = letters.move(letter.original(), letter.data, where, manager)
            if failure is not None:
                failures += 1
                say(f"kew: message for {where}: {failure}", err=True)
                continue
            moved += 1
            if moved == limit:
                break
    click.echo(f"{moved} message{'s' * (moved != 1)} replayed, {failures} could not be put.")
    if failures:
        raise SystemExit(1)
