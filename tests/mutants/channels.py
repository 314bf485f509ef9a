"""`python -m tests.mutants.channels [NAME ...]`: the mistakes that must not be made in a message channel, each in turn.

A mistake is a piece of the text of a module that stands there once, what stands there instead, and the tests that shall
notice it.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from tests.mutants.__main__ import KILLED, Verdict, run_tests
from tests.mutants.sites import ROOT

MODEL: Final = ("unit/channels/mca/test_every_byte.py", "unit/channels/mca/test_model.py")
PROTOCOL: Final = ("unit/channels/protocol/test_batch.py",)
POWER: Final = ("crash/test_channelpower.py",)
LIFE: Final = ("wire/test_channel_life.py",)
WIRE: Final = ("wire/test_message_channels.py",)
MCA: Final = "kew/channels/mca/"
SESSIONS: Final = "kew/channels/protocol/"


class Mistake(NamedTuple):
    """A mistake, where it is made, and where it must be noticed."""

    name: str
    path: str
    text: str
    instead: str
    tests: tuple[str, ...]

    def apply(self, source: str) -> str:
        """Give the module's text with the mistake in it."""
        if source.count(self.text) != 1:
            raise LookupError(f"{self.path} has {self.text!r} {source.count(self.text)} times")
        return source.replace(self.text, self.instead)


MISTAKES: Final = (
    Mistake(
        "no force before the request to confirm",
        MCA + "sender.py",
        "if self._closed is not None and self._outbox.on_disk(self._address):",
        "if self._closed is not None:",
        MODEL,
    ),
    Mistake(
        "no force before the confirmation",
        MCA + "receiver.py",
        "while self._pending and not self.over and self._inbox.on_disk(self._pending[0].address):",
        "while self._pending and not self.over:",
        MODEL,
    ),
    Mistake(
        "the record of the receiving end is not forced before it is stated",
        MCA + "receivinginstance.py",
        "        services.engine.log.force(services.engine.log.next_address)\n",
        "",
        POWER,
    ),
    Mistake(
        "the record of the sending end is outside its unit",
        MCA + "transmission.py",
        "connection.unit = self.sync.put_in(connection.unit, record)",
        "self.sync.store(record)",
        (*POWER, *WIRE),
    ),
    Mistake(
        "the record of the receiving end is outside its unit",
        MCA + "delivery.py",
        "connection.unit = self._sync.put_in(connection.unit, record)",
        "self._sync.store(record)",
        (*POWER, *WIRE),
    ),
    Mistake(
        "confirmed before it is committed",
        MCA + "receiver.py",
        "            address = self._inbox.commit(record)\n            self.record = record\n",
        "            self.record = record\n",
        MODEL,
    ),
    Mistake(
        "only numbers are compared, not LUWIDs",
        SESSIONS + "resync.py",
        "            if batch.luwid == luwid:\n",
        "            if batch.number == number:\n",
        (*PROTOCOL, *MODEL, *WIRE),
    ),
    Mistake(
        "numbers are not compared",
        SESSIONS + "receiving.py",
        "            if number != expected:\n",
        "            if number < 0:\n",
        PROTOCOL,
    ),
    Mistake(
        "a batch that arrived is backed out",
        MCA + "sender.py",
        "self._outbox.resolve(verdict.arrived)",
        "self._outbox.resolve(0)",
        MODEL,
    ),
    Mistake(
        "a batch that did not arrive is committed",
        MCA + "sender.py",
        "self._outbox.resolve(verdict.arrived)",
        "self._outbox.resolve(len(self._doubtful))",
        MODEL,
    ),
    Mistake(
        "the unit of an earlier connection is not backed out",
        MCA + "receiver.py",
        "        self._inbox.back_out()\n        self.over = True\n",
        "        self.over = True\n",
        MODEL,
    ),
    Mistake(
        "a fast message is put in the unit",
        MCA + "delivery.py",
        "MQPMO_NO_SYNCPOINT if fast else MQPMO_SYNCPOINT",
        "MQPMO_SYNCPOINT",
        WIRE,
    ),
    Mistake(
        "a persistent message is put outside the unit",
        MCA + "delivery.py",
        "MQPMO_NO_SYNCPOINT if fast else MQPMO_SYNCPOINT",
        "MQPMO_NO_SYNCPOINT",
        (*POWER, *WIRE),
    ),
    Mistake(
        "the number wraps to 0",
        SESSIONS + "batch.py",
        "return 1 if number >= wrap else number + 1",
        "return 0 if number >= wrap else number + 1",
        (*PROTOCOL, *WIRE),
    ),
    Mistake(
        "RESET forgets the LUWID",
        MCA + "record.py",
        "self.last if number is None else Batch(number, self.last.luwid),",
        "self.last if number is None else Batch(number, NO_UNIT),",
        (*MODEL, *WIRE),
    ),
    Mistake(
        "the agreed batch size does not bind",
        SESSIONS + "receiving.py",
        "if self._moved >= self.batch_size:",
        "if self._moved < 0:",
        PROTOCOL,
    ),
    Mistake(
        "nothing is said of dead letters",
        MCA + "receiver.py",
        "self.session.confirm(pending.dead_letters)",
        "self.session.confirm(False)",
        LIFE,
    ),
    Mistake(
        "retries are never restored",
        MCA + "sendinginstance.py",
        "self.retry = None  # the channel does its work again",
        "pass  # the channel does its work again",
        LIFE,
    ),
    Mistake(
        "retries are restored though nothing was moved",
        MCA + "sendinginstance.py",
        "self.retry is not None and (end.idle or end.batches)",
        "self.retry is not None",
        LIFE,
    ),
    Mistake(
        "PUTAUT(CTX) is ignored",
        MCA + "delivery.py",
        "if self._channel.put_authority not in (MQPA_CONTEXT, MQPA_ALTERNATE_OR_MCA):",
        "if self._channel is not None:",
        WIRE,
    ),
)


def module(mistake: Mistake) -> Path:
    """Give the module in which a mistake is made."""
    return ROOT / mistake.path


def judge(mistake: Mistake) -> Verdict:
    """Let the tests look at a mistake."""
    with tempfile.TemporaryDirectory(prefix="kew-mutant-") as place:
        source = Path(place)
        shutil.copytree(ROOT / "kew", source / "kew", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        changed = source / mistake.path
        changed.write_text(mistake.apply(changed.read_text()))
        return run_tests(source, list(mistake.tests))


def main() -> int:
    """Judge the mistakes that were asked for; 0 when all of them were noticed."""
    wanted = [each for each in MISTAKES if len(sys.argv) < 2 or any(name in each.name for name in sys.argv[1:])]
    survivors = 0
    for mistake in wanted:
        verdict = judge(mistake)
        survivors += verdict.outcome != KILLED
        print(
            f"{verdict.outcome} {mistake.name} by {verdict.witness or 'nothing'} ({verdict.seconds:.0f} s)", flush=True
        )
    print(f"{len(wanted)} mistakes: {len(wanted) - survivors} noticed, {survivors} not")
    return 1 if survivors or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
