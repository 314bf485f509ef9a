"""The one set of listeners of a queue manager: its parts report to them, whatever order they are made in."""

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
    """The events that parts of a queue manager report; each part gets the methods it needs in its constructor."""

    # -- storage ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def broken(self, failure: BaseException) -> None:
        """Handle a failed write of the log or a page set; called by the writing thread, not under the engine lock."""

    @abstractmethod
    def make_log_room(self, size: int) -> None:
        """A put found no space for a record in the log."""

    @abstractmethod
    def oldest_image(self) -> LogAddress | None:
        """Say from where the log is needed to bring back a lost page set."""

    @abstractmethod
    def forced_backout(self, unit: Unit) -> None:
        """A unit of work was backed out because the log was full."""

    # -- queues and definitions ---------------------------------------------------------------------------------------

    @abstractmethod
    def process_of(self, name: str) -> Mapping[str, AttributeValue] | None:
        """Give the definition of a process that a trigger names."""

    @abstractmethod
    def expired(self, queue: Queue, item: MessageRef) -> None:
        """A message with a report of its expiry is past its time; under the engine lock."""

    @abstractmethod
    def unindexed(self, queue: Queue, index_type: str) -> None:
        """Many gets of a queue searched for an id that no index has."""

    @abstractmethod
    def watch_of(self, queue: Queue, values: Mapping[str, AttributeValue]) -> DepthListener | None:
        """Follow a queue's definition: its statistics and performance events; under the engine lock."""

    @abstractmethod
    def definitions_changed(self, changes: list[Change], by: Caller) -> None:
        """Definitions were added, deleted or altered."""
