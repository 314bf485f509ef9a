"""Checks of the software: Python, the compiled build, a C compiler, Java and Spark."""

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterator
from typing import Final

from kew import version
from kew.qmgr.doctor.finding import FAIL, OK, WARN, Finding
from kew.qmgr.doctor.machine import Machine
from kew.version import ADD_SPARK, DISTRIBUTION, VERSION, is_compiled

SOFTWARE: Final = "Software"
PYTHON: Final = (3, 11)
JAVA: Final = 17
_OTHER: Final = "kew"  # another project, a task queue, on the registry of Python packages
_JAVA_VERSION: Final = re.compile(r'version "(?:1\.)?(\d+)')


def check_software(machine: Machine) -> Iterator[Finding]:
    """Check the versions and presence of the programs that Kew needs or can use."""
    enough = sys.version_info >= PYTHON
    wanted = ".".join(map(str, PYTHON))
    remedy = "" if enough else f"install Python {wanted} or newer"
    yield Finding(SOFTWARE, "Python", platform.python_version(), f">= {wanted}", OK if enough else FAIL, remedy)
    yield from _build(machine, is_compiled())
    yield from _names(machine)
    yield from _spark(machine)


def _build(machine: Machine, compiled: bool) -> Iterator[Finding]:
    compiler = next(filter(None, [machine.which(name) for name in ("cc", "gcc", "clang")]), "")
    build = "compiled" if compiled else "interpreted"
    remedy = ""
    if not compiled:
        first = "" if compiler else "install a C compiler (gcc or clang) and Python's headers, then "
        remedy = f"{first}install Kew again from source; interpreted it is two to three times slower"
    yield Finding(SOFTWARE, "Kew", f"{VERSION}, {build}", "compiled", OK if compiled else WARN, remedy)
    needed = "only to build Kew"
    yield Finding(SOFTWARE, "C compiler", compiler or "none", needed, OK)


def _names(machine: Machine) -> Iterator[Finding]:
    """Check that PyPI's other project `kew` has neither files in Kew's package nor the command `kew` on PATH."""
    other = machine.version_below(_OTHER, os.path.dirname(os.path.abspath(version.__file__)))
    found = f"files of the distribution {_OTHER} {other} too" if other else f"of {DISTRIBUTION}"
    remedy = f"pip uninstall {_OTHER}, then install {DISTRIBUTION} again" * bool(other)
    wanted = f"nothing but {DISTRIBUTION}, which is Kew"
    yield Finding(SOFTWARE, "package kew", found, wanted, FAIL if other else OK, remedy)
    path = machine.which(_OTHER)
    ours = not path or "kew.cli" in machine.read(path)
    found = path or "not on PATH"
    remedy = "" if ours else f"{path} is another program: put {os.path.dirname(sys.executable)} before it in PATH"
    yield Finding(SOFTWARE, "command kew", found, "the command of Kew", OK if ours else WARN, remedy)


def _spark(machine: Machine) -> Iterator[Finding]:
    wanted = f"Java {JAVA} or newer, for analysis on Spark only"
    said = _JAVA_VERSION.search(machine.said_by("java", "-version")) if machine.which("java") else None
    if said is None:
        found, level = "none", WARN
    else:
        found, level = f"Java {said[1]}", OK if int(said[1]) >= JAVA else WARN
    remedy = f"install a Java {JAVA} runtime, or leave it: queue managers and kew smf on files run without" * (
        level == WARN
    )
    yield Finding(SOFTWARE, "Java", found, wanted, level, remedy)
    try:
        version = importlib.metadata.version("pyspark")
        yield Finding(SOFTWARE, "pyspark", version, "for analysis on Spark only", OK)
    except importlib.metadata.PackageNotFoundError:
        remedy = f"{ADD_SPARK}, if you want to analyse on Spark"
        yield Finding(SOFTWARE, "pyspark", "none", "for analysis on Spark only", WARN, remedy)
