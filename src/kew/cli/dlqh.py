"""`kew dlqh`: the dead-letter handler, with a table of rules."""

from typing import TextIO

import click

from kew.cli.connected import client_options, connected
from kew.cli.names import QUEUE, QUEUE_MANAGER
from kew.cli.screen import say
from kew.deadletters.handler import Handler
from kew.deadletters.moving import DeadLetterQueue
from kew.deadletters.rules import TableError, read_table


@click.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.argument("queue", type=QUEUE, default="")
@click.option(
    "--rules", type=click.File("r"), default="-", metavar="FILE", help="File of the rules table; - is standard input."
)
@client_options
def dlqh(name: str, queue: str, rules: TextIO) -> None:
    """Process a dead-letter QUEUE of the queue manager NAME with a rules table, as runmqdlq does.

    The table is that of MQ's runmqdlq: a rule to a line, which + at its end continues; lines with * are comments. The
    first rule that fits a message is tried RETRY times, RETRYINT seconds apart, then the next. Without QUEUE it is
    INPUTQ of the table, or else the dead-letter queue of the queue manager. Each message is dealt with in a unit of
    work of its own. It ends as WAIT says, or when the queue is inhibited for gets.

    \b
    Control data, the first line:
      INPUTQ(queue) INPUTQM(qmgr) RETRYINT(60) WAIT(YES | NO | seconds)
    Conditions; texts with * and ?, numbers or MQ's names for them:
      DESTQ DESTQM REPLYQ REPLYQM FORMAT USERID APPLNAME APPLIDAT
      REASON FEEDBACK MSGTYPE PERSIST APPLTYPE
    Actions:
      ACTION(DISCARD | IGNORE | RETRY | FWD) RETRY(1) PUTAUT(DEF | CTX)
      FWDQ(queue | &DESTQ | &REPLYQ) FWDQM(qmgr | &DESTQM | &REPLYQM)
      HEADER(YES | NO)

    \b
    Examples:
      kew dlqh QM1 < rules
      kew dlqh QM1 MY.DLQ --rules rules
      echo "wait(no)
      reason(MQRC_Q_FULL) action(retry) retry(3)
      action(fwd) fwdq(LATER) header(yes)" | kew dlqh QM1
    """
    try:
        table = read_table(rules)
    except TableError as problem:
        raise click.ClickException(f"rules table: {problem}") from problem
    except UnicodeDecodeError as problem:
        raise click.ClickException(f"rules table: {problem}") from problem
    if table.manager not in ("", name):
        say(f"kew: INPUTQM({table.manager}) is overridden by {name}", err=True)
    with connected(name, "kew dlqh") as connection:
        handler = Handler(DeadLetterQueue(connection, queue or table.queue), table, _complain)
        try:
            handler.run()
        finally:
            counts = [f"{count} {what}" for what, count in handler.counts.items()]
            say(f"{', '.join(counts)}, {handler.left} left on the queue.")


def _complain(text: str) -> None:
    say(f"kew: {text}", err=True)
