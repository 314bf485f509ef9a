"""The published byte vectors of the wire protocol."""

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "interop" / "vectors"


class Vector:
    def __init__(self, path: Path) -> None:
        lines = path.read_text().splitlines()
        self.name = path.stem
        self.title = lines[0].removeprefix("# ")
        self.from_client = lines[1].startswith("# client to server")
        self.data = bytes.fromhex("".join(line for line in lines if not line.startswith("#")))


def vector(number: int) -> bytes:
    return Vector(FOLDER / f"v{number:02d}.hex").data


def all_vectors() -> list[Vector]:
    return [Vector(path) for path in sorted(FOLDER.glob("v*.hex"))]
