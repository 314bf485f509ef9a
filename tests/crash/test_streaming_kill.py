"""A process that must copy its messages, killed at a random moment: both queues hold the same, and nothing is lost."""

import subprocess
import sys
from pathlib import Path
from random import Random
from time import sleep

import pytest
from tests.crash.streamer import COPIES, NAME, QUEUE
from tests.support.audit import browse

from kew.codes.attributes import MQST_MUST_DUP
from kew.objects.catalogue import AttributeValue
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration

ROOT = Path(__file__).parents[2]
KILLS = 2


@pytest.mark.parametrize("seed", [1, 2])
def test_both_queues_are_equal_after_every_kill(tmp_path: Path, seed: int) -> None:
    directory = str(tmp_path)
    random = Random(seed)
    manager.create(NAME, Configuration(log=LogConfiguration(file_pages=1024)), directory)
    with manager.start(NAME, directory) as running:
        values: dict[str, AttributeValue] = {"MAXDEPTH": 999_999_999, "STREAMQ": COPIES, "STRMQOS": MQST_MUST_DUP}
        running.host.administration.define("QLOCAL", COPIES, {"MAXDEPTH": 999_999_999})
        running.host.administration.define("QLOCAL", QUEUE, values)
    acknowledged: set[int] = set()
    refused: set[int] = set()
    for kill in range(KILLS):
        command = [sys.executable, "-m", "tests.crash.streamer", directory, str(seed * 10 + kill)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            told = [int(process.stdout.readline())]  # it is at work
            sleep(0.2 + random.random() * 0.4)
            process.kill()
            told += [int(line) for line in process.stdout if line.endswith("\n")]
        acknowledged |= {each for each in told if each > 0}
        refused |= {-each for each in told if each < 0}
        with manager.start(NAME, directory) as running:
            program = running.connect("check")
            originals, copies = browse(program, QUEUE), browse(program, COPIES)
            found = {each.serial for each in originals}
            assert [(each.serial, each.body) for each in originals] == [(each.serial, each.body) for each in copies]
            assert all(each.body == Random(each.serial).randbytes(len(each.body)) for each in originals)
            assert acknowledged <= found
            assert not refused & found
            assert len(found) == len(originals)
    assert len(acknowledged) > 10
