"""QSTAT, TASK and CLASS1: queues by themselves, and by the tasks that used them."""

from typing import Final

from kew.analytics.reports.model import Cell, Chart, Part, Report

QSTAT: Final = Report(
    "QSTAT",
    "Queue statistics",
    [
        Part(
            "QSTAT",
            "Queue",
            "QQST",
            [
                Cell("queue", "Queue Name", "QQSTQNAM", "text"),
                Cell("shared", "Shared", "bit(QQSTFLAG, 0x80000000)", "yes"),
                Cell("partial", "Partial", "bit(QQSTFLAG, 0x40000000)", "yes"),
                Cell("uncommitted", "Uncommitted", "bit(QQSTFLAG, 0x20000000)", "yes"),
                Cell("page_set", "Pageset ID", "QQSTPSID"),
                Cell("pool", "Bufferpool ID", "QQSTBPID"),
                Cell("group", "QSG Name", "QQSTQSGN", "text"),
                Cell("structure", "CF Struct Name", "QQSTCFST", "text"),
                Cell("depth", "Current Depth", "QQSTDPTH"),
                Cell("depth_high", "Depth high", "QQSTDPHI"),
                Cell("depth_low", "Depth low", "QQSTDPLO"),
                Cell("oldest", "Oldest message", "QQSTMAGE", "d", "seconds"),
                Cell("qtime_short", "Time on queue, short term", "QQSTQTST", "d", "uS"),
                Cell("qtime_long", "Time on queue, long term", "QQSTQTLT", "d", "uS"),
                Cell("last_put", "Last put", "QQSTLPUT", "time"),
                Cell("last_get", "Last get", "QQSTLGET", "time"),
                Cell("inputs", "Input handles", "QQSTIPCT"),
                Cell("inputs_high", "Input handles high", "QQSTIPHI"),
                Cell("inputs_low", "Input handles low", "QQSTIPLO"),
                Cell("outputs", "Output handles", "QQSTOPCT"),
                Cell("outputs_high", "Output handles high", "QQSTOPHI"),
                Cell("outputs_low", "Output handles low", "QQSTOPLO"),
                Cell("puts", "Puts", "QQSTPUTS"),
                Cell("puts_persistent", "Puts, persistent", "QQSTPPT"),
                Cell("put1s", "Put1s", "QQSTPUT1"),
                Cell("put1s_persistent", "Put1s, persistent", "QQSTPP1"),
                Cell("bytes_put", "Bytes put", "QQSTPUTB + QQSTPT1B", ".0f"),
                Cell("size_least", "Message size least", "QQSTMSMI", "d", "bytes"),
                Cell("size_average", "Message size average", "QQSTMSAV", "d", "bytes"),
                Cell("size_most", "Message size most", "QQSTMSMA", "d", "bytes"),
                Cell("gets", "Gets", "QQSTGETS"),
                Cell("gets_persistent", "Gets, persistent", "QQSTPDG"),
                Cell("bytes_got", "Bytes got", "QQSTGETB"),
                Cell("browses", "Browses", "QQSTBRWS"),
                Cell("waiting_getter", "Puts to a waiting getter", "QQSTFPTC"),
                Cell(
                    "waiting_share",
                    "Puts to a waiting getter, share",
                    "100 * QQSTFPTC / (QQSTPUTS + QQSTPUT1)",
                    ".1f",
                    "%",
                ),
                Cell("put_failures", "Puts that failed", "QQSTFLPT + QQSTFLP1", ".0f"),
                Cell("get_failures", "Gets that failed", "QQSTFLGT"),
                Cell("no_message", "Gets that found no message", "QQSTNMAG"),
                Cell("truncated", "Gets that were truncated", "QQSTTMFG"),
                Cell("expired", "Expired messages", "QQSTEXPR"),
                Cell("puts_back", "Puts rolled back", "QQSTRBPT"),
                Cell("gets_back", "Gets rolled back", "QQSTRBGT"),
                Cell("streamed", "Messages streamed", "QQSTSTRM"),
                Cell("opens", "Opens", "QQSTOPEN"),
                Cell("closes", "Closes", "QQSTCLOS"),
                Cell(
                    "growth",
                    "Net growth",
                    "QQSTPUTS + QQSTPUT1 + QQSTSTRM - QQSTGETS - QQSTEXPR - QQSTRBPT + QQSTRBGT",
                    ".0f",
                    "messages",
                ),
                Cell("drain", "Time to drain", "QQSTDPTH / (QQSTGETS / dur)", ".1f", "seconds"),
            ],
            lines=True,
        )
    ],
    [Chart("Queue depth", "QSTAT", "depth", "messages", "queue")],
)

# QSTATCSV is QSTAT for spreadsheets: the same rows, written with commas.
QSTATCSV: Final = Report("QSTATCSV", "Queue statistics with commas", QSTAT.parts)

