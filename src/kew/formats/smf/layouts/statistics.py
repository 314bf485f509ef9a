"""Type 115 subtypes 1 and 2: the resource managers of a queue manager."""

from typing import Final

from kew.formats.smf.layouts.structure import structure

QSST: Final = structure(
    "QSST",
    "Storage manager statistics",
    80,
    """
   0    2 u16  mark   =0x003C QSSTID   Block id
   2    2 u16  mark   =length QSSTLEN  Block length
   4    4 char mark   =QSST   QSSTDESC Eyecatcher
   8    4 u32  delta  count   QSSTGPLF Fixed pools allocated
  12    4 u32  delta  count   QSSTFPLF Fixed pools freed
  16    4 u32  delta  count   QSSTFREF Fixed pool segments freed
  20    4 u32  delta  count   QSSTEXPF Fixed pool segments expanded
  24    4 u32  delta  count   QSSTCONF Fixed pool segments contracted
  28    4 u32  delta  count   QSSTGPLV Variable pools allocated
  32    4 u32  delta  count   QSSTFPLV Variable pools freed
  36    4 u32  delta  count   QSSTFREV Variable pool segments freed
  40    4 u32  delta  count   QSSTEXPV Variable pool segments expanded
  44    4 u32  delta  count   QSSTCONV Variable pool segments contracted
  48    4 u32  delta  count   QSSTGETM GETMAIN requests
  52    4 u32  delta  count   QSSTFREM FREEMAIN requests
  56    4 u32  delta  count   QSSTRCNZ Storage requests with a non-zero return code
  60    4 u32  delta  count   QSSTCONT Short-on-storage contractions
  64    4 u32  delta  count   QSSTCRIT Times the short-on-storage bit was set
  68    4 u32  delta  count   QSSTABND Abends caused by short on storage
  72    8 pad  pad    -       FILL1    Reserved
""",
)

QJST_COMPR: Final = structure(
    "QJST_COMPR",
    "Log compression counters",
    48,
    """
   0    4 i32 delta  count QJSTCMPREQ   Compression requests
   4    4 i32 delta  count QJSTCMPFAIL  Compression failures (record not smaller)
   8    8 i64 delta  bytes QJSTCMPUNCMP Bytes before compression
  16    8 i64 delta  bytes QJSTCMPCOMP  Bytes after compression
  24    4 i32 delta  count QJSTDECREQ   Decompression requests
  28    4 i32 delta  count QJSTDECFAIL  Decompression failures
  32    8 i64 delta  bytes QJSTDECUNCMP Bytes after decompression
  40    8 i64 delta  bytes QJSTDECCOMP  Bytes before decompression
""",
)

QJST_IO: Final = structure(
    "QJST_IO",
    "Log write I/O counters for one log copy and one request class",
    72,
    """
   0    4 u32  delta  count QJSTIOCOUNT   I/O requests
   4    4 u32  delta  count QJSTIOCI      Control intervals (4 KB pages) written
   8    8 todd delta  tod   QJSTIOTOTIO   Total I/O time
  16    8 todd delta  tod   QJSTIOTOTSUS  Total time tasks were suspended
  24    8 todd peak   tod   QJSTIOMAXIO   Longest I/O time
  32    8 stck peak   tod   QJSTIOMAXIOT  When the longest I/O happened
  40    8 char peak   -     QJSTIOMAXIOL  Log data set of the longest I/O (low-level qualifier such as DS001)
  48    8 todd peak   tod   QJSTIOMAXSUS  Longest suspend time
  56    8 stck peak   tod   QJSTIOMAXSUST When the longest suspend happened
  64    8 char peak   -     QJSTIOMAXSUSL Log data set of the longest suspend
""",
)

