"""A page of the manual in three forms: roff for man, plain text for a screen, Markdown for the documentation."""

import re
import textwrap
from typing import Final

WIDTH: Final = 78
_INDENT: Final = 7
# Characters special to roff; after a bar a long line may be broken.
_ESCAPES: Final = str.maketrans(
    {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", '"': "\\(dq", "|": "|\\:", "^": "\\(ha", "~": "\\(ti"}
)


class Block:
    """A part of a page: a heading, a paragraph, an item with its text, or verbatim lines."""

    HEADING: Final = "heading"
    PARAGRAPH: Final = "paragraph"
    ITEM: Final = "item"
    LINES: Final = "lines"

    def __init__(self, kind: str, title: str, lines: list[str]) -> None:
        self.kind = kind
        self.title = title
        self.lines = lines


class Page:
    """One page: its name and section for man, and blocks in reading order."""

    def __init__(self, name: str, section: int, summary: str) -> None:
        self.name = name
        self.section = section
        self.summary = summary
        self.blocks: list[Block] = []
        self.heading("NAME")
        self.paragraph(f"{name} - {summary}")

    @property
    def file(self) -> str:
        """Give the path of the page below a directory of MANPATH."""
        return f"man{self.section}/{self.name}.{self.section}"

    def heading(self, title: str) -> None:
        """Begin a section."""
        self.blocks.append(Block(Block.HEADING, title, []))

    def paragraph(self, text: str) -> None:
        """Add a paragraph; its lines are filled."""
        self.blocks.append(Block(Block.PARAGRAPH, "", [" ".join(text.split())]))

    def item(self, title: str, *texts: str) -> None:
        """Add a term and its meaning, each text a paragraph of its own."""
        self.blocks.append(Block(Block.ITEM, title, [" ".join(text.split()) for text in texts if text.strip()]))

    def lines(self, lines: list[str]) -> None:
        """Add verbatim lines."""
        self.blocks.append(Block(Block.LINES, "", lines))

    def text(self) -> list[str]:
        """Give the page for a screen."""
        shown = [f"{self.name}({self.section})", ""]
        for block in self.blocks:
            if block.kind == Block.HEADING:
                shown.extend([block.title])
                continue
            indent = " " * _INDENT
            if block.kind == Block.LINES:
                shown.extend([(indent + line).rstrip() for line in block.lines])
            elif block.kind == Block.PARAGRAPH:
                shown.extend(_filled(block.lines[0], indent))
            else:
                shown.extend(_filled(block.title, indent))
                for line in block.lines:
                    shown.extend(_filled(line, indent * 2))
            shown.append("")
        return shown

    def roff(self, version: str) -> str:
        """Give the page for man."""
        out = [f'.TH "{_escape(self.name.upper())}" "{self.section}" "" "kew {version}" "Kew"', ".nh", ".ad l"]
        for block in self.blocks:
            if block.kind == Block.HEADING:
                out.append(f".SH {_escape(block.title)}")
            elif block.kind == Block.PARAGRAPH:
                out.extend([".PP", _line(block.lines[0])] if out[-1][:3] != ".SH" else [_line(block.lines[0])])
            elif block.kind == Block.LINES:
                out.extend([".PP", ".nf", *[_line(line) for line in block.lines], ".fi"])
            else:
                out.extend([".TP", f"\\fB{_line(block.title)}\\fR"])
                for number, line in enumerate(block.lines):
                    out.extend([".br", _line(line)] if number else [_line(line)])
        return "\n".join(out) + "\n"

    def markdown(self) -> str:
        """Give the page for the documentation."""
        out = [f"# {self.name}({self.section})", ""]
        for block in self.blocks:
            if block.kind == Block.HEADING:
                out.extend([f"## {block.title}", ""])
            elif block.kind == Block.LINES:
                out.extend(["```text", *block.lines, "```", ""])
            elif block.kind == Block.PARAGRAPH:
                out.extend([_shielded(block.lines[0]), ""])
            else:
                out.extend([f"**`{block.title}`**", ""])
                out.extend([line for text in block.lines for line in (f":   {_shielded(text)}", "")])
        return "\n".join(out)


def _shielded(text: str) -> str:
    """Escape a text for Markdown."""
    return re.sub(r"([*_<>\[\]`|])", r"\\\1", text)


def _filled(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


def _line(text: str) -> str:
    """Escape a line of text for roff, a dot or blank at its beginning too."""
    escaped = _escape(text)
    return "\\&" + escaped if escaped.startswith((".", " ")) or not escaped else escaped
