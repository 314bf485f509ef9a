"""The QueueManager, Queue, Topic, Subscription and MessageHandle of ibmmq."""

from typing import Any

from kew.codes.attributes import MQCA_INITIAL_KEY, MQCA_Q_MGR_NAME
from kew.codes.completion import MQCC_FAILED
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCMHO_DEFAULT_VALIDATION,
    MQCNO_CLIENT_BINDING,
    MQCNO_FASTPATH_BINDING,
    MQCNO_HANDLE_SHARE_BLOCK,
    MQCNO_HANDLE_SHARE_NO_BLOCK,
    MQCNO_ISOLATED_BINDING,
    MQCNO_LOCAL_BINDING,
    MQCNO_NONE,
    MQCNO_SHARED_BINDING,
    MQCNO_STANDARD_BINDING,
    MQCSP_AUTH_ID_TOKEN,
    MQCSP_AUTH_USER_ID_AND_PWD,
    MQDMHO_NONE,
    MQIMPO_CONVERT_VALUE,
    MQIMPO_INQ_FIRST,
    MQOP_REGISTER,
    MQSR_ACTION_PUBLICATION,
    MQTYPE_AS_SET,
)
from kew.codes.reasons import MQRC_DMHO_ERROR, MQRC_HMSG_ERROR
from kew.codes.structures import (
    MQCSP_VERSION_3,
    MQHC_UNUSABLE_HCONN,
    MQHM_NONE,
    MQHO_NONE,
    MQOD_VERSION_4,
)
from kew.faces import properties
from kew.faces.callbacks import Callbacks
from kew.faces.connecting import ConnectRequest, text
from kew.faces.connectstructures import name_channel
from kew.faces.face import Face, as_bytes
from kew.faces.manager import ManagerBase
from kew.faces.queue import QueueBase
from kew.faces.structure import text_of
from kew.faces.topics import SubscriptionBase, TopicBase
from kew.ibmmq import structures
from kew.ibmmq.errors import MQMIError, PYIFError
from kew.ibmmq.structures import (
    BNO,
    CBC,
    CBD,
    CD,
    CMHO,
    CNO,
    CSP,
    CTLO,
    DMHO,
    DMPO,
    GMO,
    IMPO,
    MD,
    OD,
    PD,
    PMO,
    SCO,
    SRO,
    STS,
)
from kew.mqi.messages.messagehandles import fit

FACE = Face(vars(structures), MQMIError, PYIFError)
_NOT_A_CLIENT = (
    MQCNO_STANDARD_BINDING
    | MQCNO_ISOLATED_BINDING
    | MQCNO_FASTPATH_BINDING
    | MQCNO_LOCAL_BINDING
    | MQCNO_SHARED_BINDING
)


class EncodingDefault:
    """The default encoding of text."""

    ccsid = 1208
    bytes_encoding = "utf8"
    mqi_encoding = "ascii"


class OTelOptions:
    """The options for OpenTelemetry's properties of messages; Kew adds none."""

    def __init__(self, **kwargs: Any) -> None:
        self.remove_rfh2 = kwargs.get("remove_rfh2", False)


class OTelFunctions:
    """The hooks of a tracer into the verbs; Kew calls none."""

    disc = None
    open = None
    close = None
    put_trace_before = None
    put_trace_after = None
    get_trace_before = None
    get_trace_after = None


def common_q_args(*opts: Any) -> tuple[Any, Any]:
    """Give the MD and the PMO or GMO among the arguments of a put or get."""
    if len(opts) > 3:
        raise TypeError("Too many args")
    md = opts[0] if opts else None
    options = opts[1] if len(opts) > 1 else None
    if md is None:
        md = MD()
    elif not isinstance(md, MD):
        raise TypeError("Message Descriptor must be an instance of MD")
    if options and not isinstance(options, PMO | GMO):
        raise TypeError("Options must be an instance of PMO or GMO")
    return md, options


commonQArgs = common_q_args  # noqa: N816


class MQObject:
    """An object of a queue manager, or the queue manager."""

    def __init__(self, name: Any) -> None:
        self._name = name

    def to_string(self, v: Any, encoding: str = EncodingDefault.bytes_encoding) -> Any:
        """Decode characters, without padding."""
        return text_of(v, encoding)


