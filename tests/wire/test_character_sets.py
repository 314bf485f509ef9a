"""Names of programs and users beyond ASCII, from clients in several character sets."""

from collections.abc import Iterator

import pytest
from tests.support.network import NAME, Reachable, reachable
from tests.support.stranger import Stranger

from kew import client
from kew.channels.protocol.descriptor import from_canonical
from kew.channels.protocol.dialect import BIG, ENC_REVERSED, ENC_ZOS, LITTLE, Dialect, padded
from kew.channels.protocol.messages import Get, GetReply, Put1, Put1Reply
from kew.channels.protocol.mqapi import Connect, Open
from kew.channels.protocol.options import GetOptions
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import requests
from kew.client.requests import queue_object
from kew.codes.options import MQOO_INPUT_SHARED
from kew.formats.charset import encode
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqmd import encode as encode_descriptor
from kew.security.identity import Secret, User

QUEUE = "DEV.QUEUE.1"
SETS = (819, 1252, 1208, 500)
NAME_AT = slice(276, 304)


def dialect_of(ccsid: int) -> Dialect:
    return Dialect(BIG, ENC_ZOS, 500, True) if ccsid == 500 else Dialect(LITTLE, ENC_REVERSED, ccsid, False)


def latin(text: str, ccsid: int) -> bytes:
    """Text as codecs take it: EBCDIC they make of Latin-1 themselves."""
    return encode(text, 819 if ccsid == 500 else ccsid)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        running.define_channel("PLAIN", "SHARECNV(0)")
        yield running


def connected(site: Reachable, ccsid: int, application: str = "Prüfer", channel: str = "DEV.APP.SVRCONN") -> Stranger:
    conversations = 0 if channel == "PLAIN" else 10
    stranger = Stranger(site.port, channel, dialect=dialect_of(ccsid), conversations=conversations)
    stranger.negotiate()
    stranger.say(stranger.ask(application=latin(application, ccsid)))
    assert not stranger.until(Connect).reason
    return stranger


def put(stranger: Stranger) -> bytes:
    """Put a message; the descriptor that came back."""
    descriptor = from_canonical(encode_descriptor(MessageDescriptor()), stranger.session.dialect)
    target = ObjectDescriptor()
    target.object_name = padded(QUEUE, 48)
    return stranger.call(Put1(target, descriptor, requests.put_options(False, False), b"x"), Put1Reply).descriptor


@pytest.mark.parametrize("ccsid", SETS)
def test_the_name_of_a_program_is_shown_as_it_is(site: Reachable, ccsid: int) -> None:
    stranger = connected(site, ccsid)
    try:
        assert "APPLTAG(Prüfer)" in site.mqsc("DISPLAY CONN(*) WHERE(CHANNEL EQ DEV.APP.SVRCONN) APPLTAG")
        assert "RAPPLTAG(Prüfer)" in site.mqsc("DISPLAY CHSTATUS(DEV.APP.SVRCONN) RAPPLTAG")
    finally:
        stranger.endpoint.close()


@pytest.mark.parametrize("writer", SETS)
@pytest.mark.parametrize("reader", SETS)
def test_each_reads_the_name_of_who_has_put_in_its_own_set(site: Reachable, writer: int, reader: int) -> None:
    here, there = connected(site, writer), connected(site, reader, "reader", "PLAIN")
    try:
        assert put(here)[NAME_AT] == encode("Prüfer".ljust(27 if writer == 1208 else 28), writer)
        opened = there.call(Open(queue_object(QUEUE), MQOO_INPUT_SHARED), Open)
        wanted = from_canonical(encode_descriptor(MessageDescriptor()), there.session.dialect)
        get = Get(wanted, GetOptions(), 100)
        get.handle = opened.handle
        got = there.call(get, GetReply)
        assert got.reason == 0
        assert got.descriptor[NAME_AT] == encode("Prüfer".ljust(27 if reader == 1208 else 28), reader)
    finally:
        here.endpoint.close()
        there.endpoint.close()


def test_messages_that_are_sent_are_in_the_set_that_their_header_states(site: Reachable) -> None:
    stranger = connected(site, 1208)
    put(stranger)
    stranger.endpoint.close()
    with site.connect() as connection, connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:
        assert queue.get(30).descriptor.put_application_name.decode().rstrip() == "Prüfer"


def test_what_grows_is_cut_after_a_whole_character(site: Reachable) -> None:
    stranger = connected(site, 819, "ü" * 28)
    put(stranger)
    stranger.endpoint.close()
    with site.connect() as connection, connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:
        assert queue.get(30).descriptor.put_application_name == ("ü" * 14).encode()


@pytest.mark.parametrize("ccsid", SETS)
def test_users_and_passwords(site: Reachable, ccsid: int) -> None:
    host = site.manager.host
    host.directory._users["jürgen"] = User("jürgen", Secret.of("schlüssel"))
    site.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('jürgen') AUTHADD(CONNECT)")
    stranger = Stranger(site.port, dialect=dialect_of(ccsid))
    stranger.negotiate()
    stranger.say(stranger.ask(latin("schlüssel", ccsid), user=latin("jürgen", ccsid)))
    assert not stranger.until(Connect).reason
    assert "MCAUSER(jürgen)" in site.mqsc("DISPLAY CHSTATUS(DEV.APP.SVRCONN) MCAUSER")
    stranger.endpoint.close()


def test_clients_that_send_passwords_in_utf_8_though_they_say_otherwise(site: Reachable) -> None:
    site.manager.host.directory._users["jürgen"] = User("jürgen", Secret.of("schlüssel"))
    site.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('jürgen') AUTHADD(CONNECT)")
    client.connect(NAME, site.address, "DEV.APP.SVRCONN", "jürgen", "schlüssel").disconnect()
