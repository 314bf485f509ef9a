"""Transforms of message bodies: before a put counts the length, and after a get has read the message.

A handle may have a transform, such as the encryption of a message protection policy. A transform takes long and runs
outside the engine lock: the verb stalls, the edge that resolves the stall runs the transform, and the verb is called
again. A message that is got is locked meanwhile, as a long message is between two steps.

    put     the body is transformed before all other checks. Length, segments and properties are those of the new
            body; the program's own descriptor is completed, and still describes the program's own body.
    get     the body is transformed back before property control, and before its length is compared with the buffer.
            If that fails, the get fails with a reason of the transform, and the message stays on its queue; if the
            failure is Rejected, a destructive get moves the message to the error queue (`gets/setaside.py`).

A message is never handed directly to a waiting get with a transform: the message goes by its queue. Messages that the
queue manager makes from a transformed message (stream copies, reports, dead letters) have the stored body.
"""

from abc import abstractmethod
from collections.abc import Mapping

from mypy_extensions import mypyc_attr

from kew.codes.errors import MQError
from kew.formats.mqmd import MessageDescriptor
from kew.objects.catalogue import AttributeValue
from kew.storage.stall import Stall


@mypyc_attr(allow_interpreted_subclasses=True)
class BodyTransform:
    """A transform of the bodies that are put and got through one handle; runs outside the engine lock, in any thread.

    The descriptor passed to a transform is a copy, in which the transform sets format, encoding and character set. A
    body that cannot be transformed is an MQError with the reason for the program.
    """

    @abstractmethod
    def before_put(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the body to store for a body that a program puts."""

    @abstractmethod
    def after_get(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the body for the program from a stored body."""


class Rejected(MQError):
    """The error of a stored body that can never be transformed back; a get moves the message to the error queue."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Protection:
    """The source of transforms for the handles of one connection, by policy; runs outside the engine lock."""

    @abstractmethod
    def transform(self, policy: str, values: Mapping[str, AttributeValue]) -> BodyTransform:
        """Give the transform for a policy of this name with these values; an MQError refuses the open."""


class TransformStall(Stall):
    """The stall of a verb whose body is to be transformed; it keeps the result."""

    def __init__(self, transform: BodyTransform, descriptor: MessageDescriptor, data: bytes) -> None:
        super().__init__("a body is to be turned")
        self.descriptor = descriptor
        self.data = data
        self.failure: MQError | None = None
        self.done = False
        self._transform = transform

    @abstractmethod
    def turn(self, transform: BodyTransform) -> bytes:
        """Give the transformed body."""

    def resolve(self) -> None:
        """Transform the body, once."""
        if self.done:
            return
        try:
            self.data = self.turn(self._transform)
        except MQError as failure:
            self.failure = failure
        self.done = True

    def turned(self) -> bytes:
        """Give the transformed body; stalls until the transform has run, and fails if the transform has failed."""
        if not self.done:
            raise self
        if self.failure is not None:
            raise self.failure
        return self.data


class PutTransform(TransformStall):
    """The transform of a body that is put."""

    def turn(self, transform: BodyTransform) -> bytes:
        """Give the body to store."""
        return transform.before_put(self.descriptor, self.data)


class GetTransform(TransformStall):
    """The transform of a body that is got."""

    def turn(self, transform: BodyTransform) -> bytes:
        """Give the body for the program."""
        return transform.after_get(self.descriptor, self.data)
