"""The keeper of message channel instances, as an instance sees it.

This module is not compiled: the keeper is an interpreted class, which cannot have two compiled base classes.
"""

from abc import abstractmethod
from typing import TYPE_CHECKING, Final

from kew.channels.mca.calling import Ending

if TYPE_CHECKING:
    from kew.channels.mca.instance import Instance


# The answer to a receiving instance that has named its partner.
ENTERS: Final = 0
WAITS: Final = 1
REFUSED: Final = 2


class Keeper:
    """The part of the queue manager that keeps the instances."""

    @abstractmethod
    def entering(self, instance: "Instance") -> int:
        """Decide whether a receiving instance continues, waits for an earlier one of its partner, or is refused."""

    @abstractmethod
    def starting(self, instance: "Instance") -> None:
        """Note that a sending instance begins."""

    @abstractmethod
    def began(self, instance: "Instance") -> None:
        """Note that an instance runs: the records of both ends agree."""

    @abstractmethod
    def ended(self, instance: "Instance", ending: Ending, left: int) -> None:
        """Note that an instance has ended, with so many messages left on its transmission queue."""
