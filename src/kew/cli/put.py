"""`kew put`: puts arguments, lines or files as messages on a queue."""

import itertools
import json
import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from kew.cli.connected import client_options, connected
from kew.cli.names import QUEUE, QUEUE_MANAGER
from kew.cli.parameters import IDENTIFIER, Seconds
from kew.cli.properties import parse_property, properties_header
from kew.cli.view import descriptor_fields
from kew.client.requests import put_options
from kew.codes import options as o
from kew.codes.errors import MQError
from kew.formats import mqrfh2
from kew.formats.mqmd import MessageDescriptor

_TYPES = {
    "datagram": o.MQMT_DATAGRAM,
    "request": o.MQMT_REQUEST,
    "reply": o.MQMT_REPLY,
    "report": o.MQMT_REPORT,
}
_LONGEST = 100 << 20
_UTF_8 = 1208


def _properties(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> list[tuple[str, str, str]]:
    try:
        return [parse_property(each) for each in given]
    except ValueError as problem:
        raise click.BadParameter(str(problem)) from problem


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("queue", type=QUEUE)
@click.argument("text", nargs=-1)
@click.option(
    "-f", "--file", "files", multiple=True, type=click.File("rb"), help="A file with the data of one message."
)
@click.option("--hex", "as_hex", is_flag=True, help="Read TEXT, or each line, as hexadecimal.")
@click.option("-n", "--count", type=click.IntRange(1), default=1, help="Number of times to put each message.")
@click.option("--persistent/--not-persistent", default=None, help="Persistence; default: DEFPSIST of the queue.")
@click.option("--priority", type=click.IntRange(0, 9), help="Priority; default: DEFPRTY of the queue.")
@click.option("--expiry", type=Seconds(0.1, 200000000), metavar="SECONDS", help="Seconds until the message expires.")
@click.option("--message-id", type=IDENTIFIER, default=b"", help="MsgId in hexadecimal; default: a new one.")
@click.option("--correlation-id", type=IDENTIFIER, default=b"", help="CorrelId in hexadecimal.")
@click.option("--type", "kind", type=click.Choice(list(_TYPES)), default="datagram", help="MsgType.")
@click.option("--reply-to", metavar="QUEUE[@QMGR]", default="", help="ReplyToQ and ReplyToQMgr.")
@click.option("--format", "form", help="Format; MQSTR for texts and lines, blank for files and hexadecimal.")
@click.option(
    "-p",
    "--property",
    "properties",
    multiple=True,
    callback=_properties,
    metavar="NAME[:TYPE]=VALUE",
    help="A property, carried in an MQRFH2; TYPE is string, int, long, double or boolean.",
)
@click.option(
    "--unit", type=click.IntRange(0), default=0, metavar="N", help="Commit after every N messages; 0: no syncpoint."
)
@click.option("--json", "as_json", is_flag=True, help="Show the descriptor of each message put, a line of JSON each.")
@client_options
def put(
    name: str,
    queue: str,
    text: tuple[str, ...],
    files: tuple[BinaryIO, ...],
    as_hex: bool,
    count: int,
    persistent: bool | None,
    priority: int | None,
    expiry: float | None,
    message_id: bytes,
    correlation_id: bytes,
    kind: str,
    reply_to: str,
    form: str | None,
    properties: list[tuple[str, str, str]],
    unit: int,
    as_json: bool,
) -> None:
    """Put messages on a QUEUE of the queue manager NAME.

    Each TEXT is a message. Without TEXT and -f, each line of standard input is a message.

    \b
    Examples:
      kew put QM1 DEV.QUEUE.1 'Hello'
      kew put QM1 DEV.QUEUE.1 -n 1000 --persistent --unit 100 'Hello'
      kew put QM1 DEV.QUEUE.1 -f order.xml -p colour=red -p size:int=42
      seq 100 | kew put QM1 DEV.QUEUE.1
      kew put QM1 DEV.QUEUE.1 --connect 'host(1414)' --user app 'Hello'
    """
    if text and files:
        raise click.UsageError("give texts or files, not both")
    if form is None:
        form = "" if files or as_hex else "MQSTR"
    if len(form) > 8 or not form.isascii():
        raise click.BadParameter("a format has at most 8 characters", param_hint="--format")
    reply_queue, _, reply_manager = reply_to.partition("@")
    if len(reply_queue) > 48 or len(reply_manager) > 48:
        raise click.BadParameter("names have at most 48 characters", param_hint="--reply-to")
    model = MessageDescriptor(
        message_type=_TYPES[kind],
        expiry=o.MQEI_UNLIMITED if expiry is None else max(1, round(expiry * 10)),
        encoding=o.MQENC_NATIVE,
        ccsid=_UTF_8,
        format=form.upper().ljust(8).encode(),
        priority=o.MQPRI_PRIORITY_AS_Q_DEF if priority is None else priority,
        persistence=o.MQPER_PERSISTENCE_AS_Q_DEF if persistent is None else int(persistent),
        message_id=message_id.ljust(24, b"\0"),
        correlation_id=correlation_id.ljust(24, b"\0"),
        reply_to_queue=reply_queue.encode(),
        reply_to_queue_manager=reply_manager.encode(),
    )
    before = b""
    if properties:
        before = mqrfh2.encode(properties_header(properties, model.format, model.ccsid, model.encoding))
        model.format = o.MQFMT_RF_HEADER_2
    done = kept = 0
    try:
        with connected(name, "kew put") as connection, connection.open(queue, o.MQOO_OUTPUT) as target:
            for data in _messages(text, files, as_hex, count):
                descriptor = model.copy()
                options = put_options(unit > 0, False, 0 if message_id else o.MQPMO_NEW_MSG_ID)
                target.put(before + data, descriptor, options=options)
                done += 1
                if unit and done % unit == 0:
                    connection.commit()
                if not unit or done % unit == 0:
                    kept = done
                if as_json:
                    click.echo(json.dumps(descriptor_fields(descriptor)))
            if unit and done % unit:
                connection.commit()
    except MQError:
        if kept and not as_json:  # what stays there, before what went wrong
            click.echo(_told(kept, queue))
        raise
    if not as_json:
        click.echo(_told(done, queue))


def _told(count: int, queue: str) -> str:
    return f"{count} message{'s' * (count != 1)} put on {queue}."


def _messages(text: tuple[str, ...], files: tuple[BinaryIO, ...], as_hex: bool, count: int) -> Iterator[bytes]:
    for message in _sources(text, files, as_hex):
        yield from itertools.repeat(message, count)


def _sources(text: tuple[str, ...], files: tuple[BinaryIO, ...], as_hex: bool) -> Iterator[bytes]:
    if files:
        for file in files:
            data = file.read(_LONGEST + 1)
            if len(data) > _LONGEST:
                raise click.ClickException(f"{file.name} is longer than a message can be: {_LONGEST} bytes")
            yield data
    elif text:
        yield from [_bytes(each, as_hex) for each in text]
    else:
        while line := sys.stdin.buffer.readline(_LONGEST + 1):
            if len(line) > _LONGEST:
                raise click.ClickException(f"a line is longer than a message can be: {_LONGEST} bytes")
            line = line.removesuffix(b"\n")
            yield _bytes(line.decode("ascii", "replace"), True) if as_hex else line


def _bytes(text: str, as_hex: bool) -> bytes:
    if not as_hex:
        return text.encode("utf-8", "surrogateescape")
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise click.BadParameter(f"'{text[:40]}' is not hexadecimal", param_hint="TEXT") from None
