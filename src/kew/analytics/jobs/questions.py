"""The analyses by name and the options of each, known before Spark has started."""

from collections.abc import Sequence
from typing import Final

PAYERS: Final = ("user", "job", "channel", "queue", "application")
TASK_KEYS: Final = ("job", "user", "channel")


class Question:
    """The parameters of an analysis beyond its span of time and its queue managers."""

    def __init__(self, by: Sequence[str] = (), queue: bool = False, user: bool = False) -> None:
        self.by = by  # what its rows can be for
        self.queue = queue  # whether it looks at queues
        self.user = user  # whether it looks at tasks


QUESTIONS: Final[dict[str, Question]] = {
    "bursts": Question(queue=True),
    "logger": Question(),
    "pools": Question(),
    "indexes": Question(queue=True, user=True),
    "costs": Question(PAYERS, queue=True, user=True),
    "bill": Question(PAYERS, queue=True, user=True),
    "tasksum": Question(TASK_KEYS, queue=True, user=True),
    "qsum": Question(queue=True, user=True),
    "pagesets": Question(),
    "regressions": Question(queue=True, user=True),
    "anomalies": Question(queue=True, user=True),
    "forecast": Question(queue=True, user=True),
    "compare": Question(queue=True, user=True),
    "capacity": Question(),
    "consumers": Question(queue=True),
}


def check(name: str, by: str, queue: str, user: str) -> None:
    """Refuse options that an analysis does not have."""
    asked = QUESTIONS[name]
    if queue and not asked.queue:
        those = [one for one, question in QUESTIONS.items() if question.queue]
        raise ValueError(f"{name} does not look at queues; --queue is for {', '.join(those)}")
    if user and not asked.user:
        those = [one for one, question in QUESTIONS.items() if question.user]
        raise ValueError(f"{name} does not look at users; --user is for {', '.join(those)}")
    if by and not asked.by:
        those = [one for one, question in QUESTIONS.items() if question.by]
        raise ValueError(f"{name} has one kind of row; --by is for {', '.join(those)}")
    if by and by not in asked.by:
        raise ValueError(f"{name} can be shown by {', '.join(asked.by)}, not by {by}")
