"""Ctrl-C: the first one ends the work, no further one what comes after it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def one_interrupt() -> Iterator[None]:
    """Within, the first Ctrl-C raises KeyboardInterrupt, and further ones are ignored: closing, printing and
    saving are not disturbed.

    Does nothing outside of the main thread, or where Ctrl-C has another meaning already.
    """
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return

    def first(_: int, __: object) -> NoReturn:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
