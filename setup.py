"""Builds Kew: the modules in COMPILED become one native unit where a C compiler exists.

KEW_PURE=1 builds the interpreted package. KEW_REQUIRE_COMPILED=1 makes a failed native build an error
instead of a fall-back, so that a test run never takes one build for the other.
"""

import os
import sys
import tempfile
from pathlib import Path

from setuptools import Distribution, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

# Every module on the path of a put, a get and a commit; each entry has a benchmark that earned its place.
COMPILED = (
    "src/kew/formats/binary.py",
    "src/kew/formats/mqmd.py",
)

BUILDING = {"bdist_wheel", "build", "build_ext", "install", "editable_wheel", "develop"}


def say(line: str) -> None:
    """Tells whoever builds which kind of build this is (pip shows it with -v)."""
    print(f"kew: {line}", file=sys.stderr)


def compiler_works() -> bool:
    """Whether a C compiler can build an extension here: a compiler without Python.h is of no use."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n")
        command = build_ext(Distribution({"ext_modules": [Extension("probe", [str(source)])]}))
        command.build_lib = command.build_temp = folder
        try:
            command.ensure_finalized()
            command.run()
        except (BaseError, CCompilerError, OSError):
            return False
    return True


def native_modules() -> list[Extension]:
    """The extensions of the compiled unit, or none with the reason said."""
    required = os.environ.get("KEW_REQUIRE_COMPILED") == "1"
    if not BUILDING.intersection(sys.argv):
        return []
    if os.environ.get("KEW_PURE") == "1":
        say("interpreted build, as KEW_PURE=1 asks")
        return []
    problem = ""
    extensions: list[Extension] = []
    if not compiler_works():
        problem = "no working C compiler with Python's headers"
    else:
        try:
            from mypyc.build import mypycify

            extensions = mypycify(list(COMPILED), opt_level="3", debug_level="0", group_name="kew")
        except ImportError:
            problem = "mypyc is not installed"
        except SystemExit:
            problem = "mypyc refused a module, see above"
    if problem:
        if required:
            sys.exit(f"kew: cannot compile: {problem}")
        say(f"interpreted build: {problem}; everything works, only slower")
        return []
    if sys.platform.startswith("linux"):
        for extension in extensions:
            extension.extra_link_args = [*(extension.extra_link_args or []), "-s"]
    say(f"compiled build: {len(COMPILED)} modules")
    return extensions


class BuildNative(build_ext):
    """Builds the compiled unit whole or not at all, and leaves no module of an earlier build behind."""

    def run(self) -> None:
        """Compiles; a failure of the C compiler turns this into an interpreted build."""
        try:
            super().run()
        except (BaseError, CCompilerError, OSError) as problem:
            if os.environ.get("KEW_REQUIRE_COMPILED") == "1":
                raise
            say(f"interpreted build: the C compiler failed ({type(problem).__name__}); everything works, only slower")
            self.extensions = []
        self.remove_stale()

    def remove_stale(self) -> None:
        """Removes native modules that this build did not make: Python would prefer them to the source."""
        if self.inplace:
            return
        made = {os.path.abspath(path) for path in self.get_outputs()}
        for path in Path(self.build_lib).rglob("*.so"):
            if os.path.abspath(path) not in made:
                path.unlink()


setup(ext_modules=native_modules(), cmdclass={"build_ext": BuildNative})
