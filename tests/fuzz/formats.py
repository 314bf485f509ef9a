"""Feed the codecs damaged structures: each either reads them or refuses them with its own error.

    python -m tests.fuzz.formats [seconds] [seed] [target ...]

Each round takes a good structure of one kind, damages it, and decodes it. What decodes must encode again, and what that
gives must decode to the same; what is refused must be refused with FormatError (ConfigurationError for qm.ini).
"""

import sys
import time
from collections.abc import Callable, Sequence
from random import Random

from kew.codes import attributes, commands
from kew.formats import charset, mqdlh, mqmd, mqmde, mqrfh, mqrfh2, mqtm, mqxqh, pcf
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.qmgr.config import Configuration, format_configuration, parse_configuration
from kew.qmgr.ini import ConfigurationError

INTERESTING = (b"\0", b"\xff", b"\x7f", b"\x80", b"<", b">", b"&", b"'", b"=", b"\n")
LENGTHS = (0, 1, 4, 15, 16, 20, 36, 1 << 16, (1 << 31) - 1, -1, -(1 << 31))


def damage(random: Random, good: bytes) -> bytes:
    """The same bytes after an accident or a few."""
    data = bytearray(good)
    for _ in range(random.randint(0, 4)):
        at = random.randrange(len(data) + 1)
        accident = random.randrange(6)
        if accident == 0 and at < len(data):
            data[at] ^= 1 << random.randrange(8)
        elif accident == 1:
            word = at & ~3
            data[word : word + 4] = random.choice(LENGTHS).to_bytes(4, random.choice(["little", "big"]), signed=True)
        elif accident == 2:
            del data[at : at + random.choice([1, 4, 16, 100])]
        elif accident == 3:
            data[at:at] = data[at : at + random.choice([1, 4, 16, 100])]
        elif accident == 4:
            data[at:at] = random.choice(INTERESTING) * random.choice([1, 4, 200])
        else:
            del data[at:]
    return bytes(data)


def pcf_parameter(random: Random, depth: int) -> pcf.Parameter:
    selector = random.choice([attributes.MQCA_Q_NAME, attributes.MQIACF_Q_ATTRS, attributes.MQBACF_GROUP_ID])
    text = random.randbytes(random.choice([0, 1, 4, 48]))
    number = random.randint(-(1 << 31), (1 << 31) - 1)
    kinds: list[Callable[[], pcf.Parameter]] = [
        lambda: pcf.Integer(selector, number),
        lambda: pcf.Integer64(selector, number << 20),
        lambda: pcf.String(selector, text, 1208),
        lambda: pcf.ByteString(selector, text),
        lambda: pcf.IntegerList(selector, [number] * random.randrange(4)),
        lambda: pcf.Integer64List(selector, [number] * random.randrange(4)),
        lambda: pcf.StringList(selector, [text, b"x"][: random.randrange(3)], 819),
        lambda: pcf.IntegerFilter(selector, commands.MQCFOP_EQUAL, number),
        lambda: pcf.StringFilter(selector, commands.MQCFOP_LIKE, text, 0),
        lambda: pcf.ByteStringFilter(selector, commands.MQCFOP_EQUAL, text),
    ]
    if depth < 4 and random.random() < 0.2:
        return pcf.Group(selector, [pcf_parameter(random, depth + 1) for _ in range(random.randrange(4))])
    return random.choice(kinds)()


def fuzz_pcf(random: Random) -> None:
    message = pcf.PCFMessage(pcf.Header(), [pcf_parameter(random, 1) for _ in range(random.randrange(6))])
    data = damage(random, pcf.encode(message, random.choice([LITTLE, BIG])))
    found = pcf.decode(data)
    again = pcf.encode(found)
    assert pcf.encode(pcf.decode(again)) == again


FOLDER = "<usr><n dt='i4'>5</n><t>a &lt; b &#65;</t><deep><er/></deep></usr>"


def fuzz_folder(random: Random) -> None:
    text = damage(random, FOLDER.encode()).decode("latin-1")
    elements = mqrfh2.parse_folders(text)
    again = "".join([mqrfh2.format_folder(element) for element in elements])
    assert mqrfh2.parse_folders(again) == elements