QJST: Final = structure(
    "QJST",
    "Log manager statistics",
    720,
    """
   0    2 u16          mark   =0x0093 QJSTID         Block id
   2    2 u16          mark   =length QJSTLL         Block length
   4    4 char         mark   =QJST   QJSTEID        Eyecatcher
   8    4 i32          delta  count   QJSTWRW        Write requests that waited
  12    4 i32          delta  count   QJSTWRNW       Write requests without wait
  16    4 i32          delta  count   QJSTWRF        Write requests that forced the log
  20    4 i32          delta  count   QJSTWTB        Times a task waited because no log output buffer was available
  24    4 i32          delta  count   QJSTRBUF       Log reads satisfied from the output buffers
  28    4 i32          delta  count   QJSTRACT       Log reads from the active log
  32    4 i32          delta  count   QJSTRARH       Log reads from an archive log
  36    4 i32          delta  count   QJSTTVC        Reads delayed by tape volume contention
  40    4 i32          delta  count   QJSTBSDS       BSDS accesses
  44    4 i32          delta  count   QJSTBFFL       Active log control intervals created (buffers filled)
  48    4 i32          delta  count   QJSTBFWR       Calls that wrote log buffers
  52    4 i32          delta  count   QJSTALR        Archive read allocations
  56    4 i32          delta  count   QJSTALW        Archive write allocations
  60    4 i32          delta  count   QJSTCIOF       Control intervals offloaded
  64    4 i32          delta  count   QJSTLLCP       Checkpoints; before MQ 9 only those caused by LOGLOAD, from MQ 9
          | all checkpoints
  68    4 i32          delta  count   QJSTWUR        Reads delayed because the unit limit was reached
  72    4 i32          delta  count   QJSTLAMA       Look-ahead tape mounts attempted
  76    4 i32          delta  count   QJSTLAMS       Look-ahead tape mounts that worked
  80    4 i32          delta  count   QJSTLSUS       Times tasks were suspended for a log request
  84    4 i32          delta  count   QJSTLOGW       Log write I/O requests, sum over both copies
  88    4 i32          delta  count   QJSTCIWR       Control intervals (4 KB pages) written, sum over both copies;
          | counted before the I/O, the per-copy counts after it, so they can
          | differ by one or two
  92    4 i32          delta  count   QJSTSERW       Serial write requests (rewrites of the last control interval)
  96    4 i32          delta  count   QJSTTHRW       Times the write threshold was reached
 100    4 i32          delta  count   QJSTBPAG       Times a log buffer page had to be paged in
 104   16 pad          pad    -       FILL1          Reserved
 120   48 QJST_COMPR*1 delta  -       QJSTCOMPR      Compression counters (RLE)
 168   96 pad          pad    -       FILL2          Reserved
 264  288 QJST_IO*4    delta  -       QJSTIO         I/O detail in order copy 1 class 1, copy 1 class 2, copy 2 class
          | 1, copy 2 class 2. Class 1 is I/O of a single 4 KB page, class 2
          | is I/O of several pages (confirmed on sample data: in class 1 the
          | I/O and CI counts are equal)
 552    8 u64          delta  us      QJSTSLPTU      Time the log writer task was idle, microseconds (not TOD units)
 560   16 u64*2        delta  us2     QJSTIOSQU      Sum of squares of I/O times in microseconds. Appears to be one
          | 128-bit number (high word, low word): with dual logging the first
          | word is 0 and the second fits the I/O times. Formatters show two
          | numbers
 576    4 i32          gauge  count   QJSTCP1N       Newly opened copy 1 logs in the interval (9.1.2 on)
 580    4 i32          gauge  count   QJSTCP2N       Newly opened copy 2 logs (9.1.2 on)
 584    4 i32          gauge  count   QJSTHWC        New logs able to use zHyperWrite (9.1.2 on)
 588    4 i32          gauge  count   QJSTHWE        New logs with zHyperWrite enabled (9.1.2 on)
 592    4 i32          gauge  count   QJSTENCR       New logs that are encrypted (9.1.4 on)
 596    4 pad          pad    -       FILL3          Reserved
 600    4 u32          delta  count   QJSTHLSCIW     zHyperLink single-CI write requests attempted (9.4.0 on)
 604    4 u32          delta  count   QJSTHLMCIW     zHyperLink multi-CI write requests attempted
 608    4 u32          delta  count   QJSTHLCICNTW   zHyperLink CIs attempted
 612    4 u32          delta  count   QJSTHLSCIS     Single-CI writes that worked synchronously
 616    4 u32          delta  count   QJSTHLMCIS     Multi-CI writes that worked synchronously
 620    4 u32          delta  count   QJSTHLCICNTS   CIs written synchronously
 624    4 u32          delta  count   QJSTHLSCIF     Single-CI writes that fell back to asynchronous I/O
 628    4 u32          delta  count   QJSTHLMCIF     Multi-CI writes that fell back
 632    4 u32          delta  count   QJSTHLCICNTF   CIs that fell back
 636    4 u32          delta  count   QJSTHLSCICON   Single-CI writes made while zHyperLink connections were being set
          | up
 640    4 u32          delta  count   QJSTHLMCICON   Multi-CI writes made while connections were being set up
 644    4 u32          delta  count   QJSTHLCONCICNT CIs written while connections were being set up
 648    8 u64          peak   raw     QJSTHLSCIWTMAX Longest single-CI zHyperLink write (unit not stated publicly;
          | formatters print it unscaled)
 656    8 u64          trough raw     QJSTHLSCIWTMIN Shortest single-CI write
 664    8 u64          delta  raw     QJSTHLSCIWTTOT Total single-CI write time
 672    8 u64          peak   raw     QJSTHLMCIWTMAX Longest multi-CI write
 680    8 u64          trough raw     QJSTHLMCIWTMIN Shortest multi-CI write
 688    8 u64          delta  raw     QJSTHLMCIWTTOT Total multi-CI write time
 696   16 u64*2        delta  raw     QJSTHLIOSQU    Sum of squares of zHyperLink times, same two-word form
 712    4 u32          gauge  count   QJSTHLC        New logs able to use zHyperLink
 716    4 u32          gauge  count   QJSTHLE        New logs with zHyperLink enabled
""",
    lengths=((80000, 576), (90102, 592), (90104, 596), (90400, 720)),
)

