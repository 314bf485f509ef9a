"""The authority manager: says which authorities a user has on an object, from the authority records.

The authorities of a user on an object have two sources: the most specific of the user's profiles that match the
object's name and, for each group of the user, the most specific of the group's. The owner of the queue manager (the
user whose process it is) and the members of the group mqm have all authorities. The blank user has none. Every other
user may browse the queue of message protection policies, which IBM's clients read before they put: MQ needs no
authority for that while there are few policies.

The authorities of a user on an object are computed once and cached until an authority record changes, or until REFRESH
SECURITY. Once the groups of a user are known, no check waits. Groups are looked up before a connection is made, so that
checks may be made under the engine lock.
"""

from collections.abc import Iterable
from typing import Final, Protocol

from kew.codes.attributes import MQRQ_OPEN_NOT_AUTHORIZED
from kew.codes.errors import MQError
from kew.codes.messages import Notices
from kew.codes.options import MQOT_Q, MQOT_Q_MGR
from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.objects.catalogue import Catalogue, Record
from kew.objects.schema.security import MQZAET_GROUP, MQZAET_PRINCIPAL, OBJECT_TYPE
from kew.security.profiles import BadProfile, Profile, by_specificity, is_generic
from kew.security.rights import BROWSE, CREATE, EVERYTHING, NOTHING, expand, words

FAMILY: Final = "AUTHREC"
SELF: Final = "SELF"  # profile name for authority over the queue manager itself
CLASS: Final = "@class"  # profile name for authority to create objects of a type
ADMINISTRATORS: Final = "mqm"
POLICIES: Final = "SYSTEM.PROTECTION.POLICY.QUEUE"
MOST_REMEMBERED: Final = 20000


class Groups(Protocol):
    """The source of the groups of users."""

    def groups_of(self, user: str) -> tuple[str, ...]:
        """Give the groups of a user; empty for an unknown user."""


class Refused:
    """A refused check of authority, for authority events and the error log."""

    def __init__(self, qualifier: int, user: str, object_type: int, name: str, missing: int, options: int) -> None:
        self.qualifier = qualifier  # MQRQ_*: while connecting, opening, closing or giving a command
        self.user = user
        self.object_type = object_type
        self.name = name
        self.missing = missing  # authorities, as bits
        self.options = options  # of the verb

    @property
    def kind(self) -> str:
        """Give the type of the object, as MQSC writes it."""
        return OBJECT_TYPE.names[self.object_type].lower()


class _Grants:
    """The authorities of one user or group on objects of one type."""

    def __init__(self) -> None:
        self.named: dict[str, int] = {}
        self.generic: list[tuple[Profile, int]] = []

    def on(self, name: str) -> int:
        """Give the authorities of the most specific profile that matches a name."""
        bits = self.named.get(name)
        if bits is not None:
            return bits
        for profile, given in self.generic:
            if profile.matches(name):
                return given
        return NOTHING


def _by_profile(grant: tuple[Profile, int]) -> tuple[tuple[int, ...], str]:
    return by_specificity(grant[0])


class AuthorityListener:
    """A listener for refused and, on request, for allowed checks; it must not wait or take the engine lock."""

    def __init__(self) -> None:
        self.wants_allowed = False

    def refused(self, refused: Refused) -> None:
        """A check of a user was refused."""

    def allowed(self, qualifier: int, user: str, object_type: int, name: str, options: int) -> None:
        """A check of a user was allowed."""


