"""Automatic definition (CHAD): an undefined channel that a partner or client names is defined.

For a sender or server that calls, a receiver channel is defined, a copy of SYSTEM.AUTO.RECEIVER; for a client, a
server-connection channel, a copy of SYSTEM.AUTO.SVRCONN. The attributes of the copy and the channel authentication
records apply as to any channel. For a requester no channel is defined: its sender would need a transmission queue,
which the requester does not name.
"""

import re
from typing import Final

from kew.accounting.events import text
from kew.channels.agents.settings import ChannelSettings
from kew.codes.attributes import MQCACH_CONNECTION_NAME, MQIACH_CHANNEL_TYPE
from kew.codes.channels import MQCHT_RECEIVER, MQCHT_SVRCONN
from kew.codes.errors import MQError
from kew.codes.messages import Notices
from kew.codes.reasons import MQRC_CHANNEL_AUTO_DEF_ERROR, MQRC_CHANNEL_AUTO_DEF_OK, MQRC_OBJECT_ALREADY_EXISTS
from kew.formats import pcf
from kew.mqi.engine import Engine
from kew.objects.administration import ObjectAdministration
from kew.objects.definition import Definition
from kew.objects.schema import object_type

RECEIVER_MODEL: Final = "SYSTEM.AUTO.RECEIVER"
CLIENT_MODEL: Final = "SYSTEM.AUTO.SVRCONN"
FAMILY: Final = "CHANNEL"
_NAME: Final = re.compile(r"[A-Za-z0-9./_%]{1,20}")
MOST_DEFINED: Final = 1000  # channels that are defined so while a queue manager runs
_OWN: Final = frozenset({"ALTDATE", "ALTTIME"})


class AutomaticDefinition:
    """Defines channels that partners and clients name."""

    def __init__(self, engine: Engine, settings: ChannelSettings, notices: Notices) -> None:
        self._engine = engine
        self._settings = settings
        self._notices = notices
        self._objects = ObjectAdministration(engine.run, engine.catalogue)
        self._count = 0

    def applies(self, name: str) -> bool:
        """Say whether a channel of this name is to be defined now."""
        if not self._settings.defines_channels or (FAMILY, name) in self._engine.catalogue.records:
            return False
        return self._count < MOST_DEFINED and _NAME.fullmatch(name) is not None

    def define(self, name: str, client: bool, address: str) -> None:
        """Define a channel; may wait for the log. A failure is reported, and the caller then finds no channel."""
        kind, model = ("SVRCONN", CLIENT_MODEL) if client else ("RCVR", RECEIVER_MODEL)
        number = MQCHT_SVRCONN if client else MQCHT_RECEIVER
        events = self._engine.events
        more: list[pcf.Parameter] = [pcf.Integer(MQIACH_CHANNEL_TYPE, number)]
        try:
            copied = self._engine.catalogue.records.get((FAMILY, model))
            if copied is None or copied.kind != kind:
                raise LookupError(f"there is no channel {model} of type {kind} to copy")
            values = {keyword: value for keyword, value in copied.values.items() if keyword not in _OWN}
            address_in_log = self._objects.place(Definition(object_type(kind), name, values))
            self._engine.catalogue.wait(address_in_log)
        except MQError as error:
            if error.reason == MQRC_OBJECT_ALREADY_EXISTS:
                return  # another partner was quicker
            why = str(error)
        except LookupError as problem:
            why = str(problem)
        else:
            self._count += 1
            self._notices.tell("CSQX907I", (), (name, kind, model, address))
            events.channel(MQRC_CHANNEL_AUTO_DEF_OK, name, None, "", "", more)
            return
        self._notices.tell("CSQX908E", (), (name, kind, address, why))
        more.append(text(MQCACH_CONNECTION_NAME, address, 264))
        events.channel(MQRC_CHANNEL_AUTO_DEF_ERROR, name, None, "", "", more)
