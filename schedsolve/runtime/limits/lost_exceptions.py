"""Exceptions of signal handlers: the frames in which they would be lost, and how they are raised later."""

from __future__ import annotations

import _weakrefset
import gc
import inspect
import sys
import weakref
from collections.abc import Callable
from types import FrameType

_NAMES = ("Thread.start", "ThreadPoolExecutor.submit", "_free", "held_back", "spawned")
"""Functions that start a thread, and those that block signals, which would stay blocked."""
_FILES = (weakref.__file__, _weakrefset.__file__, "<frozen importlib._bootstrap>")


def frame_that_loses(frame: FrameType | None) -> FrameType | None:
    """Return the outermost frame that an exception raised now may not leave unchanged, or None.

    The frame is `frame` or one of its callers. It is a callback of Python, as from its garbage
    collector and for weak references, which only reports exceptions; or an import, which leaves a
    half-initialized module and may end with another exception; or the start of a thread, which then
    runs unknown to its caller; or a function that blocks signals and has to restore them; or a constructor
    that has set no attribute yet, of a class whose destructor will look for some.
    """
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    found = None
    while frame is not None:
        code = frame.f_code
        named = code.co_name == "__del__" or code.co_qualname in _NAMES
        if named or code in callbacks or code.co_filename in _FILES or _begins_construction(frame):
            found = frame
        frame = frame.f_back
    return found


def _begins_construction(frame: FrameType) -> bool:
    """Return whether the frame constructs an object with a destructor and has set no attribute of it yet."""
    code = frame.f_code
    if code.co_name != "__init__" or not code.co_argcount:
        return False
    made = frame.f_locals.get(code.co_varnames[0])
    return hasattr(type(made), "__del__") and not getattr(made, "__dict__", True)


def raise_behind(frame: FrameType, error: BaseException, wanted: Callable[[], bool] = lambda: True) -> None:
    """Raise an exception in a frame at its next line, as a debugger stops there, if still wanted then.

    A generator may have no next line: it may be closed next, and what is raised in one that its last user
    forgot is only reported. Then the exception is raised in the nearest caller that is no generator.
    """
    waiting = [error]

    def stop(frame: FrameType, event: str, _: object) -> Callable[..., object]:
        ends = event in ("exception", "return")
        if not (ends and frame.f_code.co_flags & inspect.CO_GENERATOR):
            sys.settrace(None)
            if waiting and wanted():
                raise waiting.pop()
        return stop

    caller: FrameType | None = frame
    while caller is not None:
        caller.f_trace = stop
        caller = caller.f_back if caller.f_code.co_flags & inspect.CO_GENERATOR else None
    # Tracing must be on, and asks this for every new frame: getattr(frame, "call", None) is None. A function
    # of Python would be a place for the next signal, also where a generator is being closed.
    sys.settrace(getattr)
