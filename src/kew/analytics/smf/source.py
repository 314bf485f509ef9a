"""The Spark data source `kewsmf`: dumps as DataFrames.

    spark.read.format("kewsmf").load(paths)                              the records
    spark.read.format("kewsmf").option("table", "WQ").load(paths)        any structure, or `quarantine`

Options: `table`; `columns`, a list with commas, to decode no more than is needed; `framing` (rdw, nordw, bdw) where a
dump is not to be looked at first; `share`, the bytes that one task reads.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    DecimalType,
    DoubleType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from kew.analytics.smf.tables import RECORDS_TABLE, Table, table_named

if TYPE_CHECKING:
    from kew.analytics.smf.files import Piece

ROWS: Final = 20_000  # in one batch handed to Spark
_SIMPLE: Final[dict[str, DataType]] = {
    "int32": IntegerType(),
    "int64": LongType(),
    "double": DoubleType(),
    "string": StringType(),
    "binary": BinaryType(),
    "bool": BooleanType(),
}


def spark_type(kind: pa.DataType) -> DataType:
    """The Spark type of an Arrow type."""
    if pa.types.is_map(kind):
        return MapType(spark_type(kind.key_type), spark_type(kind.item_type))
    if pa.types.is_list(kind):
        return ArrayType(spark_type(kind.value_type))
    if pa.types.is_struct(kind):
        return StructType([StructField(part.name, spark_type(part.type)) for part in kind])
    if pa.types.is_timestamp(kind):
        return TimestampType() if kind.tz else TimestampNTZType()
    if pa.types.is_decimal(kind):
        return DecimalType(kind.precision, kind.scale)
    return _SIMPLE[str(kind)]


def spark_schema(schema: pa.Schema) -> StructType:
    """The Spark schema of an Arrow schema, comments with it."""
    fields = []
    for field in schema:
        comment = (field.metadata or {}).get(b"comment", b"").decode()
        metadata = {"comment": comment} if comment else {}
        fields.append(StructField(field.name, spark_type(field.type), True, metadata))
    return StructType(fields)


class Share(InputPartition):
    """The pieces of dumps that one task reads."""

    def __init__(self, pieces: "list[Piece]") -> None:
        super().__init__(None)
        self.pieces = pieces


class Settings:
    """The options of a read."""

    def __init__(self, options: Mapping[str, str]) -> None:
        lowered = {name.lower(): value for name, value in options.items()}
        self.given = lowered
        self.table: Table = table_named(lowered.get("table", RECORDS_TABLE))
        listed = [name.strip() for name in lowered.get("columns", "").split(",") if name.strip()]
        self.columns: list[str] | None = listed or None
        self.framing = lowered.get("framing", "").lower()
        if self.framing not in ("", "rdw", "nordw", "bdw"):
            raise ValueError(f"option framing takes rdw, nordw or bdw, not {self.framing}")
        self.share = parse_size("share", lowered.get("share", "64m"))
        self.paths = paths_of(lowered)

    def schema(self) -> pa.Schema:
        """What the read gives."""
        return self.table.schema(self.columns)


def paths_of(options: Mapping[str, str]) -> list[str]:
    """What was given to load(): several paths come as a list in JSON."""
    paths: list[str] = json.loads(options["paths"]) if "paths" in options else []
    return [*paths, options["path"]] if "path" in options else paths


def parse_size(option: str, text: str) -> int:
    """A number of bytes, with k, m or g for the powers of 1024."""
    digits, factor = text.strip().lower(), 1
    if digits[-1:] in ("k", "m", "g"):
        factor = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}[digits[-1]]
        digits = digits[:-1]
    if not digits.isdigit() or not int(digits):
        raise ValueError(f"option {option} takes a number of bytes such as 64m, not {text!r}")
    return int(digits) * factor


class SmfReader(DataSourceReader):
    """Plans and reads one table of a set of dumps."""

    def __init__(self, settings: Settings) -> None:
        self.paths = settings.paths
        self.table = settings.table.name
        self.columns = settings.columns
        self.framing = settings.framing
        self.share = settings.share

    def partitions(self) -> list[InputPartition]:
        """One for each share of the dumps."""
        from kew.analytics.smf.plan import plan
        from kew.formats.smf import Framing

        if not self.paths:
            raise ValueError("kewsmf reads dumps: give their paths to load()")
        framing = Framing(self.framing) if self.framing else None
        return [Share(pieces) for pieces in plan(self.paths, self.share, framing, self._identified())]

    def schema(self) -> pa.Schema:
        """The columns that the read gives."""
        return table_named(self.table).schema(self.columns)

    def _identified(self) -> bool:
        """Whether rows are to say which dump they are from by its digest."""
        return self.columns is None or "dump" in self.columns

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of one share, in the order of the dump."""
        from kew.analytics.smf.decode import Decoder
        from kew.analytics.smf.files import read_batches

        if not isinstance(partition, Share):
            return
        chosen = None if self.columns is None else {self.table: self.columns}
        decoder = Decoder([self.table], chosen)
        for piece in partition.pieces:
            for batch in read_batches(piece):
                rows = decoder.decode(batch, piece.dump.path, piece.dump.digest).tables[self.table]
                for at in range(0, rows.num_rows, ROWS):
                    yield rows.slice(at, ROWS)


class SmfSource(DataSource):
    """The data source that Spark finds under the name `kewsmf`."""

    @classmethod
    def name(cls) -> str:
        """The name for format()."""
        return "kewsmf"

    def schema(self) -> StructType:
        """The columns of the table that the options name."""
        return spark_schema(Settings(self.options).schema())

    def _chosen(self, schema: StructType) -> Settings:
        """The options, with the columns in `schema`, which may be fewer than the table has."""
        settings = Settings(self.options)
        full = spark_schema(settings.table.schema())
        for field in schema:
            if field.name not in settings.table.column or full[field.name].dataType != field.dataType:
                raise ValueError(
                    f"table {settings.table.name} has no column {field.name} of type {field.dataType.simpleString()}"
                )
        if len(schema) < len(full):
            settings.columns = schema.fieldNames()
        return settings

    def reader(self, schema: StructType) -> DataSourceReader:
        """A reader of dumps."""
        return SmfReader(self._chosen(schema))

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802
        """A reader of files that a queue manager writes."""
        from kew.analytics.smf.live import SmfStream

        return SmfStream(self._chosen(schema))
