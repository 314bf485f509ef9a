"""Rules between several attributes of one object, beyond the values that each attribute may have."""

import difflib
from typing import Final

from kew.codes import attributes as a
from kew.codes.ciphers import CIPHER_SPECS
from kew.formats.distinguishedname import BadName
from kew.objects.definition import Definition
from kew.objects.schema.custom import CAPEXPRY, PROPINDX, read_custom
from kew.protection.names import read_name


class BadDefinition(Exception):
    """The error for attributes that contradict each other: their keywords, and the reason."""

    def __init__(self, keywords: tuple[str, ...], why: str) -> None:
        super().__init__(f"{' and '.join(keywords)}: {why}")
        self.keywords = keywords
        self.why = why


ROOTS: Final = frozenset({"SYSTEM.BASE.TOPIC", "SYSTEM.DEFAULT.TOPIC"})
PATTERN_SUBSCRIPTION: Final = "SYSTEM.DEFAULT.SUB"
PATTERN_CHANNELS: Final = "SYSTEM.DEF."  # the beginning of the names of default channel definitions
NEEDS_CONNECTION: Final = frozenset({"SDR", "RQSTR", "CLNTCONN", "CLUSSDR"})
IDENTIFIED_BY: Final = {
    "BLOCKUSER": "USERLIST",
    "BLOCKADDR": "ADDRLIST",
    "SSLPEERMAP": "SSLPEER",
    "ADDRESSMAP": "ADDRESS",
    "USERMAP": "CLNTUSER",
    "QMGRMAP": "QMNAME",
}


def check(definition: Definition) -> None:
    """Raise BadDefinition if the object's attributes contradict each other."""
    family = definition.kind.family
    if "CLUSTER" in definition.kind and "CLUSNL" in definition.kind:
        _exclusive(definition, "CLUSTER", "CLUSNL")
    if family == "QUEUE":
        _queue(definition)
    elif family == "CHANNEL":
        _channel(definition)
    elif family == "QMGR":
        _manager(definition)
    elif family == "CHLAUTH":
        _record(definition)
    elif family == "CFSTRUCT":
        _structure(definition)
    elif family == "POLICY":
        _policy(definition)
    elif family == "TOPIC":
        if PROPINDX in read_custom(definition.text("CUSTOM")):
            raise BadDefinition(("CUSTOM",), "only a queue that holds messages can be indexed by a property")
        if definition.name in ROOTS:
            return
        _needed(definition, "TOPICSTR", "a topic object needs the topic string it stands for")
    elif family == "SUB":
        _subscription(definition)
    elif family == "AUTHREC":
        _needed(definition, "ENTITY", "an authority record needs a user or a group")


def _exclusive(definition: Definition, one: str, other: str) -> None:
    if definition[one] and definition[other]:
        raise BadDefinition((one, other), "only one of them may have a value")


def _needed(definition: Definition, keyword: str, why: str) -> None:
    if not definition[keyword]:
        raise BadDefinition((keyword,), why)


def _queue(queue: Definition) -> None:
    custom = read_custom(queue.text("CUSTOM"))
    if PROPINDX in custom and "INDXTYPE" not in queue.kind:
        raise BadDefinition(("CUSTOM",), "only a queue that holds messages can be indexed by a property")
    if CAPEXPRY in custom and queue.integer("CAPEXPRY") != -1:
        raise BadDefinition(("CAPEXPRY", "CUSTOM"), "the cap on expiry may be given in one of them")
    if "QDEPTHHI" not in queue.kind:
        return
    shared = queue.integer("QSGDISP") == a.MQQSGD_SHARED
    if shared:
        _needed(queue, "CFSTRUCT", "a shared queue needs a structure for its messages")
    if queue.integer("QDEPTHLO") > queue.integer("QDEPTHHI"):
        raise BadDefinition(("QDEPTHLO", "QDEPTHHI"), "the low limit is above the high limit")


