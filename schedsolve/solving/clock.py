"""The clock of a solve: how long it has worked, and whether to stop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from schedsolve.modelkit.search import Options
from schedsolve.runtime.limits.timeout import timeout

GRACE_SECONDS = 0.3
"""How long after the time limit a step that does not poll the clock is interrupted."""
MOST_BY_THE_CLOCK = 10.0
"""A solve ends after so many times its time limit by the clock, however little of the processor it got."""


class Clock:
    """The time since the start, and whether to stop; in seconds.

    The time limit counts CPU time, so that other programs on the machine do not change what is tried.

    Attributes
    ----------
    elsewhere
        The CPU seconds that other processes worked for this one.
    most_by_the_clock
        By the clock it ends after so many times the limit; 1 where the work of others is not counted.
    """

    def __init__(self, options: Options, most_by_the_clock: float = MOST_BY_THE_CLOCK) -> None:
        self.most_by_the_clock = most_by_the_clock
        self.start = time.monotonic()
        self._begun = time.process_time()
        self.elsewhere = 0.0
        self.limit = options.time_limit
        self.interrupted = False

    @property
    def elapsed(self) -> float:
        """Since the start, by the clock."""
        return time.monotonic() - self.start

    @property
    def spent(self) -> float:
        """The CPU seconds since the start, those of other processes among them."""
        return time.process_time() - self._begun + self.elsewhere

    @property
    def left(self) -> float:
        """The CPU seconds until the time limit, or those by the clock until its multiple."""
        if self.limit is None:
            return float("inf")
        return min(self.limit - self.spent, self.left_by_the_clock)

    @property
    def left_by_the_clock(self) -> float:
        """The seconds by the clock until `most_by_the_clock` times the time limit."""
        return float("inf") if self.limit is None else self.most_by_the_clock * self.limit - self.elapsed

    @property
    def over(self) -> bool:
        """Whether to stop: interrupted, or the time is up."""
        return self.interrupted or self.left <= 0

    @contextmanager
    def interrupting(self, grace: float = GRACE_SECONDS) -> Iterator[None]:
        """Interrupt the block soon after the time is up, if it does not look at this clock itself."""
        with (
            timeout(max(0.0, self.left_by_the_clock) + grace),
            timeout(max(0.0, self.left) + grace, of_processor=True),
        ):
            yield
