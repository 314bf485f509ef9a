"""The statistics of a queue (QQST), beyond the counters that every queue has.

A queue has this object only while class 5 of the statistics trace is active, its STATQ asks for it and the records are
of a release with these fields. The object counts one interval: the recorder takes it and leaves a new object.
"""

from typing import Final

NOTHING_PUT: Final = -1


class QueueStatistics:
    """The counters of one queue in one interval. Used under the engine lock."""

    def __init__(self, depth: int, inputs: int, outputs: int) -> None:
        self.highest_depth = depth
        self.lowest_depth = depth
        self.highest_inputs = inputs
        self.lowest_inputs = inputs
        self.highest_outputs = outputs
        self.lowest_outputs = outputs
        # puts: those that were persistent, and those by MQPUT1, of both kinds and persistent
        self.puts = 0
        self.put_bytes = 0
        self.persistent_puts = 0
        self.persistent_bytes = 0
        self.put1s = 0
        self.put1_bytes = 0
        self.persistent_put1s = 0
        self.persistent_put1_bytes = 0
        self.failed_puts = 0
        self.failed_put1s = 0
        self.direct = 0  # to a getter that waited
        self.direct_bytes = 0
        self.streamed = 0
        self.smallest = NOTHING_PUT
        self.largest = 0
        # gets and browses
        self.gets = 0
        self.got_bytes = 0
        self.persistent_gets = 0
        self.persistent_got_bytes = 0
        self.browses = 0
        self.browsed_bytes = 0
        self.persistent_browses = 0
        self.persistent_browsed_bytes = 0
        self.failed_gets = 0
        self.empty_gets = 0
        self.truncated_gets = 0
        self.failed_browses = 0
        self.empty_browses = 0
        self.truncated_browses = 0
        self.unserved_gets = 0  # that waited in vain
        self.unserved_browses = 0
        self.redriven_gets = 0  # that waited and were tried again
        self.redriven_browses = 0
        # the rest
        self.opens = 0
        self.closes = 0
        self.inquiries = 0
        self.sets = 0
        self.puts_undone = 0
        self.gets_undone = 0

    def put(self, length: int, persistent: bool, single: bool, direct: bool, depth: int) -> None:
        """Count a put."""
        if single:
            self.put1s += 1
            self.put1_bytes += length
            if persistent:
                self.persistent_put1s += 1
                self.persistent_put1_bytes += length
        else:
            self.puts += 1
            self.put_bytes += length
            if persistent:
                self.persistent_puts += 1
                self.persistent_bytes += length
        if direct:
            self.direct += 1
            self.direct_bytes += length
        elif depth > self.highest_depth:
            self.highest_depth = depth
        if length > self.largest:
            self.largest = length
        if length < self.smallest or self.smallest == NOTHING_PUT:
            self.smallest = length

    def put_failed(self, single: bool) -> None:
        """Count a put that was refused."""
        if single:
            self.failed_put1s += 1
        else:
            self.failed_puts += 1

    def got(self, length: int, persistent: bool, depth: int) -> None:
        """Count a get."""
        self.gets += 1
        self.got_bytes += length
        if persistent:
            self.persistent_gets += 1
            self.persistent_got_bytes += length
        if depth < self.lowest_depth:
            self.lowest_depth = depth

    def browsed(self, length: int, persistent: bool) -> None:
        """Count a browse."""
        self.browses += 1
        self.browsed_bytes += length
        if persistent:
            self.persistent_browses += 1
            self.persistent_browsed_bytes += length

    def get_failed(self, browse: bool, empty: bool, truncated: bool, waited: bool) -> None:
        """Count a get or browse that gave no message."""
        if browse:
            self.failed_browses += 1
            self.empty_browses += empty
            self.truncated_browses += truncated
            self.unserved_browses += empty and waited
        else:
            self.failed_gets += 1
            self.empty_gets += empty
            self.truncated_gets += truncated
            self.unserved_gets += empty and waited

    def redriven(self, browse: bool) -> None:
        """Count a waiting get or browse that is tried again."""
        if browse:
            self.redriven_browses += 1
        else:
            self.redriven_gets += 1

    def handles(self, inputs: int, outputs: int) -> None:
        """Note the new number of handles open for input and for output."""
        self.highest_inputs = max(self.highest_inputs, inputs)
        self.lowest_inputs = min(self.lowest_inputs, inputs)
        self.highest_outputs = max(self.highest_outputs, outputs)
        self.lowest_outputs = min(self.lowest_outputs, outputs)
