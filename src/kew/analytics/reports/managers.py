"""MSGM, DATA, LOG, LOCK, TOPIC and DB2: the work of a queue manager's resource managers in each interval."""

from typing import Final

from kew.analytics.reports.model import Cell, Chart, Part, Report

_MB: Final = 1048576
_PAGES_PER_MB: Final = 256

MSGM: Final = Report(
    "MSGM",
    "Message manager: calls",
    [
        Part(
            "MSGM",
            "Message manager",
            "QMST",
            [
                Cell("opens", "Open calls", "QMSTOPEN"),
                Cell("closes", "Close calls", "QMSTCLOS"),
                Cell("gets", "Get calls", "QMSTGET"),
                Cell("puts", "Put calls", "QMSTPUT"),
                Cell("put1s", "Put1 calls", "QMSTPUT1"),
                Cell("inquires", "Inquire calls", "QMSTINQ"),
                Cell("sets", "Set calls", "QMSTSET"),
                Cell("close_all", "Close all handles", "QMSTCALH"),
                Cell("subs", "Sub calls", "QMSTSUB"),
                Cell("subreqs", "SubReq calls", "QMSTSUBR"),
                Cell("callbacks", "CB calls", "QMSTCB"),
                Cell("controls", "CTL calls", "QMSTCTL"),
                Cell("stats", "Stat calls", "QMSTSTUS"),
                Cell("publishes", "Publishes", "QMSTPUBS"),
                Cell("persistent_puts", "Persistent messages put", "QMSTSPP"),
                Cell("nonpersistent_puts", "Non-persistent messages put", "QMSTSNP"),
                Cell("persistent_bytes", "Persistent bytes put", "QMSTPBP"),
                Cell("nonpersistent_bytes", "Non-persistent bytes put", "QMSTNBP"),
                Cell(
                    "calls_per_second",
                    "Calls per second",
                    "(QMSTOPEN + QMSTCLOS + QMSTGET + QMSTPUT + QMSTPUT1 + QMSTINQ + QMSTSET + QMSTSUB + QMSTSUBR"
                    " + QMSTCB + QMSTCTL + QMSTSTUS) / dur",
                    ".1f",
                ),
                Cell("puts_per_second", "Puts per second", "(QMSTPUT + QMSTPUT1) / dur", ".1f"),
                Cell("gets_per_put", "Gets per put", "QMSTGET / (QMSTPUT + QMSTPUT1)", ".2f"),
                Cell("put_rate", "Put rate", f"(QMSTPBP + QMSTNBP) / {_MB} / dur", ".3f", "MB/s"),
                Cell("persistent_share", "Persistent share", "100 * QMSTSPP / (QMSTSPP + QMSTSNP)", ".1f", "%"),
                Cell(
                    "average_size", "Average message size", "(QMSTPBP + QMSTNBP) / (QMSTSPP + QMSTSNP)", ".0f", "bytes"
                ),
                Cell("otel_put", "Trace contexts put", "QMSTOCPA"),
                Cell("otel_get", "Trace contexts got", "QMSTOCGA"),
                Cell("otel_spans", "Spans emitted", "QMSTOSOK"),
                Cell("otel_failed", "Spans that failed", "QMSTOSFR"),
                Cell("otel_dropped", "Spans dropped", "QMSTOSPL + QMSTOSCL + QMSTOSFS"),
                Cell("otel_cpu", "Emission task CPU", "QMSTOTPU", ".0f", "uS"),
            ],
            lines=True,
        )
    ],
    [Chart("Puts and gets", "MSGM", "puts_per_second", "puts per second")],
)

DATA: Final = Report(
    "DATA",
    "Data manager: requests",
    [
        Part(
            "DATA",
            "Data manager",
            "QIST",
            [
                Cell("gets", "Message gets", "QISTMGET"),
                Cell("puts", "Message puts", "QISTMPUT"),
                Cell("browses", "Browse and lock", "QISTMBLR"),
                Cell("creates", "Object creates", "QISTDCRE"),
                Cell("object_puts", "Object puts", "QISTDPUT"),
                Cell("deletes", "Object deletes", "QISTDDEL"),
                Cell("object_gets", "Object gets", "QISTDGET"),
                Cell("locates", "Object locates", "QISTDLOC"),
                Cell("counts", "Message counts", "QISTMCNT"),
                Cell("class_changes", "Storage class changes", "QISTALST"),
                Cell("lock_marked", "Lock marked messages", "QISTLOMM"),
                Cell("delete_marked", "Delete marked messages", "QISTDLMM"),
                Cell("enumerates", "Enumerates", "QISTENUM"),
                Cell("disk", "Gets from disk", "QISTGETD"),
                Cell("pool", "Gets from buffer pool", "QISTGETB"),
                Cell("hit_ratio", "Buffer pool hit ratio", "100 * QISTGETB / (QISTGETB + QISTGETD)", ".2f", "%"),
            ],
            lines=True,
        )
    ],
)