def _channel(channel: Definition) -> None:
    cipher = channel.text("SSLCIPH")
    if cipher and cipher not in CIPHER_SPECS:
        near = difflib.get_close_matches(cipher[:40].upper(), CIPHER_SPECS, 1)
        hint = f"; the nearest is {near[0]}" if near else ""
        raise BadDefinition(("SSLCIPH",), f"{cipher} is not a valid CipherSpec of TLS 1.2 or 1.3{hint}")
    if channel.name.startswith(PATTERN_CHANNELS):
        return
    if channel.kind.name in NEEDS_CONNECTION:
        _needed(channel, "CONNAME", f"a {channel.kind.name} channel needs the address of its partner")
    if channel.kind.name in ("SDR", "SVR"):
        _needed(channel, "XMITQ", f"a {channel.kind.name} channel needs a transmission queue")


def _manager(manager: Definition) -> None:
    _exclusive(manager, "REPOS", "REPOSNL")
    if manager.integer("OPORTMIN") > manager.integer("OPORTMAX"):
        raise BadDefinition(("OPORTMIN", "OPORTMAX"), "the lowest port is above the highest")


def _record(record: Definition) -> None:
    keyword = IDENTIFIED_BY[record.kind.name]
    _needed(record, keyword, f"a {record.kind.name} record needs it")
    if record.kind.name == "BLOCKADDR" and record.name != "*":
        raise BadDefinition(("CHLAUTH",), "addresses are blocked for all channels, so the name must be '*'")
    if "USERSRC" in record.kind:
        mapped = record.integer("USERSRC") == a.MQUSRC_MAP
        if mapped:
            _needed(record, "MCAUSER", "USERSRC(MAP) needs the user to map to")
        elif record.text("MCAUSER"):
            raise BadDefinition(("MCAUSER", "USERSRC"), "a user is given only with USERSRC(MAP)")


def _structure(structure: Definition) -> None:
    if structure.integer("CFLEVEL") < 5 and structure.integer("OFFLOAD") != a.MQCFOFFLD_NONE:
        raise BadDefinition(("CFLEVEL", "OFFLOAD"), "offload needs CFLEVEL(5)")
    if structure.integer("CFLEVEL") < 3 and structure.integer("RECOVER") == a.MQCFR_YES:
        raise BadDefinition(("CFLEVEL", "RECOVER"), "recovery needs CFLEVEL(3)")


def _subscription(subscription: Definition) -> None:
    if subscription.name == PATTERN_SUBSCRIPTION:
        return
    if not subscription.text("TOPICSTR") and not subscription.text("TOPICOBJ"):
        raise BadDefinition(("TOPICSTR", "TOPICOBJ"), "one of them says what is subscribed to")
    managed = subscription.integer("DESTCLAS") == a.MQDC_MANAGED
    if managed and subscription.text("DEST"):
        raise BadDefinition(("DEST", "DESTCLAS"), "a managed subscription chooses its own destination")
    if not managed:
        _needed(subscription, "DEST", "a subscription that is not managed needs a destination")


def _policy(policy: Definition) -> None:
    encrypted = policy.integer("ENCALG") != a.MQMLP_ENCRYPTION_ALG_NONE
    signed = policy.integer("SIGNALG") != a.MQMLP_SIGN_ALG_NONE
    for keyword in ("SIGNER", "RECIP"):
        for name in policy.texts(keyword):
            try:
                read_name(name)
            except BadName as bad:
                raise BadDefinition((keyword,), str(bad)) from bad
    if not encrypted and not signed:
        raise BadDefinition(("SIGNALG", "ENCALG"), "a policy signs messages, encrypts them, or both")
    if encrypted:
        _needed(policy, "RECIP", "encryption needs someone who can read the messages")
    elif policy.texts("RECIP"):
        raise BadDefinition(("RECIP", "ENCALG"), "recipients are given only with encryption")
    if policy.integer("KEYREUSE") and not (encrypted and not signed):
        raise BadDefinition(("KEYREUSE",), "keys are used again only with encryption and without signature")
    if policy.texts("SIGNER") and not signed:
        raise BadDefinition(("SIGNER", "SIGNALG"), "signers are given only with a signature")
