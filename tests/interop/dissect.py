"""Wireshark's view of our traffic: tshark must understand all of it, and find no packet malformed.

Programs are recorded through a proxy; what was said becomes a capture file, as if it had been seen on a network.
"""

import shutil
import struct
import subprocess
from pathlib import Path

from tests.fuzz.sessions import record
from tests.interop.fetch import Absent
from tests.support.network import Reachable
from tests.support.proxy import Line, Proxy
from tests.support.server import OPEN_CHANNEL

PORT = 1414  # of the queue manager, as the capture has it
LARGEST = 1400  # bytes of a packet
_FILE = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)  # packets that begin with an IP header
_SENT = 0x18  # PSH and ACK


def packet(port_from: int, port_to: int, sequence: int, acknowledged: int, flags: int, data: bytes) -> bytes:
    """A packet between two ports of one machine; nobody looks at checksums."""
    tcp = struct.pack(">HHIIBBHHH", port_from, port_to, sequence, acknowledged, 5 << 4, flags, 65535, 0, 0)
    address = bytes([127, 0, 0, 1])
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 40 + len(data), 0, 0, 64, 6, 0, address, address)
    return ip + tcp + data


class Capture:
    """A capture file that grows by connections."""

    def __init__(self) -> None:
        self._packets: list[bytes] = []
        self._port = 40000

    def add(self, line: Line) -> None:
        """Add a connection: how it was made, what was said, how it ended."""
        self._port += 1
        mine = [1, 1]  # sequence numbers of the program and of the queue manager
        self._packets.append(packet(self._port, PORT, 0, 0, 2, b""))
        self._packets.append(packet(PORT, self._port, 0, 1, 0x12, b""))
        self._packets.append(packet(self._port, PORT, 1, 1, 0x10, b""))
        for of_program, data in line.pieces:
            side = 0 if of_program else 1
            ports = (self._port, PORT) if of_program else (PORT, self._port)
            for start in range(0, len(data), LARGEST):
                part = data[start : start + LARGEST]
                self._packets.append(packet(*ports, mine[side], mine[1 - side], _SENT, part))
                mine[side] += len(part)
        self._packets.append(packet(self._port, PORT, mine[0], mine[1], 0x11, b""))

    def write(self, path: Path) -> None:
        with path.open("wb") as file:
            file.write(_FILE)
            for number, data in enumerate(self._packets):
                file.write(struct.pack("<IIII", number // 1000, number % 1000 * 1000, len(data), len(data)) + data)


def tshark(capture: Path, *arguments: str) -> list[str]:
    """What tshark says of a capture, a line for each packet."""
    program = shutil.which("tshark")
    if program is None:
        raise Absent("tshark (Debian package tshark) is not installed")
    command = [program, "-r", str(capture), "-d", f"tcp.port=={PORT},mq", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise SystemExit(f"tshark: {done.stderr}")
    return done.stdout.splitlines()


def check(site: Reachable, folder: Path) -> tuple[int, list[str]]:
    """How many segments tshark understood, and the packets that it did not."""
    site.define_channel(OPEN_CHANNEL, "")
    capture = Capture()
    for conversations in (0, 1, 10):
        with Proxy(site.port) as proxy:
            record(proxy.address, conversations)
        capture.add(proxy.lines[0])
    path = folder / "traffic.pcap"
    capture.write(path)
    understood = tshark(path, "-Y", "mq", "-T", "fields", "-e", "mq.tsh.type")
    segments = sum(len(line.split(",")) for line in understood if line)
    return segments, tshark(path, "-Y", "_ws.malformed or (mq and _ws.expert.severity >= 8388608)")
