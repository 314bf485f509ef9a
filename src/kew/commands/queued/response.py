"""Responses of the queued publish/subscribe interface, in the form of the command.

    MQRFH     MQPSCompCode, MQPSReason, MQPSReasonText, once for each topic that was refused; behind the header stand
              the names and values of a command that was not carried out as a whole
    MQRFH2    folder pscr: Completion, and a Response with Reason for each topic that was refused; then the folder psc
              of the command

A full response, on request, has the attributes of the subscription too: behind the reason in an MQRFH, and in place of
the command in the folder psc of an MQRFH2.
"""

from collections.abc import Sequence
from typing import Final

from kew.codes.completion import MQCC_FAILED, MQCC_OK, MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import MQENC_NATIVE, MQFMT_STRING
from kew.codes.reasons import MQRC_NONE, MQRC_NOT_AUTHORIZED, MQRCCF_NOT_AUTHORIZED, reason_name
from kew.commands.queued import words
from kew.formats import charset, mqrfh, mqrfh2
from kew.formats.mqrfh import FirstHeader
from kew.formats.mqrfh2 import Element, RulesHeader
from kew.formats.properties import RFH2_FORMAT

_WORDS: Final = {MQCC_OK: "ok", MQCC_WARNING: "warning", MQCC_FAILED: "error"}


class Answer:
    """The outcome of a command, for one of its topics or as a whole."""

    def __init__(self, topic: str = "", reason: int = MQRC_NONE, completion: int = MQCC_OK) -> None:
        self.topic = topic
        self.reason = reason
        self.completion = completion
        self.details: mqrfh.Pairs = []  # of a subscription, for a full response


def refused(error: MQError, topic: str = "") -> Answer:
    """Give the outcome of a command that was refused."""
    reason = MQRCCF_NOT_AUTHORIZED if error.reason == MQRC_NOT_AUTHORIZED else error.reason
    return Answer(topic, reason, error.completion)


def completion_of(answers: Sequence[Answer]) -> int:
    """Give the completion of the command as a whole."""
    found = {each.completion for each in answers}
    if MQCC_FAILED in found:
        return MQCC_FAILED if found == {MQCC_FAILED} else MQCC_WARNING
    return max(found, default=MQCC_OK)


def write_response(form: int, answers: Sequence[Answer], said: str) -> tuple[bytes, bytes]:
    """Give format and data of a reply; after an error or warning the reply has the text of the command too."""
    completion = completion_of(answers)
    back = said if completion != MQCC_OK else ""
    if form == 2:
        return RFH2_FORMAT, _second(completion, answers, back)
    return mqrfh.FORMAT, _first(completion, answers, back)


def _told(answers: Sequence[Answer]) -> list[Answer]:
    """Select the outcomes for the reply: those with a reason code, else the first."""
    return [each for each in answers if each.reason] or list(answers[:1]) or [Answer()]


def _first(completion: int, answers: Sequence[Answer], said: str) -> bytes:
    pairs: mqrfh.Pairs = []
    for each in _told(answers):
        pairs.append(("MQPSCompCode", str(completion)))
        pairs.append(("MQPSReason", str(each.reason)))
        pairs.append(("MQPSReasonText", reason_name(each.reason)))
        if each.reason and each.topic:
            pairs.append(("MQPSTopic", each.topic))
        pairs += [(f"MQPS{_plural(name)}", value) for name, value in each.details]
    text = said.encode()
    header = FirstHeader(MQENC_NATIVE, charset.UTF_8, MQFMT_STRING if text else b"", 0, pairs)
    return mqrfh.encode(header) + text


def _plural(name: str) -> str:
    return name + "s" if name in words.OPTIONS else name


def _second(completion: int, answers: Sequence[Answer], said: str) -> bytes:
    folder = Element("pscr")
    folder.children.append(Element("Completion", _WORDS[completion]))
    told = _told(answers)
    if completion == MQCC_FAILED:
        told = told[:1]
    for each in told:
        if each.reason:
            response = Element("Response")
            response.children.append(Element("Reason", str(each.reason)))
            if each.topic:
                response.children.append(Element("Topic", each.topic))
            folder.children.append(response)
    header = RulesHeader(MQENC_NATIVE, charset.UTF_8, b" " * 8)
    header.folders = [mqrfh2.format_folder(folder)]
    details = [Element(name, value) for each in told for name, value in each.details]
    if details:
        header.folders.append(mqrfh2.format_folder(Element("psc", children=details)))
    elif said:
        header.folders.append(said)
    return mqrfh2.encode(header)
