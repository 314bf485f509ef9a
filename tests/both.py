"""`python -m tests.both BUILD [ARGS]`: the whole suite on the build that is installed, the unit tests interpreted.

They run side by side, since a machine has more than one core and each of them uses one. What the second printed follows
when the first is done.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(build: str, arguments: list[str]) -> int:
    """Run both; 0 when both pass."""
    suite = [sys.executable, "-m", "pytest", *arguments]
    interpreted = {**os.environ, "KEW_EXPECT": "interpreted", "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"}
    with tempfile.TemporaryFile() as output:
        units = subprocess.Popen(
            [*suite, "tests/unit", "-p", "no:cacheprovider"],
            cwd=ROOT,
            env=interpreted,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            first = subprocess.run(suite, cwd=ROOT, env={**os.environ, "KEW_EXPECT": build}, check=False).returncode
            print(f"\n{build} suite: exit {first}. The unit tests, interpreted:", flush=True)
            second = units.wait()
        finally:
            units.kill()
            units.wait()
            output.seek(0)
            sys.stdout.write(output.read().decode("utf-8", "replace"))
            sys.stdout.flush()
    return first or second


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