_COPIES: Final = "(1 + (QJSTIO[2].QJSTIOCOUNT + QJSTIO[3].QJSTIOCOUNT > 0))"
_IO1: Final = "(QJSTIO[0].QJSTIOTOTIO + QJSTIO[1].QJSTIOTOTIO)"
_IO2: Final = "(QJSTIO[2].QJSTIOTOTIO + QJSTIO[3].QJSTIOTOTIO)"
_COUNT1: Final = "(QJSTIO[0].QJSTIOCOUNT + QJSTIO[1].QJSTIOCOUNT)"
_READS: Final = "(QJSTRBUF + QJSTRACT + QJSTRARH)"
_SQUARES: Final = f"(QJSTIOSQU[0] * 2 ** 64 + QJSTIOSQU[1]) / {_COUNT1} - ({_IO1} / {_COUNT1}) ** 2"


def _io_cells() -> list[Cell]:
    """Give the cells of each log copy and class of I/O."""
    cells: list[Cell] = []
    for index, (copy, kind, name) in enumerate(
        [(1, "1 page", "one"), (1, "many pages", "many"), (2, "1 page", "one"), (2, "many pages", "many")]
    ):
        entry = f"QJSTIO[{index}]"
        key, label = f"copy{copy}_{name}", f"Copy {copy}, {kind}"
        cells += [
            Cell(f"{key}_count", f"{label}: I/O requests", f"{entry}.QJSTIOCOUNT + 0", ".0f"),
            Cell(f"{key}_pages", f"{label}: pages", f"{entry}.QJSTIOCI + 0", ".0f"),
            Cell(f"{key}_io", f"{label}: average I/O", f"{entry}.QJSTIOTOTIO / {entry}.QJSTIOCOUNT", ".0f", "uS"),
            Cell(f"{key}_wait", f"{label}: average wait", f"{entry}.QJSTIOTOTSUS / {entry}.QJSTIOCOUNT", ".0f", "uS"),
            Cell(f"{key}_longest", f"{label}: longest I/O", f"{entry}.QJSTIOMAXIO + 0", ".0f", "uS"),
        ]
    return cells


LOG: Final = Report(
    "LOG",
    "Log manager",
    [
        Part(
            "LOG",
            "Log manager",
            "QJST",
            [
                Cell("write_requests", "Total write requests", "QJSTWRW + QJSTWRNW + QJSTWRF", ".0f"),
                Cell("forces", "Force requests", "QJSTWRF"),
                Cell("buffer_waits", "Waits for buffers (should be 0)", "QJSTWTB"),
                Cell("page_ins", "Buffer page-ins", "QJSTBPAG"),
                Cell("reads", "Total read requests", _READS, ".0f"),
                Cell("reads_buffer", "Reads from buffers", "QJSTRBUF"),
                Cell("reads_active", "Reads from active log", "QJSTRACT"),
                Cell("reads_archive", "Reads from archive log", "QJSTRARH"),
                Cell("checkpoints", "Checkpoints", "QJSTLLCP"),
                Cell("ios", "Total write I/O requests", "QJSTLOGW"),
                Cell("pages", "Total pages written", "QJSTCIWR"),
                Cell("copies", "Log copies", _COPIES, ".0f"),
                Cell("pages_per_io", "Pages written per I/O", "QJSTCIWR / QJSTLOGW", "short3"),
                Cell("ios_per_second", "I/O per second per copy", f"QJSTLOGW / {_COPIES} / dur", ".1f"),
                Cell(
                    "write_rate",
                    "Log write rate",
                    f"QJSTCIWR / {_COPIES} / {_PAGES_PER_MB} / dur",
                    "short",
                    "MB/s per copy",
                ),
                Cell("io_busy", "Logger I/O busy", f"min(100, 100 * max({_IO1}, {_IO2}) / 1e6 / dur)", ".2f", "%"),
                Cell(
                    "task_busy", "Logger task busy", "min(100, max(0, 100 * (dur - QJSTSLPTU / 1e6) / dur))", ".1f", "%"
                ),
                Cell("io_deviation", "Deviation of I/O time", f"sqrt({_SQUARES})", ".0f", "uS"),
                *_io_cells(),
                Cell("compression", "Compression ratio", "QJSTCMPCOMP / QJSTCMPUNCMP", ".3f"),
                Cell("archive_reads", "Archive read allocations", "QJSTALR"),
                Cell("archive_writes", "Archive write allocations", "QJSTALW"),
                Cell("offloaded", "Pages offloaded", "QJSTCIOF"),
                Cell("tape_delays", "Reads delayed by tape volumes", "QJSTTVC"),
                Cell("unit_delays", "Reads delayed by the unit limit", "QJSTWUR"),
                Cell("hyperwrite", "New logs with zHyperWrite", "QJSTHWE"),
                Cell("encrypted", "New logs encrypted", "QJSTENCR"),
                Cell("hyperlink", "zHyperLink writes attempted", "QJSTHLSCIW + QJSTHLMCIW", ".0f"),
                Cell("hyperlink_back", "zHyperLink writes that fell back", "QJSTHLSCIF + QJSTHLMCIF", ".0f"),
            ],
            lines=True,
        )
    ],
    [
        Chart("Logger busy", "LOG", "task_busy", "percent"),
        Chart("Log write rate", "LOG", "write_rate", "MB/s per copy"),
        Chart("Pages per I/O", "LOG", "pages_per_io", "pages"),
    ],
)

