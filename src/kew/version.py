"""The one place that holds the version, and says which build is running."""

from typing import Final

VERSION: Final = "0.1.0"
PROTOCOL_LEVEL: Final = 17


def is_compiled() -> bool:
    """Whether the hot modules run compiled; they are built as one unit, so one of them speaks for all."""
    from kew.formats import mqmd

    return not mqmd.__file__.endswith(".py")
