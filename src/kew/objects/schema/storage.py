"""Attributes of storage classes, page sets, buffer pools, coupling facility structures and their data sets."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.schema.common import (
    OBJECT_NAME,
    SHARED_KINDS,
    SHARED_REASONS,
    SHARED_ROWS,
)
from kew.objects.schema.grid import rows
from kew.objects.schema.model import AttributeSpec, ObjectType
from kew.objects.schema.texts import Name
from kew.objects.schema.values import Choice, Kilobytes, Number

PAGE_SET: Final = Number(0, 99)
STRUCTURE_KIND: Final = Name(16)  # MQ allows 12; the slides that Kew follows use a name of 13
BUFFER_POOL: Final = Number(0, 99)
EXPAND: Final = Choice(
    {"USER": a.MQUSAGE_EXPAND_USER, "SYSTEM": a.MQUSAGE_EXPAND_SYSTEM, "NONE": a.MQUSAGE_EXPAND_NONE}
)
LOCATION: Final = Choice(
    {"ABOVE": a.MQBPLOCATION_ABOVE, "BELOW": a.MQBPLOCATION_BELOW}, synonyms={"64": "ABOVE", "31": "BELOW"}
)
PAGE_CLASS: Final = Choice({"4KB": a.MQPAGECLAS_4KB, "FIXED4KB": a.MQPAGECLAS_FIXED4KB})
OFFLOAD: Final = Choice(
    {"SMDS": a.MQCFOFFLD_SMDS, "NONE": a.MQCFOFFLD_NONE},
    refused={"DB2": "large messages of shared queues are kept in shared message data sets"},
)

KINDS: Final = {
    **SHARED_KINDS,
    "page-set": PAGE_SET,
    "buffer-pool": BUFFER_POOL,
    "expand": EXPAND,
    "location": LOCATION,
    "page-class": PAGE_CLASS,
    "connection-loss": Choice(
        {"ASQMGR": a.MQCFCONLOS_ASQMGR, "TERMINATE": a.MQCFCONLOS_TERMINATE, "TOLERATE": a.MQCFCONLOS_TOLERATE}
    ),
    "recover": Choice({"NO": a.MQCFR_NO, "YES": a.MQCFR_YES}),
    "recauto": Choice({"YES": a.MQRECAUTO_YES, "NO": a.MQRECAUTO_NO}),
    "offload": OFFLOAD,
    "percent": Number(0, 100),
    "offload-size": Kilobytes(0, 64),
    "block": Choice(
        {
            "8K": a.MQDSB_8K,
            "16K": a.MQDSB_16K,
            "32K": a.MQDSB_32K,
            "64K": a.MQDSB_64K,
            "128K": a.MQDSB_128K,
            "256K": a.MQDSB_256K,
            "512K": a.MQDSB_512K,
            "1M": a.MQDSB_1M,
        },
        synonyms={"1024K": "1M"},
    ),
    "data-expand": Choice({"YES": a.MQDSE_YES, "NO": a.MQDSE_NO}),
    "structure-kind": STRUCTURE_KIND,
    "smds-expand": Choice({"DEFAULT": a.MQDSE_DEFAULT, "YES": a.MQDSE_YES, "NO": a.MQDSE_NO}),
}

STGCLASS_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                     | kind                | default | types | notes           | meaning
PSID     | MQIA_PAGESET_ID         | page-set            | 0       |       |                 | Page set the messages go to.
DESCR    | MQCA_STORAGE_CLASS_DESC | description         |         |       |                 | Comment on the storage class.
PASSTKTA | MQCA_PASS_TICKET_APPL   | text 8              |         |       | refused=no-otma | Application that passtickets are checked for.
QSGDISP  | MQIA_QSG_DISP           | manager-disposition | QMGR    |       | define          | Disposition in the queue sharing group.
XCFGNAME | MQCA_XCF_GROUP_NAME     | text 8              |         |       | refused=no-otma | XCF group of IMS.
XCFMNAME | MQCA_XCF_MEMBER_NAME    | text 16             |         |       | refused=no-otma | XCF member of IMS.
ALTDATE
ALTTIME
""",
    reasons=SHARED_REASONS,
    shared=SHARED_ROWS,
)

PSID_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                      | kind               | default | types | notes             | meaning
BUFFPOOL | MQIACF_BUFFER_POOL_ID    | buffer-pool        | 0       |       | define synonym=BP | Buffer pool its pages pass through.
EXPAND   | MQIACF_USAGE_EXPAND_TYPE | expand             | USER    |       |                   | How the page set grows when it is full.
DSN      | MQCACF_DATA_SET_NAME     | text 255           |         |       | define            | File that holds the pages; blank for one named after the page set.
PAGES    | MQIACF_USAGE_TOTAL_PAGES | number 2..16777216 | 1080    |       | define            | Pages of 4 KB the page set starts with.
""",
)

BUFFPOOL_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                         | kind                | default | types | notes   | meaning
BUFFERS  | MQIACF_USAGE_TOTAL_BUFFERS  | number 4..999999999 | 1000    |       |         | Buffers of 4 KB in the pool.
LOCATION | MQIACF_BUFFER_POOL_LOCATION | location            | ABOVE   |       |         | Whether the pool is in 64-bit storage.
PAGECLAS | MQIACF_PAGECLAS             | page-class          | 4KB     |       | restart | Whether the pool is fixed in memory.
""",
)

