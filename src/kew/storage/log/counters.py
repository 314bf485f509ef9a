"""Counters of the log: the fields of the log manager's statistics (QJST) that apply to Kew.

Each counter only grows, except the peaks; the statistics take differences. The writer, the maintenance and the readers
each write their own fields, so no lock is needed.
"""


class IoCounters:
    """Writes to one copy of the log, of one class."""

    def __init__(self) -> None:
        # QJSTIOCOUNT, QJSTIOCI, QJSTIOTOTIO
        self.requests = 0
        self.pages = 0
        self.seconds = 0.0
        # QJSTIOMAXIO, QJSTIOMAXIOT, QJSTIOMAXIOL: the longest write, when it ended, and the file it went to
        self.longest = 0.0
        self.longest_when = 0.0
        self.longest_file = ""
        # QJSTIOTOTSUS, QJSTIOMAXSUS, QJSTIOMAXSUST, QJSTIOMAXSUSL: from the first request for a write to its end
        self.suspended = 0.0
        self.longest_suspended = 0.0
        self.longest_suspended_when = 0.0
        self.longest_suspended_file = ""

    def written(self, pages: int, seconds: float) -> None:
        """Count a write."""
        self.requests += 1
        self.pages += pages
        self.seconds += seconds

    def forget_peaks(self) -> None:
        """Reset the peaks for a new statistics interval."""
        self.longest = self.longest_when = 0.0
        self.longest_suspended = self.longest_suspended_when = 0.0
        self.longest_file = self.longest_suspended_file = ""


class CopyCounters:
    """Writes to one copy of the log."""

    def __init__(self) -> None:
        self.one_page = IoCounters()
        self.many_pages = IoCounters()
        # QJSTCP1N, QJSTCP2N: log files newly taken into use
        self.new_files = 0
        # Seconds the copy's device was busy with writes and syncs, in any thread; the rest of time is QJSTSLPTU.
        self.busy_seconds = 0.0
        # QJSTIOSQU: the sum of the squares of the write times, in microseconds squared
        self.square_microseconds = 0
        self.syncs = 0

    def class_of(self, pages: int) -> IoCounters:
        """Return the counters for a write of that many pages."""
        return self.one_page if pages == 1 else self.many_pages


class LogCounters:
    """All counters of the log."""

    def __init__(self) -> None:
        # QJSTWRW: forces that had to wait for a write
        self.write_requests_wait = 0
        # QJSTWRNW: records appended
        self.write_requests_nowait = 0
        # QJSTWRF: requests to make the log durable up to an address
        self.write_requests_force = 0
        # QJSTWTB: times that the log buffer had no room
        self.buffer_waits = 0
        # QJSTRBUF, QJSTRACT, QJSTRARH: reads by where they were satisfied
        self.reads_buffer = 0
        self.reads_active = 0
        self.reads_archive = 0
        self.read_pages = 0
        self.read_bytes = 0
        self.read_seconds = 0.0
        # QJSTBSDS
        self.bootstrap_accesses = 0
        # QJSTBFFL: pages filled
        self.pages_created = 0
        # QJSTBFWR: writer steps that wrote
        self.buffer_writes = 0
        # QJSTALR, QJSTALW, QJSTCIOF
        self.archive_reads = 0
        self.archive_writes = 0
        self.archive_failures = 0
        self.pages_offloaded = 0
        # QJSTLLCP
        self.checkpoints = 0
        # QJSTLSUS: times a caller was suspended for a log request
        self.suspends = 0
        # QJSTLOGW, QJSTCIWR: over all copies
        self.io_requests = 0
        self.pages_written = 0
        # QJSTSERW: pages written again because they were partly filled (SingleWrite)
        self.pages_rewritten = 0
        # QJSTTHRW: times the buffer filled up to its write threshold
        self.threshold_writes = 0
        self.bytes_appended = 0
        self.secondary_formatted = 0
        self.copies = (CopyCounters(), CopyCounters())

    def forget_peaks(self) -> None:
        """Reset the peaks for a new statistics interval."""
        for copy in self.copies:
            copy.one_page.forget_peaks()
            copy.many_pages.forget_peaks()
