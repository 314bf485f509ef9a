"""What PCF shows of an object, sent back as a create command, makes the same object, on a running queue manager."""

from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import HealthCheck, assume, given, settings
from tests.support.definitions import agrees, definitions, heeded
from tests.support.pcf import Administrator

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.commands.actions.script import Script
from kew.commands.mqsc.grammar import OBJECTS
from kew.commands.mqsc.printer import define
from kew.formats import pcf
from kew.objects.administration import key_of
from kew.objects.definition import Definition
from kew.objects.parameters import to_parameters
from kew.objects.schema import KEEP
from kew.objects.schema.security import MQZAET_GROUP
from kew.objects.secrets import SECRETS
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration

CONFIGURED = ("PSID", "BUFFPOOL", "QMGR")
FINDING = ("SUB",)  # made only where its topic and its queue are; tests/property/test_topics.py has subscriptions
# By family: the commands that create and show.
NUMBERS: Final = {
    **{each.family.name: (each.define_pcf, each.display_pcf) for each in OBJECTS},
    "CHLAUTH": (c.MQCMD_SET_CHLAUTH_REC, c.MQCMD_INQUIRE_CHLAUTH_RECS),
    "AUTHREC": (c.MQCMD_SET_AUTH_REC, c.MQCMD_INQUIRE_AUTH_RECS),
    "POLICY": (c.MQCMD_SET_PROT_POLICY, c.MQCMD_INQUIRE_PROT_POLICY),
}


@pytest.fixture(scope="module")
def admin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Administrator]:
    data = str(tmp_path_factory.mktemp("data"))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=256)), data)
    with manager.start("QM1", data) as running:
        yield Administrator(running)


def stored(admin: Administrator, wanted: Definition) -> Definition | None:
    record = admin.running.host.catalogue.records.get(key_of(wanted))
    if record is None:
        return None
    values = {
        keyword: wanted.kind[keyword].default if wanted.kind[keyword].role == KEEP else value
        for keyword, value in record.values.items()
    }
    return Definition(wanted.kind, record.name, values)


def remove(admin: Administrator, definition: Definition) -> None:
    if definition.kind.family == "QUEUE":
        admin.running.host.administration.delete(definition.name)
    else:
        admin.running.host.objects.remove([admin.running.host.catalogue.records[key_of(definition)]])


def sent_back(shown: pcf.PCFMessage, definition: Definition) -> list[pcf.Parameter]:
    """The parameters of a reply that a create command takes."""
    kind = definition.kind
    assert kind.name_spec is not None
    if kind.name == "AUTHREC":
        return _authority(shown)
    taken = {kind.name_spec.pcf, kind.pcf_subtype[0]}
    for spec in kind.attributes:
        if spec.definable:
            taken.update({spec.pcf, spec.pcf_seconds})
    return [one for one in shown.parameters if one.parameter in taken]


def _authority(shown: pcf.PCFMessage) -> list[pcf.Parameter]:
    """Set Authority Record has other names for the entity and the authorities than its inquiry."""
    by_id = {one.parameter: one for one in shown.parameters}
    entity, kind, given = by_id[a.MQCACF_ENTITY_NAME], by_id[a.MQIACF_ENTITY_TYPE], by_id[a.MQIACF_AUTHORIZATION_LIST]
    assert isinstance(entity, pcf.String)
    assert isinstance(kind, pcf.Integer)
    assert isinstance(given, pcf.IntegerList)
    names = a.MQCACF_GROUP_ENTITY_NAMES if kind.value == MQZAET_GROUP else a.MQCACF_PRINCIPAL_ENTITY_NAMES
    return [
        by_id[a.MQCACF_AUTH_PROFILE_NAME],
        by_id[a.MQIACF_OBJECT_TYPE],
        pcf.StringList(names, [entity.value], entity.ccsid),
        pcf.IntegerList(a.MQIACF_AUTH_ADD_AUTHS, given.values),
    ]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(definition=definitions())
def test_define_inquire_create(admin: Administrator, definition: Definition) -> None:
    kind = definition.kind
    assume(kind.family not in CONFIGURED + FINDING)
    wanted = heeded(definition)
    assume(agrees(wanted) and not wanted.name.endswith("*"))
    assume(not any(wanted.values.get(secret) for secret in SECRETS))
    catalogue = admin.running.host.catalogue
    assume(all(record.name != wanted.name for record in catalogue.of_family(kind.family)))
    script = Script(admin.running.host.commands)
    said = [line for batch in script.run(define(wanted)) for line in batch]
    assume(not any("does not do this yet" in line for line in said))
    assert script.counts.failed == script.counts.syntax_errors == 0, said
    create, inquire = NUMBERS[kind.family]
    assert kind.name_spec is not None
    name = to_parameters(kind.name_spec, wanted.name)
    shown = admin.ask(inquire, *name)
    assert shown.reason == 0
    assert len(shown.messages) == 1
    remove(admin, wanted)
    assert stored(admin, wanted) is None
    made = admin.ask(create, *sent_back(shown.messages[0], wanted))
    assert made.reason == 0, (made.reason, made.at_fault)
    assert stored(admin, wanted) == wanted
    remove(admin, wanted)
