"""Processes that Ctrl-C leaves alone: their parent answers it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def kept_from_children() -> Iterator[None]:
    """Within, processes that are started keep SIGINT blocked from their first moment on: Ctrl-C at a terminal
    reaches all processes.
    """
    # The first process brings the tracker, whose start unblocks SIGINT.
    resource_tracker.ensure_running()
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
