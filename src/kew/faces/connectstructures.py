"""The structures of MQCONNX: each field is used, or refused, so that none is accepted without effect.

MQCD is the channel, MQSCO the keys, MQBNO the balancing of reconnecting programs. MQBNO matters to uniform clusters
only, as in MQ; its values are checked and otherwise have no effect.
"""

from typing import Any, Final

from kew.codes.channels import (
    MQCHT_CLNTCONN,
    MQCOMPRESS_NONE,
    MQRCN_DISABLED,
    MQRCN_Q_MGR,
    MQRCN_YES,
    MQXPT_TCP,
)
from kew.codes.errors import MQError
from kew.codes.options import (
    MQBNO_BALTYPE_RA_MANAGED,
    MQBNO_BALTYPE_REQREP,
    MQBNO_BALTYPE_SIMPLE,
    MQBNO_OPTIONS_IGNORE_TRANS,
    MQBNO_TIMEOUT_NEVER,
    MQCNO_RECONNECT,
    MQCNO_RECONNECT_DISABLED,
    MQCNO_RECONNECT_Q_MGR,
)
from kew.codes.reasons import (
    MQRC_BNO_ERROR,
    MQRC_CD_ERROR,
    MQRC_CLIENT_EXIT_LOAD_ERROR,
    MQRC_CRYPTO_HARDWARE_ERROR,
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_KEY_REPOSITORY_ERROR,
    MQRC_SSL_INITIALIZATION_ERROR,
    MQRC_SUITE_B_ERROR,
)
from kew.codes.structures import MQ_SUITE_B_NONE
from kew.faces.connecting import ConnectRequest, text
from kew.faces.face import as_bytes

_RECONNECT: Final = {
    MQRCN_YES: MQCNO_RECONNECT,
    MQRCN_Q_MGR: MQCNO_RECONNECT_Q_MGR,
    MQRCN_DISABLED: MQCNO_RECONNECT_DISABLED,
}
_EXITS: Final = ("SecurityExit", "SendExit", "ReceiveExit")
_SIDES: Final = ("SendExitsDefined", "ReceiveExitsDefined")
_UNUSED: Final = -1  # an unused entry of a list of compression methods


def describe_channel(request: ConnectRequest, cd: Any) -> None:
    """Take the fields of an MQCD, up to its version."""
    request.channel = text(cd.ChannelName)
    request.connection_name = text(cd.ConnectionName)
    request.cipher = text(cd.SSLCipherSpec)
    request.peer_name = text(cd.SSLPeerNamePtr)
    request.heartbeat = cd.HeartbeatInterval
    request.max_message = cd.MaxMsgLength
    request.conversations = cd.SharingConversations
    request.header_compression = _methods(cd.HdrCompList)
    request.message_compression = _methods(cd.MsgCompList)
    request.channel_reconnect = _RECONNECT.get(getattr(cd, "DefReconnect", 0), 0)
    for field in _EXITS:
        if text(getattr(cd, field)):
            raise MQError(MQRC_CLIENT_EXIT_LOAD_ERROR, why=f"{field}: channels have no exits")
    if any(getattr(cd, field, 0) for field in _SIDES):
        raise MQError(MQRC_CLIENT_EXIT_LOAD_ERROR, why="channels have no exits")
    for field in ("LocalAddress", "CertificateLabel"):
        if text(getattr(cd, field, b"")):
            raise MQError(MQRC_FUNCTION_NOT_SUPPORTED, why=f"{field} is not supported")


def _methods(listed: Any) -> tuple[int, ...]:
    """Give the compression methods of a list; empty if the list says no compression."""
    found = tuple([each for each in listed if each != _UNUSED])
    if any(each < 0 for each in found):
        raise MQError(MQRC_CD_ERROR, why="a list of compression has a negative entry")
    return () if found in ((), (MQCOMPRESS_NONE,)) else found


def describe_keys(request: ConnectRequest, sco: Any) -> None:
    """Take the fields of an MQSCO."""
    request.key_repository = text(sco.KeyRepository)
    request.key_password = text(getattr(sco, "KeyRepoPassword", b""))
    request.key_reset = sco.KeyResetCount
    request.fips = bool(sco.FipsRequired)
    if request.key_reset < 0:
        raise MQError(MQRC_SSL_INITIALIZATION_ERROR, KeyResetCount=request.key_reset)
    if text(sco.CryptoHardware):
        raise MQError(MQRC_CRYPTO_HARDWARE_ERROR, why="TLS uses the library of the system")
    if sco.AuthInfoRecCount:
        raise MQError(MQRC_FUNCTION_NOT_SUPPORTED, why="certificates are not looked up in lists of revoked ones")
    if any(each > MQ_SUITE_B_NONE for each in getattr(sco, "EncryptionPolicySuiteB", ())):
        raise MQError(MQRC_SUITE_B_ERROR, why="Suite B is not supported; name a CipherSpec")
    if text(getattr(sco, "CertificateLabel", b"")):
        raise MQError(MQRC_KEY_REPOSITORY_ERROR, why="the key repository holds one certificate, which has no label")
    if getattr(sco, "HTTPSKeyStore", 0) or getattr(sco, "HTTPSCertValidation", 0):
        raise MQError(MQRC_FUNCTION_NOT_SUPPORTED, why="tables are fetched by the authorities of the system")


def check_balancing(bno: Any) -> None:
    """Refuse an MQBNO with invalid values."""
    known = (MQBNO_BALTYPE_SIMPLE, MQBNO_BALTYPE_REQREP, MQBNO_BALTYPE_RA_MANAGED)
    if bno.ApplType not in known or bno.Timeout < MQBNO_TIMEOUT_NEVER or bno.Options & ~MQBNO_OPTIONS_IGNORE_TRANS:
        raise MQError(MQRC_BNO_ERROR, ApplType=bno.ApplType, Timeout=bno.Timeout, Options=bno.Options)


def name_channel(cd: Any, channel: str | bytes, conn_name: str | bytes) -> None:
    """Fill the MQCD of a client that connects over TCP: the name of the channel, and the address."""
    cd.ChannelName = as_bytes(channel)
    cd.ConnectionName = as_bytes(conn_name)
    cd.ChannelType = MQCHT_CLNTCONN
    cd.TransportType = MQXPT_TCP
