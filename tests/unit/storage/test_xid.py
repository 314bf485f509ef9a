"""Names of prepared units of work."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from kew.storage.xid import CHANNEL_BATCH, LONGEST_PART, owner_format, pack, unpack

PARTS = some.binary(max_size=LONGEST_PART)


@given(format_id=some.integers(-(1 << 31), (1 << 31) - 1), global_id=PARTS, branch=PARTS)
def test_a_name_is_read_as_it_was_made(format_id: int, global_id: bytes, branch: bytes) -> None:
    name = pack(format_id, global_id, branch)
    assert unpack(name) == (format_id, global_id, branch)
    assert owner_format(name) == (format_id if format_id == CHANNEL_BATCH else 0)


@given(data=some.binary(max_size=140))
def test_any_bytes_are_a_name_or_none(data: bytes) -> None:
    parts = unpack(data)
    assert parts is None or pack(*parts) == data


def test_a_cut_or_prolonged_name_belongs_to_nobody() -> None:
    name = pack(CHANNEL_BATCH, b"key", b"batch")
    assert owner_format(name) == CHANNEL_BATCH
    for other in (b"", name[:5], name[:-1], name + b"x", b"xid"):
        assert owner_format(other) == 0


@pytest.mark.parametrize("parts", [(bytes(65), b""), (b"", bytes(65))])
def test_the_parts_of_a_name_have_a_length(parts: tuple[bytes, bytes]) -> None:
    with pytest.raises(ValueError, match="at most 64 bytes"):
        pack(1, *parts)
