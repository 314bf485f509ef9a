"""W32: what message protection costs: requests and replies without a policy, and under six of them, at three lengths.

One program plays requester and server, as two connections that protect with keystores of their own: a transaction is a
put and a get of a request and of its reply, not persistent. All kinds work in short turns one after the other, so that
what else the machine does falls on all. The cost of AES-GCM itself is that of the library over the same bytes.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from kew import client
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.perf.processes import cpu_seconds
from tests.support.protection import (
    confidentiality,
    descriptor,
    dn,
    person,
    protector,
    write_keystore,
)
from tests.support.server import ServerProcess

Row = tuple[str, float, str, str, bool | None]

BOTH = f"RECIP('{dn('alice')}') RECIP('{dn('bob')}')"
KINDS = {
    "none": "",
    "confidentiality, unlimited": f"ENCALG(AES256) {BOTH} KEYREUSE(UNLIMITED)",
    "confidentiality, 64": f"ENCALG(AES256) {BOTH} KEYREUSE(64)",
    "confidentiality, 32": f"ENCALG(AES256) {BOTH} KEYREUSE(32)",
    "confidentiality, 1": f"ENCALG(AES256) {BOTH} KEYREUSE(1)",
    "privacy": f"SIGNALG(SHA256) ENCALG(AES256) {BOTH}",
    "integrity": "SIGNALG(SHA256)",
}
SIZES = {"2 KB": (2048, 0.7), "64 KB": (65536, 0.6), "4 MB": (4 << 20, 0.0)}
LARGEST = 1.5  # times the cost of AES-GCM over 4 MB
TURN = 0.5  # seconds


class Pair:
    """A requester and a server, and their queues."""

    def __init__(self, connections: tuple[client.Connection, client.Connection], number: int) -> None:
        requester, server = connections
        how = MQOO_OUTPUT | MQOO_INPUT_SHARED
        self._asks, self._answers = (requester.open(f"W32.{each}.{number}", how) for each in ("REQ", "REP"))
        self._hears, self._says = (server.open(f"W32.{each}.{number}", how) for each in ("REQ", "REP"))

    def transact(self, body: bytes) -> None:
        """Send a request, and its reply."""
        self._asks.put(body, MessageDescriptor(persistence=0))
        received = self._hears.get(30.0)
        self._says.put(received.data, MessageDescriptor(persistence=0))
        assert len(self._answers.get(30.0).data) == len(body)

    def rate(self, body: bytes, seconds: float, server: int) -> float:
        """Transactions of a turn for a second of CPU of program and queue manager: other work of the machine is out."""
        used, begun, count = time.process_time() + cpu_seconds(server), time.perf_counter(), 0
        while time.perf_counter() - begun < seconds:
            self.transact(body)
            count += 1
        return count / (time.process_time() + cpu_seconds(server) - used)


def protection(quick: bool) -> Iterator[Row]:
    """Transactions for a second of CPU, and what part of those without a policy is left."""
    before = os.environ.get("MQS_KEYSTORE_CONF")
    try:
        with tempfile.TemporaryDirectory(prefix="kew-bench-") as where, ServerProcess(Path(where, "data")) as running:
            running.mqsc("ALTER QMGR MAXMSGL(104857600)")  # 4 MB of data are more once they are protected
            for number, policy in enumerate(KINDS.values()):
                for name in (f"W32.REQ.{number}", f"W32.REP.{number}"):
                    running.mqsc(f"DEFINE QLOCAL({name}) MAXMSGL(104857600)")
                    if policy:
                        running.mqsc(f"SET POLICY({name}) {policy}")
            connections = (_connected(running, Path(where), "alice"), _connected(running, Path(where), "bob"))
            yield from _table(connections, running.process, quick)
            for connection in connections:
                connection.disconnect()
    finally:
        os.environ.pop("MQS_KEYSTORE_CONF", None)
        if before is not None:
            os.environ["MQS_KEYSTORE_CONF"] = before
    yield from _largest(quick)


def _connected(running: ServerProcess, folder: Path, name: str) -> client.Connection:
    everybody = [person(each) for each in ("alice", "bob")]
    os.environ["MQS_KEYSTORE_CONF"] = str(write_keystore(folder / name, person(name), *everybody))
    connection = client.connect_local(running.name, "bench", data=str(running.data))
    connection.open("W32.REQ.1", MQOO_OUTPUT).close()  # reads the keystore
    return connection


def _table(connections: tuple[client.Connection, client.Connection], server: int, quick: bool) -> Iterator[Row]:
    pairs = {kind: Pair(connections, number) for number, kind in enumerate(KINDS)}
    for words, (size, least) in SIZES.items():
        body = os.urandom(size)
        rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for pair in pairs.values():
            pair.transact(body)
        for _turn in range(3 if quick else 15):
            for kind, pair in pairs.items():
                rates[kind].append(pair.rate(body, TURN, server))
        plain = median(rates["none"])
        yield f"request and reply of {words}, no policy", plain, "/s of CPU", "", None
        for kind in list(KINDS)[1:]:
            left = median(rates[kind]) / plain
            wanted = least if kind == "confidentiality, unlimited" else 0.0
            yield f"  {kind}, of that", left, "", f">= {wanted}" if wanted else "", left >= wanted if wanted else None


def _largest(quick: bool) -> Iterator[Row]:
    """The cost of protecting 4 MB and back, in times that of AES-GCM over the bytes."""
    body, nonce = os.urandom(4 << 20), os.urandom(12)
    sender, reader = protector(person("alice"), person("bob")), protector(person("bob"))
    policy, cipher = confidentiality("bob", reuse=-1), AESGCM(os.urandom(32))

    def alone() -> None:
        cipher.decrypt(nonce, cipher.encrypt(nonce, body, None), None)

    def whole() -> None:
        put = descriptor()
        data = sender.protect(policy, put, body)
        reader.unprotect(policy, put, data)

    whole()
    costs: dict[Callable[[], None], list[float]] = {alone: [], whole: []}
    for _turn in range(10 if quick else 40):
        for work, taken in costs.items():
            begun = time.process_time()
            work()
            taken.append(time.process_time() - begun)
    times = median(costs[whole]) / median(costs[alone])
    yield "4 MB protected and back, AES-GCM alone", median(costs[alone]) * 1e3, "ms CPU", "", None
    yield "  confidentiality, unlimited, of that", times, "times", f"<= {LARGEST}", times <= LARGEST
