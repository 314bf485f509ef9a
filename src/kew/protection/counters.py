"""Counters of message protection, above all of asymmetric operations: the most expensive, which key reuse saves."""


class Counters:
    """Counts since the start of the process, or of the connection."""

    def __init__(self) -> None:
        self.protected = 0  # messages that were put
        self.unprotected = 0  # messages that were got
        self.signed = 0
        self.verified = 0
        self.wrapped = 0  # content keys, once for each recipient
        self.unwrapped = 0
        self.rejected = 0  # messages that did not meet their policy

    @property
    def asymmetric(self) -> int:
        """The number of asymmetric operations."""
        return self.signed + self.verified + self.wrapped + self.unwrapped

    def add(self, other: "Counters") -> None:
        """Add the counts of another counter."""
        self.protected += other.protected
        self.unprotected += other.unprotected
        self.signed += other.signed
        self.verified += other.verified
        self.wrapped += other.wrapped
        self.unwrapped += other.unwrapped
        self.rejected += other.rejected
