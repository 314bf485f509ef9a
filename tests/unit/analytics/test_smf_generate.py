from decimal import Decimal
from itertools import pairwise

import pyarrow.compute as pc
import pytest

from kew.analytics.smf.decode import Decoder
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.tables import TABLES
from kew.formats.smf import Framing, Splitter

RELEASES = [80000, 90000, 90300, 90301, 90303, 90305, 90400, 90403, 90405, 100000]


@pytest.mark.parametrize("release", RELEASES)
def test_the_content_is_what_the_generator_says(release: int) -> None:
    generator = Generator(Profile([System("SYS1", "QM01", release, 60, "QSG1")], tasks=4, variety=3))
    dump = b"".join(generator.intervals(5))
    decoded = Decoder(list(TABLES)).decode(Splitter(Framing.RDW).feed(dump, True), "dump")
    assert decoded.damage == []
    for name, table in decoded.tables.items():
        if TABLES[name].structure is None:
            continue
        assert table.num_rows == generator.totals.rows.get(name, 0), name
        for field, total in generator.totals.sums.get(name, {}).items():
            assert pc.sum(table.column(field)).as_py() == Decimal(total), (name, field)
    assert sum(generator.totals.records.values()) + 2 == decoded.tables["records"].num_rows


def test_time_moves_on_and_numbers_have_no_gap() -> None:
    generator = Generator(Profile([System("SYS1", "QM01", 90300, -300)], tasks=2, interval=15_000_000))
    dump = b"".join(generator.intervals(10))
    decoded = Decoder(["QMST", "records"]).decode(Splitter(Framing.RDW).feed(dump, True), "dump")
    ends = decoded.tables["QMST"].column("recorded").to_pylist()
    assert {(later - earlier).total_seconds() for earlier, later in pairwise(ends)} == {15.0}
    assert set(decoded.tables["QMST"].column("utc_offset").to_pylist()) == {-300}
    numbers = [number for number in decoded.tables["records"].column("sequence").to_pylist() if number]
    assert numbers == list(range(1, len(numbers) + 1))


def test_sizes_are_met() -> None:
    generator = Generator(Profile([System("SYS1", "QM01", 90300)]))
    size = sum(len(piece) for piece in generator.megabytes(3))
    assert 3e6 <= size < 3.5e6
    assert generator.totals.bytes == size


def test_the_same_seed_gives_the_same_dump() -> None:
    def make(seed: int) -> bytes:
        return b"".join(Generator(Profile([System("SYS1", "QM01", 90300)], tasks=2, seed=seed)).intervals(2))

    assert make(1) == make(1)
    assert make(1) != make(2)
