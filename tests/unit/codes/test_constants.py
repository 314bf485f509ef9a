"""Values that programs, wire captures and dumps rely on, checked against the numbers everybody knows by heart."""

import re
from types import ModuleType

import pytest

from kew.codes import attributes, channels, commands, completion, options, reasons, structures

MODULES: tuple[ModuleType, ...] = (attributes, channels, commands, completion, options, reasons, structures)

KNOWN = {
    "MQCC_OK": 0,
    "MQCC_WARNING": 1,
    "MQCC_FAILED": 2,
    "MQRC_BACKED_OUT": 2003,
    "MQRC_CONNECTION_BROKEN": 2009,
    "MQRC_MSG_TOO_BIG_FOR_Q": 2030,
    "MQRC_MSG_TOO_BIG_FOR_Q_MGR": 2031,
    "MQRC_NO_MSG_AVAILABLE": 2033,
    "MQRC_NOT_AUTHORIZED": 2035,
    "MQRC_Q_FULL": 2053,
    "MQRC_Q_MGR_NOT_AVAILABLE": 2059,
    "MQRC_TRUNCATED_MSG_ACCEPTED": 2079,
    "MQRC_TRUNCATED_MSG_FAILED": 2080,
    "MQRC_UNKNOWN_OBJECT_NAME": 2085,
    "MQRC_PAGESET_FULL": 2192,
    "MQRC_UNEXPECTED_ERROR": 2195,
    "MQRC_HOST_NOT_AVAILABLE": 2538,
    "MQRCCF_CHL_STATUS_NOT_FOUND": 3065,
    "MQRCCF_OBJECT_ALREADY_EXISTS": 4001,
    "MQRCCF_CHANNEL_NOT_FOUND": 4032,
    "MQOO_INPUT_SHARED": 2,
    "MQOO_OUTPUT": 16,
    "MQOO_FAIL_IF_QUIESCING": 8192,
    "MQPMO_SYNCPOINT": 2,
    "MQPMO_NEW_MSG_ID": 64,
    "MQGMO_WAIT": 1,
    "MQGMO_SYNCPOINT": 2,
    "MQGMO_BROWSE_FIRST": 16,
    "MQGMO_CONVERT": 16384,
    "MQMO_MATCH_MSG_ID": 1,
    "MQMO_MATCH_CORREL_ID": 2,
    "MQWI_UNLIMITED": -1,
    "MQMT_REQUEST": 1,
    "MQMT_DATAGRAM": 8,
    "MQPER_PERSISTENT": 1,
    "MQEI_UNLIMITED": -1,
    "MQFB_COA": 259,
    "MQENC_NATIVE": 546,
    "MQFMT_STRING": b"MQSTR   ",
    "MQFMT_RF_HEADER_2": b"MQHRF2  ",
    "MQMI_NONE": bytes(24),
    "MQQT_LOCAL": 1,
    "MQQT_ALIAS": 3,
    "MQIT_CORREL_ID": 2,
    "MQIA_CURRENT_Q_DEPTH": 3,
    "MQIA_MAX_Q_DEPTH": 15,
    "MQIA_Q_TYPE": 20,
    "MQCA_Q_NAME": 2016,
    "MQCA_Q_MGR_NAME": 2015,
    "MQCACH_CHANNEL_NAME": 3501,
    "MQIACH_CHANNEL_TYPE": 1511,
    "MQCMD_INQUIRE_Q": 13,
    "MQCMD_PING_Q_MGR": 40,
    "MQCFT_STRING_LIST": 6,
    "MQCHT_SVRCONN": 7,
    "MQXPT_TCP": 2,
    "MQOT_Q": 1,
    "MQHO_UNUSABLE_HOBJ": -1,
    "MQ_Q_NAME_LENGTH": 48,
    "MQMD_LENGTH_2": 364,
    "MQXQH_STRUC_ID": b"XQH ",
}


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_known_value(name: str) -> None:
    homes = [module for module in MODULES if hasattr(module, name)]
    assert len(homes) == 1
    assert vars(homes[0])[name] == KNOWN[name]


def test_every_constant_lives_in_one_module_and_is_in_mqs_spelling() -> None:
    seen: dict[str, str] = {}
    for module in MODULES:
        for name, value in vars(module).items():
            if not isinstance(value, int | bytes) or name.startswith("_"):
                continue
            assert re.fullmatch(r"MQ[A-Z0-9]*_[A-Z0-9_]+", name), name
            assert seen.setdefault(name, module.__name__) == module.__name__
    assert len(seen) > 5000


def test_flags_of_one_option_word_are_distinct_bits() -> None:
    flags = [
        options.MQGMO_WAIT,
        options.MQGMO_SYNCPOINT,
        options.MQGMO_NO_SYNCPOINT,
        options.MQGMO_BROWSE_FIRST,
        options.MQGMO_BROWSE_NEXT,
        options.MQGMO_ACCEPT_TRUNCATED_MSG,
        options.MQGMO_MSG_UNDER_CURSOR,
        options.MQGMO_LOCK,
        options.MQGMO_UNLOCK,
        options.MQGMO_SYNCPOINT_IF_PERSISTENT,
        options.MQGMO_FAIL_IF_QUIESCING,
        options.MQGMO_CONVERT,
        options.MQGMO_LOGICAL_ORDER,
    ]
    union = 0
    for flag in flags:
        assert flag.bit_count() == 1
        assert not union & flag
        union |= flag
