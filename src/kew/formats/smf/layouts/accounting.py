"""Type 116: accounting by task, queue and channel."""

from typing import Final

from kew.formats.smf.layouts.structure import structure

QWAC: Final = structure(
    "QWAC",
    "Instrumentation accounting data common section",
    176,
    """
   0    8 stck  id     tod   QWACBSC  Begin time
   8    8 stck  id     tod   QWACESC  End time
  16    8 todd  delta  tod   QWACBJST TCB time at begin
  24    8 todd  delta  tod   QWACEJST TCB time at end
  32    8 todd  delta  tod   QWACBSRB SRB time at begin
  40    8 todd  delta  tod   QWACESRB SRB time at end
  48    4 u32   id     -     QWACRINV Reason the record was cut
  52   16 bytes id     -     QWACNID  Network identifier
  68    4 u32   delta  count QWACCOMM Commits
  72    4 u32   delta  count QWACBACK Backouts
  76    8 todd  delta  tod   QWACASC  Elapsed time in the product
  84    8 todd  delta  tod   QWACAJST TCB time in the product
  92    8 todd  delta  tod   QWACASRB SRB time in the product
 100    8 todd  delta  tod   QWACAWTI I/O wait
 108    8 todd  delta  tod   QWACAWTL Lock and latch wait
 116    4 u32   delta  count QWACARNA Entries to the product
 120    4 u32   delta  count QWACARNE I/O waits
 124    8 todd  delta  tod   QWACAWTR Other read I/O wait
 132    8 todd  delta  tod   QWACAWTW Other write I/O wait
 140    8 todd  delta  tod   QWACAWTE Service wait
 148    8 todd  delta  tod   QWACALOG Archive log wait
 156    4 u32   delta  count QWACARNL Lock and latch waits
 160    4 u32   delta  count QWACARNR Other reads
 164    4 u32   delta  count QWACARNW Other writes
 168    4 u32   delta  count QWACARNS Service waits
 172    4 u32   delta  count QWACALCT Archive log waits
""",
    lengths=((80000, 176), (100000, 96)),
)

QMAC: Final = structure(
    "QMAC",
    "Message manager accounting",
    48,
    """
   0    2 u16  mark   =0xD414 QMACID   Block id
   2    2 u16  mark   =length QMACLL   Block length
   4    4 char mark   =QMAC   QMACEYEC Eyecatcher
   8    8 todd delta  tod     QMACCPUT CPU time used in MQ calls
  16    4 u32  delta  count   QMACPUTA MQPUT of messages of 0 to 99 bytes
  20    4 u32  delta  count   QMACPUTB MQPUT of 100 to 999 bytes
  24    4 u32  delta  count   QMACPUTC MQPUT of 1000 to 9999 bytes
  28    4 u32  delta  count   QMACPUTD MQPUT of 10000 bytes or more
  32    4 u32  delta  count   QMACGETA MQGET of 0 to 99 bytes
  36    4 u32  delta  count   QMACGETB MQGET of 100 to 999 bytes
  40    4 u32  delta  count   QMACGETC MQGET of 1000 to 9999 bytes
  44    4 u32  delta  count   QMACGETD MQGET of 10000 bytes or more
""",
)

