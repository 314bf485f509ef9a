"""MQ's constants by header file, the way programs import them.

Every constant is declared once, in kew.codes. IBM's headers spread them over cmqc.h (verbs and messages), cmqcfc.h
(PCF) and cmqxc.h (exits and channels), and the Python packages have a module for each. The prefix of a name decides its
module.
"""

from types import ModuleType
from typing import Final

from kew.codes import attributes, channels, commands, completion, options, reasons, structures

Constant = int | bytes | list[bytes]

_SOURCES: Final[tuple[ModuleType, ...]] = (
    options,
    structures,
    completion,
    reasons,
    attributes,
    commands,
    channels,
)
_CHANNEL_PREFIXES: Final = frozenset(
    """
    MQACH MQAXC MQAXP MQCAFTY MQCD MQCDC MQCF MQCHT MQCLCT MQCOMPRESS MQCXP MQDXP MQKAI MQMCAT MQMCEV MQNPMS
    MQNXP MQPA MQPBC MQPROTO MQPSXP MQQF MQQMF MQQS MQQSR MQRCN MQSBC MQSCA MQSECPROT MQSPL MQWDR MQWDR1 MQWDR2
    MQWQR MQWQR1 MQWQR2 MQWQR3 MQWQR4 MQWXP MQWXP1 MQWXP2 MQWXP3 MQWXP4 MQXACT MQXC MQXCC MQXDR MQXE MQXEPO MQXF
    MQXP MQXPDA MQXPT MQXR MQXR2 MQXT MQXUA MQXWD
    """.split()
)
_COMMAND_PREFIXES: Final = frozenset(
    """
    MQACTIVE MQADPCTX MQAM MQAPPL MQAS MQAUSC MQAUTH MQAUTHENTICATE MQAUTHOPT MQAUTOCLUS MQBACF MQBALANCED
    MQBALSTATE MQBPLOCATION MQBT MQCACF MQCACH MQCAMO MQCAUT MQCFACCESS MQCFBF MQCFBS MQCFC MQCFGR MQCFH MQCFIF
    MQCFIL MQCFIL64 MQCFIN MQCFIN64 MQCFO MQCFOP MQCFSF MQCFSL MQCFST MQCFSTATUS MQCFT MQCFTYPE MQCHIDS MQCHK
    MQCHLA MQCHLD MQCHRR MQCHS MQCHSH MQCHSR MQCHSSTATE MQCHTAB MQCLROUTE MQCLRS MQCLRT MQCLST MQCLXQ MQCMD
    MQCMDI MQDELO MQDISCONNECT MQDOPT MQEPH MQERO MQET MQEVO MQEVR MQEXT MQEXTATTRS MQFC MQFS MQFSENC MQGACF
    MQGUR MQHSTATE MQIACF MQIACH MQIAMO MQIAMO64 MQIDO MQIMMREASON MQINBD MQIS MQLDAP MQLDAPC MQLOGTYPE MQLR
    MQMATCH MQMCAS MQMCP MQMLP MQMODE MQMULC MQNHABACKLOG MQNHACONNACTV MQNHACONNGRP MQNHAGRPROLE MQNHAINSYNC
    MQNHAROLE MQNHASTATUS MQNHATYPE MQNSH MQOPER MQOPMODE MQPAGECLAS MQPO MQPS MQPSCT MQPSST MQPUBO MQQMDT
    MQQMFAC MQQMSTA MQQMT MQQO MQQSGS MQQSIE MQQSO MQQSOT MQQSUM MQRAR MQRCCF MQRDNS MQREGO MQROUTE MQRP MQRQ
    MQRT MQS MQSECCOMM MQSECITEM MQSECSW MQSECTYPE MQSELTYPE MQSTDBY MQSUBTYPE MQSUS MQSYNCPOINT MQSYSOBJ MQSYSP
    MQTIME MQUA MQUCI MQUIDSUPP MQUNDELIVERED MQUOWST MQUOWT MQUSAGE
    """.split()
)
_COMMAND_NAMES: Final = frozenset(  # prefixes that two headers share
    """
    MQACT_ADD MQACT_ADVANCE_LOG MQACT_ARCHIVE_LOG MQACT_COLLECT_STATISTICS MQACT_FAIL MQACT_FORCE_REMOVE
    MQACT_PUBSUB MQACT_REDUCE_LOG MQACT_REMOVE MQACT_REMOVEALL MQACT_REPLACE MQSCO_CELL MQSCO_Q_MGR
    MQ_ARCHIVE_PFX_LENGTH MQ_ARCHIVE_UNIT_LENGTH MQ_ASID_LENGTH MQ_AUTH_PROFILE_NAME_LENGTH MQ_CF_LEID_LENGTH
    MQ_COMMAND_MQSC_LENGTH MQ_DATA_SET_NAME_LENGTH MQ_DB2_NAME_LENGTH MQ_DSG_NAME_LENGTH MQ_ENTITY_NAME_LENGTH
    MQ_ENV_INFO_LENGTH MQ_GROUP_ADDRESS_LENGTH MQ_HOST_NAME_LENGTH MQ_IP_ADDRESS_LENGTH MQ_LOG_CORREL_ID_LENGTH
    MQ_LOG_EXTENT_NAME_LENGTH MQ_LOG_PATH_LENGTH MQ_LRSN_LENGTH MQ_LSN_LENGTH MQ_NHA_REPL_ADDRESS_LENGTH
    MQ_ORIGIN_NAME_LENGTH MQ_PSB_NAME_LENGTH MQ_PST_ID_LENGTH MQ_Q_MGR_CPF_LENGTH MQ_Q_MGR_DATA_PATH_LENGTH
    MQ_RBA_LENGTH MQ_REMOTE_PRODUCT_LENGTH MQ_REMOTE_VERSION_LENGTH MQ_RESPONSE_ID_LENGTH
    MQ_SECURITY_PROFILE_LENGTH MQ_SERVICE_COMPONENT_LENGTH MQ_SUB_NAME_LENGTH MQ_SYSP_SERVICE_LENGTH
    MQ_SYSTEM_NAME_LENGTH MQ_TASK_NUMBER_LENGTH MQ_TPIPE_PFX_LENGTH MQ_UOW_ID_LENGTH MQ_USER_DATA_LENGTH
    MQ_VOLSER_LENGTH
    """.split()
)
_WITHOUT_ARRAY: Final = frozenset({"MQACTT", "MQNVS", "MQSIDT"})


