"""The rules behind the findings, as data.

A row rule looks at one row: it fires where `value` compares to `limit` as `compare` says, and `only` holds. With
`severe` there is a second limit, beyond which the finding is an error. A series rule looks at the rows of one object in
order of time, with the function of `series` that it names. Sources: D, IBM's documentation states the rule or its
direction; P, a public guide does; S, experience. A file of the user can give other limits, by rule id.

A share or an average says nothing where hardly anything was counted, so a rule on a share or an average requires a
least volume in `only`. A rule on a count of failures (a full page set, a task that waited) fires at the first. Rules
and analyses must not contradict each other: where an analysis decides what to do about an object, the rule states the
fact and names the analysis; the tests check that on every dump they have.
"""

from typing import Final

from kew.analytics.reports.expressions import Formula
from kew.analytics.smf.tables import MANAGER, RECORD, table_named

ERROR: Final = "E"
SMALLEST_POOL: Final = 1000  # buffers: no pool is called too large that could not be halved and keep these


class RowRule:
    """A rule on single rows of a table."""

    def __init__(
        self,
        name: str,
        severity: str,
        source: str,
        table: str,
        subject: str,
        value: str,
        compare: str,
        limit: float,
        advice: str,
        only: str = "",
        severe: float | None = None,
        unit: str = "",
        components: dict[str, str] | None = None,
    ) -> None:
        self.name = name
        self.severity = severity
        self.source = source
        self.table = table_named(table).name
        self.subject = subject  # the subject, with columns in braces
        self.value = Formula(value)
        self.compare = compare
        self.limit = limit
        self.severe = severe
        self.advice = advice
        self.only = Formula(only) if only else None
        self.unit = unit
        # Parts of the value; the finding names the largest.
        self.components = {label: Formula(text) for label, text in (components or {}).items()}

    @property
    def columns(self) -> set[str]:
        """Give the columns that the rule reads."""
        needed = set(self.value.columns) | set(subject_columns(self.subject))
        if self.only is not None:
            needed |= self.only.columns
        for formula in self.components.values():
            needed |= formula.columns
        return needed


class SeriesRule:
    """A rule on the rows of one object over time."""

    def __init__(
        self,
        name: str,
        severity: str,
        source: str,
        table: str,
        subject: str,
        keys: tuple[str, ...],
        value: str,
        function: str,
        limit: float,
        advice: str,
        only: str = "",
        other: str = "",
        unit: str = "",
    ) -> None:
        self.name = name
        self.severity = severity
        self.source = source
        self.table = table_named(table).name
        self.subject = subject
        self.keys = (*MANAGER, *keys)
        self.value = Formula(value)
        self.function = function
        self.limit = limit
        self.advice = advice
        self.only = Formula(only) if only else None
        # A second value. Such a rule looks at the sums of both by day and subject, not at rows.
        self.other = Formula(other) if other else None
        self.unit = unit

    @property
    def columns(self) -> set[str]:
        """Give the columns that the rule reads."""
        needed = set(self.value.columns) | set(self.keys) | set(subject_columns(self.subject))
        for formula in (self.only, self.other):
            if formula is not None:
                needed |= formula.columns
        return needed


Rule = RowRule | SeriesRule


def subject_columns(subject: str) -> list[str]:
    """Give the columns that a subject names in braces."""
    return [part.split("}")[0] for part in subject.split("{")[1:]]


