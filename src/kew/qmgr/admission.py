"""Who is let in by a channel while there are no rules: nobody, or the two users that developers know."""

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.mqi.engine import Engine
from kew.objects.defaults import DEVELOPER_USERS
from kew.security.admission import Arrival


class Closed:
    """Lets nobody in."""

    def blocks(self, address: str) -> bool:
        """Say that nothing at all is taken from outside."""
        return False

    def admit(self, arrival: Arrival) -> str:
        """Refuse."""
        raise MQError(MQRC_NOT_AUTHORIZED, channel=arrival.channel, user=arrival.user)


class ForDevelopers:
    """Lets in who gives a developer's name and password, or comes by a channel that has a user of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def blocks(self, address: str) -> bool:
        """Say that only this machine is served."""
        return address not in ("", "127.0.0.1", "::1")

    def admit(self, arrival: Arrival) -> str:
        """Give the channel's user, or the one whose password was given."""
        given = arrival.credentials
        if given is not None and DEVELOPER_USERS.get(given[0]) != given[1]:
            raise MQError(MQRC_NOT_AUTHORIZED, user=given[0])
        record = self._engine.catalogue.records.get(("CHANNEL", arrival.channel))
        user = str(record.values["MCAUSER"]) if record is not None else ""
        if not user and given is not None:
            user = given[0]
        if not user:
            raise MQError(MQRC_NOT_AUTHORIZED, channel=arrival.channel, user=arrival.user)
        return user
