"""Searches that are begun again with shuffled clauses, and decisions that wait."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from schedsolve.backends import restarts
from schedsolve.backends.restarts import SearchesInTurn, luby
from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.search import GivenUpError, Question
from schedsolve.models import get_model
from schedsolve.models.matching.claims.formula import rounds_formula
from schedsolve.models.matching.formulation.sat import decode, restarted_search
from tests.models.matching.problems import posed
from tests.solving.test_leaps import questions


def question_of(spec: str, rounds: int) -> SatQuestion:
    """Whether so many rounds suffice for a telegraph gossip."""
    problem = posed("telegraph", "gossip", spec)
    formula = rounds_formula(problem, rounds)
    return SatQuestion(formula.cnf, [-formula.held(0, 1, 0)], lambda true: decode(problem, formula, true))


def test_lengths_of_runs() -> None:
    """The sequence of the paper."""
    assert list(islice(luby(), 15)) == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_shuffled() -> None:
    """A shuffled question has other clauses, as many, and its schedules are schedules of the question."""
    question = question_of("cycle:6", 6)
    seen = set()
    for seed in range(5):
        shuffled = question.shuffled(random.Random(seed))
        assert len(shuffled.cnf.clauses) == len(question.cnf.clauses) + 1
        seen.add(tuple(map(tuple, shuffled.cnf.clauses)))
        search = SatSearch(lambda shuffled=shuffled: shuffled)  # type: ignore[misc]
        assert search.advance(60)
        replayed = get_model("telegraph").replay(*search.found())
        assert (replayed.violation, replayed.value) == (None, 6)
        search.close()
    assert len(seen) == 5


@pytest.mark.parametrize("seconds", [0.0, 20.0])
def test_restarts(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It finds what there is, however often it begins again, and gives up where there is nothing."""
    monkeypatch.setattr(restarts, "RUN_SECONDS", seconds)
    search = SearchesInTurn(restarts.restarts(lambda: question_of("grid:3x3", 7), 1))
    while search.advance(0.01) is None:
        pass
    replayed = get_model("telegraph").replay(*search.found())
    assert (replayed.violation, replayed.value) == (None, 7)
    search.close()
    search = SearchesInTurn(restarts.restarts(lambda: question_of("cycle:6", 5), 1))
    with pytest.raises(GivenUpError):
        assert [search.advance(1.0) for _ in range(100)] == []


def test_where_it_applies() -> None:
    """It is for gossip on networks with 13 nodes and four automorphisms or more."""
    assert restarted_search(Question(posed("telephone", "broadcast", "cycle:9"), 6)) is None
    assert restarted_search(Question(posed("telephone", "gossip", "cycle:14"), 9)) is not None
    assert restarted_search(Question(posed("telephone", "gossip", "cycle:12"), 9)) is None
    assert restarted_search(Question(posed("telegraph", "gossip", "random-regular:3,14"), 9)) is None


def test_a_decision_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not begun before its time."""
    assert questions(False, monkeypatch, after=1e6)[0] == []
