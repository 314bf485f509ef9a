"""The one interface by which the parts of a queue manager report events, in whatever order the parts are made."""

from abc import abstractmethod
from collections.abc import Mapping

from kew.mqi.engine import EngineListener
from kew.objects.caller import Caller
from kew.objects.catalogue import AttributeValue, Change
from kew.queues.listeners import DepthListener
from kew.queues.queue import Queue
from kew.storage.log import LogAddress
from kew.storage.message import MessageRef
from kew.storage.unit import Unit


class Listeners(EngineListener):
    """The events that parts of a queue manager report; each part gets the methods that it calls in its constructor."""

    # -- storage ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def broken(self, failure: BaseException) -> None:
        """Handle a failed write of the log or a page set; called by the writing thread, not under the engine lock."""

    @abstractmethod
    def make_log_room(self, size: int) -> None:
        """Make space in the log for a record of a put."""

    @abstractmethod
    def oldest_image(self) -> LogAddress | None:
        """Give the log address from which the log is needed for media recovery of a page set; None if there is none."""

    @abstractmethod
    def forced_backout(self, unit: Unit) -> None:
        """Handle a unit of work that was backed out because the log was full."""

    # -- queues and definitions ---------------------------------------------------------------------------------------

    @abstractmethod
    def process_of(self, name: str) -> Mapping[str, AttributeValue] | None:
        """Give the definition of a process that a trigger names."""

    @abstractmethod
    def expired(self, queue: Queue, item: MessageRef) -> None:
        """Handle the expiry of a message that requests an expiration report; called under the engine lock."""

    @abstractmethod
    def unindexed(self, queue: Queue, index_type: str) -> None:
        """Handle a queue of which many gets search for ids without an index."""

    @abstractmethod
    def watch_of(self, queue: Queue, values: Mapping[str, AttributeValue]) -> DepthListener | None:
        """Apply a queue's definition to its statistics and performance events; called under the engine lock."""

    @abstractmethod
    def definitions_changed(self, changes: list[Change], by: Caller) -> None:
        """Handle definitions that were added, deleted or altered."""