class QueueManager(ManagerBase, MQObject):
    """A connection to a queue manager; made at once, or later where the name is None."""

    _face = FACE

    def __init__(
        self,
        name: str | bytes | None = "",
        disconnect_on_exit: bool = True,
        bytes_encoding: str = EncodingDefault.bytes_encoding,
        default_ccsid: int = EncodingDefault.ccsid,
    ) -> None:
        MQObject.__init__(self, as_bytes(name))
        self._callbacks: Callbacks | None = None
        ManagerBase.__init__(self, name, disconnect_on_exit, bytes_encoding, default_ccsid)

    def _descriptor_and_options(self, opts: tuple[Any, ...]) -> tuple[Any, Any]:
        return common_q_args(*opts)

    def connect_with_options(self, name: str | bytes, *args: Any, **kwargs: Any) -> None:
        """MQCONNX: cno, cd, csp, sco and bno are its structures; user, password and opts stand for fields of them."""
        if len(args) > 2:
            raise TypeError("Too many positional args provided")
        kwargs.update(zip(("cd", "sco"), args, strict=False))
        request = ConnectRequest(as_bytes(name))
        cno = _given(kwargs, "cno", CNO) or CNO(Options=kwargs.get("opts", MQCNO_NONE))
        if not cno.Options & (MQCNO_HANDLE_SHARE_NO_BLOCK | MQCNO_HANDLE_SHARE_BLOCK):
            cno.Options |= MQCNO_HANDLE_SHARE_BLOCK
        _identify(request, kwargs)
        sco = _given(kwargs, "sco", SCO)
        bno = _given(kwargs, "bno", BNO)
        cd = kwargs.get("cd")
        if cd is not None and not cno.Options & _NOT_A_CLIENT:
            cno.Options |= MQCNO_CLIENT_BINDING
        request.options = cno.Options
        self._take_connect_structures(request, cd, sco, bno)
        request.table = text(cno.CCDTUrl)
        request.application = text(getattr(cno, "ApplName", b""))
        self._connect(request)

    connectWithOptions = connect_with_options  # noqa: N815

    def connect_tcp_client(
        self,
        name: str | bytes,
        cd: Any,
        channel: str | bytes,
        conn_name: str | bytes,
        user: str | None = None,
        password: str | None = None,
        cno: Any = None,
        csp: Any = None,
        sco: Any = None,
        bno: Any = None,
    ) -> None:
        """Connect as a client over TCP by a channel; the other structures are those of MQCONNX."""
        name_channel(cd, channel, conn_name)
        given = {"cno": cno, "csp": csp, "sco": sco, "bno": bno}
        if cno is not None:
            cno.Options |= MQCNO_CLIENT_BINDING
        self.connect_with_options(
            name,
            user=user,
            password=password,
            opts=MQCNO_CLIENT_BINDING,
            cd=cd,
            **{key: value for key, value in given.items() if value is not None},
        )

    connectTCPClient = connect_tcp_client  # noqa: N815

    def disconnect(self) -> None:
        """MQDISC."""
        if self._callbacks is not None:
            self._callbacks.stop()
        ManagerBase.disconnect(self)
        self._callbacks = None

    def get_name(self) -> str:
        """Give the name that connect was given."""
        if not self._manager_name:
            raise PYIFError("not connected")
        name: str = self.to_string(self._manager_name)
        return name

    def put1(self, q_desc: Any, msg: Any, *opts: Any) -> None:
        """MQPUT1 to a queue, by name or OD; MD and PMO may follow, and are completed."""
        self._put1(q_desc, msg, opts)

    def inquire(self, selectors: Any) -> Any:
        """MQINQ: the value of one attribute, or a dictionary of several."""
        return _inquired(self._inquire, selectors)

    inq = inquire

    def stat(self, status_type: int) -> STS:
        """MQSTAT: the outcome of asynchronous puts."""
        sts = STS()
        try:
            self._connected().status(status_type, sts)
        except MQError as error:
            FACE.fail(error)
        return sts

    def _is_connected(self) -> bool:
        try:
            self.inquire(MQCA_Q_MGR_NAME)
        except MQMIError:
            return False
        return True

    is_connected = property(_is_connected)

    def cb(self, **kwargs: Any) -> None:
        """MQCB for events of the connection."""
        self._callback(self, MQHO_NONE, kwargs)

    def ctl(self, operation: int, ctlo: CTLO) -> None:
        """MQCTL: start or stop the delivery of messages to callbacks."""
        if not isinstance(ctlo, CTLO):
            raise TypeError("ctlo must be an instance of CTLO")
        try:
            self._all_callbacks().control(operation, ctlo.ConnectionArea)
        except MQError as error:
            FACE.fail(error)

    def _closed(self, handle: int) -> None:
        if self._callbacks is not None:
            self._callbacks.forget(handle)

    def _all_callbacks(self) -> Callbacks:
        self.get_handle()
        if self._callbacks is None:
            self._callbacks = Callbacks(self, CBC, MD, GMO)
        if not self._callbacks.started:
            self._connected().idle()  # a thread that may not use the connection is refused
        return self._callbacks

    def _callback(self, subject: Any, handle: int | None, kwargs: dict[str, Any]) -> None:
        given = {"md": MD, "cbd": CBD, "gmo": GMO}
        for key, kind in given.items():
            if key in kwargs and not isinstance(kwargs[key], kind):
                raise TypeError(f"{key} must be an instance of {kind.__name__}")
        if kwargs.get("otel_options") and not isinstance(kwargs["otel_options"], OTelOptions):
            raise TypeError("otel_options must be an instance of OTelOptions")
        md, cbd, gmo = [kwargs.get(key) or kind() for key, kind in given.items()]
        try:
            self._all_callbacks().register(kwargs.get("operation", MQOP_REGISTER), subject, handle, cbd, md, gmo)
        except MQError as error:
            FACE.fail(error)


