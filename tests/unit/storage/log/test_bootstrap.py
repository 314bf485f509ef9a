import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.logs import HEADER, PLACES, LogLedger, Told, new_disk

from kew.storage.log import Log, LogDamaged, LogError, LogSettings, LogSettingsError
from kew.storage.log.bootstrap import SLOT_SIZE, BootstrapState, decode, open_bootstrap

SMALL = LogSettings(file_pages=64, buffer_pages=18)
DUAL = LogSettings(file_pages=64, buffer_pages=18, dual=True)
FILE1 = "log/copy1/BOOTSTRAP"
FILE2 = "log/copy2/BOOTSTRAP"

addresses = st.integers(0, 2**63)


@given(
    st.dictionaries(st.integers(0, 600), st.integers(-1, 2**40), max_size=20),
    st.dictionaries(st.integers(0, 2**40), st.integers(0, 2**32 - 1), max_size=20),
    addresses,
    st.booleans(),
)
def test_a_state_comes_back(extents: dict[int, int], archives: dict[int, int], address: int, clean: bool) -> None:
    state = BootstrapState(5, 4096, True)
    state.extents, state.archives, state.clean = extents, archives, clean
    state.sequence, state.copies, state.life = 9, 2, 3
    state.durable = state.end = address
    again = decode(state.encode() + b"rest of the slot")
    assert again is not None
    assert again.encode() == state.encode()
    assert (again.extents, again.archives, again.clean) == (extents, archives, clean)
    assert (again.durable, again.end, again.life, again.copies, again.linear) == (address, address, 3, 2, True)


@given(st.integers(0, 10**6))
def test_every_flipped_bit_is_noticed(bit: int) -> None:
    state = BootstrapState(5, 4096, False)
    state.extents = {0: 1, 1: -1}
    data = bytearray(state.encode())
    bit %= len(data) * 8
    data[bit // 8] ^= 1 << bit % 8
    assert decode(bytes(data)) is None


@given(st.binary(max_size=200))
def test_no_bytes_are_taken_for_a_state(data: bytes) -> None:
    assert decode(data) is None


def test_most_extents_and_archives_fit_a_slot() -> None:
    state = BootstrapState(5, 4096, True)
    state.extents = dict.fromkeys(range(511), 1)
    state.archives = dict.fromkeys(range(1001), 1)
    assert len(state.encode()) <= SLOT_SIZE


@pytest.mark.parametrize("slot", [0, SLOT_SIZE])
def test_a_slot_that_decays_is_told_and_restored(slot: int) -> None:
    ledger = LogLedger(new_disk(SMALL), SMALL)
    ledger.open()
    ledger.checkpoint()
    ledger.append(9000)
    ledger.force()
    ledger.disk.flip(FILE1, HEADER + slot + 50, 3)
    survivor = ledger.after(ledger.disk)
    assert ("CSQJ904W", (), (FILE1,)) in survivor.told.messages
    assert survivor.opened.checkpoint == ledger.opened.checkpoint
    quiet = survivor.after(ledger.disk)
    assert "CSQJ904W" not in quiet.told.ids()


def test_both_slots_lost_is_damage_that_is_named() -> None:
    disk = new_disk(SMALL)
    for slot in (0, SLOT_SIZE):
        disk.flip(FILE1, HEADER + slot, 1)
    before = disk.content(FILE1)
    with pytest.raises(LogDamaged) as damaged:
        Log.open(disk, SMALL, PLACES)
    assert damaged.value.path == FILE1
    assert disk.content(FILE1) == before


@pytest.mark.parametrize("lost", [FILE1, FILE2])
def test_a_lost_file_is_restored_from_the_other_copy(lost: str) -> None:
    ledger = LogLedger(new_disk(DUAL), DUAL)
    ledger.open()
    ledger.append(9000)
    ledger.checkpoint()
    ledger.disk.delete(lost)
    survivor = ledger.after(ledger.disk)
    assert "CSQJ903W" in survivor.told.ids()
    assert ledger.disk.content(FILE1) == ledger.disk.content(FILE2)


@pytest.mark.parametrize(("lost", "then"), [("copy2", "copy1"), ("copy1", "copy2")])
def test_a_copy_that_was_made_again_can_stand_alone_after_a_power_loss(lost: str, then: str) -> None:
    ledger = LogLedger(new_disk(DUAL), DUAL)
    ledger.open()
    ledger.append(9000)
    ledger.force()
    ledger.disk.delete(f"log/{lost}")
    survivor = ledger.after(ledger.disk)
    survivor.append(9000)
    survivor.force()
    disk = survivor.disk.crash(keep="none")
    disk.delete(f"log/{then}")
    survivor.after(disk)


def test_no_log_is_an_error_that_names_the_file() -> None:
    disk = new_disk(SMALL)
    disk.delete("log")
    with pytest.raises(LogError, match="log/copy1/BOOTSTRAP does not exist"):
        Log.open(disk, SMALL, PLACES)
    assert disk.files == {}


def test_a_second_creation_is_refused() -> None:
    disk = new_disk(SMALL)
    with pytest.raises(LogError, match="log/copy1 holds a log already"):
        Log.create(disk, SMALL, PLACES)


def test_copies_of_different_logs_are_refused() -> None:
    disk = new_disk(DUAL)
    other = new_disk(DUAL)
    Log.create(other, DUAL, type(PLACES)("other/copy1", "other/copy2", "other/archive"), log_id=8)
    disk.overwrite(FILE2, other.content("other/copy2/BOOTSTRAP"))
    with pytest.raises(LogError, match="belongs to another log"):
        Log.open(disk, DUAL, PLACES)


def test_what_was_fixed_at_creation_cannot_be_changed() -> None:
    disk = new_disk(SMALL)
    with pytest.raises(LogSettingsError, match="file_pages=128 is not allowed: the log was created with 64"):
        Log.open(disk, LogSettings(file_pages=128), PLACES, Told())
    with pytest.raises(LogSettingsError, match="created as circular"):
        Log.open(disk, LogSettings(file_pages=64, log_type="linear"), PLACES, Told())


def test_only_the_newest_archives_are_kept_beside_those_of_active_files() -> None:
    disk = new_disk(SMALL)
    state = BootstrapState(5, 64, True)
    state.archives = dict.fromkeys(range(1200), 1)
    state.extents = {0: 1250}
    bootstrap = open_bootstrap(disk, ["log/copy1"], state)
    bootstrap.save()
    assert sorted(state.archives) == list(range(200, 1200))
    state.archives = dict.fromkeys(range(1200), 1)
    state.extents = {0: 50}
    bootstrap.save()
    assert sorted(state.archives) == list(range(50, 1200))
