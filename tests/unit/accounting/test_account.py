"""How a call is measured: its time, less what it waited for pages and for the log, is that of the processor."""

import pytest
from tests.support.hosting import create, small
from tests.support.simdisk import SimDisk

from kew.accounting.account import Account, VerbTimes


@pytest.fixture
def account() -> Account:
    return Account(create(SimDisk(), small()).log, 0.0, 0.0)


def test_a_call_of_a_program(account: Account) -> None:
    verb = VerbTimes()
    account.begin()
    account.enter(None)
    account.pause()
    account.enter(None)
    account.leave(verb)
    account.forced(account.now())
    account.end()
    assert (verb.calls, verb.page_waits, verb.forces) == (1, 1, 1)
    assert verb.page_time > 0
    assert verb.force_time > 0
    waited = verb.page_time + verb.force_time + verb.suspend_time / 16  # a wait for the lock stands for sixteen
    assert verb.processor == pytest.approx(verb.elapsed - waited)
    assert verb.processor > 0


def test_a_call_by_the_network_has_the_time_of_its_work_and_of_its_pages(account: Account) -> None:
    verb = VerbTimes()
    account.enter(None)
    account.pause()
    account.enter(None)
    account.leave(verb)
    assert (verb.calls, verb.page_waits, verb.forces) == (1, 1, 0)
    assert verb.elapsed == pytest.approx(verb.processor + verb.page_time)
    assert account.lock_waits == 0


def test_an_interval_ends_and_the_task_goes_on(account: Account) -> None:
    account.enter(None)
    account.leave(account.commit)
    following = account.next(60.0)
    assert (account.until, following.since, following.started) == (60.0, 60.0, 0.0)
    following.enter(None)
    following.leave(following.backout)
    sums = following.sums()
    assert (sums.commits, sums.backouts, sums.calls) == (1, 1, 2)
