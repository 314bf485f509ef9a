"""SMF data for tests: real dumps where they are at hand, and strategies that make any structure."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import strategies as st

from kew.formats.smf import Batch, DumpWriter, Framing, Splitter, Structure
from kew.formats.smf.layouts.structure import Field, Value

ROOT = Path(__file__).resolve().parents[2]
PLACES = (ROOT / "tests/data/smf", ROOT.parent / "shared/data/smf")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/%"


def sample(name: str) -> bytes:
    """A real dump, or a skipped test where it is not at hand (the dumps are not part of the repository)."""
    folder = os.environ.get("KEW_SMF_SAMPLES")
    for place in [Path(folder)] if folder else PLACES:
        if (place / name).exists():
            return (place / name).read_bytes()
    pytest.skip(f"the sample dump {name} is not here; set KEW_SMF_SAMPLES to the folder that has it")


def split(data: bytes, framing: Framing = Framing.RDW, chunk: int = 1 << 20) -> Batch:
    """All records of a dump, fed in chunks, with offsets and damage as the splitter gives them."""
    splitter = Splitter(framing)
    whole = Batch(bytearray())
    for at in range(0, len(data), chunk) if data else [0]:
        batch = splitter.feed(data[at : at + chunk], at + chunk >= len(data))
        for index in range(len(batch.starts)):
            record = batch.record(index)
            whole.starts.append(len(whole.buffer))
            whole.lengths.append(len(record))
            whole.offsets.append(batch.offsets[index])
            whole.segments.append(batch.segments[index])
            whole.buffer += record
        whole.damage += batch.damage
    return whole


def records(batch: Batch) -> list[bytes]:
    """The records of a batch without the four bytes that stand for their descriptors."""
    return [batch.record(index)[4:] for index in range(len(batch.starts))]


def frame(bodies: list[bytes], framing: Framing = Framing.RDW, segment: int = 32760, block: int = 32760) -> bytes:
    """A dump of the given records."""
    writer = DumpWriter(framing, segment, block)
    return b"".join(writer.add(body) for body in bodies) + writer.finish()


def texts(length: int) -> st.SearchStrategy[str]:
    """Names as they stand in records: no trailing blank, since padding is not part of a name."""
    return st.text(LETTERS + " ", max_size=length).map(lambda name: name.rstrip(" "))


def field_values(field: Field) -> st.SearchStrategy[Value]:
    """Any value that a field can hold."""
    if field.inner is not None:
        entry = structure_values(field.inner, field.inner.size)
        return st.lists(entry, min_size=max(field.count, 1), max_size=max(field.count, 1))
    if field.type == "char":
        return texts(field.length)
    if field.type in ("bytes", "packed", "pad"):
        return st.binary(min_size=field.length, max_size=field.length)
    bits = 8 * field.element_length
    signed = field.type[0] == "i"
    number = st.integers(-(2 ** (bits - 1)) if signed else 0, 2 ** (bits - 1) - 1 if signed else 2**bits - 1)
    return st.lists(number, min_size=field.count, max_size=field.count) if field.count else number


def structure_values(structure: Structure, length: int) -> st.SearchStrategy[dict[str, Value]]:
    """Any values for the fields that a structure of this length has, marks left to the writer."""
    fields = [field for field in structure.packer(length).fields if field.mark is None and field.type != "pad"]
    return st.fixed_dictionaries({field.name: field_values(field) for field in fields})


def chunks(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    """Data in pieces of the given sizes, repeated."""
    at = turn = 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        yield data[at : at + size]
        at += size
        turn += 1