QMST: Final = structure(
    "QMST",
    "Message manager statistics",
    328,
    """
   0    2 u16  mark   =0xD40F QMSTID   Block id
   2    2 u16  mark   =length QMSTLL   Block length
   4    4 char mark   =QMST   QMSTEYEC Eyecatcher
   8    4 i32  delta  count   QMSTOPEN MQOPEN calls
  12    4 i32  delta  count   QMSTCLOS MQCLOSE calls
  16    4 i32  delta  count   QMSTGET  MQGET calls
  20    4 i32  delta  count   QMSTPUT  MQPUT calls
  24    4 i32  delta  count   QMSTPUT1 MQPUT1 calls
  28    4 i32  delta  count   QMSTINQ  MQINQ calls
  32    4 i32  delta  count   QMSTINQL Internal inquire (list) requests
  36    4 i32  delta  count   QMSTSET  MQSET calls
  40    4 i32  delta  count   QMSTENDW Calls made to end a wait (deferred/cancelled wait processing)
  44    4 i32  delta  count   QMSTCALH Close-all-handles requests (implicit close at disconnect or end of task)
  48    4 i32  delta  count   QMSTSUB  MQSUB calls
  52    4 i32  delta  count   QMSTSUBR MQSUBRQ calls
  56    4 i32  delta  count   QMSTCB   MQCB calls
  60    4 i32  delta  count   QMSTCTL  MQCTL calls
  64    4 i32  delta  count   QMSTSTUS MQSTAT calls
  68    4 i32  delta  count   QMSTPUBS Messages published
  72    8 i64  delta  count   QMSTSPP  Messages put successfully that were persistent (9.0.3 on)
  80    8 i64  delta  count   QMSTSNP  Messages put successfully that were non-persistent (9.0.3 on)
  88    8 i64  delta  bytes   QMSTPBP  Bytes put in persistent messages (9.0.3 on)
  96    8 i64  delta  bytes   QMSTNBP  Bytes put in non-persistent messages (9.0.3 on)
 104    8 u64  delta  count   QMSTOCPA OpenTelemetry: trace contexts propagated on put (9.4.3 on)
 112    8 u64  delta  count   QMSTOCGA OpenTelemetry: trace contexts propagated on get
 120    8 u64  delta  count   QMSTOAHC OpenTelemetry: contexts discarded on put
 128    8 u64  delta  count   QMSTOCPD OpenTelemetry: invalid contexts on put
 136    8 u64  delta  count   QMSTOCMP OpenTelemetry: contexts not added on put because the property limit was reached
 144    8 u64  delta  count   QMSTOCGD OpenTelemetry: invalid contexts on get
 152    8 u64  delta  count   QMSTOCPS OpenTelemetry: trace state truncated on put
 160    8 u64  delta  count   QMSTOCGS OpenTelemetry: trace state truncated on get
 168    8 u64  delta  count   QMSTOSCS OpenTelemetry: consumer spans created
 176    8 u64  delta  count   QMSTOSPS OpenTelemetry: producer spans created
 184    8 u64  delta  count   QMSTOSNS OpenTelemetry: puts whose context was marked not sampled
 192    8 u64  delta  count   QMSTOCDA OpenTelemetry: contexts discarded on get
 200    8 u64  delta  count   QMSTOSPL OpenTelemetry: producer spans dropped, span limit
 208    8 u64  delta  count   QMSTOSCL OpenTelemetry: consumer spans dropped, span limit
 216    8 u64  delta  count   QMSTOSFS OpenTelemetry: spans dropped, storage limit
 224    8 u64  delta  count   QMSTOSOK OpenTelemetry: spans emitted
 232    8 u64  delta  count   QMSTOSFR OpenTelemetry: spans that failed to be emitted
 240    8 u64  delta  count   QMSTOSFC OpenTelemetry: spans that failed for lack of capacity
 248    8 u64  delta  count   QMSTOTSO OpenTelemetry: SMF writes that worked
 256    8 u64  delta  count   QMSTOTSR OpenTelemetry: SMF writes that failed
 264    8 u64  delta  count   QMSTOTSC OpenTelemetry: SMF writes that failed for lack of capacity
 272    8 todd delta  tod     QMSTOTPU OpenTelemetry: CPU time of the emission tasks
 280    8 todd delta  tod     QMSTOTPW OpenTelemetry: time emission tasks waited for work
 288    8 todd delta  tod     QMSTOTPD OpenTelemetry: time emission tasks waited for SMF
 296    4 i32  gauge  count   QMSTOTSK OpenTelemetry: number of emission tasks
 300    4 pad  pad    -       FILL1    Reserved
 304    8 u64  delta  count   QMSTOBSE OpenTelemetry: spans for the IMS bridge (9.4.5 on)
 312    8 u64  delta  count   QMSTOBCP OpenTelemetry: IMS bridge contexts propagated (9.4.5 on)
 320    8 u64  delta  count   QMSTOBCD OpenTelemetry: IMS bridge contexts discarded (9.4.5 on)
""",
    lengths=((80000, 72), (90003, 104), (90403, 300), (90405, 328)),
)

