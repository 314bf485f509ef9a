"""Starts programs of the installed pyspark: spark-submit with Kew's modules, and a Spark Connect server.

spark-submit sends Kew to the workers as a zip of its Python modules: code there is interpreted, and the workers need
Python, numpy and pyarrow, but not Kew. The file is a .zip and not a .whl, which Spark would not put on the workers'
path.
"""

import os
import sys
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from kew.analytics.session import NoSpark
from kew.version import ADD_SPARK

PACKAGES: Final = ("kew", "pyspark_kewsmf", "pyspark_kewmq", "pyspark_kewfindings")
CONNECT_SERVER: Final = "org.apache.spark.sql.connect.service.SparkConnectServer"
DRIVER: Final = "from kew.cli import main\n\nmain()\n"


def spark_command(name: str) -> str:
    """Give the path of a program of the installed pyspark."""
    found = find_spec("pyspark")
    if found is None or found.origin is None:
        raise NoSpark(f"Spark is not installed: {ADD_SPARK}")
    return os.path.join(os.path.dirname(found.origin), "bin", name)


def source_folder() -> str:
    """Give the directory that Kew is imported from."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def pack(path: str) -> None:
    """Write Kew's modules as a zip that Python can import from."""
    root = source_folder()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in PACKAGES:
            for folder, folders, files in os.walk(os.path.join(root, package)):
                folders[:] = sorted(name for name in folders if name != "__pycache__")
                for name in sorted(files):
                    if name.endswith((".py", ".json", ".toml")):
                        file = os.path.join(folder, name)
                        archive.write(file, os.path.relpath(file, root))


def submission(folder: str, master: str | None, settings: Sequence[str], words: Sequence[str]) -> list[str]:
    """Make the spark-submit command that runs a command of kew; its files are written to the folder."""
    modules, driver = os.path.join(folder, "kew.zip"), os.path.join(folder, "kew_command.py")
    pack(modules)
    with open(driver, "w", encoding="utf-8") as file:
        file.write(DRIVER)
    command = [spark_command("spark-submit"), "--py-files", modules]
    if master is not None:
        command += ["--master", master]
    for setting in (*_quiet(), *settings):
        command += ["--conf", setting]
    return [*command, driver, *words]


def connect_server(master: str, host: str, port: int, settings: Sequence[str]) -> list[str]:
    """Give the command that runs a Spark Connect server, and ends when the server does."""
    own = [f"spark.connect.grpc.binding.address={host}", f"spark.connect.grpc.binding.port={port}"]
    command = [spark_command("spark-submit"), "--class", CONNECT_SERVER, "--master", master, "--name", "kew"]
    for setting in (*_quiet(), *own, *settings):
        command += ["--conf", setting]
    return [*command, "spark-internal"]


def environment() -> dict[str, str]:
    """Give the environment of Spark's programs: this Python, with Kew in it, also in the tasks."""
    path = os.pathsep.join([source_folder(), *[part for part in [os.environ.get("PYTHONPATH", "")] if part]])
    given = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    return {**given, **os.environ, "PYTHONPATH": path}


def _quiet() -> list[str]:
    from kew.analytics.session import quiet_settings

    return [f"{name}={value}" for name, value in quiet_settings().items()]
