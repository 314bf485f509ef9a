"""Copies of structures, whose variable strings lie elsewhere in memory."""

import copy
import pickle
from typing import Any

import pytest

from kew import ibmmq, pymqi


@pytest.mark.parametrize("face", [ibmmq, pymqi])
@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda sd: pickle.loads(pickle.dumps(sd))], ids=["copy", "deep", "pickle"]
)
def test_copies_of_structures_have_their_strings(face: Any, duplicate: Any) -> None:
    sd = face.SD(Options=face.CMQC.MQSO_CREATE)
    sd.set_vs("ObjectString", b"a/b")
    made = duplicate(sd)
    sd.set_vs("ObjectString", b"c")
    assert (made.get_vs("ObjectString"), made.Options, made.ObjectStringVSLength) == (b"a/b", sd.Options, 3)
    assert made.get_vs("SubName") is None
    assert sd.get_vs("ObjectString") == b"c"
