"""The QueueManager, Queue, Topic, Subscription and MessageHandle of pymqi."""

from typing import Any

from kew.codes.attributes import MQCA_FIRST, MQCA_LAST, MQIA_FIRST, MQIA_LAST
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCMHO_DEFAULT_VALIDATION,
    MQCNO_CLIENT_BINDING,
    MQCNO_NONE,
    MQIMPO_INQ_FIRST,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_OUTPUT,
    MQPMO_NO_SYNCPOINT,
    MQTYPE_AS_SET,
)
from kew.codes.structures import MQHM_NONE, MQHO_NONE, MQOD_VERSION_4
from kew.faces import pcfcommands, properties
from kew.faces.connecting import ConnectRequest, text
from kew.faces.connectstructures import name_channel
from kew.faces.face import Face, as_bytes
from kew.faces.manager import ManagerBase
from kew.faces.pcfexecute import CommandBase, ExecuteBase
from kew.faces.queue import QueueBase
from kew.faces.structure import refuse_text
from kew.faces.topics import SubscriptionBase, TopicBase
from kew.mqi.messages.messagehandles import fit
from kew.pymqi import CMQC, structures
from kew.pymqi.errors import ConstantNames, Error, MQMIError, PYIFError
from kew.pymqi.structures import CD, CFH, CMHO, MD, OD, PD, PMO

FACE = Face(vars(structures), MQMIError, PYIFError)


class default:  # noqa: N801
    """The default encoding of text."""

    ccsid = 1208
    bytes_encoding = "utf8"


def make_q_desc(qDescOrString: Any) -> Any:  # noqa: N803
    """Make the OD of a queue from its name."""
    return OD(ObjectName=as_bytes(qDescOrString)) if isinstance(qDescOrString, str | bytes) else qDescOrString


makeQDesc = make_q_desc  # noqa: N816


def common_q_args(*opts: Any) -> tuple[Any, Any]:
    """Give the MD and the PMO or GMO among the arguments of a put or get."""
    if len(opts) > 2:
        raise TypeError("Too many args")
    md = opts[0] if opts else None
    return MD() if md is None else md, opts[1] if len(opts) == 2 else None


commonQArgs = common_q_args  # noqa: N816


class QueueManager(ManagerBase):
    """A connection to a queue manager; made at once, or later where the name is None."""

    _face = FACE

    def _descriptor_and_options(self, opts: tuple[Any, ...]) -> tuple[Any, Any]:
        return common_q_args(*opts)

    def connect_with_options(self, name: str | bytes, *args: Any, **kwargs: Any) -> None:
        """MQCONNX: opts are its options, cd and sco its structures, with user and password."""
        if len(args) > 2:
            raise TypeError(f"Invalid options: {args}")
        kwargs.update(zip(("cd", "sco"), args, strict=False))
        request = ConnectRequest(as_bytes(name))
        request.options = kwargs.get("opts", MQCNO_NONE)
        user, password = kwargs.get("user"), kwargs.get("password")
        if user:
            if password is None:
                raise ValueError("Password must not be None if user is provided")
            if not isinstance(user, str | bytes) or not isinstance(password, str | bytes):
                raise ValueError("Both user and password must be instances of str or bytes")
            request.user, request.password = text(user), text(password)
        cd = kwargs.get("cd")
        if cd is not None:
            request.options |= MQCNO_CLIENT_BINDING
        self._take_connect_structures(request, cd, kwargs.get("sco"))
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
    ) -> None:
        """Connect as a client over TCP by a channel."""
        name_channel(cd, channel, conn_name)
        self.connect_with_options(name, user=user, password=password, cd=cd)

    connectTCPClient = connect_tcp_client  # noqa: N815

    def put1(self, qDesc: Any, msg: Any, *opts: Any) -> None:  # noqa: N803
        """MQPUT1 to a queue, by name or OD; MD and PMO may follow, and are completed."""
        self._put1(qDesc, msg, opts)

    def inquire(self, attribute: int) -> Any:
        """MQINQ: the value of an attribute."""
        return self._inquire([attribute])[attribute]

    def _is_connected(self) -> bool:
        try:
            execute = PCFExecute(self)
            try:
                execute.MQCMD_PING_Q_MGR()
            finally:
                execute.disconnect()
        except Error:
            return False
        return True

    is_connected = property(_is_connected)


