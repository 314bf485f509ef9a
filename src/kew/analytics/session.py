"""Builds Spark sessions; no other module does."""

import os
import socket
import sys
import tempfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from kew.version import ADD_SPARK

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
    "spark.python.authenticate.socketTimeout": "120s",  # for a worker to begin: a busy machine takes its time
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


_PORTS: Final = {"sc": 15002, "spark": 7077}  # where they listen, unless the address has a port
_CONNECT_SECONDS: Final = 10.0  # seconds


class NoSpark(RuntimeError):
    """Spark, or the Java it needs, is not installed, or its server does not answer."""


def start_session(
    master: str | None = None,
    name: str = "kew",
    settings: Mapping[str, str] | None = None,
    progress: bool = False,
    partitions: int | None = None,
) -> "SparkSession":
    """Start a quiet session on `master`: local[*] by default, spark://..., or sc://... for Spark Connect.

    Under spark-submit the master and its settings are those of the submission.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise NoSpark(f"Spark is not installed: {ADD_SPARK}") from None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    if master is not None:
        _reach(master)
    builder = SparkSession.builder.appName(name)
    if master is not None and master.startswith("sc://"):
        session = builder.remote(master).getOrCreate()
        session.conf.set("spark.sql.session.timeZone", "UTC")
        return session
    submitted = master is None and is_submitted()
    chosen = dict(_ALWAYS)
    if not submitted:
        chosen |= quiet_settings()
        builder = builder.master(master or "local[*]")
        if (master or "local").startswith("local"):
            chosen |= _LOCAL
    if progress:
        chosen["spark.ui.showConsoleProgress"] = "true"
    if partitions is not None:
        chosen["spark.sql.shuffle.partitions"] = str(partitions)
    for key, value in {**chosen, **(settings or {})}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    if submitted:
        _register(session)
    return session


def _reach(master: str) -> None:
    """Refuse a server that does not answer: Spark itself would try for minutes without a message."""
    scheme, _, rest = master.partition("://")
    if scheme not in _PORTS:
        return
    places = [urlsplit(f"//{place}") for place in rest.partition("/")[0].split(",")]
    problem = ""
    for place in places:
        try:
            socket.create_connection((place.hostname or "", place.port or _PORTS[scheme]), _CONNECT_SECONDS).close()
            return
        except (OSError, ValueError) as error:
            problem = str(error)
    raise NoSpark(f"nobody answers at {master} ({problem}); 'kew spark connect' starts a Spark Connect server here")


def is_submitted() -> bool:
    """Say whether spark-submit runs this program."""
    return "SPARK_ENV_LOADED" in os.environ


def quiet_settings() -> dict[str, str]:
    """Give the settings with which Spark prints nothing but errors."""
    return {**_QUIET, "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_logging_file()}"}


def _register(session: "SparkSession") -> None:
    """Make the data sources known where Kew came as a zip: Spark looks for them among installed modules only."""
    from kew.analytics.queue.source import QueueSource
    from kew.analytics.reports.source import FindingSource
    from kew.analytics.smf.source import SmfSource

    for source in (SmfSource, FindingSource, QueueSource):
        session.dataSource.register(source)


def _logging_file() -> str:
    path = os.path.join(tempfile.gettempdir(), f"kew-spark-logging-{os.getuid()}.properties")
    if not os.path.exists(path):
        part = f"{path}.{os.getpid()}"
        with open(part, "w") as file:
            file.write(_LOGGING)
        os.replace(part, path)
    return path
