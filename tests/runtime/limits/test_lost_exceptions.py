"""A timeout or Ctrl-C at the one moment at which it would leave signals blocked."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator

import pytest

from schedsolve.certify.propagation import _free
from schedsolve.commands.interrupts import held_back
from schedsolve.runtime.executors.spawned import spawned
from schedsolve.runtime.limits.lost_exceptions import raise_behind
from schedsolve.runtime.limits.timeout import timeout
from tests.timeouts import is_up


class Solver:
    """One whose memory is nothing."""

    def delete(self) -> None:
        pass


def holding_back() -> None:
    with held_back():
        pass


def spawning() -> None:
    spawned(os.getpid).join()


def freeing() -> None:
    _free(Solver())


BLOCKING = {
    "_free": freeing,
    "held_back": holding_back,
    "spawned": spawning,
}


@pytest.mark.parametrize("moment", [signal.SIG_BLOCK, signal.SIG_SETMASK], ids=["blocking", "restoring"])
@pytest.mark.parametrize("block", BLOCKING.values(), ids=BLOCKING)
def test_signals_are_restored(
    block: Callable[[], None], moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exception is raised behind the function that blocks signals, not within it."""
    sigmask = signal.pthread_sigmask
    met: list[int] = []

    def interrupted(how: int, mask: Collection[int]) -> set[int]:
        if how == signal.SIG_SETMASK and moment == how:
            is_up(limit)
        before = sigmask(how, mask)
        if how == signal.SIG_BLOCK and moment == how:
            is_up(limit)
        met.append(how)
        return before

    monkeypatch.setattr(signal, "pthread_sigmask", interrupted)
    with timeout(1000) as limit:
        block()
        time.sleep(20)
        raise AssertionError
    assert limit.passed
    assert signal.SIG_SETMASK in met
    assert not sigmask(signal.SIG_BLOCK, ())


def test_a_generator_being_closed_loses_no_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to be raised in a generator that its user forgets is raised in the user."""
    lost: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda ignored: lost.append(ignored.exc_value))

    def closing() -> Iterator[bool]:
        try:
            yield False
        finally:
            raise_behind(sys._getframe(), TimeoutError())

    with pytest.raises(TimeoutError):  # noqa: PT012
        found = all(closing())
        assert not found
    assert not lost
