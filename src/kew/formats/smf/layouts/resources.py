"""Type 115, the other subtypes: storage, page sets, buffer pools, queues and the channel initiator."""

from typing import Final

from kew.formats.smf.layouts.structure import structure

QSPH: Final = structure(
    "QSPH",
    "Storage pool header statistics",
    88,
    """
   0    2 u16  mark   =0xE20E QSPHID    Block id
   2    2 u16  mark   =length QSPHLL    Block length
   4    4 char mark   =QSPH   QSPHEYEC  Eyecatcher
   8    4 i32  gauge  bytes   QSPHSTOR  Storage in the pool now
  12    4 i32  gauge  bytes   QSPHOSTOR Storage at the previous interval
  16    4 i32  delta  bytes   QSPHXSTOR Storage added by expansion
  20    2 u16  config bytes   QSPHBSIZE Record (block) size
  22    2 u16  config count   QSPHBCNT  Records per segment
  24    4 u32  gauge  count   QSPHCOUNT Pool header blocks with this name
  28    8 char id     -       QSPHDSPNM Data space name when flag 0x20 is on
  36   48 char id     -       QSPHNAME  Pool name
  84    1 u8   config -       QSPHFLAGS Bits: 0x80 fixed length, 0x40 global, 0x20 data space, 0x10 IVSA, 0x08 64-bit
  85    3 pad  pad    -       FILL1     Reserved
""",
)

QSGM: Final = structure(
    "QSGM",
    "GETMAIN statistics by requester",
    48,
    """
   0    2 u16  mark   =0xE20D QSGMID     Block id
   2    2 u16  mark   =length QSGMLL     Block length
   4    4 char mark   =QSGM   QSGMEYEC   Eyecatcher
   8    4 i32  gauge  bytes   QSGMLVTOT  Total length obtained
  12    4 i32  delta  bytes   QSGMLVNEW  Length newly obtained
  16    4 i32  peak   bytes   QSGMLVMAX  Largest request
  20    4 i32  trough bytes   QSGMLVMIN  Smallest request
  24    4 i32  gauge  count   QSGMCOUNT  Requests
  28    1 u8   id     -       QSGMSCLS   Storage class
  29    3 pad  pad    -       FILL1      Reserved
  32    8 char id     -       QSGMCSECT  CSECT that asked
  40    4 i32  id     -       QSGMOFFSET Offset in the CSECT
  44    4 pad  pad    -       FILL2      Reserved
""",
)

