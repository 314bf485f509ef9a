"""Interfaces that a queue calls: for changes of its depth, and for the trigger condition of a put."""

from typing import Protocol


class DepthListener(Protocol):
    """A listener of puts and gets, called under the engine lock; it must not wait and must not fail."""

    def stored(self, depth: int) -> None:
        """A message was put; `depth` is the new depth."""

    def taken(self, depth: int) -> None:
        """A message was got; `depth` is the new depth."""

    def refused(self) -> None:
        """A put was refused because the queue is full."""


class TriggerCondition(Protocol):
    """The trigger condition of a queue with TRIGGER, checked under the engine lock before a message is stored."""

    def due(self, priority: int) -> bool:
        """Say whether a message of a priority, if put now, makes a trigger event."""
