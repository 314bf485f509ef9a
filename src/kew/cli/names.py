"""Arguments that name existing objects, with completion by the shell.

Modules for completion are loaded only during completion, so that commands do not wait for them.
"""

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    _Word = click.ParamType[str]
else:
    _Word = click.ParamType  # generic in newer releases of click only


class QueueManagerName(_Word):
    """The parameter type of a queue manager's name; the queue manager need not exist."""

    name = "qmgr"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse an invalid name."""
        from kew.storage.directories import is_queue_manager_name

        if not is_queue_manager_name(value):
            self.fail(
                f"'{value}' is not a valid name of a queue manager, which has 1 to 48 of A-Z a-z 0-9 . / _ %",
                param,
                ctx,
            )
        return value


class ExistingQueueManager(QueueManagerName):
    """The parameter type of the name of an existing queue manager, with completion."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Give the queue managers whose names begin with the incomplete text."""
        from kew.qmgr.existing import names
        from kew.storage.disk import DiskError

        try:
            return [CompletionItem(name) for name in names() if name.startswith(incomplete)]
        except DiskError:
            return []


class ObjectName(_Word):
    """The parameter type of an object's name, completed from the queue manager that an earlier argument names."""

    name = "object"

    def __init__(self, family: str) -> None:
        self.family = family
        self.name = family.lower()

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Give the objects whose names begin with the incomplete text, if the queue manager runs."""
        from kew.qmgr.control.client import ControlClient, NotRunning
        from kew.storage.directories import data_directory, directory_of

        qmgr = ctx.params.get("name")
        if not isinstance(qmgr, str):
            return []
        try:
            with ControlClient(directory_of(data_directory(), qmgr)) as control:
                return [CompletionItem(name) for name in control.names(self.family, incomplete)]
        except (NotRunning, OSError):
            return []


QUEUE_MANAGER = ExistingQueueManager()
NEW_QUEUE_MANAGER = QueueManagerName()
QUEUE = ObjectName("QUEUE")