QSRS: Final = structure(
    "QSRS",
    "Region summary of the queue manager address space",
    232,
    """
   0    2 u16  mark   =0xE20C QSRSID      Block id
   2    2 u16  mark   =length QSRSLL      Block length
   4    4 char mark   =QSRS   QSRSEYEC    Eyecatcher
   8    4 i32  gauge  bytes   QSRSPHBGF   Pool storage, global fixed
  12    4 i32  gauge  bytes   QSRSPHBGV   Pool storage, global variable
  16    4 i32  gauge  bytes   QSRSPHBLF   Pool storage, local fixed
  20    4 i32  gauge  bytes   QSRSPHBLV   Pool storage, local variable
  24    4 i32  gauge  bytes   QSRSGMBT    GETMAIN storage
  28    4 i32  gauge  bytes   QSRSSTKT    Stack storage
  32    4 u32  gauge  addr    QSRSSTRTA   24-bit region start
  36    4 i32  gauge  bytes   QSRSSIZA    24-bit region size
  40    4 u32  gauge  addr    QSRSCRGTP   24-bit region top in use
  44    4 i32  gauge  bytes   QSRSLIMIT   24-bit region limit
  48    4 i32  gauge  bytes   QSRSLOAL    24-bit user storage allocated
  52    4 i32  gauge  bytes   QSRSOLOAL   24-bit user storage at previous interval
  56    4 i32  gauge  bytes   QSRSHIAL    24-bit system storage allocated
  60    4 i32  gauge  bytes   QSRSOHIAL   24-bit system storage at previous interval
  64    4 i32  gauge  bytes   QSRSSMFL    24-bit limit as SMF reports it
  68    4 i32  gauge  bytes   QSRSSMFR    24-bit region as SMF reports it
  72    4 u32  gauge  addr    QSRSESTRA   31-bit region start
  76    4 i32  gauge  bytes   QSRSESIZA   31-bit region size
  80    4 u32  gauge  addr    QSRSERGTP   31-bit region top in use
  84    4 i32  gauge  bytes   QSRSELIM    31-bit region limit
  88    4 i32  gauge  bytes   QSRSELOAL   31-bit user storage allocated
  92    4 i32  gauge  bytes   QSRSOELOAL  31-bit user storage at previous interval
  96    4 i32  gauge  bytes   QSRSEHIAL   31-bit system storage allocated
 100    4 i32  gauge  bytes   QSRSOEHIAL  31-bit system storage at previous interval
 104    4 i32  gauge  bytes   QSRSSMFEL   31-bit limit as SMF reports it
 108    4 i32  gauge  bytes   QSRSSMFER   31-bit region as SMF reports it
 112    8 u64  config MiB     QSRSMEMLIM  MEMLIMIT for 64-bit storage, MiB
 120    8 u64  gauge  bytes   QSRSABYTES  64-bit memory objects allocated
 128    8 u64  peak   bytes   QSRSGBYTES  High-water of usable bytes in memory objects
 136    4 u32  gauge  count   QSRSNMOMB   Memory objects allocated
 140    1 u8   config -       QSRSMEMLIMS Where MEMLIMIT came from (z/OS code)
 141    3 pad  pad    -       FILL1       Reserved
 144    4 i32  gauge  count   QSRSFMCT    Real storage frames of the address space
 148    4 pad  pad    -       FILL2       Reserved
 152    4 i32  gauge  bytes   QSRSAVAL    31-bit storage still available
 156    4 i32  gauge  bytes   QSRSMVS     31-bit storage kept for MVS
 160    4 i32  gauge  bytes   QSRSCRIT    31-bit critical reserve
 164    4 i32  gauge  bytes   QSRSSOS     31-bit short-on-storage reserve
 168    8 u64  gauge  bytes   QSRSAVAL64  64-bit storage still available
 176    8 u64  gauge  bytes   QSRSCUSH64  64-bit cushion
 184    8 u64  gauge  bytes   QSRSSMDS64  64-bit storage used for SMDS buffers
 192    8 u64  delta  raw     QSRSPHBLGF  Latch figure for global fixed pools
 200    8 u64  delta  raw     QSRSPHBLGV  Latch figure for global variable pools
 208    8 u64  delta  raw     QSRSPHBLLF  Latch figure for local fixed pools
 216    8 u64  delta  raw     QSRSPHBLLV  Latch figure for local variable pools
 224    8 u64  delta  raw     QSRSGMBL    Latch figure for GETMAIN blocks
""",
)

