"""Calculators for planning: each a formula of the MQ performance reports, with its text and its numbers.

A result carries the formula in words, the formula with the numbers put in, and the answer, so that a reader can check
it by hand. Sizes follow the reports: KB and KiB are 1,024 bytes, the MB of a disk is 1,000,000 bytes and the MB of an
address space is 1,048,576.
"""

from dataclasses import dataclass
from typing import Final

from kew.formats.mqmd import LENGTH
from kew.queues.store import AT_ONCE
from kew.storage.page import PAGE_SIZE
from kew.storage.pages.sizing import ENTRIES, GROUP, pages_of

KB: Final = 1024
DISK_MB: Final = 1_000_000
STORAGE_MB: Final = 1 << 20

# KB of the channel initiator for a server-connection channel, by SHARECNV and the size of messages in KB.
FOOTPRINTS: Final[dict[int, dict[int, int]]] = {
    0: {1: 83, 10: 99, 32: 161, 64: 188},
    1: {1: 156, 10: 178, 32: 232, 64: 263},
    10: {1: 245, 10: 268, 32: 346, 64: 373},
}
INDEX_BYTES: Final = 136  # of memory for a message of an indexed queue
OVERHEAD: Final = 1.5  # what a message takes on disk, of its own size
SMALLEST: Final = 2 * KB  # smaller messages are reckoned as of this size: their descriptor outweighs them
# Bytes of log that a put and a get in units of work take beside the message, of one page and of several.
SHORT_RECORDS: Final = 620
LONG_RECORDS: Final = 1190


class CapacityError(ValueError):
    """Values for which a formula has no result."""


@dataclass(frozen=True)
class Answer:
    """The result of a formula, and its derivation."""

    what: str
    formula: str
    worked: str
    value: float
    unit: str

    def lines(self) -> list[str]:
        """Give the result and its derivation as lines of text."""
        value = f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:,.2f}"
        return [f"{self.what}: {value} {self.unit}", f"  {self.formula}", f"  {self.worked}"]


def footprint(sharecnv: int, message_kb: float) -> int:
    """Give the KB that a channel takes for messages of a size, by the next larger size that was measured."""
    if sharecnv not in FOOTPRINTS:
        known = ", ".join(map(str, FOOTPRINTS))
        raise CapacityError(f"the footprint of a channel is known for SHARECNV {known}, not {sharecnv}")
    for size, kilobytes in FOOTPRINTS[sharecnv].items():
        if message_kb <= size:
            return kilobytes
    raise CapacityError(
        "the footprint of a channel is known for messages of up to 64 KB; give it in KB for larger ones"
    )


def clients(
    storage_mb: float, used_mb: float, channel_kb: float, percent: float = 80.0, conversations: int = 1
) -> Answer:
    """Give the number of clients that an address space has room for."""
    if channel_kb <= 0 or conversations < 1:
        raise CapacityError("a channel takes more than nothing")
    # The reports round the share down to whole MB before they divide.
    share = int(storage_mb * percent / 100)
    available = share - used_mb
    if available < 0:
        raise CapacityError(f"{percent:g} % of {storage_mb:g} MB are less than the {used_mb:g} MB in use")
    count = int(available * KB // channel_kb) * conversations
    shared = f" x {conversations}" if conversations > 1 else ""
    return Answer(
        "Clients",
        "clients = (storage x percent - used) x 1024 / KB a channel" + (" x conversations" if shared else ""),
        f"({storage_mb:g} MB x {percent:g} % = {share} MB - {used_mb:g} MB) x 1024 / {channel_kb:g} KB{shared}",
        count,
        "clients",
    )


def expiry_depth(rate: float, capexpry: int, interval: int) -> Answer:
    """Give the depth of a queue whose messages are never got and expire."""
    return Answer(
        "Depth of the queue",
        "depth = rate x CAPEXPRY / 10 + rate x ExpiryInterval",
        f"{rate:,g}/s x {capexpry} / 10 + {rate:,g}/s x {interval} s",
        rate * capexpry / 10 + rate * interval,
        "messages",
    )


def expiry_disk(rate: float, capexpry: int, interval: int, message_bytes: int, queues: int = 1) -> Answer:
    """Give the disk space of queues whose messages expire."""
    size = max(message_bytes, SMALLEST)
    value = size * OVERHEAD * rate * (capexpry / 10 + interval) * queues / DISK_MB
    return Answer(
        "Disk",
        "disk = message size x 1.5 x rate x (CAPEXPRY / 10 + ExpiryInterval) x queues",
        f"{size:,} bytes x 1.5 x {rate:,g}/s x ({capexpry} / 10 + {interval}) s x {queues} / 1,000,000",
        value,
        "MB",
    )


def index_memory(messages: int) -> Answer:
    """Give the memory of a queue's index."""
    return Answer(
        "Memory of the index",
        f"memory = messages x {INDEX_BYTES} bytes",
        f"{messages:,} x {INDEX_BYTES} bytes / 1,000,000,000",
        messages * INDEX_BYTES / 1e9,
        "GB",
    )


def log_bandwidth(rate: float, message_bytes: int, copies: int = 1) -> Answer:
    """Give the load on the log's devices for a rate of persistent messages, each put and got."""
    records = SHORT_RECORDS if message_bytes + LENGTH <= AT_ONCE else LONG_RECORDS
    return Answer(
        "Log bandwidth",
        f"bandwidth = rate x (message size + {records} bytes of records) x copies of the log",
        f"{rate:,g}/s x ({message_bytes:,} + {records}) bytes x {copies} / 1,000,000",
        rate * (message_bytes + records) * copies / DISK_MB,
        "MB/s",
    )


def page_set(messages: int, message_bytes: int) -> Answer:
    """Give the pages that a page set needs for a depth: a message starts on a page of its own."""
    each = pages_of(message_bytes + LENGTH)
    directories = -(-messages // ENTRIES)
    pages = 1 + messages * each + directories
    maps = -(-pages // GROUP)
    pages += maps
    return Answer(
        "Page set",
        f"pages = 1 + messages x pages a message + messages / {ENTRIES} for directories + space maps",
        f"1 + {messages:,} x {each} + {directories:,} + {maps:,} pages of 4 KB = {pages * PAGE_SIZE / DISK_MB:,.0f} MB",
        pages,
        "pages",
    )