_POOL: Final = "buffer pool {QPSTPOOL}"
_SET: Final = "page set {QIS1PSNO}"
_STRUCTURE: Final = "structure {QESTSTR}"
_SMDS: Final = "structure {QESDSTR}"
_CHANNEL: Final = "channel {QCSTCHNM}"
_QUEUE: Final = "queue {BASENAME}"
_QSTAT: Final = "queue {QQSTQNAM}"
_GETS: Final = "(QPSTGETP + QPSTGETN)"
_READS: Final = "(QJSTRBUF + QJSTRACT + QJSTRARH)"
_REGION: Final = "QSRSESIZA > 0"  # where there is no 31-bit region, as in Kew's own records, nothing of it runs out
_RATE: Final = "QJSTCIWR / (1 + (QJSTIO[2].QJSTIOCOUNT + QJSTIO[3].QJSTIOCOUNT > 0)) / 256 / dur"
_ONE1: Final = "QJSTIO[0].QJSTIOTOTIO / QJSTIO[0].QJSTIOCOUNT"
_ONE2: Final = "QJSTIO[2].QJSTIOTOTIO / QJSTIO[2].QJSTIOCOUNT"
_LONGEST1: Final = "max(QJSTIO[0].QJSTIOMAXIO, QJSTIO[1].QJSTIOMAXIO)"
_LONGEST2: Final = "max(QJSTIO[2].QJSTIOMAXIO, QJSTIO[3].QJSTIOMAXIO)"
_WRITES: Final = (
    "max(coalesce(QIS1DWPT / QIS1DWPN, 0) * (QIS1DWPN >= 100), coalesce(QIS1IMWT / QIS1IMWN, 0) * (QIS1IMWN >= 100))"
)
_BUSY: Final = "100 * QCTELTM / 1e6 / dur"
_LATCHES: Final = " + ".join(f"WTASLWET[{index}]" for index in range(32))

