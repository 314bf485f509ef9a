"""Policies of message protection take DSP of the queue manager to be seen, and CHG to be set or deleted, as in MQ."""

from collections.abc import Iterator

import pytest

from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.commands.actions.dispatch import perform
from kew.commands.mqsc.parser import parse_text
from kew.objects.caller import Caller
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

COMMANDS = {
    "SET POLICY(Q1) SIGNALG(SHA256)": "CHG",
    "SET POLICY(Q1) SIGNER('CN=alice') ACTION(ADD)": "CHG",
    "SET POLICY(Q1) SIGNER('CN=alice') ACTION(REMOVE)": "CHG",
    "DISPLAY POLICY(Q1)": "DSP",
    "DISPLAY POLICY(*)": "DSP",
    "DELETE POLICY(Q1)": "CHG",
}
MATRIX = {
    "": set(),
    "CONNECT": set(),
    "CONNECT,DSP": {"DSP"},
    "CONNECT,CHG": set(),  # nothing is changed by who may not see
    "CONNECT,DSP,CHG": {"DSP", "CHG"},
}


@pytest.fixture
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QueueManager]:
    data = str(tmp_path_factory.mktemp("data"))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), data)
    with manager.start("QM1", data) as started:
        started.mqsc("DEFINE QLOCAL(Q1)", "SET AUTHREC PROFILE(Q1) OBJTYPE(QUEUE) PRINCIPAL('ann') AUTHADD(ALL)")
        yield started


@pytest.mark.parametrize("given", MATRIX)
def test_what_authority_commands_on_policies_take(running: QueueManager, given: str) -> None:
    if given:
        running.mqsc(f"SET AUTHREC PROFILE(SELF) OBJTYPE(QMGR) PRINCIPAL('ann') AUTHADD({given})")
    for text, needed in COMMANDS.items():
        running.mqsc("SET POLICY(Q1) SIGNALG(SHA256) SIGNER('CN=alice') SIGNER('CN=bob')")
        reply = perform(running.host.commands, parse_text(text), Caller("ann"))
        allowed = needed in MATRIX[given]
        assert reply.ok == allowed, (text, given, reply.message)
        if not allowed:
            assert reply.reason == MQRC_NOT_AUTHORIZED
            assert running.host.catalogue.of_family("POLICY")
