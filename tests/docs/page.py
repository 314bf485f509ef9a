"""A page of the documentation as a script: its files and its commands, each with the output that the page shows.

What a fenced block is follows from its first line:

    ```console                 commands after `$ ` (going on after `> `), each with its output below
    ```LANGUAGE title="NAME"   a file of this name, which commands further down use
    ```sh                      steps that change the machine; they are read by bash, and not carried out
    ```text, ```mermaid        neither

A line `...` stands for any lines, and `...` within a line for anything there. Both sides are compared after `plain` has
taken out what differs from run to run.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_FENCE: Final = re.compile(r'^(?P<ticks>```+)(?P<language>\w*)(?: title="(?P<title>[^"]+)")?$')
# What differs from run to run: dates, times, identifiers, numbers of processes, durations.
_VOLATILE: Final = (
    (re.compile(r"\b\d{4}-\d\d-\d\d\b"), "DATE"),
    (re.compile(r"\b\d{8} \d{8}\b"), "DATE TIME"),
    (re.compile(r"\b\d\d[.:]\d\d[.:]\d\d\b"), "TIME"),
    (re.compile(r"\b(?:0x)?[0-9a-fA-F]{16,}\b"), "HEX"),
    (re.compile(r"\bprocess \d+"), "process N"),
    (re.compile(r"\b\d+(?:\.\d+)? m?s\b"), "DURATION"),
)


def plain(text: str) -> str:
    """Give a text without what differs from run to run."""
    for pattern, word in _VOLATILE:
        text = pattern.sub(word, text)
    return text


@dataclass
class Command:
    """A command, where it stands, and what the page says that it prints."""

    text: str
    line: int
    expected: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class File:
    """A file that the page gives."""

    name: str
    text: str


@dataclass
class Page:
    """What a page asks its reader to do."""

    path: Path
    steps: list[Command | File]
    machine_steps: list[Command]
    odd: list[str]  # blocks that are none of the kinds above

    @property
    def commands(self) -> list[Command]:
        """The commands, in order."""
        return [step for step in self.steps if isinstance(step, Command)]


def read_page(path: Path) -> Page:
    """Read a page."""
    page = Page(path, [], [], [])
    lines = path.read_text().splitlines()
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence is None:
            if lines[number].lstrip().startswith("```"):
                page.odd.append(f"{path.name}:{number + 1}: {lines[number].strip()}")
            number += 1
            continue
        end = lines.index(fence["ticks"], number + 1)
        _take(page, fence, lines[number + 1 : end], number + 2)
        number = end + 1
    return page


def _take(page: Page, fence: re.Match[str], body: list[str], line: int) -> None:
    if fence["title"]:
        page.steps.append(File(fence["title"], "\n".join(body) + "\n"))
    elif fence["language"] == "console":
        page.steps.extend(_commands(body, line))
    elif fence["language"] == "sh":
        page.machine_steps.append(Command("\n".join(body), line))
    elif fence["language"] not in ("text", "mermaid"):
        page.odd.append(f"{page.path.name}:{line - 1}: {fence[0]}")


def _commands(body: list[str], line: int) -> list[Command]:
    found: list[Command] = []
    for place, text in enumerate(body):
        if text.startswith("$ "):
            found.append(Command(text[2:], line + place))
        elif text.startswith("> ") and found and not found[-1].expected:
            found[-1].text += "\n" + text[2:]
        else:
            found[-1].expected.append(text)
    return found


def differs(expected: list[str], said: list[str]) -> bool:
    """Whether a command said something else than the page shows."""
    pattern = ""
    for text in expected:
        if text == "...":
            pattern += "(?:.*\n)*?"
        else:
            pattern += ".*?".join([re.escape(part) for part in plain(text.rstrip()).split("...")]) + "\n"
    return re.fullmatch(pattern, "".join([plain(line.rstrip()) + "\n" for line in said])) is None
