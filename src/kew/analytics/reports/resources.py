"""BUFF, PSET, STG, CF and SMDS: the storage of a queue manager's messages."""

from typing import Final

from kew.analytics.reports.model import Cell, Chart, Part, Report

BUFF: Final = Report(
    "BUFF",
    "Buffer pools",
    [
        Part(
            "BUFF",
            "Buffer pools",
            "QPST",
            [
                Cell("pool", "Pool", "QPSTPOOL"),
                Cell("buffers", "Buffers", "QPSTNBUF"),
                Cell("lowest_free", "Low free", "QPSTCBSL"),
                Cell("free", "Free", "QPSTCBS"),
                Cell("worst", "Worst %", "100 * (1 - QPSTCBSL / QPSTNBUF)", ".1f"),
                Cell("getp", "Getp", "QPSTGETP"),
                Cell("getn", "Getn", "QPSTGETN"),
                Cell("reads", "Rio", "QPSTRIO"),
                Cell("set_writes", "STW", "QPSTSTW"),
                Cell("pages_written", "TPW", "QPSTTPW"),
                Cell("write_ios", "WIO", "QPSTWIO"),
                Cell("immediate", "IMW", "QPSTIMW"),
                Cell("deferred", "DWT", "QPSTDWT"),
                Cell("synchronous", "DMC", "QPSTDMC"),
                Cell("steals", "STL", "QPSTSTL"),
                Cell("hash_changes", "STLA", "QPSTSTLA"),
                Cell("short", "SOS", "QPSTSOS"),
                Cell("above", "Above", "bit(QPSTFLAG, 0x80000000)", "yes"),
                Cell("fixed", "Fixed", "bit(QPSTFLAG, 0x40000000)", "yes"),
                Cell("misses", "Miss %", "min(100, 100 * QPSTRIO / QPSTGETP)", ".2f"),
                Cell("gets_per_second", "Gets/s", "(QPSTGETP + QPSTGETN) / dur", ".1f"),
                Cell("pages_per_write", "Pages/WIO", "QPSTTPW / QPSTWIO", ".1f"),
            ],
            when="QPSTNBUF > 0",
        )
    ],
    [Chart("Fullest moment of each buffer pool", "BUFF", "worst", "percent in use", "pool")],
)

_USED: Final = "(QIS1TOPG - QIS1UNPG)"

PSET: Final = Report(
    "PSET",
    "Page sets",
    [
        Part(
            "PSET",
            "Page sets",
            "QIS1",
            [
                Cell("page_set", "Page set", "QIS1PSNO"),
                Cell("pool", "Pool", "QIS1BPNO"),
                Cell("status", "Status", "QIS1STAT", "code"),
                Cell("total", "Total", "QIS1TOPG"),
                Cell("unused", "Unused", "QIS1UNPG"),
                Cell("persistent", "Persist", "QIS1PPG"),
                Cell("nonpersistent", "NonPers", "QIS1NPPG"),
                Cell("used", "Used %", f"100 * {_USED} / QIS1TOPG", ".1f"),
                Cell("full", "Full", "QIS1FULL"),
                Cell("expansions", "Exp", "QIS1EXPN"),
                Cell("method", "Expand", "QIS1EXPM", "code"),
                Cell("stripes", "Str", "QIS1STRN"),
                Cell("encrypted", "Enc", "bit(QIS1FLAG, 0x40000000)", "yes"),
                *(
                    cell
                    for name, label, field in (
                        ("deferred", "DW", "QIS1DWP"),
                        ("immediate", "IW", "QIS1IMW"),
                        ("read", "Rd", "QIS1GET"),
                    )
                    for cell in (
                        Cell(f"{name}_ios", f"{label} I/O", f"{field}N"),
                        Cell(f"{name}_pages", f"{label} pages", f"{field}P"),
                        Cell(f"{name}_pages_per_io", f"{label} pg/IO", f"{field}P / {field}N", ".1f"),
                        Cell(f"{name}_average", f"{label} avg uS", f"{field}T / {field}N", ".0f"),
                        Cell(f"{name}_rate", f"{label} MB/s", f"{field}P / 256 / dur", ".2f"),
                    )
                ),
                Cell("checkpoint_pages", "Ckpt pages", "QIS1CKPP"),
                Cell("cursor", "Put cursor", "QIS1PCHI"),
            ],
        )
    ],
    [Chart("Page sets in use", "PSET", "used", "percent", "page_set")],
)

