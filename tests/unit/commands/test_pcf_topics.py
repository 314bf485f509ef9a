"""Subscriptions and the topic tree by PCF: the commands are those of MQSC."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.pcf import Administrator, text

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes.reasons import MQRC_NO_SUBSCRIPTION, MQRC_NONE, MQRCCF_SUB_ALREADY_EXISTS, MQRCCF_TOPIC_STRING_NOT_FOUND
from kew.formats import pcf
from kew.qmgr import manager


@pytest.fixture
def administrator(tmp_path: Path) -> Iterator[Administrator]:
    manager.create("QM1", data=str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        yield Administrator(running)


def test_subscriptions(administrator: Administrator) -> None:
    named = text(a.MQCACF_SUB_NAME, "S1")
    make = [named, text(a.MQCA_TOPIC_STRING, "a/b"), text(a.MQCACF_DESTINATION, "Q1")]
    assert administrator.ask(c.MQCMD_CREATE_SUBSCRIPTION, *make).reason == MQRC_NONE
    assert administrator.ask(c.MQCMD_CREATE_SUBSCRIPTION, *make).reason == MQRCCF_SUB_ALREADY_EXISTS
    change = [named, text(a.MQCACF_SUB_USER_DATA, "mine")]
    assert administrator.ask(c.MQCMD_CHANGE_SUBSCRIPTION, *change).reason == MQRC_NONE
    (shown,) = administrator.ask(c.MQCMD_INQUIRE_SUBSCRIPTION, named).objects()
    assert (shown[a.MQCA_TOPIC_STRING], shown[a.MQCACF_SUB_USER_DATA]) == ("a/b", "mine")
    identifier = shown[a.MQBACF_SUB_ID]
    assert isinstance(identifier, bytes)
    (status,) = administrator.ask(c.MQCMD_INQUIRE_SUB_STATUS, named).objects()
    assert status[a.MQBACF_SUB_ID] == identifier
    assert administrator.ask(c.MQCMD_DELETE_SUBSCRIPTION, named).reason == MQRC_NONE
    assert administrator.ask(c.MQCMD_INQUIRE_SUBSCRIPTION, named).reason != MQRC_NONE


def test_the_tree(administrator: Administrator) -> None:
    make = [text(a.MQCACF_SUB_NAME, "S1"), text(a.MQCA_TOPIC_STRING, "a/b"), text(a.MQCACF_DESTINATION, "Q1")]
    administrator.ask(c.MQCMD_CREATE_SUBSCRIPTION, *make)
    found = administrator.ask(c.MQCMD_INQUIRE_TOPIC_STATUS, text(a.MQCA_TOPIC_STRING, "a/#")).objects()
    assert [(each[a.MQCA_TOPIC_STRING], each[a.MQIA_SUB_COUNT]) for each in found] == [("a", 0), ("a/b", 1)]
    nowhere = administrator.ask(c.MQCMD_INQUIRE_TOPIC_STATUS, text(a.MQCA_TOPIC_STRING, "x"))
    assert nowhere.reason == MQRCCF_TOPIC_STRING_NOT_FOUND
    clear: list[pcf.Parameter] = [text(a.MQCA_TOPIC_STRING, "a/b"), pcf.Integer(a.MQIACF_CLEAR_TYPE, a.MQCLRT_RETAINED)]
    assert administrator.ask(c.MQCMD_CLEAR_TOPIC_STRING, *clear).reason == MQRC_NONE
    (engine,) = administrator.ask(c.MQCMD_INQUIRE_PUBSUB_STATUS).objects()
    assert engine[a.MQIA_SUB_COUNT] == 1


def test_a_subscription_that_there_is_not(administrator: Administrator) -> None:
    for command in (c.MQCMD_INQUIRE_SUBSCRIPTION, c.MQCMD_INQUIRE_SUB_STATUS, c.MQCMD_DELETE_SUBSCRIPTION):
        assert administrator.ask(command, text(a.MQCACF_SUB_NAME, "NONE")).reason == MQRC_NO_SUBSCRIPTION
