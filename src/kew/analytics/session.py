"""Spark sessions are built here and nowhere else."""

import os
import sys
import tempfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_QUIET: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.structuredLogging.enabled": "false",
}

# Times are compared across systems in several zones: a session that shows local ones would mislead.
_ALWAYS: Final = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.speculation": "false",
}

_LOCAL: Final = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


# Spark says a dozen lines before a program can set its log level; a configuration of our own keeps it silent.
_LOGGING: Final = """rootLogger.level = error
logger.gateway.name = org.apache.spark.api.python.PythonGatewayServer
logger.gateway.level = error
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n
"""


class NoSpark(RuntimeError):
    """Spark, or the Java it needs, is not installed."""


def start_session(
    master: str | None = None,
    name: str = "kew",
    settings: Mapping[str, str] | None = None,
    progress: bool = False,
    partitions: int | None = None,
) -> "SparkSession":
    """A quiet session on `master`: local[*] by default, spark://..., or sc://... for Spark Connect.

    Under spark-submit the master and its settings are those of the submission.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise NoSpark("Spark is not installed: pip install 'kew[spark]'") from None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(name)
    if master is not None and master.startswith("sc://"):
        session = builder.remote(master).getOrCreate()
        session.conf.set("spark.sql.session.timeZone", "UTC")
        return session
    submitted = "SPARK_ENV_LOADED" in os.environ and master is None
    chosen = dict(_ALWAYS)
    if not submitted:
        chosen |= _QUIET
        chosen["spark.driver.extraJavaOptions"] = f"-Dlog4j2.configurationFile={_logging_file()}"
        builder = builder.master(master or "local[*]")
        if (master or "local").startswith("local"):
            chosen |= _LOCAL
    if progress:
        chosen["spark.ui.showConsoleProgress"] = "true"
    if partitions is not None:
        chosen["spark.sql.shuffle.partitions"] = str(partitions)
    for key, value in {**chosen, **(settings or {})}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _logging_file() -> str:
    path = os.path.join(tempfile.gettempdir(), f"kew-spark-logging-{os.getuid()}.properties")
    if not os.path.exists(path):
        part = f"{path}.{os.getpid()}"
        with open(part, "w") as file:
            file.write(_LOGGING)
        os.replace(part, path)
    return path
