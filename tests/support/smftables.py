"""What the rows of a table must be, by the plain reader: a second opinion on the vector decoder."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, cast

from kew.analytics.smf.tables import TABLES, seen_fields
from kew.formats.smf import Record, Section, Structure, parse_record, release_name
from kew.formats.smf.encoding import text, tod_to_datetime
from kew.formats.smf.layouts.headers import QWHC
from kew.formats.smf.layouts.structure import Field, Value

Row = dict[str, Any]
EPOCH = datetime(1970, 1, 1)


def expected_rows(name: str, file: str, records: list[tuple[int, bytes]]) -> list[Row]:
    """The rows of a structure's table, from (offset, record) pairs in order."""
    rows: list[Row] = []
    for offset, raw in records:
        if raw[5] not in (115, 116):
            continue
        record = parse_record(raw)
        for section in record.sections:
            if section.name != name or section.structure is None:
                continue
            common = common_values(record, section, file, offset)
            if name == "QEST":
                rows += [common | entry for entry in _entries(section)]
            else:
                rows.append(common | _own(record, section))
    return [{column: row[column] for column in TABLES[name].column} for row in rows]


def common_values(record: Record, section: Section, file: str, offset: int) -> Row:
    product = record.product
    row: Row = dict.fromkeys(
        (
            "dump",
            "subsystem",
            "qsg",
            "recorded",
            "interval_start",
            "interval_start_local",
            "duration_us",
            "utc_offset",
            "leap_seconds",
            "sequence",
        )
    )
    row |= {
        "file": file,
        "offset": offset,
        "section": section.index,
        "smf_type": record.smf_type,
        "subtype": record.subtype,
        "system": record.system,
        "qmgr": record.qmgr,
        "release": release_name(record.release),
        "vrm": record.release,
        "written_local": record.written,
    }
    if "QWHXQSG" in product:
        row["qsg"] = text(cast(str, product["QWHXQSG"]))
    row["duration_us"] = record.duration
    if not product.get("QWHSSTCK"):
        return row
    recorded = tod_to_datetime(cast(int, product["QWHSSTCK"]))
    assert recorded is not None
    row["recorded"] = recorded
    row["sequence"] = product["QWHSWSEQ"]
    row["subsystem"] = text(cast(str, product["QWHSSSID"]))
    ended = record.written
    start = tod_to_datetime(cast(int, product.get("QWHSTIME", 0)))
    if start is not None:
        ended = start.replace(tzinfo=None) + timedelta(microseconds=record.duration or 0)
    quarters = round((ended - recorded.replace(tzinfo=None)) / timedelta(minutes=15))
    row["utc_offset"] = 15 * quarters
    row["leap_seconds"] = 0
    if start is not None:
        row["interval_start_local"] = start.replace(tzinfo=None)
        row["interval_start"] = start - timedelta(minutes=15 * quarters)
    return row


def _own(record: Record, section: Section) -> Row:
    assert section.structure is not None
    row = structure_row(section.structure, section.values())
    if section.name == "WTAS":
        row["CORREL"] = section.data[8:24]
    if section.name == "WTID":
        others = [other for other in record.sections if other.triplet == 2 and other.index == 0]
        at = 8 if record.subtype == 1 else 16
        row["CORREL"] = others[0].data[at : at + 16] if others else None
    if section.name in ("QMAC", "QWAC"):
        row |= structure_row(QWHC, record.product)
    return row


def structure_row(structure: Structure, values: dict[str, Value]) -> Row:
    row: Row = {}
    for field in seen_fields(structure):
        value = values.get(field.name)
        if field.inner is not None and field.count == 1:
            inner = cast(list[dict[str, Value]], value)[0] if value is not None else {}
            row |= structure_row(field.inner, inner)
        else:
            row[field.name] = None if value is None else shown(field, value)
    return row


def shown(field: Field, value: Value) -> Any:
    if field.inner is not None:
        inner = field.inner
        return [structure_row(inner, entry) for entry in cast(list[dict[str, Value]], value)]
    if field.count:
        return [_single(field, one) for one in cast(list[int], value)]
    return _single(field, value)


def _single(field: Field, value: Value) -> Any:
    if field.type == "char":
        return text(cast(str, value))
    if field.type == "bytes":
        return value
    number = cast(int, value)
    if number == field.none:
        return None
    if field.type == "todd":
        return number / 4096
    if field.type == "stck":
        return tod_to_datetime(number)
    return Decimal(number) if field.type == "u64" else number


def _entries(section: Section) -> list[Row]:
    rows = []
    inner = section.structure.field["QESTSTUC"].inner if section.structure else None
    assert inner is not None
    for index, entry in enumerate(cast(list[dict[str, Value]], section.values()["QESTSTUC"])):
        if not cast(str, entry["QESTSTR"]).startswith("\x00"):
            rows.append(structure_row(inner, entry) | {"section": index})
    return rows


def utc(value: Any) -> Any:
    """Moments as tables give them: in UTC, by whatever name."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC)
    if isinstance(value, list):
        return [utc(item) for item in value]
    if isinstance(value, dict):
        return {name: utc(item) for name, item in value.items()}
    return value
