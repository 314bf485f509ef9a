"""What the documentation of MQ's authorities says, written down once more: nothing here is taken from kew.security.

Words are those of SET AUTHREC. The tables are the world of the matrix: who was given what.
"""

import re
from functools import cmp_to_key
from typing import NamedTuple

from kew.codes import options as o

TYPES = {
    "QUEUE": o.MQOT_Q,
    "QMGR": o.MQOT_Q_MGR,
    "TOPIC": o.MQOT_TOPIC,
    "CHANNEL": o.MQOT_CHANNEL,
    "CLNTCONN": o.MQOT_CLNTCONN_CHANNEL,
    "PROCESS": o.MQOT_PROCESS,
    "NAMELIST": o.MQOT_NAMELIST,
    "AUTHINFO": o.MQOT_AUTH_INFO,
    "LISTENER": o.MQOT_LISTENER,
    "SERVICE": o.MQOT_SERVICE,
    "COMMINFO": o.MQOT_COMM_INFO,
}
MQI = {
    "QUEUE": "BROWSE GET INQ PASSALL PASSID PUT SET SETALL SETID",
    "QMGR": "ALTUSR CONNECT INQ SET SETALL SETID",
    "TOPIC": "PASSALL PASSID PUB RESUME SETALL SETID SUB",
    "PROCESS": "INQ SET",
    "NAMELIST": "INQ",
    "AUTHINFO": "INQ",
}
ADMINISTRATION = {
    "QUEUE": "CHG CLR DLT DSP",
    "QMGR": "CHG CTRL DLT DSP",
    "TOPIC": "CHG CLR CTRL DLT DSP",
    "CHANNEL": "CHG CTRL CTRLX DLT DSP",
    "LISTENER": "CHG CTRL DLT DSP",
    "SERVICE": "CHG CTRL DLT DSP",
}
PLAIN = "CHG DLT DSP"
EVERY_WORD = frozenset(
    {"ALTUSR", "BROWSE", "CHG", "CLR", "CONNECT", "CRT", "CTRL", "CTRLX", "DLT", "DSP", "GET", "INQ", "PASSALL"}
    | {"PASSID", "PUB", "PUT", "RESUME", "SET", "SETALL", "SETID", "SUB", "SYSTEM"}
)


def words_of(kind: str, word: str) -> frozenset[str]:
    """Expand a word that stands for many."""
    mqi = frozenset(MQI.get(kind, "").split())
    administration = frozenset(ADMINISTRATION.get(kind, PLAIN).split())
    if word == "ALLMQI":
        return mqi
    if word == "ALLADM":
        return administration
    if word == "ALL":
        return mqi | administration | (frozenset({"SYSTEM"}) if kind == "QMGR" else frozenset())
    return frozenset() if word == "NONE" else frozenset({word})


class Grant(NamedTuple):
    """One authority record."""

    entity: str
    group: bool
    kind: str
    profile: str
    words: str  # with commas

    def given(self) -> frozenset[str]:
        """The authorities it gives."""
        return frozenset().union(*[words_of(self.kind, word) for word in self.words.split(",")])


def matches(profile: str, name: str) -> bool:
    """Whether a profile is about a name, by translation into a regular expression."""
    pattern = ""
    for part in re.split(r"(^\*\*$|^\*\*\.|\.\*\*(?=\.|$)|\*|\?)", profile):
        pattern += {
            "**": r".*",
            "**.": r"(?:.*\.)?",
            ".**": r"(?:\..*)?",
            "*": r"[^.]*",
            "?": r"[^.]",
        }.get(part, re.escape(part))
    return re.fullmatch(pattern, name) is not None


def _specificity(one: str, other: str) -> int:
    """Compare from left to right: a character, then ?, then *, then **."""
    first, second = [re.findall(r"\.?\*\*|.", profile) for profile in (one, other)]
    for mine, yours in zip(first, second, strict=False):
        weights = [{"?": 1, "*": 2, "**": 4, ".**": 4}.get(each, 0) for each in (mine, yours)]
        if weights[0] != weights[1]:
            return weights[0] - weights[1]
    longer = first if len(first) > len(second) else second
    rest = longer[min(len(first), len(second)) :]
    if not rest:
        return 0
    open_ended = rest[0].endswith("*")  # what may be nothing at all
    return (-1 if open_ended else 1) if longer is second else (1 if open_ended else -1)


def _by_profile(one: Grant, other: Grant) -> int:
    return _specificity(one.profile, other.profile)


class World:
    """Users, their groups and what they were given."""

    def __init__(self) -> None:
        self.grants: list[Grant] = []
        self.groups: dict[str, tuple[str, ...]] = {}
        self.users: list[str] = []
        self.mighty: set[str] = set()

    def user(self, name: str, *groups: str) -> str:
        """Add somebody."""
        self.users.append(name)
        self.groups[name] = groups
        return name

    def give(self, entity: str, kind: str, profile: str, words: str, group: bool = False) -> None:
        """Record an authority."""
        self.grants.append(Grant(entity, group, kind, profile, words))

    def holds(self, user: str, kind: str, name: str) -> frozenset[str]:
        """What a user holds on an object."""
        if user in self.mighty:
            return EVERY_WORD
        held: frozenset[str] = frozenset()
        for entity, group in [(user, False), *[(each, True) for each in self.groups.get(user, ())]]:
            own = [each for each in self.grants if (each.entity, each.group, each.kind) == (entity, group, kind)]
            exact = [each for each in own if kind == "QMGR" or each.profile == name]
            generic = [each for each in own if not exact and set("*?") & set(each.profile)]
            fitting = [each for each in generic if matches(each.profile, name)]
            fitting.sort(key=cmp_to_key(_by_profile))
            for grant in (exact or fitting)[:1]:
                held |= grant.given()
        return held
