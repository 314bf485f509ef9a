"""Lengths of the character attributes of MQINQ that are not names of 48 characters."""

from typing import Final

from kew.codes import attributes as codes

NAME_LENGTH: Final = 48

LENGTHS: Final[dict[int, int]] = {
    codes.MQCA_APPL_ID: 256,
    codes.MQCA_CREATION_DATE: 12,
    codes.MQCA_CREATION_TIME: 8,
    codes.MQCA_ENV_DATA: 128,
    codes.MQCA_NAMELIST_DESC: 64,
    codes.MQCA_PROCESS_DESC: 64,
    codes.MQCA_Q_DESC: 64,
    codes.MQCA_Q_MGR_DESC: 64,
    codes.MQCA_USER_DATA: 128,
    codes.MQCA_STORAGE_CLASS: 8,
    codes.MQCA_TRIGGER_DATA: 64,
    codes.MQCA_CHANNEL_AUTO_DEF_EXIT: 128,
    codes.MQCA_ALTERATION_DATE: 12,
    codes.MQCA_ALTERATION_TIME: 8,
    codes.MQCA_CLUSTER_WORKLOAD_EXIT: 128,
    codes.MQCA_CLUSTER_WORKLOAD_DATA: 32,
    codes.MQCA_CF_STRUC_NAME: 12,
    codes.MQCA_QSG_NAME: 4,
    codes.MQCA_IGQ_USER_ID: 12,
    codes.MQCA_SSL_KEY_REPOSITORY: 256,
    codes.MQCA_SSL_CRYPTO_HARDWARE: 256,
    codes.MQCA_TPIPE_NAME: 8,
    codes.MQCA_CUSTOM: 128,
    codes.MQCA_VERSION: 8,
    codes.MQCA_CERT_LABEL: 64,
}


def is_character(selector: int) -> bool:
    """Say whether a selector names a character attribute (MQCA) rather than an integer one (MQIA)."""
    return codes.MQCA_FIRST <= selector <= codes.MQCA_LAST


def character_length(selector: int) -> int:
    """Give the length of a character attribute's value."""
    return LENGTHS.get(selector, NAME_LENGTH)
