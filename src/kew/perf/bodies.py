"""The bodies of test messages: text that compresses well, JSON as applications send it, or random bytes."""

import json
import random
from typing import Final

_TEXT: Final = b"The quick brown fox jumps over the lazy dog. 0123456789. "
_WORDS: Final = ("order", "customer", "account", "invoice", "parcel", "region", "currency", "balance", "status", "note")


def make_body(kind: str, size: int, seed: int = 1) -> bytes:
    """Make a body of exactly `size` bytes, the same for the same seed."""
    if kind == "random":
        return random.Random(seed).randbytes(size)
    if kind == "json":
        return _json(size, random.Random(seed))
    return (_TEXT * (size // len(_TEXT) + 1))[:size]


def _json(size: int, source: random.Random) -> bytes:
    lines: list[bytes] = []
    have = 0
    while have < size:
        row = {word: source.randrange(10**6) if at % 2 else source.choice(_WORDS) for at, word in enumerate(_WORDS)}
        row["id"] = f"{source.getrandbits(64):016x}"
        lines.append(json.dumps(row).encode())
        have += len(lines[-1]) + 1
    return b"\n".join(lines)[:size].ljust(size)
