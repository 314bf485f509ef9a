"""System parameters and operations by PCF: the same actions as by MQSC."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.pcf import Administrator, text
from tests.unit.commands.actions.running import answer, queue_manager

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes.options import MQACT_REDUCE_LOG, MQOT_Q, MQOT_Q_MGR
from kew.codes.reasons import MQRCCF_CHANNEL_INITIATOR_ERROR
from kew.formats import pcf
from kew.formats.mqmd import MessageDescriptor
from kew.objects.schema.security import MQZAET_PRINCIPAL
from kew.security.identity import Secret, User, UserFile


@pytest.fixture
def admin(tmp_path: Path) -> Iterator[Administrator]:
    with queue_manager(tmp_path) as running:
        yield Administrator(running)


def test_the_collection_time_has_minutes_and_seconds(admin: Administrator) -> None:
    minutes = pcf.Integer(a.MQIACF_SYSP_SMF_ACCT_TIME_MINS, 1)
    seconds = pcf.Integer(a.MQIACF_SYSP_SMF_ACCT_TIME_SECS, 15)
    assert admin.ask(c.MQCMD_SET_SYSTEM, minutes, seconds).reason == 0
    assert "1.15" in answer(admin.running, "DISPLAY SYSTEM ACCTIME")
    initial, since = admin.ask(c.MQCMD_INQUIRE_SYSTEM).objects()[:2]
    assert initial[a.MQIACF_SYSP_TYPE] == a.MQSYSP_TYPE_INITIAL
    assert initial[a.MQIACF_SYSP_SMF_STAT_TIME_MINS] == 30
    assert since[a.MQIACF_SYSP_TYPE] == a.MQSYSP_TYPE_SET
    assert since[a.MQIACF_SYSP_SMF_ACCT_TIME_MINS] == 1
    assert since[a.MQIACF_SYSP_SMF_ACCT_TIME_SECS] == 15


def test_messages_are_moved(admin: Administrator) -> None:
    answer(admin.running, "DEFINE QLOCAL(A)", "DEFINE QLOCAL(B)")
    admin.running.connect().put1("A", MessageDescriptor(), b"x")
    source, target = text(a.MQCA_Q_NAME, "A"), text(a.MQCACF_TO_Q_NAME, "B")
    assert admin.ask(c.MQCMD_MOVE_Q, source, target).reason == 0
    assert "CURDEPTH(1)" in answer(admin.running, "DISPLAY QLOCAL(B) CURDEPTH")


def test_the_log_is_shown_and_reduced(admin: Administrator) -> None:
    (log,) = admin.ask(c.MQCMD_INQUIRE_LOG).objects()[:1]
    assert log[a.MQIACF_SYSP_TOTAL_LOGS] == 3
    assert log[a.MQIACF_SYSP_OFFLOAD_STATUS] == a.MQSYSP_STATUS_AVAILABLE
    assert admin.ask(c.MQCMD_RESET_Q_MGR, pcf.Integer(a.MQIACF_ACTION, MQACT_REDUCE_LOG)).reason == 0


def test_expired_messages_are_looked_for(admin: Administrator) -> None:
    kind = pcf.Integer(a.MQIACF_REFRESH_TYPE, a.MQRT_EXPIRY)
    assert admin.ask(c.MQCMD_REFRESH_Q_MGR, kind).reason == 0


def test_the_channel_initiator_is_stopped_and_started(admin: Administrator) -> None:
    (shown,) = admin.ask(c.MQCMD_INQUIRE_CHANNEL_INIT).objects()
    assert shown[a.MQIACF_CHINIT_STATUS] == a.MQSVC_STATUS_RUNNING
    assert shown[a.MQIACH_CURRENT_CHL] == 0
    assert admin.ask(c.MQCMD_STOP_CHANNEL_INIT).reason == 0
    assert admin.ask(c.MQCMD_INQUIRE_CHANNEL_INIT).reason == MQRCCF_CHANNEL_INITIATOR_ERROR
    assert admin.ask(c.MQCMD_STOP_CHANNEL_INIT).reason == MQRCCF_CHANNEL_INITIATOR_ERROR
    assert admin.ask(c.MQCMD_START_CHANNEL_INIT).reason == 0


def test_the_authority_of_an_entity_is_shown(admin: Administrator) -> None:
    answer(admin.running, "SET AUTHREC PROFILE('Q.*') OBJTYPE(QUEUE) PRINCIPAL('ann') AUTHADD(GET,PUT)")
    asked: list[pcf.Parameter] = [
        pcf.Integer(a.MQIACF_AUTH_OPTIONS, a.MQAUTHOPT_NAME_ALL_MATCHING | a.MQAUTHOPT_CUMULATIVE),
        text(a.MQCACF_OBJECT_NAME, "Q.1"),
        pcf.Integer(a.MQIACF_OBJECT_TYPE, MQOT_Q),
        text(a.MQCACF_ENTITY_NAME, "ann"),
        pcf.Integer(a.MQIACF_ENTITY_TYPE, MQZAET_PRINCIPAL),
    ]
    (shown,) = admin.ask(c.MQCMD_INQUIRE_ENTITY_AUTH, *asked).objects()
    assert shown[a.MQCACF_ENTITY_NAME] == "ann"
    assert shown[a.MQIACF_AUTHORIZATION_LIST] == (a.MQAUTH_INPUT, a.MQAUTH_OUTPUT)
    (service,) = admin.ask(c.MQCMD_INQUIRE_AUTH_SERVICE).objects()
    assert service[a.MQIACF_USER_ID_SUPPORT] == a.MQUIDSUPP_YES


def profiles(admin: Administrator, name: str, options: int, *more: pcf.Parameter) -> list[tuple[object, object]]:
    found = admin.ask(
        c.MQCMD_INQUIRE_AUTH_RECS,
        pcf.Integer(a.MQIACF_AUTH_OPTIONS, options),
        text(a.MQCACF_AUTH_PROFILE_NAME, name),
        pcf.Integer(a.MQIACF_OBJECT_TYPE, MQOT_Q),
        *more,
    )
    return [(each[a.MQCACF_AUTH_PROFILE_NAME], each[a.MQCACF_ENTITY_NAME]) for each in found.objects()]


def test_authority_records_are_found_by_each_way_to_name_profiles(admin: Administrator) -> None:
    for profile in ("Q.*", "Q.1", "R.1"):
        answer(admin.running, f"SET AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) GROUP('staff') AUTHADD(GET)")
    explicit, matching = a.MQAUTHOPT_NAME_EXPLICIT, a.MQAUTHOPT_NAME_ALL_MATCHING
    everything = [("Q.*", "staff"), ("Q.1", "staff"), ("R.1", "staff")]
    assert profiles(admin, "", matching | a.MQAUTHOPT_ENTITY_EXPLICIT) == everything
    assert profiles(admin, "Q.1", matching | a.MQAUTHOPT_ENTITY_EXPLICIT) == everything[:2]
    assert profiles(admin, "Q.*", explicit | a.MQAUTHOPT_ENTITY_EXPLICIT) == everything[:1]
    assert profiles(admin, "*.1", explicit | a.MQAUTHOPT_NAME_AS_WILDCARD) == everything[1:]
    users = UserFile(admin.running.host.disk, admin.running.places.users, admin.running.host.log.owner)
    users.write([User("ann", Secret.of("secret"), ["staff"])])
    answer(admin.running, "REFRESH SECURITY")
    ann: list[pcf.Parameter] = [text(a.MQCACF_ENTITY_NAME, "ann"), pcf.Integer(a.MQIACF_ENTITY_TYPE, MQZAET_PRINCIPAL)]
    assert profiles(admin, "Q.1", matching | a.MQAUTHOPT_ENTITY_SET, *ann) == everything[:2]


def test_the_queue_managers_profile_needs_no_name(admin: Administrator) -> None:
    given: list[pcf.Parameter] = [
        text(a.MQCACF_AUTH_PROFILE_NAME, ""),
        pcf.Integer(a.MQIACF_OBJECT_TYPE, MQOT_Q_MGR),
        pcf.IntegerList(a.MQIACF_AUTH_ADD_AUTHS, [a.MQAUTH_CONNECT]),
        pcf.StringList(a.MQCACF_PRINCIPAL_ENTITY_NAMES, [b"ann"]),
    ]
    assert admin.ask(c.MQCMD_SET_AUTH_REC, *given).reason == 0
