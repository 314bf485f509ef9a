"""Feed the wire protocol damaged sessions: no exception, no hang, memory within its bounds.

    python -m tests.fuzz.wire [seconds] [seed] [inputs]

Each round takes a real dialogue, damages some of its bytes and cuts it anew, and plays it to a server with a toy queue
manager behind it; what the server says is damaged too and played to a client. Whatever happens, a session may only end
with a Failed or ChannelEnded event, hold no more than it promised, and say nothing after it has ended.
"""

import sys
import time
from random import Random

from kew.channels.protocol.batch import ConfirmRequested
from kew.channels.protocol.client import ClientSession
from kew.channels.protocol.conversation import STRUCTURE_MARGIN
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.lifecycle import ChannelStarted
from kew.channels.protocol.negotiate import InitialData
from kew.channels.protocol.receiving import ReceiverChannel
from kew.channels.protocol.resync import Batch, Kept
from kew.channels.protocol.segments import Segment, SegmentReader
from kew.channels.protocol.sending import SenderChannel
from kew.channels.protocol.states import CLOSED
from tests.support.mca import message, offer, terms
from tests.support.responder import Responder, ToyQueueManager
from tests.support.vectors import vector

DIALOGUE = [vector(number) for number in (1, 3, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 20, 28, 39, 20, 26, 30)]
REPLIES = [vector(number) for number in (2, 4, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 29, 40, 38, 27)]
INTERESTING = (0, 1, 0x7F, 0x80, 0xFF, 0x30, 0x10, 0x20)


def damage(random: Random, segments: list[bytes], accidents: int) -> bytes:
    """The dialogue with some bytes, words, lengths or whole segments changed."""
    pieces = list(segments)
    for _ in range(accidents):
        index = random.randrange(len(pieces))
        data = bytearray(pieces[index] or b"\0")
        at = random.randrange(len(data))
        accident = random.randrange(9)
        if accident == 0:
            data[at] = random.choice(INTERESTING)
        elif accident == 1:
            data[at] ^= 1 << random.randrange(8)
        elif accident == 2:
            word = random.choice((0, 1, -1, 2**31 - 1, -(2**31), random.randrange(1 << 16)))
            data[at : at + 4] = word.to_bytes(4, random.choice(("big", "little")), signed=True)[: len(data) - at]
        elif accident == 3:
            del data[at:]
        elif accident == 4:
            del data[at : at + random.randrange(1, 64)]
            data[4:8] = len(data).to_bytes(4, "big")
        elif accident == 5:
            data[at:at] = random.randbytes(random.randrange(1, 64))
            data[4:8] = len(data).to_bytes(4, "big")
        elif accident == 6:
            pieces.insert(index, pieces[random.randrange(len(pieces))])
            continue
        elif accident == 7:
            pieces[index] = pieces[random.randrange(len(pieces))]
            continue
        elif len(data) > 18:
            data[17 if data[3:4] == b"M" else 9] = random.randrange(256)
        pieces[index] = bytes(data)
    return b"".join(pieces)


def chunks(random: Random, data: bytes) -> list[bytes]:
    """The bytes as a socket might bring them."""
    style = random.randrange(3)
    if style == 0:
        return [data]
    size = random.choice((1, 7, 36, 500)) if style == 1 else 4096
    return [data[at : at + size] for at in range(0, len(data), size)]


def play_to_server(random: Random) -> bytes:
    """One damaged dialogue; answers what the server said."""
    queue_manager = ToyQueueManager("DEV.QUEUE.1")
    queue_manager.users = {}
    queue_manager.terms.conversations = random.choice((10, 10, 1, 0))
    said = bytearray()
    server = Responder(queue_manager, said.extend)
    limit = queue_manager.terms.max_message + STRUCTURE_MARGIN + 65536
    for chunk in chunks(random, damage(random, DIALOGUE, random.randrange(6))):
        ended = server.closed
        before = len(said)
        server.receive(chunk)
        if server.session.buffered > limit:
            raise AssertionError(f"{server.session.buffered} bytes held")
        if ended and len(said) != before:
            raise AssertionError("a server spoke after it had ended")
    server.tick(0.0)
    server.tick(1000.0)
    for failure in server.failures:
        if failure.error.offset < 0 or not failure.error.expected:
            raise AssertionError(f"an error without place or expectation: {failure.error!r}")
    server.lost()
    return bytes(said)


