"""A document of headings, paragraphs, tables and charts, written as one HTML file or as Markdown."""

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kew.analytics.reports.html import page, table_html

_MORE_STYLE: Final = (
    "<style>.good { background: #d9f0e6; } .bad { background: #f9dfcf; } figure { margin: 1em 0; }"
    " figcaption { color: #555; font-size: 12px; } pre { background: #f6f6f6; padding: .6em; }</style>\n"
)


@dataclass
class Heading:
    """A heading, of level 2 or 3."""

    text: str
    level: int = 2


@dataclass
class Paragraph:
    """Text."""

    text: str


@dataclass
class Picture:
    """A drawing in characters."""

    text: str


@dataclass
class Table:
    """A table; `marks` has good, bad or nothing for each row."""

    labels: list[str]
    numeric: list[bool]
    rows: list[list[str]]
    marks: list[str] = field(default_factory=list)


@dataclass
class Chart:
    """A chart with a description in words."""

    name: str
    svg: str
    caption: str


Block = Heading | Paragraph | Picture | Table | Chart


@dataclass
class Document:
    """A title and the parts below it."""

    title: str
    blocks: list[Block] = field(default_factory=list)

    def add(self, *blocks: Block) -> None:
        """Put blocks at the end."""
        self.blocks.extend(blocks)

    def html(self) -> str:
        """Give the document as one HTML file that needs no other."""
        return "".join(page(self.title, self._sections()))

    def _sections(self) -> Iterator[str]:
        yield _MORE_STYLE
        for block in self.blocks:
            if isinstance(block, Heading):
                yield f"<h{block.level}>{html.escape(block.text)}</h{block.level}>\n"
            elif isinstance(block, Paragraph):
                yield f"<p>{html.escape(block.text)}</p>\n"
            elif isinstance(block, Picture):
                yield f"<pre>{html.escape(block.text)}</pre>\n"
            elif isinstance(block, Table):
                yield table_html(block.labels, block.numeric, iter(block.rows), block.marks or None)
            else:
                label = html.escape(block.caption, quote=True)
                yield f"<figure id='{block.name}' role='img' aria-label='{label}'>\n{block.svg}"
                yield f"<figcaption>{html.escape(block.caption)}</figcaption></figure>\n"

    def write_markdown(self, path: Path) -> None:
        """Write the document as Markdown, its charts beside it."""
        charts = path.with_name(f"{path.stem}-charts")
        lines = [f"# {self.title}", ""]
        for block in self.blocks:
            if isinstance(block, Heading):
                lines += ["#" * block.level + " " + block.text, ""]
            elif isinstance(block, Paragraph):
                lines += [block.text, ""]
            elif isinstance(block, Picture):
                lines += ["```text", block.text, "```", ""]
            elif isinstance(block, Table):
                lines += [*_markdown_table(block), ""]
            else:
                charts.mkdir(parents=True, exist_ok=True)
                (charts / f"{block.name}.svg").write_text(block.svg, encoding="utf-8")
                lines += [f"![{block.caption}]({charts.name}/{block.name}.svg)", ""]
        path.write_text("\n".join(lines), encoding="utf-8")


def _markdown_table(table: Table) -> list[str]:
    rule = ["---:" if number else "---" for number in table.numeric]
    rows = [[cell.replace("|", "\\|") for cell in row] for row in [table.labels, *table.rows]]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + "|".join(rule) + "|")
    return lines
