"""Who may have messages copied: who may change both queues. Who puts needs nothing on the queue of the copies."""

from collections.abc import Iterator

import pytest

from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQOT_Q, MQOT_Q_MGR
from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.commands.actions.script import Script
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr.assemble import Host
from kew.security.identity import Secret, User, UserFile
from tests.support.authorities import grant
from tests.support.hosting import create, small
from tests.support.simdisk import SimDisk

DENIED = "AMQ8135E"


@pytest.fixture
def host() -> Iterator[Host]:
    disk = SimDisk()
    running = create(disk, small(pool=400, log_pages=1024))
    names = ("admin", "app")
    UserFile(disk, running.places.users, running.log.owner).write(
        [User(name, Secret.of("x", cost=1), ()) for name in names]
    )
    running.refresh_users()
    mqsc(running, None, "DEFINE QLOCAL(INQUIRIES)", "DEFINE QLOCAL(ANALYTICS)", "DEFINE QLOCAL(PURCHASES)")
    for name in names:
        grant(running, name, MQOT_Q_MGR, "SELF", "CONNECT,DSP", False)
    grant(running, "admin", MQOT_Q, "INQUIRIES", "CHG,DSP", False)
    grant(running, "admin", MQOT_Q, "ANALYTICS", "CHG", False)
    grant(running, "admin", MQOT_Q, "@class", "CRT", False)
    grant(running, "admin", MQOT_Q, "SYSTEM.DEFAULT.**", "DSP", False)
    grant(running, "app", MQOT_Q, "INQUIRIES", "PUT", False)
    yield running
    running.stop()


def mqsc(host: Host, issuer: str | None, *commands: str) -> str:
    """Give commands as a user, None for the owner."""
    return "\n".join(line for batch in Script(host.commands, issuer=issuer).run(commands) for line in batch)


def test_streamq_takes_authority_on_the_queue_of_the_copies_too(host: Host) -> None:
    assert "AMQ8008I" in mqsc(host, "admin", "ALTER QLOCAL(INQUIRIES) STREAMQ(ANALYTICS)")
    assert DENIED in mqsc(host, "admin", "ALTER QLOCAL(INQUIRIES) STREAMQ(PURCHASES)")
    assert DENIED in mqsc(host, "admin", "DEFINE QLOCAL(NEW) STREAMQ(PURCHASES)")
    assert "AMQ8006I" in mqsc(host, "admin", "DEFINE QLOCAL(NEW) STREAMQ(ANALYTICS)")
    assert "AMQ8008I" in mqsc(host, "admin", "ALTER QLOCAL(INQUIRIES) STREAMQ(' ')")


def test_a_stream_that_comes_with_like_takes_it_as_well(host: Host) -> None:
    mqsc(host, None, "ALTER QLOCAL(INQUIRIES) STREAMQ(PURCHASES)")
    assert DENIED in mqsc(host, "admin", "DEFINE QLOCAL(NEW) LIKE(INQUIRIES)")
    assert "AMQ8006I" in mqsc(host, "admin", "DEFINE QLOCAL(NEW) LIKE(INQUIRIES) STREAMQ(' ')")


@pytest.mark.parametrize("qos", ["BESTEF", "MUSTDUP"])
def test_who_puts_needs_nothing_on_the_queue_of_the_copies(host: Host, qos: str) -> None:
    mqsc(host, None, f"ALTER QLOCAL(INQUIRIES) STREAMQ(PURCHASES) STRMQOS({qos})")
    program = host.connect("app", user="app")
    with pytest.raises(MQError) as caught:
        program.open("PURCHASES", MQOO_OUTPUT)
    assert caught.value.reason == MQRC_NOT_AUTHORIZED
    program.put(program.open("INQUIRIES", MQOO_OUTPUT), MessageDescriptor(), b"one")
    owner = host.connect("owner")
    assert owner.get(owner.open("PURCHASES", MQOO_INPUT_SHARED)).data == b"one"
