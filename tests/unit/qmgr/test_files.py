"""Files of another version, of another queue manager or of no known format stop a start, and nothing is touched."""

import shutil
from pathlib import Path

import pytest

from kew.codes.options import MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import backup, manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.files import owner_of
from kew.security.identity import Secret, User, UserFile
from kew.storage.disk import RealDisk
from kew.storage.fileheader import (
    ARCHIVE,
    BOOTSTRAP,
    DOUBLE_WRITE,
    LOG_FILE,
    PAGE_SET,
    FileRefused,
    Format,
    header_page,
    read_header,
)
from kew.storage.log import LogDamaged
from kew.storage.stall import Damaged

PAGE = 4096
# A file of each kind: its place, its format and its number.
FILES = {
    "page set 0": ("pagesets/psid00", PAGE_SET, 0),
    "page set 1": ("pagesets/psid01", PAGE_SET, 1),
    "double-write": ("pagesets/doublewrite", DOUBLE_WRITE, 0),
    "bootstrap": ("log/copy1/BOOTSTRAP", BOOTSTRAP, 0),
    "second bootstrap": ("log/copy2/BOOTSTRAP", BOOTSTRAP, 0),
    "log file": ("log/copy1/S0000001.LOG", LOG_FILE, 1),
    "second log file": ("log/copy2/S0000002.LOG", LOG_FILE, 2),
    "archive": ("log/archive/A0000000.LOG", ARCHIVE, 0),
}
KINDS = pytest.mark.parametrize("kind", list(FILES))


def made(data: Path, name: str) -> Path:
    """Make a queue manager that has a file of each kind; gives its directory."""
    configuration = Configuration(
        log=LogConfiguration(log_type="linear", file_pages=64, primary_files=2, copies=2),
        buffer_pools=(BufferPoolConfiguration(0, 100), BufferPoolConfiguration(1, 100)),
        page_sets=(PageSetConfiguration(0, 64), PageSetConfiguration(1, 64, buffer_pool=1)),
    )
    manager.create(name, configuration, str(data))
    with manager.start(name, str(data)) as running:
        running.host.administration.define("QLOCAL", "Q", {})
        connection = running.connect()
        queue = connection.open("Q", MQOO_OUTPUT)
        for _ in range(6):
            connection.put(queue, MessageDescriptor(persistence=1), bytes(60_000))
        running.host.checkpointer.take()
        running.host.log.maintain()
        connection.disconnect()
    return data / "qmgrs" / name


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("original")
    made(data, "QM1")
    return data


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: made(tmp_path_factory.mktemp("others"), name) for name in ("QM1", "QM2")}


@pytest.fixture
def data(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "data"))


def contents(data: Path) -> dict[str, bytes]:
    """Give every file's bytes, but those of the lock, which names the process that has it."""
    return {str(path): path.read_bytes() for path in data.rglob("*") if path.is_file() and path.name != "lock"}


def refused(data: Path, file: Path, found: str) -> FileRefused:
    """Start; the file must be refused for what it is, with all bytes of all files as before."""
    before = contents(data)
    with pytest.raises(FileRefused) as error:
        manager.start("QM1", str(data))
    assert contents(data) == before
    assert error.value.path == str(file)
    assert found in error.value.found
    assert error.value.expected
    assert error.value.remedy
    return error.value


def header_of(file: Path, kind: Format, number: int, written: Format) -> bytes:
    """Draw a file's header again, as another version or another product of the same maker would have it."""
    page = file.read_bytes()[:PAGE]
    owner = read_header(str(file), page, kind, number, lambda: False)
    assert owner is not None
    return header_page(written, owner, number, page[128:200])


@KINDS
@pytest.mark.parametrize("version", [1, 3, 900])
def test_another_version_is_refused(data: Path, kind: str, version: int) -> None:
    place, form, number = FILES[kind]
    file = data / "qmgrs/QM1" / place
    page = header_of(file, form, number, Format(form.name, version))
    file.write_bytes(page + file.read_bytes()[PAGE:])
    error = refused(data, file, f"'{form.name}' of version {version}")
    assert error.expected == f"'{form.name}' of version {form.version}"
    assert "the version of Kew that wrote the file" in error.remedy