def _is_command(name: str) -> bool:
    return name.partition("_")[0] in _COMMAND_PREFIXES or name in _COMMAND_NAMES


def _is_channel(name: str) -> bool:
    return name.partition("_")[0] in _CHANNEL_PREFIXES


def _all() -> dict[str, Constant]:
    found: dict[str, Constant] = {}
    for source in _SOURCES:
        for name, value in vars(source).items():
            if name.startswith("MQ") and isinstance(value, int | bytes):
                found[name] = value
    return found


ALL: Final = _all()


def with_arrays(constants: dict[str, Constant]) -> dict[str, Constant]:
    """Add to each character constant a second one with a list of its characters, as the headers have it."""
    result = dict(constants)
    for name, value in constants.items():
        if isinstance(value, bytes) and name.partition("_")[0] not in _WITHOUT_ARRAY:
            result[name + "_ARRAY"] = [value[place : place + 1] for place in range(len(value))]
    return result


def of_verbs() -> dict[str, Constant]:
    """Give the constants of cmqc.h."""
    return {name: value for name, value in ALL.items() if not _is_command(name) and not _is_channel(name)}


def of_commands() -> dict[str, Constant]:
    """Give the constants of cmqcfc.h."""
    return {name: value for name, value in ALL.items() if _is_command(name)}


def of_channels() -> dict[str, Constant]:
    """Give the constants of cmqxc.h."""
    return {name: value for name, value in ALL.items() if _is_channel(name)}