WTID: Final = structure(
    "WTID",
    "Task identification",
    208,
    """
   0    2 u16          mark   =0xF700 WTIDSHEX Block id
   2    2 u16          mark   =length WTIDLEN  Block length
   4    4 char         mark   =WTID   WTIDEYEC Eyecatcher
   8    4 i32:CONNTYPE id     -       WTIDATYP Type of connecting system
  12    8 char         id     -       WTIDCCN  Connection name: job, applid, IMS id, or chinit job
  20    8 char         id     -       WTIDOPID Operator id (user of the transaction)
  28   16 bytes        id     -       WTIDNID  Network id
  44   12 bytes        id     -       WTIDCORI Correlation id; for CICS: 4-byte thread, 4-char transaction, packed task
          | number; for IMS: PST and PSB
  56   24 bytes        id     -       WTIDUOWI Unit of work id
  80   22 bytes        id     -       WTIDACCT Accounting token
 102   20 char         id     -       WTIDCHL  Channel name when the task is a channel
 122   48 char         id     -       WTIDCHLC Channel connection name (partner address)
 170   16 bytes        id     -       WTIDCTXT Context token for RRS
 186    8 char         id     -       WTIDTRAN MVS user id of the task
 194    2 pad          pad    -       FILL1    Reserved
 196    4 u32          link   -       WTIDCFWD Forward chain pointer
 200    4 u32          link   -       WTIDCBWD Backward chain pointer
 204    4 u32          link   -       WTIDWTAS Pointer to WTAS
""",
)

CFSTAT_ENTRY: Final = structure(
    "CFSTAT_ENTRY",
    "Coupling facility request counters for one request type",
    20,
    """
   0    4 u32 delta  count CFCOUNT   Requests
   4    4 u32 delta  count CFSYNCN   Requests done synchronously
   8    4 u32 delta  us    CFSYNCET  Elapsed time, synchronous (unit microseconds, inferred)
  12    4 u32 delta  count CFASYNCN  Requests done asynchronously
  16    4 u32 delta  us    CFASYNCET Elapsed time, asynchronous (unit microseconds, inferred)
""",
)

