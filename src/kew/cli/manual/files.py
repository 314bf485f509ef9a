"""Pages of section 5: qm.ini and dump files, from the declarations of their keys and fields."""

from kew.cli.manual.page import Page
from kew.cli.view import FIELD_NAMES
from kew.formats.dump import BYTES, FIELDS, LONGEST_LINE, NUMBER
from kew.qmgr.config import configuration_keys
from kew.qmgr.keys import spell


def ini_page() -> Page:
    """Give the page of qm.ini: every stanza with its keys, their values, default and effect."""
    page = Page("kew-qm.ini", 5, "configuration of a queue manager")
    page.heading("DESCRIPTION")
    page.paragraph(
        "The file qm.ini in the directory of a queue manager begins with a line that names its format, the version and "
        "the queue manager, such as '# Kew qm.ini 2 of queue manager QM1'; kew create adds the identity, which may be "
        "left out. Then come stanzas: a name with a colon, then lines of key=value. Lines that begin with # or ; are "
        "comments. Names may be in upper or lower case. What the file says takes effect at the next start; an unknown "
        "key or a value out of range stops the start and is named with its line."
    )
    last = ""
    for stanza, row, default in configuration_keys():
        if stanza != last:
            page.heading(stanza)
            last = stanza
        effect = f"Accepted without effect: {row.effect}." if row.idle else f"{row.effect[:1].upper()}{row.effect[1:]}."
        shown = spell(row.kind, default)
        page.item(row.name, effect, f"May be {row.kind.allowed}.", f"Default: {shown}" if shown else "")
    page.heading("SEE ALSO")
    page.paragraph("kew(1), kew-doctor(1)")
    return page


_LINES = (
    ("* text", "A comment. Files of kew dump begin with one that promises checks and an end."),
    ("N", "A message begins."),
    ("A CODE value", "A field of its descriptor, by one of the codes below. A field that is left out has its default."),
    ("X digits", "A piece of the data in hexadecimal."),
    ("T text", "A piece of the data that is plain text, without the end of the line."),
    ("* Check number crc", "After each message: its number and the CRC-32 of its descriptor (364 bytes) and data."),
    ("* End number", "After the last message: how many there were."),
)


def dump_page() -> Page:
    """Give the page of dump files: the kinds of lines, and the codes of the fields."""
    page = Page("kew-dumpfile", 5, "the files that kew dump writes and kew load reads")
    page.heading("DESCRIPTION")
    page.paragraph(
        "A dump is a text file with one line for each field and each piece of data. A file that promises checks and an "
        "end must have them, and they must be right: one that was cut or changed is refused with the number of the "
        "line. A file without that promise can be written by hand."
    )
    page.paragraph(f"Lines have at most {LONGEST_LINE} bytes; the letters and codes are those of MQ's unload files.")
    page.heading("LINES")
    for form, meaning in _LINES:
        page.item(form, meaning)
    page.heading("FIELDS")
    page.item("VER", "Version: 1 or 2. Descriptors are always kept as version 2.")
    for code, attribute, kind, width in FIELDS:
        form = "A whole number." if kind == NUMBER else f"At most {width} bytes in hexadecimal."
        if kind not in (NUMBER, BYTES):
            form = f"A text of at most {width} characters, or X'...' in hexadecimal."
        page.item(code.decode(), f"{FIELD_NAMES[attribute]}.", form)
    page.heading("EXAMPLES")
    page.lines(["N", "A FMT MQSTR", "A PER 1", "A COI 0102", "T Hello"])
    page.heading("SEE ALSO")
    page.paragraph("kew-dump(1), kew-load(1)")
    return page
