"""Runs an unchanged program that imports `ibmmq` or `pymqi` on Kew: `python -m kew.run program.py arguments...`.

The two names then mean kew.ibmmq and kew.pymqi, whether or not the packages of these names are installed.
"""

import argparse
import importlib
import os
import runpy
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

PACKAGES = ("ibmmq", "pymqi")


class Alias(MetaPathFinder, Loader):
    """Finds the packages of the two names, and the modules in them, in Kew."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Give the spec of the two packages, and of the modules in them."""
        return ModuleSpec(fullname, self) if fullname.partition(".")[0] in PACKAGES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Give the module of Kew."""
        try:
            module = importlib.import_module("kew." + spec.name)
        except ModuleNotFoundError as problem:
            raise ModuleNotFoundError(f"No module named {spec.name!r}", name=spec.name) from problem
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module has already been executed under its own name."""
        if module.__spec__ is not None:
            module.__spec__ = self._specs.pop(module.__spec__.name, module.__spec__)


def install() -> None:
    """Make the two names mean Kew's packages from now on."""
    if not any(isinstance(finder, Alias) for finder in sys.meta_path):
        sys.meta_path.insert(0, Alias())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a program, or with -m a module, as Python would."""
    parser = argparse.ArgumentParser(
        prog="python -m kew.run", description="Runs a program that imports ibmmq or pymqi on Kew."
    )
    parser.add_argument("-m", dest="module", action="store_true", help="the program is the name of a module")
    parser.add_argument("program", help="the program's file, or the module's name")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program is given")
    given = parser.parse_args(arguments)
    if not given.module and not os.path.exists(given.program):
        parser.error(f"there is no file {given.program}")
    install()
    sys.argv = [given.program, *given.arguments]
    if given.module:
        sys.path.insert(0, os.getcwd())
        runpy.run_module(given.program, run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, os.path.dirname(os.path.abspath(given.program)))
        runpy.run_path(given.program, run_name="__main__")


if __name__ == "__main__":
    main()