@pytest.mark.parametrize(
    ("kind", "beginning"),
    [
        ("page set 1", bytes(32) + b"KEWPSET1"),
        ("bootstrap", b"KEWBOOT1" + bytes(32)),
        ("log file", b"\x11\x22\x33\x44LK\x01\x00" + bytes(32)),
    ],
)
def test_a_file_from_before_there_were_headers_is_refused_as_version_1(data: Path, kind: str, beginning: bytes) -> None:
    place, form, _ = FILES[kind]
    file = data / "qmgrs/QM1" / place
    file.write_bytes(beginning.ljust(PAGE, b"\0") + file.read_bytes()[PAGE:])
    refused(data, file, f"'{form.name}' of version 1")


@KINDS
@pytest.mark.parametrize("other", ["QM1", "QM2"])
def test_a_file_of_another_queue_manager_is_refused(data: Path, others: dict[str, Path], kind: str, other: str) -> None:
    place = FILES[kind][0]
    file = data / "qmgrs/QM1" / place
    shutil.copy(others[other] / place, file)
    error = refused_somewhere(data)
    if kind == "bootstrap" and other == "QM1":  # the file that says whose the others ought to be
        assert error.path == str(file).replace("copy1", "copy2")
    else:
        assert error.path == str(file)
        assert f"a file of queue manager {other} (" in error.found
    assert "one of queue manager QM1 (" in error.expected


def refused_somewhere(data: Path) -> FileRefused:
    before = contents(data)
    with pytest.raises(FileRefused) as error:
        manager.start("QM1", str(data))
    assert contents(data) == before
    return error.value


@KINDS
def test_a_wrong_format_name_is_refused(data: Path, kind: str) -> None:
    file = data / "qmgrs/QM1" / FILES[kind][0]
    page = bytearray(file.read_bytes())
    page[32:48] = b"SQLite format 3\0"
    file.write_bytes(page)
    refused(data, file, "an unknown format")


@KINDS
@pytest.mark.parametrize("size", [0, 100, PAGE, 300_000])
def test_a_file_of_something_else_is_refused(data: Path, kind: str, size: int) -> None:
    file = data / "qmgrs/QM1" / FILES[kind][0]
    file.write_bytes((b"Dear Sir or Madam, " * 20_000)[:size])
    refused(data, file, "an unknown format that begins with b'Dear Sir" if size else "an empty file")


@KINDS
def test_a_file_of_zeros_is_refused(data: Path, kind: str) -> None:
    file = data / "qmgrs/QM1" / FILES[kind][0]
    file.write_bytes(bytes(file.stat().st_size))
    refused(data, file, "zeros")


@KINDS
def test_a_file_of_another_kind_is_refused(data: Path, kind: str) -> None:
    place, form, _ = FILES[kind]
    file = data / "qmgrs/QM1" / place
    other = next(path for path, each, _ in FILES.values() if each is not form)
    shutil.copy(data / "qmgrs/QM1" / other, file)
    refused(data, file, "'Kew ")


@pytest.mark.parametrize(("kind", "other"), [("page set 0", "pagesets/psid01"), ("log file", "log/copy1/S0000002.LOG")])
def test_a_file_in_the_place_of_its_neighbour_is_refused(data: Path, kind: str, other: str) -> None:
    file = data / "qmgrs/QM1" / FILES[kind][0]
    shutil.copy(data / "qmgrs/QM1" / other, file)
    refused(data, file, f"number {1 if kind == 'page set 0' else 2}")


@pytest.mark.parametrize("damage", [0, 1, 2])
@KINDS
def test_bits_that_flipped_in_a_header_are_damage(data: Path, kind: str, damage: int) -> None:
    place, form, _ = FILES[kind]
    for offset in (0, 4, 32, 33, 40, 47, 48, 52, 56, 71, 72, 100, 120, 123, 2000):
        copy = Path(shutil.copytree(data, data.parent / f"{offset}"))
        file = copy / "qmgrs/QM1" / place
        content = bytearray(file.read_bytes())
        for step in range(damage + 1):
            content[offset + step if 32 <= offset < 46 else offset] ^= 1 << step
        file.write_bytes(content)
        if damage == 2 and 32 <= offset < 46:
            refused(copy, file, "an unknown format")
            continue
        _damaged(copy, file, form)
        shutil.rmtree(copy)