WTAS: Final = structure(
    "WTAS",
    "Task-level statistics",
    2344,
    """
   0    2 u16             mark   =0xF701 WTASSHEX Block id
   2    2 u16             mark   =length WTASLEN  Block length
   4    4 char            mark   =WTAS   WTASEYEC Eyecatcher
   8    8 stck            id     tod     WTASSTRT Time the task started; also bytes 0-7 of the 16-byte correlator
  16    4 u32             link   -       WTASMTHR Thread address; bytes 8-11 of the correlator
  20    4 u32             link   -       WTASWTAS WTAS address; bytes 12-15 of the correlator that joins to WQ CORREL
  24    8 u64             link   -       WTASLATC Internal latch word
  32    4 u32             link   -       WTASHSHI Internal hash index
  36    4 u32             link   -       WTASNEXT Internal chain pointer
  40    4 u32             id     -       WTASFLAG Flags; 0x20000000 (WTASAEOT) is on in records cut because the task
          | ended and off in interval records; 0x00800000 was on in every sample
  44    4 u32             gauge  count   WTASWQCT Queue blocks for the task; 0 means no WQ triplet in this record
  48  256 todd*32         delta  tod     WTASLWET Wait time per latch class 1 to 32
 304  128 i32*32          delta  count   WTASLWN  Waits per latch class 1 to 32
 432    8 todd            delta  tod     WTASOTET Other MQI calls, elapsed time
 440    8 todd            delta  tod     WTASOTCT Other MQI calls, CPU time
 448    4 i32             delta  count   WTASOTN  Other MQI calls
 452    8 todd            peak   tod     WTASMLW  Longest single latch wait
 460    4 i32             peak   -       WTASMLWN Latch class of the longest wait
 464    8 bytes           peak   -       WTASLOWN Holder of the latch of the longest wait
 472    8 todd            delta  tod     WTASCMET Commit elapsed time
 480    8 todd            delta  tod     WTASCMCT Commit CPU time
 488    4 i32             delta  count   WTASCMN  Commits
 492    8 todd            delta  tod     WTASBAET Backout elapsed time
 500    8 todd            delta  tod     WTASBACT Backout CPU time
 508    4 i32             delta  count   WTASBAN  Backouts
 512    4 pad             pad    -       FILL1    Reserved
 516    8 todd            delta  tod     WTASJWET Log write elapsed time
 524    4 u32             delta  count   WTASJWN  Log writes
 528    4 u32             delta  bytes   WTASJWB  Bytes logged
 532    8 todd            delta  tod     WTASJCET Log force elapsed time
 540    4 u32             delta  count   WTASJCN  Log forces
 544    4 u32             delta  count   WTASSUSN Task suspends
 548    8 todd            delta  tod     WTASSUSE Task suspend time
 556    8 todd            delta  tod     WTASPSE0 Page set 0 logging time
 564    4 u32             delta  count   WTASPSN0 Page set 0 logging requests
 568    8 todd            delta  tod     WTASDBET Db2 elapsed time seen by the thread
 576    8 todd            delta  tod     WTASDBES Db2 elapsed time in the server task
 584    8 todd            peak   tod     WTASDBMT Longest Db2 thread time
 592    8 todd            peak   tod     WTASDBMS Longest Db2 server time
 600    4 u32             delta  count   WTASDBCT Db2 requests
 604    4 u32             delta  count   WTASCSEC CF IXLLSTE calls
 608    4 u32             delta  count   WTASCMEC CF IXLLSTM calls
 612    4 u32             delta  count   WTASRSEC CF IXLLSTE redrives
 616    4 u32             delta  count   WTASRMEC CF IXLLSTM redrives
 620    8 todd            delta  tod     WTASSSTC CF IXLLSTE elapsed time
 628    8 todd            delta  tod     WTASMSTC CF IXLLSTM elapsed time
 636    4 u32             delta  count   WTASSMRS SMDS reads satisfied from saved buffers
 640    4 u32             delta  count   WTASSMRB SMDS blocks read
 644    4 u32             delta  count   WTASSMWB SMDS blocks written
 648    4 u32             delta  pages   WTASSMRP SMDS pages read
 652    4 u32             delta  pages   WTASSMWP SMDS pages written
 656    8 todd            delta  tod     WTASSMWT SMDS I/O wait time
 664    8 stck            id     tod     WTASINTS Start of the interval this record covers
 672    8 stck            id     tod     WTASINTE End of the interval this record covers
 680    4 i32             delta  count   WTASGPO  Page gets, existing pages
 684    4 i32             delta  count   WTASGPN  Page gets, new pages
 688    4 u32             link   -       WTASCQF  Queue chain pointer, first
 692    4 u32             link   -       WTASCQB  Queue chain pointer, last
 696    4 u32             id     -       WTASVER  Version of the block: 4 MQ 7.0, 5 MQ 7.1, 8 MQ 8 and later
 700    4 pad             pad    -       FILL2    Reserved
 704    8 u64             delta  bytes   WTASDBPT Db2 bytes written
 712    8 u64             delta  bytes   WTASDBGT Db2 bytes read
 720    8 todd            delta  tod     WTASPBHW Buffer pool latch wait time (documented name suggests publish; the
          | product reuses it)
 728    8 todd            delta  tod     WTASPBTT Buffer pool latch held time (reused likewise)
 736    8 todd            delta  tod     WTASTPET Topic elapsed time
 744    8 todd            delta  tod     WTASTPCT Topic CPU time
 752    4 u32             delta  count   WTASTPN  Topic count, effectively unused
 756    8 todd            delta  tod     WTASSUET MQSUB elapsed time
 764    8 todd            delta  tod     WTASSUCT MQSUB CPU time
 772    4 u32             delta  count   WTASSUN  MQSUB calls
 776    4 u32             delta  count   WTASSUSC MQSUB calls with a selector
 780    4 u32             peak   bytes   WTASSUSL Longest selector
 784    8 todd            delta  tod     WTASSQET MQSUBRQ elapsed time
 792    8 todd            delta  tod     WTASSQCT MQSUBRQ CPU time
 800    4 u32             delta  count   WTASSQN  MQSUBRQ calls
 804    8 todd            delta  tod     WTASCTET MQCTL elapsed time
 812    8 todd            delta  tod     WTASCTCT MQCTL CPU time
 820    4 u32             delta  count   WTASCTN  MQCTL calls
 824    8 todd            delta  tod     WTASSTET MQSTAT elapsed time
 832    8 todd            delta  tod     WTASSTCT MQSTAT CPU time
 840    4 u32             delta  count   WTASSTN  MQSTAT calls
 844    4 pad             pad    -       FILL3    Reserved
 848    8 todd            delta  tod     WTASCTSR CPU time on SRB for MQCTL
 856    8 pad             pad    -       FILL4    Reserved
 864  400 CFSTAT_ENTRY*20 delta  -       COMMITCF CF requests during commit by request type (see CFREQ enum)
1264  400 CFSTAT_ENTRY*20 delta  -       PREPCF   CF requests during prepare by request type
1664  400 pad             pad    -       FILL5    Reserved
2064    8 todd            delta  tod     WTASPRET Prepare elapsed time (version 8)
2072    8 todd            delta  tod     WTASPRCT Prepare CPU time (version 8)
2080    4 u32             delta  count   WTASPRN  Prepares (version 8)
2084    4 pad             pad    -       FILL6    Reserved
2088  256 todd*32         peak   tod     WTASLMAX Longest wait per latch class 1 to 32 (version 8)
""",
)

