"""A CP-SAT search gets on although each of its slices starts again, and a signal ends it."""

import math
from typing import Any

import pytest

from schedsolve import Network, Options, build_problem, solve
from schedsolve.backends import cpsat
from schedsolve.backends.cpsat import CpModel, CpSearch, Reader
from schedsolve.runtime.limits.timeout import timeout


def _pigeons(holes: int, seconds: float = math.inf) -> CpSearch:
    """One pigeon more than holes; CP-SAT takes some 0.01 units of work for 6 holes, and long for 30."""

    def declare(model: CpModel) -> Reader:
        inside = [[model.boolean() for _ in range(holes)] for _ in range(holes + 1)]
        for pigeon in inside:
            model.clause(pigeon)
        for hole in zip(*inside, strict=True):
            for i, one in enumerate(hole):
                for other in hole[:i]:
                    model.clause([-one, -other])
        return lambda value: (_ for _ in ()).throw(AssertionError)

    return CpSearch(declare, seconds)


def test_slices_grow_until_the_question_is_decided() -> None:
    search = _pigeons(6)
    answers: list[bool | None] = []
    while len(answers) < 30 and (not answers or answers[-1] is None):
        answers.append(search.advance(1e-6))
    assert answers[-1] is False
    assert len(answers) > 2


def test_a_signal_ends_a_slice() -> None:
    search = _pigeons(40)
    with timeout(0.2) as limit:
        search.advance(1000.0)
    assert limit.passed


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The limits of work of all slices, as they begin."""
    seen: list[float] = []
    solved = cpsat._solved

    def noted(model: CpModel, **limit: float) -> tuple[Any, bool | None]:
        seen.append(limit["max_deterministic_time"])
        return solved(model, **limit)

    monkeypatch.setattr(cpsat, "_solved", noted)
    return seen


def test_a_slice_that_may_take_all_the_time_does(limits: list[float]) -> None:
    """It begins once, and the time ends it; one of less does so much work and no more."""
    assert _pigeons(40, 0.3).advance(0.3) is None
    assert _pigeons(40, 60).advance(0.01) is None
    assert limits == [math.inf, 0.01]


def test_a_search_that_is_alone_begins_once(limits: list[float]) -> None:
    """Six rounds are refuted in one slice, once seven have been found and nothing else is searched for."""
    problem = build_problem("telegraph", "gossip", Network.from_spec("grid:3x3"))
    result = solve(problem, Options(backend="cpsat", time_limit=60))
    assert (result.value, result.lower_bound) == (7, 7)
    assert limits.count(math.inf) == 1
    assert limits[-1] == math.inf
