"""The reader of dumps for Spark: options, the schema of a table, and the rows of one task."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    DateType,
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
    "date32[day]": DateType(),
}


def spark_type(kind: pa.DataType) -> DataType:
    """Give the Spark type of an Arrow type."""
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
    """Give the Spark schema of an Arrow schema, with its comments."""
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
        """Give the schema of the read."""
        return self.table.schema(self.columns)


def paths_of(options: Mapping[str, str]) -> list[str]:
    """Give the paths of load(), of which several come as a list in JSON."""
    paths: list[str] = json.loads(options["paths"]) if "paths" in options else []
    return [*paths, options["path"]] if "path" in options else paths


def parse_size(option: str, text: str) -> int:
    """Read a number of bytes, with k, m or g for the powers of 1024."""
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
        """Give one partition for each share of the dumps."""
        from kew.analytics.smf.plan import plan
        from kew.formats.smf import Framing

        if not self.paths:
            raise ValueError("kewsmf reads dumps: give their paths to load()")
        framing = Framing(self.framing) if self.framing else None
        return [Share(pieces) for pieces in plan(self.paths, self.share, framing, self._identified())]

    def schema(self) -> pa.Schema:
        """Give the columns that the read gives."""
        return table_named(self.table).schema(self.columns)

    def _identified(self) -> bool:
        """Say whether rows have the digest of their dump."""
        return self.columns is None or "dump" in self.columns

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Give the rows of one share, in the order of the dump."""
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
