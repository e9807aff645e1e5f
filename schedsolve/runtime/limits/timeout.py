"""A timeout for code that does not poll the clock itself."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from schedsolve.runtime.limits.lost_exceptions import frame_that_loses, raise_behind

SHORTEST_SECONDS, RING_AGAIN_SECONDS = 0.01, 0.1
"""The least time until the first signal, so that the work has begun, and the interval of later ones.

An exception in a callback of a library may be ignored, so the signal is repeated.
"""
LONGEST_SECONDS = 1e9
"""From so long a limit on there is none: timers do not take all numbers."""


class _TimeIsUp(BaseException):
    """Raised inside the block when its time is up and caught by `timeout`; not an Exception."""


@dataclass(eq=False)
class Timeout:
    """The state of a timeout.

    Attributes
    ----------
    passed
        Whether it ended the block.
    open
        Whether the block runs.
    """

    seconds: float
    of_processor: bool
    passed: bool = False
    open: bool = True

    def __post_init__(self) -> None:
        self._end = self._now + self.seconds
        self.error = _TimeIsUp()

    @property
    def _now(self) -> float:
        return time.process_time() if self.of_processor else time.monotonic()

    @property
    def left(self) -> float:
        """The seconds until it ends the block, by its own measure."""
        return self._end - self._now


_running: list[Timeout] = []
"""The timeouts whose blocks run, from the outermost; they share the one timer of the process."""


@contextmanager
def timeout(seconds: float, *, of_processor: bool = False) -> Iterator[Timeout]:
    """Interrupt the block after `seconds`, and continue with the code after it.

    A signal interrupts the block, as Ctrl-C does: between two Python instructions, not inside a C call. Only
    the main thread receives signals, and each process has one timer: in other threads, and where a timer that
    is not of this function ends earlier, this one interrupts nothing.

    Parameters
    ----------
    seconds
        The time limit.
    of_processor
        Whether to measure the CPU time of this process, not wall-clock time.
    """
    state = Timeout(seconds, of_processor)
    in_reach = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not in_reach or seconds >= LONGEST_SECONDS:
        yield state
        return
    outer, start = 0.0 if _running else signal.getitimer(signal.ITIMER_REAL)[0], time.monotonic()
    if outer and outer <= seconds:
        yield state
        return
    before = signal.signal(signal.SIGALRM, _on_alarm)
    _running.append(state)
    _set_timer()
    try:
        yield state
        state.open = False
    except _TimeIsUp as caught:
        if caught is not state.error:
            raise
        state.passed = True
    finally:
        state.open = False
        _running.remove(state)
        _set_timer()
        signal.signal(signal.SIGALRM, before)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(SHORTEST_SECONDS, outer - (time.monotonic() - start)))


def _set_timer() -> None:
    """Let the timer ring when the first timeout can have passed; not at all if none is left."""
    nearest = max(SHORTEST_SECONDS, min(state.left for state in _running)) if _running else 0.0
    signal.setitimer(signal.ITIMER_REAL, nearest, RING_AGAIN_SECONDS if _running else 0.0)


def _on_alarm(_: int, frame: FrameType | None) -> None:
    """End the block of the outermost timeout that has passed."""
    over = next((state for state in _running if state.open and state.left <= 0), None)
    if over is None:
        if _running:
            _set_timer()
        return
    losing = frame_that_loses(frame)
    behind = frame if losing is None else losing.f_back
    # An error raised while a block is entered or left would break its bookkeeping; the timer rings again.
    if behind is None or behind.f_code.co_filename in (__file__, contextlib.__file__):
        return
    if losing is None:
        raise over.error
    raise_behind(behind, over.error, lambda: over.open)
