"""Pages that are tables: reason codes, messages, PCF commands, the structures of SMF records."""

import re
from collections.abc import Iterator
from typing import Final

from kew.cli.manual.page import Page
from kew.codes import attributes, channels, commands, reasons
from kew.codes.messages import MESSAGES, NO_ACTION
from kew.codes.reason_texts import REASON_TEXTS
from kew.codes.remedies import REMEDIES
from kew.commands.mqsc import messages as replies
from kew.commands.mqsc.grammar import all_commands
from kew.formats.smf import STRUCTURES, Field
from kew.objects.schema import OBJECT_TYPES

_INSERT: Final = re.compile(r"\{(?:[ac]\d|name|command)\}")


def reason_codes() -> dict[str, int]:
    """Give every reason code by its name."""
    return {
        name: value
        for module in (reasons, commands, channels)
        for name, value in vars(module).items()
        if name.startswith(("MQRC_", "MQRCCF_")) and isinstance(value, int)
    }


def general(text: str) -> str:
    """Give a message text with three dots in place of each insert."""
    return _INSERT.sub("...", text)


def remedy(name: str) -> str:
    """Give the remedy of a reason code as a sentence; empty if the table has no remedy for it."""
    return f"{REMEDIES[name].format(queue='QUEUE', qmgr='QMGR')}." if name in REMEDIES else ""


def reference_pages() -> Iterator[Page]:
    """Give the pages of reason codes, messages, PCF commands and SMF structures."""
    yield _reasons()
    yield _messages()
    yield _pcf()
    yield _smf()


def _reasons() -> Page:
    page = Page("kew-reasons", 7, "reason codes, what each means and what to do")
    page.heading("REASON CODES")
    for name, value in sorted(reason_codes().items(), key=lambda row: row[1]):
        if name in REASON_TEXTS:  # other names are the ends of ranges
            page.item(f"{value}  0x{value:08X}  {name}", REASON_TEXTS[name], remedy(name))
    return page


def _messages() -> Page:
    page = Page("kew-messages", 7, "messages of the error log and replies to commands, what each means and what to do")
    page.heading("MESSAGES")
    for message in sorted(MESSAGES.values(), key=lambda message: message.id):
        action = general(message.action)
        page.item(f"{message.id}: {general(message.text)}", general(message.explanation), action)
    page.heading("REPLIES TO COMMANDS")
    for reply, text in sorted(replies.TEXTS.items()):
        page.item(f"{reply}: {general(text)}", replies.ACTIONS.get(reply, NO_ACTION))
    return page


def _pcf() -> Page:
    names = {
        value: name
        for name, value in vars(commands).items()
        if name.startswith("MQCMD_") and isinstance(value, int) and value
    }
    parameters = {
        value: name
        for name, value in vars(attributes).items()
        if name.startswith(("MQCA", "MQIA", "MQBA", "MQGA")) and not name.endswith(("_FIRST", "_LAST", "_LAST_USED"))
    }
    page = Page("kew-pcf", 7, "PCF commands and the parameters of objects")
    page.heading("COMMANDS")
    written: dict[int, list[str]] = {}
    for spec in all_commands():
        if spec.pcf:
            written.setdefault(spec.pcf, []).append(spec.title)
    for number, titles in sorted(written.items()):
        page.item(f"{number}  {names.get(number, '')}", f"As in MQSC: {', '.join(titles)}.")
    for kind in OBJECT_TYPES.values():
        rows = [spec for spec in kind.attributes if spec.pcf]
        if rows:
            page.heading(f"PARAMETERS OF {kind.name}")
            page.lines([f"{spec.pcf:>6}  {parameters.get(spec.pcf, ''):<32} {spec.keyword}" for spec in rows])
    return page


def _smf() -> Page:
    page = Page("kew-smf-records", 5, "the structures of SMF 115 and 116 records")
    page.heading("DESCRIPTION")
    page.paragraph("Each structure is a table of kew smf decode and of Spark (kewsmf), each field a column.")
    for structure in STRUCTURES.values():
        page.heading(f"{structure.name}: {structure.title}")
        page.lines([_field(field) for field in structure.fields])
    return page


def _field(field: Field) -> str:
    return f"{field.offset:>5} {field.length:>4}  {field.name:<12} {field.text}"