def connect(
    queue_manager: str | bytes,
    channel: str | bytes | None = None,
    conn_info: str | bytes | None = None,
    user: str | None = None,
    password: str | None = None,
    disconnect_on_exit: bool = True,
    bytes_encoding: str = default.bytes_encoding,
    default_ccsid: int = default.ccsid,
) -> QueueManager:
    """Connect: as a client if a channel and a connection name are given, otherwise by MQ's defaults."""
    if channel and conn_info:
        manager = QueueManager(None, disconnect_on_exit, bytes_encoding, default_ccsid)
        manager.connect_tcp_client(queue_manager or "", CD(), channel, conn_info, user, password)
        return manager
    if queue_manager:
        return QueueManager(queue_manager, disconnect_on_exit, bytes_encoding, default_ccsid)
    raise TypeError(f"Invalid arguments: {[queue_manager, channel, conn_info, user, password]!r}")


class Queue(QueueBase):
    """A queue: opened at once if options are given, otherwise on first use."""

    _face = FACE

    def __init__(self, qMgr: QueueManager, *opts: Any) -> None:  # noqa: N803
        super().__init__(qMgr, opts)

    def open(self, qDesc: Any, *opts: Any) -> None:  # noqa: N803
        """MQOPEN of a queue, by name or OD; without options it is opened on first use."""
        self._open(qDesc, opts)

    def get(self, maxLength: int | None = None, *opts: Any) -> bytes:  # noqa: N803
        """MQGET; MD and GMO may follow the length, and are completed."""
        return self._get(maxLength, opts)

    def get_no_jms(self, max_length: int | None = None, *args: Any) -> bytes:
        """MQGET without the properties of the message."""
        return self._get_no_jms(max_length, args)

    get_no_rfh2 = get_no_jms

    def get_rfh2(self, max_length: int | None = None, *opts: Any) -> bytes:
        """MQGET; the MQRFH2 headers of the message go into a list after MD and GMO."""
        return self._get_rfh2(max_length, opts)

    def inquire(self, attribute: int) -> Any:
        """MQINQ: the value of an attribute."""
        return self._inquire([attribute])[attribute]

    def set(self, attribute: int, arg: Any) -> None:
        """MQSET of one attribute."""
        refuse_text(arg)
        self._set({attribute: arg})


class Subscription(SubscriptionBase):
    """A subscription and the queue of its publications."""

    _face = FACE
    _queue = Queue


class Topic(TopicBase):
    """A topic: opened at once, or by the first publication."""

    _face = FACE
    _subscription = Subscription

    def _check_version(self, version: int) -> None:
        if version != MQOD_VERSION_4:
            raise PYIFError("The Topic Descriptor Version is not MQOD_VERSION_4.")

    def _prepared(self, msg: Any, md: Any) -> bytes:
        refuse_text(msg)
        return super()._prepared(msg, md)

    def pub_rfh2(self, msg: Any, *opts: Any) -> None:
        """Publish with MQRFH2 headers, a list after MD and PMO."""
        refuse_text(msg)
        super().pub_rfh2(msg, *opts)


class MessageHandle:
    """A message handle: the properties of a message."""

    default_value_length = 64

    class _Properties(properties.PropertiesBase):
        """The properties of one message handle."""

        _face = FACE

        def get(
            self,
            name: str | bytes,
            default: Any = None,
            max_value_length: int | None = None,
            impo_options: int = MQIMPO_INQ_FIRST,
            pd: PD | int = 0,
            property_type: int = MQTYPE_AS_SET,
        ) -> Any:
            """MQINQMP: the value of a property."""
            length = 0
            value = default
            try:
                found = properties.handle(self.msg_handle).inquire(name, impo_options, property_type)
                length, value = found.length(), found.value
                if isinstance(pd, PD):
                    properties.describe(pd, found)
                fit(found, max_value_length or MessageHandle.default_value_length)
            except MQError as error:
                FACE.fail(error, value=value, dataLength=length)
            return value

    def __init__(self, qmgr: QueueManager | None = None, cmho: CMHO | None = None) -> None:
        self.conn_handle = qmgr.get_handle() if qmgr else MQHO_NONE
        self.msg_handle = MQHM_NONE
        try:
            self.msg_handle = properties.create_handle(cmho.Options if cmho else MQCMHO_DEFAULT_VALIDATION)
        except MQError as error:
            FACE.fail(error)
        self.properties = self._Properties(self.conn_handle, self.msg_handle)