QIST: Final = structure(
    "QIST",
    "Data manager statistics",
    80,
    """
   0    2 u16  mark   =0xC90F QISTID   Block id
   2    2 u16  mark   =length QISTLL   Block length
   4    4 char mark   =QIST   QISTEYEC Eyecatcher
   8    4 u32  delta  count   QISTMGET Message get requests to the data manager
  12    4 u32  delta  count   QISTMPUT Message put requests
  16    4 u32  delta  count   QISTMBLR Browse and lock requests
  20    4 u32  delta  count   QISTDCRE Object create requests
  24    4 u32  delta  count   QISTDPUT Object put (update) requests
  28    4 u32  delta  count   QISTDDEL Object delete requests
  32    4 u32  delta  count   QISTDGET Object get requests
  36    4 u32  delta  count   QISTDLOC Object locate requests
  40    4 u32  delta  count   QISTMCNT Message count requests
  44    4 u32  delta  count   QISTALST Storage class change requests
  48    4 u32  delta  count   QISTLOMM Lock marked message requests
  52    4 u32  delta  count   QISTDLMM Delete marked message requests
  56    4 u32  delta  count   QISTENUM Enumerate (selective) requests
  60    4 u32  delta  count   QISTRAIO Read-ahead I/O count; not filled in by the product, ignore
  64    4 u32  delta  count   QISTRABP Read-ahead satisfied from the buffer pool; not filled in, ignore
  68    4 u32  delta  count   QISTGETD Gets that had to read the page set from disk
  72    4 u32  delta  count   QISTGETB Gets satisfied from the buffer pool
  76    4 pad  pad    -       FILL1    Reserved
""",
)

QLST: Final = structure(
    "QLST",
    "Lock manager statistics",
    32,
    """
   0    2 u16  mark   =0xD30F QLSTID   Block id
   2    2 u16  mark   =length QLSTLL   Block length
   4    4 char mark   =QLST   QLSTEYEC Eyecatcher
   8    4 u32  delta  count   QLSTGETL Lock requests
  12    4 u32  delta  count   QLSTHLDL Lock requests for a lock already held
  16    4 u32  delta  count   QLSTRELL Lock release requests
  20   12 pad  pad    -       FILL1    Reserved
""",
)

