"""A deadline for work that does not look at the clock itself."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from schedsolve.limits.lost_exceptions import frame_that_loses

SHORTEST_SECONDS, RING_AGAIN_SECONDS = 0.01, 0.1
"""The timer's first time at least, so that the work has begun, and every further time: an exception in a
callback of a library may go unnoticed.
"""


class _TimeIsUp(BaseException):
    """Raised inside the work at its deadline; `deadline` catches it. No `except Exception` stops it."""


@dataclass
class Deadline:
    """What became of a deadline. passed: whether it ended the work. open: whether the work goes on."""

    passed: bool = False
    open: bool = True


@contextmanager
def deadline(seconds: float, *, of_processor: bool = False) -> Iterator[Deadline]:
    """Inside, the work ends after so many seconds, wherever it is; what comes after the block goes on.

    of_processor: seconds that this process computes, so that other work on the machine does not count.

    It is ended by a signal, as Ctrl-C is: between two steps of Python, not inside of a call of C. Only the
    main thread has signals, and each process has one timer: elsewhere, and inside of an earlier deadline that
    is nearer, the work is not interrupted by this one.
    """
    state = Deadline()
    in_reach = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not in_reach or seconds == float("inf"):
        yield state
        return
    outer, start = signal.getitimer(signal.ITIMER_REAL)[0], time.monotonic()
    last = time.process_time() + seconds if of_processor else 0.0
    if outer and outer <= seconds:
        yield state
        return

    over = _TimeIsUp()

    def ring(_: int, frame: FrameType | None) -> None:
        reaches = frame is not None and frame.f_code.co_filename not in (__file__, contextlib.__file__)
        if state.open and time.process_time() >= last and reaches and frame_that_loses(frame) is None:
            raise over

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
