"""The `kew` command."""

from typing import Final

import click

from kew.cli.group import KewGroup, Sections
from kew.version import VERSION

SECTIONS: Final[Sections] = {
    "Run queue managers": {
        "create": "kew.cli.life:create",
        "start": "kew.cli.start:start",
        "stop": "kew.cli.start:stop",
        "delete": "kew.cli.life:delete",
        "list": "kew.cli.status:list_all",
        "status": "kew.cli.status:status",
    },
    "Define and command": {
        "mqsc": "kew.cli.mqsc:mqsc",
    },
    "Let people and programs in": {
        "user": "kew.cli.user:user",
        "tls": "kew.cli.tls:tls",
    },
    "Work with messages": {
        "put": "kew.cli.put:put",
        "get": "kew.cli.get:get",
        "browse": "kew.cli.get:browse",
        "dump": "kew.cli.dump:dump",
        "load": "kew.cli.load:load",
        "dlq": "kew.cli.dlq:dlq",
        "dlqh": "kew.cli.dlqh:dlqh",
        "trigger": "kew.cli.trigger:trigger",
    },
    "Back up and recover": {
        "backup": "kew.cli.recovery:backup",
        "restore": "kew.cli.recovery:restore",
        "image": "kew.cli.recovery:image",
        "recover": "kew.cli.recovery:recover",
        "units": "kew.cli.recovery:units",
        "resolve": "kew.cli.recovery:resolve",
    },
    "Analyse statistics": {
        "smf": "kew.cli.smf:smf",
        "spark": "kew.cli.spark:spark",
    },
    "Plan and measure": {
        "capacity": "kew.cli.capacity:capacity",
        "ldt": "kew.cli.ldt:ldt",
        "perf": "kew.cli.perf:perf",
    },
    "Find help, check this host": {
        "help": "kew.cli.manual.help:help_command",
        "doctor": "kew.cli.doctor:doctor",
        "completion": "kew.cli.completion:completion",
        "version": "kew.cli.version:version",
    },
}


@click.group(
    cls=KewGroup,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
@click.version_option(VERSION, prog_name="kew", message="%(prog)s %(version)s")
def main() -> None:
    """Kew, an open queue manager that does what IBM MQ does.

    \b
    A first try:
      kew start QM1 --dev
      kew put QM1 DEV.QUEUE.1 'Hello'
      kew mqsc QM1 -e 'DISPLAY QLOCAL(DEV.*) CURDEPTH'
      kew get QM1 DEV.QUEUE.1
      kew stop QM1

    kew COMMAND --help shows options and examples; kew help TOPIC is the manual.
    """
