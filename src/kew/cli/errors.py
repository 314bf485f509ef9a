"""Turns what can go wrong into one line on standard error and an exit code."""

from typing import Any, Final

import click

from kew.codes.errors import MQError
from kew.qmgr.backup import BackupError
from kew.qmgr.ini import ConfigurationError
from kew.qmgr.manager import QueueManagerError
from kew.storage.disk import DiskError
from kew.storage.log import LogError
from kew.storage.stall import Damaged

# As crtmqm, strmqm and their like have them.
_EXIT_CODES: Final = {"CSQY902E": 5, "AMQ8110E": 8, "AMQ8118E": 16}
_FAILED: Final = 20


class KewGroup(click.Group):
    """A command group whose commands never show a traceback for what a user or a disk did."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; say what was wrong and leave with a code that is not 0."""
        try:
            return super().invoke(ctx)
        except QueueManagerError as problem:
            code = _EXIT_CODES.get(problem.message_id, _FAILED)
            text = str(problem)
        except (BackupError, ConfigurationError, LogError, Damaged, DiskError, MQError) as problem:
            code = _FAILED
            text = str(problem)
        click.echo(f"kew: {text}", err=True)
        return ctx.exit(code)
