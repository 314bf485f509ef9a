"""The codes of a STATUS_DATA body: reasons why a channel is refused or ended."""

from typing import Final

NO_CHANNEL: Final = 0x01
CHANNEL_WRONG_TYPE: Final = 0x02
QUEUE_MANAGER_UNAVAILABLE: Final = 0x03
SEQUENCE_ERROR: Final = 0x04
QUEUE_MANAGER_TERMINATING: Final = 0x05
CANNOT_STORE: Final = 0x06
USER_CLOSED: Final = 0x07
TIMEOUT_EXPIRED: Final = 0x08
TARGET_QUEUE_UNKNOWN: Final = 0x09
SEGMENT_TYPE_ERROR: Final = 0x0A
LENGTH_ERROR: Final = 0x0B
INVALID_DATA: Final = 0x0C
SEGMENT_ERROR: Final = 0x0D
INITIAL_DATA_ERROR: Final = 0x0E
MESSAGE_HEADER_ERROR: Final = 0x0F
GENERAL_ERROR: Final = 0x10
BATCH_FAILURE: Final = 0x11
MESSAGE_LENGTH_ERROR: Final = 0x12
SEGMENT_NUMBER_ERROR: Final = 0x13
SECURITY_FAILURE: Final = 0x14
WRAP_VALUE_ERROR: Final = 0x15
CHANNEL_UNAVAILABLE: Final = 0x16
CLOSED_BY_EXIT: Final = 0x17
CIPHER_SPEC_MISMATCH: Final = 0x18
PEER_NAME_MISMATCH: Final = 0x19
CLIENT_CERTIFICATE_MISSING: Final = 0x1A
RESOURCES_IN_RECOVERY: Final = 0x1B
SSL_REFRESHING: Final = 0x1C
INVALID_HANDLE: Final = 0x1D
CONVERSATION_ID_ERROR: Final = 0x1E
SOCKET_ACTION_ERROR: Final = 0x1F
STANDBY_QUEUE_MANAGER: Final = 0x20
CCSID_NOT_SUPPORTED: Final = 0xF0
ENCODING_INVALID: Final = 0xF1
FAP_LEVEL_ERROR: Final = 0xF2
NEGOTIATION_FAILED: Final = 0xF3

TEXTS: Final[dict[int, str]] = {
    NO_CHANNEL: "no such channel",
    CHANNEL_WRONG_TYPE: "the channel is of another type",
    QUEUE_MANAGER_UNAVAILABLE: "the queue manager is not available",
    SEQUENCE_ERROR: "message sequence numbers differ",
    QUEUE_MANAGER_TERMINATING: "the queue manager is ending",
    CANNOT_STORE: "the message cannot be stored",
    USER_CLOSED: "closed by the other side's operator",
    TIMEOUT_EXPIRED: "a time limit ran out",
    TARGET_QUEUE_UNKNOWN: "the target queue is unknown",
    SEGMENT_TYPE_ERROR: "unexpected segment type",
    LENGTH_ERROR: "a length is wrong",
    INVALID_DATA: "invalid data in a segment",
    SEGMENT_ERROR: "segments out of order",
    INITIAL_DATA_ERROR: "the initial data is wrong",
    MESSAGE_HEADER_ERROR: "the message segment header is wrong",
    GENERAL_ERROR: "protocol error",
    BATCH_FAILURE: "the batch failed",
    MESSAGE_LENGTH_ERROR: "the message is longer than agreed",
    SEGMENT_NUMBER_ERROR: "a segment number is wrong",
    SECURITY_FAILURE: "refused by a security rule",
    WRAP_VALUE_ERROR: "sequence wrap values differ",
    CHANNEL_UNAVAILABLE: "the channel is stopped or its instances are used up",
    CLOSED_BY_EXIT: "closed by an exit",
    CIPHER_SPEC_MISMATCH: "the cipher specifications differ",
    PEER_NAME_MISMATCH: "the certificate's name does not match",
    CLIENT_CERTIFICATE_MISSING: "a client certificate is required",
    RESOURCES_IN_RECOVERY: "the other side is recovering",
    SSL_REFRESHING: "security settings are being refreshed",
    INVALID_HANDLE: "invalid object handle",
    CONVERSATION_ID_ERROR: "unknown conversation",
    SOCKET_ACTION_ERROR: "unknown socket action",
    STANDBY_QUEUE_MANAGER: "this is a standby queue manager",
    CCSID_NOT_SUPPORTED: "the character set is not supported",
    ENCODING_INVALID: "the encoding is invalid",
    FAP_LEVEL_ERROR: "the protocol level is not supported",
    NEGOTIATION_FAILED: "no agreement on the channel's values",
}


def describe(code: int) -> str:
    """Give the text of a status code; unknown codes have a text too."""
    return TEXTS.get(code, f"status code 0x{code:02X}")