STG: Final = Report(
    "STG",
    "Storage",
    [
        Part(
            "STGSUM",
            "Storage summary",
            "QSRS",
            [
                Cell("region", "31-bit region size", "QSRSESIZA", "d", "bytes"),
                Cell("user", "31-bit user storage", "QSRSELOAL", "d", "bytes"),
                Cell("user_change", "31-bit user storage change", "QSRSELOAL - QSRSOELOAL", ".0f", "bytes"),
                Cell("system_storage", "31-bit system storage", "QSRSEHIAL", "d", "bytes"),
                Cell("system_change", "31-bit system storage change", "QSRSEHIAL - QSRSOEHIAL", ".0f", "bytes"),
                Cell("available", "31-bit storage available", "QSRSAVAL", "d", "bytes"),
                Cell("reserve", "Short-on-storage reserve", "QSRSSOS", "d", "bytes"),
                Cell("used64", "64-bit storage allocated", "QSRSABYTES", "d", "bytes"),
                Cell("available64", "64-bit storage available", "QSRSAVAL64", "d", "bytes"),
                Cell("limit64", "MEMLIMIT", "QSRSMEMLIM", "d", "MB"),
                Cell("global_fixed", "Pools: global fixed", "QSRSPHBGF", "d", "bytes"),
                Cell("global_variable", "Pools: global variable", "QSRSPHBGV", "d", "bytes"),
                Cell("local_fixed", "Pools: local fixed", "QSRSPHBLF", "d", "bytes"),
                Cell("local_variable", "Pools: local variable", "QSRSPHBLV", "d", "bytes"),
            ],
            lines=True,
        ),
        Part(
            "STGREQ",
            "Storage requests",
            "QSST",
            [
                Cell("fixed_expanded", "Fixed pool segments expanded", "QSSTEXPF"),
                Cell("fixed_contracted", "Fixed pool segments contracted", "QSSTCONF"),
                Cell("variable_expanded", "Variable pool segments expanded", "QSSTEXPV"),
                Cell("variable_contracted", "Variable pool segments contracted", "QSSTCONV"),
                Cell("getmains", "GETMAIN requests", "QSSTGETM"),
                Cell("freemains", "FREEMAIN requests", "QSSTFREM"),
                Cell("failed", "Requests that failed", "QSSTRCNZ"),
                Cell("contractions", "Short-on-storage contractions", "QSSTCONT"),
                Cell("short", "Short on storage", "QSSTCRIT"),
                Cell("abends", "Abends", "QSSTABND"),
            ],
            lines=True,
        ),
        Part(
            "STGPOOL",
            "Storage pools",
            "QSPH",
            [
                Cell("pool", "Pool", "QSPHNAME", "text"),
                Cell("size", "Size", "QSPHSTOR"),
                Cell("growth", "Growth", "QSPHSTOR - QSPHOSTOR", ".0f"),
                Cell("expanded", "Expanded", "QSPHXSTOR"),
                Cell("blocks", "Blocks", "QSPHCOUNT"),
                Cell("fixed", "Fixed", "bit(QSPHFLAGS, 0x80)", "yes"),
                Cell("above", "64-bit", "bit(QSPHFLAGS, 0x08)", "yes"),
            ],
        ),
        Part(
            "STGMAIN",
            "GETMAIN requesters",
            "QSGM",
            [
                Cell("caller", "Caller", "QSGMCSECT", "text"),
                Cell("at", "Offset", "QSGMOFFSET"),
                Cell("total", "Total", "QSGMLVTOT"),
                Cell("new", "New", "QSGMLVNEW"),
                Cell("largest", "Largest", "QSGMLVMAX"),
                Cell("requests", "Requests", "QSGMCOUNT"),
            ],
        ),
    ],
    [Chart("31-bit storage available", "STGSUM", "available", "bytes")],
)

CF: Final = Report(
    "CF",
    "Coupling facility structures",
    [
        Part(
            "CF",
            "Coupling facility structures",
            "QEST",
            [
                Cell("structure", "Structure", "QESTSTR", "text"),
                Cell("number", "No", "QESTSTRN"),
                Cell("single", "Single", "QESTCSEC"),
                Cell("single_average", "Avg uS", "QESTSSTC / QESTCSEC", ".1f"),
                Cell("multiple", "Multiple", "QESTCMEC"),
                Cell("multiple_average", "Avg uS ", "QESTMSTC / QESTCMEC", ".1f"),
                Cell("redrives", "Redrives", "QESTRSEC + QESTRMEC", ".0f"),
                Cell("redrive_share", "Redrive %", "100 * (QESTRSEC + QESTRMEC) / (QESTCSEC + QESTCMEC)", ".2f"),
                Cell("full", "Full", "QESTSFUL"),
                Cell("entries", "Max entries", "QESTMNUS"),
                Cell("elements", "Max elements", "QESTMLUS"),
            ],
        )
    ],
)

SMDS: Final = Report(
    "SMDS",
    "Shared message data sets",
    [
        Part(
            "SMDS",
            "Shared message data sets",
            "QESD",
            [
                Cell("structure", "Structure", "QESDSTR", "text"),
                Cell("used", "Used %", "100 * QESDSMBU / QESDSMBD", ".1f"),
                Cell("messages", "Messages", "QESDSMMC"),
                Cell("failed", "Failed", "QESDSMFL"),
                Cell("buffers", "Buffers", "QESDBFTO"),
                Cell("free", "Free", "QESDBFFS + QESDBFFE", ".0f"),
                Cell("lowest_free", "Low free", "QESDBFMF"),
                Cell("saved", "Saved %", "100 * QESDBFRS / QESDBFRR", ".1f"),
                Cell("pool_waits", "Pool waits", "QESDBFWP"),
                Cell("pool_wait_time", "uS", "QESDBFPT", ".0f"),
                Cell("buffer_waits", "Buf waits", "QESDBFWB"),
                Cell("buffer_wait_time", "uS ", "QESDBFBT", ".0f"),
                *(
                    cell
                    for name, label, field in (
                        ("format", "Fmt", "QESDIOF"),
                        ("write", "Wrt", "QESDIOW"),
                        ("read", "Read", "QESDIOR"),
                        ("other", "Other", "QESDIOO"),
                    )
                    for cell in (
                        Cell(f"{name}_ios", f"{label} I/O", f"{field}R"),
                        Cell(f"{name}_pages", f"{label} pages", f"{field}P"),
                        Cell(f"{name}_average", f"{label} avg uS", f"{field}T / {field}R", ".0f"),
                    )
                ),
                Cell("encrypted", "Enc", "bit(QESDFLAG, 0x80000000)", "yes"),
            ],
        )
    ],
)
