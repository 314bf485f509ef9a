"""The parameters of SET SYSTEM, SET LOG and SET ARCHIVE, at start and while the queue manager runs."""

import getpass
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from kew.accounting.traces import ACCOUNTING, STATISTICS, Trace
from kew.codes.attributes import MQSYSP_NO, MQSYSP_YES
from kew.commands.actions.context import Context, Parameters
from kew.objects.schema import object_type
from kew.objects.schema.values import Value
from kew.storage.recovery.checkpoint import MOST_RECORDS

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


class SystemParameters:
    """Applies the parameters to the parts of a queue manager."""

    def __init__(self, context: Context, settings: SystemSettings, clock: Callable[[], float]) -> None:
        self.context = context
        self.clock = clock
        self.exclude: Callable[[Iterable[str]], None] | None = None  # excludes messages from the error log
        self.on_times: Callable[[], None] | None = None  # called when STATIME or ACCTIME may have changed
        context.parameters = {
            "SYSTEM": Parameters(object_type("SYSTEM"), self._system(settings), self._heed_system),
            "LOG": Parameters(object_type("LOG"), {"WRTHRSH": context.engine.log.write_threshold}, self._heed_log),
            "ARCHIVE": Parameters(
                object_type("ARCHIVE"),
                {"ARCPFX1": context.paths.archive[-255:]},
                self._heed_archive,
            ),
        }
        context.checkpointer.most_records = settings.log_load
        for kind, classes in ((STATISTICS, settings.statistics), (ACCOUNTING, settings.accounting)):
            if classes:
                context.traces.start(Trace(kind, classes, comment="qm.ini"))

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
            "SPLCAP": MQSYSP_NO,
            "TRACSTR": MQSYSP_NO,
        }

    def _heed_system(self, values: Mapping[str, Value]) -> None:
        self.context.times.change(_number(values, "STATIME"), _number(values, "ACCTIME"), self.clock())
        if self.on_times is not None:
            self.on_times()
        self.context.checkpointer.most_records = _number(values, "LOGLOAD")
        messages = values["EXCLMSG"]
        if self.exclude is not None and isinstance(messages, tuple):
            self.exclude([str(one) for one in messages])

    def _heed_log(self, values: Mapping[str, Value]) -> None:
        self.context.engine.log.set_write_threshold(_number(values, "WRTHRSH"))

    def _heed_archive(self, _values: Mapping[str, Value]) -> None:
        """Do nothing: none of these changes takes effect while the queue manager runs."""
