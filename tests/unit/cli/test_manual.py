"""The manual: a page for every command, verb and object, which says all that the tables say, and formats clean."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import kew as kew_package
from kew.cli import SECTIONS, main
from kew.cli.manual.codes import explain_code
from kew.cli.manual.page import Page
from kew.cli.manual.reference import reason_codes
from kew.cli.manual.topics import all_pages
from kew.codes.reason_texts import REASON_TEXTS
from kew.codes.remedies import REMEDIES
from kew.commands.mqsc import messages as replies
from kew.commands.mqsc.grammar import VERBS, all_commands
from kew.formats.smf import STRUCTURES
from kew.objects.schema import OBJECT_TYPES
from kew.qmgr.config import configuration_keys
from kew.version import VERSION

# Reasons of event messages, which tell of something and refuse nothing.
OF_EVENTS = {
    "MQRC_NONE",
    "MQRC_CHANNEL_ACTIVATED",
    "MQRC_CHANNEL_AUTO_DEF_ERROR",
    "MQRC_CHANNEL_AUTO_DEF_OK",
    "MQRC_CHANNEL_BLOCKED_WARNING",
    "MQRC_CHANNEL_NOT_ACTIVATED",
    "MQRC_CHANNEL_SSL_WARNING",
    "MQRC_CHANNEL_STARTED",
    "MQRC_CHANNEL_STOPPED",
    "MQRC_CHANNEL_STOPPED_BY_USER",
    "MQRC_COMMAND_MQSC",
    "MQRC_COMMAND_PCF",
    "MQRC_CONFIG_CHANGE_OBJECT",
    "MQRC_CONFIG_CREATE_OBJECT",
    "MQRC_CONFIG_DELETE_OBJECT",
    "MQRC_CONFIG_REFRESH_OBJECT",
    "MQRC_LOGGER_STATUS",
    "MQRC_Q_DEPTH_LOW",
    "MQRC_Q_MGR_ACTIVE",
    "MQRC_Q_MGR_NOT_ACTIVE",
    "MQRC_Q_SERVICE_INTERVAL_HIGH",
    "MQRC_Q_SERVICE_INTERVAL_OK",
}
PAGES = {(page.name, page.section): page for page in all_pages(main)}


def kew(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def shown(*topic: str) -> str:
    result = kew("help", *topic)
    assert result.exit_code == 0, result.output
    return result.output


def test_there_is_a_page_for_everything() -> None:
    for section in SECTIONS.values():
        for name in section:
            assert (f"kew-{name}", 1) in PAGES
    assert {("kew", 1), ("kew-smf-report", 1), ("kew-mqsc", 7), ("kew-qm.ini", 5), ("kew-dumpfile", 5)} <= set(PAGES)
    assert {(f"kew-mqsc-{verb.lower()}", 7) for verb in VERBS} <= set(PAGES)
    assert {(f"kew-{name.lower()}", 7) for name in OBJECT_TYPES} <= set(PAGES)


@pytest.mark.parametrize("kind", OBJECT_TYPES.values(), ids=lambda kind: kind.name)
def test_every_attribute_stands_on_the_page_of_its_object(kind: object) -> None:
    name = getattr(kind, "name", "")
    page = PAGES[f"kew-{name.lower()}", 7]
    titles = {word for block in page.blocks for word in block.title.split(" | ")}
    assert [spec.keyword for spec in OBJECT_TYPES[name].attributes if not set(spec.words) & titles] == []


def test_every_command_of_mqsc_stands_on_the_page_of_its_verb() -> None:
    for spec in all_commands():
        page = PAGES[f"kew-mqsc-{spec.verb.lower()}", 7]
        assert spec.title in {block.title for block in page.blocks}


def test_every_key_of_the_configuration_has_its_item() -> None:
    text = "\n".join(PAGES["kew-qm.ini", 5].text())
    for stanza, row, _default in configuration_keys():
        assert f"\n{stanza}\n" in text
        assert row.name in text


def check_roff(text: str) -> None:
    """What man would stumble over: requests that nobody meant, escapes that are none, lines that cannot be ASCII."""
    for line in text.splitlines():
        if line.startswith((".", "'")):
            assert re.match(r"\.(TH|SH|PP|TP|nf|fi|br|nh|ad)\b", line), line
        left = re.sub(r"\\(e|-|&|:|fB|fR|\((aq|ga|dq|ha|ti))", "", line)
        assert "\\" not in left, line
        assert line.isascii(), line


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: f"{page.name}.{page.section}")
def test_pages_format_without_warnings(page: Page) -> None:
    roff = page.roff(VERSION)
    check_roff(roff)
    assert "\n.SH NAME\n" in roff
    groff = shutil.which("groff")
    if groff:
        done = subprocess.run(
            [groff, "-man", "-ww", "-Tutf8", "-P-c"], input=roff.encode(), capture_output=True, check=True
        )
        assert done.stderr.decode() == ""
        assert page.name.upper().encode() in done.stdout


def test_odd_texts_survive_roff() -> None:
    page = Page("kew-odd", 7, "odd texts")
    page.paragraph(".SH is no request here")
    page.item("'quoted' \\n `-x|y`", "'tis\\fB a text", "")
    page.lines(["", "  .indented", "'line"])
    check_roff(page.roff(VERSION))
    assert "       .SH is no request here" in page.text()


def test_topics() -> None:
    assert "Stop the queue manager NAME." in shown("stop")
    assert shown("smf", "report").startswith("kew-smf-report(1)")
    assert "OPTIONS" in shown("mqsc")
    assert "DEFINE | DEF" in shown("mqsc")
    assert shown("QL").startswith("kew-qlocal(7)")
    assert shown("define").startswith("kew-mqsc-define(7)")
    assert shown("DEFINE", "QLOCAL").startswith("DEFINE QLOCAL:")
    assert shown("maxdepth").startswith("QUEUE:\nMAXDEPTH: ")
    assert "LogBufferPages" in shown("qm.ini")
    assert "from 18 to 4096" in shown("logbufferpages")
    assert "CorrelId" in shown("dumpfile")
    assert "Queue managers:" in shown() or "QUEUE MANAGERS" in shown()


@pytest.mark.parametrize("word", ["2035", "0x7f3", "MQRC_NOT_AUTHORIZED", "mqrc_not_authorized"])
def test_reason_codes(word: str) -> None:
    assert explain_code(word)[0] == "2035  0x000007F3  MQRC_NOT_AUTHORIZED"


def test_messages() -> None:
    text = shown("AMQ8118")
    assert text.startswith("AMQ8118E: Queue manager '...' does not exist.")
    assert "ACTION:" in text
    assert shown("8006").startswith("AMQ8006I: ")


def test_what_is_not_in_the_manual() -> None:
    result = kew("help", "maxdepht")
    assert result.exit_code == 1
    assert "Did you mean MAXDEPTH" in result.output
    assert kew("help", "DEFINE", "--write", "x").exit_code == 2
    assert kew("help", "\N{SNOWMAN}", "y").exit_code == 1


def test_pages_are_written_where_man_looks(tmp_path: Path) -> None:
    result = kew("help", "--write", str(tmp_path / "man"))
    assert result.output.startswith(f"{len(PAGES)} pages written to")
    assert len(list(tmp_path.rglob("*.[157]"))) == len(PAGES)
    assert (tmp_path / "man" / "man7" / "kew-qlocal.7").read_text() == PAGES["kew-qlocal", 7].roff(VERSION)


def test_every_reason_that_a_program_is_given_has_a_remedy() -> None:
    package = Path(kew_package.__file__).parent
    sources = [path.read_text() for path in package.rglob("*.py") if path.parent.name != "codes"]
    given = {name for text in sources for name in re.findall(r"\bMQRC_[A-Z0-9_]+\b", text)}
    lacking = {name for name in given & set(REASON_TEXTS) if name not in REMEDIES}
    assert {name for name in lacking if name not in OF_EVENTS} == set()


def test_every_reply_that_is_no_good_news_says_what_to_do() -> None:
    assert set(replies.ACTIONS) <= set(replies.TEXTS)
    assert [reply for reply in replies.TEXTS if reply[-1] in "WES" and reply not in replies.ACTIONS] == []
    text = "\n".join(PAGES["kew-messages", 7].text())
    assert [reply for reply in replies.TEXTS if f"{reply}: " not in text] == []
    assert "ACTION: Choose another name, or give REPLACE" in shown("AMQ8150E")


def test_a_second_name_of_a_reason_is_not_shown_without_a_text() -> None:
    assert "No text" not in shown("2192")


def test_a_reason_code_comes_with_its_remedy() -> None:
    assert "SET AUTHREC gives authority." in shown("2035")
    assert set(REMEDIES) <= set(reason_codes())
    text = "\n".join(PAGES["kew-reasons", 7].text())
    for name in REASON_TEXTS:
        assert f"  {name}\n" in text


def test_tables_of_pcf_and_smf_are_whole() -> None:
    pcf = "\n".join(PAGES["kew-pcf", 7].text())
    for spec in all_commands():
        if spec.pcf:
            assert spec.title in " ".join(pcf.split())
    assert "MQIA_MAX_Q_DEPTH" in pcf
    smf = PAGES["kew-smf-records", 5].text()
    for structure in STRUCTURES.values():
        assert f"{structure.name}: {structure.title}" in smf


def test_pages_as_markdown(tmp_path: Path) -> None:
    result = kew("help", "--write", str(tmp_path), "--markdown")
    assert result.exit_code == 0, result.output
    assert len(list(tmp_path.glob("*.md"))) == len(PAGES)
    text = (tmp_path / "kew-qlocal.7.md").read_text()
    assert "**`MAXDEPTH`**\n\n:   " in text
    assert kew("help", "--markdown").exit_code == 2
