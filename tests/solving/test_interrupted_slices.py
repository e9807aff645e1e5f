"""A timeout in the middle of a solver's slice: the solver is not taken away while it still works, and is
freed where no timeout cuts that short.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pysolvers
import pytest

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.runtime.limits.timeout import Timeout, timeout


def pigeons(holes: int) -> Cnf:
    """One pigeon more than holes: no model, and a long way to see it."""
    cnf = Cnf()
    sits = {place: cnf.new() for place in product(range(holes + 1), range(holes))}
    for pigeon in range(holes + 1):
        cnf.add(*(sits[pigeon, hole] for hole in range(holes)))
    for hole in range(holes):
        cnf.at_most_one([sits[pigeon, hole] for pigeon in range(holes + 1)])
    return cnf


def nothing(_: set[int]) -> tuple[Problem, Schedule]:
    """There is no model."""
    raise AssertionError


def let_pass(state: Timeout) -> None:
    """The time of a timeout is up now, however busy the machine is."""
    state._end = 0.0
    os.kill(os.getpid(), signal.SIGALRM)


@pytest.mark.parametrize("solver", ["cadical195", "glucose4"])
def test_a_timeout_within_a_slice(solver: str) -> None:
    """The slice is still under way when the timeout has passed; closing waits for its end."""
    search = SatSearch(lambda: SatQuestion(pigeons(11), [], nothing), solver=solver)
    search._slice = 20_000
    answer = None

    def wait_for_the_solver() -> None:
        while search._thread._running is None:
            time.sleep(0.001)
        let_pass(state)

    with timeout(600) as state:
        threading.Thread(target=wait_for_the_solver).start()
        answer = search.advance(600)
    search.close()
    assert state.passed
    assert answer is None


def test_a_timeout_within_the_start_of_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The timeout waits until the search knows of the thread in which the solver works: otherwise closing
    would free a solver at work.
    """
    start = ThreadPoolExecutor._adjust_thread_count

    def interrupted(pool: ThreadPoolExecutor) -> None:
        start(pool)
        let_pass(state)

    monkeypatch.setattr(ThreadPoolExecutor, "_adjust_thread_count", interrupted)
    search = SatSearch(lambda: SatQuestion(pigeons(11), [], nothing), solver="cadical195")
    with timeout(600) as state:
        search.advance(600)
    assert state.passed
    assert search._thread._running is not None
    search.close()


def test_a_solver_is_freed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a thread that no signal reaches."""
    free, freed = pysolvers.cadical195_del, []

    def noted(solver: Any, proof: Any) -> None:
        freed.append(threading.current_thread() is threading.main_thread())
        free(solver, proof)

    search = SatSearch(lambda: SatQuestion(pigeons(3), [], nothing), solver="cadical195")
    assert search.advance(60) is False
    monkeypatch.setattr(pysolvers, "cadical195_del", noted)
    search.close()
    search.close()
    assert freed == [False]
