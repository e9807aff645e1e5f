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

from schedsolve.limits.lost_exceptions import frame_that_loses, raise_behind

SHORTEST_SECONDS, RING_AGAIN_SECONDS = 0.01, 0.1
"""The least time until the first signal, so that the work has begun, and the interval of later ones.

An exception in a callback of a library may be ignored, so the signal is repeated.
"""
LONGEST_SECONDS = 1e9
"""From so long a limit on there is none: timers do not take all numbers."""


class _TimeIsUp(BaseException):
    """Raised inside the block when its time is up and caught by `timeout`; not an Exception."""


@dataclass
class Timeout:
    """The state of a timeout: `passed` says whether it ended the block, `open` whether the block runs."""

    passed: bool = False
    open: bool = True


@contextmanager
def timeout(seconds: float, *, of_processor: bool = False) -> Iterator[Timeout]:
    """Interrupt the block after `seconds`, and continue with the code after it.

    A signal interrupts the block, as Ctrl-C does: between two Python instructions, not inside a C call. Only
    the main thread receives signals, and each process has one timer: in other threads, and inside an outer
    timeout that ends earlier, this one interrupts nothing.

    Parameters
    ----------
    seconds
        The time limit.
    of_processor
        Whether to measure the CPU time of this process, not wall-clock time.
    """
    state = Timeout()
    in_reach = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not in_reach or seconds >= LONGEST_SECONDS:
        yield state
        return
    outer, start = signal.getitimer(signal.ITIMER_REAL)[0], time.monotonic()
    last = time.process_time() + seconds if of_processor else 0.0
    if outer and outer <= seconds:
        yield state
        return

    over = _TimeIsUp()

    def ring(_: int, frame: FrameType | None) -> None:
        losing = frame_that_loses(frame)
        behind = frame if losing is None else losing.f_back
        reaches = behind is not None and behind.f_code.co_filename not in (__file__, contextlib.__file__)
        if not (state.open and time.process_time() >= last and reaches):
            return
        if losing is None:
            raise over
        if behind is not None:
            raise_behind(behind, over, lambda: state.open)

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(SHORTEST_SECONDS, seconds), RING_AGAIN_SECONDS)
    try:
        yield state
        state.open = False
    except _TimeIsUp as caught:
        if caught is not over:
            raise
        state.passed = True
    finally:
        state.open = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(SHORTEST_SECONDS, outer - (time.monotonic() - start)))
