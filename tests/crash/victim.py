"""The queue manager process that is killed: it restarts, shows what it has, and then works until it dies.

Several programs, each in a thread, put, get, commit and back out, and write what they do into a ledger: a line before
each operation that may become durable and a line after it was acknowledged. A line is one write to a file, which a kill
does not take back. The lines:

    put SERIAL QUEUE PRIORITY SIZE      about to put, out of syncpoint        ok    acknowledged
    get QUEUE                           about to get, out of syncpoint        got SERIAL | none
    unit XID                            a unit begins ('-': without a transaction manager)
    uput SERIAL QUEUE PRIORITY SIZE     put in the unit
    uget SERIAL QUEUE                   got in the unit
    commit | prepare | backout          about to end it so                    ok | failed
    wrong SERIAL                        a message came with the wrong bytes
    error TEXT                          something failed that must not
"""

import json
import os
import threading
import traceback
from random import Random

from tests.support.audit import browse, check_space
from tests.support.engines import open_engine
from tests.support.model import Message
from tests.support.world import NAME, Told

from kew.codes.errors import BackedOut, MQError, NoMessage
from kew.codes.options import (
    MQGMO_NO_SYNCPOINT,
    MQGMO_SYNCPOINT,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SYNCPOINT,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.gets.request import Got
from kew.qmgr.assemble import Host
from kew.qmgr.files import Places
from kew.qmgr.storageparts import EngineSettings
from kew.storage.disk import RealDisk

QUEUES = ("K0", "K1", "K2")
PROGRAMS = 4
DEEP = 120  # messages on a queue above which programs rather get
_ACCESS = MQOO_OUTPUT | MQOO_INPUT_SHARED


def message(serial: int, queue: str, priority: int, persistent: bool, size: int) -> Message:
    """Give the message of a serial; its bytes follow from serial and size."""
    return Message(serial, queue, priority, persistent, size, queue == QUEUES[2])


def decided(xid: bytes) -> bool:
    """Say whether the transaction manager commits a branch; its decisions are drawn in advance."""
    return xid[-1] % 4 != 0


def only_restart(root: str, settings: EngineSettings, go: int) -> None:
    """Restart, and wait for the end."""
    open_engine(RealDisk(), NAME, Places(root), settings, Told())
    os.read(go, 1)


def live(root: str, settings: EngineSettings, ledgers: str, number: int, show: int, go: int) -> None:
    """Restart, write to the descriptor `show` what there is, wait for a byte from `go`, and work for ever."""
    host = open_engine(RealDisk(), NAME, Places(root), settings, Told())
    for name in QUEUES:
        if name not in host.queues.by_name:
            host.administration.define("QLOCAL", name, {"MSGDLVSQ": int(name == QUEUES[2]), "MAXDEPTH": 100000})
    os.write(show, json.dumps(_look(host)).encode() + b"\n")
    os.read(go, 1)
    threads = [threading.Thread(target=Client(host, ledgers, number, place).run) for place in range(PROGRAMS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _look(host: Host) -> dict[str, object]:
    """Resolve what is in doubt as the transaction manager has decided, then read everything."""
    connection = host.connect("examiner")
    in_doubt = connection.recover()
    for xid in in_doubt:
        if decided(xid):
            connection.commit_branch(xid)
        else:
            connection.back_out_branch(xid)
    queues: dict[str, list[int]] = {}
    wrong: list[int] = []
    volatile: list[int] = []
    for name in QUEUES:
        found = browse(connection, name)
        queues[name] = [seen.serial for seen in found]
        for seen in found:
            if seen.body != message(seen.serial, name, seen.priority, True, len(seen.body)).body():
                wrong.append(seen.serial)
            if not seen.persistent:
                volatile.append(seen.serial)
    connection.disconnect()
    check_space(host)
    return {"queues": queues, "wrong": wrong, "volatile": volatile, "in doubt": [xid.hex() for xid in in_doubt]}


class Client:
    """One program of the victim."""

    def __init__(self, host: Host, ledgers: str, number: int, place: int) -> None:
        self.host = host
        self.random = Random(number * PROGRAMS + place)
        self.connection = host.connect(f"client {place}")
        self.handles = {name: self.connection.open(name, _ACCESS) for name in QUEUES}
        self.ledger = os.open(os.path.join(ledgers, f"ledger{place}"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self.serial = (number << 32) + (place << 24)

    def write(self, line: str) -> None:
        """Write a line into the ledger."""
        os.write(self.ledger, line.encode() + b"\n")

    def run(self) -> None:
        """Work until killed."""
        try:
            self.work()
        except BaseException:
            self.write(f"error {json.dumps(traceback.format_exc())}")
            raise

    def work(self) -> None:
        """Do one thing after the other."""
        while True:
            draw = self.random.random()
            try:
                if draw < 0.25:
                    self.single()
                elif draw < 0.35:
                    self.passing()
                else:
                    self.unit(draw > 0.8)
            except BackedOut:
                if self.connection.connection.xid:
                    self.connection.end_branch()
                else:
                    self.connection.backout()
                self.write("failed")

    def new(self, queue: str) -> Message:
        """Draw a message."""
        self.serial += 1
        random = self.random
        size = random.randint(0, 2000) if random.random() < 0.8 else random.randint(2000, 40000)
        return message(self.serial, queue, random.randint(0, 9), True, size)

    def put(self, new: Message, option: int) -> None:
        """Put a message."""
        descriptor = MessageDescriptor(
            persistence=int(new.persistent), priority=new.priority, message_id=new.message_id
        )
        self.connection.put(self.handles[new.queue], descriptor, new.body(), option)

    def get(self, queue: str, option: int) -> Got | None:
        """Get a message and look at its bytes."""
        try:
            got = self.connection.get(self.handles[queue], option)
        except NoMessage:
            return None
        serial = int.from_bytes(got.descriptor.message_id, "big")
        if got.data != message(serial, queue, 0, True, len(got.data)).body():
            self.write(f"wrong {serial}")
        return got

    def deep(self, queue: str) -> bool:
        """Say whether a queue has many messages."""
        return self.host.queues.by_name[queue].depth > DEEP

    def single(self) -> None:
        """Put or get out of syncpoint."""
        queue = self.random.choice(QUEUES)
        if self.random.random() < 0.5 and not self.deep(queue):
            new = self.new(queue)
            self.write(f"put {new.serial} {queue} {new.priority} {new.size}")
            self.put(new, MQPMO_NO_SYNCPOINT)
            self.write("ok")
            return
        self.write(f"get {queue}")
        got = self.get(queue, MQGMO_NO_SYNCPOINT)
        self.write("none" if got is None else f"got {int.from_bytes(got.descriptor.message_id, 'big')}")

    def passing(self) -> None:
        """Put messages that nobody will miss; no restart may show one."""
        new = self.new(self.random.choice(QUEUES))
        new.persistent = False
        if not self.deep(new.queue):
            self.put(new, MQPMO_NO_SYNCPOINT)

    def unit(self, global_unit: bool) -> None:
        """Do a few things in a unit of work and end it."""
        xid = b""
        if global_unit:
            self.serial += 1
            xid = self.serial.to_bytes(8, "big") + bytes([self.random.randint(0, 255)])
            self.connection.start_branch(xid)
        self.write(f"unit {xid.hex() or '-'}")
        done = 0
        for _ in range(self.random.randint(1, 6)):
            queue = self.random.choice(QUEUES)
            if self.random.random() < 0.5 and not self.deep(queue):
                new = self.new(queue)
                self.write(f"uput {new.serial} {queue} {new.priority} {new.size}")
                self.put(new, MQPMO_SYNCPOINT)
                done += 1
            else:
                got = self.get(queue, MQGMO_SYNCPOINT)
                if got is not None:
                    done += 1
                    self.write(f"uget {int.from_bytes(got.descriptor.message_id, 'big')} {queue}")
        if xid:
            self.end_branch(xid, done)
        elif self.random.random() < 0.8:
            self.write("commit")
            self.connection.commit()
            self.write("ok")
        else:
            self.write("backout")
            self.connection.backout()
            self.write("ok")

    def end_branch(self, xid: bytes, done: int) -> None:
        """End a unit in two phases, as its transaction manager has decided; in one where it has done nothing."""
        self.connection.end_branch()
        if not done:
            self.connection.commit_branch(xid)
            return
        self.write("prepare")
        try:
            self.connection.prepare(xid)
        except MQError:
            self.write("failed")  # it was backed out because the log was full
            return
        self.write("ok")
        if decided(xid):
            self.connection.commit_branch(xid)
        else:
            self.connection.back_out_branch(xid)