def _damaged(data: Path, file: Path, form: Format) -> None:
    """Start with a damaged header: it is told, and mended or set aside."""
    try:
        running = manager.start("QM1", str(data))
    except (Damaged, LogDamaged) as damage:
        assert file.name == "psid00", damage
        return
    running.stop()
    told = (data / "qmgrs/QM1/errors/AMQERR01.LOG").read_text()
    if form is PAGE_SET:
        assert running.host.lost.keys() == {1}
        assert "CSQP901E" in told
        assert not file.exists()
    else:
        assert f"CSQJ912W: The header of file {file} was damaged" in told
        running = manager.start("QM1", str(data))
        running.stop()
        assert (data / "qmgrs/QM1/errors/AMQERR01.LOG").read_text().count("CSQJ912W: The header") == 1


def test_a_blank_header_before_pages_of_the_page_set_is_damage(data: Path) -> None:
    file = data / "qmgrs/QM1/pagesets/psid01"
    file.write_bytes(bytes(PAGE) + file.read_bytes()[PAGE:])
    _damaged(data, file, PAGE_SET)


@pytest.mark.parametrize("kind", ["log file", "archive", "bootstrap"])
def test_a_blank_header_before_pages_of_the_log_is_mended(data: Path, kind: str) -> None:
    place, form, _ = FILES[kind]
    file = data / "qmgrs/QM1" / place
    before = file.read_bytes()
    file.write_bytes(bytes(PAGE) + before[PAGE:])
    _damaged(data, file, form)
    assert file.read_bytes()[:PAGE] == before[:PAGE]


# -- files of text -----------------------------------------------------------------------------------------------------


@pytest.fixture
def with_users(data: Path) -> Path:
    owner = owner_of(RealDisk(), "QM1", str(data / "qmgrs/QM1"))
    UserFile(RealDisk(), str(data / "qmgrs/QM1/users"), owner).write([User("ann", Secret.of("a", 1))])
    return data


KEY = "0f" * 16
TEXTS = pytest.mark.parametrize("name", ["qm.ini", "users"])


@TEXTS
@pytest.mark.parametrize(
    ("first", "found"),
    [
        ("# Kew {} 1 of queue manager QM1", "'Kew {}' of version 1"),
        ("# Kew {} 3 of queue manager QM1", "'Kew {}' of version 3"),
        ("# Kew {} 17", "'Kew {}' of version 17"),
        ("# Kew {} 2", "a file that begins with '# Kew {} 2'"),
        ("# Kew {} 2 of queue manager QM2", "a file of queue manager QM2"),
        (f"# Kew {{}} 2 of queue manager QM1, identity {KEY}", f"a file of queue manager QM1 ({KEY})"),
        ("# Kew backup 2 of queue manager QM1", "'Kew backup' of version 2"),
        ("#* Module Name: {}", "a file that begins with '#* Module Name: {}'"),
        ("Log:", "a file that begins with 'Log:'"),
        ("SQLite format 3\0", "a file that begins with 'SQLite format 3"),
    ],
)
def test_a_file_of_text_is_refused_by_its_first_line(with_users: Path, name: str, first: str, found: str) -> None:
    file = with_users / "qmgrs/QM1" / name
    _old, _, rest = file.read_text().partition("\n")
    file.write_text(first.replace("{}", name) + "\n" + rest)
    refused(with_users, file, found.replace("{}", name))


@TEXTS
def test_an_empty_file_of_text_is_refused(with_users: Path, name: str) -> None:
    file = with_users / "qmgrs/QM1" / name
    for text in ("", "\n\n"):
        file.write_text(text)
        refused(with_users, file, "an empty file")


