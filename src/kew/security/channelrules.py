"""Channel authentication records, and the choice of the one that decides on a connection attempt.

Of the records that match, one decides: first by channel name, the most specific; then SSLPEERMAP before USERMAP and
QMGRMAP before ADDRESSMAP; then by the certificate's subject and issuer, the user or queue manager, and the address, the
most specific of each. In addition, the most specific BLOCKUSER record for the channel names users that are refused
after the mapping, and every BLOCKADDR record names addresses whose connections are closed at once.
"""

from typing import Final

from kew.codes.attributes import MQCHK_AS_Q_MGR, MQUSRC_MAP, MQUSRC_NOACCESS, MQWARN_YES
from kew.formats.distinguishedname import BadName
from kew.objects.catalogue import Catalogue, Record
from kew.security.addresses import AddressPattern, BadAddress, parts_of
from kew.security.admission import ConnectionAttempt
from kew.security.peernames import PeerPattern
from kew.security.profiles import within

FAMILY: Final = "CHLAUTH"
ADMINISTRATORS: Final = "*MQADMIN"
MAPS: Final = ("SSLPEERMAP", "USERMAP", "QMGRMAP", "ADDRESSMAP")
_TYPE_RANK: Final = {"SSLPEERMAP": 0, "USERMAP": 1, "QMGRMAP": 1, "ADDRESSMAP": 2}
_GENERIC_RANK: Final = {"?": 1, "*": 3}
_END: Final = 2  # a name that has ended is nearer than one that goes on with anything


def glob_rank(pattern: str) -> tuple[int, ...]:
    """Give the key that orders patterns of names; the lower one is more specific."""
    return (*[_GENERIC_RANK.get(letter, 0) for letter in pattern], _END)


class Rule:
    """A mapping record: the connection attempts that it matches, and the user or refusal for them."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.channel = record.name
        self.kind = record.kind
        self.peer = PeerPattern(self._text("SSLPEER"))
        self.issuer = PeerPattern(self._text("SSLCERTI"))
        self.user = self._text("CLNTUSER")
        self.queue_manager = self._text("QMNAME")
        self.address = AddressPattern(self._text("ADDRESS") or "*")
        self.source = self._number("USERSRC", MQUSRC_MAP)
        self.mca_user = self._text("MCAUSER")
        self.check_client = self._number("CHCKCLNT", MQCHK_AS_Q_MGR)
        self.warns = self._number("WARN", 0) == MQWARN_YES

    def _text(self, keyword: str) -> str:
        return str(self.record.values.get(keyword, ""))

    def _number(self, keyword: str, otherwise: int) -> int:
        value = self.record.values.get(keyword, otherwise)
        return value if isinstance(value, int) else otherwise

    def concerns(self, arrival: ConnectionAttempt, parts: tuple[int, ...]) -> bool:
        """Say whether the record matches the channel and the address of a connection attempt."""
        return within(self.channel, arrival.channel) and self.address.matches(parts)

    def matches(self, arrival: ConnectionAttempt, user: str, parts: tuple[int, ...]) -> bool:
        """Say whether the record matches a connection attempt; `user` may be one that was adopted from a password."""
        if not self.concerns(arrival, parts):
            return False
        if self.kind == "SSLPEERMAP":
            return bool(arrival.peer) and self.peer.matches(arrival.peer) and self.issuer.matches(arrival.issuer)
        if self.kind == "USERMAP":
            return not arrival.queue_manager and bool(user) and within(self.user, user)
        if self.kind == "QMGRMAP":
            return bool(arrival.queue_manager) and within(self.queue_manager, arrival.queue_manager)
        return True

    @property
    def rank(self) -> tuple[object, ...]:
        """Give the key that orders records; of those that match, the lowest decides."""
        return (
            glob_rank(self.channel),
            _TYPE_RANK[self.kind],
            self.peer.rank,
            self.issuer.rank,
            glob_rank(self.user or self.queue_manager),
            self.address.rank,
            str(self.record.key),
        )

    def describe(self) -> str:
        """Give the record in words, for the operator."""
        return f"CHLAUTH({self.channel}) TYPE({self.kind})"


class UserList:
    """A BLOCKUSER record."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.channel = record.name
        self.users = frozenset([str(each) for each in _listed(record, "USERLIST")])
        self.warns = record.values.get("WARN") == MQWARN_YES

    def has(self, user: str, administrator: bool) -> bool:
        """Say whether a user is refused."""
        return user in self.users or (administrator and ADMINISTRATORS in self.users)

    def describe(self) -> str:
        """Give the record in words, for the operator."""
        return f"CHLAUTH({self.channel}) TYPE(BLOCKUSER)"