QIS1: Final = structure(
    "QIS1",
    "Page set statistics, one per page set, MQ 9 on",
    104,
    """
   0    2 u16         mark   =0xC927 QIS1ID   Block id
   2    2 u16         mark   =length QIS1LL   Block length
   4    4 char        mark   =QIS1   QIS1EYEC Eyecatcher
   8    4 u32         id     -       QIS1PSNO Page set number
  12    4 u32         id     -       QIS1BPNO Buffer pool number
  16    4 u32         gauge  pages   QIS1TOPG Total pages
  20    4 u32         gauge  pages   QIS1UNPG Unused pages
  24    4 u32         gauge  pages   QIS1PPG  Pages holding persistent data
  28    4 u32         gauge  pages   QIS1NPPG Pages holding non-persistent data
  32    4 u32         delta  count   QIS1FULL Times the page set was full
  36    4 u32         peak   pages   QIS1PCHI Put cursor high value (furthest page the space search reached)
  40    4 u32         delta  count   QIS1DWPN Deferred write I/O operations
  44    4 u32         delta  pages   QIS1DWPP Pages written by deferred write
  48    8 todd        delta  tod     QIS1DWPT Deferred write I/O time
  56    4 u32         delta  count   QIS1IMWN Immediate write I/O operations
  60    4 u32         delta  pages   QIS1IMWP Pages written immediately
  64    8 todd        delta  tod     QIS1IMWT Immediate write I/O time
  72    4 u32         delta  count   QIS1GETN Read I/O operations
  76    4 u32         delta  pages   QIS1GETP Pages read
  80    8 todd        delta  tod     QIS1GETT Read I/O time
  88    4 u32         delta  pages   QIS1CKPP Pages written by checkpoint
  92    2 u16         gauge  count   QIS1EXPN Expansions of the data set
  94    1 u8          config count   QIS1STRN Stripes
  95    1 u8:PSEXPAND config -       QIS1EXPM Expansion method, 0 on offline page sets
  96    1 u8:PSSTATUS gauge  -       QIS1STAT Page set status
  97    3 pad         pad    -       FILL1    Reserved
 100    4 u32         gauge  -       QIS1FLAG Bits: 0x80000000 QIS1EXPF expansion flag, 0x40000000 encrypted
""",
    lengths=((90000, 104),),
)

QPST: Final = structure(
    "QPST",
    "Buffer pool statistics, one per pool",
    104,
    """
   0    2 u16  mark   =0xD70F QPSTID   Block id
   2    2 u16  mark   =length QPSTLL   Block length
   4    4 char mark   =QPST   QPSTEYEC Eyecatcher
   8    4 i32  id     -       QPSTPOOL Buffer pool number 0 to 99
  12    4 i32  gauge  buffers QPSTNBUF Buffers defined (4 KB each)
  16    4 i32  trough buffers QPSTCBSL Fewest stealable (available) buffers during the interval
  20    4 i32  gauge  buffers QPSTCBS  Stealable buffers now
  24    4 i32  delta  count   QPSTGETP Page gets of an existing page (may need a read)
  28    4 i32  delta  count   QPSTGETN Page gets for a new or empty page (no read needed)
  32    4 i32  delta  count   QPSTRIO  Page reads from DASD
  36    4 i32  delta  count   QPSTSTW  Pages set dirty (set-write requests)
  40    4 i32  delta  pages   QPSTTPW  Pages written to DASD
  44    4 i32  delta  count   QPSTWIO  Write I/O operations
  48    4 i32  delta  count   QPSTIMW  Synchronous (immediate) page writes
  52    4 i32  delta  count   QPSTDWT  Times the asynchronous deferred write processor was started (85 percent
          | threshold reached)
  56    4 i32  delta  count   QPSTDMC  Times the synchronous write threshold was reached (5 percent or fewer buffers
          | available)
  60    4 i32  delta  count   QPSTSTL  Buffer steals
  64    4 i32  delta  count   QPSTSTLA Times the hash chain had to change during a steal
  68    4 i32  delta  count   QPSTSOS  Times no buffer was available (short on storage)
  72    4 u32  config -       QPSTFLAG Bits: 0x80000000 pool is above the bar, 0x40000000 pages are fixed
  76   28 pad  pad    -       FILL1    Reserved
""",
)

