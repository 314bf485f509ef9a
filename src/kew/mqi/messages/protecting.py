"""Message protection for programs in this process, and for clients that leave it to their channel.

A connection has one of three protections: by the program's own keystore; by the queue manager's keystore, for its
channel; or a guard, for programs that cannot protect messages: they get messages as they are stored, and put only
protected ones.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_SECURITY_ERROR
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.messages.transform import BodyTransform, Protection, Rejected
from kew.objects.catalogue import AttributeValue
from kew.protection import header, keystoreconf
from kew.protection.errors import KeystoreError, Unprotectable
from kew.protection.policy import Policy, from_values

if TYPE_CHECKING:
    from kew.protection.protector import Protector

DISABLE: Final = "AMQ_DISABLE_CLIENT_AMS"  # as IBM's clients know it


class Guarded(BodyTransform):
    """The transform of a guard: accepts only protected messages, and gives messages as they are stored."""

    def __init__(self, policy: str) -> None:
        self._policy = policy

    def before_put(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Refuse a message without protection."""
        refuse_unprotected(self._policy, descriptor, data)
        return data

    def after_get(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the message as it is stored."""
        return data


def refuse_unprotected(policy: str, descriptor: MessageDescriptor, data: bytes) -> None:
    """Refuse a message without protection for a queue that has a policy."""
    if header.find(descriptor.format, data) < 0:
        why = "the queue has a policy, and the program does not protect its messages"
        raise MQError(MQRC_SECURITY_ERROR, policy=policy, why=why)


class Guard(Protection):
    """The protection of programs that do not protect their messages themselves."""

    def transform(self, policy: str, values: Mapping[str, AttributeValue]) -> BodyTransform:
        """Give the transform of a guard for a queue with a policy."""
        return Guarded(policy)


def program_protection(environment: Mapping[str, str]) -> Protection:
    """Give the protection of a program in this process, by the keystore that its environment names."""
    if environment.get(DISABLE, "").upper() in ("TRUE", "YES", "1"):
        return Guard()
    path = keystoreconf.usual_path(environment)

    def load() -> "Protector":
        from kew.protection.keystore import load as load_keystore  # cryptography takes a while to load
        from kew.protection.protector import Protector

        return Protector(load_keystore(keystoreconf.read(path)))

    return KeystoreProtection(load)


class KeystoreProtection(Protection):
    """Protection by a keystore, which is read when the first queue with a policy is opened."""

    def __init__(self, load: Callable[[], "Protector"]) -> None:
        self._load = load
        self._protector: Protector | None = None

    def transform(self, policy: str, values: Mapping[str, AttributeValue]) -> BodyTransform:
        """Give the transform that protects the messages of a queue."""
        if self._protector is None:
            try:
                self._protector = self._load()
            except KeystoreError as problem:
                raise MQError(MQRC_SECURITY_ERROR, policy=policy, why=str(problem)) from problem
        return Protected(self._protector, from_values(policy, values))


class Protected(BodyTransform):
    """The transform that protects the bodies of puts, and removes the protection from the bodies of gets."""

    def __init__(self, protector: "Protector", policy: Policy) -> None:
        self._protector = protector
        self._policy = policy

    def before_put(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the protected form of a message."""
        try:
            return self._protector.protect(self._policy, descriptor, data)
        except KeystoreError as problem:
            raise MQError(MQRC_SECURITY_ERROR, policy=self._policy.name, why=str(problem)) from problem

    def after_get(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the message that was put; one that does not meet the policy is rejected."""
        try:
            return self._protector.unprotect(self._policy, descriptor, data)
        except Unprotectable as problem:
            raise Rejected(MQRC_SECURITY_ERROR, policy=self._policy.name, why=str(problem)) from problem
