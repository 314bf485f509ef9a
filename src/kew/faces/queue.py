"""The base class of Queue in both packages: opened at once, or on first use."""

from typing import Any, ClassVar

from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_NONE,
    MQFMT_RF_HEADER_2,
    MQGMO_FAIL_IF_QUIESCING,
    MQGMO_NO_PROPERTIES,
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_SET,
)
from kew.faces import messages
from kew.faces.face import Face, as_bytes
from kew.faces.manager import ManagerBase, inquire
from kew.faces.rfh2 import read_headers
from kew.faces.structure import refuse_text


class QueueBase:
    """A queue of the queue manager that a connection leads to."""

    _face: ClassVar[Face]

    def __init__(self, manager: ManagerBase, opts: tuple[Any, ...]) -> None:
        self._manager = manager
        self._handle: int | None = None
        self._descriptor: Any = None
        self._open_options: Any = None
        if len(opts) > 2:
            raise TypeError("Too many args")
        if opts:
            self._descriptor = self._described(opts[0])
        if len(opts) == 2:
            self._open_options = opts[1]
            self._really_open()

    def __del__(self) -> None:
        if self.__dict__.get("_handle"):
            self._manager._drop(self._handle)

    def _described(self, name: Any) -> Any:
        return self._face.OD(ObjectName=as_bytes(name)) if isinstance(name, str | bytes) else name

    def _really_open(self) -> None:
        if self._descriptor is None:
            raise self._face.own_error("The Queue Descriptor has not been set.")
        try:
            self._handle = self._manager._of_connection().open(self._descriptor, self._open_options)
        except MQError as error:
            self._face.fail(error)

    def _opened_for(self, options: int) -> int:
        """Give the handle; a queue that is not open yet is opened with these options."""
        if not self._handle:
            self._open_options = options
            self._really_open()
        assert self._handle is not None
        return self._handle

    def _open(self, name: Any, opts: tuple[Any, ...]) -> None:
        if len(opts) > 1:
            raise TypeError("Too many args")
        if self._handle:
            raise self._face.own_error("The Queue is already open")
        self._descriptor = self._described(name)
        if opts:
            self._open_options = opts[0]
            self._really_open()

    def _close(self, options: int) -> None:
        if not self._handle:
            raise self._face.own_error("not open")
        try:
            self._manager._of_connection().close(self._handle, options)
        except MQError as error:
            self._face.fail(error)
        self._manager._closed(self._handle)
        self._handle = None
        self._descriptor = None
        self._open_options = None

    def close(self, options: int = MQCO_NONE) -> None:
        """MQCLOSE."""
        self._close(options)

    def put(self, msg: Any, *opts: Any) -> None:
        """MQPUT of bytes or text; MD and PMO may follow, and are completed."""
        manager = self._manager
        md, pmo = manager._descriptor_and_options(opts)
        if pmo is None:
            pmo = self._face.plain_pmo
        data = messages.prepared(msg, md, manager.bytes_encoding, manager.default_ccsid)
        handle = self._handle or self._opened_for(MQOO_OUTPUT)
        try:
            messages.put(manager._of_connection(), handle, md, pmo, data)
        except MQError as error:
            self._face.fail(error)

    def put_rfh2(self, msg: Any, *opts: Any) -> None:
        """MQPUT with MQRFH2 headers, a list after MD and PMO."""
        refuse_text(msg)
        self.put(messages.with_headers(msg, opts), *opts[:2])

    def _get(self, max_length: int | None, opts: tuple[Any, ...]) -> bytes:
        manager = self._manager
        md, gmo = manager._descriptor_and_options(opts)
        if gmo is None:
            gmo = self._face.plain_gmo
        handle = self._handle or self._opened_for(MQOO_INPUT_AS_Q_DEF)
        return messages.read(self._face, manager._of_connection(), handle, md, gmo, max_length)

    def _get_no_jms(self, max_length: int | None, opts: tuple[Any, ...]) -> bytes:
        md, gmo = self._manager._descriptor_and_options(opts)
        gmo = gmo or self._face.GMO()
        gmo.Options = gmo.Options | MQGMO_NO_PROPERTIES | MQGMO_FAIL_IF_QUIESCING
        return self._get(max_length, (md, gmo))

    def _get_rfh2(self, max_length: int | None, opts: tuple[Any, ...]) -> bytes:
        if len(opts) < 3:
            return self._get(max_length, opts)
        if opts[2] is None:
            raise AttributeError("get_opts cannot be None if passed.")
        if not isinstance(opts[2], list):
            raise TypeError("Third item of opts should be a list.")
        message = self._get(max_length, opts[:2])
        headers, body = read_headers(self._face.RFH2, message, opts[0]["Format"], MQFMT_RF_HEADER_2)
        opts[2].extend(headers)
        return body

    def _inquire(self, selectors: list[int]) -> dict[int, Any]:
        handle = self._handle or self._opened_for(MQOO_INQUIRE)
        try:
            return inquire(self._manager._of_connection(), handle, selectors)
        except MQError as error:
            self._face.fail(error)

    def _set(self, values: dict[int, Any]) -> None:
        handle = self._handle or self._opened_for(MQOO_SET)
        try:
            self._manager._of_connection().set(handle, {key: as_bytes(value) for key, value in values.items()})
        except MQError as error:
            self._face.fail(error)

    def set_handle(self, queue_handle: int) -> None:
        """Set the handle, as another call gave it."""
        self._handle = queue_handle

    def get_handle(self) -> int | None:
        """Give the handle; None while the queue is not open."""
        return self._handle
