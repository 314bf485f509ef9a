"""Operator messages: ids, severities, inserts, and the words of the seed where it gives them."""

import re
import string
from pathlib import Path

import pytest

import kew
from kew.codes.messages import MESSAGES, NO_ACTION, SEVERITIES, Message, format_message


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_message_is_whole(message: Message) -> None:
    assert re.fullmatch(r"AMQ\d{4}[IWEST]|CSQ[A-Z]\d{3}[IWEAS]", message.id)
    assert message.severity == SEVERITIES[message.id[-1]]
    for part in (message.text, message.explanation, message.action):
        assert part
        assert part.endswith(".")
        for _, field, _, _ in string.Formatter().parse(part):
            assert field is None or re.fullmatch(r"[ac][1-9]", field), field


def test_what_goes_wrong_comes_with_what_to_do() -> None:
    assert [message.id for message in MESSAGES.values() if message.severity and message.action == NO_ACTION] == []


def test_every_message_is_told_and_has_its_row() -> None:
    """A row that nobody tells is a promise that nobody keeps; an id without a row has no text."""
    package = Path(kew.__file__).parent
    sources = [path for path in package.rglob("*.py") if path != package / "codes" / "messages.py"]
    text = "\n".join([path.read_text() for path in sources])
    assert [identifier for identifier in MESSAGES if f'"{identifier}"' not in text] == []
    told = set(re.findall(r'tell\(\s*"([A-Z0-9]+)"', text))
    assert told - set(MESSAGES) == set()


def test_ids_are_unique() -> None:
    numbers = [identifier[:-1] for identifier in MESSAGES]
    assert len(set(numbers)) == len(numbers)


def test_slow_log_write_reads_as_the_report_prints_it() -> None:
    message = format_message("AMQ6729W", (4096,), ("W", "7000", "10465"))
    assert message.text == "Log I/O operation (W) exceeded threshold (7000 microseconds)."
    assert message.explanation == (
        "A Read (R) or Write (W) of 4096 bytes took longer than expected to complete. This might indicate a problem "
        "with your O/S or storage system. If this occurs frequently, queue manager performance is likely to be "
        "severely impacted."
    )
    assert message.action == (
        "Investigate cause of long I/O times in your storage provision. If these delays are expected in your "
        "environment, the warning threshold can be increased by modifying the AMQ_IODELAY environment variable."
    )


def test_streaming_message_reads_as_the_report_prints_it() -> None:
    message = format_message("CSQM587E", (2192,), ("STRMQ000", "LQ1000", "MQRC_PAGESET_FULL"))
    assert message.text.startswith(
        "Unable to put to streaming queue STRMQ000 for queue LQ1000, mqrc=2192 (MQRC_PAGESET_FULL)"
    )


def test_inserts_are_data_and_never_templates() -> None:
    message = format_message("AMQ8003I", (), ("{c2}{0.__class__}", "1"))
    assert message.text == "Queue manager '{c2}{0.__class__}' started using V1."


def test_forgotten_inserts_and_unknown_ids_are_shown() -> None:
    assert format_message("AMQ8003I").text == "Queue manager '<c1>' started using V<c2>."
    assert format_message("AMQ0000E", (1, 2), ("x",)).text == "No text is known for this message (1, 2, x)."
