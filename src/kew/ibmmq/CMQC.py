"""MQ's constants of verbs and messages, as programs import them from ibmmq."""
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
    from kew.faces.constants import of_verbs, with_arrays

    globals().update(with_arrays(of_verbs()))
    del of_verbs, with_arrays