Q5ST: Final = structure(
    "Q5ST",
    "Db2 manager statistics, queue sharing groups only",
    672,
    """
   0    2 u16  mark   =0xF50F Q5STID   Block id
   2    2 u16  mark   =length Q5STLL   Block length
   4    4 char mark   =Q5ST   Q5STEYEC Eyecatcher
   8    4 u32  gauge  count   NUMTASK  Db2 server tasks configured
  12    4 u32  gauge  count   ACTTASK  Db2 server tasks active
  16    4 u32  delta  count   CONNCNT  Connect requests
  20    4 u32  delta  count   DISCCNT  Disconnect requests
  24    4 u32  peak   count   DHIGMAX  Largest depth of the Db2 request queue
  28    4 u32  delta  count   ABNDCNT  Db2 server task abends
  32    4 u32  delta  count   REQUCNT  Requests requeued
  36    4 u32  delta  count   DEADCNT  Deadlock timeouts
  40    4 u32  delta  count   DELECNT  Delete requests
  44    4 u32  delta  count   LISTCNT  List requests
  48    4 u32  delta  count   READCNT  Read requests
  52    4 u32  delta  count   UPDTCNT  Update requests
  56    4 u32  delta  count   WRITCNT  Write requests
  60    4 u32  delta  count   SCSSEL   Selects on the shared channel status table
  64    4 u32  delta  count   SCSINS   Inserts on SCST
  68    4 u32  delta  count   SCSUPD   Updates on SCST
  72    4 u32  delta  count   SCSDEL   Deletes on SCST
  76    4 u32  delta  count   SSKSEL   Selects on the shared sync key table
  80    4 u32  delta  count   SSKINS   Inserts on SSKT
  84    4 u32  delta  count   SSKDEL   Deletes on SSKT
  88    4 u32  delta  count   SCSBFTS  Times the SCST buffer was too small
  92    4 u32  peak   count   SCSMAXR  Most rows returned by one SCST query
  96    8 pad  pad    -       FILL1    Reserved
 104    8 todd delta  tod     DELETCUW Cumulative thread (caller) elapsed time, delete request
 112    8 todd peak   tod     DELETMXW Longest thread elapsed time, delete request
 120    8 todd delta  tod     DELESCUW Cumulative server task (SQL) elapsed time, delete request
 128    8 todd peak   tod     DELESMXW Longest server task (SQL) elapsed time, delete request
 136    8 todd delta  tod     LISTTCUW Cumulative thread (caller) elapsed time, list request
 144    8 todd peak   tod     LISTTMXW Longest thread elapsed time, list request
 152    8 todd delta  tod     LISTSCUW Cumulative server task (SQL) elapsed time, list request
 160    8 todd peak   tod     LISTSMXW Longest server task (SQL) elapsed time, list request
 168    8 todd delta  tod     READTCUW Cumulative thread (caller) elapsed time, read request
 176    8 todd peak   tod     READTMXW Longest thread elapsed time, read request
 184    8 todd delta  tod     READSCUW Cumulative server task (SQL) elapsed time, read request
 192    8 todd peak   tod     READSMXW Longest server task (SQL) elapsed time, read request
 200    8 todd delta  tod     UPDTTCUW Cumulative thread (caller) elapsed time, update request
 208    8 todd peak   tod     UPDTTMXW Longest thread elapsed time, update request
 216    8 todd delta  tod     UPDTSCUW Cumulative server task (SQL) elapsed time, update request
 224    8 todd peak   tod     UPDTSMXW Longest server task (SQL) elapsed time, update request
 232    8 todd delta  tod     WRITTCUW Cumulative thread (caller) elapsed time, write request
 240    8 todd peak   tod     WRITTMXW Longest thread elapsed time, write request
 248    8 todd delta  tod     WRITSCUW Cumulative server task (SQL) elapsed time, write request
 256    8 todd peak   tod     WRITSMXW Longest server task (SQL) elapsed time, write request
 264    8 todd delta  tod     SCSSTCUW Cumulative thread (caller) elapsed time, select on the shared channel status
          | table (SCST)
 272    8 todd peak   tod     SCSSTMXW Longest thread elapsed time, select on the shared channel status table (SCST)
 280    8 todd delta  tod     SCSSSCUW Cumulative server task (SQL) elapsed time, select on the shared channel status
          | table (SCST)
 288    8 todd peak   tod     SCSSSMXW Longest server task (SQL) elapsed time, select on the shared channel status
          | table (SCST)
 296    8 todd delta  tod     SCSITCUW Cumulative thread (caller) elapsed time, insert on SCST
 304    8 todd peak   tod     SCSITMXW Longest thread elapsed time, insert on SCST
 312    8 todd delta  tod     SCSISCUW Cumulative server task (SQL) elapsed time, insert on SCST
 320    8 todd peak   tod     SCSISMXW Longest server task (SQL) elapsed time, insert on SCST
 328    8 todd delta  tod     SCSUTCUW Cumulative thread (caller) elapsed time, update on SCST
 336    8 todd peak   tod     SCSUTMXW Longest thread elapsed time, update on SCST
 344    8 todd delta  tod     SCSUSCUW Cumulative server task (SQL) elapsed time, update on SCST
 352    8 todd peak   tod     SCSUSMXW Longest server task (SQL) elapsed time, update on SCST
 360    8 todd delta  tod     SCSDTCUW Cumulative thread (caller) elapsed time, delete on SCST
 368    8 todd peak   tod     SCSDTMXW Longest thread elapsed time, delete on SCST
 376    8 todd delta  tod     SCSDSCUW Cumulative server task (SQL) elapsed time, delete on SCST
 384    8 todd peak   tod     SCSDSMXW Longest server task (SQL) elapsed time, delete on SCST
 392    8 todd delta  tod     SSKSTCUW Cumulative thread (caller) elapsed time, select on the shared sync key table
          | (SSKT)
 400    8 todd peak   tod     SSKSTMXW Longest thread elapsed time, select on the shared sync key table (SSKT)
 408    8 todd delta  tod     SSKSSCUW Cumulative server task (SQL) elapsed time, select on the shared sync key table
          | (SSKT)
 416    8 todd peak   tod     SSKSSMXW Longest server task (SQL) elapsed time, select on the shared sync key table
          | (SSKT)
 424    8 todd delta  tod     SSKITCUW Cumulative thread (caller) elapsed time, insert on SSKT
 432    8 todd peak   tod     SSKITMXW Longest thread elapsed time, insert on SSKT
 440    8 todd delta  tod     SSKISCUW Cumulative server task (SQL) elapsed time, insert on SSKT
 448    8 todd peak   tod     SSKISMXW Longest server task (SQL) elapsed time, insert on SSKT
 456    8 todd delta  tod     SSKDTCUW Cumulative thread (caller) elapsed time, delete on SSKT
 464    8 todd peak   tod     SSKDTMXW Longest thread elapsed time, delete on SSKT
 472    8 todd delta  tod     SSKDSCUW Cumulative server task (SQL) elapsed time, delete on SSKT
 480    8 todd peak   tod     SSKDSMXW Longest server task (SQL) elapsed time, delete on SSKT
 488    4 u32  delta  count   LMSSEL   Blob selects
 492    4 u32  delta  count   LMSINS   Blob inserts
 496    4 u32  delta  count   LMSUPD   Blob updates
 500    4 u32  delta  count   LMSDEL   Blob deletes
 504    4 u32  delta  count   LMSLIS   Blob lists
 508    4 pad  pad    -       FILL2    Reserved
 512    8 todd delta  tod     LMSSTCUW Cumulative thread (caller) elapsed time, select of large-message blobs
 520    8 todd peak   tod     LMSSTMXW Longest thread elapsed time, select of large-message blobs
 528    8 todd delta  tod     LMSSSCUW Cumulative server task (SQL) elapsed time, select of large-message blobs
 536    8 todd peak   tod     LMSSSMXW Longest server task (SQL) elapsed time, select of large-message blobs
 544    8 todd delta  tod     LMSITCUW Cumulative thread (caller) elapsed time, insert of blobs
 552    8 todd peak   tod     LMSITMXW Longest thread elapsed time, insert of blobs
 560    8 todd delta  tod     LMSISCUW Cumulative server task (SQL) elapsed time, insert of blobs
 568    8 todd peak   tod     LMSISMXW Longest server task (SQL) elapsed time, insert of blobs
 576    8 todd delta  tod     LMSUTCUW Cumulative thread (caller) elapsed time, update of blobs
 584    8 todd peak   tod     LMSUTMXW Longest thread elapsed time, update of blobs
 592    8 todd delta  tod     LMSUSCUW Cumulative server task (SQL) elapsed time, update of blobs
 600    8 todd peak   tod     LMSUSMXW Longest server task (SQL) elapsed time, update of blobs
 608    8 todd delta  tod     LMSDTCUW Cumulative thread (caller) elapsed time, delete of blobs
 616    8 todd peak   tod     LMSDTMXW Longest thread elapsed time, delete of blobs
 624    8 todd delta  tod     LMSDSCUW Cumulative server task (SQL) elapsed time, delete of blobs
 632    8 todd peak   tod     LMSDSMXW Longest server task (SQL) elapsed time, delete of blobs
 640    8 todd delta  tod     LMSLTCUW Cumulative thread (caller) elapsed time, list of blobs
 648    8 todd peak   tod     LMSLTMXW Longest thread elapsed time, list of blobs
 656    8 todd delta  tod     LMSLSCUW Cumulative server task (SQL) elapsed time, list of blobs
 664    8 todd peak   tod     LMSLSMXW Longest server task (SQL) elapsed time, list of blobs
""",
)

