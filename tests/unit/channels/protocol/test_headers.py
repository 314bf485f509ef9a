"""Headers of partners that write EBCDIC or big-endian integers come in as the queue manager keeps them."""

import pytest
from tests.support.mca import offer, terms

from kew.channels.protocol.batch import Transfer
from kew.channels.protocol.descriptor import from_canonical
from kew.channels.protocol.dialect import BIG, ENC_NORMAL, ENC_ZOS, SERVER_DIALECT, Dialect
from kew.channels.protocol.headers import own_headers
from kew.channels.protocol.receiving import ReceiverChannel
from kew.channels.protocol.resync import Kept
from kew.channels.protocol.sending import SenderChannel
from kew.formats import charset, mqmd, mqmde, mqxqh
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqmde import DescriptorExtension
from kew.formats.mqxqh import TransmissionHeader

ZOS = Dialect(BIG, ENC_ZOS, 500, True)
AIX = Dialect(BIG, ENC_NORMAL, 819, False)
ID = bytes(range(200, 224))


def written(dialect: Dialect) -> tuple[bytes, bytes]:
    """A message as the queue manager keeps it, and as such a partner sends it."""
    descriptor = MessageDescriptor(
        persistence=1, priority=7, message_id=ID, format=b"MQHMDE  ", reply_to_queue=b"ANSWERS".ljust(48)
    )
    header = TransmissionHeader(b"TARGET".ljust(48), b"QM2".ljust(48), descriptor)
    extension = DescriptorExtension(785, 500, b"MQSTR   ", 0, ID, 3, 400, 24, -1)
    data = b"\xc1\xc2\xc3 not touched"
    own = mqxqh.encode(header) + mqmde.encode(extension) + data
    names = own[8:104]
    text = (lambda value: charset.convert(value, 819, 500)) if dialect.ebcdic else (lambda value: value)
    md = from_canonical(mqmd.encode(descriptor), dialect, 1)
    mde = bytearray(mqmde.encode(extension, ">"))
    mde[0:4], mde[20:28] = text(bytes(mde[0:4])), text(bytes(mde[20:28]))
    return own, text(b"XQH ") + (1).to_bytes(4, "big") + text(names) + md + bytes(mde) + data


@pytest.mark.parametrize("dialect", [ZOS, AIX], ids=["z/OS", "AIX"])
def test_headers_come_in_as_the_queue_manager_keeps_them(dialect: Dialect) -> None:
    own, sent = written(dialect)
    assert sent != own
    assert own_headers(sent, dialect) == own


def test_own_headers_stay() -> None:
    own, _ = written(AIX)
    assert own_headers(own, SERVER_DIALECT) == own


@pytest.mark.parametrize("dialect", [ZOS, AIX], ids=["z/OS", "AIX"])
def test_a_whole_session_with_such_a_partner(dialect: Dialect) -> None:
    own, sent = written(dialect)
    sender = SenderChannel(offer(kew=False), Kept(b"S-epoch."), dialect)
    receiver = ReceiverChannel()
    receiver.keep(Kept(b"R-epoch."))
    receiver.receive(sender.start())
    answer, _ = receiver.accept(terms())
    sender.receive(answer)
    sender.begin_batch(b"unit 001")
    sender.move(sent)
    (transfer,) = receiver.receive(sender.take_output())
    assert isinstance(transfer, Transfer)
    assert transfer.payload == own
    assert not transfer.fast
