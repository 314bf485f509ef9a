"""The engine of analyses, this process or Spark, and one-line messages for its failures."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STANDARD_INPUT: Final = "-"


def _taken_in(context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Give the paths of the command; `-` is replaced by the path of a file with a copy of standard input."""
    if STANDARD_INPUT not in names or context.resilient_parsing:
        return names
    folder = context.with_resource(tempfile.TemporaryDirectory(prefix="kew-smf-"))
    path = os.path.join(folder, "standard-input")
    with open(path, "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
    return tuple(path if name == STANDARD_INPUT else name for name in dict.fromkeys(names))


PATHS = click.argument("paths", nargs=-1, required=True, callback=_taken_in)
ENGINE = click.option(
    "--engine",
    type=click.Choice(["auto", "process", "spark"]),
    default="auto",
    help="The engine: local, or Spark. The default is Spark with --master, or for a store of 1 GB.",
)
MASTER = click.option(
    "--master",
    "--remote",
    "master",
    help="The Spark master: local[*], spark://HOST:PORT, or sc://HOST for Connect.",
)


MASTERS: Final = ("local", "spark://", "yarn", "k8s://")
MUCH: Final = 1_000_000_000  # bytes of a store from which on Spark is faster, start included
WORKERS: Final = min(2, os.cpu_count() or 1)  # processes for large dumps; with two the memory of all is below 1 GB


def check_master(master: str | None, known: tuple[str, ...] = MASTERS) -> None:
    """Refuse an invalid Spark master before Java is started."""
    if master is not None and not master.startswith(known):
        raise ValueError(f"{master!r} is not a Spark master; one begins with {', '.join(known)}")


@contextmanager
def problems() -> Iterator[None]:
    """Report an error of the input as one line, in place of a traceback."""
    try:
        yield
    except (ValueError, RuntimeError) as problem:
        raise click.ClickException(str(problem)) from None
    except OSError as problem:
        if problem.filename is None and problem.errno is not None:
            raise  # a closed standard output is reported as for every command
        named = f"{problem.filename}: {problem.strerror}" if problem.filename else str(problem)
        raise click.ClickException(named) from None
    except Exception as problem:
        if not type(problem).__module__.startswith(("pyspark.", "py4j.")):
            raise
        # Spark's messages come with pages of Java; the first line names the cause.
        said = str(problem).strip().splitlines() or [type(problem).__name__]
        raise click.ClickException(f"Spark: {said[0]}") from None


def session(engine: str, paths: tuple[str, ...], master: str | None) -> "SparkSession | None":
    """Give a Spark session if Spark is chosen."""
    from kew.analytics.session import is_submitted, start_session
    from kew.analytics.smf.files import find_dumps

    asked = engine == "spark" or master is not None or is_submitted()
    if engine == "process" or not (asked or _pays(paths)):
        return None
    check_master(master, (*MASTERS, "sc://"))
    if master is None or master.startswith("local"):
        find_dumps(paths)  # Spark takes seconds to start before it refuses it
    return start_session(master, progress=sys.stderr.isatty())


def _pays(paths: tuple[str, ...]) -> bool:
    """Say whether to start Spark: it is installed and the input is a large store; dumps are read in this process."""
    from kew.analytics.smf.files import find_dumps
    from kew.analytics.smf.rows import store_of

    store = store_of(paths)
    if store is None:
        find_dumps(paths)  # missing files are reported first
        return False
    return sum(manifest.size for manifest in store.manifests()) >= MUCH and find_spec("pyspark") is not None
