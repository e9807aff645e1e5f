"""Where an exception that the handler of a signal raises would be lost."""

from __future__ import annotations

import _weakrefset
import gc
import weakref
from types import FrameType

_FILES = (weakref.__file__, _weakrefset.__file__, "<frozen importlib._bootstrap>")


def frame_that_loses(frame: FrameType | None) -> FrameType | None:
    """The outermost frame, of this one and its callers, that an exception raised now may not come out of as
    it is; None when there is none. It is one where Python calls back, as it does from its garbage collector
    and for weak references, and only reports what is raised; or that of an import, which leaves half a
    module behind and may end in another exception.
    """
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    found = None
    while frame is not None:
        code = frame.f_code
        if code in callbacks or code.co_name == "__del__" or code.co_filename in _FILES:
            found = frame
        frame = frame.f_back
    return found
