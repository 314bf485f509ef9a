"""One session for all tests that need Spark: starting one takes longer than most of them."""

from collections.abc import Iterator

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from kew.analytics.session import start_session


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    warehouse = tmp_path_factory.mktemp("warehouse")
    session = start_session(
        "local[2]",
        "kew-tests",
        settings={"spark.sql.warehouse.dir": str(warehouse), "spark.driver.memory": "2g"},
        partitions=2,
    )
    yield session
    session.stop()
