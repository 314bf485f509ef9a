"""The put message record, MQPMR: descriptor fields for one destination of a distribution list.

PutMsgRecFields says which of the fields a record has on the wire; they stand there in this order.
"""


class PutRecord:
    """The fields of one destination; after a put, the ids are those of the message."""

    def __init__(self) -> None:
        self.message_id: bytes = bytes(24)
        self.correlation_id: bytes = bytes(24)
        self.group_id: bytes = bytes(24)
        self.feedback: int = 0
        self.accounting_token: bytes = bytes(32)
