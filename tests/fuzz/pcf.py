"""Feed the command server's reader damaged PCF commands: each is carried out or refused, and always answered.

    python -m tests.fuzz.pcf [seconds] [seed] [inputs]

Each round makes a command from the grammar with parameters from the attribute table, some of them wrong, damages its
bytes, and gives it to a queue manager on a simulated disk. Whatever it was, the replies must be PCF that ends with one
marked as the last, and a refused one must carry a reason. Nothing may grow from round to round.
"""

import sys
import time
from random import Random

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes import reasons as r
from kew.commands.mqsc.grammar import SHOWS, CommandSpec
from kew.commands.pcf.answer import PCFCommands
from kew.commands.pcf.refusal import PCFRefusal
from kew.commands.pcf.request import Request, check_header
from kew.commands.pcf.tables import ATTRIBUTE_LISTS, COMMANDS, COPIES, NAMES
from kew.formats import pcf
from kew.formats.binary import BIG, LITTLE
from kew.objects import defaults
from kew.objects.caller import Caller
from kew.objects.parameters import to_parameters
from kew.objects.schema import AttributeSpec
from kew.objects.schema.values import Value
from kew.qmgr.assemble import Host
from tests.fuzz.formats import damage
from tests.support.hosting import create, small
from tests.support.simdisk import SimDisk

CARRIED_OUT = 25  # one in so many inputs; the others are only read
GOOD_NAMES = [b"*", b"Q1", b"SYSTEM.DEFAULT.LOCAL.QUEUE", b"SYSTEM.*", b"Q" * 8, b"SYSTEM.DEF.SVRCONN"]
NAMES_TRIED = [*GOOD_NAMES, b"", b"A B", b"x" * 60, b"\xff\xfe", b"Q" * 48]
NUMBERS = [0, 1, 2, 3, 5, -1, 999999999, 2**31 - 1, -(2**31), 1009]
KEPT = {c.MQCMD_STOP_Q_MGR, c.MQCMD_STOP_CMD_SERVER, c.MQCMD_START_CMD_SERVER}  # that this host does not serve
COMMAND_NUMBERS = sorted({*COMMANDS, *COPIES, *NAMES, c.MQCMD_ESCAPE} - KEPT)
MQSC = [
    b"PING QMGR",
    b"DISPLAY QLOCAL(*)",
    b"DEFINE QLOCAL(Q1) REPLACE",
    b"DELETE QLOCAL(Q1)",
    b"ALTER QMGR DESCR('x')",
]


def furnished() -> Host:
    """A queue manager with the objects that every one has."""
    host = create(SimDisk(), small(pool=400, pages=256))
    host.install([defaults.queue_manager(host.name), *defaults.system_objects()])
    host.apply_definition()
    return host


def anything(random: Random, identifier: int) -> pcf.Parameter:
    """A parameter of any structure."""
    number, text = random.choice(NUMBERS), random.choice(NAMES_TRIED)
    kind = random.randrange(11)
    if kind < 3:
        return pcf.Integer(identifier, number)
    if kind < 6:
        return pcf.String(identifier, text, random.choice([0, 1208, 500, 4711]))
    others: list[pcf.Parameter] = [
        pcf.IntegerList(identifier, [number, random.choice(NUMBERS)]),
        pcf.StringList(identifier, [text, b"B"]),
        pcf.ByteString(identifier, text),
        pcf.Group(identifier, [pcf.Integer(identifier, number)]),
        pcf.Integer64(identifier, number << 9),
    ]
    return others[kind - 6]


def condition(random: Random, identifier: int) -> pcf.Parameter:
    """A filter."""
    operator = random.choice([1, 2, 3, 4, 5, 6, 10, 13, 18, 21, 26, 29, 0, 99])
    kind = random.randrange(3)
    if kind == 0:
        return pcf.IntegerFilter(identifier, operator, random.choice(NUMBERS))
    if kind == 1:
        return pcf.StringFilter(identifier, operator, random.choice(NAMES_TRIED))
    return pcf.ByteStringFilter(identifier, operator, random.choice(NAMES_TRIED))


def given(random: Random, spec: AttributeSpec) -> list[pcf.Parameter]:
    """A parameter for an attribute: mostly its default."""
    if not spec.pcf or random.random() < 0.05:
        return [anything(random, spec.pcf)]
    value: Value = spec.default
    return to_parameters(spec, value)


