"""Hostile partners of message channels, against queue managers in processes of their own.

    python -m tests.fuzz.partners [seconds] [seed]

Hostile senders call a receiver channel of QM2, negotiate as they must, and then say batches that are damaged, or that
break a rule each. Hostile receivers are called by a sender channel of QM1, and answer what is damaged. All the while a
message goes by another channel from QM1 to QM2 now and then. Both queue managers must not end, write down a mistake of
their own or grow, and each message of the other channel must arrive.
"""

import contextlib
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random

from kew.channels.protocol.batch import MESSAGE_HEAD, ConfirmRequested, Reset
from kew.channels.protocol.control import Heartbeat
from kew.channels.protocol.dialect import SERVER_DIALECT, padded
from kew.channels.protocol.framing import frame
from kew.channels.protocol.lifecycle import ChannelRequested, ChannelStarted
from kew.channels.protocol.receiving import ReceiverChannel
from kew.channels.protocol.resync import Kept, Resync
from kew.channels.protocol.segments import (
    CONFIRM_REQUEST,
    FIRST,
    FORM_PLAIN,
    HEADER_SIZES,
    LAST,
    MESSAGE_DATA,
    REQUEST_ACCEPTED,
    STATUS_DATA,
    WHOLE,
    encode_header,
)
from kew.channels.protocol.sending import SenderChannel
from kew.channels.protocol.states import CLOSED, RESYNCING
from kew.codes.options import MQENC_NATIVE, MQFMT_DIST_HEADER, MQOO_INPUT_SHARED
from kew.formats import mqxqh
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqxqh import TransmissionHeader
from tests.fuzz.wire import chunks, damage
from tests.support.mca import offer, terms
from tests.support.server import ServerProcess
from tests.unit.formats.test_mqdh import built

ATTACKED = "ATTACKED"
CALLING = "CALLING"
HONEST = "HONEST"
TARGET = "HONEST.TARGET"
QUEUES = ("DEV.QUEUE.1", "NO.SUCH.QUEUE", "SYSTEM.ADMIN.COMMAND.QUEUE", "SYSTEM.CHANNEL.SYNCQ", "", "Q\0\0X")
GROWTH = 64 << 20  # bytes that a queue manager may grow by once it is warm
WARM = 0.3  # of the time, after which its memory is looked at
LUWID = b"\x70\0\0\1\0\0\0\1"
SEGMENT = HEADER_SIZES[FORM_PLAIN] + 20


def message(random: Random) -> bytes:
    """A message with an MQXQH, most of them with something wrong."""
    descriptor = MessageDescriptor(
        persistence=random.choice((0, 1, 1, 2, -5)),
        priority=random.choice((-1, 0, 9, 77, -(2**31))),
        format=random.choice((b"MQSTR   ", MQFMT_DIST_HEADER, b"MQHMDE  ", b"MQHRF2  ", b"        ")),
        encoding=random.choice((MQENC_NATIVE, 0, -1)),
        ccsid=random.choice((819, 0, -3, 99999)),
        report=random.choice((0, 0, 0x7FFFFFFF, -1)),
        reply_to_queue=padded(random.choice(QUEUES), 48),
    )
    header = TransmissionHeader(
        padded(random.choice(QUEUES), 48), padded(random.choice(("QM2", "", "X")), 48), descriptor
    )
    try:
        head = mqxqh.encode(header)
    except Exception:  # the codec refuses what no descriptor has; a partner may say it all the same
        descriptor.persistence, descriptor.priority = 1, 0
        head = mqxqh.encode(header)
    data = bytearray(head + random.choice((b"", b"text", built(count=3) + b"x", random.randbytes(2000), b"x" * 70000)))
    for _ in range(random.choice((0, 0, 1, 5))):
        data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data)


def segment(number: int, total: int, flags: int, data: bytes, luwid: bytes = LUWID) -> bytes:
    """One segment of a message, with whatever its head is to say."""
    head = MESSAGE_HEAD[SERVER_DIALECT.order].pack(b"MSH ", number, len(data), 0, total)
    length = SEGMENT + len(data)
    return encode_header(FORM_PLAIN, length, 0, 0, MESSAGE_DATA, flags, SERVER_DIALECT, 0, luwid) + head + data


def confirm(luwid: bytes = LUWID) -> bytes:
    """A request to confirm."""
    flags = CONFIRM_REQUEST | WHOLE
    return encode_header(FORM_PLAIN, HEADER_SIZES[FORM_PLAIN], 0, 0, STATUS_DATA, flags, SERVER_DIALECT, 0, luwid)