QQST: Final = structure(
    "QQST",
    "Queue statistics, one per queue with STATQ enabled",
    672,
    """
   0    2 u16    mark   =0xD80F QQSTID   Block id
   2    2 u16    mark   =length QQSTLL   Block length
   4    4 char   mark   =QQST   QQSTEYEC Eyecatcher
   8   48 char   id     -       QQSTQNAM Queue name
  56    4 u32    gauge  -       QQSTFLAG Bits: 0x80000000 QQSTDISP shared queue; 0x40000000 QQSTPART partial record
          | (queue data could not be read, depth and age zeroed); 0x20000000 QQSTUNCM
          | uncommitted work on the queue
  60    2 i16?-1 id     -       QQSTPSID Page set, -1 for shared queues or when none is allocated
  62    2 i16?-1 id     -       QQSTBPID Buffer pool, -1 likewise
  64    4 char   id     -       QQSTQSGN Queue sharing group, blank for a private queue
  68   12 char   id     -       QQSTCFST CF structure, blank for a private queue
  80    4 i32    gauge  msgs    QQSTDPTH Depth when the record was cut (includes uncommitted puts)
  84    4 u32    gauge  count   QQSTOPCT Open output handles (OPPROCS), this queue manager only (9.3.1 on)
  88    4 u32    gauge  count   QQSTIPCT Open input handles (IPPROCS), this queue manager only (9.3.1 on)
  92    4 u32    gauge  s       QQSTMAGE Age of the oldest message, seconds (MSGAGE) (9.3.1 on)
  96    4 u32    gauge  us      QQSTQTST Time on queue, short-term average, microseconds (QTIME) (9.3.1 on)
 100    4 u32    gauge  us      QQSTQTLT Time on queue, long-term average, microseconds (QTIME) (9.3.1 on)
 104    8 stck   gauge  tod     QQSTLPUT Time of the last put, 0 when none (9.3.1 on)
 112    8 stck   gauge  tod     QQSTLGET Time of the last get, 0 when none (9.3.1 on)
 120    4 u32    peak   msgs    QQSTDPHI Highest depth in the interval (9.3.3 on)
 124    4 u32    trough msgs    QQSTDPLO Lowest depth in the interval
 128    8 u64    delta  count   QQSTPUTS Successful MQPUT
 136    8 u64    delta  count   QQSTPUT1 Successful MQPUT1
 144    8 u64    delta  count   QQSTNPPT MQPUT of non-persistent messages
 152    8 u64    delta  count   QQSTPPT  MQPUT of persistent messages
 160    8 u64    delta  count   QQSTNPP1 MQPUT1 of non-persistent messages
 168    8 u64    delta  count   QQSTPP1  MQPUT1 of persistent messages
 176    8 u64    delta  bytes   QQSTPUTB Bytes put by MQPUT
 184    8 u64    delta  bytes   QQSTPT1B Bytes put by MQPUT1
 192    8 u64    delta  bytes   QQSTNPPB MQPUT bytes, non-persistent
 200    8 u64    delta  bytes   QQSTPPB  MQPUT bytes, persistent
 208    8 u64    delta  bytes   QQSTNP1B MQPUT1 bytes, non-persistent
 216    8 u64    delta  bytes   QQSTP1B  MQPUT1 bytes, persistent
 224    8 u64    delta  count   QQSTFLPT Failed MQPUT
 232    8 u64    delta  count   QQSTFLP1 Failed MQPUT1
 240    8 u64    delta  count   QQSTFPTC Messages put straight to a waiting getter (fast put)
 248    8 u64    delta  bytes   QQSTFPTB Bytes put straight to a waiting getter
 256    8 u64    delta  count   QQSTSTRM Messages put because of a streaming queue
 264    8 u64    trough bytes   QQSTMSMI Smallest message put
 272    8 u64    peak   bytes   QQSTMSMA Largest message put
 280    8 u64    gauge  bytes   QQSTMSAV Average message length put
 288    8 u64    delta  count   QQSTGETS Successful destructive MQGET
 296    8 u64    delta  count   QQSTNPDG Destructive gets, non-persistent
 304    8 u64    delta  count   QQSTPDG  Destructive gets, persistent
 312    8 u64    delta  bytes   QQSTGETB Bytes got destructively
 320    8 u64    delta  bytes   QQSTNPDB Bytes got, non-persistent
 328    8 u64    delta  bytes   QQSTPDB  Bytes got, persistent
 336    8 u64    delta  count   QQSTBRWS Successful browses
 344    8 u64    delta  count   QQSTNPBR Browses, non-persistent
 352    8 u64    delta  count   QQSTPBR  Browses, persistent
 360    8 u64    delta  bytes   QQSTBRWB Bytes browsed
 368    8 u64    delta  bytes   QQSTNPBB Bytes browsed, non-persistent
 376    8 u64    delta  bytes   QQSTPBB  Bytes browsed, persistent
 384    8 u64    delta  count   QQSTFLGT Failed destructive gets
 392    8 u64    delta  count   QQSTNMAG Failed gets, no message available
 400    8 u64    delta  count   QQSTTMFG Failed gets, message truncated
 408    8 u64    delta  count   QQSTFLBR Failed browses
 416    8 u64    delta  count   QQSTNMAB Failed browses, no message available
 424    8 u64    delta  count   QQSTTMFB Failed browses, message truncated
 432    8 u64    delta  count   QQSTFLGW Gets with wait that ended without a message
 440    8 u64    delta  count   QQSTRDGW Gets with wait that were redriven
 448    8 u64    delta  count   QQSTFLBW Browses with wait that ended without a message
 456    8 u64    delta  count   QQSTRDBW Browses with wait that were redriven
 464    8 u64    delta  count   QQSTSAGT Gets that accepted a signal (MQGMO_SET_SIGNAL)
 472    8 u64    delta  count   QQSTSABR Browses that accepted a signal
 480    4 u32    peak   count   QQSTIPHI Most input handles
 484    4 u32    trough count   QQSTIPLO Fewest input handles
 488    4 u32    peak   count   QQSTOPHI Most output handles
 492    4 u32    trough count   QQSTOPLO Fewest output handles
 496    8 u64    delta  count   QQSTOPEN MQOPEN
 504    8 u64    delta  count   QQSTCLOS MQCLOSE
 512    8 u64    delta  count   QQSTINQR MQINQ
 520    8 u64    delta  count   QQSTSET  MQSET
 528    8 u64    delta  count   QQSTEXPR Messages that expired
 536    8 u64    delta  count   QQSTRBPT Puts rolled back
 544    8 u64    delta  count   QQSTRBGT Gets rolled back
 552    8 u64    delta  count   QQSTOCPA OpenTelemetry: trace contexts propagated on put (9.4.3 on)
 560    8 u64    delta  count   QQSTOCGA OpenTelemetry: trace contexts propagated on get (9.4.3 on)
 568    8 u64    delta  count   QQSTOAHC OpenTelemetry: contexts discarded on put (9.4.3 on)
 576    8 u64    delta  count   QQSTOCPD OpenTelemetry: invalid contexts on put (9.4.3 on)
 584    8 u64    delta  count   QQSTOCMP OpenTelemetry: contexts not added on put, property limit (9.4.3 on)
 592    8 u64    delta  count   QQSTOCGD OpenTelemetry: invalid contexts on get (9.4.3 on)
 600    8 u64    delta  count   QQSTOCPS OpenTelemetry: trace state truncated on put (9.4.3 on)
 608    8 u64    delta  count   QQSTOCGS OpenTelemetry: trace state truncated on get (9.4.3 on)
 616    8 u64    delta  count   QQSTOSCS OpenTelemetry: consumer spans created (9.4.3 on)
 624    8 u64    delta  count   QQSTOSPS OpenTelemetry: producer spans created (9.4.3 on)
 632    8 u64    delta  count   QQSTOSNS OpenTelemetry: puts not sampled (9.4.3 on)
 640    8 u64    delta  count   QQSTOCDA OpenTelemetry: contexts discarded on get (9.4.3 on)
 648    8 u64    delta  count   QQSTOSPL OpenTelemetry: producer spans dropped, span limit (9.4.3 on)
 656    8 u64    delta  count   QQSTOSCL OpenTelemetry: consumer spans dropped, span limit (9.4.3 on)
 664    8 u64    delta  count   QQSTOSFS OpenTelemetry: spans dropped, storage limit (9.4.3 on)
""",
    lengths=((90300, 84), (90301, 120), (90303, 552), (90403, 672)),
)

