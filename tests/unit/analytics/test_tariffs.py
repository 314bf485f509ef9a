import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.analytics.jobs.questions import QUESTIONS, check
from kew.analytics.jobs.tariffs import pattern_of, read_tariff

TARIFF = """
currency = "EUR"
[rates]
cpu_seconds = 0.25
gigabytes = 1
[[application]]
name = "Payments"
users = ["PAY*"]
queues = ["PAY_MENT.*", "50%"]
"""


def test_a_tariff_is_read() -> None:
    tariff = read_tariff(TARIFF)
    assert (tariff.currency, tariff.rates) == ("EUR", {"cpu_seconds": 0.25, "gigabytes": 1.0})
    (application,) = tariff.applications
    assert application.names == {"user": ["PAY%"], "queue": ["PAY\\_MENT.%", "50\\%"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rates = 3", "the tariff has the form"),
        ("rates =", "the tariff is not TOML"),
        ("[rate]", "the tariff has no rate; there are currency, rates, application"),
        ("[rates]\ncpu = 1", r"\[rates\] has no cpu; there are cpu_seconds, messages, gigabytes, log_gigabytes"),
        ("[rates]\ncpu_seconds = -1", "a rate is a number of at least 0"),
        ("[rates]\ncpu_seconds = nan", "a rate is a number of at least 0"),
        ("[rates]\ncpu_seconds = true", "a rate is a number of at least 0"),
        ("application = 1", r"begins with \[\[application\]\]"),
        ("[[application]]\nusers = ['A']", "an application of the tariff has a name"),
        ("[[application]]\nname = 'A'", "application A names no users, jobs, channels, queues"),
        ("[[application]]\nname = 'A'\nusers = 'B'", "application A: users is a list of names"),
        ("[[application]]\nname = 'A'\nuser = ['B']", "application A has no user"),
    ],
)
def test_what_is_wrong_with_a_tariff_is_said(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_tariff(text)


@given(text=st.text(max_size=60) | st.text(alphabet='[]="rates\n', max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        read_tariff(text)
    except ValueError as problem:
        assert str(problem)


def test_generic_names_are_those_of_mq() -> None:
    assert pattern_of("A.*") == "A.%"
    assert pattern_of("A%B_C\\") == "A\\%B\\_C\\\\"


def test_what_an_analysis_would_not_heed_is_refused() -> None:
    for name, question in QUESTIONS.items():
        for queue, user, heeded in (("Q", "", question.queue), ("", "U", question.user)):
            if heeded:
                check(name, "", queue, user)
            else:
                with pytest.raises(ValueError, match=f"{name} does not look at (queues|users)"):
                    check(name, "", queue, user)
    with pytest.raises(ValueError, match="tasksum can be shown by job, user, channel, not by queue"):
        check("tasksum", "queue", "", "")
    with pytest.raises(ValueError, match="pools has one kind of row; --by is for costs, bill, tasksum"):
        check("pools", "user", "", "")