class AddressList:
    """A BLOCKADDR record."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.patterns = [AddressPattern(str(each)) for each in _listed(record, "ADDRLIST")]
        self.warns = record.values.get("WARN") == MQWARN_YES

    def has(self, parts: tuple[int, ...]) -> bool:
        """Say whether an address is refused."""
        return any(pattern.matches(parts) for pattern in self.patterns)


def _listed(record: Record, keyword: str) -> list[object]:
    value = record.values.get(keyword, ())
    return list(value) if isinstance(value, tuple) else []


def check_record(kind: str, values: dict[str, object]) -> None:
    """Check the patterns of a record; raises BadAddress or BadName."""
    if kind in MAPS:
        AddressPattern(str(values.get("ADDRESS") or "*"))
        PeerPattern(str(values.get("SSLPEER", "")))
        PeerPattern(str(values.get("SSLCERTI", "")))
    elif kind == "BLOCKADDR":
        listed = values.get("ADDRLIST", ())
        for pattern in listed if isinstance(listed, tuple) else ():
            AddressPattern(str(pattern))


def _by_rank(rule: Rule) -> tuple[object, ...]:
    return rule.rank


def _by_channel(users: UserList) -> tuple[object, ...]:
    return glob_rank(users.channel), users.channel


class ChannelRules:
    """All channel authentication records, ready for look-ups."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._generation = -1
        self._rules: list[Rule] = []
        self._users: list[UserList] = []
        self._addresses: list[AddressList] = []

    def _read(self) -> None:
        generation = self._catalogue.generations.get(FAMILY, 0)
        if generation == self._generation:
            return
        rules: list[Rule] = []
        users: list[UserList] = []
        addresses: list[AddressList] = []
        for record in self._catalogue.of_family(FAMILY):
            try:
                if record.kind in MAPS:
                    rules.append(Rule(record))
                elif record.kind == "BLOCKUSER":
                    users.append(UserList(record))
                else:
                    addresses.append(AddressList(record))
            except (BadAddress, BadName):
                continue  # commands make none such
        self._rules = sorted(rules, key=_by_rank)
        self._users = sorted(users, key=_by_channel)
        self._addresses = addresses
        self._generation = generation

    def rule_for(self, arrival: ConnectionAttempt, user: str) -> Rule | None:
        """Give the record that decides on a connection attempt; None if there is none."""
        self._read()
        parts = parts_of(arrival.address)
        for rule in self._rules:
            if rule.matches(arrival, user, parts):
                return rule
        return None

    def refusing_anybody(self, arrival: ConnectionAttempt) -> Rule | None:
        """Give the record that refuses a connection attempt for every user; None if the decision needs the user."""
        self._read()
        parts = parts_of(arrival.address)
        for rule in self._rules:
            refuses = rule.source == MQUSRC_NOACCESS and not rule.warns
            if rule.kind == "USERMAP":
                if not refuses and rule.concerns(arrival, parts):
                    return None
            elif rule.matches(arrival, "", parts):
                return rule if refuses else None
        return None

    def refusing_user(self, channel: str, user: str, administrator: bool) -> UserList | None:
        """Give the record that refuses a user on a channel."""
        self._read()
        for users in self._users:
            if within(users.channel, channel):
                return users if users.has(user, administrator) else None
        return None

    def refusing_address(self, address: str) -> AddressList | None:
        """Give the record that refuses an address; a record with WARN(YES) only if no other does."""
        self._read()
        parts = parts_of(address)
        found = [each for each in self._addresses if each.has(parts)]
        return min(found, key=_warning, default=None)


def _warning(addresses: AddressList) -> bool:
    return addresses.warns
