"""An index of a queue's messages by one of their ids, in at most 136 bytes a message.

The index is a hash table of lists in flat arrays: a bucket leads to the first node of each key that falls into it, and
the nodes of one key form a ring in order of arrival, so the oldest message with a given id is found at once, however
many messages share the id.

A node is eight words of 32 bits in one array, so that reading it, in a deep queue mostly from main memory, is one
memory access. With buckets of four bytes and arrays that grow, a message costs 36 to 44 bytes.

    word  field
       0  key: the 32-bit hash in the directory entry; two ids may share it, so a look-up compares the message
       1  next node of the same key, around the ring
       2  previous node of the same key
       3  next key in the same bucket, on the first node of each key; next free node, on a free one
       4  page of the message's directory
       5  slot there
    6, 7  unused
"""

from array import array
from typing import Final

_NONE: Final = 0  # node 0 is never used
_FIRST_BUCKETS: Final = 64
_WORDS: Final = 8

# A node is known by the place of its first word.
_NEXT: Final = 1
_PREVIOUS: Final = 2
_CHAIN: Final = 3
_PAGE: Final = 4
_SLOT: Final = 5


class IdIndex:
    """A multimap from hash to place; the places of each key are in order of arrival."""

    def __init__(self) -> None:
        self._empty = array("I", bytes(4 * _WORDS))
        self._words = array("I", self._empty)
        self._buckets = array("I", bytes(4 * _FIRST_BUCKETS))
        self._mask = _FIRST_BUCKETS - 1
        self._free: int = _NONE
        self._keys_used = 0
        self.size = 0

    def memory(self) -> int:
        """Count the bytes the index takes."""
        return sum([each.buffer_info()[1] * each.itemsize for each in (self._words, self._buckets)])

    def _head(self, key: int) -> int:
        words = self._words
        node = self._buckets[key & self._mask]
        while node and words[node] != key:
            node = words[node + _CHAIN]
        return node

    def _node(self) -> int:
        node = self._free
        if node:
            self._free = self._words[node + _CHAIN]
            return node
        node = len(self._words)
        self._words.extend(self._empty)
        return node

    def add(self, key: int, place: int) -> int:
        """Add a key's newest place; gives its node."""
        node = self._node()
        words = self._words
        words[node] = key
        words[node + _PAGE] = place >> 8
        words[node + _SLOT] = place & 255
        head = self._head(key)
        if head:
            last = words[head + _PREVIOUS]
            words[last + _NEXT] = node
            words[node + _PREVIOUS] = last
            words[node + _NEXT] = head
            words[head + _PREVIOUS] = node
        else:
            words[node + _NEXT] = node
            words[node + _PREVIOUS] = node
            bucket = key & self._mask
            words[node + _CHAIN] = self._buckets[bucket]
            self._buckets[bucket] = node
            self._keys_used += 1
            if self._keys_used > self._mask:
                self._grow()
        self.size += 1
        return node

    def _grow(self) -> None:
        words = self._words
        heads: list[int] = []
        for first in self._buckets:
            node = first
            while node:
                heads.append(node)
                node = words[node + _CHAIN]
        buckets = array("I", bytes(8 * len(self._buckets)))
        mask = len(buckets) - 1
        for node in heads:
            bucket = words[node] & mask
            words[node + _CHAIN] = buckets[bucket]
            buckets[bucket] = node
        self._buckets = buckets
        self._mask = mask

    def remove(self, key: int, place: int) -> bool:
        """Remove a place; says whether it was there."""
        words = self._words
        head = self._head(key)
        if not head:
            return False
        node = head
        page, slot = place >> 8, place & 255
        while words[node + _PAGE] != page or words[node + _SLOT] != slot:
            node = words[node + _NEXT]
            if node == head:
                return False
        self.take_out(node)
        return True

    def take_out(self, node: int) -> None:
        """Remove a node."""
        words = self._words
        following = words[node + _NEXT]
        if following == node:
            self._replace_key(node, words[node + _CHAIN])
            self._keys_used -= 1
        else:
            before = words[node + _PREVIOUS]
            words[before + _NEXT] = following
            words[following + _PREVIOUS] = before
            if node == self._head(words[node]):
                words[following + _CHAIN] = words[node + _CHAIN]
                self._replace_key(node, following)
        words[node + _CHAIN] = self._free
        self._free = node
        self.size -= 1

    def _replace_key(self, node: int, by: int) -> None:
        # In the list of its bucket.
        words = self._words
        bucket = words[node] & self._mask
        at = self._buckets[bucket]
        if at == node:
            self._buckets[bucket] = by
            return
        while words[at + _CHAIN] != node:
            at = words[at + _CHAIN]
        words[at + _CHAIN] = by

    def first(self, key: int) -> int:
        """Give the node of a key's oldest place; 0 if there is none."""
        return self._head(key)

    def following(self, node: int, head: int) -> int:
        """Give the node after another node of the same key; 0 after the last one."""
        following = self._words[node + _NEXT]
        return _NONE if following == head else following

    def place(self, node: int) -> int:
        """Give the place of a node."""
        return self._words[node + _PAGE] << 8 | self._words[node + _SLOT]