@TEXTS
def test_a_file_of_text_written_by_hand_needs_no_identity(with_users: Path, name: str) -> None:
    file = with_users / "qmgrs/QM1" / name
    _old, _, rest = file.read_text().partition("\n")
    file.write_text(f"\ufeff# Kew {name} 2 of queue manager QM1\r\n{rest}" if name == "qm.ini" else rest)
    if name == "users":
        file.write_text(f"# Kew {name} 2 of queue manager QM1\n{rest}")
    with manager.start("QM1", str(with_users)) as running:
        assert running.host.directory.knows("ann")


def test_a_directory_of_another_product_is_neither_started_nor_deleted(tmp_path: Path) -> None:
    root = tmp_path / "qmgrs" / "QM1"
    (root / "qmgr").mkdir(parents=True)
    (root / "qmgr" / "QMQMOBJCAT").write_bytes(b"FTM " * 1000)
    no_file = "no file"
    for text in (no_file, "#* Module Name: qm.ini *#\nLog:\n   LogPrimaryFiles=3\n"):
        if text is not no_file:
            (root / "qm.ini").write_text(text)
        before = contents(tmp_path)
        for action in (manager.start, manager.delete):
            with pytest.raises(FileRefused, match="no file" if text is no_file else "Module Name"):
                action("QM1", str(tmp_path))
        assert contents(tmp_path) == before
        assert not (root / "lock").exists()


# -- backups -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('"version": 2', '"version": 3', "'Kew backup' of version 3"),
        ('"version": 2', '"version": 1', "'Kew backup' of version 1"),
        ('"format": "Kew backup"', '"format": "tar"', "'tar' of version 2"),
        ('"format": "Kew backup",', "", "'a manifest' of version 2"),
        ("{", "", "no manifest"),
    ],
)
def test_a_backup_of_another_version_is_refused(data: Path, tmp_path: Path, old: str, new: str, found: str) -> None:
    backup.back_up("QM1", str(tmp_path / "b"), str(data))
    manifest = tmp_path / "b" / "backup.json"
    manifest.write_text(manifest.read_text().replace(old, new, 1))
    before = contents(data)
    if found == "no manifest":
        with pytest.raises(backup.BackupError, match="is not a manifest"):
            backup.restore("QM1", str(tmp_path / "b"), str(data))
    else:
        with pytest.raises(FileRefused, match=found) as error:
            backup.restore("QM1", str(tmp_path / "b"), str(data))
        assert error.value.path == str(manifest)
    manifest.write_text("")
    with pytest.raises(FileRefused, match="an empty file"):
        backup.restore("QM1", str(tmp_path / "b"), str(data))
    assert contents(data) == before


@pytest.mark.parametrize("without_log", [False, True])
def test_a_backup_of_another_queue_manager_of_the_name_is_refused(
    data: Path, others: dict[str, Path], tmp_path: Path, without_log: bool
) -> None:
    backup.back_up("QM1", str(tmp_path / "b"), str(others["QM1"].parents[1]))
    before = contents(data)
    with pytest.raises(FileRefused, match="found a file of queue manager QM1"):
        backup.restore("QM1", str(tmp_path / "b"), str(data), without_log)
    assert contents(data) == before


def test_a_page_set_of_another_backup_is_refused(data: Path, others: dict[str, Path], tmp_path: Path) -> None:
    backup.back_up("QM1", str(tmp_path / "b"), str(data))
    shutil.copy(others["QM1"] / "pagesets/psid01", tmp_path / "b" / "psid01")
    before = contents(data)
    with pytest.raises(FileRefused, match="b/psid01: found a file of queue manager QM1"):
        backup.restore("QM1", str(tmp_path / "b"), str(data))
    assert contents(data) == before


@pytest.mark.parametrize("kind", [kind for kind in FILES if kind != "double-write"])
def test_no_backup_is_taken_of_files_that_are_refused(data: Path, tmp_path: Path, kind: str) -> None:
    file = data / "qmgrs/QM1" / FILES[kind][0]
    file.write_bytes(b"")
    before = contents(data)
    with pytest.raises(FileRefused, match="an empty file"):
        backup.back_up("QM1", str(tmp_path / "b"), str(data))
    assert contents(data) == before
