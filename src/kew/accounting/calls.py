"""Counts of programs' calls to the queue manager: the message manager's statistics (QMST) and related ones.

Calls are counted only while something is recorded (`Engine.metered`). Counters only grow; the statistics take
differences.
"""


class CallCounters:
    """The counts of all programs' calls; used under the engine lock, except where a verb runs outside it."""

    def __init__(self) -> None:
        self.opens = 0
        self.closes = 0
        self.gets = 0
        self.puts = 0
        self.put1s = 0
        self.inquiries = 0
        self.sets = 0
        self.handles_left = 0  # programs that ended with handles open
        self.commits = 0
        self.backouts = 0
        # messages that came onto queues, and those of them that were persistent
        self.failed = 0  # puts that were refused
        self.bytes = 0
        self.persistent = 0
        self.persistent_bytes = 0
        self.subscribed = 0  # MQSUB
        self.subscribed_durably = 0
        self.requested = 0  # MQSUBRQ
        self.published = 0  # copies that subscriptions were given
        self.publications = 0
        self.unheard = 0  # publications without a subscription
        self.publishing_time = 0.0  # seconds
        self.expired_subscriptions = 0
        # of the interval under way
        self.most_reached = 0  # copies of one publication
        self.longest_publishing = 0.0
        # data manager: what became of gets
        self.got = 0
        self.browsed = 0
        self.gets_with_read = 0  # that had to wait for a page of the page set
        # lock manager: messages that units of work hold
        self.locked = 0
        self.unlocked = 0
        # data manager: definitions
        self.created = 0
        self.changed = 0
        self.deleted = 0

    def put(self, length: int, persistent: bool, single: bool, in_unit: bool) -> None:
        """Count a message that was put."""
        if single:
            self.put1s += 1
        else:
            self.puts += 1
        self.bytes += length
        if persistent:
            self.persistent += 1
            self.persistent_bytes += length
        if in_unit:
            self.locked += 1

    def publication(self, copies: int, seconds: float) -> None:
        """Count a publication that was copied to `copies` subscriptions."""
        self.publications += 1
        self.published += copies
        self.publishing_time += seconds
        if not copies:
            self.unheard += 1
        if copies > self.most_reached:
            self.most_reached = copies
        if seconds > self.longest_publishing:
            self.longest_publishing = seconds

    def forget_peaks(self) -> None:
        """Start the peaks of a new statistics interval."""
        self.most_reached = 0
        self.longest_publishing = 0.0

    def messages(self) -> int:
        """Give the number of messages that were put on queues."""
        return self.puts + self.put1s - self.failed

    def put_failed(self, single: bool) -> None:
        """Count a put that was refused."""
        self.failed += 1
        if single:
            self.put1s += 1
        else:
            self.puts += 1