QEST_ENTRY: Final = structure(
    "QEST_ENTRY",
    "One coupling facility structure inside QEST",
    64,
    """
   0   12 char id     -     QESTSTR  Structure name; entry unused when the first byte is 0x00
  12    4 u32  id     -     QESTSTRN Structure number
  16    4 u32  delta  count QESTCSEC IXLLSTE (single entry) calls
  20    4 u32  delta  count QESTCMEC IXLLSTM (multiple entry) calls
  24    8 todd delta  tod   QESTSSTC Time in IXLLSTE calls
  32    8 todd delta  tod   QESTMSTC Time in IXLLSTM calls
  40    4 u32  delta  count QESTRSEC IXLLSTE redrives
  44    4 u32  delta  count QESTRMEC IXLLSTM redrives
  48    4 u32  delta  count QESTSFUL Structure-full conditions
  52    4 u32  peak   count QESTMNUS Most entries in use
  56    4 u32  peak   count QESTMLUS Most elements in use
  60    4 pad  pad    -     FILL1    Reserved
""",
)

QEST: Final = structure(
    "QEST",
    "Coupling facility manager statistics, queue sharing groups only",
    4104,
    """
   0    2 u16           mark   =0xC513 QESTID   Block id
   2    2 u16           mark   =length QESTLL   Block length
   4    4 char          mark   =QEST   QESTEYEC Eyecatcher
   8 4096 QEST_ENTRY*64 delta  -       QESTSTUC One entry per structure number 0 to 63
""",
)

