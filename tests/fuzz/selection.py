"""Feed selection strings, property headers and conversion damaged input: read, or refused with MQ's reason, and soon.

    python -m tests.fuzz.selection [seconds] [seed] [target ...]

A selection string that is read is asked of a message, and says the same of it twice. Properties that are read are
written and read again. A message that is converted and back is as it was, unless something in it was substituted.
"""

import sys
import time
from collections.abc import Callable, Sequence
from random import Random

from kew.codes import options as o
from kew.codes import reasons as r
from kew.codes.errors import MQError
from kew.formats import conversion, mqdlh, mqmd, mqrfh2, mqxqh
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.formats.conversion import Data, NotConverted
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT, Framed, header_at, take_apart, with_properties
from kew.mqi.messages.propertycontrol import apply_property_control
from kew.selection.selector import Selector
from tests.fuzz.formats import damage

SLOWEST = 1.0  # seconds for one input
WORDS = (
    *("AND", "OR", "NOT", "BETWEEN", "IN", "LIKE", "ESCAPE", "IS", "NULL", "TRUE", "false", "(", ")", ",", "="),
    *("<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "colour", "size", "shop.till", "Root.MQMD.Priority", "JMSType"),
    *("'green'", "'%e_'", "'it''s'", "7", "0x7F", "017", "2.5", "1e3", '"0x2F1C"', "'\\'", "9223372036854775807", "x"),
)
GOOD = (
    "colour = 'green' AND (size BETWEEN 1 AND 7 OR shop.till IS NOT NULL) AND NOT JMSType IN ('a', 'b')",
    "colour LIKE '%e\\_%' ESCAPE '\\' OR -size * 2 + 3 / 4 <= 2.5e1 OR Root.MQMD.Priority <> 0x7",
)
FOLDERS = [
    "<usr><colour>green</colour><size dt='i4'>7</size><w dt='r8'>2.5</w><b dt='boolean'>1</b></usr>",
    "<shop content='properties'><till><n dt='i8' copy='all'>3</n></till><x dt='bin.hex'>2F1C</x></shop>",
    "<jms><Cid>mine &amp; yours</Cid></jms>",
]


def _message(random: Random) -> bytes:
    folders = random.sample(FOLDERS, random.randint(1, 3))
    ccsid = random.choice(mqrfh2.NAME_VALUE_CCSIDS)
    header = mqrfh2.RulesHeader(546, 1208, random.choice([*[b"MQSTR   "] * 5, RFH2_FORMAT]), 0, ccsid, folders)
    return mqrfh2.encode(header, random.choice([LITTLE, BIG])) + b"body"


def _selected(text: str, random: Random) -> None:
    try:
        selector = Selector(text)
    except MQError as refused:
        known = (r.MQRC_SELECTOR_SYNTAX_ERROR, r.MQRC_SELECTION_NOT_AVAILABLE, r.MQRC_SELECTION_STRING_ERROR)
        assert refused.reason in known, refused
        position = refused.facts.get("position", 0)
        assert isinstance(position, int)
        assert 0 <= position <= len(text)
        raise
    data = damage(random, _message(random))
    descriptor = MessageDescriptor(format=RFH2_FORMAT, priority=random.randrange(10))
    said = selector.wants(descriptor, data)
    assert selector.wants_stored(mqmd.encode(descriptor) + data) == said


def fuzz_selector(random: Random) -> None:
    good = random.choice(GOOD).encode()
    _selected(damage(random, good).decode("utf-8", "replace"), random)


def fuzz_words(random: Random) -> None:
    _selected(" ".join(random.choices(WORDS, k=random.randint(1, 12))), random)


def fuzz_properties(random: Random) -> None:
    data = damage(random, _message(random))
    descriptor = MessageDescriptor(format=RFH2_FORMAT)
    options = random.choice([0, o.MQGMO_NO_PROPERTIES, o.MQGMO_PROPERTIES_COMPATIBILITY])
    apply_property_control(options, random.randrange(5), descriptor, data)
    carried = take_apart(RFH2_FORMAT, 1208, 546, data)
    framed = with_properties(carried.properties, Framed(b"MQSTR   ", 1208, 546, b"body"), LITTLE, 546)
    if carried.properties:
        again = take_apart(framed.format, framed.ccsid, framed.encoding, framed.data)
        assert sorted([item.name for item in again.properties]) == sorted([item.name for item in carried.properties])
        assert header_at(framed.data, 0).length == len(framed.data) - 4


def fuzz_conversion(random: Random) -> None:
    data = _message(random)
    if random.random() < 0.5:
        data = mqdlh.encode(mqdlh.DeadLetterHeader(2051, b"Q", b"QM", 546, 819, RFH2_FORMAT)) + data
        format = o.MQFMT_DEAD_LETTER_HEADER
    else:
        described = MessageDescriptor(format=RFH2_FORMAT, ccsid=819, encoding=546)
        data = mqxqh.encode(mqxqh.TransmissionHeader(b"Q", b"QM", described)) + data
        format = o.MQFMT_XMIT_Q_HEADER
    message = Data(format, 819, 546, damage(random, data))
    there = conversion.convert(message, random.choice([37, 500, 1047]), random.choice([273, 785, 546]))
    # Damage may have made the text UTF-16, which becomes shorter; from one byte a character on its length stays.
    assert len(conversion.convert(there, 819, 546).data) == len(there.data)


TARGETS: dict[str, Callable[[Random], None]] = {
    "selector": fuzz_selector,
    "words": fuzz_words,
    "properties": fuzz_properties,
    "conversion": fuzz_conversion,
}


def run(rounds: int, seed: int, seconds: float = 1e9, names: Sequence[str] = ()) -> dict[str, tuple[int, int]]:
    """Run each target a number of rounds; gives how many inputs were read and how many refused."""
    counts = dict.fromkeys(names or TARGETS, (0, 0))
    stop = time.monotonic() + seconds
    done = 0
    while done < rounds and time.monotonic() < stop:
        for name in counts:
            random = Random(f"{seed}.{name}.{done}")
            read, refused = counts[name]
            begun = time.process_time()
            try:
                TARGETS[name](random)
            except (FormatError, MQError, NotConverted):
                counts[name] = (read, refused + 1)
            except Exception as problem:
                raise AssertionError(f"seed {seed} round {done} target {name}: {problem!r}") from problem
            else:
                counts[name] = (read + 1, refused)
            assert time.process_time() - begun < SLOWEST, f"seed {seed} round {done} target {name} is slow"
        done += 1
    return counts


def main() -> None:
    """Run for a number of seconds and say what was done."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    for name, (read, refused) in run(10**9, seed, seconds, sys.argv[3:]).items():
        print(f"{name}: {read + refused} inputs from seed {seed}, {read} read, {refused} refused, no failure")


if __name__ == "__main__":
    main()
