"""The index of subscriptions by topic: its cost grows with the levels of a topic, not with the number of subscriptions.

Patterns by level stand in a tree of levels. The search for a topic keeps the set of nodes that match the levels so far:
at each level a node leads to its child of that name, to its `+` and to its `#`, and a `#` stays in the set. So the
search takes at most as many steps as levels times nodes reached, however many wildcards a pattern has.

Patterns by character are in a table, with the text before the first wildcard as key. The search looks up the beginnings
of the topic that are as long as a key.
"""

from typing import Generic, TypeVar

from kew.topics.patterns import MANY_LEVELS, ONE_LEVEL, CharacterPattern, level_pattern, levels_of

S = TypeVar("S")


class _Node(Generic[S]):
    def __init__(self) -> None:
        self.children: dict[str, _Node[S]] = {}
        self.subscribers: list[S] = []

    def is_bare(self) -> bool:
        return not self.children and not self.subscribers


class SubscriptionIndex(Generic[S]):
    """Subscriptions by the patterns of their topics."""

    def __init__(self) -> None:
        self._root: _Node[S] = _Node()
        self._by_prefix: dict[str, list[tuple[CharacterPattern, str, S]]] = {}
        self._lengths: dict[int, int] = {}  # of prefixes, and how many patterns have one of that length
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, pattern: str, subscriber: S, by_character: bool = False) -> None:
        """Add a subscription by its pattern."""
        if by_character:
            parsed = CharacterPattern(pattern)
            self._by_prefix.setdefault(parsed.prefix, []).append((parsed, pattern, subscriber))
            self._lengths[len(parsed.prefix)] = self._lengths.get(len(parsed.prefix), 0) + 1
        else:
            node = self._root
            for level in level_pattern(pattern):
                child = node.children.get(level)
                if child is None:
                    child = _Node()
                    node.children[level] = child
                node = child
            node.subscribers.append(subscriber)
        self._count += 1

    def remove(self, pattern: str, subscriber: S, by_character: bool = False) -> None:
        """Remove a subscription with the pattern that it was added with; KeyError if the index does not have it."""
        if by_character:
            self._remove_by_character(pattern, subscriber)
        else:
            self._remove_by_level(pattern, subscriber)
        self._count -= 1

    def _remove_by_character(self, pattern: str, subscriber: S) -> None:
        prefix = CharacterPattern(pattern).prefix
        entries = self._by_prefix.get(prefix, [])
        for place, (_parsed, text, found) in enumerate(entries):
            if found is subscriber and text == pattern:
                del entries[place]
                if not entries:
                    del self._by_prefix[prefix]
                self._lengths[len(prefix)] -= 1
                if not self._lengths[len(prefix)]:
                    del self._lengths[len(prefix)]
                return
        raise KeyError(pattern)

    def _remove_by_level(self, pattern: str, subscriber: S) -> None:
        levels = level_pattern(pattern)
        path = [self._root]
        for level in levels:
            path.append(path[-1].children[level])
        subscribers = path[-1].subscribers
        for place, found in enumerate(subscribers):
            if found is subscriber:
                del subscribers[place]
                break
        else:
            raise KeyError(pattern)
        for depth in range(len(levels), 0, -1):
            if not path[depth].is_bare():
                break
            del path[depth - 1].children[levels[depth - 1]]

    def match(self, topic: str) -> list[S]:
        """Give the subscriptions that match a topic, each as often as it was added."""
        found: list[S] = []
        for node in self._reach(levels_of(topic)):
            found += node.subscribers
        for length in self._lengths:
            if length <= len(topic):
                for parsed, _text, subscriber in self._by_prefix.get(topic[:length], ()):
                    if parsed.matches(topic):
                        found.append(subscriber)
        return found

    def _reach(self, levels: list[str]) -> list[_Node[S]]:
        # The nodes at which the topic may be: plain ones, and `#` ones, which it may stay at.
        plain = [self._root]
        staying: list[_Node[S]] = []
        _close(plain, staying)
        for level in levels:
            after: list[_Node[S]] = []
            for node in plain:
                _step(node, level, after)
            for node in staying:
                _step(node, level, after)
            plain = after
            _close(plain, staying)
        return plain + staying


def _step(node: _Node[S], level: str, after: list[_Node[S]]) -> None:
    child = node.children.get(level)
    if child is not None and level != ONE_LEVEL and level != MANY_LEVELS:
        after.append(child)
    child = node.children.get(ONE_LEVEL)
    if child is not None:
        after.append(child)


def _close(plain: list[_Node[S]], staying: list[_Node[S]]) -> None:
    # Behind a node may stand a `#`, which also means no level at all. No `#` follows another, so one look is enough.
    for node in plain:
        child = node.children.get(MANY_LEVELS)
        if child is not None and child not in staying:
            staying.append(child)
