"""A subscription: its topic, its destination, and the form of its copies.

A durable subscription is an object of the catalogue, family SUB, whose values are the attributes of DISPLAY SUB. Its
record has further values that DISPLAY does not show:

    FULLSTR   the whole topic string, since the TOPIC object that gave its beginning may be gone
    EXPIRES   when it ends, in milliseconds since 1970; 0 for never
    GROUPED   1 if it was made with MQSO_GROUP_SUB
    SHARED    1 if it is for several programs at once, as JMS 2.0 shares them
    QUEUED    how it was registered by the queued interface, as names and values; see registration.py
"""

from collections.abc import Mapping
from typing import Final

from kew.codes import attributes as a
from kew.codes.options import MQEI_UNLIMITED, MQPRI_PRIORITY_AS_PUBLISHED
from kew.objects.catalogue import AttributeValue, Record
from kew.objects.schema import object_type
from kew.selection.selector import Selector, stored_selector
from kew.topics.patterns import CharacterPattern, has_level_wildcard, level_pattern
from kew.topics.registration import AS_PUBLISHED, Registrant, Registration, registration_of

FAMILY: Final = "SUB"
FULL_STRING: Final = "FULLSTR"
EXPIRES: Final = "EXPIRES"
GROUPED: Final = "GROUPED"
SHARED: Final = "SHARED"
QUEUED: Final = "QUEUED"
PATTERN: Final = "SYSTEM.DEFAULT.SUB"  # the default attributes of others; it subscribes to nothing

ANY_CORRELATION: Final = bytes(24)  # publications keep the one they were published with
BLANK_32: Final = b" " * 32


class Subscription:
    """One subscription. Fields are read and changed under the engine lock."""

    def __init__(self, identifier: bytes, name: str, topic: str, by_character: bool = False) -> None:
        self.id = identifier
        self.name = name
        self.topic = topic  # the whole topic string
        self.by_character = by_character
        self.topic_object = ""  # as it was given, with the string that was
        self.topic_string = topic
        self.durable = False
        self.kind = a.MQSUBTYPE_API
        self.destination = ""  # the queue that publications go to
        self.destination_manager = ""
        self.managed = False
        self.correlation_id = ANY_CORRELATION
        self.user = ""
        self.user_identifier = b" " * 12
        self.accounting_token = bytes(32)
        self.identity_data = BLANK_32
        self.priority = MQPRI_PRIORITY_AS_PUBLISHED
        self.level = 1
        self.lifetime = MQEI_UNLIMITED  # tenths of a second, as requested
        self.expires = 0
        self.on_request = False
        self.grouped = False
        self.shared = False  # permanent: an MQSUB that resumes it must have the same option
        self.any_user = True
        self.scope = a.MQTSCOPE_ALL
        self.properties = a.MQPSPROP_MSGPROP
        self.user_data = ""
        self.registration = ""  # of one by the queued interface: how it was made, else blank
        self.registrant: Registrant = ("", "", "", b"")
        self.persistence = AS_PUBLISHED  # of copies; a registrant may request another
        self.tells_retained = True  # a copy of a retained publication has that property
        self.stream = ("", "")  # the prefix that copies leave out of their topic, and the name of their stream
        self.selector: Selector | None = None  # None: it wants all publications
        self.created: dict[str, AttributeValue] = {}  # CRDATE, CRTIME, ALTDATE, ALTTIME
        # of the moment
        self.owners: list[int] = []  # numbers of the connections that have it open, each as often as it has
        self.joinable = False  # other programs may open it too, as the open handles allow
        self.messages = 0
        self.last_message = 0.0
        self.resumed = 0.0
        self.ended = False
        self.stream_failures: list[int] = []  # reasons for which its copies were not copied, as the operator knows
        if by_character:
            parsed = CharacterPattern(topic)
            self.wildcard = not parsed.exact
            self.spelled_levels = parsed.prefix.count("/")
        else:
            levels = level_pattern(topic)
            self.wildcard = has_level_wildcard(levels)
            self.spelled_levels = _spelled(levels)

    def sees_past(self, blocked: int) -> bool:
        """Say whether the subscription matches topics below a topic object with WILDCARD(BLOCK) at a level."""
        return not self.wildcard or self.spelled_levels >= blocked

    def has_expired(self, now: int) -> bool:
        """Say whether the subscription has expired, at a time in milliseconds since 1970."""
        return self.expires != 0 and self.expires <= now

    def belong_to(self, user: str) -> None:
        """Set the user of the subscription, whose context its publications have."""
        self.user = user
        self.user_identifier = user_field(user)

    def register(self, registration: Registration) -> None:
        """Apply a registration of the queued interface."""
        self.registration = registration.text()
        self.registrant = registration.whose()
        self.persistence = registration.persistence()
        self.tells_retained = registration.tells_retained()
        self.stream = registration.stream_in_copies()

    def values(self) -> dict[str, AttributeValue]:
        """Give the attributes as DISPLAY SUB names them, with the further values of the record."""
        return {
            **object_type("SUB").defaults,
            **self.created,
            "SUBID": self.id,
            "TOPICSTR": self.topic_string,
            "TOPICOBJ": self.topic_object,
            "DEST": self.destination,
            "DESTCLAS": a.MQDC_MANAGED if self.managed else a.MQDC_PROVIDED,
            "DESTCORL": self.correlation_id,
            "DESTQMGR": self.destination_manager,
            "DURABLE": a.MQSUB_DURABLE_YES if self.durable else a.MQSUB_DURABLE_NO,
            "EXPIRY": self.lifetime,
            "PSPROP": self.properties,
            "PUBACCT": self.accounting_token,
            "PUBAPPID": self.identity_data.rstrip(b" \0").decode("utf-8", "replace"),
            "PUBPRTY": self.priority,
            "REQONLY": a.MQRU_PUBLISH_ON_REQUEST if self.on_request else a.MQRU_PUBLISH_ALL,
            "SELECTOR": "" if self.selector is None else self.selector.text,
            "SELTYPE": a.MQSELTYPE_STANDARD if self.selector is not None else a.MQSELTYPE_NONE,
            "SUBLEVEL": self.level,
            "SUBSCOPE": self.scope,
            "SUBTYPE": self.kind,
            "SUBUSER": self.user,
            "USERDATA": self.user_data,
            "VARUSER": a.MQVU_ANY_USER if self.any_user else a.MQVU_FIXED_USER,
            "WSCHEMA": a.MQWS_CHAR if self.by_character else a.MQWS_TOPIC,
            FULL_STRING: self.topic,
            EXPIRES: self.expires,
            GROUPED: int(self.grouped),
            SHARED: int(self.shared),
            QUEUED: self.registration,
        }

    def record(self) -> Record:
        """Give the record of a durable subscription."""
        return Record(FAMILY, FAMILY, self.name, 0, self.values())

    def apply(self, values: Mapping[str, AttributeValue]) -> None:
        """Apply the attributes that a command may change."""
        self.created = {keyword: values[keyword] for keyword in ("CRDATE", "CRTIME", "ALTDATE", "ALTTIME")}
        self.destination = str(values["DEST"])
        self.destination_manager = str(values["DESTQMGR"])
        self.correlation_id = _octets(values, "DESTCORL", 24)
        self.lifetime = _number(values, "EXPIRY")
        self.properties = _number(values, "PSPROP")
        self.accounting_token = _octets(values, "PUBACCT", 32)
        self.identity_data = str(values["PUBAPPID"]).encode()[:32].ljust(32)
        self.priority = _number(values, "PUBPRTY")
        self.on_request = values["REQONLY"] == a.MQRU_PUBLISH_ON_REQUEST
        self.belong_to(str(values["SUBUSER"]))
        self.user_data = str(values["USERDATA"])
        self.any_user = values["VARUSER"] == a.MQVU_ANY_USER
        self.expires = _number(values, EXPIRES) if EXPIRES in values else 0


