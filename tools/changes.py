"""Moves the news fragments of `changes/` into CHANGES.md as one release.

`python -m tools.changes 0.1.0 2026-11-19` writes the section and removes the fragments; without a date it prints the
section and changes nothing. A fragment's name begins with its area. The version itself is in `src/kew/version.py`, and
a test compares it with the newest section.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
FRAGMENTS = ROOT / "changes"
TARGET = ROOT / "CHANGES.md"
KINDS = {"upgrading": "Upgrading", "feature": "Features", "fix": "Fixes"}
AREAS = {
    "Queue manager and storage": (
        "backup base buffers capacity deadletters disk engine error errors events formats log memory messages "
        "page pages pagesets qmgr recovery restart storage units user users"
    ),
    "Messages and queues": (
        "alias answers browse close conversion delayed delete disconnect distribution dynamic expiry forking "
        "get group groups held inquire message mqi poison properties put put1 queue queues read remote reply "
        "report reports search searching selection streaming triggering"
    ),
    "Publish/subscribe": ("publication publish queued subscription subscriptions topic topics"),
    "Administration": ("chinit cli commands docs examples manual mqsc objects packages pcf service"),
    "Channels and clients": (
        "channel channels client clients connections jms listener passwords quiesce reconnect run wire xa"
    ),
    "Security": ("ams authority local protection security tls"),
    "Python": ("faces ibmmq pymqi"),
    "Statistics, Spark and the laboratory": ("accounting analytics kewmq perf recording smf spark"),
}
_NAME = re.compile(r"(?P<subject>[a-z0-9-]+)\.(?P<kind>upgrading|feature|fix)\.md")
_VERSION = re.compile(r"\d+\.\d+\.\d+")


def area_of(subject: str) -> str:
    """Give the heading of a subject, by its first word."""
    wanted = subject.partition("-")[0]
    for heading, words in AREAS.items():
        if wanted in words.split():
            return heading
    known = ", ".join(sorted(word for words in AREAS.values() for word in words.split()))
    raise SystemExit(f"changes/{subject}: begins with an unknown area; known: {known}")


def fragments() -> dict[str, dict[str, list[str]]]:
    """Read the fragments: kind, then heading, then texts in order of their names."""
    found: dict[str, dict[str, list[str]]] = {kind: defaultdict(list) for kind in KINDS}
    for path in sorted(FRAGMENTS.glob("*.md")):
        if path.name == "README.md":
            continue
        name = _NAME.fullmatch(path.name)
        if name is None:
            raise SystemExit(f"changes/{path.name}: expected AREA-WHAT.KIND.md, with KIND of {', '.join(KINDS)}")
        text = " ".join(path.read_text(encoding="utf-8").split())
        found[name["kind"]][area_of(name["subject"])].append(text)
    return found


def wrapped(text: str, width: int = 118) -> str:
    """Give a text as an item of a list, with its lines broken at spaces."""
    lines: list[str] = []
    line = "-"
    for word in text.split():
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = " "
        line = f"{line} {word}"
    return "\n".join([*lines, line])


def section(version: str, date: str) -> str:
    """Write the section of a release."""
    parts = [f"## {version} ({date})"]
    found = fragments()
    for kind, title in KINDS.items():
        if found[kind]:
            parts.append(f"### {title}")
        for heading in AREAS:
            texts = found[kind].get(heading)
            if texts:
                parts.append(f"**{heading}**\n\n" + "\n".join(wrapped(text) for text in texts))
    return "\n\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    """Print the section of a release, or put it into CHANGES.md."""
    if not arguments or not _VERSION.fullmatch(arguments[0]):
        print("usage: python -m tools.changes VERSION [DATE]", file=sys.stderr)
        return 2
    version, date = arguments[0], arguments[1] if len(arguments) > 1 else ""
    text = section(version, date or "not released")
    if not date:
        print(text, end="")
        return 0
    head, mark, older = TARGET.read_text(encoding="utf-8").partition("\n## ")
    if f"{mark}{older}".count(f"\n## {version} "):
        print(f"CHANGES.md: {version} is released already; expected a version without a section", file=sys.stderr)
        return 1
    TARGET.write_text(f"{head.rstrip()}\n\n{text}{mark}{older}", encoding="utf-8")
    for path in FRAGMENTS.glob("*.md"):
        if path.name != "README.md":
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
