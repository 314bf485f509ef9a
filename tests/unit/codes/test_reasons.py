"""A reason code has a name and a sentence, and an error shows both."""

import pytest

from kew.codes import reasons
from kew.codes.completion import MQCC_FAILED, MQCC_WARNING
from kew.codes.errors import BackedOut, Broken, MQError, NoMessage
from kew.codes.reason_texts import REASON_TEXTS


def test_every_code_has_a_text_and_every_text_a_code() -> None:
    names = set(reasons.reason_codes().values())
    assert set(REASON_TEXTS) == names
    assert len(names) > 900
    for name, text in REASON_TEXTS.items():
        assert text.endswith("."), name
        assert text[0].isupper() or text.startswith("."), name


def test_names_and_texts() -> None:
    assert reasons.reason_name(2033) == "MQRC_NO_MSG_AVAILABLE"
    assert reasons.reason_name(2192) == "MQRC_PAGESET_FULL"
    assert reasons.reason_name(3200) == "MQRCCF_NONE_FOUND"
    assert reasons.reason_name(1234) == "1234"
    assert reasons.reason_text(2053) == "The queue holds MAXDEPTH messages."
    assert reasons.reason_text(950) == "A reason that an application or an exit chose."
    assert reasons.reason_text(1234) == "No explanation is recorded for this reason code."


def test_reason_codes_is_a_copy() -> None:
    reasons.reason_codes().clear()
    assert reasons.reason_name(2085) == "MQRC_UNKNOWN_OBJECT_NAME"


def test_error_carries_completion_reason_and_facts() -> None:
    error = MQError(reasons.MQRC_Q_FULL, queue="Q1", depth=5000)
    assert (error.completion, error.reason, error.name) == (MQCC_FAILED, 2053, "MQRC_Q_FULL")
    assert error.facts == {"queue": "Q1", "depth": 5000}
    assert str(error) == "2053 MQRC_Q_FULL: The queue holds MAXDEPTH messages. (queue 'Q1', depth 5000)"
    assert str(MQError(2035)) == "2035 MQRC_NOT_AUTHORIZED: The user may not do this."
    assert MQError(reasons.MQRC_MULTIPLE_REASONS, completion=MQCC_WARNING).completion == MQCC_WARNING


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NoMessage(queue="Q1"), reasons.MQRC_NO_MSG_AVAILABLE),
        (BackedOut(queue="Q1"), reasons.MQRC_BACKED_OUT),
        (Broken(queue="Q1"), reasons.MQRC_CONNECTION_BROKEN),
        (Broken(reasons.MQRC_Q_MGR_STOPPING, queue="Q1"), reasons.MQRC_Q_MGR_STOPPING),
    ],
)
def test_subclasses_are_errors_with_their_reason(error: MQError, reason: int) -> None:
    assert isinstance(error, MQError)
    assert (error.reason, error.completion, error.facts) == (reason, MQCC_FAILED, {"queue": "Q1"})
