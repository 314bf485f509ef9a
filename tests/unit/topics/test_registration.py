"""What a subscription keeps of its registration."""

from hypothesis import given
from hypothesis import strategies as st

from kew.codes import attributes as a
from kew.codes.options import MQPER_NOT_PERSISTENT, MQPER_PERSISTENCE_AS_Q_DEF, MQPER_PERSISTENT
from kew.topics.registration import AS_PUBLISHED, Registration, registration_of

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=10)


@given(TEXT, TEXT, TEXT, st.binary(min_size=24, max_size=24), st.lists(TEXT, max_size=3), st.booleans())
def test_it_comes_back_as_it_was(
    topic: str, queue: str, name: str, correlation_id: bytes, identities: list[str], exclusive: bool
) -> None:
    one = Registration()
    one.form, one.options, one.stream, one.prefix = 2, 66561, "S", "s/t"
    one.topic, one.queue, one.name, one.filter = topic, queue, name, queue
    one.correlation_id, one.identities, one.exclusive = correlation_id, identities, exclusive
    again = registration_of(one.text())
    assert vars(again) == vars(one)


def test_what_follows_for_copies() -> None:
    one = Registration()
    assert (one.persistence(), one.tells_retained(), one.stream_in_copies()) == (AS_PUBLISHED, False, ("", ""))
    for option, persistence in (
        (a.MQREGO_NON_PERSISTENT, MQPER_NOT_PERSISTENT),
        (a.MQREGO_PERSISTENT, MQPER_PERSISTENT),
        (a.MQREGO_PERSISTENT_AS_Q, MQPER_PERSISTENCE_AS_Q_DEF),
        (a.MQREGO_PERSISTENT_AS_PUBLISH, AS_PUBLISHED),
    ):
        one.options = option
        assert one.persistence() == persistence
    one.options = a.MQREGO_INCLUDE_STREAM_NAME | a.MQREGO_INFORM_IF_RETAINED
    one.stream, one.prefix = "S", "s"
    assert (one.tells_retained(), one.stream_in_copies()) == (True, ("s", "S"))
