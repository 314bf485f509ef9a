"""`kew capacity`: the calculators, each with its formula."""

import math
from collections.abc import Callable
from typing import Any

import click

from kew.cli.group import Commands
from kew.cli.ldt import Size
from kew.perf import capacity as calculate

_LARGEST = 1e15


class Amount(click.FloatRange):
    """The parameter type of a finite number within bounds."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert the text to a number, or refuse it."""
        number = super().convert(value, param, ctx)
        assert isinstance(number, float)
        if not math.isfinite(number) or abs(number) > _LARGEST:
            self.fail(f"'{value}' is not a number to calculate with", param, ctx)
        return number


_POSITIVE = Amount(0, min_open=True)
_COUNT = click.IntRange(1)


@click.group(cls=Commands)
def capacity() -> None:
    """Plan clients, queue depth, disk, memory and log bandwidth.

    Every answer shows its formula and the numbers that went into it.

    Example: kew capacity expiry --rate 2000 --capexpry 3000 --interval 300 --size 2k --queues 5
    """


def _say(question: Callable[[], list[calculate.Answer]]) -> None:
    try:
        answers = question()
    except calculate.CapacityError as problem:
        raise click.UsageError(str(problem)) from problem
    for answer in answers:
        click.echo("\n".join(answer.lines()))


@capacity.command()
@click.option("--storage", type=_POSITIVE, required=True, metavar="MB", help="Storage of the channel initiator, in MB.")
@click.option("--used", type=Amount(0), default=0.0, metavar="MB", help="Storage in use without clients, in MB.")
@click.option(
    "--percent", type=Amount(1, 100), default=80.0, show_default=True, help="Maximum storage use, in percent."
)
@click.option(
    "--sharecnv", type=click.Choice(["0", "1", "10"]), default="1", show_default=True, help="SHARECNV of the channel."
)
@click.option("--size", type=Size(), default="32k", show_default=True, help="Size of the messages.")
@click.option("--channel-kb", type=_POSITIVE, metavar="KB", help="Measured storage of one channel, in KB.")
def clients(storage: float, used: float, percent: float, sharecnv: str, size: int, channel_kb: float | None) -> None:
    """Calculate how many clients the channel initiator's storage has room for.

    Example: kew capacity clients --storage 1466 --used 120 --size 32k
    """

    def question() -> list[calculate.Answer]:
        each = channel_kb if channel_kb is not None else calculate.footprint(int(sharecnv), size / calculate.KB)
        return [calculate.clients(storage, used, each, percent, max(1, int(sharecnv)))]

    _say(question)


@capacity.command()
@click.option("--rate", type=_POSITIVE, required=True, help="Messages a second to each queue.")
@click.option("--capexpry", type=click.IntRange(1, 999999999), required=True, help="CAPEXPRY: tenths of a second.")
@click.option("--interval", type=click.IntRange(1), default=300, show_default=True, help="ExpiryInterval in seconds.")
@click.option("--size", type=Size(), default="2k", show_default=True, help="Size of the messages.")
@click.option("--queues", type=_COUNT, default=1, show_default=True, help="Number of such queues.")
def expiry(rate: float, capexpry: int, interval: int, size: int, queues: int) -> None:
    """Calculate the depth of queues with expiring messages, and the disk and page set that they need.

    Example: kew capacity expiry --rate 2000 --capexpry 3000 --queues 5
    """

    def question() -> list[calculate.Answer]:
        depth = calculate.expiry_depth(rate, capexpry, interval)
        disk = calculate.expiry_disk(rate, capexpry, interval, size, queues)
        return [depth, disk, calculate.page_set(math.ceil(depth.value) * queues, size)]

    _say(question)


@capacity.command()
@click.option("--messages", type=_COUNT, required=True, help="Messages on the queue.")
def index(messages: int) -> None:
    """Calculate the memory that the index of a queue takes.

    Example: kew capacity index --messages 10000000
    """
    _say(lambda: [calculate.index_memory(messages)])


@capacity.command()
@click.option("--rate", type=_POSITIVE, required=True, help="Persistent messages a second, each put and got.")
@click.option("--size", type=Size(), required=True, help="Size of the messages.")
@click.option(
    "--copies", type=click.IntRange(1, 2), default=1, show_default=True, help="Copies of the log: 2 with dual logging."
)
def log(rate: float, size: int, copies: int) -> None:
    """Calculate the load on the log's devices; `kew ldt` measures whether they can take it.

    Example: kew capacity log --rate 5000 --size 2k --copies 2
    """
    _say(lambda: [calculate.log_bandwidth(rate, size, copies)])


@capacity.command()
@click.option("--messages", type=_COUNT, required=True, help="Messages on the queues of the page set.")
@click.option("--size", type=Size(), required=True, help="Size of the messages.")
def pageset(messages: int, size: int) -> None:
    """Calculate the size of a page set.

    Example: kew capacity pageset --messages 1000000 --size 2k
    """
    _say(lambda: [calculate.page_set(messages, size)])
