"""Attributes of a message channel, as its definition has them when an instance starts."""

from typing import Final

from kew.channels.protocol.negotiate import MAX_MESSAGE
from kew.channels.transport.address import AddressError, parse_addresses
from kew.codes.attributes import MQMON_Q_MGR, MQUSEDLQ_NO
from kew.codes.channels import (
    MQCDC_SENDER_CONVERSION,
    MQCHT_CLUSRCVR,
    MQCHT_CLUSSDR,
    MQCHT_RECEIVER,
    MQCHT_REQUESTER,
    MQCHT_SENDER,
    MQCHT_SERVER,
    MQCOMPRESS_ANY,
    MQCOMPRESS_LZ4FAST,
    MQCOMPRESS_LZ4HIGH,
    MQCOMPRESS_NONE,
    MQCOMPRESS_RLE,
    MQCOMPRESS_ZLIBFAST,
    MQCOMPRESS_ZLIBHIGH,
    MQNPMS_FAST,
    MQPA_DEFAULT,
    MQSCA_REQUIRED,
)
from kew.objects.catalogue import Record
from kew.objects.schema import object_type

SENDING_TYPES: Final = ("SDR", "SVR", "CLUSSDR")
RECEIVING_TYPES: Final = ("RCVR", "RQSTR", "CLUSRCVR")
MESSAGE_TYPES: Final = (*SENDING_TYPES, *RECEIVING_TYPES)
TYPE_CODES: Final = {
    "SDR": MQCHT_SENDER,
    "SVR": MQCHT_SERVER,
    "RCVR": MQCHT_RECEIVER,
    "RQSTR": MQCHT_REQUESTER,
    "CLUSSDR": MQCHT_CLUSSDR,
    "CLUSRCVR": MQCHT_CLUSRCVR,
}
_ALL_COMPRESSIONS: Final = [
    MQCOMPRESS_NONE,
    MQCOMPRESS_RLE,
    MQCOMPRESS_ZLIBFAST,
    MQCOMPRESS_ZLIBHIGH,
    MQCOMPRESS_LZ4FAST,
    MQCOMPRESS_LZ4HIGH,
]


class MessageChannel:
    """One definition of a message channel. Attributes that the type does not have keep MQ's default."""

    def __init__(self, record: Record) -> None:
        values = {**object_type(record.kind).defaults, **record.values} if record.kind in MESSAGE_TYPES else {}

        def number(keyword: str, otherwise: int = 0) -> int:
            value = values.get(keyword, otherwise)
            return value if isinstance(value, int) else otherwise

        def numbers(keyword: str) -> list[int]:
            value = values.get(keyword)
            return [each for each in value if isinstance(each, int)] if isinstance(value, tuple) else [MQCOMPRESS_NONE]

        def text(keyword: str) -> str:
            return str(values.get(keyword, "")).strip()

        self.name = record.name
        self.kind = record.kind
        self.type_code = TYPE_CODES.get(record.kind, 0)
        self.sends = record.kind in SENDING_TYPES
        self.transmission_queue = text("XMITQ")
        self.connection_name = text("CONNAME")
        self.local_address = text("LOCLADDR")
        self.batch_size = max(number("BATCHSZ", 50), 1)
        self.batch_limit = number("BATCHLIM") * 1024  # bytes
        self.batch_interval = number("BATCHINT") / 1000  # seconds
        self.batch_heartbeat = number("BATCHHB") / 1000
        self.disconnect = number("DISCINT", 6000)
        self.heartbeat = number("HBINT", 300)
        self.keep_alive = number("KAINT", -1)
        self.short_retries = number("SHORTRTY", 10)
        self.short_timer = number("SHORTTMR", 60)
        self.long_retries = number("LONGRTY", 999999999)
        self.long_timer = number("LONGTMR", 1200)
        self.max_message = number("MAXMSGL") or MAX_MESSAGE
        self.wrap = number("SEQWRAP", 999999999)
        self.fast = number("NPMSPEED", MQNPMS_FAST) == MQNPMS_FAST
        self.uses_dead_letter_queue = number("USEDLQ") != MQUSEDLQ_NO
        self.converts = number("CONVERT") == MQCDC_SENDER_CONVERSION
        self.property_control = number("PROPCTL")
        self.put_authority = number("PUTAUT", MQPA_DEFAULT)
        self.retry_count = number("MRRTY", 10)
        self.retry_interval = number("MRTMR", 1000) / 1000
        self.cipher = text("SSLCIPH")
        self.peer = text("SSLPEER")
        self.certificate_needed = number("SSLCAUTH", MQSCA_REQUIRED) == MQSCA_REQUIRED
        self.user = text("MCAUSER")
        self.monitoring = number("MONCHL", MQMON_Q_MGR)
        self.statistics = number("STATCHL", MQMON_Q_MGR)
        self.header_compression = numbers("COMPHDR")
        offered = numbers("COMPMSG")
        self.message_compression = _ALL_COMPRESSIONS if MQCOMPRESS_ANY in offered else offered

    def addresses(self) -> list[tuple[str, int]]:
        """Hosts and ports of CONNAME in the order in which they are tried; raises AddressError."""
        return parse_addresses(self.connection_name) if self.connection_name else []


__all__ = ["MESSAGE_TYPES", "RECEIVING_TYPES", "SENDING_TYPES", "AddressError", "MessageChannel"]
