"""The version of Kew, whether the running build is compiled, and the command that adds Spark to it."""

from typing import Final

VERSION: Final = "0.1.0"
VRMF: Final = "".join([part.zfill(2) for part in VERSION.split(".")[:3]]).ljust(8, "0")
PROTOCOL_LEVEL: Final = 17
DISTRIBUTION: Final = "kew-mq"  # as pip knows it; the command and the package are called kew
# What adds Spark, pyarrow and what else reports and the laboratory need.
ADD_SPARK: Final = "pip install 'kew-mq[spark]', or make spark in a checkout of Kew"


def is_compiled() -> bool:
    """Say whether the hot modules run compiled; all are built as one unit, so one module stands for all."""
    from kew.formats import mqmd

    return not mqmd.__file__.endswith(".py")