QCCT: Final = structure(
    "QCCT",
    "Channel initiator control information",
    64,
    """
   0    2 u16  mark   =0xE741 QCCTID   Block id
   2    2 u16  mark   =length QCCTLL   Block length
   4    4 char mark   =QCCT   QCCTEYEC Eyecatcher
   8    8 char id     -       QCCTJOBN Channel initiator job name
  16    4 char id     -       QCCTQSGN Queue sharing group name
  20    4 u32  peak   count   QCCTNOCC Peak current channels
  24    4 u32  config count   QCCTMXCC MAXCHL
  28    4 u32  peak   count   QCCTNOAC Peak active channels
  32    4 u32  config count   QCCTMXAC ACTCHL
  36    4 u32  config count   QCCTMXTP TCPCHL
  40    4 u32  config count   QCCTMXLU LU62CHL
  44    4 u32  gauge  MiB     QCCTSTUS 31-bit extended private storage in use
  48    8 u64  gauge  MiB     QCCTSTAB 64-bit storage in use (9.3.5 on)
  56    8 u64  config MiB     QCCTSLIM 64-bit storage limit (9.3.5 on)
""",
    lengths=((80000, 48), (90305, 64)),
)

QCT_DSP: Final = structure(
    "QCT_DSP",
    "Dispatcher task, one per dispatcher",
    36,
    """
   0    4 u32  id     -     QCTTSKN Task (TCB) identifier
   4    4 u32  delta  count QCTREQN Requests processed
   8    8 todd delta  tod   QCTCPTM CPU time of the task
  16    8 todd delta  tod   QCTELTM Elapsed time spent on requests (busy time)
  24    8 todd delta  tod   QCTWTTM Wait time of the task
  32    4 u32  gauge  count QCTCHLN Channels on this dispatcher
""",
)