def subscription_of(record: Record) -> Subscription:
    """Give the subscription that a record describes."""
    values = record.values
    by_character = values["WSCHEMA"] == a.MQWS_CHAR
    topic = str(values.get(FULL_STRING) or values["TOPICSTR"])
    found = Subscription(_octets(values, "SUBID", 24), record.name, topic, by_character)
    found.topic_object = str(values["TOPICOBJ"])
    found.topic_string = str(values["TOPICSTR"])
    found.durable = True
    found.kind = _number(values, "SUBTYPE")
    found.managed = values["DESTCLAS"] == a.MQDC_MANAGED
    found.level = _number(values, "SUBLEVEL")
    found.scope = _number(values, "SUBSCOPE")
    found.selector = stored_selector(str(values["SELECTOR"]))
    found.grouped = values.get(GROUPED, 0) == 1
    found.shared = values.get(SHARED, 0) == 1
    registered = str(values.get(QUEUED, ""))
    if registered:
        found.register(registration_of(registered))
    found.apply(values)
    return found


def user_field(user: str) -> bytes:
    """Give a user name as the UserIdentifier of a message descriptor."""
    name = user.encode()
    return name.ljust(12) if len(name) <= 12 else b"UNKNOWN     "


def _spelled(levels: list[str]) -> int:
    for place in range(len(levels)):
        if has_level_wildcard(levels[place : place + 1]):
            return place
    return len(levels)


def _number(values: Mapping[str, AttributeValue], keyword: str) -> int:
    value = values[keyword]
    assert isinstance(value, int)
    return value


def _octets(values: Mapping[str, AttributeValue], keyword: str, width: int) -> bytes:
    value = values[keyword]
    return value.ljust(width, b"\0") if isinstance(value, bytes) else bytes(width)
