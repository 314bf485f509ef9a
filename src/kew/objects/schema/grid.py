"""The reader of attribute tables: one attribute a line, columns between bars.

    keyword | pcf             | kind        | default | types         | notes        | meaning
    BOQNAME | MQCA_BACKOUT_.. | object-name |         | QLOCAL QMODEL |              | Queue an application ...
    TRIGGER | MQIA_TRIGGER..  | trigger     | ...     |               | force group= | Whether ...

`kind` is the name of a kind that the table is given, or `text 64`, `name 48`, `hex 24`, `pair` or `number 0..99` (also
with keywords: `number 0..99 AUTO=MQKAI_AUTO`). Without types all types of the family have the attribute. A line with a
keyword only stands for a row that several tables share. Notes, in any order:

    live keep define                    live: a current value, not stored; keep: set by the queue manager and stored;
                                        define: set by DEFINE only; without such a note DEFINE and ALTER set it
    force empty restart                 when a change takes effect; without such a note at once
    group=LOG                           the word of DISPLAY for the group to which the attribute belongs
    refused=no-exits                    the reason why only the default is accepted, by its name in `reasons`
    mq=MSG                              MQ's default, which is accepted and replaced by Kew's; may end in *
    synonym=TARGQ  seconds=MQIACF_X  default:QMODEL=EXCL  repeat
"""

import re
from collections.abc import Mapping
from typing import Final

from kew.codes import attributes, channels, options, structures
from kew.objects.schema.model import ANYTIME, DEFINE, EMPTY, FORCE, KEEP, LIVE, RESTART, SET, Row
from kew.objects.schema.texts import Hex, Name, Text
from kew.objects.schema.values import Kind, Number, Pair

COLUMNS: Final = ("keyword", "pcf", "kind", "default", "types", "notes", "meaning")
BAR: Final = " |"
ROLES: Final = (LIVE, KEEP, DEFINE)
CHANGES: Final = (FORCE, EMPTY, RESTART)
_NUMBER: Final = re.compile(r"number (-?[0-9]+)\.\.([0-9]+)((?: [A-Z]+=[A-Z0-9_-]+)*)")
_SIZED: Final = re.compile(r"(text|name|hex) ([0-9]+)")
_WHOLE: Final = re.compile(r"-?[0-9]+")


class BadTable(Exception):
    """The error of an invalid line of a table: the line, the column, and the expected form."""

    def __init__(self, line: str, column: str, problem: str) -> None:
        super().__init__(f"row {line.strip()[:40]!r}, column {column}: {problem}")


class Cells:
    """One line of a table: its cells by the names of their columns."""

    def __init__(self, line: str, columns: tuple[str, ...], cells: list[str]) -> None:
        self.line = line
        self._cells = dict(zip(columns, cells, strict=True))

    def __getitem__(self, column: str) -> str:
        return self._cells[column]

    def bad(self, column: str, problem: str) -> BadTable:
        """Give the error of an invalid cell."""
        return BadTable(self.line, column, problem)


def read(text: str) -> list[Cells]:
    """Read a table whose first line names the columns; a bar in the last column is text."""
    lines = text.strip("\n").split("\n")
    columns = tuple([cell.strip() for cell in lines[0].split("|")])
    return [_cells(line, columns) for line in lines[1:]]


def _cells(line: str, columns: tuple[str, ...]) -> Cells:
    cells = [cell.strip() for cell in line.split(BAR, len(columns) - 1)]
    if len(cells) != len(columns):
        raise BadTable(line, columns[len(cells)], f"{len(cells)} columns, not {len(columns)}")
    return Cells(line, columns, cells)


def rows(
    kinds: Mapping[str, Kind],
    text: str,
    *,
    reasons: Mapping[str, str] | None = None,
    shared: Mapping[str, Row] | None = None,
) -> tuple[Row, ...]:
    """Read a table of attributes."""
    lines = text.strip("\n").split("\n")
    heading = tuple([cell.strip() for cell in lines[0].split("|")])
    if heading != COLUMNS:
        raise BadTable(lines[0], "keyword", f"the heading must be {' | '.join(COLUMNS)}")
    found: list[Row] = []
    for line in lines[1:]:
        if BAR in line:
            found.append(_row(kinds, reasons or {}, _cells(line, COLUMNS)))
            continue
        row = (shared or {}).get(line.strip())
        if row is None:
            raise BadTable(line, "keyword", f"not one of the shared rows {', '.join(shared or {})}")
        found.append(row)
    return tuple(found)


def _row(kinds: Mapping[str, Kind], reasons: Mapping[str, str], cells: Cells) -> Row:
    line = cells.line
    keyword, pcf, kind, default, types, notes, meaning = [cells[column] for column in COLUMNS]
    if not keyword.isalnum() or keyword != keyword.upper():
        raise BadTable(line, "keyword", f"{keyword!r} is not a keyword in capitals")
    if not meaning:
        raise BadTable(line, "meaning", "nothing is said")
    role, change, group, refused, seconds, repeat = SET, ANYTIME, "", "", 0, False
    synonyms: list[str] = []
    elsewhere: list[str] = []
    defaults: dict[str, str] = {}
    for note in notes.split():
        word, _, value = note.partition("=")
        if note in ROLES:
            role = note
        elif note in CHANGES:
            change = note
        elif note == "repeat":
            repeat = True
        elif word == "group":
            group = value
        elif word == "refused" and value in reasons:
            refused = reasons[value]
        elif word == "synonym":
            synonyms.append(value)
        elif word == "mq":
            elsewhere.append(value)
        elif word == "seconds":
            seconds = _identifier(line, "notes", value)
        elif word.startswith("default:"):
            defaults[word.partition(":")[2]] = value
        else:
            raise BadTable(line, "notes", f"{note!r} is not a note; reasons are {', '.join(reasons) or 'not given'}")
    return Row(
        keyword,
        _identifier(line, "pcf", pcf),
        _kind(kinds, line, kind),
        default,
        meaning,
        types=types,
        defaults=defaults,
        synonyms=tuple(synonyms),
        role=role,
        change=change,
        refused=refused,
        group=group,
        pcf_seconds=seconds,
        repeat=repeat,
        elsewhere=tuple(elsewhere),
    )


def _identifier(line: str, column: str, name: str) -> int:
    """Give the value of an MQ constant or number; 0 for an empty cell."""
    if not name:
        return 0
    if _WHOLE.fullmatch(name):
        return int(name)
    for module in (attributes, channels, options, structures):
        value = vars(module).get(name)
        if isinstance(value, int):
            return value
    raise BadTable(line, column, f"{name!r} is not a constant of MQ")


def _kind(kinds: Mapping[str, Kind], line: str, words: str) -> Kind:
    named = kinds.get(words)
    if named is not None:
        return named
    if words == "pair":
        return Pair()
    sized = _SIZED.fullmatch(words)
    if sized is not None:
        size = int(sized[2])
        return Text(size) if sized[1] == "text" else Name(size) if sized[1] == "name" else Hex(size)
    number = _NUMBER.fullmatch(words)
    if number is None:
        raise BadTable(line, "kind", f"{words!r} is not a kind; named kinds are {', '.join(sorted(kinds))}")
    specials: dict[str, int] = {}
    for special in number[3].split():
        word, _, value = special.partition("=")
        specials[word] = _identifier(line, "kind", value)
    return Number(int(number[1]), int(number[2]), specials)
