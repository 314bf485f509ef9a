"""`kew get` and `kew browse`: writes messages of a queue, removing them or not."""

import json
import sys
from collections.abc import Callable, Iterator
from typing import TypeVar

import click

from kew.cli.connected import client_options, connected
from kew.cli.names import QUEUE, QUEUE_MANAGER
from kew.cli.parameters import IDENTIFIER, Seconds
from kew.cli.screen import printable_bytes, say
from kew.cli.view import View, as_json, header_lines, hexadecimal, take_apart
from kew.client import Queue, Received
from kew.client.requests import get_options, matching
from kew.codes import options as o
from kew.codes.errors import MQError, NoMessage
from kew.codes.reasons import MQRC_SECURITY_ERROR
from kew.selection.selector import selector_of

_WAIT = Seconds(-1, 2147483)  # the longest wait interval in milliseconds

Function = TypeVar("Function", bound=Callable[..., object])


class Shape:
    """The output format of messages."""

    def __init__(self, headers: bool, in_hex: bool, json_lines: bool, raw: bool) -> None:
        if headers + raw + json_lines > 1 or in_hex + raw + json_lines > 1:
            raise click.UsageError("--json, --raw and --headers or --hex exclude each other")
        self.headers = headers
        self.in_hex = in_hex
        self.json_lines = json_lines
        self.raw = raw

    def write(self, received: Received, number: int) -> None:
        """Write one message to standard output, and flush it."""
        out = sys.stdout.buffer
        if self.raw:
            out.write(received.data)
        else:
            shown = self._shown(take_apart(received.descriptor, received.data), number)
            out.write(printable_bytes(shown) if sys.stdout.isatty() else shown)
        out.flush()

    def _shown(self, view: View, number: int) -> bytes:
        if self.json_lines:
            return json.dumps(as_json(view)).encode() + b"\n"
        lines = header_lines(view, number) if self.headers else []
        if self.in_hex:
            lines.extend(hexadecimal(view.data))
        before = "".join([f"{line}\n" for line in lines]).encode("utf-8", "backslashreplace")
        if self.in_hex:
            return before
        text = view.text()
        return before + (view.data if text is None else text.encode("utf-8", "backslashreplace")) + b"\n"


def _checked(_context: click.Context, _parameter: click.Parameter, text: str) -> str:
    """Parse a selection string before anything is opened, so that an error shows its position."""
    try:
        selector_of(text)
    except MQError as error:
        facts = error.facts
        where = f"at character {int(str(facts['position'])) + 1}: " if "position" in facts else ""
        why = f"expected {facts['expected']}" if "expected" in facts else str(error)
        raise click.BadParameter(where + why) from error
    return text


def _options(function: Function) -> Function:
    """Add the options that get and browse share."""
    for option in (
        click.option(
            "--raw",
            is_flag=True,
            help="Write the bytes of the messages with their headers, and nothing else, also to a terminal.",
        ),
        click.option("--json", "json_lines", is_flag=True, help="Write a line of JSON for each message."),
        click.option("--hex", "in_hex", is_flag=True, help="Show the data in hexadecimal and characters."),
        click.option("--headers", is_flag=True, help="Show descriptor, headers and properties, field by field."),
        click.option("--correlation-id", type=IDENTIFIER, default=b"", help="Only messages with this CorrelId."),
        click.option("--message-id", type=IDENTIFIER, default=b"", help="Only messages with this MsgId."),
        click.option(
            "--selector",
            callback=_checked,
            default="",
            metavar="TEXT",
            help="Only messages that a selection string selects, such as \"colour = 'red' AND size > 3\".",
        ),
        click.option(
            "--wait",
            type=_WAIT,
            default=0.0,
            metavar="SECONDS",
            help="Seconds to wait for each message; -1 for ever.",
        ),
        click.argument("queue", type=QUEUE),
        click.argument("name", type=QUEUE_MANAGER),
    ):
        function = option(function)
    return function


@click.command()
@_options
@click.option("-n", "--count", type=click.IntRange(1), help="Number of messages to get; default: one.")
@click.option("--all", "everything", is_flag=True, help="Get all messages, until none is left.")
@click.option(
    "--unit", type=click.IntRange(1), default=1, metavar="N", help="Commit after every N messages; default: after each."
)
@client_options
def get(
    name: str,
    queue: str,
    wait: float,
    message_id: bytes,
    correlation_id: bytes,
    selector: str,
    headers: bool,
    in_hex: bool,
    json_lines: bool,
    raw: bool,
    count: int | None,
    everything: bool,
    unit: int,
) -> None:
    """Get messages from a QUEUE of the queue manager NAME and write them to standard output.

    A message is removed only once it is written: if the output breaks, uncommitted messages are back on the queue.
    The exit code is 1 if there was no message, or fewer than -n asked for.

    \b
    Examples:
      kew get QM1 DEV.QUEUE.1
      kew get QM1 DEV.QUEUE.1 --all --json
      kew get QM1 DEV.QUEUE.1 --wait 30 --correlation-id 414D51
      kew get QM1 DEV.QUEUE.1 --selector "colour = 'red'"
    """
    if everything and count is not None:
        raise click.UsageError("--all and -n exclude each other")
    shape = Shape(headers, in_hex, json_lines, raw)
    wanted = 0 if everything else count or 1
    done = 0
    with (
        connected(name, "kew get") as connection,
        connection.open(queue, o.MQOO_INPUT_AS_Q_DEF, selector=selector) as source,
    ):
        try:
            while not wanted or done < wanted:
                received = source.get(
                    options=get_options(wait, True, False, o.MQGMO_PROPERTIES_FORCE_MQRFH2),
                    descriptor=matching(message_id, correlation_id),
                )
                done += 1
                shape.write(received, done)
                if done % unit == 0:
                    connection.commit()
        except NoMessage as none:
            if done < wanted:
                say(f"kew: {none}", err=True)
        except MQError as error:
            if error.reason == MQRC_SECURITY_ERROR:
                connection.commit()  # the message moves to the error queue for good
            raise
        connection.commit()
    if done < wanted:
        raise SystemExit(1)


@click.command()
@_options
@click.option("-n", "--count", type=click.IntRange(1), help="Number of messages to show; default: all.")
@client_options
def browse(
    name: str,
    queue: str,
    wait: float,
    message_id: bytes,
    correlation_id: bytes,
    selector: str,
    headers: bool,
    in_hex: bool,
    json_lines: bool,
    raw: bool,
    count: int | None,
) -> None:
    """Show the messages on a QUEUE of the queue manager NAME and leave them there.

    \b
    Examples:
      kew browse QM1 DEV.QUEUE.1 --headers --hex
      kew browse QM1 SYSTEM.DEAD.LETTER.QUEUE --json -n 5
    """
    shape = Shape(headers, in_hex, json_lines, raw)
    with (
        connected(name, "kew browse") as connection,
        connection.open(queue, o.MQOO_BROWSE, selector=selector) as source,
    ):
        for number, received in enumerate(_browsed(source, wait, message_id, correlation_id), 1):
            shape.write(received, number)
            if number == count:
                break


def _browsed(source: Queue, wait: float, message_id: bytes, correlation_id: bytes) -> Iterator[Received]:
    step = o.MQGMO_BROWSE_FIRST
    while True:
        try:
            yield source.get(
                options=get_options(wait, False, False, step | o.MQGMO_PROPERTIES_FORCE_MQRFH2),
                descriptor=matching(message_id, correlation_id),
            )
        except NoMessage:
            return
        step = o.MQGMO_BROWSE_NEXT
