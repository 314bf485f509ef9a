"""A queue manager's directory, kept as test data for later versions: made here, looked at by the tests.

`python -m tests.support.kept VERSION` writes tests/data/directory-VERSION.tar.xz, which holds two directories of data:
of a queue manager that ended in order, and of one that was broken off. An archive that was made stays as it is: a new
version of a format gets a new one beside it.
"""

import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.support.engines import open_engine

from kew.codes.options import MQOO_BROWSE, MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.files import Places
from kew.qmgr.manager import QueueManager, engine_settings
from kew.security.identity import Secret, User, UserFile
from kew.storage.directories import directory_of
from kew.storage.disk import RealDisk
from kew.storage.log import NoNotices

NAME = "KEPT.QM"
XID = b"kept branch"
ENDED, CRASHED = "ended", "crashed"
ARCHIVES = sorted((Path(__file__).parents[1] / "data").glob("directory-*.tar.xz"))
BODIES = [b"%d " % number * (number * number * 40) for number in range(1, 31)]  # up to 108,000 bytes


def make(data: Path) -> None:
    """Make both directories below `data`."""
    ended, crashed = data / ENDED, data / CRASHED
    configuration = Configuration(
        log=LogConfiguration(log_type="linear", file_pages=64, primary_files=2, copies=2),
        buffer_pools=(BufferPoolConfiguration(0, 200), BufferPoolConfiguration(1, 400)),
        page_sets=(PageSetConfiguration(0, 64), PageSetConfiguration(1, 600, buffer_pool=1)),
    )
    manager.create(NAME, configuration, str(ended))
    with manager.start(NAME, str(ended)) as made:
        made.mqsc("DEFINE QLOCAL(KEPT)", "DEFINE QLOCAL(DOUBT)", "DEFINE TOPIC(NEWS) TOPICSTR('news')")
        users = UserFile(made.host.disk, made.host.places.users, made.host.log.owner)
        users.write([User("ann", Secret.of("secret", 4), ("staff",))])
    root = directory_of(str(ended), NAME)
    host = open_engine(RealDisk(), NAME, Places(root), engine_settings(configuration), NoNotices(), threads=False)
    connection = host.connect("kept")
    queue = connection.open("KEPT", MQOO_OUTPUT)
    for number, body in enumerate(BODIES):
        connection.put(queue, MessageDescriptor(persistence=1, priority=number % 3), body)
        if number == len(BODIES) // 2:
            host.checkpointer.take()
            host.log.maintain()
    doubt = connection.open("DOUBT", MQOO_OUTPUT)
    connection.start_branch(XID)
    connection.put(doubt, MessageDescriptor(persistence=1), b"in doubt", MQPMO_SYNCPOINT)
    connection.end_branch()
    connection.prepare(XID)
    host.crash()
    shutil.copytree(ended, crashed)
    manager.start(NAME, str(ended)).stop()


def look(running: QueueManager) -> None:
    """Hold what a queue manager shows against what was put."""
    connection = running.connect()
    queue = connection.open("KEPT", MQOO_INPUT_SHARED | MQOO_BROWSE)
    expected = [body for priority in (2, 1, 0) for body in BODIES[priority::3]]
    assert [connection.get(queue).data for _ in expected] == expected
    assert connection.recover() == [XID]
    connection.commit_branch(XID)
    assert connection.get(connection.open("DOUBT", MQOO_INPUT_SHARED)).data == b"in doubt"
    assert running.host.directory.accepts("ann", "secret")
    assert "TOPICSTR(news)" in running.mqsc("DISPLAY TOPIC(NEWS) TOPICSTR")
    assert not running.host.lost
    connection.disconnect()


def main() -> None:
    """Write the archive of a version."""
    target = Path(__file__).parents[1] / "data" / f"directory-{sys.argv[1]}.tar.xz"
    if target.exists():
        raise SystemExit(f"{target} is kept as it is; make one for the new version")
    with tempfile.TemporaryDirectory() as scratch:
        make(Path(scratch))
        with tarfile.open(target, "w:xz") as archive:
            for name in (ENDED, CRASHED):
                archive.add(Path(scratch) / name, name, filter=_plain)


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Leave out what says where the archive was made: owners, and the error log."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return None if "/errors/" in member.name else member


if __name__ == "__main__":
    main()
