"""Ctrl-C and SIGTERM: the first signal ends the work, and later ones do not disturb the cleanup."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from schedsolve.runtime.limits.lost_exceptions import frame_that_loses, raise_behind


@contextmanager
def one_interrupt(*, last: bool = False) -> Iterator[None]:
    """Raise KeyboardInterrupt on the first Ctrl-C or SIGTERM in this context, and ignore further ones.

    Closing, printing and saving are thus not disturbed. It does nothing outside the main thread, and a signal
    that already has another handler keeps it.

    Parameters
    ----------
    last
        Whether signals are ignored afterwards too, because the process only has to end.
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
        raise_behind(losing.f_back, KeyboardInterrupt())

    for number in taken:
        signal.signal(number, first)
    try:
        yield
    finally:
        for number, handler in taken.items():
            signal.signal(number, signal.SIG_IGN if last else handler)


@contextmanager
def held_back() -> Iterator[None]:
    """Delay Ctrl-C and SIGTERM in this context, so that what is being saved is saved."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
