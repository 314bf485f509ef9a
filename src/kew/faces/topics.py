"""The base classes of Topic and Subscription in both packages."""

from abc import abstractmethod
from typing import Any, ClassVar

from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_NONE,
    MQOO_OUTPUT,
    MQOT_TOPIC,
    MQSO_CREATE,
    MQSO_MANAGED,
    MQSO_NON_DURABLE,
)
from kew.codes.structures import MQHO_NONE, MQOD_VERSION_4
from kew.faces import messages
from kew.faces.face import Face, as_bytes
from kew.faces.manager import ManagerBase


class TopicBase:
    """A topic: opened at once, or by the first publication."""

    _face: ClassVar[Face]
    _subscription: ClassVar[type[Any]]

    def __init__(
        self,
        queue_manager: ManagerBase,
        topic_name: str | bytes | None = None,
        topic_string: str | bytes | None = None,
        topic_desc: Any = None,
        open_opts: int | None = None,
    ) -> None:
        self._manager = queue_manager
        self._handle: int | None = None
        self._open_options = open_opts
        self.topic_name = as_bytes(topic_name)
        self.topic_string = as_bytes(topic_string)
        if topic_desc is not None:
            self._check(topic_desc)
            self._descriptor = topic_desc
        else:
            self._descriptor = self._described()
        if open_opts:
            self._really_open()

    def _check(self, descriptor: Any) -> None:
        if descriptor["ObjectType"] != MQOT_TOPIC:
            raise self._face.own_error("The Topic Descriptor ObjectType is not MQOT_TOPIC.")
        self._check_version(descriptor["Version"])

    @abstractmethod
    def _check_version(self, version: int) -> None:
        """Refuse a version of the object descriptor that has no topic string."""

    def _described(self) -> Any:
        od = self._face.OD(ObjectType=MQOT_TOPIC, Version=MQOD_VERSION_4)
        if self.topic_name:
            od["ObjectName"] = self.topic_name
        if self.topic_string:
            od.set_vs("ObjectString", self.topic_string, 0, 0, 0)
        return od

    def __del__(self) -> None:
        if self.__dict__.get("_handle"):
            self._manager._drop(self._handle)

    def _really_open(self) -> int:
        if self._descriptor is None:
            raise self._face.own_error("The Topic Descriptor has not been set.")
        try:
            handle = self._manager._of_connection().open(self._descriptor, self._open_options or MQOO_OUTPUT)
        except MQError as error:
            self._face.fail(error)
        self._handle = handle
        return handle

    def open(
        self,
        topic_name: str | bytes | None = None,
        topic_string: str | bytes | None = None,
        topic_desc: Any = None,
        open_opts: int | None = None,
    ) -> None:
        """Open the topic; without options the first publication opens it."""
        if self._handle:
            raise self._face.own_error("The Topic is already open.")
        if topic_name:
            self.topic_name = as_bytes(topic_name)
        if topic_string:
            self.topic_string = as_bytes(topic_string)
        self._descriptor = topic_desc if topic_desc is not None else self._described()
        if open_opts:
            self._open_options = open_opts
            self._really_open()

    def pub(self, msg: Any, *opts: Any) -> None:
        """Publish bytes or text; MD and PMO may follow, and are completed."""
        manager = self._manager
        md, pmo = manager._descriptor_and_options(opts)
        if pmo is None:
            pmo = self._face.plain_pmo
        data = self._prepared(msg, md)
        handle = self._handle
        if not handle:
            self._open_options = MQOO_OUTPUT
            handle = self._really_open()
        try:
            messages.put(manager._of_connection(), handle, md, pmo, data)
        except MQError as error:
            self._face.fail(error)

    def _prepared(self, msg: Any, md: Any) -> bytes:
        return messages.prepared(msg, md, self._manager.bytes_encoding, self._manager.default_ccsid)

    def pub_rfh2(self, msg: Any, *opts: Any) -> None:
        """Publish with MQRFH2 headers, a list after MD and PMO."""
        body = as_bytes(msg) if len(opts) >= 3 and opts[2] is not None else msg
        self.pub(messages.with_headers(body, opts), *opts[:2])

    def sub(self, *opts: Any) -> Any:
        """Subscribe to the topic; a subscription descriptor and a queue may be given."""
        subscription = self._subscription(self._manager)
        subscription.sub(
            sub_desc=opts[0] if opts else None,
            sub_queue=opts[1] if len(opts) > 1 else None,
            topic_name=self.topic_name,
            topic_string=self.topic_string,
        )
        return subscription

    def close(self, options: int = MQCO_NONE) -> None:
        """MQCLOSE."""
        if not self._handle:
            raise self._face.own_error("Topic not open.")
        try:
            self._manager._of_connection().close(self._handle, options)
        except MQError as error:
            self._face.fail(error)
        self._handle = None
        self._descriptor = None
        self._open_options = None


