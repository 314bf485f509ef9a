"""The base class of PCFExecute in both packages: the queues of commands and replies, and the options of both."""

from typing import Any, ClassVar, Self

from kew.codes.options import (
    MQFB_NONE,
    MQFMT_ADMIN,
    MQGMO_CONVERT,
    MQGMO_FAIL_IF_QUIESCING,
    MQGMO_NO_SYNCPOINT,
    MQGMO_WAIT,
    MQMO_MATCH_CORREL_ID,
    MQMT_REQUEST,
    MQRO_DISCARD_MSG,
    MQRO_PASS_DISCARD_AND_EXPIRY,
)
from kew.codes.structures import MQGMO_VERSION_2
from kew.faces.face import Face


class CommandBase:
    """A command of the queue manager, to be called; further names after dots belong to its name."""

    def __init__(self, execute: Any, name: str) -> None:
        self._execute = execute
        self._name = name

    def __getattr__(self, name: str) -> Self:
        return type(self)(self._execute, f"{self._name}.{name}")


class ExecuteBase:
    """The fields of a PCFExecute; the packages set them and carry commands out."""

    _face: ClassVar[Face]
    _command: ClassVar[type[CommandBase]]
    _command_queue_name: Any
    _convert: bool
    _reply_queue: Any
    _reply_queue_name: Any
    _response_wait_interval: int

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._command(self, name)

    @property
    def command_queue_name(self) -> Any:
        """Give the name of the queue that commands are put to."""
        return self._command_queue_name

    @property
    def convert(self) -> bool:
        """Say whether replies are converted."""
        return self._convert

    @property
    def reply_queue(self) -> Any:
        """Give the queue of replies."""
        return self._reply_queue

    @property
    def reply_queue_name(self) -> Any:
        """Give the name of the queue of replies."""
        return self._reply_queue_name

    @property
    def response_wait_interval(self) -> int:
        """Give the milliseconds to wait for a reply."""
        return self._response_wait_interval

    def _question(self, expiry: int) -> Any:
        """Make the descriptor of a command; a reply that comes too late is discarded."""
        return self._face.MD(
            Format=MQFMT_ADMIN,
            MsgType=MQMT_REQUEST,
            ReplyToQ=self._reply_queue_name,
            Feedback=MQFB_NONE,
            Expiry=expiry,
            Report=MQRO_PASS_DISCARD_AND_EXPIRY | MQRO_DISCARD_MSG,
        )

    def _waiting(self) -> Any:
        """Make the options for getting replies."""
        options = MQGMO_NO_SYNCPOINT | MQGMO_FAIL_IF_QUIESCING | MQGMO_WAIT
        return self._face.GMO(
            Options=options | MQGMO_CONVERT if self._convert else options,
            Version=MQGMO_VERSION_2,
            MatchOptions=MQMO_MATCH_CORREL_ID,
            WaitInterval=self._response_wait_interval,
        )

    def _close_replies(self) -> None:
        """Close the queue of replies, unless it is closed already."""
        queue, self._reply_queue, self._reply_queue_name = self._reply_queue, None, None
        if queue is not None and queue.get_handle():
            try:
                queue.close()
            except self._face.mqi_error:
                pass