_VERBS: Final = (
    ("open", "Open", "OPENN", "OPENET", "OPENCT"),
    ("close", "Close", "CLOSEN", "CLOSEET", "CLOSECT"),
    ("get", "Get", "GETN", "GETET", "GETCT"),
    ("put", "Put", "PUTN", "PUTET", "PUTCT"),
    ("put1", "Put1", "PUT1N", "PUT1ET", "PUT1CT"),
    ("inq", "Inq", "INQN", "INQET", "INQCT"),
    ("set", "Set", "SETN", "SETET", "SETCT"),
    ("callback", "Callback", "CBN", "CBET", "CBCT"),
)


def _verb(name: str, label: str, count: str, elapsed: str, cpu: str) -> list[Cell]:
    return [
        Cell(f"{name}s", f"{label} count", count),
        Cell(f"{name}_elapsed", f"{label} avg elapsed time", f"{elapsed} / {count}", "us", "uS"),
        Cell(f"{name}_cpu", f"{label} avg CPU time", f"{cpu} / {count}", "us", "uS"),
    ]


def _wait(name: str, label: str, count: str, time: str) -> list[Cell]:
    return [
        Cell(f"{name}_count", f"{label} count", count),
        Cell(f"{name}_time", f"{label} avg time", f"{time} / {count}", "us", "uS"),
    ]


_TASK_VERBS: Final = (
    ("commit", "Commit", "WTASCMN", "WTASCMET", "WTASCMCT"),
    ("backout", "Backout", "WTASBAN", "WTASBAET", "WTASBACT"),
    ("prepare", "Prepare", "WTASPRN", "WTASPRET", "WTASPRCT"),
    ("other", "Other", "WTASOTN", "WTASOTET", "WTASOTCT"),
    ("sub", "Sub", "WTASSUN", "WTASSUET", "WTASSUCT"),
    ("subrq", "Subrq", "WTASSQN", "WTASSQET", "WTASSQCT"),
    ("ctl", "Ctl", "WTASCTN", "WTASCTET", "WTASCTCT"),
    ("stat", "Stat", "WTASSTN", "WTASSTET", "WTASSTCT"),
)

_LATCH_COUNT: Final = " + ".join(f"WTASLWN[{index}]" for index in range(32))
_LATCH_TIME: Final = " + ".join(f"WTASLWET[{index}]" for index in range(32))

