"""A terminal never gets control characters from messages, descriptions and names; a pipe and --raw get the bytes."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator

import pytest

from kew import client
from kew.cli.screen import printable
from kew.codes.options import MQFMT_STRING, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration

EVIL = "a\x1b]0;owned\x07b\x9b31m\u202ec\rd\x00"
SHOWN = "a?]0;owned?b?31m?c?d?"
APPLICATION = "evil\x1b[2J\x9b"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A queue manager with a message and a queue that were made to take over a terminal."""
    path = str(tmp_path_factory.mktemp("screen"))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), path)
    with manager.start("QM1", path) as running:
        running.mqsc("DEFINE QLOCAL(Q)")
        with client.connect_local("QM1", APPLICATION, data=path) as connection:
            descriptor = MessageDescriptor(
                format=MQFMT_STRING, ccsid=1208, application_identity_data=b"x\x1b[2Jy".ljust(32)
            )
            for body, kind in ((EVIL.encode(), MQFMT_STRING), (b"\x1b[2J\xff\x9b", b" " * 8)):
                descriptor.format = kind
                connection.open("Q", MQOO_OUTPUT).put(body, descriptor)
            yield path


def on_terminal(data: str, *words: str) -> str:
    """What a command writes to a terminal."""
    outer, inner = pty.openpty()
    command = [sys.executable, "-m", "kew.cli", *words]
    process = subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, env={**os.environ, "KEW_DATA": data})
    os.close(inner)
    seen = b""
    while True:
        try:
            part = os.read(outer, 65536)
        except OSError:  # nobody has the other side open any more
            break
        if not part:
            break
        seen += part
    process.wait()
    os.close(outer)
    return seen.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def in_a_pipe(data: str, *words: str) -> bytes:
    command = [sys.executable, "-m", "kew.cli", *words]
    return subprocess.run(command, capture_output=True, env={**os.environ, "KEW_DATA": data}, check=True).stdout


@pytest.mark.parametrize(
    "words",
    [
        ("browse", "QM1", "Q"),
        ("browse", "QM1", "Q", "--headers"),
        ("dlq", "show", "QM1", "Q"),
        ("dump", "QM1", "Q", "--text"),
        ("dump", "QM1", "--objects"),
        ("mqsc", "QM1", "-e", "DISPLAY CONN(*) APPLTAG"),
        ("mqsc", "QM1", "-e", "DISPLAY CONN(*) APPLTAG", "--json"),
        ("browse", "QM1", "Q", "--json"),
        ("get", "QM1", EVIL[:-1]),
    ],
)
def test_a_terminal_gets_no_control_characters(data: str, words: tuple[str, ...]) -> None:
    seen = on_terminal(data, *words)
    assert len(seen) > 20
    assert not [each for each in seen if not each.isprintable() and each not in "\n\t"], seen


def test_what_is_shown_in_their_place(data: str) -> None:
    assert on_terminal(data, "browse", "QM1", "Q").split("\n")[:2] == [SHOWN, "?[2J\ufffd\ufffd"]
    assert "APPLTAG(evil?[2J?)" in on_terminal(data, "mqsc", "QM1", "-e", "DISPLAY CONN(*) APPLTAG")
    answer = json.loads(on_terminal(data, "mqsc", "QM1", "-e", "DISPLAY CONN(*) APPLTAG", "--json"))
    assert APPLICATION in [each["APPLTAG"] for each in answer["objects"]]


def test_raw_and_a_pipe_give_the_bytes(data: str) -> None:
    assert in_a_pipe(data, "browse", "QM1", "Q") == EVIL.encode() + b"\n\x1b[2J\xff\x9b\n"
    assert "\x1b]0;owned" in on_terminal(data, "browse", "QM1", "Q", "--raw", "-n", "1")


def test_letters_and_blanks_of_all_scripts_stay() -> None:
    text = "Gr\u00fc\u00dfe\u00a0\u65e5\u672c\u3000\u0645\tx\ny"
    assert printable(text) == text
    assert printable("one\r\ntwo\r\n") == "one\ntwo\n"
