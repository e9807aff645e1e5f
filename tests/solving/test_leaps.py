"""Searches that cannot refute are asked for more than the next better value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Decision, Options, Question, RunningSearch
from schedsolve.models import build_problem, model_of
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve


class Failing:
    """A search that finds nothing, at once."""

    def advance(self, _: float) -> bool:
        return False

    def found(self) -> tuple[Problem, Schedule]:
        raise AssertionError

    def evidence(self) -> None:
        return None

    def close(self) -> None:
        return None


BOUNDS = [Bound("lower", 2, "a test", {"kind": "distance"})]


def questions(
    refutes: bool, monkeypatch: pytest.MonkeyPatch, *, after: float = 0.0
) -> tuple[list[int], int, int]:
    """What a decision is asked that finds nothing, with the bounds in the end."""
    asked: list[int] = []

    def start(question: Question) -> RunningSearch:
        asked.append(question.value)
        return Failing()

    problem = build_problem("telephone", "gossip", Network.from_spec("path:12"), {})
    algorithms = [a for a in model_of(problem).algorithms if a.name == "accumulate-then-broadcast"]
    failing = Decision("failing", "sat", refutes, start, after=after)
    model = replace(model_of(problem), bounds=lambda _: BOUNDS, searches=lambda: (*algorithms, failing))
    monkeypatch.setattr("schedsolve.solving.solve.model_of", lambda _: model)
    result = solve(problem, Options(time_limit=20))
    assert isinstance(result.value, int)
    assert isinstance(result.lower_bound, int)
    return asked, result.lower_bound, result.value


def test_half_way_down_until_that_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next better value, one half-way, then one half-way to what failed; its "no" proves nothing."""
    asked, lower, upper = questions(False, monkeypatch)
    assert lower == 2
    assert sorted(asked[:2]) == [(2 + upper - 1) // 2, upper - 1]
    assert asked[2:] == sorted(asked[2:])
    assert all(value >= (2 + upper - 1) // 2 for value in asked)


def test_a_no_that_counts_moves_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same search, if it refutes, settles the question."""
    asked, lower, upper = questions(True, monkeypatch)
    assert lower == upper
    assert 2 in asked
