"""Prints what Kew needs to run, and what its extras need, one requirement a line, for pip.

python3 tools/needs.py dev
"""

import sys
import tomllib
from pathlib import Path


def main() -> None:
    """Print the requirements."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [project["optional-dependencies"][name] for name in sys.argv[1:]]
    print("\n".join([*project["dependencies"], *[each for extra in extras for each in extra]]))


if __name__ == "__main__":
    main()
