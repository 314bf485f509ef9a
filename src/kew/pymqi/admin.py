"""The PCFExecute of pymqi and its filters."""

from typing import Any

from kew.codes.attributes import MQCA_FIRST, MQCA_LAST, MQIA_FIRST, MQIA_LAST
from kew.codes.options import (
    MQOO_INPUT_EXCLUSIVE,
    MQOO_OUTPUT,
    MQPMO_NO_SYNCPOINT,
)
from kew.faces import pcfcommands
from kew.faces.pcfexecute import CommandBase, ExecuteBase
from kew.pymqi import CMQC
from kew.pymqi.errors import ConstantNames, Error, MQMIError
from kew.pymqi.objects import Queue, QueueManager
from kew.pymqi.structures import CFH, MD, OD, PMO

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
