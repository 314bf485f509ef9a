"""The base class of QueueManager in both packages: a connection, units of work, MQPUT1, MQINQ."""

import itertools
import os
import weakref
from abc import abstractmethod
from typing import Any, ClassVar, Final

from kew.codes.attributes import MQIA_FIRST, MQIA_LAST
from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INQUIRE, MQOT_Q_MGR
from kew.codes.reasons import (
    MQRC_CONNECTION_BROKEN,
    MQRC_CONNECTION_QUIESCING,
    MQRC_CONNECTION_STOPPING,
    MQRC_HCONN_ERROR,
    MQRC_Q_MGR_QUIESCING,
    MQRC_Q_MGR_STOPPING,
    MQRC_SELECTOR_ERROR,
)
from kew.codes.selectors import is_character
from kew.codes.structures import MQCD_VERSION_7
from kew.faces import messages, reaper
from kew.faces.connecting import ConnectRequest, connect
from kew.faces.connectstructures import check_balancing, describe_channel, describe_keys
from kew.faces.face import Face, as_bytes
from kew.faces.reaper import Dropped
from kew.faces.threadsharing import ForkedVerbs, shared
from kew.faces.verbs import Verbs

# Reason codes after which there is no connection left to end.
_GONE: Final = frozenset(
    {
        MQRC_CONNECTION_BROKEN,
        MQRC_CONNECTION_QUIESCING,
        MQRC_CONNECTION_STOPPING,
        MQRC_Q_MGR_QUIESCING,
        MQRC_Q_MGR_STOPPING,
    }
)
_NUMBERS: Final = itertools.count(1)
_CONNECTED: Final[weakref.WeakSet["ManagerBase"]] = weakref.WeakSet()


def _begin_in_child() -> None:
    for manager in list(_CONNECTED):
        manager._disown()


os.register_at_fork(after_in_child=_begin_in_child)


def inquire(verbs: Verbs, handle: int, selectors: list[int]) -> dict[int, Any]:
    """MQINQ of some attributes."""
    for selector in selectors:
        if not isinstance(selector, int) or not (is_character(selector) or MQIA_FIRST <= selector <= MQIA_LAST):
            raise MQError(MQRC_SELECTOR_ERROR, selector=selector)
    return dict(verbs.inquire(handle, selectors))


