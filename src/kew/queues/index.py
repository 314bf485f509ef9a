"""An index of a queue's messages by one of their ids, in at most 136 bytes a message.

The index is a hash table of lists in flat arrays: a bucket leads to the first node of each key that falls into it, and
the nodes of one key form a ring in order of arrival, so the oldest message with a given id is found at once however
many share it. A node has 28 bytes and a bucket four, so with arrays that double a message costs 32 to 70 bytes.

Keys are the 32-bit hashes in the directory entries; two ids may share a hash, so whoever looks up compares the message.
"""

from array import array
from typing import Final

_NONE: Final = 0  # node 0 is never used
_FIRST_BUCKETS: Final = 64


class IdIndex:
    """A multimap from hash to place, each key's places in order of arrival."""

    def __init__(self) -> None:
        self._keys = array("I", [0])
        self._places = array("Q", [0])
        self._next = array("I", [0])  # next node of the same key, around the ring
        self._previous = array("I", [0])
        self._chain = array("I", [0])  # next key in the same bucket; kept on the first node of each key
        self._buckets = array("I", bytes(4 * _FIRST_BUCKETS))
        self._free: int = _NONE
        self._keys_used = 0
        self.size = 0

    def memory(self) -> int:
        """Count the bytes the index takes."""
        arrays = (self._keys, self._places, self._next, self._previous, self._chain, self._buckets)
        return sum([each.buffer_info()[1] * each.itemsize for each in arrays])

    def _head(self, key: int) -> int:
        node = self._buckets[key & (len(self._buckets) - 1)]
        while node and self._keys[node] != key:
            node = self._chain[node]
        return node

    def _node(self) -> int:
        node = self._free
        if node:
            self._free = self._chain[node]
            return node
        self._keys.append(0)
        self._places.append(0)
        self._next.append(0)
        self._previous.append(0)
        self._chain.append(0)
        return len(self._keys) - 1

    def add(self, key: int, place: int) -> int:
        """Add the newest place of a key; gives its node."""
        node = self._node()
        self._keys[node] = key
        self._places[node] = place
        head = self._head(key)
        if head:
            last = self._previous[head]
            self._next[last] = node
            self._previous[node] = last
            self._next[node] = head
            self._previous[head] = node
        else:
            self._next[node] = node
            self._previous[node] = node
            bucket = key & (len(self._buckets) - 1)
            self._chain[node] = self._buckets[bucket]
            self._buckets[bucket] = node
            self._keys_used += 1
            if self._keys_used > len(self._buckets):
                self._grow()
        self.size += 1
        return node

    def _grow(self) -> None:
        heads: list[int] = []
        for first in self._buckets:
            node = first
            while node:
                heads.append(node)
                node = self._chain[node]
        self._buckets = array("I", bytes(8 * len(self._buckets)))
        mask = len(self._buckets) - 1
        for node in heads:
            bucket = self._keys[node] & mask
            self._chain[node] = self._buckets[bucket]
            self._buckets[bucket] = node

    def remove(self, key: int, place: int) -> bool:
        """Take a place out; say whether it was there."""
        head = self._head(key)
        if not head:
            return False
        node = head
        while self._places[node] != place:
            node = self._next[node]
            if node == head:
                return False
        self.take_out(node)
        return True

    def take_out(self, node: int) -> None:
        """Take a node out."""
        if self._next[node] == node:
            self._unlink_key(node)
            self._keys_used -= 1
        else:
            following = self._next[node]
            before = self._previous[node]
            self._next[before] = following
            self._previous[following] = before
            if node == self._head(self._keys[node]):
                self._replace_key(node, following)
        self._chain[node] = self._free
        self._free = node
        self.size -= 1

    def _unlink_key(self, node: int) -> None:
        bucket = self._keys[node] & (len(self._buckets) - 1)
        at = self._buckets[bucket]
        if at == node:
            self._buckets[bucket] = self._chain[node]
            return
        while self._chain[at] != node:
            at = self._chain[at]
        self._chain[at] = self._chain[node]

    def _replace_key(self, node: int, by: int) -> None:
        bucket = self._keys[node] & (len(self._buckets) - 1)
        self._chain[by] = self._chain[node]
        at = self._buckets[bucket]
        if at == node:
            self._buckets[bucket] = by
            return
        while self._chain[at] != node:
            at = self._chain[at]
        self._chain[at] = by

    def first(self, key: int) -> int:
        """Give the node of a key's oldest place, 0 if there is none."""
        return self._head(key)

    def following(self, node: int, head: int) -> int:
        """Give the node after another of the same key, 0 at the end."""
        following = self._next[node]
        return _NONE if following == head else following

    def place(self, node: int) -> int:
        """Give a node's place."""
        return self._places[node]
