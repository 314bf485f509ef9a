"""Cuts the power of one of two queue managers while a channel moves messages between them, and compares the ledger.

    python -m tests.crash.channelpower LOSSES [SEED] [WINDOW]

Both run in this process on simulated disks, with real sockets between them through a proxy. At a chosen write or sync
of one of them the line is cut first, so that nothing that is said later gets through; then its disk is pictured as a
power loss at this moment leaves it. That queue manager ends, and starts again on the picture. The other one has kept
all that it was told. At the end every persistent message must be at its target once, in order.
"""

import itertools
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from tests.support.network import SMALL, eventually
from tests.support.partners import CHANNEL, REMOTE, TARGET, Partner
from tests.support.proxy import Proxy
from tests.support.simdisk import Keep, SimDisk

from kew.codes.attributes import MQCHS_RETRYING
from kew.codes.errors import MQError
from kew.qmgr import manager
from kew.qmgr.config import format_configuration
from kew.qmgr.files import Places
from kew.qmgr.manager import CommandFailed, QueueManager, engine_settings
from kew.qmgr.storageparts import create_engine

PATIENCE = 60.0
SILENCE = 1.0  # after which nothing more happens
KEEPS: tuple[Keep, ...] = ("none", "random", "all")


class Site:
    """A queue manager on a disk that can lose its power."""

    def __init__(self, name: str, root: Path) -> None:
        self.name = name
        self.data = str(root / name)
        (root / name / "qmgrs" / name).mkdir(parents=True)  # for the sockets
        places = Places(str(root / name / "qmgrs" / name), SMALL)
        self.disk = SimDisk()
        owner = create_engine(self.disk, name, places, engine_settings(SMALL))
        self.disk.make_directory(places.errors)
        ini = self.disk.open(places.ini, create=True)
        ini.pwrite(format_configuration(SMALL, owner).encode(), 0)
        ini.sync()
        ini.close()
        self.disk.sync_directory(places.root)
        self.partner: Partner = self.start()

    def start(self) -> Partner:
        """Start the queue manager on its disk as it is."""
        running: QueueManager = manager.start(self.name, self.data, self.disk, developer=True)
        running.open_network(SMALL, running.host.gate)
        self.partner = Partner(self.name, running)
        return self.partner

    def lose_power(
        self, proxy: Proxy, countdown: int, keep: Keep, random: Random, begin: Callable[[], None]
    ) -> SimDisk | None:
        """Begin something, and give the disk as a loss of power leaves it after so many changes.

        None where it does not come to that.
        """
        done = threading.Event()
        left = [countdown]
        found: list[SimDisk] = []

        def watch(operation: str, _path: str, _length: int) -> None:
            if operation == "read" or found:
                return
            left[0] -= 1
            if left[0] <= 0:
                proxy.cut()
                usual = sys.getswitchinterval()
                sys.setswitchinterval(100.0)  # no other thread works on the disk meanwhile
                try:
                    found.append(self.disk.crash(random, keep))
                finally:
                    sys.setswitchinterval(usual)
                done.set()

        self.disk.delay = watch
        begin()
        done.wait(SILENCE)
        self.disk.delay = None
        return found[0] if found else None

    def state(self) -> str:
        """What the queue manager says of its channel."""
        try:
            return self.partner.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) ALL")
        except CommandFailed as failed:
            return str(failed)

    def restart(self, disk: SimDisk) -> Partner:
        """End the queue manager, whose disk nobody looks at again, and start it on another."""
        with suppress(MQError):
            self.partner.manager.stop()
        self.disk = disk
        return self.start()


class Outcome:
    """What a run has come to."""

    def __init__(self) -> None:
        self.losses = {"QM1": 0, "QM2": 0}
        self.put = 0
        self.faults: list[str] = []

    def __str__(self) -> str:
        return (
            f"{self.losses['QM1']} losses of power at the sending and {self.losses['QM2']} at the receiving end, "
            f"{self.put} messages put, {len(self.faults)} lost, doubled or out of order"
        )


@contextmanager
def sites(root: Path) -> Iterator[tuple[Site, Site]]:
    """Both queue managers."""
    one, two = Site("QM1", root), Site("QM2", root)
    try:
        yield one, two
    finally:
        for each in (one, two):
            each.partner.manager.stop()


def run(root: Path, losses: int, seed: int, window: int = 1) -> Outcome:
    """Cut the power so many times; the ledger at the end."""
    random = Random(seed)
    outcome = Outcome()
    with sites(root) as (one, two):
        two.partner.listen()
        port = two.partner.port
        with Proxy(port) as proxy:
            furnish(one.partner, two.partner, proxy.address)
            for number in range(losses):
                proxy.cut()
                assert one.partner.reaches(MQCHS_RETRYING), one.state()
                for _ in range(random.randint(10, 40)):
                    one.partner.put(REMOTE, b"%d" % outcome.put)
                    outcome.put += 1
                victim = (one, two)[number % 2]

                def begin() -> None:
                    proxy.mend()
                    one.partner.mqsc(f"START CHANNEL({CHANNEL})")

                disk = victim.lose_power(proxy, random.randint(1, 16), random.choice(KEEPS), random, begin)
                if disk is not None:
                    outcome.losses[victim.name] += 1
                    partner = victim.restart(disk)
                    if victim is two:
                        partner.listen(port)
            proxy.mend()
            with suppress(CommandFailed):  # it runs
                one.partner.mqsc(f"START CHANNEL({CHANNEL})")
            assert eventually(one.partner.settled, PATIENCE), one.state()
            compare(outcome, two.partner)
    return outcome


def furnish(one: Partner, two: Partner, address: str) -> None:
    """Define the channel and its queues."""
    two.mqsc(
        f"DEFINE QLOCAL({TARGET}) MAXDEPTH(1000000)",
        f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(RCVR) MCAUSER('app')",
        f"SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(ALLMQI)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,SETALL)",
    )
    one.mqsc(
        "DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXDEPTH(1000000)",
        f"DEFINE QREMOTE({REMOTE}) RNAME({TARGET}) RQMNAME(QM2) XMITQ(QM2)",
        f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(SDR) XMITQ(QM2) CONNAME('{address}') SHORTTMR(3600) BATCHSZ(3)",
        f"START CHANNEL({CHANNEL})",
    )


def compare(outcome: Outcome, two: Partner) -> None:
    """Find what is lost, doubled or out of order."""
    found = [int(data) for data in two.get_all(TARGET)]
    wanted = list(range(outcome.put))
    if found != wanted:
        outcome.faults += [f"{number} is lost" for number in wanted if number not in found]
        outcome.faults += [
            f"{number} came {found.count(number)} times" for number in set(found) if found.count(number) > 1
        ]
        outcome.faults += [
            f"{after} came after {before}" for before, after in itertools.pairwise(found) if after < before
        ]


def main() -> int:
    """Run as often as the command line says; 0 when nothing was lost."""
    losses = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    window = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(Path(folder), losses, seed, window)
    print(f"{outcome}, in {time.monotonic() - began:.0f} s")
    for fault in outcome.faults[:20]:
        print(fault)
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
