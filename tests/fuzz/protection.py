"""Feed the reader of protected messages damaged ones: each is refused with its own error, and none is accepted.

    python -m tests.fuzz.protection [seconds] [seed] [inputs]

Each round damages a protected message, or one value within it and makes all lengths around that value right again, and
gives it to a recipient. A message that was changed must fail with Unprotectable. The form in which clients are told of
policies is damaged too: what is read is written as the same policy.
"""

import sys
import time
from random import Random

from kew.formats.binary import FormatError
from kew.protection import der, header, policy
from kew.protection.errors import Unprotectable
from kew.protection.header import OUTER_SIZE
from kew.protection.policy import Policy
from kew.protection.protector import Protector
from tests.fuzz.formats import damage
from tests.support.protection import confidentiality, descriptor, integrity, person, privacy, protector

BODY = b"the body of the message"
FOREIGN = 20  # one in so many inputs begins with an indefinite length, for asn1crypto to read


def messages() -> list[tuple[Policy, bytes]]:
    """One of each quality, for recipients with keys of both kinds."""
    sender = protector(person("alice"), person("bob"), person("carol"))
    made = []
    for one in (integrity("alice"), privacy("bob", "carol"), confidentiality("bob", "carol", reuse=-1)):
        made.append((one, sender.protect(one, descriptor(), BODY)))
    return made


def rewrapped(random: Random, data: bytes) -> bytes:
    """Damage one value within the structure and give everything around it its right length again."""
    try:
        return data[:OUTER_SIZE] + _changed(random, data[OUTER_SIZE:], 0)
    except Unprotectable:
        return data


def _changed(random: Random, structure: bytes, depth: int) -> bytes:
    parts: list[tuple[int, bytes]] = []
    reader = der.Reader(structure, 0, len(structure))
    while reader.peek():
        tag = reader.peek()
        parts.append((tag, reader.body(tag)))
    if not parts:
        return damage(random, structure)
    chosen = random.randrange(len(parts))
    tag, body = parts[chosen]
    if tag & 0x20 and depth < 12 and random.random() < 0.9:
        try:
            body = _changed(random, body, depth + 1)
        except Unprotectable:
            body = damage(random, body)
    else:
        what = random.randrange(4)
        if what == 0:
            tag = random.randrange(256)
        elif what == 1:
            parts.insert(chosen, parts[chosen])
        elif what == 2 and len(parts) > 1:
            parts[chosen - 1], parts[chosen] = parts[chosen], parts[chosen - 1]
            tag, body = parts[chosen]
        else:
            body = damage(random, body)
    parts[chosen] = tag, body
    return b"".join([der.value(each, value) for each, value in parts])


def check(reader: Protector, one: Policy, data: bytes, good: bytes) -> bool:
    """Give one input to a recipient; says whether it was accepted, which only what was not changed may be."""
    found = descriptor(header.FORMAT, 1208, header.ENCODING)
    try:
        body = reader.unprotect(one, found, data)
    except Unprotectable:
        return False
    if data != good or body != BODY:
        raise AssertionError(f"accepted: {data.hex()}")
    return True


def check_policy(data: bytes) -> None:
    """Read what could be a policy; what is read is written as the same bytes."""
    try:
        told = policy.decode(data)
    except FormatError:
        return
    assert vars(policy.decode(policy.encode(told))) == vars(told), data.hex()


def main() -> None:
    """Run until the time is up, or the number of inputs is reached."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() & 0xFFFFFF
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 1 << 62
    random = Random(seed)
    print(f"protection: seed {seed}")
    reader = protector(person("bob"), person("alice"), person("carol"))
    good = messages()
    told = [policy.encode(one) for one, _data in good]
    count = accepted = 0
    end = time.monotonic() + seconds
    while count < most and (count % 64 or time.monotonic() < end):
        one, data = good[random.randrange(len(good))]
        changed = damage(random, data) if random.random() < 0.5 else rewrapped(random, data)
        size = max(len(changed) - OUTER_SIZE, 0)
        if random.random() < 0.7:  # with a header that says the right length
            changed = changed[:12] + size.to_bytes(4, "big") + changed[OUTER_SIZE:]
        if random.randrange(FOREIGN) == 0:
            changed = changed[:OUTER_SIZE] + b"\x30\x80" + changed[OUTER_SIZE + 2 :]
        try:
            accepted += check(reader, one, changed, data)
            check_policy(damage(random, told[random.randrange(len(told))]))
        except Exception:
            print(f"protection: seed {seed}, input {count}: {changed.hex()}")
            raise
        count += 1
    print(f"protection: {count} inputs, {accepted} of them unchanged")


if __name__ == "__main__":
    main()
