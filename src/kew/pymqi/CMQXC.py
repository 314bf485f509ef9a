"""MQ's constants of channels and exits, as programs import them from pymqi."""
# ruff: noqa: F403

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kew.codes.attributes import *
    from kew.codes.channels import *
    from kew.codes.commands import *
    from kew.codes.completion import *
    from kew.codes.options import *
    from kew.codes.reasons import *
    from kew.codes.structures import *
else:
    from kew.faces.constants import of_channels, with_arrays
    from kew.pymqi.differences import CHANNELS, CONVERSION

    globals().update(with_arrays(of_channels() | CHANNELS | CONVERSION))
    del of_channels, with_arrays, CHANNELS, CONVERSION
