"""Carry out commands of all kinds, damaged and whole, on a queue manager: each is answered, none leaves anything open.

    python -m tests.fuzz.commands [seconds] [seed]

A few names come again and again, so that commands meet objects that are there, in use or full of messages. After each
input no unit of work is left, and the answer as JSON can be read. Every so often the queue manager is lost in a power
failure and started again: what it then shows of its definitions is what it showed before.
"""

import json
import sys
import time
from random import Random

from kew.codes.options import MQOO_OUTPUT
from kew.commands.actions.script import Script
from kew.commands.mqsc.grammar import SHOWS, all_commands
from kew.formats.mqmd import MessageDescriptor
from kew.objects import defaults
from kew.objects.schema import AttributeSpec
from kew.objects.schema.values import BadValue, Flag
from kew.qmgr.assemble import Host
from kew.queues.queue import Queue
from tests.fuzz.mqsc import VALUES, sample
from tests.support.hosting import NAME, after_power_loss, create, small
from tests.support.simdisk import SimDisk

ROUND = 1500  # inputs before the power fails
COMMANDS = all_commands()
NAMES = ["A", "B", "A", "B", "A.B", "SYSTEM.DEFAULT.LOCAL.QUEUE", "SYSTEM.DEF.SENDER", NAME, "1", "0000000000000001"]
GENERIC = ["*", "A*", "SYSTEM.*"]
MORE = [*VALUES, "A", "B", "1", "5", "QMGR", "'CAPEXPRY(50)'", "COMMIT", "ENABLED", "NONE"]
TYPED = ["QLOCAL", "QALIAS", "QMODEL", "QREMOTE", "STGCLASS", "NAMELIST", "TOPIC"]
SETTINGS = small()


def fitting(random: Random, spec: AttributeSpec) -> str:
    """An item that names an attribute, with a value that it may well take."""
    if isinstance(spec.kind, Flag):
        return random.choice(list(spec.kind.words))
    candidates = [*spec.kind.keywords(), *MORE]
    for _ in range(6):
        value = random.choice(candidates)
        try:
            spec.parse(value.strip("'"))
        except BadValue:
            continue
        break
    return f"{spec.keyword}({value})"


def whole(random: Random) -> str:
    """A command that may well be carried out."""
    spec = random.choice(COMMANDS)
    if random.random() < 0.6:
        verb = random.choice(["DEFINE", "DEFINE", "ALTER", "DELETE", "DISPLAY"])
        target = random.choice(TYPED)
        spec = next(each for each in COMMANDS if each.verb == verb and each.target == target)
    names = [*NAMES, *GENERIC] if spec.carries == SHOWS or random.random() < 0.1 else NAMES
    pieces = [f"{spec.title}({random.choice(names)})" if spec.naming else spec.title]
    needed = [word for option in spec.required for word in option.split("|")[:1]]
    pieces.extend([fitting(random, spec.by_word[word]) for word in needed if word in spec.by_word])
    options = [option for option in spec.options if option.keyword != "CMDSCOPE"]
    attributes = spec.attributes(spec.kind)
    for _ in range(random.randrange(1, 4)):
        if options and random.random() < 0.3:
            pieces.append(fitting(random, random.choice(options)))
        elif attributes:
            chosen = random.choice(attributes)
            pieces.append(chosen.words[0] if spec.carries == SHOWS else fitting(random, chosen))
    return " ".join(dict.fromkeys(pieces))


def furnished(disk: SimDisk) -> Host:
    """A queue manager with the objects that every one has."""
    host = create(disk, SETTINGS)
    host.install([defaults.queue_manager(NAME, False), *defaults.system_objects()])
    return host


def shown(host: Host) -> list[str]:
    """All definitions, as DISPLAY has them, without what is of the moment."""
    lines: list[str] = []
    for target in TYPED:
        for batch in Script(host.commands).run([f"DISPLAY {target}(*) ALL"]):
            lines.extend([line for line in batch if "CURDEPTH" not in line and "IPPROCS" not in line])
    return lines


def meddle(random: Random, host: Host) -> None:
    """Put a message on a queue that may take it, so that commands find queues in use."""
    queue: Queue | None = host.queues.by_name.get(random.choice("AB"))
    if queue is None or not queue.put_allowed or queue.depth >= queue.max_depth or queue.max_length < 1:
        return
    connection = host.connect()
    handle = connection.open(queue.name, MQOO_OUTPUT)
    connection.put(handle, MessageDescriptor(persistence=1), b"x")
    connection.disconnect()


def check(host: Host, text: str) -> int:
    """Carry one input out; gives how many commands were done."""
    done = 0
    for batch in Script(host.commands, as_json=True).run(text.split("\n")):
        for line in batch:
            done += json.loads(line)["ok"]
    assert not host.units.active, host.units.active
    return done


def run(seconds: float = 1e9, inputs: int = 10**9, seed: int = 1) -> tuple[int, int]:
    """Carry inputs out until a time or a number is reached; gives their number and how many commands were done."""
    stop = time.monotonic() + seconds
    number = done = 0
    disk = SimDisk()
    host = furnished(disk)
    while number < inputs and time.monotonic() < stop:
        random = Random(f"{seed}.{number}")
        text = whole(random) if random.random() < 0.8 else sample(random)
        try:
            done += check(host, text)
            if random.random() < 0.05:
                meddle(random, host)
            number += 1
            if number % ROUND == 0:
                before = shown(host)
                host = after_power_loss(disk, SETTINGS, seed=number)
                assert shown(host) == before
                disk = SimDisk()
                host = furnished(disk)
        except Exception as problem:
            raise AssertionError(f"seed {seed} input {number}: {problem!r}\n{text!r}") from problem
    return number, done


def main() -> None:
    """Run for a number of seconds and say what was done."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    inputs, done = run(seconds, seed=seed)
    print(f"commands: {inputs} inputs from seed {seed}, {done} carried out, no failure")


if __name__ == "__main__":
    main()