class ManagerBase:
    """A connection to a queue manager; made at once, or later where the name is None."""

    _face: ClassVar[Face]

    def __init__(
        self,
        name: str | bytes | None = "",
        disconnect_on_exit: bool = True,
        bytes_encoding: str = "utf8",
        default_ccsid: int = 1208,
    ) -> None:
        self._verbs: Verbs | None = None  # for the program's threads
        self._connection: Verbs | None = None  # the same, for work on the program's behalf
        self._dropped: Dropped | None = None  # handles of queues that the program no longer refers to
        self._handle: int = 0
        self._manager_name: Any = as_bytes(name)
        self._disconnect_on_exit = disconnect_on_exit
        self._own_object: int = 0
        self.bytes_encoding = bytes_encoding
        self.default_ccsid = default_ccsid
        if name is not None:
            self.connect(name)

    def __del__(self) -> None:
        verbs = self.__dict__.get("_connection")
        if verbs is not None and self._disconnect_on_exit:
            reaper.disconnect_later(verbs)

    def _connect(self, request: ConnectRequest) -> None:
        request.manager_descriptor = self._face.OD(ObjectType=MQOT_Q_MGR)
        try:
            verbs = connect(request)
        except MQError as error:
            self._face.fail(error)
        reaper.begin()
        if self._disconnect_on_exit:
            reaper.disconnect_at_exit(verbs)
        self._connection = verbs
        self._verbs = shared(verbs, request.options)
        _CONNECTED.add(self)
        self._dropped = reaper.Dropped(verbs)
        self._handle = next(_NUMBERS)
        self._own_object = 0
        self._manager_name = request.queue_manager

    def _take_connect_structures(
        self, request: ConnectRequest, cd: Any = None, sco: Any = None, bno: Any = None
    ) -> None:
        """Take the structures of MQCONNX; a call with an unsupported field is refused."""
        try:
            if cd is not None:
                if cd.SSLCipherSpec:
                    cd.Version = max(cd.Version, MQCD_VERSION_7)
                describe_channel(request, cd)
            if sco is not None:
                describe_keys(request, sco)
            if bno is not None:
                check_balancing(bno)
        except MQError as error:
            self._face.fail(error)

    def connect(self, name: str | bytes) -> None:
        """Connect to a queue manager by its name, with MQ's defaults."""
        self._connect(ConnectRequest(as_bytes(name)))

    def disconnect(self) -> None:
        """MQDISC."""
        verbs = self._verbs
        if verbs is None:
            raise self._face.own_error("not connected")
        try:
            verbs.disconnect()
        except MQError as error:
            if error.reason in _GONE or error.completion == MQCC_WARNING:
                self._forget()
            self._face.fail(error)
        self._forget()

    def _forget(self) -> None:
        self._verbs = None
        self._connection = None
        self._dropped = None
        self._handle = 0
        self._own_object = 0

    def _disown(self) -> None:
        """Abandon the connection in a forked process, since it belongs to the parent."""
        if self._verbs is not None:
            self._verbs = ForkedVerbs()
        self._connection = None
        self._dropped = None

    def _drop(self, handle: int | None) -> None:
        """Have a handle closed soon; called by destructors."""
        if handle and self._dropped is not None:
            self._dropped.add(handle)

    def _closed(self, handle: int) -> None:
        """Note that a handle is closed."""

    def get_handle(self) -> int:
        """Give the number of the connection."""
        if self._verbs is None:
            raise self._face.own_error("not connected")
        return self._handle

    getHandle = get_handle  # noqa: N815

    def _connected(self) -> Verbs:
        """Give the verbs of the connection; without one, verbs that fail like C's with an unusable handle."""
        if self._verbs is None:
            raise self._face.mqi_error(2, MQRC_HCONN_ERROR)
        return self._verbs

    def _of_connection(self) -> Verbs:
        """Give the verbs of the connection; raise the package's error if there is none."""
        verbs = self._verbs
        if verbs is None:
            raise self._face.own_error("not connected")
        dropped = self._dropped
        if dropped is not None and dropped.handles:
            dropped.sweep_before(verbs)
        return verbs

    def begin(self) -> None:
        """MQBEGIN: begin a global unit of work."""
        try:
            self._connected().begin()
        except MQError as error:
            self._face.fail(error)

    def commit(self) -> None:
        """MQCMIT: commit the unit of work."""
        try:
            self._connected().commit()
        except MQError as error:
            self._face.fail(error)

    def backout(self) -> None:
        """MQBACK: back the unit of work out."""
        try:
            self._connected().back_out()
        except MQError as error:
            self._face.fail(error)

    def _put1(self, where: Any, msg: Any, opts: tuple[Any, ...]) -> None:
        md, pmo = self._descriptor_and_options(opts)
        if pmo is None:
            pmo = self._face.plain_pmo
        data = messages.prepared(msg, md, self.bytes_encoding, self.default_ccsid)
        od = self._face.OD(ObjectName=as_bytes(where)) if isinstance(where, str | bytes) else where
        try:
            messages.put(self._connected(), od, md, pmo, data)
        except MQError as error:
            self._face.fail(error)

    @abstractmethod
    def _descriptor_and_options(self, opts: tuple[Any, ...]) -> tuple[Any, Any]:
        """Give the message descriptor and put options among the arguments of put1."""

    def _inquire(self, selectors: list[int]) -> dict[int, Any]:
        verbs = self._connected()
        try:
            if not self._own_object:
                self._own_object = verbs.open(self._face.OD(ObjectType=MQOT_Q_MGR), MQOO_INQUIRE)
            return inquire(verbs, self._own_object, selectors)
        except MQError as error:
            self._face.fail(error)
