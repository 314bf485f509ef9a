"""The one place that holds the version."""

from typing import Final

VERSION: Final = "0.1.0"
