"""A crash at any point of a change of definitions leaves it whole or undone."""

import pytest
from tests.crash.definitions import CHANGES, Change, check


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_power_loss_at_every_operation(change: Change) -> None:
    assert check(change) >= 3