def broken_rule(random: Random) -> bytes:
    """What breaks one rule of the receiving end."""
    whole = message(random)
    rules = (
        lambda: segment(1, 1 << 30, FIRST, whole),
        lambda: segment(1, -1, FIRST | LAST, whole),
        lambda: segment(1, 500, FIRST, whole) + segment(1, 600, 0, b"x" * 10),
        lambda: segment(1, len(whole), 0, whole),
        lambda: b"".join([segment(1, 4 << 20, FIRST if not each else 0, whole) for each in range(40)]),
        lambda: b"".join([segment(each + 1, len(whole), FIRST | LAST, whole) for each in range(200)]),
        lambda: confirm() * 50,
        lambda: frame(Heartbeat(), FORM_PLAIN, SERVER_DIALECT, 32748) * 500,
        lambda: segment(1, len(whole), FIRST | LAST, whole) + frame(Reset(7), FORM_PLAIN, SERVER_DIALECT, 32748),
        lambda: frame(Resync(Kept(b"another.")), FORM_PLAIN, SERVER_DIALECT, 32748) * 2,
        lambda: (segment(1, len(whole), FIRST | LAST, whole) + confirm()) * 3,
        lambda: segment(random.choice((0, -1, 2**31 - 1)), len(whole), FIRST | LAST, whole),
        lambda: segment(1, len(whole), FIRST | LAST, whole, bytes(8)),
        lambda: segment(1, len(whole), FIRST | LAST | CONFIRM_REQUEST, whole),
    )
    return random.choice(rules)()


class Attack:
    """What all threads of the attack share."""

    def __init__(self, one: ServerProcess, two: ServerProcess, until: float) -> None:
        self.one = one
        self.two = two
        self.until = until
        self.count = 0
        self.answered = 0
        self.problems: list[str] = []

    def over(self) -> bool:
        return time.monotonic() >= self.until or bool(self.problems)

    def send(self, seed: int) -> None:
        """Be a hostile sender, again and again."""
        random = Random(seed)
        while not self.over():
            with contextlib.suppress(OSError):
                self._send_once(random)
            self.count += 1

    def _send_once(self, random: Random) -> None:
        with socket.create_connection(("127.0.0.1", self.two.port), 5) as endpoint:
            endpoint.settimeout(2)
            initial = offer(random.randrange(1, 9), 50, random.random() < 0.5, kew=random.random() < 0.8)
            initial.channel_name = padded(ATTACKED, 20)
            initial.queue_manager = padded(f"EVIL{random.randrange(3)}", 48)
            initial.queue_manager_id = padded(f"EVIL{random.randrange(1000)}", 48)
            sender = SenderChannel(initial, Kept(b"S-epoch."))
            endpoint.sendall(sender.start())
            while not any(isinstance(event, ChannelStarted) for event in sender.receive(received(endpoint))):
                endpoint.sendall(sender.take_output())
                if sender.state == CLOSED:
                    return
            sender.resynchronise()
            resync = sender.take_output()
            endpoint.sendall(resync)
            while sender.phase == RESYNCING:
                data = received(endpoint)
                if not data:
                    return
                sender.receive(data)
            if sender.state == CLOSED:
                return
            said = [resync] if random.random() < 0.1 else [b""]
            if random.random() < 0.5:
                said.append(broken_rule(random))
            else:
                sender.begin_batch(LUWID)
                for _ in range(random.randrange(1, 6)):
                    sender.move(message(random))
                    said.append(sender.take_output())
                sender.ask_to_confirm(sender.close_batch().luwid)
                said.append(sender.take_output())
            for chunk in chunks(random, damage(random, said, random.choice((0, 0, 1, 3)))):
                endpoint.sendall(chunk)
            if random.random() < 0.7:
                received(endpoint)

    def receive(self, listener: socket.socket, seed: int) -> None:
        """Be a hostile receiver for whoever calls."""
        random = Random(seed)
        while not self.over():
            with contextlib.suppress(OSError):
                endpoint, _address = listener.accept()
                with endpoint:
                    endpoint.settimeout(2)
                    self._receive_once(random, endpoint)
                self.answered += 1

    def _receive_once(self, random: Random, endpoint: socket.socket) -> None:
        receiver = ReceiverChannel()
        for _ in range(random.randrange(1, 12)):
            data = received(endpoint)
            if not data:
                return
            for event in receiver.receive(data):
                if isinstance(event, ChannelRequested):
                    receiver.keep(Kept(b"R-epoch."))
                    answer, _ = receiver.accept(terms(random.randrange(1, 9)))
                    endpoint.sendall(answer)
                elif isinstance(event, ConfirmRequested) and random.random() < 0.7:
                    receiver.confirm(random.random() < 0.5)
            said = receiver.take_output()
            accident = random.random()
            if accident < 0.2:
                flags = random.choice((REQUEST_ACCEPTED, 0x04, 0xFF, 0))
                luwid = random.choice((LUWID, bytes(8), random.randbytes(8)))
                size = HEADER_SIZES[FORM_PLAIN]
                said += encode_header(FORM_PLAIN, size, 0, 0, STATUS_DATA, flags, SERVER_DIALECT, 0, luwid)
            elif accident < 0.5 and said:
                said = damage(random, [said], random.randrange(1, 4))
            elif accident < 0.6:
                said += random.randbytes(300)
            endpoint.sendall(said)

    def honest(self) -> None:
        """Send a message by the other channel, and see that it arrives."""
        number = 0
        try:
            with self.one.connect() as here, self.two.connect() as there:
                queue = there.open(TARGET, MQOO_INPUT_SHARED, read_ahead=False)
                food = MessageDescriptor(persistence=1)
                while not self.over():
                    here.put1("TO.HONEST", b"%d" % number, MessageDescriptor(persistence=1))
                    here.put1("TO.EVIL", b"%d" % number, food)
                    found = queue.get(30).data
                    if found != b"%d" % number:
                        raise AssertionError(f"{found!r} came and not {number}")
                    number += 1
        except Exception as problem:
            self.problems.append(f"the other channel: {problem!r}")


