"""Generic profiles: what they match, and which of two is the more specific."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kew.security.profiles import BadProfile, Profile, by_specificity, is_generic, within

# From MQ's own description of profiles, and what follows from it.
MATCHES = [
    ("AB.?D", "AB.CD", True),
    ("AB.?D", "AB.D", False),
    ("AB?CD", "AB.CD", False),
    ("ABC.*.JKL", "ABC.DEF.JKL", True),
    ("ABC.*.JKL", "ABC.JKL", False),
    ("ABC.*.JKL", "ABC.D.E.JKL", False),
    ("ABC.DE*.JKL", "ABC.DE.JKL", True),
    ("ABC.DE*.JKL", "ABC.DEGH.JKL", True),
    ("ABC.DE*.JKL", "ABC.D.JKL", False),
    ("**", "ANYTHING.AT.ALL", True),
    ("*", "ONE", True),
    ("*", "ONE.TWO", False),
    ("**.ABC", "ABC", True),
    ("**.ABC", "X.Y.ABC", True),
    ("**.ABC", "X.Y.ABCD", False),
    ("A.**.Z", "A.Z", True),
    ("A.**.Z", "A.B.C.Z", True),
    ("A.**.Z", "A", False),
    ("A.**", "A", True),
    ("A.**", "A.B.C", True),
    ("A.**", "AB.C", False),
    ("A.B", "A.B", True),
    ("A.B", "A.b", False),
]


@pytest.mark.parametrize(("profile", "name", "expected"), MATCHES)
def test_what_a_profile_is_about(profile: str, name: str, expected: bool) -> None:
    assert Profile(profile).matches(name) is expected


@pytest.mark.parametrize("profile", ["**.A.**", "A**", "A.**B", "***"])
def test_two_asterisks_stand_for_whole_qualifiers_and_once(profile: str) -> None:
    with pytest.raises(BadProfile):
        Profile(profile)


# The first of each pair is the more specific.
ORDER = [
    ("AB.C*", "AB.*"),
    ("AB.CD", "AB.C?"),
    ("AB.?D", "AB.*D"),
    ("AB.*", "AB.**"),
    ("AB.*D", "AB.*"),
    ("AB.CD", "**"),
    ("A.*.C", "A.**"),
    ("A.?", "A.**"),
    ("A", "A.**"),
    ("*", "*.**"),
    ("A*B", "A*"),
    ("A", "A*"),
    ("A?", "A?*"),
    ("A*?", "A*"),
]


@pytest.mark.parametrize(("sharp", "vague"), ORDER)
def test_the_more_specific_profile_comes_first(sharp: str, vague: str) -> None:
    assert sorted([Profile(vague), Profile(sharp)], key=by_specificity)[0].text == sharp


NAMES = st.lists(st.text("AB", min_size=1, max_size=3), min_size=1, max_size=4).map(".".join)
QUALIFIERS = st.text("AB*?", min_size=1, max_size=4).filter(lambda text: "**" not in text)
PROFILES = st.builds(
    lambda head, wild, tail: ".".join([*head, *wild, *tail]),
    st.lists(QUALIFIERS, min_size=1, max_size=3),
    st.sampled_from([[], ["**"]]),
    st.lists(QUALIFIERS, max_size=2),
)


def reference(pattern: str, name: str) -> bool:
    """Match by the definition, trying everything."""
    if pattern.startswith("**"):
        rest = pattern[3:]
        if not rest:
            return True
        parts = name.split(".")
        return any(reference(rest, ".".join(parts[place:])) for place in range(len(parts)))
    head, dot, rest = pattern.partition(".")
    first, more, others = name.partition(".")
    if not slow_within(head, first):
        return False
    if not dot:
        return not more
    if rest.startswith("**"):
        return rest == "**" or (reference(rest, others) if more else False)
    return bool(more) and reference(rest, others)


def slow_within(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*":
        return any(slow_within(pattern[1:], text[place:]) for place in range(len(text) + 1))
    return bool(text) and pattern[0] in ("?", text[0]) and slow_within(pattern[1:], text[1:])


@given(PROFILES, NAMES)
def test_matching_is_what_trying_everything_says(profile: str, name: str) -> None:
    assert Profile(profile).matches(name) is reference(profile, name)


@given(st.text("AB*?", max_size=8), st.text("AB", max_size=8))
def test_matching_within_a_qualifier_is_what_trying_everything_says(pattern: str, text: str) -> None:
    assert within(pattern, text) is slow_within(pattern, text)


@settings(max_examples=1000)
@given(NAMES, PROFILES)
def test_the_name_itself_is_more_specific_than_any_pattern_that_matches_it(name: str, profile: str) -> None:
    pattern = Profile(profile)
    if is_generic(profile) and pattern.matches(name):
        assert by_specificity(Profile(name)) < by_specificity(pattern)


@given(st.lists(PROFILES, max_size=6))
def test_specificity_is_an_order(profiles: list[str]) -> None:
    ranked = [profile.text for profile in sorted(map(Profile, profiles), key=by_specificity)]
    again = [profile.text for profile in sorted(map(Profile, reversed(profiles)), key=by_specificity)]
    assert ranked == again