ByteString = pcfcommands.ByteString
StringFilter = pcfcommands.StringFilter
IntegerFilter = pcfcommands.IntegerFilter


class FilterOperator(pcfcommands.OperatorBase):
    """An attribute and an operator; a call adds the value."""

    _error = Error
    _ranges = ((MQIA_FIRST, MQIA_LAST, IntegerFilter), (MQCA_FIRST, MQCA_LAST, StringFilter))
    _unsupported = "selector [%s] is of an unsupported type (neither integer nor a string attribute)."


class Filter(pcfcommands.SelectorBase):
    """A filter on an attribute: its methods are the operators, such as `like` and `greater`."""

    _operator = FilterOperator


class Command(CommandBase):
    """A command of the queue manager, to be called."""

    def __call__(self, *args: Any) -> list[Any]:
        """Send the command with its parameters and filters; gives its replies."""
        answers: list[Any] = self._execute._run(self._name, args[0] if args else {}, args[1] if len(args) == 2 else [])
        return answers


class PCFExecute(ExecuteBase, QueueManager):
    """Commands of a queue manager as methods: `MQCMD_INQUIRE_Q({...})` gives a list of dictionaries."""

    _command = Command
    qm: QueueManager | None = None
    iaStringDict = ConstantNames(CMQC, "MQIA_")  # noqa: N815
    caStringDict = ConstantNames(CMQC, "MQCA_")  # noqa: N815

    def __init__(
        self,
        name: Any = None,
        disconnect_on_exit: bool = True,
        model_queue_name: bytes = b"SYSTEM.DEFAULT.MODEL.QUEUE",
        dynamic_queue_name: bytes = b"PYMQPCF.*",
        command_queue_name: bytes = b"SYSTEM.ADMIN.COMMAND.QUEUE",
        response_wait_interval: int = 5000,
        convert: bool = False,
    ) -> None:
        self._command_queue_name = command_queue_name
        self._convert = convert
        self._response_wait_interval = response_wait_interval
        if isinstance(name, QueueManager):
            self.qm = name
            super().__init__(None)
        else:
            super().__init__(name, disconnect_on_exit)
            self.qm = self
        od = OD(ObjectName=model_queue_name, DynamicQName=dynamic_queue_name)
        self._reply_queue: Any = Queue(self.qm, od, MQOO_INPUT_EXCLUSIVE)
        self._reply_queue_name: Any = od.ObjectName.strip()

    def _run(self, name: str, arguments: Any, filters: Any) -> list[Any]:
        manager = self.qm or self
        manager.get_handle()
        request = pcfcommands.command_message(name, arguments, filters, self.bytes_encoding)
        md = self._question(self._response_wait_interval // 100)
        queue = Queue(manager, self._command_queue_name, MQOO_OUTPUT)
        queue.put(request, md, PMO(Options=MQPMO_NO_SYNCPOINT))
        queue.close()
        gmo = self._waiting()
        answers: list[Any] = []
        while True:
            found, cfh = self.unpack(self._reply_queue.get(None, MD(CorrelId=md.MsgId), gmo))
            answers.append(found)
            if pcfcommands.is_last(cfh):
                return answers

    @staticmethod
    def stringify_keys(rawDict: dict[int, Any]) -> dict[Any, Any]:  # noqa: N803
        """Give the dictionary with names for keys, such as MQCA_Q_NAME."""
        return pcfcommands.stringified(rawDict, PCFExecute.iaStringDict, PCFExecute.caStringDict)

    stringifyKeys = stringify_keys  # noqa: N815

    def disconnect(self) -> None:
        """Close the queue of replies."""
        self._close_replies()

    @staticmethod
    def unpack(message: bytes) -> tuple[dict[int, Any], Any]:
        """Give the parameters of a PCF message as a dictionary, and its header."""
        found, cfh = pcfcommands.parse_reply(message, CFH, exact=False)
        if pcfcommands.failed(cfh):
            raise MQMIError(cfh.CompCode, cfh.Reason)
        return found, cfh
