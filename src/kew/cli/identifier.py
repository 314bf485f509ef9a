"""MsgId, CorrelId and the like as a user types them."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    _Bytes = click.ParamType[bytes]
else:
    _Bytes = click.ParamType  # generic in newer releases of click only


class Identifier(_Bytes):
    """An identifier of up to 24 bytes in hexadecimal."""

    name = "hex"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """Give the bytes."""
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
