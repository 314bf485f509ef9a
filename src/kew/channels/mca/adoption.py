"""Adoption: a partner that calls again takes the place of its earlier instance, whose connection is taken to be dead.

Two queue managers of the same name would end each other's instances for ever. So the number of adoptions a minute is
limited, and further calls are refused.
"""

import time
from typing import Final

from kew.channels.agents.settings import ChannelSettings
from kew.channels.mca.receivinginstance import ReceivingInstance

SECONDS: Final = 60.0
MOST_ADOPTIONS: Final = 3  # instances that are ended for another of the same partner in that time


class Adoptions:
    """The rules of adoption (ADOPTMCA, ADOPTCHK), and the times of the latest adoptions of each partner."""

    def __init__(self, settings: ChannelSettings) -> None:
        self._settings = settings
        self._lately: dict[bytes, list[float]] = {}

    def objection(self, instance: ReceivingInstance, earlier: ReceivingInstance) -> str:
        """Give the reason why an instance may not take the place of an earlier one of its partner; blank if it may."""
        settings, owner = self._settings, instance.owner
        assert owner is not None
        now = time.monotonic()
        lately = [each for each in self._lately.get(owner.key, []) if now - each < SECONDS]
        if not settings.adopts:
            return "ADOPTMCA(NO)"
        if settings.adoption_compares_addresses and instance.address != earlier.address:
            return f"ADOPTCHK: the earlier instance came from {earlier.address}"
        if len(lately) >= MOST_ADOPTIONS:
            lead = f"{MOST_ADOPTIONS} instances were ended for this partner within a minute"
            return f"{lead}: two queue managers may have one name"
        self._lately[owner.key] = [*lately, now]
        return ""
