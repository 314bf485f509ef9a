"""`kew spark`: Spark's own programs, with Kew's formats."""

import ipaddress
import subprocess
import sys
import tempfile
from typing import Final

import click

from kew.cli.engine import check_master, problems
from kew.cli.group import Commands

ON_SPARK: Final = ("report", "ingest", "analyse", "live")
_SETTINGS = click.option("--conf", "settings", multiple=True, help="A Spark setting spark.NAME=VALUE; may be repeated.")


@click.group(cls=Commands)
def spark() -> None:
    """Run commands with spark-submit, or a Spark Connect server that knows Kew's formats.

    \b
    The same command three ways:
      kew smf report LOG dumps/ --master 'local[*]'
      kew spark submit --master spark://HOST:7077 smf report LOG dumps/
      kew smf report LOG dumps/ --remote sc://HOST       (where `kew spark connect` runs)
    """


@spark.command(context_settings={"allow_interspersed_args": False})
@click.option("--master", help="The Spark master, such as spark://HOST:7077; default: that of Spark's settings.")
@_SETTINGS
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND...")
def submit(master: str | None, settings: tuple[str, ...], words: tuple[str, ...]) -> None:
    """Run a command of kew with spark-submit; Kew's package is sent to the workers.

    COMMAND is the part after `kew`: smf report, ingest, analyse or live. Dumps and stores must be where every worker
    reaches them.

    Example: kew spark submit --master spark://HOST:7077 smf ingest dumps/ --to store
    """
    with problems():
        from kew.analytics.submission import environment, submission

        _check(settings, master)
        _parse(words)
        with tempfile.TemporaryDirectory(prefix="kew-submit-") as folder:
            command = submission(folder, master, settings, words)
            sys.exit(subprocess.run(command, env=environment(), check=False).returncode)


@spark.command()
@click.option("--master", default="local[*]", help="The Spark master of the server.")
@click.option("--host", default="127.0.0.1", help="The address to listen on; default: this machine only.")
@click.option("--port", default=15002, type=click.IntRange(1, 65535), help="The port to listen on.")
@_SETTINGS
def connect(master: str, host: str, port: int, settings: tuple[str, ...]) -> None:
    """Run a Spark Connect server until Ctrl-C; every client of it can run any code as you.

    Example: kew spark connect
    """
    with problems():
        from kew.analytics.submission import connect_server, environment

        _check(settings, master)
        ipaddress.ip_address(host)  # a name might resolve to another address
        command = connect_server(master, host, port, settings)
        click.echo(f"Spark Connect at sc://{host}:{port}; try: kew smf report LOG SMF.DUMP --remote sc://{host}:{port}")
        with subprocess.Popen(command, env=environment()) as server:
            try:
                sys.exit(server.wait())
            except KeyboardInterrupt:
                server.terminate()
                server.wait()


def _check(settings: tuple[str, ...], master: str | None) -> None:
    for setting in settings:
        name, _, value = setting.partition("=")
        if not name.startswith("spark.") or not value:
            raise ValueError(f"--conf takes spark.NAME=VALUE, not {setting!r}")
    check_master(master)


def _parse(words: tuple[str, ...]) -> None:
    """Refuse a command that is not for Spark, or has wrong arguments, before Spark is started."""
    from kew.cli.smf import smf

    if words[0] != "smf" or len(words) < 2 or words[1] not in ON_SPARK:
        raise ValueError(f"with spark-submit run {', '.join([f'smf {name}' for name in ON_SPARK])}: not {words[0]!r}")
    smf.commands[words[1]].make_context(f"smf {words[1]}", list(words[2:]))
