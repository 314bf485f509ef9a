"""The parameters of SET SYSTEM, SET LOG and SET ARCHIVE, at the start and as changed by commands."""

import getpass
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from kew.accounting.intervals import CollectionTimes
from kew.accounting.traces import ACCOUNTING, STATISTICS, Trace, Traces
from kew.codes.attributes import MQSYSP_NO, MQSYSP_YES
from kew.commands.actions.context import Parameters
from kew.objects.schema import object_type
from kew.objects.schema.values import Value
from kew.storage.log import Log
from kew.storage.recovery.checkpoint import MOST_RECORDS, Checkpointer

UTF_8: Final = 1208


@dataclass(frozen=True)
class SystemSettings:
    """The system parameters at the start of a queue manager."""

    statistics_time: int = 1800
    accounting_time: int = -1
    statistics: tuple[int, ...] = ()  # classes of the trace that starts with the queue manager
    accounting: tuple[int, ...] = ()
    log_load: int = MOST_RECORDS


def _number(values: Mapping[str, Value], keyword: str) -> int:
    value = values[keyword]
    assert isinstance(value, int)
    return value


def initial_traces(settings: SystemSettings) -> Traces:
    """Give the traces that start with a queue manager."""
    traces = Traces()
    for kind, classes in ((STATISTICS, settings.statistics), (ACCOUNTING, settings.accounting)):
        if classes:
            traces.start(Trace(kind, classes, comment="qm.ini"))
    return traces


class SystemParameters:
    """Applies the parameters to the parts of a queue manager."""

    def __init__(
        self,
        log: Log,
        archive: str,
        checkpointer: Checkpointer,
        times: CollectionTimes,
        settings: SystemSettings,
        clock: Callable[[], float],
        on_times: Callable[[], None],
        exclude: Callable[[Iterable[str]], None] | None = None,
    ) -> None:
        self._log = log
        self._checkpointer = checkpointer
        self._times = times
        self._clock = clock
        self._on_times = on_times  # called when STATIME or ACCTIME may have changed
        self._exclude = exclude  # excludes messages from the error log
        self.kinds = {
            "SYSTEM": Parameters(object_type("SYSTEM"), self._system(settings), self._heed_system),
            "LOG": Parameters(object_type("LOG"), {"WRTHRSH": log.write_threshold}, self._heed_log),
            "ARCHIVE": Parameters(object_type("ARCHIVE"), {"ARCPFX1": archive[-255:]}, self._heed_archive),
        }

    def _system(self, settings: SystemSettings) -> dict[str, Value]:
        return {
            "ACCTIME": settings.accounting_time,
            "EXCLMSG": (),
            "LOGLOAD": settings.log_load,
            "STATIME": settings.statistics_time,
            "CMDUSER": getpass.getuser()[:12],
            "QMCCSID": UTF_8,
            "QSGDATA": "",
            "SMFACCT": MQSYSP_YES if settings.accounting else MQSYSP_NO,
            "SMFSTAT": MQSYSP_YES if settings.statistics else MQSYSP_NO,
            "SPLCAP": MQSYSP_YES,
            "TRACSTR": MQSYSP_NO,
        }

    def _heed_system(self, values: Mapping[str, Value]) -> None:
        self._times.change(_number(values, "STATIME"), _number(values, "ACCTIME"), self._clock())
        self._on_times()
        self._checkpointer.limit_records(_number(values, "LOGLOAD"))
        messages = values["EXCLMSG"]
        if self._exclude is not None and isinstance(messages, tuple):
            self._exclude([str(one) for one in messages])

    def _heed_log(self, values: Mapping[str, Value]) -> None:
        self._log.set_write_threshold(_number(values, "WRTHRSH"))

    def _heed_archive(self, _values: Mapping[str, Value]) -> None:
        """Do nothing: none of these changes takes effect while the queue manager runs."""
