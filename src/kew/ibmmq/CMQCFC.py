"""MQ's constants of PCF commands and events, as programs import them from ibmmq."""
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
    from kew.faces.constants import of_commands, with_arrays

    globals().update(with_arrays(of_commands()))
    del of_commands, with_arrays