def received(endpoint: socket.socket) -> bytes:
    """Read once; nothing where the other side is silent or gone."""
    try:
        return endpoint.recv(65536)
    except OSError:
        return b""


def furnish(one: ServerProcess, two: ServerProcess, evil: int) -> None:
    """Define the channels."""
    two.mqsc(
        f"DEFINE CHANNEL({ATTACKED}) CHLTYPE(RCVR) MCAUSER('app') MRRTY(0)",
        f"DEFINE CHANNEL({HONEST}) CHLTYPE(RCVR) MCAUSER('app')",
        f"SET CHLAUTH({ATTACKED}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        f"SET CHLAUTH({HONEST}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,SETALL)",
        "SET AUTHREC PROFILE('DEV.**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)",
        f"DEFINE QLOCAL({TARGET})",
        f"SET AUTHREC PROFILE({TARGET}) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)",
        "ALTER QLOCAL(DEV.QUEUE.1) MAXDEPTH(500)",
    )
    one.mqsc(
        "DEFINE QLOCAL(QM2) USAGE(XMITQ)",
        "DEFINE QLOCAL(EVIL) USAGE(XMITQ) MAXDEPTH(999999999)",
        f"DEFINE QREMOTE(TO.HONEST) RNAME({TARGET}) RQMNAME(QM2) XMITQ(QM2)",
        "DEFINE QREMOTE(TO.EVIL) RNAME(ANY) RQMNAME(EVIL) XMITQ(EVIL)",
        "SET AUTHREC PROFILE('TO.*') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)",
        f"DEFINE CHANNEL({HONEST}) CHLTYPE(SDR) XMITQ(QM2) CONNAME('{two.address}') SHORTTMR(1)",
        f"DEFINE CHANNEL({CALLING}) CHLTYPE(SDR) XMITQ(EVIL) CONNAME('127.0.0.1({evil})') SHORTTMR(0) "
        "SHORTRTY(999999999) BATCHSZ(3)",
        f"START CHANNEL({HONEST})",
        f"START CHANNEL({CALLING})",
    )


def run(folder: Path, seconds: float, seed: int) -> Attack:
    """Attack for a time."""
    with (
        ServerProcess(folder / "one", name="QM1") as one,
        ServerProcess(folder / "two", name="QM2") as two,
        socket.create_server(("127.0.0.1", 0)) as listener,
    ):
        listener.settimeout(1)
        furnish(one, two, listener.getsockname()[1])
        attack = Attack(one, two, time.monotonic() + seconds)
        threads = [
            *[threading.Thread(target=attack.send, args=(seed + each,)) for each in range(2)],
            threading.Thread(target=attack.receive, args=(listener, seed)),
            threading.Thread(target=attack.honest),
        ]
        for thread in threads:
            thread.start()
        time.sleep(seconds * WARM)
        before = [each.memory() if each.alive() else 0 for each in (one, two)]
        for thread in threads:
            thread.join()
        for each, size in zip((one, two), before, strict=True):
            if not each.alive():
                attack.problems.append(f"{each.name} has ended")
                continue
            grown = each.memory() - size
            if grown > GROWTH:
                attack.problems.append(f"{each.name} grew by {grown} bytes")
            attack.problems += [f"{failure}:\n{failure.read_text()}" for failure in each.first_failures()[:1]]
        return attack


def main() -> None:
    """Run for the time asked and say what was done."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() & 0xFFFFFFFF
    print(f"partners: seed {seed}, {seconds:g} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        attack = run(Path(folder), seconds, seed)
    if attack.problems:
        raise AssertionError("; ".join(attack.problems))
    print(f"partners: {attack.count} hostile senders, {attack.answered} calls to hostile receivers, nobody harmed")


if __name__ == "__main__":
    main()