def _given(kwargs: dict[str, Any], key: str, kind: type[Any]) -> Any:
    value = kwargs.get(key)
    if value and not isinstance(value, kind):
        raise TypeError(f"{key} must be an instance of {kind.__name__}")
    return value or None


def _identify(request: ConnectRequest, kwargs: dict[str, Any]) -> None:
    """Set the user and password: from an MQCSP, or from the keywords."""
    csp = _given(kwargs, "csp", CSP)
    if csp is None:
        user, password, token = kwargs.get("user"), kwargs.get("password"), kwargs.get("token")
    else:
        for wrong in ("UserId", "Password"):
            if hasattr(csp, wrong):
                raise PYIFError(f"{wrong} field in CSP class is called CSP{wrong}")
        user, password, token = csp.CSPUserId, csp.CSPPassword, csp.Token
    if token:
        if not isinstance(token, str | bytes):
            raise TypeError("Token must be an instance of str or bytes")
        request.token = text(token)
        if csp is not None:
            csp.AuthenticationType = MQCSP_AUTH_ID_TOKEN
            csp.Version = max(csp.Version, MQCSP_VERSION_3)
    elif user:
        if password is None:
            raise ValueError("Password must not be None if user is provided")
        if not isinstance(user, str | bytes) or not isinstance(password, str | bytes):
            raise ValueError("Both user and password must be instances of str or bytes")
        request.user, request.password = text(user), text(password)
        if csp is not None:
            csp.AuthenticationType = MQCSP_AUTH_USER_ID_AND_PWD


def _inquired(inquire: Any, selectors: Any) -> Any:
    wanted = selectors if isinstance(selectors, list) else [selectors]
    found = inquire(wanted)
    if MQCA_INITIAL_KEY in found:
        found[MQCA_INITIAL_KEY] = b"********"
    return found if isinstance(selectors, list) else found[selectors]


def connect(
    queue_manager: str | bytes,
    channel: str | bytes | None = None,
    conn_info: str | bytes | None = None,
    user: str | None = None,
    password: str | None = None,
    disconnect_on_exit: bool = True,
    bytes_encoding: str = EncodingDefault.bytes_encoding,
    default_ccsid: int = EncodingDefault.ccsid,
    cd: Any = None,
    cno: Any = None,
    csp: Any = None,
    sco: Any = None,
    bno: Any = None,
) -> QueueManager:
    """Connect: as a client if a channel and a connection name are given, otherwise by MQ's defaults."""
    manager = QueueManager(None, disconnect_on_exit, bytes_encoding, default_ccsid)
    if channel and conn_info:
        manager.connect_tcp_client(
            queue_manager or "", cd or CD(), channel, conn_info, user, password, cno=cno, csp=csp, sco=sco, bno=bno
        )
    elif queue_manager:
        manager.connect_with_options(
            queue_manager, user=user, password=password, cno=cno, csp=csp, sco=sco, bno=bno, cd=cd
        )
    else:
        raise TypeError(f"Invalid arguments: {[queue_manager, channel, conn_info, user, password]!r}")
    return manager