class Authority:
    """The authority manager of a queue manager."""

    def __init__(
        self,
        catalogue: Catalogue,
        groups: Groups,
        owner: str,
        notices: Notices,
        listener: AuthorityListener | None = None,
    ) -> None:
        self.owner = owner
        self.groups = groups
        self._listener = listener or AuthorityListener()
        self._catalogue = catalogue
        self._notices = notices
        self._grants: dict[tuple[int, str, int], _Grants] = {}  # by kind of entity, entity and type of object
        self._held: dict[tuple[str, int, str], int] = {}
        self._groups: dict[str, tuple[str, ...]] = {}
        self._generation = -1

    def authorise(
        self,
        user: str,
        object_type: int,
        name: str,
        rights: int,
        qualifier: int = MQRQ_OPEN_NOT_AUTHORIZED,
        options: int = 0,
    ) -> None:
        """Refuse a user, with MQRC_NOT_AUTHORIZED, unless the user has all of the required authorities on an object."""
        missing = rights & ~self.held(user, object_type, name)
        if missing:
            raise self.refusal(Refused(qualifier, user, object_type, name, missing, options))
        if self._listener.wants_allowed:
            self._listener.allowed(qualifier, user, object_type, name, options)

    def refusal(self, refused: Refused) -> MQError:
        """Note a refused check of authority; gives the error for the program."""
        given = words(refused.missing)
        self._notices.tell("AMQ8077W", (), (refused.user, refused.name, refused.kind, given))
        self._listener.refused(refused)
        return MQError(MQRC_NOT_AUTHORIZED, user=refused.user, object=refused.name, missing=given)

    def allows(self, user: str, object_type: int, name: str, rights: int) -> bool:
        """Say whether a user has all of the required authorities on an object; a refusal is not reported."""
        return not rights & ~self.held(user, object_type, name)

    def allows_creation(self, user: str, object_type: int, name: str) -> bool:
        """Say whether a user may create an object: by CRT for the object type, or by a profile for its name."""
        return bool(
            CREATE
            & (
                self.held(user, object_type, CLASS)
                | self.held(user, MQOT_Q_MGR, SELF)
                | self.held(user, object_type, name)
            )
        )

    def held(self, user: str, object_type: int, name: str) -> int:
        """Give the authorities of a user on an object, as bits."""
        if self._catalogue.generations.get(FAMILY, 0) != self._generation:
            self._read()
        remembered = self._held  # another thread may begin a new one meanwhile, and this answer is not for that
        key = (user, object_type, name)
        held = remembered.get(key)
        if held is None:
            if len(remembered) >= MOST_REMEMBERED:
                remembered.clear()
            held = self._work_out(user, object_type, name)
            remembered[key] = held
        return held

    def held_by_group(self, group: str, object_type: int, name: str) -> int:
        """Give the authorities on an object that the members of a group have by the group, as bits."""
        if self._catalogue.generations.get(FAMILY, 0) != self._generation:
            self._read()
        if group == ADMINISTRATORS:
            return EVERYTHING
        grants = self._grants.get((MQZAET_GROUP, group, object_type))
        return grants.on(name) if grants is not None else NOTHING

    def is_administrator(self, user: str) -> bool:
        """Say whether a user is an administrator, with all authorities."""
        return bool(user) and (user == self.owner or ADMINISTRATORS in self.groups_of(user))

    def groups_of(self, user: str) -> tuple[str, ...]:
        """Give the groups of a user. The first call may ask the operating system, so callers should hold no lock."""
        remembered = self._groups
        known = remembered.get(user)
        if known is None:
            if len(remembered) >= MOST_REMEMBERED:
                remembered.clear()
            known = self.groups.groups_of(user)
            remembered[user] = known
        return known

    def knows(self, user: str) -> bool:
        """Say whether the groups of a user are known, so that a check does not wait."""
        return user in self._groups

    def refresh(self) -> None:
        """Forget the cached users and groups."""
        self._groups = {}
        self._held = {}

    def _work_out(self, user: str, object_type: int, name: str) -> int:
        if not user:
            return NOTHING
        if self.is_administrator(user):
            return EVERYTHING
        if object_type == MQOT_Q_MGR:
            name = SELF
        own = self._grants.get((MQZAET_PRINCIPAL, user, object_type))
        held = own.on(name) if own is not None else NOTHING
        for group in self.groups_of(user):
            grants = self._grants.get((MQZAET_GROUP, group, object_type))
            if grants is not None:
                held |= grants.on(name)
        if name == POLICIES and object_type == MQOT_Q:
            held |= BROWSE
        return held

    def _read(self) -> None:
        """Read the authority records again after a change."""
        generation = self._catalogue.generations.get(FAMILY, 0)
        self._grants = _grants_of(self._catalogue.of_family(FAMILY))
        self._held = {}
        self._generation = generation


def _grants_of(records: Iterable[Record]) -> dict[tuple[int, str, int], _Grants]:
    found: dict[tuple[int, str, int], _Grants] = {}
    for record in records:
        kind, entity, object_type = (record.values[keyword] for keyword in ("ENTTYPE", "ENTITY", "OBJTYPE"))
        listed = record.values["AUTHLIST"]
        assert isinstance(kind, int)
        assert isinstance(entity, str)
        assert isinstance(object_type, int)
        assert isinstance(listed, tuple)
        bits = expand([each for each in listed if isinstance(each, int)], object_type)
        grants = found.setdefault((kind, entity, object_type), _Grants())
        if object_type == MQOT_Q_MGR or not is_generic(record.name):
            grants.named[SELF if object_type == MQOT_Q_MGR else record.name] = bits
            continue
        try:
            grants.generic.append((Profile(record.name), bits))
        except BadProfile:
            continue  # commands make none such; whatever it is, it allows nothing
    for grants in found.values():
        grants.generic.sort(key=_by_profile)
    return found
