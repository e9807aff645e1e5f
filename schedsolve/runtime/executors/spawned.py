"""Child processes that ignore Ctrl-C, and the guard that a script needs to start them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnProcess
from typing import Any

from schedsolve.runtime.errors import InputError

MISSING_GUARD = 83
"""The exit status of a process that ran its parent's script again and was about to start processes too."""


def missing_guard(ended: str = "") -> InputError:
    """Return the error for a process that ended while it imported the script that started it.

    `ended` says how it ended if the script is not known to have no guard.
    """
    return InputError(
        'a script that starts processes needs the guard `if __name__ == "__main__":` around what it does,'
        f" because every process imports the script first{ended and '; '}{ended}"
    )


def spawned(target: Callable[..., object], *arguments: Any) -> SpawnProcess:
    """Start a daemon process that ignores Ctrl-C from its first moment, and return it.

    Ctrl-C at a terminal reaches all processes of its group; their parent handles it.

    Parameters
    ----------
    target
        A module's function.
    arguments
        Its arguments; they must be picklable.
    """
    end_without_guard()
    process = multiprocessing.get_context("spawn").Process(target=target, args=arguments, daemon=True)
    # The first process brings the tracker, whose start unblocks SIGINT.
    resource_tracker.ensure_running()
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
    return process


def end_without_guard() -> None:
    """End this process with the status MISSING_GUARD if it is a child that is importing its parent's script.

    The script would not be importing but working if it had the guard. No exception is raised, since the
    script could catch it and continue.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        os._exit(MISSING_GUARD)