class Queue(QueueBase, MQObject):
    """A queue: opened at once if options are given, otherwise on first use."""

    _face = FACE

    def __init__(self, qmgr: QueueManager, *opts: Any) -> None:
        QueueBase.__init__(self, qmgr, opts)
        MQObject.__init__(self, getattr(self._descriptor, "ObjectName", ""))

    def open(self, q_desc: Any, *opts: Any) -> None:
        """MQOPEN of a queue, by name or OD; without options it is opened on first use."""
        self._open(q_desc, opts)

    def get(self, maxLength: int | None = None, *opts: Any, **kwargs: Any) -> bytes:  # noqa: N803
        """MQGET; MD and GMO may follow the length, and are completed."""
        _check_tracing(kwargs)
        return self._get(maxLength, opts)

    def get_no_jms(self, max_length: int | None = None, *args: Any, **kwargs: Any) -> bytes:
        """MQGET without the properties of the message."""
        _check_tracing(kwargs)
        return self._get_no_jms(max_length, args)

    get_no_rfh2 = get_no_jms

    def get_rfh2(self, max_length: int | None = None, *opts: Any, **kwargs: Any) -> bytes:
        """MQGET; the MQRFH2 headers of the message go into a list after MD and GMO."""
        _check_tracing(kwargs)
        return self._get_rfh2(max_length, opts)

    def inquire(self, selectors: Any) -> Any:
        """MQINQ: the value of one attribute, or a dictionary of several."""
        return _inquired(self._inquire, selectors)

    inq = inquire

    def set(self, *args: Any) -> None:
        """MQSET: a dictionary of attributes and values, or one attribute and its value."""
        self._set(args[0] if isinstance(args[0], dict) else {args[0]: args[1]})

    def get_name(self) -> str:
        """Give the name of the queue."""
        name: str = self.to_string(self._descriptor.ObjectName)
        return name

    def get_queue_manager(self) -> Any:
        """Give the queue manager of the queue."""
        return self._manager

    def cb(self, **kwargs: Any) -> None:
        """MQCB: register a function for the messages of the queue."""
        manager: Any = self._manager
        manager._callback(self, self._handle, kwargs)


def _check_tracing(kwargs: dict[str, Any]) -> None:
    options = kwargs.get("otel_options")
    if options and not isinstance(options, OTelOptions):
        raise TypeError("otel_options must be instance of OTelOptions.")


class Subscription(SubscriptionBase, MQObject):
    """A subscription and the queue of its publications."""

    _face = FACE
    _queue = Queue

    def __init__(
        self,
        queue_manager: QueueManager,
        sub_desc: Any = None,
        sub_name: str | bytes | None = None,
        sub_queue: Any = None,
        sub_opts: int | None = None,
        topic_name: str | bytes | None = None,
        topic_string: str | bytes | None = None,
    ) -> None:
        SubscriptionBase.__init__(
            self, queue_manager, sub_desc, sub_name, sub_queue, sub_opts, topic_name, topic_string
        )
        MQObject.__init__(self, _topic_name(topic_name, topic_string))

    def get_handle(self) -> int | None:
        """Give the handle of the subscription."""
        return self._handle

    def get_queue_manager(self) -> Any:
        """Give the queue manager of the subscription."""
        return self._manager

    def subrq(self, sub_action: int = MQSR_ACTION_PUBLICATION, sro: Any = None) -> None:
        """MQSUBRQ: have the retained publications sent."""
        if sro is None:
            sro = SRO()
        elif not isinstance(sro, SRO):
            raise TypeError("sro must be an SRO(sub request options) object.")
        try:
            self._manager._of_connection().request(self._handle or MQHO_NONE, sub_action, sro)
        except MQError as error:
            FACE.fail(error)


