"""The C programs of the benches, compiled when a bench runs."""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def built(name: str, folder: str) -> str | None:
    """Compile a program into a folder and give its path; None, which is said, where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print(f" no C compiler: what {name}.c measures is left out", end="", flush=True, file=sys.stderr)
        return None
    program = str(Path(folder, name))
    subprocess.run([compiler, "-O2", "-pthread", "-o", program, str(HERE / f"{name}.c")], check=True)
    return program
