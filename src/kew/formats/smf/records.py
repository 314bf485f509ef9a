"""The structures of each record type and subtype, and their places in its self-defining section.

+0   SMF header, 28 bytes
+28  triplets of 8 bytes: u32 offset, u16 length, u16 count; offsets count from the RDW
...  data sections
...  the product section (the QWHS and the fields behind it), which triplet 0 describes, normally last
"""

from typing import Final

from kew.formats.smf.layouts.accounting import QCST, QMAC, QWAC, WQ, WTAS, WTID
from kew.formats.smf.layouts.resources import (
    QCCT,
    QCT_ADP,
    QCT_DNS,
    QCT_DSP,
    QCT_SSL,
    QIS1,
    QPST,
    QQST,
    QSGM,
    QSPH,
    QSRS,
)
from kew.formats.smf.layouts.statistics import Q5ST, QESD, QEST, QIST, QJST, QLST, QMST, QSST, QTST
from kew.formats.smf.layouts.structure import Structure

STATISTICS: Final = 115
ACCOUNTING: Final = 116
DUMP_HEADER: Final = 2
DUMP_TRAILER: Final = 3

RMID_QUEUE_MANAGER: Final = 26
RMID_STORAGE: Final = 128
RMID_CHANNEL_INITIATOR: Final = 231
RMID_TASK_ACCOUNTING: Final = 247

# The product section: a QWHS of 52 bytes with the interval; one of 36 without it and a QWHC; or four bytes.
LONG: Final = "long"
SHORT: Final = "short"
TINY: Final = "tiny"

# A subtype 5, 6 or 7 has these four bytes where other records have a QWHS.
TINY_SECTION: Final = b"\x00\x01\x01\x80"
TINY_TRIPLETS: Final = 2


class RecordLayout:
    """The structures of a record of one type and subtype."""

    def __init__(
        self, form: str, triplets: int, structures: dict[int, Structure], resource_manager: int, ifcid: int
    ) -> None:
        self.form = form
        self.triplets = triplets
        self.structures = structures
        self.resource_manager = resource_manager
        self.ifcid = ifcid


def _statistics(triplets: int, structures: dict[int, Structure], ifcid: int) -> RecordLayout:
    return RecordLayout(LONG, triplets, structures, RMID_QUEUE_MANAGER, ifcid)


RECORDS: Final[dict[tuple[int, int], RecordLayout]] = {
    (115, 1): _statistics(12, {9: QSST, 11: QJST}, 1),
    (115, 2): _statistics(9, {1: QMST, 2: QIST, 3: QPST, 4: QLST, 5: Q5ST, 6: QEST, 7: QTST, 8: QESD}, 2),
    (115, 5): RecordLayout(TINY, 2, {1: QSPH}, RMID_STORAGE, 0),
    (115, 6): RecordLayout(TINY, 2, {1: QSGM}, RMID_STORAGE, 0),
    (115, 7): RecordLayout(TINY, 2, {1: QSRS}, RMID_STORAGE, 0),
    (115, 201): _statistics(2, {1: QIS1}, 9),
    (115, 215): _statistics(2, {1: QPST}, 8),
    (115, 216): _statistics(2, {1: QQST}, 0),
    (115, 231): RecordLayout(
        LONG, 6, {1: QCCT, 2: QCT_DSP, 3: QCT_ADP, 4: QCT_SSL, 5: QCT_DNS}, RMID_CHANNEL_INITIATOR, 0
    ),
    (115, 240): _statistics(4, {}, 12),
    (116, 0): RecordLayout(SHORT, 7, {1: QWAC, 2: QMAC}, RMID_QUEUE_MANAGER, 3),
    (116, 1): RecordLayout(SHORT, 4, {1: WTID, 2: WTAS, 3: WQ}, RMID_TASK_ACCOUNTING, 25),
    (116, 2): RecordLayout(SHORT, 3, {1: WTID, 2: WQ}, RMID_TASK_ACCOUNTING, 0),
    (116, 10): RecordLayout(LONG, 2, {1: QCST}, RMID_CHANNEL_INITIATOR, 0),
}

# The channel initiator of MQ 8 counts five triplets and writes six; the sixth, for the DNS task, is really there.
UNCOUNTED_TRIPLET: Final = (115, 231)
