"""Sharing dumps among readers: big files are cut at record starts, small ones are put together.

RDW files have no marker to look for, so a cut is found by trial: it is the first place at or after the wanted one where
records follow one another. The readers on both sides of a cut use the same place, so no record is read twice or left
out.
"""

from collections.abc import Sequence
from typing import Final

from kew.analytics.smf.files import Dump, Piece, examine, find_dumps, identified, open_raw
from kew.formats.smf import Framing, find_start
from kew.formats.smf.container import LOOKAHEAD

SHARE: Final = 64 << 20
WINDOW: Final = 2 * LOOKAHEAD


def plan(
    names: Sequence[str], share: int = SHARE, framing: Framing | None = None, digests: bool = False
) -> list[list[Piece]]:
    """Divide the named dumps into shares of about `share` bytes, in their order, with their digests."""
    dumps = [examine(path, framing) for path in find_dumps(names)]
    return shares_of([identified(dump) for dump in dumps] if digests else dumps, share)


def shares_of(dumps: Sequence[Dump], share: int = SHARE) -> list[list[Piece]]:
    """Divide dumps into shares of about `share` bytes, in their order."""
    if share < 1:
        raise ValueError(f"a share of {share} bytes cannot be planned")
    shares: list[list[Piece]] = []
    room = 0
    for dump in dumps:
        for piece in cut(dump, share):
            if piece.size > room or not shares:
                shares.append([])
                room = share
            shares[-1].append(piece)
            room -= piece.size
    return shares


def cut(dump: Dump, share: int) -> list[Piece]:
    """Cut one dump into pieces; a compressed dump is one piece."""
    starts = [0]
    if not dump.compression and dump.size > share:
        for wish in range(share, dump.size, share):
            if wish > starts[-1]:
                found = next_start(dump, wish)
                if found is None:
                    break
                starts.append(found)
    ends: list[int | None] = [*starts[1:], None]
    return [Piece(dump, start, end) for start, end in zip(starts, ends, strict=True)]


def next_start(dump: Dump, wish: int) -> int | None:
    """Give the first place at or after `wish` where a record starts, None if there is none before the end."""
    ahead = 4 if dump.framing is Framing.NORDW else 0  # such a record has four bytes in front that are not its own
    with open_raw(dump.path) as file:
        at = max(wish, ahead)
        while at < dump.size:
            file.seek(at - ahead)
            window = bytes(file.read(WINDOW))
            last = at - ahead + len(window) >= dump.size
            found = find_start(window, dump.framing, 0, last)
            if found is not None:
                return at + found
            if last:
                return None
            at += len(window) - LOOKAHEAD
    return None
