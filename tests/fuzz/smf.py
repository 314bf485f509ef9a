"""Feed the SMF reader damaged dumps: it must never fail, hang or lose count of the bytes.

    python -m tests.fuzz.smf [seconds] [seed]

Each round takes a dump with known records and damages it: bits flip, stretches go missing, come twice, become zeros or
rubbish, and the tail is cut. Whatever comes out, the records and the damage reported must together account for bytes
of the file only once, and every record must parse or say what is wrong with it.
"""

import sys
import time
from itertools import pairwise
from random import Random

from kew.formats.smf import DamagedRecord, DumpWriter, Framing, Splitter, Stamp, build_records, detect, parse_record
from kew.formats.smf.layouts.structure import Value

START = 1_656_504_000_000_000


def make_dump(random: Random, framing: Framing) -> bytes:
    """A dump of a dozen records of several kinds and releases."""
    writer = DumpWriter(framing, random.choice([64, 500, 3000, 32760]), 32760)
    dump = b""
    for number in range(random.randint(1, 12)):
        release = random.choice([80000, 90300, 90403, 100000])
        stamp = Stamp("SYS1", f"QM{number % 3}", release, START, START + random.randint(1, 10**9))
        kind, subtype = random.choice([(115, 1), (115, 215), (115, 7), (116, 1), (116, 10), (115, 231)])
        name = {1: "QJST", 215: "QPST", 7: "QSRS", 10: "QCST", 231: "QCCT"}.get(subtype, "WQ")
        sections: dict[str, list[dict[str, Value]]] = {"WTID": [{}], "WTAS": [{}], "WQ": [{}, {}]}
        if kind != 116 or subtype != 1:
            sections = {name: [{}] * random.randint(1, 3)}
        for record in build_records(kind, subtype, stamp, sections):
            dump += writer.add(record)
    return dump + writer.finish()


def damage(random: Random, dump: bytes) -> bytes:
    """The same dump after an accident or a few."""
    data = bytearray(dump)
    for _ in range(random.randint(0, 4)):
        at = random.randrange(len(data) + 1)
        length = min(random.choice([1, 2, 4, 30, 700, 5000]), len(data) - at)
        accident = random.randrange(6)
        if accident == 0 and length:
            data[at] ^= 1 << random.randrange(8)
        elif accident == 1:
            del data[at : at + length]
        elif accident == 2:
            data[at:at] = data[at : at + length]
        elif accident == 3:
            data[at : at + length] = bytes(length)
        elif accident == 4:
            data[at : at + length] = random.randbytes(length)
        else:
            del data[at:]
    return bytes(data)


def check(dump: bytes, framing: Framing, chunk: int) -> tuple[int, int]:
    """Read a dump; the numbers of records that parsed and that did not."""
    splitter = Splitter(framing)
    spans: list[tuple[int, int]] = []
    good = bad = 0
    pieces = [dump[at : at + chunk] for at in range(0, len(dump), chunk)] or [b""]
    for number, piece in enumerate(pieces):
        batch = splitter.feed(piece, number == len(pieces) - 1)
        for index in range(len(batch.starts)):
            record = batch.record(index)
            assert len(record) == batch.lengths[index]
            if batch.segments[index] == 1:
                stand_in = 4 if framing is Framing.NORDW else 0
                spans.append((batch.offsets[index], batch.offsets[index] + len(record) - stand_in))
            try:
                for section in parse_record(record).sections:
                    section.values()
                good += 1
            except DamagedRecord:
                bad += 1
        for found in batch.damage:
            assert 0 <= found.offset < len(dump)
            assert found.length > 0
            assert found.reason
            if "segment" not in found.reason and "longer than 1048576" not in found.reason:
                spans.append((found.offset, found.offset + found.length))
    assert splitter.done
    spans.sort()
    for (_, end), (start, _) in pairwise(spans):
        assert end <= start, f"bytes {start} to {end} are accounted for twice"
    assert not spans or spans[-1][1] <= len(dump)
    return good, bad


def run(rounds: int, seed: int, seconds: float = 1e9) -> tuple[int, int, int]:
    """Rounds done, records that parsed, records that did not."""
    stop = time.monotonic() + seconds
    done = good = bad = 0
    while done < rounds and time.monotonic() < stop:
        random = Random(f"{seed}.{done}")
        framing = random.choice(list(Framing))
        dump = damage(random, make_dump(random, framing))
        if random.random() < 0.3:
            framing = detect(dump)
        try:
            counted = check(dump, framing, random.choice([7, 600, 40000, 1 << 20]))
        except Exception as problem:
            raise AssertionError(f"seed {seed} round {done} framing {framing}: {problem}") from problem
        good, bad = good + counted[0], bad + counted[1]
        done += 1
    return done, good, bad


def main() -> None:
    """Run for a number of seconds and say what was done."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    done, good, bad = run(10**9, seed, seconds)
    print(f"smf: {done} dumps from seed {seed}, {good} records read, {bad} refused, no failure")


if __name__ == "__main__":
    main()
