"""The experiment of IBM's z/OS report: a queue of copies on a page set of 20,157 pages that does not grow.

`pytest tests/unit/mqi/test_streaming_experiment.py --puts 500000` is its full size, and takes some minutes and 2 GB.
"""

from pathlib import Path

import pytest

from kew.codes.attributes import MQIA_CURRENT_Q_DEPTH
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INQUIRE, MQOO_OUTPUT
from kew.codes.reasons import MQRC_PAGESET_FULL
from kew.commands.actions.script import Script
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.manager import QueueManager

SIZE = 20_157
SEEDS = 19_980  # messages of 1 KB that the report counts on it
CONFIGURATION = Configuration(
    log=LogConfiguration(file_pages=256, primary_files=3),
    buffer_pools=(
        BufferPoolConfiguration(0, 400),
        BufferPoolConfiguration(1, 4000),
        BufferPoolConfiguration(2, 24_000),
    ),
    page_sets=(
        PageSetConfiguration(0, 512, buffer_pool=0),
        PageSetConfiguration(1, 1024, buffer_pool=1),
        PageSetConfiguration(2, SIZE, expand="NONE", buffer_pool=2),
    ),
)
COMMANDS = """
DEFINE STGCLASS(STREAMS) PSID(2)
DEFINE QLOCAL(STRMQ000) STGCLASS(STREAMS) MAXDEPTH(999999999)
DEFINE QLOCAL(LQ1000) MAXDEPTH(999999999) STREAMQ(STRMQ000) STRMQOS({qos})
"""


def run(running: QueueManager, qos: str, puts: int) -> tuple[int, int]:
    """Put messages until one is refused; gives how many were put and the reason of the refusal, 0 for none."""
    script = Script(running.host.commands)
    said = [line for batch in script.run(COMMANDS.format(qos=qos).splitlines()) for line in batch]
    assert not script.counts.failed, said
    program = running.connect("batch")
    queue = program.open("LQ1000", MQOO_OUTPUT)
    for done in range(puts):
        try:
            program.put(queue, MessageDescriptor(persistence=0), bytes(1024))
        except MQError as error:
            return done, error.reason
    return puts, 0


def depth(running: QueueManager, name: str) -> int:
    """Give the depth of a queue."""
    program = running.connect("inquirer")
    found = program.inquire(program.open(name, MQOO_INQUIRE), [MQIA_CURRENT_Q_DEPTH])[MQIA_CURRENT_Q_DEPTH]
    program.disconnect()
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("qos", ["BESTEF", "MUSTDUP"])
def test_a_full_stream_stops_the_putter_only_if_it_must(qos: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    puts: int = pytestconfig.getoption("--puts")
    manager.create("VTS1", CONFIGURATION, str(tmp_path))
    with manager.start("VTS1", str(tmp_path)) as running:
        done, reason = run(running, qos, puts)
        original, copies = depth(running, "LQ1000"), depth(running, "STRMQ000")
        assert abs(copies - SEEDS) <= SEEDS / 100
        if qos == "BESTEF":
            assert (done, reason, original) == (puts, 0, puts)
        else:
            assert (done, reason, original) == (copies, MQRC_PAGESET_FULL, copies)
    logs = "".join(path.read_text() for path in tmp_path.rglob("AMQERR0?.LOG"))
    said = "Unable to put to streaming queue STRMQ000 for queue LQ1000, mqrc=2192 (MQRC_PAGESET_FULL)"
    assert logs.count(said) == 1
    assert logs.count("CSQM587E") == 1
