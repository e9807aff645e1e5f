"""A deadline for work that does not look at the clock itself."""

from __future__ import annotations

import _weakrefset
import contextlib
import gc
import signal
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

SHORTEST_SECONDS, RING_AGAIN_SECONDS = 0.01, 0.1
"""The timer's first time at least, so that the work has begun, and every further time: an exception in a
callback of a library may go unnoticed.
"""


_WEAK_REFERENCES = (weakref.__file__, _weakrefset.__file__)


class _TimeIsUp(BaseException):
    """Raised inside the work at its deadline; `deadline` catches it. No `except Exception` stops it."""


@dataclass
class Deadline:
    """What became of a deadline. passed: whether it ended the work. open: whether the work goes on."""

    passed: bool = False
    open: bool = True


def _would_be_lost(frame: FrameType) -> bool:
    """Whether an exception raised now would not reach the block: in its own machinery, or where Python calls
    back, as it does from its garbage collector and for weak references, and only reports what is raised.
    """
    if frame.f_code.co_filename in (__file__, contextlib.__file__):
        return True
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    within: FrameType | None = frame
    while within is not None:
        code = within.f_code
        if code in callbacks or code.co_name == "__del__" or code.co_filename in _WEAK_REFERENCES:
            return True
        within = within.f_back
    return False


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
        if state.open and time.process_time() >= last and frame is not None and not _would_be_lost(frame):
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
