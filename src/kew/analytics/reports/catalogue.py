"""All reports by name."""

from typing import Final

from kew.analytics.reports.channels import CHINIT, QCHL
from kew.analytics.reports.managers import DATA, DB2, LOCK, LOG, MSGM, TOPIC
from kew.analytics.reports.model import Report
from kew.analytics.reports.queues import CLASS1, QSTAT, QSTATCSV, TASK
from kew.analytics.reports.resources import BUFF, CF, PSET, SMDS, STG

REPORTS: Final[dict[str, Report]] = {
    report.name: report
    for report in (
        MSGM,
        DATA,
        LOG,
        BUFF,
        PSET,
        STG,
        LOCK,
        TOPIC,
        CF,
        SMDS,
        DB2,
        CHINIT,
        QCHL,
        QSTAT,
        QSTATCSV,
        TASK,
        CLASS1,
    )
}


def report_named(name: str) -> Report:
    """Give a report by its name, in upper or lower case."""
    report = REPORTS.get(name.upper())
    if report is None:
        raise ValueError(f"there is no report {name}; reports are {', '.join(REPORTS)} and FINDINGS")
    return report
