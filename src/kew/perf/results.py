"""Results: one row for each point of a sweep, appended to a folder of Parquet files.

A row holds all circumstances of its measurement, so that it can be compared with rows of other builds and machines: the
scenario with its settings, the host, the build, and what else the machine was doing. Files are written whole and
renamed, so an interrupted run leaves the files it has finished, and no partial file.
"""

import datetime
import json
import os
import platform
import uuid
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kew.version import ADD_SPARK, VERSION

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER: Final = "kew-results"
_MISSING: Final = f"results are kept as Parquet, which needs pyarrow: {ADD_SPARK}"


class ResultsError(Exception):
    """Results that cannot be kept or read."""


@dataclass
class Sample:
    """A moment of the steady state."""

    seconds: float
    rate: float
    depth: int


@dataclass
class VerbTime:
    """The response times of one verb."""

    verb: str
    count: int
    mean: float
    p50: float
    p99: float


@dataclass
class Point:
    """One measurement; times are in seconds, CPU in microseconds for a unit of work."""

    run: str = ""
    when: str = ""
    label: str = ""
    scenario: str = ""
    variant: str = ""
    title: str = ""
    source: str = ""
    picture: str = ""
    kind: str = ""
    binding: str = ""
    persistent: bool = False
    size: int = 0
    clients: int = 0
    repeat: int = 1
    partial: bool = False
    seconds: float = 0.0
    units: int = 0
    rate: float = 0.0
    megabytes: float = 0.0  # a second, put and got
    mean: float = 0.0
    p50: float = 0.0
    p95: float = 0.0
    p99: float = 0.0
    longest: float = 0.0
    cpu_qmgr: float = 0.0
    cpu_clients: float = 0.0
    cores_qmgr: float = 0.0
    cores_others: float = 0.0  # that processes outside the laboratory used
    rss_before: float = 0.0  # MB of the queue manager
    rss: float = 0.0
    puts: int = 0
    gets: int = 0
    copies: int = 0
    depth: int = 0
    depth_copies: int = 0
    expired: int = 0
    ledger: int = 0  # messages that are neither got, nor expired, nor on a queue: 0
    ledger_copies: int = 0
    failures: int = 0
    reason: int = 0
    log_bytes: int = 0
    log_writes: int = 0
    log_syncs: int = 0
    log_busy: float = 0.0  # of the steady state that the log's device was busy
    pool_reads: int = 0
    pool_writes: int = 0
    overhead: float = 0.0  # seconds of a unit of work that are the driver's own
    settings: str = "{}"
    host: str = ""
    samples: list[Sample] = field(default_factory=list)
    histogram: dict[int, int] = field(default_factory=dict)
    verbs: list[VerbTime] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Give the scenario with its variant."""
        return f"{self.scenario}/{self.variant}"


def new_run() -> str:
    """Give a name for a run that sorts by time."""
    now = datetime.datetime.now(datetime.UTC)
    return f"{now:%Y%m%dT%H%M%S}-{uuid.uuid4().hex[:6]}"


def describe_host() -> str:
    """Describe the machine and the build, as JSON."""
    return json.dumps(
        {
            "node": platform.node(),
            "system": f"{platform.system()} {platform.release()}",
            "machine": platform.machine(),
            "processor": _processor(),
            "cores": os.cpu_count() or 1,
            "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
            "python": platform.python_version(),
            "kew": VERSION,
            "build": build(),
        },
        sort_keys=True,
    )


def build() -> str:
    """Give the build of the hot modules: compiled or interpreted."""
    from kew.mqi.puts import put

    return "interpreted" if (put.__file__ or "").endswith(".py") else "compiled"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        return platform.processor()
    return platform.processor()


def need_arrow() -> None:
    """Refuse a run at its beginning if pyarrow, which writes its results, is not installed."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise ResultsError(_MISSING) from None


def schema() -> "pa.Schema":
    """Give the columns of a results file."""
    import pyarrow as pa

    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    sample = pa.struct([("seconds", pa.float64()), ("rate", pa.float64()), ("depth", pa.int64())])
    verb = pa.struct(
        [
            ("verb", pa.string()),
            ("count", pa.int64()),
            ("mean", pa.float64()),
            ("p50", pa.float64()),
            ("p99", pa.float64()),
        ]
    )
    special = {
        "samples": pa.list_(sample),
        "histogram": pa.map_(pa.int64(), pa.int64()),
        "verbs": pa.list_(verb),
    }
    return pa.schema([(each.name, special.get(each.name) or kinds[each.type]) for each in fields(Point)])  # type: ignore[index]


class Keeper:
    """The file of one run: rewritten whole with each point, so that an interrupted run keeps its points."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.points: list[Point] = []
        self.path: Path | None = None  # once there is something in it

    def add(self, point: Point) -> None:
        """Keep a point."""
        self.points.append(point)
        if self.path is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.path = self.folder / f"results-{point.run}-{uuid.uuid4().hex[:6]}.parquet"
        _write(self.path, self.points)


def append(folder: Path, points: list[Point]) -> Path:
    """Add a file with points to a folder, which is made where it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"results-{points[0].run}-{uuid.uuid4().hex[:6]}.parquet"
    _write(path, points)
    return path


def _write(path: Path, points: list[Point]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = []
    for point in points:
        row = asdict(point)
        row["histogram"] = list(point.histogram.items())
        rows.append(row)
    fresh = path.with_suffix(".new")
    pq.write_table(pa.Table.from_pylist(rows, schema()), fresh)
    fresh.replace(path)


def read(place: Path) -> list[Point]:
    """Read a results file, or all of a folder."""
    need_arrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    paths = sorted(place.glob("*.parquet")) if place.is_dir() else [place]
    if not paths:
        raise ResultsError(f"{place} holds no results; `kew perf run` makes some")
    points = []
    for path in paths:
        try:
            rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        except (OSError, pa.ArrowException) as problem:
            raise ResultsError(f"{path}: {problem}") from problem
        points += [_point(row, path) for row in rows]
    return points


def _point(row: dict[str, Any], path: Path) -> Point:
    try:
        row["samples"] = [Sample(**each) for each in row["samples"]]
        row["verbs"] = [VerbTime(**each) for each in row["verbs"]]
        row["histogram"] = dict(row["histogram"])
        return Point(**row)
    except (KeyError, TypeError, ValueError) as problem:
        raise ResultsError(f"{path} is not a file of results: {problem}") from problem
