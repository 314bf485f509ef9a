"""The one place where a body is turned into another: before a put counts its length, and after a get has read it.

A handle may have a transform, such as one that protects what is put through it for those who may read it. What it does
takes long, so it is done outside the engine lock: the verb stalls, whoever waits for the stall has the body turned, and
the verb is called again. A message that is got is locked meanwhile, like a long one between two of its steps.

    put     the body is turned before anything else is looked at. All that counts for the queue (length, segments,
            properties) is that of what was made; the program's own descriptor says what it said, and is completed.
    get     the body is turned back before properties are shaped and its length is compared with the buffer. What cannot
            be turned back fails the get with a reason of the transform's own, and stays on its queue.

A message is never handed over straight to a get with a transform: it goes by its queue. What the queue manager makes of
a message (copies for streams, reports, dead letters) has the body as it is stored.
"""

from abc import abstractmethod

from mypy_extensions import mypyc_attr

from kew.codes.errors import MQError
from kew.formats.mqmd import MessageDescriptor
from kew.storage.stall import Stall


@mypyc_attr(allow_interpreted_subclasses=True)
class BodyTransform:
    """Turns bodies for one handle; runs outside the engine lock, in any thread.

    Either way the descriptor is one of the transform's own to bring into line: format, encoding and character set. What
    cannot be turned is an MQError with the reason that the program is to be told.
    """

    @abstractmethod
    def before_put(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the body that is stored for the one that a program puts."""

    @abstractmethod
    def after_get(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        """Give the body that a program gets for the one that is stored."""


class TransformStall(Stall):
    """A body that is to be turned, and then what came of it."""

    def __init__(self, transform: BodyTransform, descriptor: MessageDescriptor, data: bytes) -> None:
        super().__init__("a body is to be turned")
        self.descriptor = descriptor
        self.data = data
        self.failure: MQError | None = None
        self.done = False
        self._transform = transform

    @abstractmethod
    def turn(self, transform: BodyTransform) -> bytes:
        """Give the other body."""

    def resolve(self) -> None:
        """Turn the body, once."""
        if self.done:
            return
        try:
            self.data = self.turn(self._transform)
        except MQError as failure:
            self.failure = failure
        self.done = True

    def turned(self) -> bytes:
        """Give the body once it is turned; stalls before, and fails where that has failed."""
        if not self.done:
            raise self
        if self.failure is not None:
            raise self.failure
        return self.data


class PutTransform(TransformStall):
    """The body of a message that is put."""

    def turn(self, transform: BodyTransform) -> bytes:
        """Give the body that is stored."""
        return transform.before_put(self.descriptor, self.data)


class GetTransform(TransformStall):
    """The body of a message that is got."""

    def turn(self, transform: BodyTransform) -> bytes:
        """Give the body that the program gets."""
        return transform.after_get(self.descriptor, self.data)