QCT_ADP: Final = structure(
    "QCT_ADP",
    "Adapter task",
    32,
    """
   0    4 u32  id     -     QCTTSKN Task (TCB) identifier
   4    4 u32  delta  count QCTREQN Requests processed
   8    8 todd delta  tod   QCTCPTM CPU time of the task
  16    8 todd delta  tod   QCTELTM Elapsed time spent on requests (busy time)
  24    8 todd delta  tod   QCTWTTM Wait time of the task
""",
)

QCT_SSL: Final = structure(
    "QCT_SSL",
    "SSL/TLS server task",
    48,
    """
   0    4 u32  id     -     QCTTSKN Task (TCB) identifier
   4    4 u32  delta  count QCTREQN Requests processed
   8    8 todd delta  tod   QCTCPTM CPU time of the task
  16    8 todd delta  tod   QCTELTM Elapsed time spent on requests (busy time)
  24    8 todd delta  tod   QCTWTTM Wait time of the task
  32    8 stck peak   tod   QCTLSTM When the longest request happened
  40    8 todd peak   tod   QCTLSDU Duration of the longest request
""",
)

QCT_DNS: Final = structure(
    "QCT_DNS",
    "DNS task, always one",
    48,
    """
   0    4 u32  id     -     QCTTSKN Task (TCB) identifier
   4    4 u32  delta  count QCTREQN Requests processed
   8    8 todd delta  tod   QCTCPTM CPU time of the task
  16    8 todd delta  tod   QCTELTM Elapsed time spent on requests (busy time)
  24    8 todd delta  tod   QCTWTTM Wait time of the task
  32    8 stck peak   tod   QCTLGTM When the longest request happened
  40    8 todd peak   tod   QCTLGDU Duration of the longest request
""",
)
