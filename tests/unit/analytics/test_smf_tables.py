import pyarrow as pa
import pytest

from kew.analytics.smf.tables import COMMON, SOURCES, TABLES, table_named
from kew.formats.smf import RECORDS


def test_every_structure_of_a_record_is_a_table() -> None:
    structures = {used.name for layout in RECORDS.values() for used in layout.structures.values()}
    assert structures | {"records", "quarantine", "remarks"} == set(TABLES)
    assert len(TABLES) == 29


def test_tables_start_with_the_common_columns() -> None:
    for table in TABLES.values():
        if table.structure is not None:
            assert [column.name for column in table.columns[: len(COMMON)]] == [column.name for column in COMMON]
            assert len(table.columns) > len(COMMON)


def test_column_names_are_unique_in_any_case() -> None:
    for table in TABLES.values():
        names = [column.name.lower() for column in table.columns]
        assert len(set(names)) == len(names), table.name


def test_every_column_is_explained_with_its_unit() -> None:
    for table in TABLES.values():
        for column in table.columns:
            assert column.text, (table.name, column.name)
            if column.counts in ("delta", "peak", "trough") and not pa.types.is_list(column.type):
                assert column.unit or column.type in (pa.string(), pa.binary(), pa.int32()), (table.name, column.name)
    assert TABLES["QJST"].column["QJSTLOGW"].comment == "Log write I/O requests, sum over both copies (count, delta)"
    assert TABLES["WQ"].column["GETET"].comment == "MQGET elapsed time (us, delta)"
    assert "1 CICS, 2 Batch" in TABLES["WTID"].column["WTIDATYP"].comment
    assert TABLES["WQ"].schema().field("GETET").metadata[b"unit"] == b"us"


def test_types() -> None:
    queue = TABLES["QQST"].column
    assert queue["QQSTPUTS"].type == pa.decimal128(20, 0)
    assert queue["QQSTDPHI"].type == pa.int64()
    assert queue["QQSTDPTH"].type == pa.int32()
    assert queue["QQSTLPUT"].type == pa.timestamp("us", "UTC")
    assert TABLES["WTAS"].column["WTASLWET"].type == pa.list_(pa.float64())
    assert TABLES["QJST"].column["QJSTIO"].type.value_type.num_fields == 10
    assert "QJSTCMPREQ" in TABLES["QJST"].column  # a single inner structure is spread
    assert "QESTSTR" in TABLES["QEST"].column  # one row for each structure in use


def test_what_only_frames_a_block_is_not_a_column() -> None:
    for table in TABLES.values():
        assert not [name for name in table.column if name.endswith(("EYEC", "EYE", "FILL1"))]
    assert "WQNEXT" not in TABLES["WQ"].column
    assert "CORREL" in TABLES["WTAS"].column


def test_tables_are_found_in_any_case() -> None:
    assert table_named("qct_dsp") is TABLES["QCT_DSP"]
    with pytest.raises(ValueError, match="there is no table mqmd"):
        table_named("mqmd")


def test_sources() -> None:
    assert SOURCES["WQ"] == [(116, 1, 3), (116, 2, 2)]
    assert SOURCES["QPST"] == [(115, 2, 3), (115, 215, 1)]
