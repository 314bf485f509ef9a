"""The dirty frames of a pool, in the order in which they became dirty.

The entry of a frame that becomes clean stays in the queue and is no longer valid. An entry is valid if its frame is
dirty and still has the number that it was given with the entry. So cleaning, which happens for every message that is
got, changes only the frame itself, and invalid entries are removed many at a time.
"""

from typing import Final

from kew.storage.buffers.frame import Frame

_FEW: Final = 64  # entries that are not worth clearing away


class DirtyQueue:
    """A queue of frames in the order in which they became dirty."""

    def __init__(self, volatile: bool) -> None:
        self.count = 0  # frames that are dirty
        self._passing = volatile  # it has frames of one kind; a frame is cleaned before its kind is changed
        self._entries: list[Frame] = []
        self._first_turn = 0  # that of the first entry
        self._gone = 0  # entries at the front that do not count

    def add(self, frame: Frame) -> None:
        """Append a frame that has become dirty."""
        entries = self._entries
        frame.turn = self._first_turn + len(entries)
        entries.append(frame)
        self.count += 1

    def remove(self) -> None:
        """Count one entry fewer, since its frame was cleaned or is being written."""
        self.count -= 1
        if len(self._entries) > 2 * self.count + _FEW:
            self._clear_away()

    def oldest(self, most: int) -> list[Frame]:
        """Give the frames that have been dirty longest, up to a number of them."""
        entries, passing = self._entries, self._passing
        chosen: list[Frame] = []
        place = self._gone
        while place < len(entries) and len(chosen) < most:
            frame = entries[place]
            if frame.dirty and frame.volatile == passing and frame.turn == self._first_turn + place:
                chosen.append(frame)
            elif not chosen:
                self._gone = place + 1
            place += 1
        return chosen

    def _clear_away(self) -> None:
        kept = self.oldest(len(self._entries))
        self._entries = []
        self._first_turn = 0
        self._gone = 0
        self.count = 0
        for frame in kept:
            self.add(frame)