WQ: Final = structure(
    "WQ",
    "Queue-level statistics of a task",
    2800,
    """
   0    2 u16              mark   =0xF702 WQID          Block id
   2    2 u16              mark   =length WQLL          Block length
   4    4 char             mark   =WQST   WQEYE         Eyecatcher
   8    4 i32              id     -       WQVER         Version 1 to 9; gates which fields exist
  12    4 u32              link   -       WQNEXT        Internal chain pointer
  16   16 bytes            id     -       CORREL        Correlator equal to WTASSTRT+WTASMTHR+WTASWTAS of the task
  32   48 char             id     -       OBJNAME       Name used on MQOPEN
  80   48 char             id     -       BASENAME      Queue really used after alias and remote resolution
 128    8 stck             id     tod     OPENTIME      When the object was first opened
 136    8 stck             id     tod     CLOSTIME      When it was closed, 0 if still open
 144    4 i32:MQQT         id     -       QTYPE         Queue type
 148    4 i32:MQIT         id     -       INDXTYPE      Index type of the queue
 152    4 i32:MQQSGD       id     -       QSGDISP       Disposition
 156    4 char             mark   =OPEN   OPENEYE       Eyecatcher
 160    8 todd             delta  tod     OPENET        MQOPEN elapsed time
 168    8 todd             delta  tod     OPENCT        MQOPEN CPU time
 176    4 u32              delta  count   OPENN         MQOPEN calls
 180    4 char             mark   =CLOS   CLOSEEYE      Eyecatcher
 184    8 todd             delta  tod     CLOSEET       MQCLOSE elapsed time
 192    8 todd             delta  tod     CLOSECT       MQCLOSE CPU time
 200    4 u32              delta  count   CLOSEN        MQCLOSE calls
 204    4 char             mark   =GET    GETEYE        Eyecatcher
 208    8 todd             delta  tod     GETET         MQGET elapsed time
 216    8 todd             delta  tod     GETCT         MQGET CPU time
 224    4 u32              delta  count   GETN          MQGET calls of every kind
 228    4 u32              delta  count   GETBRWA       Browses of any message
 232    4 u32              delta  count   GETBRWS       Browses by message id or correlation id (specific)
 236    4 u32              delta  count   GETA          Destructive gets of any message
 240    4 u32              delta  count   GETS          Destructive gets of a specific message
 244    4 u32              delta  count   GETERR        Gets that returned no message (errors, 2033)
 248    8 todd             delta  tod     GETJWET       Log write time in gets
 256    4 u32              delta  count   GETJWN        Log writes in gets
 260    8 todd             delta  tod     GETPSET       Page set read time in gets
 268    4 u32              delta  count   GETPSN        Page set reads in gets
 272    8 todd             delta  tod     GETSUSET      Suspend time in gets
 280    4 u32              delta  count   GETSUSN       Suspends in gets
 284    4 u32              delta  pages   GETEPAGE      Empty pages skipped looking for a message
 288    4 u32              delta  count   GETSMSG       Messages skipped looking for a match; high values mean the
          | queue should be indexed
 292    4 u32              delta  count   GETEXMSG      Expired messages met
 296    4 char             mark   =PUT    PUTEYE        Eyecatcher
 300    8 todd             delta  tod     PUTET         MQPUT elapsed time
 308    8 todd             delta  tod     PUTCT         MQPUT CPU time
 316    4 u32              delta  count   PUTN          MQPUT calls
 320    8 todd             delta  tod     PUTJWET       Log write time in puts
 328    4 u32              delta  count   PUTJWN        Log writes in puts
 332    8 todd             delta  tod     PUTSUSET      Suspend time in puts
 340    4 u32              delta  count   PUTSUSN       Suspends in puts
 344    8 todd             delta  tod     PUTPSET       Page set access time in puts
 352    4 i32              delta  count   PUTPSN        Page set accesses in puts
 356    4 char             mark   =PUT1   PUT1EYE       Eyecatcher
 360    8 todd             delta  tod     PUT1ET        MQPUT1 elapsed time
 368    8 todd             delta  tod     PUT1CT        MQPUT1 CPU time
 376    4 u32              delta  count   PUT1N         MQPUT1 calls
 380    8 todd             delta  tod     PUT1JWET      Log write time in put1
 388    4 u32              delta  count   PUT1JWN       Log writes in put1
 392    8 todd             delta  tod     PUT1SUSET     Suspend time in put1
 400    4 u32              delta  count   PUT1SUSN      Suspends in put1
 404    8 todd             delta  tod     PUT1PSET      Page set access time in put1
 412    4 i32              delta  count   PUT1PSN       Page set accesses in put1
 416    4 char             mark   =INQ    INQEYE        Eyecatcher
 420    8 todd             delta  tod     INQET         MQINQ elapsed time
 428    8 todd             delta  tod     INQCT         MQINQ CPU time
 436    4 u32              delta  count   INQN          MQINQ calls
 440    4 char             mark   =SET    SETEYE        Eyecatcher
 444    8 todd             delta  tod     SETET         MQSET elapsed time
 452    8 todd             delta  tod     SETCT         MQSET CPU time
 460    4 u32              delta  count   SETN          MQSET calls
 464    8 todd             delta  tod     SETJWET       Log write time in set
 472    4 u32              delta  count   SETJWN        Log writes in set
 476    4 u32              id     -       NPS           Page set number
 480   12 char             id     -       CFSTRUCNAME   CF structure name
 492    4 u32              id     -       NBUFFPOOL     Buffer pool number
 496    8 u64              delta  bytes   PUTBYTES      Bytes put
 504    8 u64              delta  bytes   GETBYTES      Bytes got
 512    4 u32              delta  count   VALIDPUT      Successful MQPUT and MQPUT1
 516    4 u32              delta  count   VALIDGET      Successful gets that returned data
 520    4 u32              delta  count   NGEN          Messages generated (events, triggers, reports)
 524    4 i32              peak   bytes   GETMAXMS      Largest message got
 528    4 i32?0x0FFFFFFF   trough bytes   GETMINMS      Smallest message got; 0x0FFFFFFF when none
 532    4 i32              peak   bytes   PUTMAXMS      Largest message put
 536    4 i32?0x0FFFFFFF   trough bytes   PUTMINMS      Smallest message put; 0x0FFFFFFF when none
 540    8 todd             peak   tod     MAXLATNT      Longest time a message got was on the queue
 548    8 todd             trough tod     MINLATNT      Shortest time on the queue
 556    8 todd             delta  tod     TOTLATNT      Total time on the queue of messages got
 564    4 u32              link   -       WQBACK        Internal chain pointer
 568    4 i32              gauge  count   USE_COUNT     Current handles
 572    4 i32              delta  count   TOTAL_USE     Opens counted in this block
 576    4 i32              delta  count   GETPMSG       Persistent messages got (version 2 on)
 580    4 i32              delta  count   PUTPMSG       Persistent messages put (version 2 on)
 584    4 i32              delta  count   PUT1PMSG      Persistent messages put with put1 (version 2 on)
 588    4 i32              peak   msgs    MAXQDPTH      Greatest depth met by the task (version 2 on)
 592    2 u16              id     -       FLAGS         Bits: 0x8000 no accounting for this queue, 0x4000 topic, 0x2000
          | ACCTQ copied
 594    2 pad              pad    -       FILL1         Reserved
 596    4 u32              delta  count   GETDVAL       Successful destructive gets (version 4 on)
 600    8 todd             delta  tod     GETJCET       Log force time in gets (version 4 on)
 608    4 u32              delta  count   GETJCN        Log forces in gets
 612    4 u32              delta  count   PUTPWG        Puts to a waiting getter
 616    8 todd             delta  tod     PUTJCET       Log force time in puts
 624    4 u32              delta  count   PUTJCN        Log forces in puts
 628    4 u32              delta  count   PUT1PWG       Put1 to a waiting getter
 632    8 todd             delta  tod     PUT1JCET      Log force time in put1
 640    4 u32              delta  count   PUT1JCN       Log forces in put1
 644    8 todd             delta  tod     SETJCET       Log force time in set
 652    4 u32              delta  count   SETJCN        Log forces in set
 656    4 u32              delta  count   PUTDSQ        Puts straight to a shared queue instead of through a
          | transmission queue
 660    4 u32              delta  count   PUTIGQ        Puts that used intra-group queuing
 664    4 u32              delta  count   PUT1IGQ       Put1 that used intra-group queuing
 668    4 pad              pad    -       FILL2         Reserved
 672    4 u32              delta  count   SELCOUNT      Opens or calls with a selector (version 5 on)
 676    4 u32              peak   bytes   SELMAXLN      Longest selector (version 5 on)
 680    4 char             mark   =CB     CBEYE         Eyecatcher
 684    8 todd             delta  tod     CBET          Callback elapsed time (version 5 on)
 692    8 todd             delta  tod     CBCT          Callback CPU time
 700    4 u32              delta  count   CBN           Callbacks
 704    8 todd             delta  tod     OPENSUET      Suspend time in open (version 6 on)
 712    4 u32              delta  count   OPENSUN       Suspends in open
 716    8 todd             delta  tod     CLOSESUET     Suspend time in close
 724    4 u32              delta  count   CLOSESUN      Suspends in close
 728    4 u32              delta  count   OPENCF0       Opens that needed no CF request
 732    4 u32              delta  count   CLOSECF0      Closes that needed no CF request
 736 2000 CFSTAT_ENTRY*100 delta  -       MQCFREQ       CF counters, 5 verbs (open, close, get, put, put1) by 20
          | request types, verb-major (version 6 on)
2736    4 u32              delta  count   PUBLISHEDN    Messages published to this topic
2740   12 pad              pad    -       FILL3         Reserved
2752    8 todd             delta  tod     TOPICOPENSRB  SRB CPU time opening a topic
2760    8 todd             delta  tod     TOPICPUTSRB   SRB CPU time putting to a topic
2768    8 todd             delta  tod     TOPICPUT1SRB  SRB CPU time put1 to a topic
2776    8 todd             delta  tod     TOPICCLOSESRB SRB CPU time closing a topic
2784    4 u32              delta  count   PUTDDLY       Messages put with a delivery delay (version 8 on)
2788    4 pad              pad    -       FILL4         Reserved
2792    4 u32              delta  count   STREAMEDN     Messages streamed to the streaming queue (version 9 on, MQ
          | 9.3.2)
2796    4 pad              pad    -       FILL5         Reserved
""",
    lengths=((80000, 2792), (90302, 2800)),
)

