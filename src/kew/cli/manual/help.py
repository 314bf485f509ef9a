"""`kew help`: shows the manual by topic, and writes the manual pages for man."""

import os

import click

from kew.cli.group import root_group
from kew.cli.screen import show
from kew.version import VERSION


@click.command("help")
@click.argument("topic", nargs=-1)
@click.option("--write", "directory", type=click.Path(file_okay=False), help="Write all pages to this directory.")
@click.option("--markdown", is_flag=True, help="With --write: write Markdown instead of roff.")
def help_command(topic: tuple[str, ...], directory: str | None, markdown: bool) -> None:
    """Show the manual on a TOPIC: a command, also one of MQ, an object, an attribute, qm.ini or a key, a reason code.

    \b
    Examples:
      kew help start                 a command of kew
      kew help DEFINE QLOCAL         an MQSC command
      kew help QLOCAL                all attributes of local queues
      kew help MAXDEPTH              one attribute
      kew help qm.ini                the configuration; kew help LogBufferPages for one key
      kew help 2035                  a reason code; kew help AMQ8118E for a message
      kew help runmqsc               what is typed here in place of a command of MQ
      kew help --write build/man     the pages for man
    """
    from kew.cli.manual.topics import all_pages, find_help, nearest

    main = root_group()
    if directory is not None:
        if topic:
            raise click.UsageError("--write writes all pages; it takes no topic")
        count = 0
        for page in all_pages(main):
            path = os.path.join(directory, f"{page.name}.{page.section}.md" if markdown else page.file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(page.markdown() if markdown else page.roff(VERSION))
            count += 1
        click.echo(f"{count} pages written to {directory}" + ("." if markdown else f"; MANPATH={directory} man kew"))
        return
    if markdown:
        raise click.UsageError("--markdown goes with --write")
    lines = find_help(main, topic or ("kew",))
    if not lines:
        near = nearest(main, topic[0])
        hint = f" Did you mean {' or '.join(near)}?" if near else " Topics are listed by: kew help mqsc, kew help"
        raise click.ClickException(f"the manual has nothing on {' '.join(topic)}.{hint}")
    show(lines)