def parameters(random: Random, spec: CommandSpec) -> list[pcf.Parameter]:
    """Parameters such as a command takes."""
    found: list[pcf.Parameter] = []
    if spec.name_spec is not None and random.random() < 0.97:
        found.append(
            pcf.String(spec.name_spec.pcf, random.choice(GOOD_NAMES if random.random() < 0.8 else NAMES_TRIED))
        )
    family = spec.family
    kind = spec.kind or (random.choice(family.types) if family is not None else None)
    if kind is not None and kind.pcf_subtype[0] and random.random() < 0.9:
        found.append(pcf.Integer(*kind.pcf_subtype))
    for option in spec.options:
        if random.random() < 0.05:
            found.extend(given(random, option))
    if family is not None and kind is not None:
        attributes = kind.attributes
        taken = [attribute for attribute in attributes if spec.takes(attribute) and spec.carries != SHOWS]
        for attribute in random.sample(taken, min(len(taken), random.randrange(5))):
            found.extend(given(random, attribute))
        if random.random() < 0.2:
            asked = [attribute.pcf for attribute in random.sample(attributes, min(len(attributes), 3))]
            found.append(pcf.IntegerList(ATTRIBUTE_LISTS.get(family.name, 1002), asked))
        if random.random() < 0.2:
            found.append(condition(random, random.choice(attributes).pcf))
    return found


def sample(random: Random) -> bytes:
    """An input: a command, or what is left of one."""
    number = random.choice(COMMAND_NUMBERS)
    kind = random.choice([c.MQCFT_COMMAND, c.MQCFT_COMMAND_XR])
    header = pcf.Header(type=kind, command=number)
    if number == c.MQCMD_ESCAPE:
        body: list[pcf.Parameter] = [
            pcf.Integer(a.MQIACF_ESCAPE_TYPE, a.MQET_MQSC),
            pcf.String(a.MQCACF_ESCAPE_TEXT, damage(random, random.choice(MQSC))),
        ]
    else:
        base = COPIES[number][0] if number in COPIES else NAMES[number][0] if number in NAMES else number
        body = parameters(random, random.choice(COMMANDS[base]))
        if number in COPIES:
            body = [*[pcf.String(each, random.choice(NAMES_TRIED)) for each in COPIES[number][1:]], *body[1:]]
    if random.random() < 0.1:
        random.shuffle(body)
    data = pcf.encode(pcf.PCFMessage(header, body), random.choice([LITTLE, BIG]))
    return damage(random, data) if random.random() < 0.4 else data


def read(host: Host, data: bytes) -> bool:
    """Read one command; whether it could be carried out."""
    try:
        message = pcf.decode(data)
        check_header(message.header)
        Request(host.commands, message, 0).command()
    except pcf.PCFError as error:
        assert error.reason
        return False
    except PCFRefusal as refusal:
        assert refusal.reason
        return False
    return True


def carry_out(commands: PCFCommands, data: bytes) -> bool:
    """Carry one command out, and look at its replies."""
    answer = commands.answer(data, 0, Caller(), b"x" * 24)
    headers = [pcf.decode(reply).header for reply in answer.replies()]
    assert [header.control for header in headers[:-1]] == [c.MQCFC_NOT_LAST] * (len(headers) - 1)
    assert headers[-1].control == c.MQCFC_LAST
    assert [header.sequence_number for header in headers] == list(range(1, len(headers) + 1))
    assert answer.ok == (headers[0].reason == r.MQRC_NONE)
    return answer.ok


def run(seconds: float = 1e9, inputs: int = 10**9, seed: int = 1) -> tuple[int, int]:
    """Check inputs until a time or a number is reached; return how many were accepted and how many refused."""
    stop = time.monotonic() + seconds
    host = furnished()
    commands = PCFCommands(host.commands)
    done = [0, 0]
    while sum(done) < inputs and time.monotonic() < stop:
        number = sum(done)
        random = Random(f"{seed}.{number}")
        data = sample(random)
        try:
            ok = carry_out(commands, data) if number % CARRIED_OUT == 0 else read(host, data)
        except Exception as problem:
            raise AssertionError(f"seed {seed} input {number}: {problem!r}\n{data.hex()}") from problem
        done[0 if ok else 1] += 1
    host.crash()
    return done[0], done[1]


def main() -> None:
    """Run for a number of seconds and say what was done."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    accepted, refused = run(seconds, int(sys.argv[3]) if len(sys.argv) > 3 else 10**9, seed)
    print(f"pcf: {accepted + refused} commands from seed {seed}, {accepted} accepted, {refused} refused, no failure")


if __name__ == "__main__":
    main()
