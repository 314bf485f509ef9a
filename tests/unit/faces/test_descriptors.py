"""Between the MD of a program and the descriptor of a queue manager."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew import ibmmq, pymqi
from kew.faces.descriptors import criteria_of, descriptor_of, fill, id_field, name_field
from kew.formats import mqmd
from kew.formats.mqmd import MessageDescriptor


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (b"", b"        "),
        (None, b"        "),
        ("Q1", b"Q1      "),
        (b"Q1\0rest", b"Q1      "),
        (b"Q1      ", b"Q1      "),
        (b"too long a name", b"too long"),
        (b"\0\0\0\0\0\0\0\0", b"        "),
    ],
)
def test_names(value: Any, field: bytes) -> None:
    assert name_field(value, 8) == field


def test_ids() -> None:
    assert id_field(b"", 24) == bytes(24)
    assert id_field(b"ab", 24) == b"ab" + bytes(22)
    assert id_field(b"x" * 30, 24) == b"x" * 24
    with pytest.raises(TypeError, match="are bytes, not text"):
        id_field("text", 24)


@given(packed=st.binary(min_size=364, max_size=364))
def test_what_a_queue_manager_says_comes_back_whole(packed: bytes) -> None:
    told = mqmd.decode(b"MD  \2\0\0\0" + packed[8:])
    for face in (ibmmq, pymqi):
        md: Any = face.MD(Version=2)
        fill(md, told)
        assert md.pack()[8:] == packed[8:]
        again = descriptor_of(md)
        # Names that C would end are ended, and everything else is as it was.
        assert (again.message_id, again.correlation_id, again.group_id) == (
            told.message_id,
            told.correlation_id,
            told.group_id,
        )
        assert again.reply_to_queue == told.reply_to_queue.partition(b"\0")[0].ljust(48)
        assert (again.report, again.expiry, again.offset) == (told.report, told.expiry, told.offset)


@given(packed=st.binary(min_size=364, max_size=364), version=st.sampled_from([1, 2]))
def test_what_a_get_is_to_match_is_what_its_descriptor_says(packed: bytes, version: int) -> None:
    for face in (ibmmq, pymqi):
        md: Any = face.MD(Version=version)
        fill(md, mqmd.decode(b"MD  \2\0\0\0" + packed[8:]))
        whole, wanted = descriptor_of(md), criteria_of(md, 819)
        assert (wanted.message_id, wanted.correlation_id) == (whole.message_id, whole.correlation_id)
        assert (wanted.group_id, wanted.sequence_number, wanted.offset) == (
            whole.group_id,
            whole.sequence_number,
            whole.offset,
        )
        assert (wanted.ccsid, wanted.encoding) == (whole.ccsid or 819, whole.encoding)


def test_a_descriptor_of_version_1_has_no_group() -> None:
    md = pymqi.MD(GroupId=b"g" * 24, MsgSeqNumber=5)
    assert md.Version == 1
    descriptor = descriptor_of(md)
    assert (descriptor.group_id, descriptor.sequence_number) == (bytes(24), 1)
    fill(md, MessageDescriptor(group_id=b"h" * 24, sequence_number=9))
    assert (md.GroupId, md.MsgSeqNumber) == (b"g" * 24, 5)
    md.Version = 2
    assert descriptor_of(md).group_id == b"g" * 24
