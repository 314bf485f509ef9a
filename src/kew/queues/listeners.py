"""The seam for whoever wants to know how deep a queue is and how it is served."""

from typing import Protocol


class DepthListener(Protocol):
    """Told of puts and gets under the engine lock; it must not wait and must not fail."""

    def stored(self, depth: int) -> None:
        """A message was put, and so many are there."""

    def taken(self, depth: int) -> None:
        """A message was got, and so many are left."""

    def refused(self) -> None:
        """A put found the queue full."""


class TriggerCondition(Protocol):
    """Asked before a message is stored, under the engine lock, on a queue that is defined with TRIGGER."""

    def due(self, priority: int) -> bool:
        """Say whether a message of a priority that is put now makes a trigger event."""
