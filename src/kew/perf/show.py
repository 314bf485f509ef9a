"""The display of a run: a line that moves while a point is measured, and a row when it is done."""

from types import TracebackType
from typing import Final, TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from kew.perf.drive import Progress
from kew.perf.results import Point

_HEAD: Final = (
    f"{'scenario':<30} {'clients':>7} {'rate/s':>10} {'mean ms':>9} {'p99 ms':>9} {'MB/s':>8}"
    f" {'qm us':>7} {'app us':>7} {'syncs/u':>7} {'RSS MB':>7}"
)


class Screen:
    """The output of a run: the progress and the rows on a terminal, the rows only on any other stream."""

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, highlight=False, soft_wrap=True)
        self._live: Live | None = None
        self._head = False

    def __enter__(self) -> "Screen":
        if self._console.is_terminal:
            self._live = Live(Text(""), console=self._console, transient=True, refresh_per_second=8)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.done()

    def watch(self, progress: Progress) -> None:
        """Show the progress of a point."""
        if self._live is None:
            return
        text = f"{progress.name}  {progress.clients} clients  {progress.phase}"
        if progress.phase == "steady":
            text += f"  {progress.seconds:.1f} s  {progress.rate:,.0f}/s"
            if progress.response:
                text += f"  {progress.response * 1000:.2f} ms"
        self._live.update(Text(text, style="bold"))

    def add(self, point: Point) -> None:
        """Show the result of a point."""
        if not self._head:
            self._head = True
            self._console.print(_HEAD)
        self._console.print(row(point))
        for verb in point.verbs:
            self._console.print(
                f"    {verb.verb:<8} {verb.count:>8} calls"
                f"  mean {verb.mean * 1e6:>10,.1f} us  p99 {verb.p99 * 1e6:>10,.1f} us"
            )

    def done(self) -> None:
        """Leave the terminal as it was."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def row(point: Point) -> str:
    """Give the row of a point."""
    remark = ""
    if point.partial:
        remark += "  partial"
    if point.ledger or point.ledger_copies:
        remark += f"  MISSING {point.ledger + point.ledger_copies}"
    if point.failures:
        remark += f"  {point.failures} failures, reason {point.reason}"
    return (
        f"{point.name:<30} {point.clients:>7} {point.rate:>10,.0f} {point.mean * 1e3:>9,.3f} {point.p99 * 1e3:>9,.3f}"
        f" {point.megabytes:>8,.1f} {point.cpu_qmgr:>7,.0f} {point.cpu_clients:>7,.0f}"
        f" {point.log_syncs / max(point.units, 1):>7.2f} {point.rss:>7,.0f}{remark}"
    )