CFSTRUCT_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                         | kind            | default | types | notes | meaning
DESCR    | MQCA_CF_STRUC_DESC          | description     |         |       |       | Comment on the structure.
CFLEVEL  | MQIA_CF_LEVEL               | number 1..5     | 5       |       | empty | Level of function; 5 allows offload to shared message data sets.
CFCONLOS | MQIA_CF_CFCONLOS            | connection-loss | ASQMGR  |       |       | Action on the loss of the structure.
RECOVER  | MQIA_CF_RECOVER             | recover         | NO      |       |       | Whether the structure can be backed up and recovered.
RECAUTO  | MQIA_CF_RECAUTO             | recauto         | YES     |       |       | Whether recovery starts by itself.
OFFLOAD  | MQIA_CF_OFFLOAD             | offload         | SMDS    |       | empty | Where large messages go.
OFFLD1TH | MQIA_CF_OFFLOAD_THRESHOLD1  | percent         | 70      |       |       | First rule: from this percentage full,
OFFLD1SZ | MQCACF_CF_OFFLOAD_SIZE1     | offload-size    | 32K     |       |       | messages longer than this are offloaded.
OFFLD2TH | MQIA_CF_OFFLOAD_THRESHOLD2  | percent         | 80      |       |       | Second rule: from this percentage full,
OFFLD2SZ | MQCACF_CF_OFFLOAD_SIZE2     | offload-size    | 4K      |       |       | messages longer than this are offloaded.
OFFLD3TH | MQIA_CF_OFFLOAD_THRESHOLD3  | percent         | 90      |       |       | Third rule: from this percentage full,
OFFLD3SZ | MQCACF_CF_OFFLOAD_SIZE3     | offload-size    | 0K      |       |       | messages longer than this are offloaded.
DSGROUP  | MQCACF_CF_SMDS_GENERIC_NAME | text 255        |         |       | empty | Pattern of the data set names; * stands for the queue manager.
DSBLOCK  | MQIACF_CF_SMDS_BLOCK_SIZE   | block           | 256K    |       | empty | Unit in which data set space is given to queues.
DSBUFS   | MQIA_CF_SMDS_BUFFERS        | number 1..9999  | 100     |       |       | Buffers each queue manager uses for its data set.
DSEXPAND | MQIACF_CF_SMDS_EXPAND       | data-expand     | YES     |       |       | Whether a data set grows when it is full.
ALTDATE
ALTTIME
""",
    shared=SHARED_ROWS,
)

SMDS_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                   | kind                     | default | types | notes  | meaning
CFSTRUCT | MQCA_CF_STRUC_NAME    | structure-kind           |         |       | define | Structure the data set belongs to.
DSBUFS   | MQIA_CF_SMDS_BUFFERS  | number 1..9999 DEFAULT=0 | DEFAULT |       |        | Buffers for this data set; DEFAULT for the structure's.
DSEXPAND | MQIACF_CF_SMDS_EXPAND | smds-expand              | DEFAULT |       |        | Whether this data set grows when it is full.
""",
)

PSID_NAME: Final = AttributeSpec("PSID", a.MQIA_PAGESET_ID, PAGE_SET, 0, "Number of the page set.")

POOL_NAME: Final = AttributeSpec(
    "BUFFPOOL", a.MQIACF_BUFFER_POOL_ID, BUFFER_POOL, 0, "Number of the buffer pool.", synonyms=("BP",)
)

CLASS_NAME: Final = AttributeSpec("STGCLASS", a.MQCA_STORAGE_CLASS, Name(8), "", "Name of the storage class.")

STRUCTURE_NAME: Final = AttributeSpec("CFSTRUCT", a.MQCA_CF_STRUC_NAME, STRUCTURE_KIND, "", "Name of the structure.")

SMDS_NAME: Final = AttributeSpec("SMDS", a.MQCACF_CF_SMDS, OBJECT_NAME, "", "Queue manager that owns the data set.")

TYPES: Final = (
    ObjectType(
        "STGCLASS",
        "STGCLASS",
        ("CSQM201I", "Display STGCLASS details."),
        CLASS_NAME,
        STGCLASS_ROWS,
        synonyms=("STC",),
        pcf_type=o.MQOT_STORAGE_CLASS,
        help_text="Which page set the messages of a queue are kept in.",
    ),
    ObjectType(
        "PSID", "PSID", ("CSQM201I", "Display PSID details."), PSID_NAME, PSID_ROWS, help_text="A file of 4 KB pages."
    ),
    ObjectType(
        "BUFFPOOL",
        "BUFFPOOL",
        ("CSQM201I", "Display BUFFPOOL details."),
        POOL_NAME,
        BUFFPOOL_ROWS,
        synonyms=("BP",),
        help_text="The buffers that the pages of a page set pass through.",
    ),
    ObjectType(
        "CFSTRUCT",
        "CFSTRUCT",
        ("CSQM201I", "Display CFSTRUCT details."),
        STRUCTURE_NAME,
        CFSTRUCT_ROWS,
        pcf_type=o.MQOT_CF_STRUC,
        help_text="A structure that holds the messages of shared queues.",
    ),
    ObjectType(
        "SMDS",
        "SMDS",
        ("CSQM201I", "Display SMDS details."),
        SMDS_NAME,
        SMDS_ROWS,
        help_text="The data set in which one queue manager keeps large shared messages.",
    ),
)
