"""SMF records 115 and 116 of a queue manager: layouts, container, tolerant reader and writer.

Reading:  `detect` the framing, feed a `Splitter`, `parse_record` each record, `Section.values()` for the numbers.
Writing:  a `Stamp`, `build_records`, a `DumpWriter`.
"""

from kew.formats.smf.codelists import CODES
from kew.formats.smf.container import Batch, Damage, Framing, Splitter, detect, find_start
from kew.formats.smf.encoding import (
    parse_release,
    release_name,
    tod_to_datetime,
    tod_to_microseconds,
)
from kew.formats.smf.layouts.structure import BY_NAME as STRUCTURES
from kew.formats.smf.layouts.structure import Field, Structure
from kew.formats.smf.record import DamagedRecord, Record, Section, parse_record
from kew.formats.smf.records import RECORDS, RecordLayout
from kew.formats.smf.writer import (
    DumpWriter,
    Sequences,
    Stamp,
    build_record,
    build_records,
    dump_marker,
    encode_structure,
)

__all__ = [
    "CODES",
    "RECORDS",
    "STRUCTURES",
    "Batch",
    "Damage",
    "DamagedRecord",
    "DumpWriter",
    "Field",
    "Framing",
    "Record",
    "RecordLayout",
    "Section",
    "Sequences",
    "Splitter",
    "Stamp",
    "Structure",
    "build_record",
    "build_records",
    "detect",
    "dump_marker",
    "encode_structure",
    "find_start",
    "parse_record",
    "parse_release",
    "release_name",
    "tod_to_datetime",
    "tod_to_microseconds",
]
