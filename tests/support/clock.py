"""A clock that stands still until it is told."""


class FakeClock:
    """Both times as plain attributes that a test sets or advances."""

    def __init__(self, time: float = 1_740_493_934.804) -> None:
        self.now = time
        self.elapsed = 0.0

    def monotonic(self) -> float:
        return self.elapsed

    def time(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds
        self.elapsed += seconds