def fuzz_rfh2(random: Random) -> None:
    header = mqrfh2.RulesHeader(546, 1208, b"MQSTR", 0, random.choice(mqrfh2.NAME_VALUE_CCSIDS), [FOLDER] * 2)
    found = mqrfh2.decode(damage(random, mqrfh2.encode(header, random.choice([LITTLE, BIG]))))
    again = mqrfh2.encode(found)
    assert mqrfh2.decode(again).folders == found.folders


def fuzz_rfh(random: Random) -> None:
    pairs = [("MQPSCommand", "Publish"), ("MQPSTopic", 'a "b" c'), ("MQPSSubUserData", "")]
    header = mqrfh.FirstHeader(546, 1208, b"MQSTR", 0, pairs)
    found = mqrfh.decode(damage(random, mqrfh.encode(header, random.choice([LITTLE, BIG]))))
    assert mqrfh.decode(mqrfh.encode(found)).pairs == found.pairs


def fuzz_descriptor(random: Random) -> None:
    good = mqmd.encode_as(mqmd.MessageDescriptor(), random.choice([LITTLE, BIG]), random.choice([1, 2]))
    again = mqmd.encode(mqmd.decode(damage(random, good)))
    assert mqmd.encode(mqmd.decode(again)) == again


def fuzz_headers(random: Random) -> None:
    order = random.choice([LITTLE, BIG])
    choice = random.randrange(5)
    if choice == 0:
        dead = mqdlh.decode(damage(random, mqdlh.encode(mqdlh.DeadLetterHeader(), order)))
        assert mqdlh.decode(mqdlh.encode(dead)) == dead
    elif choice == 1:
        extension = mqmde.decode(damage(random, mqmde.encode(mqmde.DescriptorExtension(), order)))
        assert mqmde.decode(mqmde.encode(extension)) == extension
    elif choice == 2:
        trigger = mqtm.decode(damage(random, mqtm.encode(mqtm.TriggerMessage(), order)))
        assert mqtm.decode(mqtm.encode(trigger)) == trigger
    elif choice == 3:
        trigger = mqtm.decode_character(damage(random, mqtm.encode_character(mqtm.TriggerMessage())))
        assert mqtm.decode_character(mqtm.encode_character(trigger)) == trigger
    else:
        header = mqxqh.TransmissionHeader(b"Q", b"QM", mqmd.MessageDescriptor())
        again = mqxqh.encode(mqxqh.decode(damage(random, mqxqh.encode(header, order))))
        assert mqxqh.encode(mqxqh.decode(again)) == again


def fuzz_charset(random: Random) -> None:
    ccsid = random.choice([37, 437, 500, 819, 932, 950, 1047, 1200, 1208, 1252, 5488, random.randrange(1 << 16)])
    data = random.randbytes(random.randrange(40))
    text = charset.decode(data, ccsid)
    assert charset.decode(charset.encode(text, ccsid), ccsid) == text


CONFIGURATION = format_configuration(Configuration()).encode()


def fuzz_configuration(random: Random) -> None:
    found = parse_configuration("qm.ini", damage(random, CONFIGURATION))
    assert parse_configuration("qm.ini", format_configuration(found).encode()) == found


TARGETS: dict[str, Callable[[Random], None]] = {
    "pcf": fuzz_pcf,
    "folder": fuzz_folder,
    "rfh": fuzz_rfh,
    "rfh2": fuzz_rfh2,
    "descriptor": fuzz_descriptor,
    "headers": fuzz_headers,
    "charset": fuzz_charset,
    "configuration": fuzz_configuration,
}


def run(rounds: int, seed: int, seconds: float = 1e9, targets: Sequence[str] = ()) -> dict[str, tuple[int, int]]:
    """For each target, how many inputs were read and how many refused."""
    stop = time.monotonic() + seconds
    counts = dict.fromkeys(targets or TARGETS, (0, 0))
    done = 0
    while done < rounds and time.monotonic() < stop:
        for name in counts:
            random = Random(f"{seed}.{name}.{done}")
            read, refused = counts[name]
            try:
                TARGETS[name](random)
            except (FormatError, ConfigurationError):
                counts[name] = (read, refused + 1)
            except Exception as problem:
                raise AssertionError(f"seed {seed} round {done} target {name}: {problem!r}") from problem
            else:
                counts[name] = (read + 1, refused)
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
