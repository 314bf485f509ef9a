"""The PCFExecute of ibmmq and its filters."""

from typing import Any

from kew.codes.attributes import MQCMDI_CMDSCOPE_ACCEPTED, MQCMDI_CMDSCOPE_COMPLETED, MQIACF_COMMAND_INFO
from kew.codes.commands import MQCFT_XR_MSG, MQCFT_XR_SUMMARY
from kew.codes.options import (
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_NO_SYNCPOINT,
)
from kew.faces import pcfcommands
from kew.faces.pcfexecute import CommandBase, ExecuteBase
from kew.ibmmq import CMQSTRC
from kew.ibmmq.errors import Error, MQMIError, PYIFError
from kew.ibmmq.objects import Queue, QueueManager
from kew.ibmmq.structures import CFH, MD, OD, PMO

AN_HOUR = 60 * 60 * 1000  # milliseconds that stand for waiting for ever
_INPUT = MQOO_INPUT_EXCLUSIVE | MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED

ByteString = pcfcommands.ByteString
StringFilter = pcfcommands.StringFilter
IntegerFilter = pcfcommands.IntegerFilter
ByteStringFilter = pcfcommands.ByteStringFilter


class FilterOperator(pcfcommands.OperatorBase):
    """An attribute and an operator; a call adds the value."""

    _error = Error
    _unsupported = "selector [%s] is of an unsupported type (not an integer or string or bytestring attribute)."


class Filter(pcfcommands.SelectorBase):
    """A filter on an attribute: its methods are the operators, such as `like` and `greater`."""

    _operator = FilterOperator


class Command(CommandBase):
    """A command of the queue manager, to be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Send the command and give its replies; a list given as `responses` takes them with their headers too."""
        collected = kwargs.get("responses")
        if collected is not None:
            if not isinstance(collected, list):
                raise TypeError("responses must be a list")
            collected.clear()
        arguments = args[0] if args else {}
        filters = args[1] if len(args) == 2 else []
        answers: list[Any] = self._execute._run(self._name, arguments, filters, collected)
        return answers


class PCFExecute(ExecuteBase, QueueManager):
    """Commands of a queue manager as methods: `MQCMD_INQUIRE_Q({...})` gives a list of dictionaries."""

    _command = Command
    qm: QueueManager | None = None
    iaStringDict = CMQSTRC.MQIA_DICT | CMQSTRC.MQIACF_DICT | CMQSTRC.MQIACH_DICT  # noqa: N815
    caStringDict = CMQSTRC.MQCA_DICT | CMQSTRC.MQCACF_DICT | CMQSTRC.MQCACH_DICT  # noqa: N815
    baStringDict = dict(CMQSTRC.MQBACF_DICT)  # noqa: N815

    def __init__(
        self,
        name: Any = None,
        model_queue_name: str | bytes = b"SYSTEM.DEFAULT.MODEL.QUEUE",
        reply_queue_name: str | bytes | None = None,
        reply_queue_open_options: int = MQOO_INPUT_EXCLUSIVE,
        dynamic_queue_name: str | bytes = b"PYMQPCF.*",
        command_queue_name: str | bytes = b"SYSTEM.ADMIN.COMMAND.QUEUE",
        command_queue: Queue | None = None,
        response_wait_interval: int = 5000,
        command_timeout: int = 0,
        max_length: int | None = None,
        convert: bool = True,
    ) -> None:
        if model_queue_name and reply_queue_name:
            raise PYIFError("Do not specify both a model_queue_name and a reply_queue_name")
        self._command_queue = command_queue
        self._command_queue_name = command_queue_name
        self._convert = convert
        self._response_wait_interval = AN_HOUR if response_wait_interval < 0 else response_wait_interval
        self._command_timeout = command_timeout
        self._max_length = max_length
        if isinstance(name, QueueManager):
            self.qm = name
            super().__init__(None)
        else:
            super().__init__(name)
            self.qm = self
        od = OD(ObjectName=reply_queue_name or model_queue_name, DynamicQName=dynamic_queue_name)
        if not reply_queue_open_options & _INPUT:
            reply_queue_open_options |= MQOO_INPUT_EXCLUSIVE
        self._reply_queue: Any = Queue(self.qm, od, reply_queue_open_options)
        self._reply_queue_name: Any = od.ObjectName.strip()

    @property
    def command_timeout(self) -> int:
        """Give the milliseconds until a command expires; 0 for three times the wait."""
        return self._command_timeout

    @property
    def max_length(self) -> int | None:
        """Give the length of the longest reply accepted; None for any length."""
        return self._max_length

    def _run(self, name: str, arguments: Any, filters: Any, collected: list[Any] | None) -> list[Any]:
        manager = self.qm or self
        manager.get_handle()
        request = pcfcommands.command_message(name, arguments, filters, self.bytes_encoding)
        md = self._send(manager, request)
        gmo = self._waiting()
        answers: list[Any] = [] if collected is None else collected
        problem: MQMIError | None = None
        scoped = False
        while True:
            reply = self._reply_queue.get(self._max_length, MD(CorrelId=md.MsgId), gmo)
            found, cfh = self._unpacked(reply, collected is not None)
            if pcfcommands.failed(cfh) and problem is None:
                problem = MQMIError(cfh.CompCode, cfh.Reason)
            info = found.get(MQIACF_COMMAND_INFO) if cfh.Type == MQCFT_XR_MSG else None
            scoped = scoped or info == MQCMDI_CMDSCOPE_ACCEPTED
            if found and cfh.Type not in (MQCFT_XR_MSG, MQCFT_XR_SUMMARY):
                answers.append(found if collected is None else (found, cfh))
            if info == MQCMDI_CMDSCOPE_COMPLETED if scoped else pcfcommands.is_last(cfh):
                break
        if problem is not None:
            raise problem
        return answers

    def _send(self, manager: QueueManager, request: bytes) -> Any:
        queue = self._command_queue
        own = queue is None
        if queue is None:
            queue = Queue(manager, self._command_queue_name, MQOO_OUTPUT)
        expiry = self._response_wait_interval // 100 * 3 if self._command_timeout == 0 else self._command_timeout // 100
        md: MD = self._question(expiry)
        queue.put(request, md, PMO(Options=MQPMO_NO_SYNCPOINT))
        if own:
            queue.close()
        return md

    @staticmethod
    def _unpacked(message: bytes, lenient: bool) -> tuple[dict[int, Any], Any]:
        found, cfh = pcfcommands.parse_reply(message, CFH, exact=True)
        if pcfcommands.failed(cfh) and not lenient:
            raise MQMIError(cfh.CompCode, cfh.Reason)
        return found, cfh

    @staticmethod
    def stringify_keys(raw_dict: dict[int, Any]) -> dict[Any, Any]:
        """Give the dictionary with names for keys, such as MQCA_Q_NAME."""
        return pcfcommands.stringified(raw_dict, PCFExecute.iaStringDict, PCFExecute.caStringDict)

    stringifyKeys = stringify_keys  # noqa: N815

    def disconnect(self) -> None:
        """Close the queue of replies."""
        self._close_replies()

    @staticmethod
    def unpack(message: bytes) -> tuple[dict[int, Any], Any]:
        """Give the parameters of a PCF message as a dictionary, and its header."""
        return PCFExecute._unpacked(message, lenient=False)
