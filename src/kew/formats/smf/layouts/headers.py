"""The headers that every SMF record of a queue manager carries."""

from typing import Final

from kew.formats.smf.layouts.structure import structure

SM115: Final = structure(
    "SM115",
    "SMF record header of types 115 and 116",
    28,
    """
   0    2 u16    id     bytes LEN   Length of this record or segment including the 4-byte RDW
   2    2 bytes  id     -     SEG   Segment descriptor: byte 0 is 00 whole record, 01 first, 03 middle, 02 last
          | segment; byte 1 reserved
   4    1 u8     id     -     FLG   System indicator bits; 0x40 means the subtype field is valid, 0x1E version bits.
          | Observed value 0x5E
   5    1 u8     id     -     RTY   Record type: 115 (0x73) or 116 (0x74)
   6    4 u32    id     csec  TME   Local time of day the record was moved to the SMF buffer, hundredths of a second
          | since midnight
  10    4 packed id     -     DTE   Local date, packed decimal 0cyydddF: c is 0 for 19xx, 1 for 20xx; F is
          | the sign nibble
  14    4 char   id     -     SID   z/OS system (SMF) identifier
  18    4 char   id     -     SSI   Queue manager subsystem name
  22    2 u16    id     -     STF   Record subtype
  24    3 char   id     -     REL   Release as three EBCDIC digits (V, R, M). 946 or above means look at QWHXREL for
          | the true release
  27    1 pad    pad    -     FILL1 Reserved
""",
)

TRIPLET: Final = structure(
    "TRIPLET",
    "Self-defining section entry",
    8,
    """
   0    4 u32 id     bytes OFFSET Offset of first instance from the start of the record, counting the 4-byte RDW
   4    2 u16 id     bytes LENGTH Length of one instance; use as the stride
   6    2 u16 id     count COUNT  Number of consecutive instances; 0 means absent
""",
)

QWHS: Final = structure(
    "QWHS",
    "Instrumentation standard header (product section)",
    52,
    """
   0    2 u16  id     bytes QWHSLEN   Length of the QWHS itself: 52 long form, 36 short form (116 subtypes 0,1,2), 1 on
          | 115 subtypes 5,6,7
   2    1 u8   mark   =1    QWHSTYP   Header type
   3    1 u8   id     -     QWHSRMID  Resource manager that cut the record: 26 queue manager instrumentation, 231
          | channel initiator, 247 class 3 accounting, 128 storage statistics
   4    2 u16  id     -     QWHSIID   Instrumentation record id (IFCID): 1 for 115-1, 2 for 115-2, 8 for 115-215, 9 for
          | 115-201, 12 for 115-240, 3 for 116-0, 25 for 116-1; 0 from the channel initiator
   6    1 u8   id     count QWHSNSDA  Number of self-defining entries (triplets) including the one for QWHS
   7    1 u8   id     -     QWHSRN    Release indicator of the instrumentation format (0x10 observed)
   8    4 u32  id     -     QWHSACE   Address of the agent control element
  12    4 char id     -     QWHSSSID  Subsystem name
  16    8 stck id     tod   QWHSSTCK  Time the record was built, TOD clock, UTC. For interval records this is the end
          | of the interval
  24    4 u32  id     -     QWHSISEQ  Sequence number within this record id
  28    4 u32  id     -     QWHSWSEQ  Sequence number within the destination; gaps show lost records
  32    1 u8   id     -     QWHSFLAG1 Flag bits: 0x80 QWHSSMFC more records follow for the same interval; 0x40 QWHSQWHX
          | a QWHX follows. Do not trust 0x40 below release 946, older releases can leave
          | noise here in type 116
  33    1 pad  pad    -     QWHSFLAG2 Reserved
  34    1 pad  pad    -     QWHSFLAG3 Reserved
  35    1 pad  pad    -     QWHSFLAG4 Reserved
  36    8 stck id     tod   QWHSTIME  Interval start, TOD format but LOCAL time (long form only)
  44    8 u64  id     -     QWHSDURN  Interval length, long form only: microseconds from a queue manager (RMID 26), TOD
          | units (1/4096 microsecond) from the channel initiator (RMID 231)
""",
)

QWHC: Final = structure(
    "QWHC",
    "Correlation header, follows the short QWHS in 116 subtypes 0,1,2",
    92,
    """
   0    2 u16          mark   =92   QWHCLEN  Length
   2    1 u8           mark   =2    QWHCTYP  Header type
   3    1 pad          pad    -     FILL1    Reserved
   4    8 char         id     -     QWHCAID  Authorization (user) id of the z/OS job
  12   12 bytes        id     -     QWHCCV   Thread cross-reference (correlation value), layout depends on QWHCATYP
  24    8 char         id     -     QWHCCN   Connection name: batch job, CICS applid, IMS id or chinit job name
  32    8 pad          pad    -     FILL2    Reserved
  40    8 char         id     -     QWHCOPID Operator or transaction user id
  48    4 u32:CONNTYPE id     -     QWHCATYP Type of connecting system
  52   22 bytes        id     -     QWHCTOKN Accounting token of the user
  74   16 bytes        id     -     QWHCNID  Network identifier; for CICS work it allows joining with CICS monitoring
          | records
  90    2 pad          pad    -     FILL3    Reserved
""",
)

QWHX: Final = structure(
    "QWHX",
    "Header extension, from MQ 10 (release digits 946 and above)",
    16,
    """
   0    2 u16  mark   =16   QWHXLEN Length
   2    1 u8   mark   =0x10 QWHXTYP Header type
   3    1 pad  pad    -     FILL1   Reserved
   4    4 char id     -     QWHXQSG Queue sharing group name, blank when not in one
   8    6 char id     -     QWHXREL Release as VVRRMM, for example 100000
  14    2 pad  pad    -     FILL2   Reserved
""",
    lengths=((100000, 16),),
)
