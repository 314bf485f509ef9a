"""`kew ldt`: the log disk test, with the options and output lines of MQLDT."""

import csv
import os
import re
from typing import TYPE_CHECKING

import click

from kew.cli.parameters import Seconds
from kew.perf.logdisk import BlockResult, LogDiskSettings, run
from kew.storage.disk import RealDisk

if TYPE_CHECKING:
    _Number = click.ParamType[int]
    _Numbers = click.ParamType[tuple[int, ...]]
else:
    _Number = _Numbers = click.ParamType  # generic in newer releases of click only

_SIZE = re.compile(r"([0-9]{1,12})([kKmM]?)")
_FACTORS = {"": 1, "k": 1024, "m": 1 << 20}


class Size(_Number):
    """The parameter type of a number of bytes, with k or m for 1,024 or 1,048,576 bytes."""

    name = "bytes"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Convert the text to a number, or refuse it."""
        if isinstance(value, int):
            return value
        found = _SIZE.fullmatch(str(value).strip())
        if not found:
            self.fail(f"'{value}' is not a valid number of bytes, such as 4096, 4k or 16m", param, ctx)
        return int(found[1]) * _FACTORS[found[2].lower()]


class Sizes(_Numbers):
    """The parameter type of several numbers of bytes, separated by commas."""

    name = "bytes,..."

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Convert the text to numbers, or refuse it."""
        if isinstance(value, tuple):
            return value
        return tuple([Size().convert(each, param, ctx) for each in str(value).split(",")])


@click.command()
@click.option(
    "--dir", "directory", required=True, type=click.Path(exists=True, file_okay=False, writable=True), metavar="DIR",
    help="The directory to write in, on the file system for the log.",
)  # fmt: skip
@click.option("--file-prefix", "--filePrefix", default="mqtestfile", show_default=True, help="Names of the files.")
@click.option("--bsize", type=Sizes(), default="4k,16k,64k,128k", show_default=True, help="Sizes of a write.")
@click.option(
    "--file-size",
    "--fileSize",
    type=Size(),
    default="16m",
    show_default=True,
    help="Size of a file: LogFilePages x 4k.",
)
@click.option(
    "--num-files", "--numFiles", type=click.IntRange(1, 310), default=3, show_default=True, help="Number of files."
)
@click.option("--duration", type=Seconds(0.1, 86400), default=10.0, show_default=True, help="Seconds for each size.")
@click.option(
    "--csv-file", "--csvFile", type=click.Path(dir_okay=False), help="Also write the results as CSV to this file."
)
def ldt(
    directory: str,
    file_prefix: str,
    bsize: tuple[int, ...],
    file_size: int,
    num_files: int,
    duration: float,
    csv_file: str | None,
) -> None:
    """Test a disk with the writes of a queue manager's log: write, sync, measure the time.

    Each write is followed by the sync that a commit waits for. Do not run it beside a queue manager that is in use: it
    takes the disk for itself.

    Example: kew ldt --dir /var/mqm --bsize 4k,64k --duration 20
    """
    if not file_prefix or "/" in file_prefix:
        raise click.UsageError("--file-prefix is the beginning of a file's name")
    settings = LogDiskSettings(directory, file_prefix, bsize, file_size, num_files, duration)
    _options(settings)
    click.echo("Creating files...")
    results = []
    try:
        for result in run(settings, RealDisk(), progress=_progress if os.isatty(1) else None):
            _show(result)
            results.append(result)
    except ValueError as problem:
        raise click.ClickException(str(problem)) from problem
    if csv_file:
        _write_csv(csv_file, results)
    if len(results) > 1:
        _summary(results)


def _progress(size: int, seconds: float) -> None:
    click.echo(f"\rwrite blocksize {size:,}: {seconds:.0f} s\r", nl=False, err=True)


def _options(settings: LogDiskSettings) -> None:
    click.echo("Options (specified or defaulted to)")
    click.echo("=" * 85)
    for what, option, value in (
        ("Write blocksize", "--bsize", ",".join(map(str, settings.block_sizes))),
        ("Directory to write to", "--dir", settings.directory),
        ("Test file prefix", "--file-prefix", settings.prefix),
        ("Number of files to write to", "--num-files", settings.files),
        ("Size of test files", "--file-size", settings.file_size),
        ("Test duration", "--duration", f"{settings.seconds:g}"),
    ):
        click.echo(f"{what:<28}({option})".ljust(51) + f": {value}")
    click.echo()


def _show(result: BlockResult) -> None:
    histogram, size = result.histogram, result.block_size
    click.echo(
        f"Executing test for write blocksize {size} ({size / 1024:g}k). Seconds elapsed -> {result.seconds:.1f}\n"
    )
    average = result.total_nanoseconds // result.writes
    for text, value in (
        ("Total writes to files", f"{result.writes:,}"),
        ("IOPS", f"{result.writes / result.seconds:,.0f}"),
        ("Total bytes written to files", f"{result.bytes_written:,}"),
        ("Max bytes/sec written to files (over 1 sec interval)", f"{result.fastest_second:,}"),
        ("Min bytes/sec written to files (over 1 sec interval)", f"{result.slowest_second:,}"),
        ("Avg bytes/sec written to files", f"{result.bytes_written / result.seconds:,.0f}"),
    ):
        click.echo(f"{text:<53}: {value:>15}")
    click.echo()
    for text, value in (
        ("Max latency of write (ns)", f"{result.longest:>15,} (#{result.longest_number:,})"),
        ("Min bytes/sec (slowest write)", f"{size * 1_000_000_000 // max(result.longest, 1):>15,}"),
        ("Min latency of write (ns)", f"{result.shortest:>15,} (#{result.shortest_number:,})"),
        ("Max bytes/sec (fastest write)", f"{size * 1_000_000_000 // max(result.shortest, 1):>15,}"),
        ("Avg latency of write (ns)", f"{average:>15,}"),
        *[
            (f"{percent:g}% of writes within (ns)", f"{histogram.percentile(percent) * 1e9:>15,.0f}")
            for percent in (50, 90, 99, 99.9)
        ],
    ):
        click.echo(f"{text:<31}: {value}")
    click.echo()


def _summary(results: list[BlockResult]) -> None:
    click.echo(
        f"{'blocksize':>10} {'writes/s':>10} {'MB/s':>9} {'mean us':>9} {'p50 us':>9} {'p99 us':>9} {'max us':>9}"
    )
    for result in results:
        histogram = result.histogram
        click.echo(
            f"{result.block_size:>10,} {result.writes / result.seconds:>10,.0f}"
            f" {result.bytes_written / result.seconds / 1e6:>9,.1f}"
            f" {result.total_nanoseconds / result.writes / 1e3:>9,.0f} {histogram.percentile(50) * 1e6:>9,.0f}"
            f" {histogram.percentile(99) * 1e6:>9,.0f} {result.longest / 1e3:>9,.0f}"
        )


def _write_csv(path: str, results: list[BlockResult]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["blocksize", "writes", "seconds", "bytes_per_second", "min_ns", "avg_ns", "p50_ns", "p99_ns", "max_ns"]
        )
        for each in results:
            writer.writerow(
                [
                    each.block_size,
                    each.writes,
                    f"{each.seconds:.3f}",
                    f"{each.bytes_written / each.seconds:.0f}",
                    each.shortest,
                    each.total_nanoseconds // each.writes,
                    f"{each.histogram.percentile(50) * 1e9:.0f}",
                    f"{each.histogram.percentile(99) * 1e9:.0f}",
                    each.longest,
                ]
            )
