"""Feed the command language damaged commands: each is read, or refused with its own error.

    python -m tests.fuzz.mqsc [seconds] [seed]

Each round damages a good command, or joins words of the language, and reads it line by line. A command that is read and
makes an object must print as a command that makes the same object; what is refused must be refused with MQSCError,
with a place within the input. Nothing may grow from round to round.
"""

import sys
import time
from random import Random

from kew.commands.mqsc import printer
from kew.commands.mqsc.complete import complete
from kew.commands.mqsc.errors import MQSCError
from kew.commands.mqsc.grammar import DEFINES, all_commands
from kew.commands.mqsc.help import help_on
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.parser import Command, parse
from kew.objects import defaults
from kew.objects.definition import Definition
from kew.objects.schema.values import BadValue

COMMANDS = all_commands()
OBJECTS = [printer.define(one) for one in defaults.system_objects() + defaults.developer_objects()]
GOOD = [
    "DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0) ALL",
    "DISPLAY QSTATUS(A*) TYPE(HANDLE) WHERE(APPLTAG LK 'my*') APPLTAG",
    "DISPLAY CHSTATUS(*) SAVED CONNAME('10.0.0.1') MONITOR",
    "DISPLAY NAMELIST(*) WHERE(NAMES CTG 'A*')",
    "SET SYSTEM STATIME(0.05) ACCTIME(-1)",
    "START TRACE(S) CLASS(1,3,4) DEST(SMF)",
    "STOP CHANNEL(A) MODE(FORCE) STATUS(INACTIVE)",
    "RESOLVE INDOUBT(A) ACTION(COMMIT) NID(*)",
    "ALTER QMGR DEADQ(X) SUITEB(128_BIT,192_BIT) FORCE",
    "SET POLICY(Q) ENCALG(AES256) RECIP('CN=a,O=b') RECIP('CN=c') TOLERATE",
]
WORDS = sorted(
    {word for spec in COMMANDS for word in (spec.verb, spec.target, *spec.synonyms, *spec.by_word)}
    | {word for spec in COMMANDS if spec.family for word in spec.family.by_word}
)
LOOSE = [
    "(",
    ")",
    "'",
    '"',
    ",",
    ";",
    "+\n",
    "-\n",
    "\n",
    "* ",
    "''",
    "()",
    "( )",
    "('')",
    "WHERE(",
    " EQ ",
    "?",
    "é",
    "\0",
]
VALUES = ["0", "-1", "999999999", "1e9", "0.05", "1440.01", "NOLIMIT", "YES", "A*", "'a b'", "x" * 70, "99K", "*"]


def damage(random: Random, good: str) -> str:
    """The same text after an accident or a few."""
    text = good
    for _ in range(random.randint(0, 4)):
        at = random.randrange(len(text) + 1)
        accident = random.randrange(7)
        if accident == 0:
            text = text[:at] + random.choice(LOOSE) + text[at:]
        elif accident == 1:
            text = text[:at] + text[at + random.choice([1, 2, 10, 100]) :]
        elif accident == 2:
            text = text[:at] + text[at : at + 40] * random.choice([1, 2, 50]) + text[at:]
        elif accident == 3:
            text = text[:at] + " " + random.choice(WORDS) + " " + text[at:]
        elif accident == 4:
            text = text[:at] + random.choice(VALUES) + text[at:]
        elif accident == 5:
            text = text[:at] + chr(random.choice([0, 9, 11, 0x85, 0xA0, 0xDF, 0x2028, 0x3000, 0x1F600])) + text[at:]
        else:
            text = text[:at]
    return text


def sample(random: Random) -> str:
    """An input: a damaged command, words in any order, or characters in any order."""
    kind = random.randrange(10)
    if kind < 2:
        return damage(random, random.choice(GOOD))
    if kind < 6:
        lines = random.choice(OBJECTS)
        chosen = sorted(random.sample(range(1, len(lines)), min(len(lines) - 1, random.randrange(1, 8))))
        return damage(random, "\n".join([lines[index] for index in [0, *chosen]]).removesuffix("+"))
    if kind < 9:
        spec = random.choice(COMMANDS)
        pieces = [f"{spec.title}(A)"]
        for _ in range(random.randrange(8)):
            pieces.append(random.choice([*spec.by_word, *WORDS]))
            if random.random() < 0.7:
                pieces.append(f"({random.choice(VALUES)})")
        return " ".join(pieces)
    return "".join(
        [chr(random.choice([random.randrange(128), random.randrange(0xD800)])) for _ in range(random.randrange(80))]
    )


def check(text: str) -> bool:
    """Read one input; return whether all of it was read."""
    reader = CommandReader()
    lines = text.split("\n")
    found = [command for line in lines for command in reader.feed(line)] + reader.end()
    read = True
    for source in found:
        try:
            agree(parse(source))
        except MQSCError as error:
            read = False
            assert error.detail
            assert 1 <= error.line <= len(lines)
            assert error.column >= 1
    return read


def agree(command: Command) -> None:
    """Print the object that a command makes, read it again, and compare."""
    if command.spec.carries != DEFINES or command.kind is None:
        return
    try:
        made = command.definition()
    except BadValue:
        return
    if made.kind.name == "AUTHREC" and not made.text("ENTITY"):
        return
    again = read_one(printer.define(made))
    assert again == made, f"{made} printed and read again is {again}"


def read_one(lines: list[str]) -> Definition:
    reader = CommandReader()
    return parse(next(command for line in lines for command in reader.feed(line))).definition()


def run(seconds: float = 1e9, inputs: int = 10**9, seed: int = 1) -> tuple[int, int]:
    """Check inputs until a time or a number is reached; return how many were read and how many refused."""
    stop = time.monotonic() + seconds
    read = refused = 0
    while read + refused < inputs and time.monotonic() < stop:
        random = Random(f"{seed}.{read + refused}")
        text = sample(random)
        try:
            if check(text):
                read += 1
            else:
                refused += 1
        except Exception as problem:
            raise AssertionError(f"seed {seed} input {read + refused}: {problem!r}\n{text!r}") from problem
        if (read + refused) % 50 == 0:
            complete(text[:200])
            assert help_on(text[:120])
    return read, refused


def main() -> None:
    """Run for a number of seconds and say what was done."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    read, refused = run(seconds, seed=seed)
    print(f"mqsc: {read + refused} inputs from seed {seed}, {read} read, {refused} refused, no failure")


if __name__ == "__main__":
    main()
