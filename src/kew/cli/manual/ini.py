"""The page of section 5 on qm.ini, from the declarations of its keys."""

from kew.cli.manual.page import Page
from kew.qmgr.config import configuration_keys
from kew.qmgr.keys import spell


def ini_page() -> Page:
    """Give the page: every stanza with its keys, what each may be, its default and its effect."""
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
