"""Publications find exactly the subscriptions whose patterns they fit, and touch few others."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_TOPIC_STRING_ERROR
from kew.topics.index import SubscriptionIndex
from kew.topics.patterns import CharacterPattern

EXAMPLES = [
    ("Sport/Soccer", "Sport/Soccer", True),
    ("Sport/Soccer", "sport/soccer", False),
    ("Sport/+", "Sport/Soccer", True),
    ("Sport/+", "Sport", False),
    ("Sport/+", "Sport/", True),
    ("Sport/+", "Sport/Soccer/Results", False),
    ("Sport/#", "Sport", True),
    ("Sport/#", "Sport/Soccer/Results", True),
    ("#", "", True),
    ("#", "a/b/c", True),
    ("+", "a", True),
    ("+", "a/b", False),
    ("+/+", "/a", True),
    ("#/Results", "Sport/Soccer/Results", True),
    ("#/Results", "Results", True),
    ("#/Results", "Results/Old", False),
    ("Sport/#/Results", "Sport/Results", True),
    ("Sport/#/Results", "Sport/Soccer/2026/Results", True),
    ("Sport/#/#/Results", "Sport/Soccer/2026/Results", True),
    ("Sport/So+", "Sport/Soccer", False),
    ("Sport/So+", "Sport/So+", True),
    ("/Sport", "Sport", False),
    ("a//b", "a//b", True),
]


@pytest.mark.parametrize(("pattern", "topic", "fits"), EXAMPLES)
def test_patterns_by_level(pattern: str, topic: str, fits: bool) -> None:
    index: SubscriptionIndex[str] = SubscriptionIndex()
    index.add(pattern, "somebody")
    assert index.match(topic) == (["somebody"] if fits else [])


@pytest.mark.parametrize(
    ("pattern", "topic", "fits"),
    [
        ("Sport*", "Sport", True),
        ("Sport*", "Sport/Soccer/Results", True),
        ("Sport/?occer", "Sport/Soccer", True),
        ("Sport/?occer", "Sport/occer", False),
        ("*/Results", "Sport/Soccer/Results", True),
        ("*/Results", "Results", False),
        ("*o*r*", "Sport/Soccer", True),
        ("a%*b", "a*b", True),
        ("a%*b", "axb", False),
        ("100%%", "100%", True),
        ("%a", "a", True),
        ("", "", True),
        ("*", "", True),
        ("?", "", False),
        ("a*a", "a", False),
    ],
)
def test_patterns_by_character(pattern: str, topic: str, fits: bool) -> None:
    index: SubscriptionIndex[str] = SubscriptionIndex()
    index.add(pattern, "somebody", by_character=True)
    assert index.match(topic) == (["somebody"] if fits else [])


def test_an_escape_must_escape_something() -> None:
    with pytest.raises(MQError) as refused:
        CharacterPattern("a/b%")
    assert refused.value.reason == MQRC_TOPIC_STRING_ERROR
    assert refused.value.facts["position"] == 4


@pytest.mark.parametrize("topic", ["x" * 10241, "a\0b"])
def test_topics_that_are_too_long_or_hold_nulls_are_refused(topic: str) -> None:
    index: SubscriptionIndex[str] = SubscriptionIndex()
    for use in (index.match, lambda text: index.add(text, "somebody")):
        with pytest.raises(MQError) as refused:
            use(topic)
        assert refused.value.reason == MQRC_TOPIC_STRING_ERROR
    assert len(index) == 0


LEVELS = st.lists(st.sampled_from(["a", "b", "", "+", "#", "a+"]), min_size=1, max_size=6).map("/".join)
TOPICS = st.lists(st.sampled_from(["a", "b", "", "a+"]), min_size=1, max_size=6).map("/".join)


def _by_level(pattern: str, topic: str) -> bool:
    """The meaning, said another way: tried level by level."""

    def fits(wanted: list[str], given: list[str]) -> bool:
        if not wanted:
            return not given
        if wanted[0] == "#":
            return any(fits(wanted[1:], given[skip:]) for skip in range(len(given) + 1))
        return bool(given) and wanted[0] in ("+", given[0]) and fits(wanted[1:], given[1:])

    return fits(pattern.split("/"), topic.split("/"))


@given(st.lists(LEVELS, max_size=8), TOPICS, st.data())
def test_the_index_agrees_with_a_look_at_each_pattern(patterns: list[str], topic: str, data: st.DataObject) -> None:
    index: SubscriptionIndex[int] = SubscriptionIndex()
    names = list(range(1000, 1000 + len(patterns)))
    for name, pattern in zip(names, patterns, strict=True):
        index.add(pattern, name)
    gone = set(data.draw(st.lists(st.sampled_from(names), unique=True))) if names else set()
    for name, pattern in zip(names, patterns, strict=True):
        if name in gone:
            index.remove(pattern, name)
    expected = [
        name for name, pattern in zip(names, patterns, strict=True) if name not in gone and _by_level(pattern, topic)
    ]
    assert sorted(index.match(topic)) == expected
    assert len(index) == len(names) - len(gone)


@given(st.text("ab/%*?", max_size=8), st.text("ab/%*?", max_size=8))
def test_character_patterns_agree_with_regular_expressions(pattern: str, topic: str) -> None:
    if re.search(r"(?<!%)(%%)*%$", pattern):
        with pytest.raises(MQError):
            CharacterPattern(pattern)
        return
    expression = ""
    for part in re.findall(r"%.|.", pattern):
        expression += ".*" if part == "*" else "." if part == "?" else re.escape(part[-1])
    assert CharacterPattern(pattern).matches(topic) == bool(re.fullmatch(expression, topic, re.DOTALL))


def test_what_is_removed_leaves_nothing_behind() -> None:
    index: SubscriptionIndex[str] = SubscriptionIndex()
    index.add("a/+/c", "one")
    index.add("a/*", "two", by_character=True)
    with pytest.raises(KeyError):
        index.remove("a/+", "one")
    with pytest.raises(KeyError):
        index.remove("a/*", "one", by_character=True)
    index.remove("a/+/c", "one")
    index.remove("a/*", "two", by_character=True)
    assert index.match("a/b/c") == []
    assert len(index) == 0
    assert index._root.is_bare()


def test_many_wildcards_do_not_make_a_publication_slow() -> None:
    index: SubscriptionIndex[str] = SubscriptionIndex()
    index.add("/".join(["#", "a"] * 20 + ["b"]), "patient")
    index.add("*a" * 40 + "b", "patient", by_character=True)
    assert index.match("/".join(["a"] * 200)) == []
