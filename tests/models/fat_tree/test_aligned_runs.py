"""Prefixes with aligned runs only: the runs, the schedules found, and that no optimum is undercut."""

from __future__ import annotations

import pytest

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.search import Question
from schedsolve.models.fat_tree.claims.ladder import at_most_one
from schedsolve.models.fat_tree.formulation import aligned_runs_search
from schedsolve.models.fat_tree.rules import replay
from schedsolve.models.fat_tree.rules.tree import FatTree
from schedsolve.models.fat_tree.search.aligned_runs import aligned_runs
from tests.models.fat_tree.problems import posed


@pytest.mark.parametrize(
    ("n", "options", "optimum"),
    [
        (4, {}, 6),
        (4, {"capacity": "linear"}, 5),
        (4, {"timing": "rounds"}, 8),
        (8, {}, 11),
    ],
)
def test_they_reach_small_optima(n: int, options: dict[str, str], optimum: int) -> None:
    """In the optimum, which the formula of all runs proves; not below it."""
    problem = posed("prefix", n, **options)
    search = aligned_runs_search(Question(problem, optimum))
    assert search is not None
    assert search.advance(60)
    found, schedule = search.found()
    seen = replay(found, schedule)
    assert (seen.violation, seen.value) == (None, optimum)
    less = aligned_runs_search(Question(problem, optimum - 1))
    assert less is not None
    assert less.advance(60) is False


def test_only_prefixes_of_a_moderate_size() -> None:
    """Other tasks are left to other searches, and so is what would be too large."""
    assert aligned_runs_search(Question(posed("product", 4), 6)) is None
    assert aligned_runs_search(Question(posed("prefix", 64), 40)) is None


def test_the_runs() -> None:
    """Blocks and prefixes."""
    runs = aligned_runs(FatTree(2, (1, 1, 1)))
    assert runs == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (2, 2), (2, 3), (3, 3)]


@pytest.mark.parametrize("size", range(1, 8))
def test_at_most_one(size: int) -> None:
    """With a ladder as pair by pair: each alone can hold, and none together with another."""
    from pysat.solvers import Solver

    cnf = Cnf()
    literals = [cnf.new() for _ in range(size)]
    at_most_one(cnf, literals)
    with Solver("cadical195", bootstrap_with=cnf.clauses) as solver:
        assert all(solver.solve(assumptions=[x]) for x in literals)
        assert not any(solver.solve(assumptions=[x, y]) for x in literals for y in literals if x < y)