QCST: Final = structure(
    "QCST",
    "Channel accounting, one per channel instance",
    340,
    """
   0    2 u16            mark   =0xE74A QCSTID   Block id
   2    2 u16            mark   =length QCSTLL   Block length
   4    4 char           mark   =QCST   QCSTEYEC Eyecatcher
   8    8 stck           id     tod     QCSTCLTM Collection time
  16   20 char           id     -       QCSTCHNM Channel name
  36    1 u8:MQCHLD      id     -       QCSTCHDP Disposition
  37    1 u8:MQCHT       id     -       QCSTCHTY Channel type
  38    1 u8:MQCHS       id     -       QCSTCHST Status when collected
  39    1 u8:MQMON       id     -       QCSTSTCL Effective STATCHL
  40   48 char           id     -       QCSTCNNM Connection name
  88    8 stck           id     tod     QCSTSTRT Channel start time
  96    8 stck           id     tod     QCSTLUDT Channel stop time, 0 while running
 104    8 stck           gauge  tod     QCSTLMST Time of the last message or MQI call
 112    4 u32            config count   QCSTCBSZ Batch size negotiated
 116    4 u32            delta  count   QCSTNMSG Messages, or MQI calls for a server-connection
 120    4 u32            delta  count   QCSTNPMG Persistent messages
 124    4 u32            delta  count   QCSTBATC Batches
 128    4 u32            delta  count   QCSTFUBA Full batches
 132    4 u32            delta  count   QCSTBFST Transmission buffers sent
 136    4 u32            delta  count   QCSTBFRC Transmission buffers received
 140    4 u32            gauge  count   QCSTCSCV Current shared conversations
 144    8 u64            delta  bytes   QCSTNBYT Message bytes
 152    8 u64            delta  bytes   QCSTNPBY Persistent message bytes
 160    8 u64            delta  bytes   QCSTBYST All bytes sent, data and control
 168    8 u64            delta  bytes   QCSTBYRC All bytes received
 176    4 u32            gauge  pct     QCSTCPRA Compression rate achieved
 180    4 u32            gauge  us      QCSTETAV Average exit time
 184    4 u32?0x8FFFFFFF trough us      QCSTETMN Shortest exit time; 0x8FFFFFFF when none
 188    4 u32            peak   us      QCSTETMX Longest exit time
 192    8 stck           peak   tod     QCSTETDT When the longest exit time happened
 200    4 u32            gauge  us      QCSTDNRT DNS resolution time
 204    4 u32            gauge  us      QCSTNTAV Average network time
 208    4 u32?0x8FFFFFFF trough us      QCSTNTMN Shortest network time; 0x8FFFFFFF when none
 212    4 u32            peak   us      QCSTNTMX Longest network time
 216    8 stck           peak   tod     QCSTNTDT When the longest network time happened
 224   48 char           id     -       QCSTRQMN Remote queue manager or application
 272    8 bytes          id     -       QCSTSLSN Serial number of the partner certificate
 280   16 char           id     -       QCSTSLCN Common name from SSLCERTI
 296    4 u32            id     -       QCSTSLCS Cipher specification code, 0 none
 300    4 u32            delta  count   QCSTPTRC Put retries
 304    4 u32            delta  count   QCSTQETC Times the transmission queue was found empty
 308    4 u32            config ms      QCSTCBIT Batch interval
 312    4 u32            config KiB     QCSTCBDL Batch data limit
 316    2 u16            id     -       QCSTDSPN Dispatcher number
 318    6 pad            pad    -       FILL1    Reserved
 324    4 char           id     -       QCSTRPID Remote product identifier (MQ 10 on)
 328    8 char           id     -       QCSTRVER Remote product version (MQ 10 on)
 336    4 pad            pad    -       FILL2    Reserved
""",
    lengths=((80000, 324), (100000, 340)),
)
