"""What rules and analyses say should be done about an object, in words that can be compared."""

from typing import Any, Final

ENLARGE, SHRINK, KEEP = "enlarge the pool", "shrink the pool", "keep the pool"
INDEX, OTHER_INDEX, NO_INDEX = "index the queue", "index it otherwise", "leave the index"
BUSY, ROOM = "the logger is near its limit", "the logger has room"
LARGE_BATCHES, SMALL_BATCHES = "batches are full", "batches end early"

SAYS: Final = {
    "BP01": ENLARGE,
    "BP02": ENLARGE,
    "BP07": SHRINK,
    "TQ01": INDEX,
    "TQ02": OTHER_INDEX,
    "LG01": BUSY,
    "LG05": BUSY,
    "CL01": LARGE_BATCHES,
    "CL02": SMALL_BATCHES,
}
OPPOSITES: Final = [
    {ENLARGE, SHRINK},
    {ENLARGE, KEEP},
    {SHRINK, KEEP},
    {INDEX, OTHER_INDEX},
    {INDEX, NO_INDEX},
    {OTHER_INDEX, NO_INDEX},
    {BUSY, ROOM},
    {LARGE_BATCHES, SMALL_BATCHES},
]


def of_pool(row: dict[str, Any]) -> str:
    """Say what the analysis of pools wants."""
    if row["advised_buffers"] == row["buffers"]:
        return KEEP
    return ENLARGE if row["advised_buffers"] > row["buffers"] else SHRINK


def of_index(row: dict[str, Any]) -> str:
    """Say what the analysis of indexes wants."""
    if row["advice"] == "none":
        return NO_INDEX
    return INDEX if row["advice"].startswith("index by") else OTHER_INDEX


def of_logger(row: dict[str, Any]) -> str:
    """Say what the analysis of the logger sees."""
    return ROOM if row["verdict"] == "room" else BUSY