# fmt: off
RULES: Final[list[Rule]] = [
    # Buffer pools.
    RowRule("BP01", "E", "D", "QPST", _POOL, "QPSTSOS", ">", 0,
            "No buffer was to be had: the pool is far too small, or page set I/O is stuck"),
    RowRule("BP02", "E", "D", "QPST", _POOL, "QPSTDMC", ">", 0,
            "5 percent of the buffers or fewer were free, writes were synchronous: enlarge the pool, move page sets"),
    RowRule("BP03", "I", "D", "QPST", _POOL, "QPSTIMW", ">=", 100,
            "Many pages older than two checkpoints were written: messages stay long, or writing is behind",
            only="QPSTDMC == 0"),
    RowRule("BP04", "W", "D/P", "QPST", _POOL, "QPSTDWT", ">", 0,
            "The pool passed 85 percent in use and writing began: expected for long-lived messages only"),
    RowRule("BP05", "W", "P", "QPST", _POOL, "100 * QPSTCBSL / QPSTNBUF", "<", 15,
            "Less than 15 percent of the buffers were free at the worst moment", only=f"{_GETS} >= 100", unit="%"),
    RowRule("BP06", "W", "S", "QPST", _POOL, "100 * QPSTRIO / QPSTGETP", ">", 5,
            "Messages were read back after the pool had filled: look at the getters first; 'kew smf analyse pools' "
            "says whether more buffers would help",
            only="QPSTGETP >= 1000 and QPSTRIO >= 100 and QPSTCBSL < 0.15 * QPSTNBUF", unit="%"),
    SeriesRule("BP07", "I", "S", "QPST", _POOL, ("QPSTPOOL",), "100 * (QPSTNBUF - QPSTCBSL) / QPSTNBUF",
               "low_for_a_week", 10, "For a week hardly any buffer was used: the pool is larger than it needs to be",
               only=f"QPSTNBUF > {2 * SMALLEST_POOL}", unit="%"),
    RowRule("BP08", "I", "S", "QPST", _POOL, "QPSTSTLA", ">=", 100,
            "Buffers are stolen and the hash chains change: contention",
            only="QPSTSTLA > 0.01 * QPSTGETP"),
    # Log.
    RowRule("LG01", "E", "D", "QJST", "log", "QJSTWTB", ">", 0,
            "Tasks waited for log buffers: raise OUTBUFF, or make log I/O faster"),
    RowRule("LG02", "W", "D", "QJST", "log", f"100 * QJSTTVC / {_READS}", ">", 1,
            "Archive reads contend for tapes: raise MAXRTU", only=f"{_READS} >= 100", unit="%"),
    SeriesRule("LG03", "W", "D", "QJST", "log", (), f"100 * QJSTRARH / {_READS}",
               "above_normal", 5,
               "More reads than usual are from archive logs: shorten units of work, enlarge active logs",
               only=f"{_READS} >= 100", unit="%"),
    RowRule("LG04", "W", "S", "QJST", "log", "QJSTBPAG", ">", 0, "Log buffers were paged out: too little real storage"),
    RowRule("LG05", "W", "S", "QJST", "log", "100 * (dur - QJSTSLPTU / 1e6) / dur", ">", 70,
            "The log writer is near its limit; 'kew smf analyse logger' says whether its I/O has room",
            only="dur >= 10", severe=90, unit="%"),
    RowRule("LG06", "W", "P/S", "QJST", "log", f"max(coalesce({_ONE1}, 0) * (QJSTIO[0].QJSTIOCOUNT >= 100), "
            f"coalesce({_ONE2}, 0) * (QJSTIO[2].QJSTIOCOUNT >= 100))", ">", 1000,
            "Log volumes are slow: well-placed ones answer in less than 500 us", severe=5000, unit="us"),
    SeriesRule("LG07", "I", "P", "QJST", "log", (),
               f"max({_LONGEST1}, {_LONGEST2})",
               "count_a_day", 2000,
               "Intervals of the day with a log I/O longer than 2 ms: a few are normal, many mean a busy device",
               unit="intervals"),
    RowRule("LG08", "W", "P", "QJST", "log", f"100 * abs({_ONE1} - {_ONE2}) / min({_ONE1}, {_ONE2})", ">", 50,
            "One log copy is much slower than the other: it is badly placed",
            only="min(QJSTIO[0].QJSTIOCOUNT, QJSTIO[2].QJSTIOCOUNT) >= 100", unit="%"),
    SeriesRule("LG09", "W", "S", "QJST", "log", (), _RATE, "near_highest", 80,
               "The log data rate is close to the highest that was ever seen here", only=f"{_RATE} >= 10",
               unit="% of the highest"),
    RowRule("LG10", "W", "S", "QJST", "log", "QJSTLLCP / (dur / 60)", ">", 1,
            "More than one checkpoint a minute: logs or LOGLOAD are too small",
            only="dur >= 10 and QJSTLLCP >= 3", unit="a minute"),
    RowRule("LG11", "W", "S", "QJST", "log",
            "100 * (QJSTHLSCIF + QJSTHLMCIF) / (QJSTHLSCIW + QJSTHLMCIW)", ">", 5,
            "zHyperLink writes fall back to ordinary I/O", only="QJSTHLSCIW + QJSTHLMCIW >= 100", unit="%"),
    # Page sets.
    RowRule("PS01", "E", "S", "QIS1", _SET, "QIS1FULL", ">", 0, "The page set was full: puts failed with 2192"),
    RowRule("PS02", "W", "S", "QIS1", _SET, "100 * (QIS1TOPG - QIS1UNPG) / QIS1TOPG", ">", 85,
            "The page set is nearly full", only="QIS1TOPG >= 100", severe=95, unit="%"),
    SeriesRule("PS03", "I", "S", "QIS1", _SET, ("QIS1PSNO",), "QIS1EXPN", "rose", 0,
               "The page set was expanded: plan its size anew", unit="expansions"),
    RowRule("PS04", "W", "S", "QIS1", _SET,
            f"max(coalesce(QIS1GETT / QIS1GETN, 0) * (QIS1GETN >= 100), {_WRITES})", ">", 10000,
            "Reading or writing a page set takes more than 10 ms", unit="us"),
    # Storage.
    RowRule("ST01", "E", "S", "QSST", "storage", "QSSTCRIT + QSSTABND", ">", 0,
            "The queue manager was short on storage, or ended tasks because of it"),
    RowRule("ST02", "W", "S", "QSST", "storage", "QSSTRCNZ", ">", 0, "Requests for storage failed"),
    RowRule("ST03", "W", "S", "QSRS", "31-bit storage", "QSRSAVAL / 1048576", "<", 200,
            "31-bit storage is running out", only=_REGION, unit="MB"),
    SeriesRule("ST03", "W", "S", "QSRS", "31-bit storage", (), "QSRSAVAL / 1048576", "falling_for_a_day", 1,
               "31-bit storage has been falling for 24 hours", only=_REGION, unit="MB"),
    RowRule("ST04", "W", "S", "QSRS", "64-bit storage", "100 * QSRSAVAL64 / (QSRSMEMLIM * 1048576)", "<", 10,
            "64-bit storage is running out", only="QSRSMEMLIM > 0", unit="%"),
    # Coupling facility, shared message data sets, Db2.
    RowRule("CF01", "E", "S", "QEST", _STRUCTURE, "QESTSFUL", ">", 0, "The structure was full"),
    RowRule("CF02", "W", "S", "QEST", _STRUCTURE, "100 * (QESTRSEC + QESTRMEC) / (QESTCSEC + QESTCMEC)", ">", 1,
            "Calls had to be driven again: contention, or a structure change", only="QESTCSEC + QESTCMEC >= 100",
            unit="%"),
    RowRule("CF03", "W", "S", "QEST", _STRUCTURE, "QESTSSTC / QESTCSEC", ">", 50,
            "The coupling facility or its link is slow", only="QESTCSEC >= 100", unit="us"),
    RowRule("SD01", "E", "S", "QESD", _SMDS, "QESDSMFL", ">", 0, "The shared message data set was full"),
    RowRule("SD02", "W", "S", "QESD", _SMDS, "QESDBFWP + (QESDBFMF == 0)", ">", 0,
            "Buffers for shared messages ran short: raise DSBUFS", only="QESDBFTO > 0"),
    RowRule("DB01", "W", "S", "Q5ST", "Db2", "ABNDCNT + DEADCNT", ">", 0, "Db2 server tasks ended or met deadlocks"),
    RowRule("DB02", "W", "S", "Q5ST", "Db2", "DHIGMAX - NUMTASK", ">", 0, "Requests queue for Db2 server tasks"),
    # Channel initiator and channels.
    SeriesRule("CH01", "W", "D", "QCT_ADP", "adapter tasks", RECORD, _BUSY, "least_of_all", 1,
               "Every adapter task is in use: add some with CHIADAPS", only="dur >= 10", unit="%"),
    SeriesRule("CH02", "E", "D/S", "QCT_ADP", "adapter tasks", RECORD, _BUSY, "least_of_all", 70,
               "Every adapter task is busy most of the time: they are the bottleneck", only="dur >= 10", unit="%"),
    RowRule("CH03", "W", "D/S", "QCT_DSP", "dispatcher {section}", "QCTELTM / QCTCPTM", ">", 5,
            "The dispatcher takes much longer than its CPU time: the channel initiator waits for processors",
            only="QCTREQN >= 100", unit="times"),
    RowRule("CH04", "W", "D", "QCT_DNS", "DNS task", _BUSY, ">", 25, "Name lookups are slow",
            only="dur >= 10 and QCTREQN >= 10", unit="%"),
    SeriesRule("CH05", "W", "S", "QCT_SSL", "SSL tasks", RECORD, _BUSY, "least_of_all", 70,
               "Every SSL task is busy: raise SSLTASKS", only="dur >= 10", unit="%"),
    RowRule("CH06", "W", "D/S", "QCCT", "channels",
            "100 * max(QCCTNOAC / min(QCCTMXAC, QCCTMXTP), QCCTNOCC / QCCTMXCC)", ">", 90,
            "The number of channels is close to its limit", only="max(QCCTNOAC, QCCTNOCC) >= 10", unit="%"),
    SeriesRule("CH07", "W", "D", "QCCT", "channel initiator storage", (), "QCCTSTUS", "rising_for_days", 3,
               "The storage of the channel initiator has been rising for days: a leak, or a limit to come", unit="MB"),
    RowRule("CL01", "W", "D/S", "QCST", _CHANNEL, "100 * QCSTNMSG / QCSTBATC / QCSTCBSZ", ">=", 90,
            "Batches are as large as they may be: raise the batch size, or add channels",
            only="QCSTCBSZ > 1 and QCSTCHTY != 7 and QCSTBATC >= 10", unit="%"),
    RowRule("CL02", "I", "P", "QCST", _CHANNEL, "100 * QCSTFUBA / QCSTBATC", "<", 1,
            "A busy channel ends its batches early: a batch interval could make them larger",
            only="QCSTNMSG / dur > 10 and QCSTBATC >= 100 and QCSTQETC > QCSTBATC / 2 and QCSTCHTY != 7 "
            "and QCSTNMSG / QCSTBATC < QCSTCBSZ / 2", unit="%"),
    RowRule("CL03", "W", "S", "QCST", _CHANNEL, "QCSTPTRC", ">", 0,
            "Puts were tried again: a remote queue is full or inhibited"),
    SeriesRule("CL04", "W", "S", "QCST", _CHANNEL, ("QCSTCHNM", "QCSTCNNM"), "QCSTNTAV", "times_weekly_median", 2,
               "The network answers at least twice as slowly as in the week before",
               only="QCSTNTAV > 0 and QCSTNMSG >= 10", unit="us"),
    RowRule("CL05", "W", "S", "QCST", _CHANNEL, "QCSTETMX", ">", 100000,
            "A channel exit took more than 100 ms", unit="us"),
    RowRule("CL06", "I", "S", "QCST", "channel {QCSTCHNM}, {QCSTRQMN} at {QCSTCNNM}", "QCSTRVER", "<", 9000000,
            "The partner runs an old version", unit="VVRRMMFF"),
    # Tasks and their queues.
    RowRule("TQ01", "W", "D/S", "WQ", _QUEUE, "GETSMSG / (GETS + GETBRWS)", ">", 10,
            "Many messages are skipped to find one: index the queue by message or correlation id",
            only="INDXTYPE == 0 and GETSMSG >= 100", unit="messages"),
    RowRule("TQ02", "W", "S", "WQ", _QUEUE, "GETSMSG / (GETS + GETBRWS)", ">", 10,
            "Messages are skipped though the queue is indexed: the index is of another type, or both ids are matched",
            only="INDXTYPE != 0 and GETSMSG >= 100", unit="messages"),
    RowRule("TQ03", "W", "S", "WQ", _QUEUE, "GETEPAGE / GETN", ">", 5,
            "Gets read over empty pages: a deep queue, or space not yet reclaimed", only="GETN >= 100", unit="pages"),
    RowRule("TQ04", "W", "P/S", "WQ", _QUEUE, "GETN / max(VALIDGET, 1)", ">", 10,
            "Ten gets or more for a message: polling, a short wait, or too many getters", only="GETN >= 100"),
    RowRule("TQ05", "W", "S", "WQ", _QUEUE, "GETPSN", ">=", 100, "Messages were read from the page set",
            only="GETPSN > 0.01 * GETN"),
    RowRule("TQ06", "I", "S", "WQ", _QUEUE, "GETEXMSG", ">=", 100, "Gets met expired messages: check EXPRYINT"),
    RowRule("TQ07", "W", "S", "WQ", _QUEUE,
            "max(coalesce(GETET / GETCT, 0) * (GETN >= 100), coalesce(PUTET / PUTCT, 0) * (PUTN >= 100))", ">", 10,
            "Gets or puts take ten times their CPU time or more: they wait", unit="times",
            components={
                "log": "GETJWET + PUTJWET + coalesce(GETJCET, 0) + coalesce(PUTJCET, 0)",
                "page set": "GETPSET + PUTPSET",
                "suspend": "GETSUSET + PUTSUSET",
            }),
    RowRule("TQ08", "W", "S", "WTAS", "task", f"100 * ({_LATCHES}) / (WTASINTE - WTASINTS)", ">", 5,
            "Latch waits are a large share of the task's time", unit="%",
            # Some releases write times longer than the interval itself, which cannot be meant.
            only=f"{_LATCHES} <= WTASINTE - WTASINTS and {_LATCHES} >= 100000",
            components={f"latch class {index + 1}": f"WTASLWET[{index}]" for index in range(32)}),
    RowRule("TQ09", "I", "S", "WTAS", "task", "WTASJCN", ">=", 100,
            "The log is forced many times without a commit: persistent messages outside of units of work",
            only="WTASCMN == 0", unit="forces"),
    RowRule("TQ10", "W", "P", "WQ", _QUEUE, "MAXLATNT / 1e6", ">", 60,
            "A message was on the queue for longer than it should: the getter does not keep up", unit="s"),
    RowRule("TQ11", "W", "S", "WQ", _QUEUE, "100 * GETERR / GETN", ">", 50, "Most gets find no message",
            only="GETN >= 100", unit="%"),
    RowRule("TQ12", "I", "S", "WQ", _QUEUE, "OPENN / (VALIDPUT + VALIDGET)", ">", 0.5,
            "The queue is opened for every message or two: use put1, or keep the handle",
            only="VALIDPUT + VALIDGET >= 100", unit="opens"),
    SeriesRule("TQ13", "I", "P/S", "WQ", _QUEUE, (), "OPENN", "dynamic_queues_a_day", 1000,
               "Very many temporary dynamic queues in a day", other="CLOSEN", unit="queues"),
    # Queues.
    SeriesRule("QS01", "W", "S", "QQST", _QSTAT, ("QQSTQNAM",), "QQSTDPTH", "growing", 5,
               "The depth has grown in five intervals running: a backlog", unit="messages"),
    RowRule("QS02", "W", "S", "QQST", _QSTAT, "QQSTDPTH", ">", 0,
            "Messages wait and nobody has the queue open for input",
            only="QQSTIPCT == 0 and (QQSTDPTH >= 100 or QQSTMAGE > 300)", unit="messages"),
    RowRule("QS03", "W", "S", "QQST", _QSTAT, "QQSTMAGE", ">", 3600,
            "The oldest message has been waiting for over an hour",
            unit="s"),
    RowRule("QS04", "W", "S", "QQST", _QSTAT, "QQSTFLPT + QQSTFLP1", ">", 0, "Puts failed"),
    SeriesRule("QS05", "W", "S", "QQST", _QSTAT, ("QQSTQNAM",), "QQSTRBGT", "repeating", 2,
               "Gets are rolled back again and again: a message that cannot be processed", only="QQSTDPTH >= 1"),
    RowRule("QS06", "I", "S", "QQST", _QSTAT, "QQSTEXPR", ">", 0, "Messages expired"),
    RowRule("QS07", "W", "D", "QQST", _QSTAT, "bit(QQSTFLAG, 0x40000000)", ">", 0,
            "The record is partial: its figures are not reliable"),
    RowRule("QS08", "W", "S", "QQST", _QSTAT, "QQSTNMAG / max(QQSTGETS, 1)", ">", 10,
            "Most gets find no message: polling", only="QQSTNMAG >= 100"),
    # The data itself.
    SeriesRule("DQ01", "W", "S", "records", "records {smf_type}-{subtype}", ("smf_type", "subtype"), "kind_sequence",
               "gaps", 0,
               "Records are missing: do not compute rates across the gap", only="resource_manager != 231",
               unit="records lost"),
    SeriesRule("DQ01", "W", "S", "QMST", "interval", (), "dur", "odd_interval", 5,
               "The interval is not of the usual length, or one is missing before it", unit="% off"),
    SeriesRule("DQ02", "I", "P", "WQ", _QUEUE, ("BASENAME",), "VALIDPUT", "unbalanced", 10,
               "Puts and gets do not balance: got on another queue manager, by the IMS bridge, or kept",
               other="VALIDGET", unit="% of the larger"),
]
# fmt: on
