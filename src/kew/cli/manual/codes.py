"""Explanations of reason codes and message numbers, as mqrc gives them."""

from kew.cli.manual.reference import general, reason_codes, remedy
from kew.codes.messages import MESSAGES
from kew.codes.reason_texts import REASON_TEXTS
from kew.commands.mqsc import messages


def explain_code(word: str) -> list[str]:
    """Explain a reason code (2035, 0x7F3, MQRC_NOT_AUTHORIZED) or a message (AMQ8118E, 8118)."""
    upper = word.upper()
    table = reason_codes()
    lines: list[str] = []
    number = _number(upper)
    for name, value in table.items():
        if name in REASON_TEXTS and (name == upper or value == number):  # other names are synonyms
            lines.extend([f"{value}  0x{value:08X}  {name}", f"   {REASON_TEXTS[name]}"])
            lines.extend([f"   {text}" for text in [remedy(name)] if text])
    for message in MESSAGES.values():
        if upper in (message.id, message.id[:-1], message.id[3:-1]):
            lines.append(f"{message.id}: {general(message.text)}")
            lines.extend([f"   EXPLANATION: {general(message.explanation)}", f"   ACTION: {general(message.action)}"])
    for message_id, text in messages.TEXTS.items():
        if upper in (message_id, message_id[:-1], message_id[3:-1]) and message_id not in MESSAGES:
            lines.append(f"{message_id}: {general(text)}")
            lines.extend([f"   ACTION: {action}" for action in [messages.ACTIONS.get(message_id)] if action])
    return lines


def _number(word: str) -> int | None:
    try:
        return int(word, 16 if word.startswith("0X") else 10)
    except ValueError:
        return None
