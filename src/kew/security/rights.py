"""Authorities: the bit of each, and the set that applies to each object type.

A set of authorities is an int whose bits are numbered as MQ numbers its MQAUTH_* values. ALLMQI, ALLADM and ALL stand
for the authorities of the object type, without CRT, which does not apply to an object that exists.
"""

from collections.abc import Iterable
from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.schema.security import AUTHORITIES

NOTHING: Final = 0
ALTERNATE_USER: Final = 1 << a.MQAUTH_ALT_USER_AUTHORITY
BROWSE: Final = 1 << a.MQAUTH_BROWSE
CHANGE: Final = 1 << a.MQAUTH_CHANGE
CLEAR: Final = 1 << a.MQAUTH_CLEAR
CONNECT: Final = 1 << a.MQAUTH_CONNECT
CREATE: Final = 1 << a.MQAUTH_CREATE
DELETE: Final = 1 << a.MQAUTH_DELETE
DISPLAY: Final = 1 << a.MQAUTH_DISPLAY
INPUT: Final = 1 << a.MQAUTH_INPUT
INQUIRE: Final = 1 << a.MQAUTH_INQUIRE
OUTPUT: Final = 1 << a.MQAUTH_OUTPUT
PASS_ALL: Final = 1 << a.MQAUTH_PASS_ALL_CONTEXT
PASS_IDENTITY: Final = 1 << a.MQAUTH_PASS_IDENTITY_CONTEXT
SET: Final = 1 << a.MQAUTH_SET
SET_ALL: Final = 1 << a.MQAUTH_SET_ALL_CONTEXT
SET_IDENTITY: Final = 1 << a.MQAUTH_SET_IDENTITY_CONTEXT
CONTROL: Final = 1 << a.MQAUTH_CONTROL
CONTROL_EXTENDED: Final = 1 << a.MQAUTH_CONTROL_EXTENDED
PUBLISH: Final = 1 << a.MQAUTH_PUBLISH
SUBSCRIBE: Final = 1 << a.MQAUTH_SUBSCRIBE
RESUME: Final = 1 << a.MQAUTH_RESUME
SYSTEM: Final = 1 << a.MQAUTH_SYSTEM
EVERYTHING: Final = (1 << (a.MQAUTH_SYSTEM + 1)) - 2

_CONTEXT: Final = PASS_ALL | PASS_IDENTITY | SET_ALL | SET_IDENTITY
_ALTERED: Final = CHANGE | DELETE | DISPLAY
ALL_MQI: Final = {
    o.MQOT_Q: BROWSE | INPUT | INQUIRE | OUTPUT | SET | _CONTEXT,
    o.MQOT_Q_MGR: ALTERNATE_USER | CONNECT | INQUIRE | SET | SET_ALL | SET_IDENTITY,
    o.MQOT_TOPIC: PUBLISH | RESUME | SUBSCRIBE | _CONTEXT,
    o.MQOT_PROCESS: INQUIRE | SET,
    o.MQOT_NAMELIST: INQUIRE,
    o.MQOT_AUTH_INFO: INQUIRE,
    o.MQOT_CHANNEL: NOTHING,
    o.MQOT_CLNTCONN_CHANNEL: NOTHING,
    o.MQOT_LISTENER: NOTHING,
    o.MQOT_SERVICE: NOTHING,
    o.MQOT_COMM_INFO: NOTHING,
    o.MQOT_REMOTE_Q_MGR_NAME: OUTPUT,
}
ALL_ADMINISTRATION: Final = {
    o.MQOT_Q: _ALTERED | CLEAR,
    o.MQOT_Q_MGR: _ALTERED | CONTROL,
    o.MQOT_TOPIC: _ALTERED | CLEAR | CONTROL,
    o.MQOT_PROCESS: _ALTERED,
    o.MQOT_NAMELIST: _ALTERED,
    o.MQOT_AUTH_INFO: _ALTERED,
    o.MQOT_CHANNEL: _ALTERED | CONTROL | CONTROL_EXTENDED,
    o.MQOT_CLNTCONN_CHANNEL: _ALTERED,
    o.MQOT_LISTENER: _ALTERED | CONTROL,
    o.MQOT_SERVICE: _ALTERED | CONTROL,
    o.MQOT_COMM_INFO: _ALTERED,
    o.MQOT_REMOTE_Q_MGR_NAME: NOTHING,
}
_BEYOND: Final = {o.MQOT_Q_MGR: CREATE | SYSTEM, o.MQOT_REMOTE_Q_MGR_NAME: NOTHING}
_WORDS: Final = {number: word for word, number in AUTHORITIES.items()}


def applicable(object_type: int) -> int:
    """Give every authority that objects of a type have."""
    return ALL_MQI[object_type] | ALL_ADMINISTRATION[object_type] | _BEYOND.get(object_type, CREATE)


def expand(authorities: Iterable[int], object_type: int) -> int:
    """Give the bits of MQAUTH_* values, including those that stand for several authorities."""
    bits = NOTHING
    for authority in authorities:
        if authority > 0:
            bits |= 1 << authority
        if authority in (a.MQAUTH_ALL_MQI, a.MQAUTH_ALL):
            bits |= ALL_MQI[object_type]
        if authority in (a.MQAUTH_ALL_ADMIN, a.MQAUTH_ALL):
            bits |= ALL_ADMINISTRATION[object_type]
        if authority == a.MQAUTH_ALL and object_type == o.MQOT_Q_MGR:
            bits |= SYSTEM
    return bits


def numbers(bits: int) -> tuple[int, ...]:
    """Give the MQAUTH_* values of a set, in MQ's order; MQAUTH_NONE for the empty set."""
    return tuple([number for number in _WORDS_IN_ORDER if bits >> number & 1]) or (a.MQAUTH_NONE,)


def words(bits: int) -> str:
    """Give a set as MQSC writes it."""
    return ",".join([_WORDS[number] for number in _WORDS_IN_ORDER if bits >> number & 1]) or "NONE"


_WORDS_IN_ORDER: Final = sorted(_WORDS)
