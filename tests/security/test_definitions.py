"""Who may inquire about what is no queue, and for whom an administrator may subscribe."""

from collections.abc import Iterator

import pytest

from kew.codes.errors import MQError
from kew.codes.options import MQOO_INQUIRE, MQOT_NAMELIST, MQOT_PROCESS, MQOT_Q, MQOT_Q_MGR, MQOT_TOPIC
from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.commands.actions.script import Script
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
    UserFile(disk, running.places.users, running.log.owner).write([User("app", Secret.of("x", cost=1), ())])
    running.refresh_users()
    mqsc(running, "DEFINE NAMELIST(NAMES)", "DEFINE PROCESS(RUN)", "DEFINE TOPIC(NEWS) TOPICSTR('news')")
    mqsc(running, "DEFINE QLOCAL(HERE)", "DEFINE QLOCAL(THERE)")
    grant(running, "app", MQOT_Q_MGR, "SELF", "CONNECT")
    yield running
    running.stop()


def mqsc(host: Host, *commands: str) -> str:
    """Give commands as the owner."""
    return "\n".join(line for batch in Script(host.commands).run(commands) for line in batch)


@pytest.mark.parametrize(
    ("kind", "name", "number", "profile"),
    [
        ("NAMELIST", "NAMES", MQOT_NAMELIST, "NAMES"),
        ("PROCESS", "RUN", MQOT_PROCESS, "RUN"),
        ("QMGR", "", MQOT_Q_MGR, "SELF"),
    ],
)
def test_who_inquires_must_be_allowed_to(host: Host, kind: str, name: str, number: int, profile: str) -> None:
    program = host.connect("program", "app")
    with pytest.raises(MQError) as refused:
        program.open_definition(kind, name, MQOO_INQUIRE)
    assert refused.value.reason == MQRC_NOT_AUTHORIZED
    grant(host, "app", number, profile, "CONNECT,INQ" if kind == "QMGR" else "INQ")
    program.close(program.open_definition(kind, name, MQOO_INQUIRE))


@pytest.mark.parametrize("kind", ["TEMPDYN", "PERMDYN"])
def test_a_dynamic_queue_takes_no_name_of_the_queue_manager(host: Host, kind: str) -> None:
    mqsc(host, f"DEFINE QMODEL(MODEL) DEFTYPE({kind}) DEFSOPT(SHARED) SHARE")
    grant(host, "app", MQOT_Q, "MODEL", "ALLMQI,DSP")
    program = host.connect("program", "app")
    for name in ("SYSTEM.*", "SYSTEM.ADMIN.NEW.QUEUE"):
        with pytest.raises(MQError) as refused:
            program.open("MODEL", MQOO_INQUIRE, name)
        assert refused.value.reason == MQRC_NOT_AUTHORIZED
        assert refused.value.facts["missing"] == "CRT"
    assert not [name for name in host.queues.by_name if name.startswith("SYSTEM.") and "NEW" in name]
    program.close(program.open("MODEL", MQOO_INQUIRE, "SYSTEMS.*"))
    grant(host, "app", MQOT_Q, "SYSTEM.MINE.**", "CRT")
    program.close(program.open("MODEL", MQOO_INQUIRE, "SYSTEM.MINE.*"))
    with pytest.raises(MQError):
        program.open("MODEL", MQOO_INQUIRE, "SYSTEM.YOURS.*")


def test_the_user_of_a_subscription_must_be_allowed_to_subscribe_and_to_put(host: Host) -> None:
    define = "DEFINE SUB(S) TOPICSTR('news') DEST(HERE) SUBUSER('app')"
    assert DENIED in mqsc(host, define)
    grant(host, "app", MQOT_TOPIC, "NEWS", "SUB")
    assert DENIED in mqsc(host, define)
    grant(host, "app", MQOT_Q, "HERE", "PUT")
    assert DENIED not in mqsc(host, define)
    assert DENIED in mqsc(host, "ALTER SUB(S) DEST(THERE)")
    grant(host, "app", MQOT_Q, "THERE", "PUT")
    assert DENIED not in mqsc(host, "ALTER SUB(S) DEST(THERE)")
    grant(host, "app", MQOT_TOPIC, "NEWS", "NONE")
    assert DENIED in mqsc(host, "ALTER SUB(S) DEST(HERE)")
