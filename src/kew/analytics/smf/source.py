"""The Spark data source `kewsmf`: dumps as DataFrames.

    spark.read.format("kewsmf").load(paths)                              the records
    spark.read.format("kewsmf").option("table", "WQ").load(paths)        any structure, or `quarantine`

Options: `table`; `columns`, a list with commas, to decode no more than is needed; `framing` (rdw, nordw, bdw) where the
format is not to be found from the first bytes; `share`, the bytes that one task reads; `system`, `qmgr`, `from` and
`to` (local times) to select rows; other rows are not decoded.
"""

from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader
from pyspark.sql.types import StructType

from kew.analytics.smf.sparkreader import Settings, spark_schema


class SmfSource(DataSource):
    """The data source that Spark finds under the name `kewsmf`."""

    @classmethod
    def name(cls) -> str:
        """Give the name for format()."""
        return "kewsmf"

    def schema(self) -> StructType:
        """Give the columns of the table that the options name."""
        return spark_schema(Settings(self.options).schema())

    def _chosen(self, schema: StructType) -> Settings:
        """Give the options, with the columns in `schema`, which may be fewer than the table has."""
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
        """Make a reader of dumps."""
        from kew.analytics.smf.pushdown import SelectingReader, selection_of

        settings = self._chosen(schema)
        return SelectingReader(settings, selection_of(settings.given))

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802
        """Make a reader of files that a queue manager writes."""
        from kew.analytics.smf.live import SmfStream

        return SmfStream(self._chosen(schema))
