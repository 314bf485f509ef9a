"""Every command of the grammar is carried out or refused with a reason."""

import pytest

from kew.commands.actions import unsupported
from kew.commands.actions.dispatch import ACTIONS
from kew.commands.mqsc.grammar import CommandSpec, all_commands
from kew.objects.schema import FAMILIES
from kew.objects.schema.pending import NOT_HEEDED

COMMANDS = [spec for spec in all_commands() if not spec.refused]


@pytest.mark.parametrize("spec", COMMANDS, ids=lambda spec: spec.title)
def test_every_command_has_an_action_that_knows_its_parameters(spec: CommandSpec) -> None:
    action = ACTIONS[spec.verb, spec.target]
    if action.anything:
        assert (spec.verb, spec.target) in unsupported.NOT_YET or spec.target in unsupported.NOTHING
        return
    required = {word for keyword in spec.required for word in keyword.split("|")}
    options = {option.keyword for option in spec.options}
    assert required & options <= action.parameters


def test_no_action_is_for_a_command_that_does_not_exist() -> None:
    assert set(ACTIONS) == {(spec.verb, spec.target) for spec in COMMANDS}


def test_what_is_not_heeded_are_attributes_there_are() -> None:
    for family, keywords in NOT_HEEDED.items():
        known = {spec.keyword for kind in FAMILIES[family].types for spec in kind.attributes}
        assert set(keywords) <= known
