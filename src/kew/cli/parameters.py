"""Parameter types of the command line: identifiers in hexadecimal, and numbers of seconds."""

import math
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _Bytes = click.ParamType[bytes]
else:
    _Bytes = click.ParamType  # generic in newer releases of click only


class Identifier(_Bytes):
    """The parameter type of an identifier of up to 24 bytes in hexadecimal."""

    name = "hex"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """Convert the text to bytes, or refuse it."""
        if isinstance(value, bytes):
            return value
        try:
            identifier = bytes.fromhex(str(value))
        except ValueError:
            self.fail(f"'{value}' is not hexadecimal", param, ctx)
        if len(identifier) > 24:
            self.fail(f"an identifier has at most 24 bytes, this has {len(identifier)}", param, ctx)
        return identifier


IDENTIFIER = Identifier()


class Seconds(click.FloatRange):
    """The parameter type of a number of seconds within bounds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert the text to a number, or refuse it."""
        try:
            if math.isnan(float(value)):
                raise ValueError
        except ValueError:
            self.fail(f"'{value}' is not a number of seconds", param, ctx)
        number = super().convert(value, param, ctx)
        assert isinstance(number, float)
        return number
