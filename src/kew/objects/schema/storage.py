"""Attributes of storage classes, page sets, buffer pools, coupling facility structures and their data sets."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.schema.common import (
    ALTERATION_DATE,
    ALTERATION_TIME,
    DESCRIPTION,
    MANAGER_DISPOSITION,
    MOST,
    NO_OTMA,
    OBJECT_NAME,
)
from kew.objects.schema.model import DEFINE, EMPTY, RESTART, AttributeSpec, ObjectType, Row
from kew.objects.texts import Name, Text
from kew.objects.values import Choice, Kilobytes, Number

PAGE_SET: Final = Number(0, 99)
STRUCTURE_KIND: Final = Name(16)  # MQ allows 12; the slides that Kew follows use a name of 13
BUFFER_POOL: Final = Number(0, 99)

STGCLASS_ROWS: Final = (
    Row("PSID", a.MQIA_PAGESET_ID, PAGE_SET, "0", "Page set the messages go to."),
    Row("DESCR", a.MQCA_STORAGE_CLASS_DESC, DESCRIPTION, "", "Comment on the storage class."),
    Row(
        "PASSTKTA",
        a.MQCA_PASS_TICKET_APPL,
        Text(8),
        "",
        "Application that passtickets are checked for.",
        refused=NO_OTMA,
    ),
    Row(
        "QSGDISP", a.MQIA_QSG_DISP, MANAGER_DISPOSITION, "QMGR", "Disposition in the queue sharing group.", role=DEFINE
    ),
    Row("XCFGNAME", a.MQCA_XCF_GROUP_NAME, Text(8), "", "XCF group of IMS.", refused=NO_OTMA),
    Row("XCFMNAME", a.MQCA_XCF_MEMBER_NAME, Text(16), "", "XCF member of IMS.", refused=NO_OTMA),
    ALTERATION_DATE,
    ALTERATION_TIME,
)

EXPAND: Final = Choice(
    {"USER": a.MQUSAGE_EXPAND_USER, "SYSTEM": a.MQUSAGE_EXPAND_SYSTEM, "NONE": a.MQUSAGE_EXPAND_NONE}
)
PSID_ROWS: Final = (
    Row(
        "BUFFPOOL",
        a.MQIACF_BUFFER_POOL_ID,
        BUFFER_POOL,
        "0",
        "Buffer pool its pages pass through.",
        role=DEFINE,
        synonyms=("BP",),
    ),
    Row("EXPAND", a.MQIACF_USAGE_EXPAND_TYPE, EXPAND, "USER", "How the page set grows when it is full."),
    Row(
        "DSN",
        a.MQCACF_DATA_SET_NAME,
        Text(255),
        "",
        "File that holds the pages; blank for one named after the page set.",
        role=DEFINE,
    ),
    Row(
        "PAGES",
        a.MQIACF_USAGE_TOTAL_PAGES,
        Number(2, 16777216),
        "1080",
        "Pages of 4 KB the page set starts with.",
        role=DEFINE,
    ),
)

LOCATION: Final = Choice(
    {"ABOVE": a.MQBPLOCATION_ABOVE, "BELOW": a.MQBPLOCATION_BELOW}, synonyms={"64": "ABOVE", "31": "BELOW"}
)
PAGE_CLASS: Final = Choice({"4KB": a.MQPAGECLAS_4KB, "FIXED4KB": a.MQPAGECLAS_FIXED4KB})
BUFFPOOL_ROWS: Final = (
    Row("BUFFERS", a.MQIACF_USAGE_TOTAL_BUFFERS, Number(4, MOST), "1000", "Buffers of 4 KB in the pool."),
    Row("LOCATION", a.MQIACF_BUFFER_POOL_LOCATION, LOCATION, "ABOVE", "Whether the pool is in 64-bit storage."),
    Row("PAGECLAS", a.MQIACF_PAGECLAS, PAGE_CLASS, "4KB", "Whether the pool is fixed in memory.", change=RESTART),
)

PERCENT: Final = Number(0, 100)
OFFLOAD_SIZE: Final = Kilobytes(0, 64)
BLOCK: Final = Choice(
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
)
DATA_EXPAND: Final = Choice({"YES": a.MQDSE_YES, "NO": a.MQDSE_NO})
SMDS_EXPAND: Final = Choice({"DEFAULT": a.MQDSE_DEFAULT, "YES": a.MQDSE_YES, "NO": a.MQDSE_NO})
OFFLOAD: Final = Choice(
    {"SMDS": a.MQCFOFFLD_SMDS, "NONE": a.MQCFOFFLD_NONE},
    refused={"DB2": "large messages of shared queues are kept in shared message data sets"},
)
CONNECTION_LOSS: Final = Choice(
    {"ASQMGR": a.MQCFCONLOS_ASQMGR, "TERMINATE": a.MQCFCONLOS_TERMINATE, "TOLERATE": a.MQCFCONLOS_TOLERATE}
)
CFSTRUCT_ROWS: Final = (
    Row("DESCR", a.MQCA_CF_STRUC_DESC, DESCRIPTION, "", "Comment on the structure."),
    Row(
        "CFLEVEL",
        a.MQIA_CF_LEVEL,
        Number(1, 5),
        "5",
        "Level of function; 5 allows offload to shared message data sets.",
        change=EMPTY,
    ),
    Row("CFCONLOS", a.MQIA_CF_CFCONLOS, CONNECTION_LOSS, "ASQMGR", "What happens when the structure is lost."),
    Row(
        "RECOVER",
        a.MQIA_CF_RECOVER,
        Choice({"NO": a.MQCFR_NO, "YES": a.MQCFR_YES}),
        "NO",
        "Whether the structure can be backed up and recovered.",
    ),
    Row(
        "RECAUTO",
        a.MQIA_CF_RECAUTO,
        Choice({"YES": a.MQRECAUTO_YES, "NO": a.MQRECAUTO_NO}),
        "YES",
        "Whether recovery starts by itself.",
    ),
    Row("OFFLOAD", a.MQIA_CF_OFFLOAD, OFFLOAD, "SMDS", "Where large messages go.", change=EMPTY),
    Row("OFFLD1TH", a.MQIA_CF_OFFLOAD_THRESHOLD1, PERCENT, "70", "First rule: from this percentage full,"),
    Row("OFFLD1SZ", a.MQCACF_CF_OFFLOAD_SIZE1, OFFLOAD_SIZE, "32K", "messages longer than this are offloaded."),
    Row("OFFLD2TH", a.MQIA_CF_OFFLOAD_THRESHOLD2, PERCENT, "80", "Second rule: from this percentage full,"),
    Row("OFFLD2SZ", a.MQCACF_CF_OFFLOAD_SIZE2, OFFLOAD_SIZE, "4K", "messages longer than this are offloaded."),
    Row("OFFLD3TH", a.MQIA_CF_OFFLOAD_THRESHOLD3, PERCENT, "90", "Third rule: from this percentage full,"),
    Row("OFFLD3SZ", a.MQCACF_CF_OFFLOAD_SIZE3, OFFLOAD_SIZE, "0K", "messages longer than this are offloaded."),
    Row(
        "DSGROUP",
        a.MQCACF_CF_SMDS_GENERIC_NAME,
        Text(255),
        "",
        "Pattern of the data set names; * stands for the queue manager.",
        change=EMPTY,
    ),
    Row(
        "DSBLOCK",
        a.MQIACF_CF_SMDS_BLOCK_SIZE,
        BLOCK,
        "256K",
        "Unit in which data set space is given to queues.",
        change=EMPTY,
    ),
    Row("DSBUFS", a.MQIA_CF_SMDS_BUFFERS, Number(1, 9999), "100", "Buffers each queue manager uses for its data set."),
    Row("DSEXPAND", a.MQIACF_CF_SMDS_EXPAND, DATA_EXPAND, "YES", "Whether a data set grows when it is full."),
    ALTERATION_DATE,
    ALTERATION_TIME,
)

SMDS_ROWS: Final = (
    Row("CFSTRUCT", a.MQCA_CF_STRUC_NAME, STRUCTURE_KIND, "", "Structure the data set belongs to.", role=DEFINE),
    Row(
        "DSBUFS",
        a.MQIA_CF_SMDS_BUFFERS,
        Number(1, 9999, {"DEFAULT": 0}),
        "DEFAULT",
        "Buffers for this data set; DEFAULT for the structure's.",
    ),
    Row("DSEXPAND", a.MQIACF_CF_SMDS_EXPAND, SMDS_EXPAND, "DEFAULT", "Whether this data set grows when it is full."),
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