QTST: Final = structure(
    "QTST",
    "Topic manager statistics",
    100,
    """
   0    2 u16   mark   =0xA302 QTSTID   Block id
   2    2 u16   mark   =length QTSTLL   Block length
   4    4 char  mark   =QTST   QTSTEYEC Eyecatcher
   8    4 u32   delta  count   QTSTSTOT Subscription requests
  12    4 u32   delta  count   QTSTSDUR Durable subscription requests
  16   12 u32*3 peak   count   QTSTSHIG Most subscriptions: API, administrative, proxy
  28   12 u32*3 trough count   QTSTSLOW Fewest subscriptions: API, administrative, proxy
  40    4 u32   delta  count   QTSTSEXP Subscriptions that expired
  44    4 u32   delta  count   QTSTTMSG Messages put to subscriber queues
  48    4 u32   peak   count   QTSTSPHW Most subscribers a single publish reached
  52   12 u32*3 delta  count   QTSTPTOT Publish requests: API, administrative, proxy
  64    4 u32   peak   count   QTSTPTHI Publish high-water mark
  68    4 u32   trough count   QTSTPTLO Publish low-water mark
  72    4 u32   delta  count   QTSTPNOS Publishes with no subscriber
  76    4 pad   pad    -       FILL1    Reserved
  80    8 todd  peak   tod     QTSTETHW Longest publish elapsed time
  88    8 todd  delta  tod     QTSTETTO Total publish elapsed time
  96    4 pad   pad    -       FILL2    Reserved
""",
)

