"""Who comes in by a socket, as whom, and what they may do then."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest
from tests.support.network import Reachable, eventually, reachable
from tests.support.stranger import Stranger

from kew import client
from kew.channels.protocol.identity import UserId
from kew.channels.protocol.lifecycle import ConversationStarted
from kew.channels.protocol.mqapi import Connect
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_INQUIRE, MQOO_OUTPUT
from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.qmgr.config import ChannelsConfiguration, Configuration, LogConfiguration
from kew.security.failures import FREE
from kew.security.identity import AT_ONCE

ADMINISTRATION = "DEV.ADMIN.SVRCONN"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        running.mqsc("DELETE AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app')")
        running.mqsc("DEFINE QLOCAL(PRIVATE)")
        running.mqsc("SET AUTHREC PROFILE(DEV.QUEUE.3) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)")
        yield running


def refused(site: Reachable, channel: str, user: str, password: str) -> bool:
    try:
        site.connect(10, channel, user, password).disconnect()
    except MQError as error:
        assert error.reason == MQRC_NOT_AUTHORIZED
        return True
    return False


def test_developers_come_in_by_their_channels(site: Reachable) -> None:
    assert not refused(site, "DEV.APP.SVRCONN", "app", "password")
    assert not refused(site, "DEV.APP.SVRCONN", "", "")  # as the channel's user
    assert not refused(site, ADMINISTRATION, "admin", "password")
    assert refused(site, "DEV.APP.SVRCONN", "admin", "password")  # administrators are blocked there
    assert refused(site, ADMINISTRATION, "app", "password")
    assert refused(site, "SYSTEM.DEF.SVRCONN", "admin", "password")


def test_a_wrong_password_is_told_late_and_holds_nobody_else_up(site: Reachable) -> None:
    begun = monotonic()
    assert refused(site, ADMINISTRATION, "admin", "wrong")
    assert monotonic() - begun >= 1.0  # FAILDLAY
    assert not refused(site, ADMINISTRATION, "admin", "password")


def test_every_refusal_that_carried_a_password_is_told_late(site: Reachable) -> None:
    """Whether a password was right shows only when it lets somebody in."""
    site.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHRMV(CONNECT)")
    site.mqsc("DEFINE CHANNEL(UNABLE) CHLTYPE(SVRCONN)")
    site.mqsc("SET CHLAUTH(UNABLE) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)")
    site.mqsc("SET CHLAUTH(UNABLE) TYPE(BLOCKUSER) USERLIST('nobody')")
    site.mqsc("DEFINE CHANNEL(CLOSED) CHLTYPE(SVRCONN)")
    site.mqsc("SET CHLAUTH(CLOSED) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)")
    try:
        for channel, user in (("DEV.APP.SVRCONN", "admin"), ("UNABLE", "app"), ("CLOSED", "app"), ("CLOSED", "admin")):
            for password in ("password", "wrong"):
                begun = monotonic()
                assert refused(site, channel, user, password)
                assert monotonic() - begun >= 1.0, (channel, user, password)  # FAILDLAY
    finally:
        site.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT)")


def test_who_goes_on_guessing_is_answered_ever_later(tmp_path: Path) -> None:
    slow = Configuration(log=LogConfiguration(file_pages=64), channels=ChannelsConfiguration(most_delay=2))
    with reachable(tmp_path, slow) as site:
        site.mqsc("ALTER AUTHINFO(DEV.AUTHINFO) AUTHTYPE(IDPWOS) FAILDLAY(0)")
        for number in range(FREE + 1):
            begun = monotonic()
            assert refused(site, ADMINISTRATION, "admin", f"wrong{number}")
        assert monotonic() - begun >= 2.0
        assert not refused(site, ADMINISTRATION, "admin", "password")


def test_who_is_in_does_not_wait_for_the_passwords_of_strangers(site: Reachable) -> None:
    turns = site.manager.host.directory._turns
    with site.connect() as connection, ExitStack() as held:
        for _ in range(AT_ONCE):  # as if as many passwords were checked, for as long as this takes
            held.enter_context(turns)
        strangers = [
            Thread(target=refused, args=(site, ADMINISTRATION, "admin", f"wrong{number}")) for number in range(12)
        ]
        for stranger in strangers:
            stranger.start()
        assert eventually(lambda: len(site.network.agents.pending) == len(strangers))

        def work() -> None:
            connection.open("DEV.APP.MODEL.QUEUE", MQOO_INPUT_SHARED).close()

        worker = Thread(target=work, daemon=True)
        worker.start()
        worker.join(20)
        done = not worker.is_alive()
        held.close()
        for stranger in [*strangers, worker]:
            stranger.join()
    assert done


def test_what_a_user_may_not_open_is_refused(site: Reachable) -> None:
    with site.connect() as connection:
        for queue, options in (("PRIVATE", MQOO_OUTPUT), ("DEV.QUEUE.3", MQOO_INPUT_SHARED)):
            with pytest.raises(MQError) as caught:
                connection.open(queue, options)
            assert caught.value.reason == MQRC_NOT_AUTHORIZED
        with pytest.raises(MQError) as caught:
            connection.put1("PRIVATE", b"x")
        assert caught.value.reason == MQRC_NOT_AUTHORIZED
        connection.open("DEV.QUEUE.3", MQOO_OUTPUT)
    with site.connect(channel=ADMINISTRATION, user="admin") as connection:
        connection.open("PRIVATE", MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_INQUIRE)


def test_who_loses_the_right_to_connect_comes_in_no_more(site: Reachable) -> None:
    site.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHRMV(CONNECT)")
    assert refused(site, "DEV.APP.SVRCONN", "app", "password")
    site.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT)")
    assert not refused(site, "DEV.APP.SVRCONN", "app", "password")


def test_programs_on_this_machine_may_have_to_prove_themselves(site: Reachable) -> None:
    site.connect_local().disconnect()
    site.mqsc("ALTER AUTHINFO(DEV.AUTHINFO) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED)")
    try:
        with pytest.raises(MQError) as caught:
            site.connect_local()
        assert caught.value.reason == MQRC_NOT_AUTHORIZED
    finally:
        site.mqsc("ALTER AUTHINFO(DEV.AUTHINFO) AUTHTYPE(IDPWOS) CHCKLOCL(OPTIONAL)")
    site.connect_local().disconnect()


def come_by_a_shared_socket(site: Reachable, password: bytes, own: bytes | None) -> list[int]:
    """Start two conversations on a socket; what each is told. The second states a user of its own, or nobody."""
    stranger = Stranger(site.port, ADMINISTRATION)
    with stranger.endpoint:
        stranger.negotiate()
        session = stranger.session
        told = []
        stranger.say(session.send(stated(1, b"admin", password)) + session.send(connect(1)))
        told.append(stranger.until(Connect).reason)
        if told[0]:
            return told
        data, number = session.start_conversation()
        stranger.say(data)
        stranger.until(ConversationStarted)
        if own is not None:
            stranger.say(session.send(stated(number, own, password)))
        stranger.say(session.send(connect(number)))
        told.append(stranger.until(Connect).reason)
    return told


def stated(number: int, user: bytes, password: bytes) -> UserId:
    event = UserId(user)
    event.password = password.ljust(12)
    event.conversation_id = number
    return event


def connect(number: int) -> Connect:
    call = Connect()
    call.body_size = 260
    call.fcno_version = 2
    call.conversation_id = number
    return call


def test_later_conversations_of_a_socket_come_as_its_first(site: Reachable) -> None:
    """In compatibility mode IBM's clients state user and password in the first conversation only."""
    assert come_by_a_shared_socket(site, b"password", None) == [0, 0]
    assert come_by_a_shared_socket(site, b"password", b"admin") == [0, 0]
    assert come_by_a_shared_socket(site, b"password", b"nobody") == [0, MQRC_NOT_AUTHORIZED]
    assert come_by_a_shared_socket(site, b"wrong", None) == [MQRC_NOT_AUTHORIZED]


def test_an_address_that_is_shut_out_hears_nothing(site: Reachable) -> None:
    site.mqsc("SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('127.0.0.*')")
    try:
        with pytest.raises((MQError, OSError)):
            client.connect("QM1", site.address, "DEV.APP.SVRCONN", "app", "password", timeout=60)
    finally:
        site.mqsc("SET CHLAUTH('*') TYPE(BLOCKADDR) ACTION(REMOVEALL)")
    assert not refused(site, "DEV.APP.SVRCONN", "app", "password")
