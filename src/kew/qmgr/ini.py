"""Stanza files, the form of qm.ini: a name with a colon, then lines of key=value, with # or ; before a comment line."""

from dataclasses import dataclass, field
from typing import Final

MAX_BYTES: Final = 1 << 20


class ConfigurationError(ValueError):
    """An invalid configuration file: file and line, the text found, and the allowed values."""

    def __init__(self, file: str, line: int, key: str, value: str, allowed: str) -> None:
        super().__init__(f"{file}, line {line}: '{key}' cannot be '{value}': {allowed}")
        self.file = file
        self.line = line
        self.key = key
        self.value = value
        self.allowed = allowed

    @classmethod
    def unknown(cls, file: str, line: int, what: str, word: str, known: list[str]) -> "ConfigurationError":
        """Make the error for an unknown stanza or attribute."""
        problem = cls(file, line, what, word, f"known are {', '.join(known)}")
        problem.args = (f"{file}, line {line}: unknown {what} '{word}'; known: {', '.join(known)}",)
        return problem

    def inserts(self) -> tuple[tuple[int], tuple[str, str, str, str]]:
        """Give the inserts of message AMQ9224E."""
        return (self.line,), (self.file, self.key, self.value, self.allowed)


@dataclass(frozen=True)
class Entry:
    """One line of key=value."""

    line: int
    key: str
    value: str


@dataclass(frozen=True)
class Stanza:
    """A named block of entries."""

    line: int
    name: str
    entries: list[Entry] = field(default_factory=list)


def parse_stanzas(file: str, data: bytes) -> list[Stanza]:
    """Read the stanzas of a file in their order; the same name may occur several times."""
    if len(data) > MAX_BYTES:
        raise ConfigurationError(file, 0, "the file", f"{len(data)} bytes long", f"at most {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise ConfigurationError(file, line, "the text", f"byte {data[problem.start]}", "UTF-8 text") from problem
    stanzas: list[Stanza] = []
    for number, raw in enumerate(text.split("\n"), 1):
        stripped = raw.strip()
        if not stripped or stripped[0] in "#;":
            continue
        key, equals, value = stripped.partition("=")
        if equals:
            if not stanzas:
                raise ConfigurationError(file, number, key.strip(), value.strip(), "first a stanza such as 'Log:'")
            stanzas[-1].entries.append(Entry(number, key.strip(), value.strip()))
        elif stripped.endswith(":"):
            stanzas.append(Stanza(number, stripped[:-1].strip()))
        else:
            raise ConfigurationError(file, number, "the line", stripped, "a stanza 'Name:', 'Key=Value' or '# comment'")
    return stanzas
