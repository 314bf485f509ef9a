"""The settings of channels in the queue manager's attributes, read each time, so that ALTER QMGR takes effect at once.

Where an attribute has its default, the key of qm.ini for the same setting applies, if there is one.
"""

import socket
from typing import Final

from kew.codes.attributes import (
    MQADOPT_CHECK_ALL,
    MQADOPT_CHECK_NET_ADDR,
    MQADOPT_TYPE_NO,
    MQCHAD_ENABLED,
    MQIPADDR_IPV6,
    MQMON_NONE,
    MQMON_OFF,
    MQMON_Q_MGR,
    MQRCVTIME_ADD,
    MQRCVTIME_EQUAL,
    MQTCPKEEP_YES,
)
from kew.mqi.engine import Engine
from kew.objects.schema import object_type

KIND: Final = "QMGR"


class ChannelSettings:
    """The attributes of the queue manager for channels."""

    def __init__(self, engine: Engine, keep_alive: bool, most_current: int, most_active: int) -> None:
        self._engine = engine
        self._keep_alive = keep_alive
        self._most_current = most_current
        self._most_active = most_active
        self._defaults = object_type(KIND).defaults

    def number(self, keyword: str) -> int:
        """Give the value of a numeric attribute."""
        record = self._engine.catalogue.records.get((KIND, self._engine.name))
        value = (record.values if record is not None else {}).get(keyword, self._defaults.get(keyword, 0))
        return value if isinstance(value, int) else 0

    def _changed(self, keyword: str) -> int | None:
        value = self.number(keyword)
        return None if value == self._defaults.get(keyword) else value

    @property
    def most_current(self) -> int:
        """Channels that may be current at once (MAXCHL, TCPCHL, MaxChannels)."""
        most = self._changed("MAXCHL")
        over_tcp = self._changed("TCPCHL")
        most = self._most_current if most is None else most
        return most if over_tcp is None else min(most, over_tcp)

    @property
    def most_active(self) -> int:
        """Channels that may be active at once (ACTCHL, MaxActiveChannels), never more than may be current."""
        changed = self._changed("ACTCHL")
        return min(self._most_active if changed is None else changed, self.most_current)

    @property
    def keep_alive(self) -> bool:
        """True if TCP probes silent partners (TCPKEEP, KeepAlive), without which KAINT has no effect."""
        return self._keep_alive or self.number("TCPKEEP") == MQTCPKEEP_YES

    @property
    def adopts(self) -> bool:
        """True if a partner that calls again takes the place of its earlier instance (ADOPTMCA)."""
        return self.number("ADOPTMCA") != MQADOPT_TYPE_NO

    @property
    def adoption_compares_addresses(self) -> bool:
        """True if adoption requires the same partner address (ADOPTCHK); the names are the same in any case."""
        return self.number("ADOPTCHK") in (MQADOPT_CHECK_ALL, MQADOPT_CHECK_NET_ADDR)

    @property
    def defines_channels(self) -> bool:
        """True if an unknown channel is defined when a partner or client names it (CHAD)."""
        return self.number("CHAD") == MQCHAD_ENABLED

    @property
    def family(self) -> int:
        """The address family that is preferred for a host that has both (IPADDRV)."""
        return socket.AF_INET6 if self.number("IPADDRV") == MQIPADDR_IPV6 else socket.AF_INET

    @property
    def local_ports(self) -> tuple[int, int]:
        """The local ports of channels that call (OPORTMIN, OPORTMAX); zeros for any."""
        low, high = self.number("OPORTMIN"), self.number("OPORTMAX")
        return (low or high, max(low, high)) if low or high else (0, 0)

    def level(self, keyword: str, defined: int) -> int:
        """Give the level of monitoring (MONCHL) or statistics (STATCHL) in force for a channel that defines one."""
        own = self.number(keyword)
        if own == MQMON_NONE:
            return MQMON_OFF
        return own if defined == MQMON_Q_MGR else defined

    def silence(self, heartbeat: int) -> float:
        """Give the seconds of waiting for the partner (RCVTIME, RCVTTYPE, RCVTMIN); 0 if only HBINT applies."""
        amount, kind = self.number("RCVTIME"), self.number("RCVTTYPE")
        if not amount:
            return 0.0
        if kind == MQRCVTIME_EQUAL:
            seconds = amount
        elif kind == MQRCVTIME_ADD:
            seconds = heartbeat + amount
        else:
            seconds = heartbeat * amount
        return float(max(seconds, self.number("RCVTMIN")))
