"""The folders of tests for each package of Kew; `tests/unit/test_testmap.py` holds it true."""

# Package below src/kew, or a folder of it -> folders below tests. A longer path goes before a shorter one.
TESTS: dict[str, tuple[str, ...]] = {
    "accounting": ("unit/accounting",),
    "analytics": ("unit/analytics",),
    "analytics/queue": ("spark",),
    "channels": ("unit/channels",),
    "channels/agents": ("unit/channels/agents", "wire"),
    "channels/mca": ("unit/channels/mca",),
    "channels/protocol": ("unit/channels/protocol", "wire"),
    "channels/transport": ("unit/channels/transport", "wire"),
    "cli": ("unit/cli",),
    "client": ("unit/client", "wire"),
    "codes": ("unit/codes",),
    "commands": ("unit/commands", "conformance"),
    "commands/actions": ("unit/commands/actions", "conformance"),
    "commands/mqsc": ("unit/commands/mqsc", "conformance"),
    "commands/pcf": ("unit/commands/pcf",),
    "commands/queued": ("unit/commands/queued",),
    "deadletters": ("unit/deadletters",),
    "faces": ("unit/faces", "faces"),
    "formats": ("unit/formats",),
    "ibmmq": ("faces",),
    "mqi": ("unit/mqi", "conformance", "property"),
    "objects": ("unit/objects",),
    "perf": ("unit/perf", "perf"),
    "protection": ("unit/protection",),
    "pymqi": ("faces",),
    "qmgr": ("unit/qmgr",),
    "queues": ("unit/queues", "property"),
    "security": ("unit/security", "security"),
    "selection": ("unit/selection",),
    "storage": ("unit/storage", "crash"),
    "storage/buffers": ("unit/storage/buffers", "crash"),
    "storage/log": ("unit/storage/log", "crash", "fault"),
    "storage/pages": ("unit/storage/pages", "crash"),
    "storage/recovery": ("unit/storage/recovery", "crash", "fault"),
    "topics": ("unit/topics",),
}


def folders_of(path: str) -> tuple[str, ...]:
    """Give the folders of tests for a source file, named from the root of the repository."""
    parts = path.removeprefix("src/kew/").split("/")[:-1]
    while parts:
        found = TESTS.get("/".join(parts))
        if found is not None:
            return found
        parts.pop()
    return ("unit",)