TASK: Final = Report(
    "TASK",
    "Tasks and the queues they used",
    [
        Part(
            "TASKID",
            "Task",
            "WTID",
            [
                Cell("kind", "Type", "WTIDATYP", "code"),
                Cell("job", "Jobname", "WTIDCCN", "text"),
                Cell("operator", "Operator", "WTIDOPID", "text"),
                Cell("user", "Userid", "WTIDTRAN", "text"),
                Cell("channel", "Channel", "WTIDCHL", "text"),
                Cell("partner", "Connection", "WTIDCHLC", "text"),
                Cell("correlation", "Correlation id", "WTIDCORI", "hex"),
                Cell("correlator", "Correlator", "CORREL", "hex"),
            ],
            lines=True,
        ),
        Part(
            "TASK",
            "Task",
            "WTAS",
            [
                Cell("correlator", "Correlator", "CORREL", "hex"),
                Cell("started", "Task started", "WTASSTRT", "time"),
                Cell("from", "Interval start", "WTASINTS", "time"),
                Cell("to", "Interval end", "WTASINTE", "time"),
                Cell("ended", "Task ended", "bit(WTASFLAG, 0x20000000)", "yes"),
                Cell("queues", "Queues", "WTASWQCT"),
                *(cell for verb in _TASK_VERBS for cell in _verb(*verb)),
                *_wait("log_write", "Log write", "WTASJWN", "WTASJWET"),
                Cell("log_bytes", "Bytes logged", "WTASJWB", "d", "bytes"),
                *_wait("log_force", "Log force", "WTASJCN", "WTASJCET"),
                *_wait("suspend", "Suspend", "WTASSUSN", "WTASSUSE"),
                Cell("latch_count", "Latch wait count", _LATCH_COUNT, ".0f"),
                Cell("latch_time", "Latch wait time", _LATCH_TIME, "us", "uS"),
                Cell("latch_longest", "Latch longest wait", "WTASMLW", "us", "uS"),
                Cell("latch_class", "Latch class of the longest wait", "WTASMLWN"),
                *_wait("page_set_0", "Page set 0 log", "WTASPSN0", "WTASPSE0"),
                *_wait("db2", "Db2 request", "WTASDBCT", "WTASDBET"),
                Cell("cf_single", "CF single entry calls", "WTASCSEC"),
                Cell("cf_multiple", "CF multiple entry calls", "WTASCMEC"),
                Cell("smds_reads", "SMDS pages read", "WTASSMRP"),
                Cell("smds_writes", "SMDS pages written", "WTASSMWP"),
                Cell("pages_old", "Pages old", "WTASGPO"),
                Cell("pages_new", "Pages new", "WTASGPN"),
                Cell("topic_cpu", "Topic CPU time", "WTASTPCT", "us", "uS"),
            ],
            lines=True,
        ),
        Part(
            "TASKQ",
            "Queue of a task",
            "WQ",
            [
                Cell("correlator", "Correlator", "CORREL", "hex"),
                Cell("open_name", "Open name", "OBJNAME", "text"),
                Cell("base_name", "Base name", "BASENAME", "text"),
                Cell("queue_type", "Queue type:", "QTYPE", "code"),
                Cell("index", "Queue indexed by", "INDXTYPE", "code"),
                Cell("opened", "First opened", "OPENTIME", "time"),
                Cell("closed", "Last closed", "CLOSTIME", "time"),
                Cell("page_set", "Page set ID", "NPS"),
                Cell("pool", "Buffer pool", "NBUFFPOOL"),
                Cell("structure", "CF structure", "CFSTRUCNAME", "text"),
                Cell("handles", "Current opens", "USE_COUNT"),
                Cell("requests", "Total requests", "TOTAL_USE"),
                *(cell for verb in _VERBS for cell in _verb(*verb)),
                Cell("get_browse_any", "Get browse any", "GETBRWA"),
                Cell("get_browse_specific", "Get browse specific", "GETBRWS"),
                Cell("get_any", "Get destructive any", "GETA"),
                Cell("get_specific", "Get destructive specific", "GETS"),
                Cell("get_errors", "Get with no message", "GETERR"),
                Cell("get_valid", "Get valid count", "VALIDGET"),
                Cell("get_skipped", "Messages skipped", "GETSMSG"),
                Cell("get_empty_pages", "Empty pages skipped", "GETEPAGE"),
                Cell("get_expired", "Expired messages", "GETEXMSG"),
                Cell("get_bytes", "Get bytes", "GETBYTES", "d", "bytes"),
                Cell("get_most", "Get size maximum", "GETMAXMS", "d", "bytes"),
                Cell("get_least", "Get size minimum", "GETMINMS", "d", "bytes"),
                Cell("get_average", "Get size average", "GETBYTES / VALIDGET", "us", "bytes"),
                *_wait("get_read", "Get page set read", "GETPSN", "GETPSET"),
                *_wait("get_log", "Get log write", "GETJWN", "GETJWET"),
                *_wait("get_suspend", "Get suspend", "GETSUSN", "GETSUSET"),
                *_wait("put_log", "Put log write", "PUTJWN", "PUTJWET"),
                *_wait("put_suspend", "Put suspend", "PUTSUSN", "PUTSUSET"),
                *_wait("put_page_set", "Put page set access", "PUTPSN", "PUTPSET"),
                Cell("put_waiting", "Put to a waiting getter", "PUTPWG + PUT1PWG", ".0f"),
                Cell("put_valid", "Put + put1 valid count", "VALIDPUT"),
                Cell("put_bytes", "Put bytes", "PUTBYTES", "d", "bytes"),
                Cell("put_most", "Put size maximum", "PUTMAXMS", "d", "bytes"),
                Cell("put_least", "Put size minimum", "PUTMINMS", "d", "bytes"),
                Cell("put_average", "Put size average", "PUTBYTES / VALIDPUT", "us", "bytes"),
                Cell("streamed", "Messages streamed", "STREAMEDN"),
                Cell("published", "Messages published", "PUBLISHEDN"),
                Cell("longest", "Longest time on queue", "MAXLATNT", "us", "uS"),
                Cell("shortest", "Shortest time on queue", "MINLATNT", "us", "uS"),
                Cell("latency", "Average time on queue", "TOTLATNT / VALIDGET", "us", "uS"),
                Cell("depth", "Maximum depth", "MAXQDPTH"),
                Cell(
                    "elapsed",
                    "Total queue elapsed time",
                    " + ".join(f"coalesce({elapsed}, 0)" for _, _, _, elapsed, _ in _VERBS),
                    "us",
                    "uS",
                ),
                Cell(
                    "cpu",
                    "Total queue CPU used",
                    " + ".join(f"coalesce({cpu}, 0)" for _, _, _, _, cpu in _VERBS),
                    "us",
                    "uS",
                ),
            ],
            lines=True,
        ),
    ],
)

CLASS1: Final = Report(
    "CLASS1",
    "Tasks, CPU and calls by message size",
    [
        Part(
            "CLASS1",
            "Class 1 accounting",
            "QMAC",
            [
                Cell("user", "User", "QWHCAID", "text"),
                Cell("job", "Job", "QWHCCN", "text"),
                Cell("operator", "Operator", "QWHCOPID", "text"),
                Cell("kind", "Type", "QWHCATYP", "code"),
                Cell("cpu", "CPU uS", "QMACCPUT", ".0f"),
                *(
                    Cell(f"{verb}s_{band}", f"{verb} {label}", f"QMAC{verb.upper()}{letter}")
                    for verb in ("put", "get")
                    for letter, band, label in (
                        ("A", "99", "<100"),
                        ("B", "999", "<1000"),
                        ("C", "9999", "<10000"),
                        ("D", "more", ">=10000"),
                    )
                ),
            ],
        )
    ],
)
