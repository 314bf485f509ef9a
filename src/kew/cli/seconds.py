"""Times as a user types them."""

import math
from typing import Any

import click


class Seconds(click.FloatRange):
    """A number of seconds within bounds; what is no number is none."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Give the number."""
        try:
            if math.isnan(float(value)):
                raise ValueError
        except ValueError:
            self.fail(f"'{value}' is not a number of seconds", param, ctx)
        number = super().convert(value, param, ctx)
        assert isinstance(number, float)
        return number
