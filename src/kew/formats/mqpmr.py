"""MQPMR: the fields of one destination of a distribution list that replace those of the descriptor.

Which of the fields a record has on the wire is said by PutMsgRecFields, in this order.
"""


class PutRecord:
    """The fields of one destination; ids come back as they were used."""

    def __init__(self) -> None:
        self.message_id: bytes = bytes(24)
        self.correlation_id: bytes = bytes(24)
        self.group_id: bytes = bytes(24)
        self.feedback: int = 0
        self.accounting_token: bytes = bytes(32)
