"""The rules table of the dead-letter handler, as runmqdlq reads it.

    * a comment
    inputqm(QM1) inputq(' ') retryint(30) wait(yes)
    reason(MQRC_Q_FULL) action(retry) retry(5)
    destq('ORDERS.*') format(MQSTR) +
       action(fwd) fwdq(LATE) header(no)
    action(ignore)

An entry begins on a line of its own and continues where a line ends with + (from the next word) or - (from the next
line's first column). The first entry may be control data. Text patterns take * and ?; numbers are written in digits
or by MQ's names, or as * for all.
"""

import re
from typing import Final, TextIO

from kew.codes import options, reasons
from kew.deadletters.letters import Letter, text

LARGEST_NUMBER: Final = 999_999_999
LONGEST_TABLE: Final = 1 << 20
CONTROL: Final = ("INPUTQ", "INPUTQM", "RETRYINT", "WAIT")
TEXTS: Final = ("APPLIDAT", "APPLNAME", "DESTQ", "DESTQM", "FORMAT", "REPLYQ", "REPLYQM", "USERID")
# Prefixes of the names of numbers.
NUMBERS: Final = {
    "APPLTYPE": ("MQAT_",),
    "FEEDBACK": ("MQFB_", "MQRC_"),
    "MSGTYPE": ("MQMT_",),
    "PERSIST": ("MQPER_",),
    "REASON": ("MQRC_", "MQFB_"),
}
ACTIONS: Final = ("ACTION", "FWDQ", "FWDQM", "HEADER", "PUTAUT", "RETRY")
CHOICES: Final = {
    "ACTION": ("DISCARD", "IGNORE", "RETRY", "FWD"),
    "HEADER": ("YES", "NO"),
    "PUTAUT": ("DEF", "CTX"),
}
LENGTHS: Final = {"APPLIDAT": 32, "APPLNAME": 28, "FORMAT": 8, "USERID": 12}
FOREVER: Final = -1

_PAIR: Final = re.compile(r"[\s,]*([A-Za-z]+)\s*\(\s*(?:'((?:[^']|'')*)'|([^\s()']+))\s*\)")