class SubscriptionBase:
    """A subscription and the queue of its publications."""

    _face: ClassVar[Face]
    _queue: ClassVar[type[Any]]

    def __init__(
        self,
        queue_manager: ManagerBase,
        sub_desc: Any = None,
        sub_name: str | bytes | None = None,
        sub_queue: Any = None,
        sub_opts: int | None = None,
        topic_name: str | bytes | None = None,
        topic_string: str | bytes | None = None,
    ) -> None:
        self._manager = queue_manager
        self._handle: int | None = None
        self._descriptor = sub_desc
        self.sub_queue = sub_queue
        self.sub_name = as_bytes(sub_name)
        self.sub_opts = sub_opts
        self.topic_name = as_bytes(topic_name)
        self.topic_string = as_bytes(topic_string)
        if sub_desc is not None:
            self.sub(sub_desc=sub_desc)

    def __del__(self) -> None:
        if self.__dict__.get("_handle"):
            self._manager._drop(self._handle)

    def get_sub_queue(self) -> Any:
        """Give the queue of the publications."""
        return self.sub_queue

    def get(self, max_length: int | None = None, *opts: Any) -> bytes:
        """Get a publication."""
        message: bytes = self.sub_queue.get(max_length, *opts)
        return message

    def get_rfh2(self, max_length: int | None = None, *opts: Any) -> bytes:
        """Get a publication and read its MQRFH2 headers."""
        message: bytes = self.sub_queue.get_rfh2(max_length, *opts)
        return message

    def sub(
        self,
        sub_desc: Any = None,
        sub_queue: Any = None,
        sub_name: str | bytes | None = None,
        sub_opts: int | None = None,
        topic_name: str | bytes | None = None,
        topic_string: str | bytes | None = None,
    ) -> None:
        """MQSUB: make, alter or resume the subscription."""
        self.topic_name = as_bytes(topic_name) or self.topic_name
        self.topic_string = as_bytes(topic_string) or self.topic_string
        self.sub_name = as_bytes(sub_name) or self.sub_name
        if sub_desc is None:
            sub_desc = self._described(sub_opts)
        elif not isinstance(sub_desc, self._face.SD):
            raise TypeError("sub_desc must be a SD(sub descriptor) object.")
        self._descriptor = sub_desc
        handle = sub_queue.get_handle() if isinstance(sub_queue, self._queue) else sub_queue
        try:
            queue, self._handle = self._manager._of_connection().subscribe(sub_desc, handle or MQHO_NONE)
        except MQError as error:
            self._face.fail(error)
        self.sub_queue = self._queue(self._manager)
        self.sub_queue.set_handle(queue)

    def _described(self, options: int | None) -> Any:
        sd = self._face.SD(Options=options or MQSO_CREATE | MQSO_NON_DURABLE | MQSO_MANAGED)
        if self.sub_name:
            sd.set_vs("SubName", self.sub_name)
        if self.topic_name:
            sd["ObjectName"] = self.topic_name
        if self.topic_string:
            sd.set_vs("ObjectString", self.topic_string)
        return sd

    def close(
        self,
        sub_close_options: int = MQCO_NONE,
        close_sub_queue: bool = False,
        close_sub_queue_options: int = MQCO_NONE,
    ) -> None:
        """Close the subscription, and its queue if asked to."""
        if not self._handle:
            raise self._face.own_error("Subscription not open.")
        try:
            self._manager._of_connection().close(self._handle, sub_close_options)
        except MQError as error:
            self._face.fail(error)
        self._handle = None
        self._descriptor = None
        if close_sub_queue:
            self.sub_queue.close(close_sub_queue_options)
