"""A limit is a limit: work that never looks at the clock is interrupted, and what does not fit the memory is
refused before it is built.
"""

from __future__ import annotations

import gc
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from weakref import WeakSet

import pytest

from schedsolve.certify.saved_result import read_result
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Bound, Result, Status, result_to_json
from schedsolve.modelkit.search import Algorithm, BoundSearch, Options
from schedsolve.modelkit.task import gossip_demand
from schedsolve.models import build_problem, model_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.timeout import timeout
from schedsolve.solving.solve import solve
from tests.timeouts import is_up


def endless(*_: Any) -> Any:
    """Never ends, and never looks at the clock."""
    while True:
        pass


def one_bound_then_endless(_: Problem) -> Iterator[Bound]:
    """A bound, and then no end."""
    yield Bound("lower", 2, "for the test", {"kind": "distance"})
    endless()


def with_algorithm(model: Model, refuse: Callable[[Problem], str | None]) -> Model:
    """The model with one algorithm, which never ends, in place of its own."""
    algorithm = Algorithm("endless", "a test", frozenset({"gossip"}), refuse, endless)
    return replace(model, searches=lambda: (algorithm, *model.bound_searches, *model.decisions))


SLOW: dict[str, Callable[[Any], Any]] = {
    "bounds": lambda model: replace(model, bounds=one_bound_then_endless, searches=lambda: ()),
    "construction": lambda model: with_algorithm(model, lambda _: None),
    "refusal": lambda model: with_algorithm(model, endless),
    "bound search": lambda model: replace(model, searches=lambda: (BoundSearch("endless", endless),)),
}


@pytest.mark.parametrize("part", SLOW)
def test_a_solve_ends(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever part of a model never ends, the solve does, with the bounds found so far."""
    problem = build_problem("telephone", "gossip", Network.from_spec("petersen"), {})
    model = SLOW[part](model_of(problem))
    monkeypatch.setattr("schedsolve.solving.solve.model_of", lambda _: model)
    result: Result = solve(problem, Options(time_limit=0.3))
    assert (result.status, result.stopped) == ("bounded", "time limit")
    assert result.lower_bound is not None
    assert result.lower_bound >= 2


def test_a_timeout_is_noticed_and_cleared() -> None:
    """It ends the block only, says so, and leaves no timer and no handler behind; a block that ends in time
    is left alone, and an `except Exception` does not stop it.
    """
    before = signal.getsignal(signal.SIGALRM)
    with timeout(60) as early:
        pass
    with timeout(0.02) as late:
        while True:
            try:
                endless()
            except Exception:
                continue
    assert (early.passed, late.passed) == (False, True)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_the_nearer_of_two_timeouts() -> None:
    """An outer timeout that is nearer ends both blocks; an inner one ends the inner block only."""
    with timeout(0.05) as outer:
        with timeout(60) as inner:
            endless()
        raise AssertionError
    assert (outer.passed, inner.passed) == (True, False)
    with timeout(60) as outer:
        with timeout(0.02) as inner:
            endless()
        assert inner.passed
    assert not outer.passed


def test_of_two_timeouts_that_have_passed_the_outer_one_ends() -> None:
    """As after a long call in C, during which no signal is handled."""
    with timeout(60) as outer:
        with timeout(60) as inner:
            inner._end = outer._end = inner._now
            is_up(inner)
        raise AssertionError
    assert (outer.passed, inner.passed) == (True, False)


def test_timeouts_by_different_clocks() -> None:
    """One by the clock ends waiting that one of CPU time, within it or around it, lets go on."""
    with timeout(0.05) as outer:
        with timeout(0.02, of_processor=True) as inner:
            time.sleep(5)
        raise AssertionError
    assert (outer.passed, inner.passed) == (True, False)
    with timeout(0.04, of_processor=True) as outer:
        with timeout(0.02) as inner:
            time.sleep(5)
        assert inner.passed
        with timeout(60) as inner:
            endless()
        raise AssertionError
    assert (outer.passed, inner.passed) == (True, False)


def test_what_does_not_fit_the_memory_is_refused() -> None:
    """200,000 items at 200,000 nodes are refused at once."""
    with pytest.raises(InputError, match="200000 items at 200000 nodes"):
        gossip_demand(200_000)


def test_a_gossip_beyond_the_memory_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where not all items fit the memory at all nodes, a schedule is thinned and replayed block by block."""
    problem = build_problem("telegraph", "gossip", Network.from_spec("star:100"))
    monkeypatch.setattr("schedsolve.modelkit.task.LARGEST_KNOWLEDGE", 100**2 - 1)
    monkeypatch.setattr("schedsolve.modelkit.task.BLOCK_KNOWLEDGE", 1000)
    monkeypatch.setattr("schedsolve.modelkit.task.LEAST_BLOCK", 10)
    with pytest.raises(InputError, match="100 items at 100 nodes take"):
        problem.demand()
    result = solve(problem)
    assert (result.status, result.value) == (Status.OPTIMAL, 198)
    assert result.schedule is not None
    assert result.schedule.call_count == 198


def test_a_time_limit_is_named() -> None:
    """What ended a solve stands in the result, and is read back."""
    problem = build_problem("telegraph", "gossip", Network.from_spec("hypercube:5"))
    result = solve(problem, Options(time_limit=0.1))
    data = result_to_json(result)
    assert data["stopped"] == "time limit"
    assert read_result(data).stopped == "time limit"


def test_a_timeout_waits_for_the_garbage_collector() -> None:
    """What is raised in a callback of the collector, or in a destructor, is lost."""
    seen: list[str] = []

    def slow(phase: str, _: dict[str, int]) -> None:
        if phase == "start" and not seen:
            is_up(limit)
            seen.append(phase)

    gc.callbacks.append(slow)
    try:
        with timeout(60) as limit:
            gc.collect()
            endless()
    finally:
        gc.callbacks.remove(slow)
    assert (limit.passed, seen) == (True, ["start"])


def test_a_timeout_waits_until_a_destructor_can_run() -> None:
    """An object interrupted before its first attribute would fail in its destructor, where it is lost."""
    made: list[str] = []

    class Slow:
        """Its destructor reads the attribute that its constructor sets late."""

        def __init__(self) -> None:
            is_up(limit)
            self.name = "made"

        def __del__(self) -> None:
            made.append(self.name)

    with timeout(60) as limit:
        Slow()
        endless()
    assert (limit.passed, made) == (True, ["made"])


def test_a_timeout_waits_for_weak_references() -> None:
    """What is raised while one is removed is lost."""

    class Slow:
        """Its hash is asked for when its weak reference is removed from a set."""

    kept = WeakSet[Slow]()
    slow: list[Slow] = [Slow()]
    kept.add(slow[0])
    tried: list[str] = []

    class Data(set[Any]):
        def discard(self, _: object) -> None:
            is_up(limit)
            tried.append("remove")

    vars(kept)["data"] = Data(vars(kept)["data"])
    with timeout(60) as limit:
        slow.clear()
        endless()
    assert (limit.passed, tried) == (True, ["remove"])


def test_seconds_of_the_processor() -> None:
    """A timeout by them ends work, and does not end waiting."""
    with timeout(0.05, of_processor=True) as waiting:
        time.sleep(0.2)
    with timeout(0.05, of_processor=True) as working:
        while True:
            pass
    assert (waiting.passed, working.passed) == (False, True)