class TableError(Exception):
    """The error of an invalid rules table, with the line and the reason."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.line = line


class Rule:
    """A pattern, and the action for messages that match it."""

    def __init__(self, line: int, values: dict[str, str]) -> None:
        self.line = line
        self.action = values["ACTION"]
        self.forward_queue = values.get("FWDQ", "")
        self.forward_manager = values.get("FWDQM", "").strip()
        self.keeps_header = values.get("HEADER", "YES") == "YES"
        self.as_sender = values.get("PUTAUT", "DEF") == "CTX"
        self.attempts = int(values.get("RETRY", "1"))
        self._texts = {key: value.rstrip() for key, value in values.items() if key in TEXTS}
        self._numbers = {key: int(value) for key, value in values.items() if key in NUMBERS and value != "*"}

    def fits(self, letter: Letter) -> bool:
        """Say whether a message matches the pattern."""
        descriptor = letter.descriptor
        numbers = {
            "APPLTYPE": descriptor.put_application_type,
            "FEEDBACK": descriptor.feedback,
            "MSGTYPE": descriptor.message_type,
            "PERSIST": descriptor.persistence,
            "REASON": letter.reason,
        }
        if any(numbers[key] != value for key, value in self._numbers.items()):
            return False
        texts = {
            "APPLIDAT": text(descriptor.application_identity_data),
            "APPLNAME": text(descriptor.put_application_name),
            "DESTQ": letter.queue,
            "DESTQM": letter.manager,
            "FORMAT": letter.format,
            "REPLYQ": text(descriptor.reply_to_queue),
            "REPLYQM": text(descriptor.reply_to_queue_manager),
            "USERID": text(descriptor.user_identifier),
        }
        return all(fits_pattern(pattern, texts[key]) for key, pattern in self._texts.items())


def fits_pattern(pattern: str, value: str) -> bool:
    """Say whether a text matches a pattern of characters, * for any number of them and ? for one.

    The search goes back to the last star only, so its time is at most the product of the two lengths.
    """
    place = at = 0
    star = resume = -1
    while at < len(value):
        if place < len(pattern) and pattern[place] == "*":
            star, resume = place, at
            place += 1
        elif place < len(pattern) and pattern[place] in ("?", value[at]):
            place += 1
            at += 1
        elif star >= 0:
            resume += 1
            place, at = star + 1, resume
        else:
            return False
    return not pattern[place:].strip("*")


class Table:
    """A rules table: its rules in order, and the control data."""

    def __init__(self) -> None:
        self.queue = ""
        self.manager = ""
        self.retry_interval = 60
        self.wait = FOREVER  # seconds for which to wait for more to do
        self.rules: list[Rule] = []


def read_table(source: TextIO) -> Table:
    """Read a rules table; raises TableError."""
    content = source.read(LONGEST_TABLE + 1)
    if len(content) > LONGEST_TABLE:
        raise TableError(0, f"the rules table is longer than {LONGEST_TABLE} characters")
    table = Table()
    for place, (line, entry) in enumerate(_entries(content)):
        values = _values(line, entry)
        if place == 0 and set(values) <= set(CONTROL):
            _control(table, line, values)
        else:
            table.rules.append(_rule(line, values))
    if not table.rules:
        raise TableError(0, "the rules table has no rule")
    return table


def _entries(content: str) -> list[tuple[int, str]]:
    """Give the entries, each with the number of its first line."""
    found: list[tuple[int, str]] = []
    begun, entry, continued = 0, "", ""
    for number, line in enumerate(content.splitlines(), 1):
        stripped = line.strip()
        if not continued and (not stripped or stripped.startswith("*")):
            continue
        if not continued:
            begun, entry = number, ""
        entry += line.lstrip() if continued == "+" else line
        entry = entry.rstrip()
        continued = entry[-1:] if entry.endswith(("+", "-")) else ""
        if continued:
            entry = entry[:-1]
        else:
            found.append((begun, entry))
    if continued:
        raise TableError(begun, "the table ends where a rule should go on")
    return found


def _values(line: int, entry: str) -> dict[str, str]:
    values: dict[str, str] = {}
    place = 0
    while entry[place:].strip(" \t,"):
        pair = _PAIR.match(entry, place)
        if pair is None:
            raise TableError(line, f"expected KEYWORD(value) at: {entry[place:].strip()[:40]}")
        place = pair.end()
        keyword = pair.group(1).upper()
        value = pair.group(3) if pair.group(2) is None else pair.group(2).replace("''", "'")
        if keyword not in (*CONTROL, *TEXTS, *NUMBERS, *ACTIONS):
            raise TableError(line, f"there is no keyword {keyword}")
        if keyword in values:
            raise TableError(line, f"{keyword} is there twice")
        if not value:
            raise TableError(line, f"{keyword} has no value")
        values[keyword] = value
    return values


def _number(line: int, keyword: str, value: str, least: int) -> int:
    if not value.isascii() or not value.isdigit() or not least <= int(value) <= LARGEST_NUMBER:
        raise TableError(line, f"{keyword}({value}) is not a number from {least} to {LARGEST_NUMBER}")
    return int(value)


def _control(table: Table, line: int, values: dict[str, str]) -> None:
    table.queue = values.get("INPUTQ", "").strip()
    table.manager = values.get("INPUTQM", "").strip()
    table.retry_interval = _number(line, "RETRYINT", values.get("RETRYINT", "60"), 1)
    wait = values.get("WAIT", "YES").upper()
    if wait == "YES":
        table.wait = FOREVER
    else:
        table.wait = 0 if wait == "NO" else _number(line, "WAIT", wait, 0)


def _rule(line: int, values: dict[str, str]) -> Rule:
    for keyword in values:
        if keyword in CONTROL:
            raise TableError(line, f"{keyword} is control data, which stands alone in the first entry")
    for keyword, choices in CHOICES.items():
        if keyword in values:
            values[keyword] = values[keyword].upper()
            if values[keyword] not in choices:
                raise TableError(line, f"{keyword}({values[keyword]}): expected {', '.join(choices)}")
    if "ACTION" not in values:
        raise TableError(line, "a rule needs ACTION")
    forwards = values["ACTION"] == "FWD"
    if forwards and not values.get("FWDQ", "").strip():
        raise TableError(line, "ACTION(FWD) needs the queue: FWDQ")
    if not forwards and ("FWDQ" in values or "FWDQM" in values):
        raise TableError(line, f"FWDQ and FWDQM go with ACTION(FWD), not {values['ACTION']}")
    _number(line, "RETRY", values.get("RETRY", "1"), 1)
    for keyword, prefixes in NUMBERS.items():
        if keyword in values:
            values[keyword] = _symbol(line, keyword, values[keyword], prefixes)
    for keyword in TEXTS:
        if len(values.get(keyword, "").rstrip()) > LENGTHS.get(keyword, 48):
            raise TableError(line, f"{keyword} is longer than {LENGTHS.get(keyword, 48)} characters")
    return Rule(line, values)


def _symbol(line: int, keyword: str, value: str, prefixes: tuple[str, ...]) -> str:
    if value == "*":
        return value
    name = value.upper()
    if name.startswith(prefixes):
        for module in (options, reasons):
            number = vars(module).get(name)
            if isinstance(number, int):
                return str(number)
    if re.fullmatch(r"-?\d{1,10}", value):
        return value
    raise TableError(line, f"{keyword}({value}) is neither a number nor a name with {' or '.join(prefixes)}")