def play_to_client(random: Random, said: bytes) -> None:
    """What a server said, damaged, to a client that has just made its offer."""
    offer = InitialData()
    offer.conversations = 10
    client = ClientSession(offer)
    client.start()
    source = [said] if said and random.random() < 0.5 else REPLIES
    for chunk in chunks(random, damage(random, source, random.randrange(6))):
        client.receive(chunk)
        client.take_output()
    if client.state == CLOSED and client.receive(vector(4)):
        raise AssertionError("a client heard something after it had ended")


def message_channel(random: Random) -> tuple[SenderChannel, ReceiverChannel]:
    """Both ends of a message channel that has just started, and has not resynchronised."""
    kew = random.random() < 0.7
    kept = Kept(b"S-epoch.", doubtful=(Batch(3, b"in doubt", 2),) if random.random() < 0.3 else (), partner=b"R-epoch.")
    sender = SenderChannel(offer(random.randrange(1, 9), 50, random.random() < 0.5, kew=kew), kept)
    receiver = ReceiverChannel()
    receiver.keep(Kept(b"R-epoch."))
    receiver.receive(sender.start())
    data, _ = receiver.accept(terms(random.randrange(1, 9)))
    if not any(isinstance(event, ChannelStarted) for event in sender.receive(data)):
        raise AssertionError("the channel did not start")
    return sender, receiver


def resynchronised(sender: SenderChannel, receiver: ReceiverChannel) -> bytes:
    """Let both ends resynchronise, and give what the sending end said."""
    sender.resynchronise()
    said = sender.take_output()
    receiver.receive(said)
    sender.receive(receiver.take_output())
    return said


def play_to_receiver(random: Random) -> None:
    """A damaged batch to the receiving end of a message channel."""
    sender, receiver = message_channel(random)
    resync = resynchronised(sender, receiver)
    said = [resync] if random.random() < 0.3 else []
    sender.begin_batch(b"unit 001")
    for _ in range(3):
        sender.move(message(b"", random.random() < 0.5, random.choice((0, 428, 40000))))
        said.append(sender.take_output())
    sender.ask_to_confirm(sender.close_batch().luwid)
    said.append(sender.take_output())
    for chunk in chunks(random, damage(random, said, random.randrange(5))):
        for event in receiver.receive(chunk):
            if isinstance(event, ConfirmRequested):
                receiver.confirm(random.random() < 0.5)
        if receiver.state == CLOSED:
            break
    receiver.take_output()


def play_to_sender(random: Random) -> None:
    """What a receiving end says, damaged, to a sending end that waits for a confirmation."""
    sender, receiver = message_channel(random)
    resync = resynchronised(sender, receiver)
    said = [resync] if random.random() < 0.3 else []
    sender.begin_batch(b"unit 001")
    sender.move(message(b"one"))
    sender.ask_to_confirm(sender.close_batch().luwid)
    if any(isinstance(event, ConfirmRequested) for event in receiver.receive(sender.take_output())):
        receiver.confirm()
    said.append(receiver.take_output())
    if random.random() < 0.5:
        receiver.request_close()
        said.append(receiver.take_output())
    for chunk in chunks(random, damage(random, said, random.randrange(5))):
        sender.receive(chunk)
        if sender.state == CLOSED:
            break
    sender.take_output()


def play_to_parser(random: Random) -> None:
    """A damaged piece of a dialogue to the parser of segments alone."""
    reader = SegmentReader()
    found: list[Segment] = []
    try:
        for chunk in chunks(random, damage(random, [random.choice(DIALOGUE)], 1 + random.randrange(3))):
            reader.feed(chunk, found)
    except ProtocolError as error:
        if error.offset < 0 or not error.expected:
            raise AssertionError(f"an error without place or expectation: {error!r}") from error


def run(random: Random, rounds: int, seconds: float) -> int:
    """Play rounds until either limit; answers how many were played."""
    until = time.monotonic() + seconds
    for played in range(rounds):
        if time.monotonic() >= until:
            return played
        play_to_parser(random)
        play_to_client(random, play_to_server(random))
        if played % 4 == 0:
            play_to_receiver(random)
            play_to_sender(random)
    return rounds


def main() -> None:
    """Run for the time asked and say what was done."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() & 0xFFFFFFFF
    print(f"wire: seed {seed}, {seconds:g} s")
    inputs = int(sys.argv[3]) if len(sys.argv) > 3 else 1 << 60
    played = run(Random(seed), inputs, seconds)
    print(f"wire: {played} damaged sessions, none did worse than to be refused")


if __name__ == "__main__":
    main()
