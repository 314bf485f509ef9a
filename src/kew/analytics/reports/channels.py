"""CHINIT and QCHL: the channel initiator, its tasks and its channels."""

from typing import Final

from kew.analytics.reports.model import Cell, Chart, Part, Report


def _tasks(name: str, title: str, table: str, extra: list[Cell]) -> Part:
    return Part(
        name,
        title,
        table,
        [
            Cell("task", "Task", "section"),
            Cell("requests", "Requests", "QCTREQN"),
            Cell("busy", "Busy %", "min(100, 100 * QCTELTM / 1e6 / dur)", ".1f"),
            Cell("cpu_seconds", "CPU used", "QCTCPTM / 1e6", ".6f"),
            Cell("cpu_share", "CPU %", "min(100, 100 * QCTCPTM / 1e6 / dur)", ".1f"),
            Cell("cpu_average", "avg CPU uS", "QCTCPTM / QCTREQN", ".0f"),
            Cell("elapsed_average", "avg ET uS", "QCTELTM / QCTREQN", ".0f"),
            Cell("cpu", "CPU uS", "QCTCPTM", ".0f"),
            Cell("elapsed", "ET uS", "QCTELTM", ".0f"),
            *extra,
        ],
    )


CHINIT: Final = Report(
    "CHINIT",
    "Channel initiator",
    [
        Part(
            "CHINIT",
            "Channel initiator summary",
            "QCCT",
            [
                Cell("job", "Job name", "QCCTJOBN", "text"),
                Cell("current_peak", "Peak number used of current channels", "QCCTNOCC"),
                Cell("active_peak", "Peak number used of active channels", "QCCTNOAC"),
                Cell("maxchl", "MAXCHL", "QCCTMXCC"),
                Cell("actchl", "ACTCHL", "QCCTMXAC"),
                Cell("tcpchl", "TCPCHL", "QCCTMXTP"),
                Cell("lu62chl", "LU62CHL", "QCCTMXLU"),
                Cell("storage31", "31-bit storage used", "QCCTSTUS", "d", "MB"),
                Cell("storage64", "64-bit storage used", "QCCTSTAB", "d", "MB"),
                Cell("limit64", "64-bit storage limit", "QCCTSLIM", "d", "MB"),
            ],
            lines=True,
        ),
        _tasks("DISP", "Dispatcher tasks", "QCT_DSP", [Cell("channels", "Channels", "QCTCHLN")]),
        _tasks("ADAP", "Adapter tasks", "QCT_ADP", []),
        _tasks(
            "SSL",
            "SSL tasks",
            "QCT_SSL",
            [Cell("longest", "longest uS", "QCTLSDU", ".0f"), Cell("longest_at", "at", "QCTLSTM", "time")],
        ),
        _tasks(
            "DNS",
            "DNS task",
            "QCT_DNS",
            [Cell("longest", "longest uS", "QCTLGDU", ".0f"), Cell("longest_at", "at", "QCTLGTM", "time")],
        ),
    ],
    [
        Chart("Adapter tasks", "ADAP", "busy", "percent busy", "task"),
        Chart("Dispatcher tasks", "DISP", "busy", "percent busy", "task"),
    ],
)

QCHL: Final = Report(
    "QCHL",
    "Channels",
    [
        Part(
            "QCHL",
            "Channel",
            "QCST",
            [
                Cell("channel", "Channel name", "QCSTCHNM", "text"),
                Cell("type", "Channel type", "QCSTCHTY", "code"),
                Cell("disposition", "Disposition", "QCSTCHDP", "code"),
                Cell("connection", "Connection name", "QCSTCNNM", "text"),
                Cell("remote", "Remote queue manager or application", "QCSTRQMN", "text"),
                Cell("status", "Status", "QCSTCHST", "code"),
                Cell("started", "Started", "QCSTSTRT", "time"),
                Cell("stopped", "Stopped", "QCSTLUDT", "time"),
                Cell("last_message", "Last message", "QCSTLMST", "time"),
                Cell("messages", "Messages, or calls of a SVRCONN", "QCSTNMSG"),
                Cell("persistent", "Persistent messages", "QCSTNPMG"),
                Cell("message_bytes", "Message bytes", "QCSTNBYT"),
                Cell("messages_per_second", "Messages per second", "QCSTNMSG / dur", ".1f"),
                Cell("rate", "Data rate", "QCSTNBYT / 1048576 / dur", ".3f", "MB/s"),
                Cell("batches", "Batches", "QCSTBATC"),
                Cell("full_batches", "Full batches", "QCSTFUBA"),
                Cell("full_share", "Full batches, share", "100 * QCSTFUBA / QCSTBATC", ".1f", "%"),
                Cell("batch_size", "Batch size set", "QCSTCBSZ"),
                Cell("achieved", "Batch size achieved", "QCSTNMSG / QCSTBATC", ".1f"),
                Cell("batch_interval", "Batch interval", "QCSTCBIT", "d", "mS"),
                Cell("batch_limit", "Batch data limit", "QCSTCBDL", "d", "KB"),
                Cell("buffers_sent", "Buffers sent", "QCSTBFST"),
                Cell("buffers_received", "Buffers received", "QCSTBFRC"),
                Cell("bytes_sent", "Bytes sent", "QCSTBYST"),
                Cell("bytes_received", "Bytes received", "QCSTBYRC"),
                Cell("exit_average", "Exit time average", "QCSTETAV", "d", "uS"),
                Cell("exit_least", "Exit time least", "QCSTETMN", "d", "uS"),
                Cell("exit_most", "Exit time most", "QCSTETMX", "d", "uS"),
                Cell("exit_at", "Exit time most, at", "QCSTETDT", "time"),
                Cell("net_average", "Network time average", "QCSTNTAV", "d", "uS"),
                Cell("net_least", "Network time least", "QCSTNTMN", "d", "uS"),
                Cell("net_most", "Network time most", "QCSTNTMX", "d", "uS"),
                Cell("net_at", "Network time most, at", "QCSTNTDT", "time"),
                Cell("compression", "Compression", "QCSTCPRA", "d", "%"),
                Cell("put_retries", "Put retries", "QCSTPTRC"),
                Cell("queue_empty", "Transmission queue found empty", "QCSTQETC"),
                Cell("dns", "DNS time", "QCSTDNRT", "d", "uS"),
                Cell("conversations", "Shared conversations", "QCSTCSCV"),
                Cell("cipher", "Cipher code", "QCSTSLCS"),
                Cell("certificate", "Certificate", "QCSTSLCN", "text"),
                Cell("dispatcher", "Dispatcher", "QCSTDSPN"),
                Cell("product", "Remote product", "QCSTRPID", "text"),
                Cell("version", "Remote version", "QCSTRVER", "text"),
            ],
            lines=True,
        )
    ],
    [Chart("Messages over channels", "QCHL", "messages_per_second", "per second", "channel")],
)
