"""Ctrl-C and SIGTERM: the first one ends the work, no further one what comes after it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from schedsolve.limits.lost_exceptions import frame_that_loses


@contextmanager
def one_interrupt(*, last: bool = False) -> Iterator[None]:
    """Within, the first Ctrl-C or SIGTERM raises KeyboardInterrupt, and further ones are ignored: closing,
    printing and saving are not disturbed.

    last: ignore them afterwards too, as the process only has to end.
    Does nothing outside of the main thread; a signal that has another meaning already keeps it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    taken = {number: handler for number, handler in usual.items() if signal.getsignal(number) is handler}

    def first(_: int, frame: FrameType | None) -> None:
        for number in taken:
            signal.signal(number, signal.SIG_IGN)
        losing = frame_that_loses(frame)
        if losing is None or losing.f_back is None:
            raise KeyboardInterrupt
        _interrupt_behind(losing.f_back)

    for number in taken:
        signal.signal(number, first)
    try:
        yield
    finally:
        for number, handler in taken.items():
            signal.signal(number, signal.SIG_IGN if last else handler)


def _interrupt_behind(frame: FrameType) -> None:
    """Raise KeyboardInterrupt in a frame when it comes to its next line, as a debugger stops there."""

    def interrupt(*_: object) -> NoReturn:
        sys.settrace(None)
        raise KeyboardInterrupt

    frame.f_trace = interrupt
    sys.settrace(lambda *_: None)


@contextmanager
def held_back() -> Iterator[None]:
    """Within, Ctrl-C and SIGTERM wait: what is being saved is saved."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