QESD: Final = structure(
    "QESD",
    "Shared message data set statistics, one per structure using SMDS",
    336,
    """
   0    2 u16  mark   =0xC523 QESDID   Block id
   2    2 u16  mark   =length QESDLL   Block length
   4    4 char mark   =QESD   QESDEYEC Eyecatcher
   8   12 char id     -       QESDSTR  Structure name
  20    4 u32  id     -       QESDSTRN Structure number
  24    4 u32  gauge  blocks  QESDSMBT Total blocks in the data set
  28    4 u32  gauge  blocks  QESDSMBS Blocks used by the space map
  32    4 u32  gauge  blocks  QESDSMBD Blocks for message data
  36    4 u32  gauge  blocks  QESDSMBU Message blocks in use
  40    4 u32  gauge  blocks  QESDSMBF Message blocks free
  44    4 u32  gauge  count   QESDSMMC Messages stored in the data set
  48    4 u32  delta  count   QESDSMAR Space allocation requests
  52    4 u32  delta  count   QESDSMFR Space release requests
  56    4 u32  delta  count   QESDSMRR Space reallocation requests
  60    4 u32  delta  count   QESDSMCR Cleanup requests
  64    4 u32  delta  pages   QESDSMAP Pages allocated
  68    4 u32  delta  pages   QESDSMFP Pages freed
  72    4 u32  delta  pages   QESDSMRP Pages reallocated
  76    4 u32  delta  pages   QESDSMCP Pages cleaned up
  80    4 u32  delta  count   QESDSMFL Allocations that failed (data set full)
  84    4 u32  peak   count   QESDSMMM Most messages
  88    4 u32  peak   blocks  QESDSMMU Most blocks in use
  92    4 u32  trough blocks  QESDSMMF Fewest free blocks
  96    4 u32  config bytes   QESDBFSZ Buffer size
 100    4 u32  gauge  buffers QESDBFTO Buffers in the pool
 104    4 u32  gauge  buffers QESDBFUS Buffers in use, shared
 108    4 u32  gauge  buffers QESDBFUP Buffers in use, private
 112    4 u32  gauge  buffers QESDBFFS Free buffers that still hold saved data
 116    4 u32  gauge  buffers QESDBFFE Free empty buffers
 120    4 u32  gauge  count   QESDBFPW Tasks waiting for a buffer in the pool
 124    4 u32  gauge  count   QESDBFBW Tasks waiting for a busy buffer
 128    4 u32  delta  count   QESDBFGB Buffer gets
 132    4 u32  delta  count   QESDBFGV Gets that found valid saved data
 136    4 u32  delta  count   QESDBFGM Gets that took a matching empty buffer
 140    4 u32  delta  count   QESDBFGF Gets that took a free buffer
 144    4 u32  delta  count   QESDBFGL Gets that stole a least recently used buffer
 148    4 u32  delta  count   QESDBFGN Gets that found none
 152    4 u32  delta  count   QESDBFRR Read requests
 156    4 u32  delta  count   QESDBFRS Reads satisfied from saved buffers, no I/O
 160    4 u32  delta  count   QESDBFRP Reads partly satisfied from saved buffers
 164    4 u32  delta  count   QESDBFWR Write requests
 168    4 u32  delta  count   QESDBFFB Buffers freed with valid data
 172    4 u32  delta  count   QESDBFDB Buffers discarded
 176    4 u32  delta  count   QESDBFWP Waits for a buffer in the pool
 180    4 u32  delta  count   QESDBFWB Waits for a busy buffer
 184    8 todd delta  tod     QESDBFPT Time waiting for the pool
 192    8 todd delta  tod     QESDBFBT Time waiting for busy buffers
 200    4 u32  peak   buffers QESDBFMU Most buffers in use
 204    4 u32  trough buffers QESDBFMF Fewest free buffers
 208    4 u32  peak   count   QESDBFMP Most pool waiters
 212    4 u32  peak   count   QESDBFMB Most buffer waiters
 216    4 u32  gauge  count   QESDIOHA Highest allocated control interval
 220    4 u32  gauge  count   QESDIOHU Highest used control interval
 224    4 u32  config bytes   QESDIOCI Control interval size
 228    4 u32  config bytes   QESDIOCA Control area size
 232    4 u32  delta  count   QESDIOFR Format write requests
 236    4 u32  delta  pages   QESDIOFP Format write pages
 240    8 todd delta  tod     QESDIOFT Format write I/O time
 248    8 todd delta  tod     QESDIOFW Format write wait time
 256    4 u32  delta  count   QESDIOWR Write requests
 260    4 u32  delta  pages   QESDIOWP Pages written
 264    8 todd delta  tod     QESDIOWT Write I/O time
 272    8 todd delta  tod     QESDIOWW Write wait time
 280    4 u32  delta  count   QESDIORR Read requests, own data set
 284    4 u32  delta  pages   QESDIORP Pages read, own data set
 288    8 todd delta  tod     QESDIORT Read I/O time
 296    8 todd delta  tod     QESDIORW Read wait time
 304    4 u32  delta  count   QESDIOOR Read requests to data sets of other queue managers
 308    4 u32  delta  pages   QESDIOOP Pages read from other queue managers
 312    8 todd delta  tod     QESDIOOT Read I/O time, other data sets
 320    8 todd delta  tod     QESDIOOW Read wait time, other data sets
 328    4 u32  config -       QESDFLAG Bits: 0x80000000 data set encrypted (9.1.4 on)
 332    4 pad  pad    -       FILL1    Reserved
""",
    lengths=((80000, 328), (90104, 336)),
)