LOCK: Final = Report(
    "LOCK",
    "Lock manager",
    [
        Part(
            "LOCK",
            "Lock manager",
            "QLST",
            [
                Cell("gets", "Lock requests", "QLSTGETL"),
                Cell("held", "Already held", "QLSTHLDL"),
                Cell("releases", "Releases", "QLSTRELL"),
                Cell("per_second", "Requests per second", "QLSTGETL / dur", ".1f"),
            ],
            lines=True,
        )
    ],
)

_PUBLISHES: Final = "(QTSTPTOT[0] + QTSTPTOT[1] + QTSTPTOT[2])"

TOPIC: Final = Report(
    "TOPIC",
    "Topic manager: publish and subscribe",
    [
        Part(
            "TOPIC",
            "Topic manager",
            "QTST",
            [
                Cell("subscriptions", "Subscription requests", "QTSTSTOT"),
                Cell("durable", "Durable requests", "QTSTSDUR"),
                Cell("expired", "Expired subscriptions", "QTSTSEXP"),
                *(
                    Cell(f"{name}_{kind}", f"{label} subscriptions, {kind}", f"{field}[{index}] + 0", ".0f")
                    for name, label, field in (("most", "Most", "QTSTSHIG"), ("fewest", "Fewest", "QTSTSLOW"))
                    for index, kind in enumerate(("api", "admin", "proxy"))
                ),
                *(
                    Cell(f"publishes_{kind}", f"Publish requests, {kind}", f"QTSTPTOT[{index}] + 0", ".0f")
                    for index, kind in enumerate(("api", "admin", "proxy"))
                ),
                Cell("messages", "Messages to subscribers", "QTSTTMSG"),
                Cell("fan_out", "Messages per publish", f"QTSTTMSG / {_PUBLISHES}", ".2f"),
                Cell("widest", "Most subscribers of one publish", "QTSTSPHW"),
                Cell("no_subscriber", "Publishes with no subscriber", "QTSTPNOS"),
                Cell("longest", "Longest publish", "QTSTETHW", ".0f", "uS"),
                Cell("average", "Average publish", f"QTSTETTO / {_PUBLISHES}", ".0f", "uS"),
            ],
            lines=True,
        )
    ],
)

_DB2_KINDS: Final = (
    ("delete", "DELECNT", "DELET", "DELES"),
    ("list", "LISTCNT", "LISTT", "LISTS"),
    ("read", "READCNT", "READT", "READS"),
    ("update", "UPDTCNT", "UPDTT", "UPDTS"),
    ("write", "WRITCNT", "WRITT", "WRITS"),
)

DB2: Final = Report(
    "DB2",
    "Db2 manager of a queue sharing group",
    [
        Part(
            "DB2",
            "Db2 manager",
            "Q5ST",
            [
                Cell("tasks", "Server tasks", "NUMTASK"),
                Cell("active", "Active server tasks", "ACTTASK"),
                Cell("queue_high", "Longest request queue", "DHIGMAX"),
                Cell("abends", "Server task abends", "ABNDCNT"),
                Cell("deadlocks", "Deadlock timeouts", "DEADCNT"),
                Cell("requeued", "Requests requeued", "REQUCNT"),
                *(
                    cell
                    for name, count, thread, server in _DB2_KINDS
                    for cell in (
                        Cell(f"{name}s", f"Requests: {name}", count),
                        Cell(f"{name}_thread", f"Average thread time: {name}", f"{thread}CUW / {count}", ".0f", "uS"),
                        Cell(f"{name}_server", f"Average server time: {name}", f"{server}CUW / {count}", ".0f", "uS"),
                        Cell(
                            f"{name}_queued",
                            f"Average queueing: {name}",
                            f"({thread}CUW - {server}CUW) / {count}",
                            ".0f",
                            "uS",
                        ),
                        Cell(f"{name}_longest", f"Longest thread time: {name}", f"{thread}MXW", ".0f", "uS"),
                    )
                ),
            ],
            lines=True,
        )
    ],
)