class Topic(TopicBase, MQObject):
    """A topic: opened at once, or by the first publication."""

    _face = FACE
    _subscription = Subscription

    def __init__(
        self,
        queue_manager: QueueManager,
        topic_name: str | bytes | None = None,
        topic_string: str | bytes | None = None,
        topic_desc: OD | None = None,
        open_opts: int | None = None,
    ) -> None:
        TopicBase.__init__(self, queue_manager, topic_name, topic_string, topic_desc, open_opts)
        MQObject.__init__(self, _topic_name(topic_name, topic_string))

    def _check_version(self, version: int) -> None:
        if version < MQOD_VERSION_4:
            raise PYIFError("The Topic Descriptor Version must be at least MQOD_VERSION_4.")

    put = TopicBase.pub
    put_rfh2 = TopicBase.pub_rfh2


def _topic_name(name: str | bytes | None, string: str | bytes | None) -> Any:
    return b"/".join([as_bytes(part) for part in (name, string) if part]) or None


class MessageHandle:
    """A message handle: the properties of a message."""

    class _Properties(properties.PropertiesBase):
        """The properties of one message handle."""

        _face = FACE

        def __init__(self, conn_handle: int, msg_handle: int) -> None:
            super().__init__(conn_handle, msg_handle)
            self.default_value_length = 64

        def get(
            self,
            name: str | bytes,
            default: Any = None,
            max_value_length: int | None = None,
            impo_options: int = MQIMPO_INQ_FIRST,
            impo: IMPO | None = None,
            pd: Any = None,
            property_type: int = MQTYPE_AS_SET,
        ) -> Any:
            """MQINQMP: the value of a property, and its name too if the wanted name ends with %."""
            if impo is not None and not isinstance(impo, IMPO):
                raise TypeError("impo must be an instance of IMPO")
            if pd and not isinstance(pd, PD | int):
                raise TypeError("pd must be an instance of PD")
            options = impo.Options if impo is not None else impo_options | MQIMPO_CONVERT_VALUE
            length = 0
            try:
                found = properties.handle(self.msg_handle).inquire(name, options, property_type)
                length = found.length()
                if isinstance(pd, PD):
                    properties.describe(pd, found)
                fit(found, max_value_length or self.default_value_length)
            except MQError as error:
                FACE.fail(error, value=default, data_length=length)
            if as_bytes(name, "utf-8").rstrip().endswith(b"%"):
                return found.value, found.name
            return found.value

        def dlt(self, name: str | bytes, dmpo: DMPO | None = None) -> None:
            """MQDLTMP: delete a property."""
            try:
                properties.handle(self.msg_handle).delete(name, (dmpo or DMPO()).Options)
            except MQError as error:
                FACE.fail(error)

    def __init__(
        self, qmgr: QueueManager | None = None, cmho: CMHO | None = None, dup_handle: int | None = None
    ) -> None:
        self.conn_handle = qmgr.get_handle() if qmgr else MQHO_NONE
        self.duplicated = dup_handle is not None
        self.msg_handle = MQHM_NONE if dup_handle is None else dup_handle
        if dup_handle is None:
            try:
                self.msg_handle = properties.create_handle(cmho.Options if cmho else MQCMHO_DEFAULT_VALIDATION)
            except MQError as error:
                FACE.fail(error)
        self.properties = self._Properties(self.conn_handle, self.msg_handle)

    def get_handle(self) -> int:
        """Give the number of the handle."""
        return self.msg_handle

    def get_queue_manager(self) -> int:
        """Give the number of the connection."""
        return self.conn_handle

    def dlt(self, dmho: DMHO | None = None) -> None:
        """MQDLTMH: delete the handle."""
        if self.duplicated:
            raise MQMIError(MQCC_FAILED, MQRC_HMSG_ERROR)
        if dmho and dmho.Options != MQDMHO_NONE:
            raise MQMIError(MQCC_FAILED, MQRC_DMHO_ERROR)
        try:
            properties.delete_handle(self.msg_handle)
        except MQError as error:
            FACE.fail(error)
        self.properties = self._Properties(MQHC_UNUSABLE_HCONN, MQHM_NONE)
