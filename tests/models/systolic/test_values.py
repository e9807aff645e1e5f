"""Systolic values of the paper and of the documentation, infeasible periods, and decisions about numbers of
rounds.
"""

from __future__ import annotations

from typing import Any

import pytest

from schedsolve.modelkit.result import Status
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of
from schedsolve.models.matching.claims.lower_bounds import tree_gossip
from schedsolve.models.systolic.claims.formula import horizon, without_period
from schedsolve.models.systolic.claims.lower_bounds import period_growth
from schedsolve.models.systolic.rules import replay
from schedsolve.runtime.errors import InputError
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.models.systolic.problems import (
    complaint,
    posed,
    proven,
)

VALUES = {
    "telegraph gossip path:7 6": 10,
    "telegraph gossip path:3 6": 4,
    "telephone gossip tree:2,3 3": 12,
    "telephone gossip tree:2,5 8": 19,
    "telephone gossip path:5 2": 5,
    "telephone gossip path:5 3": 6,
    "telephone gossip tree:2,5 3": 20,
    "telephone gossip tree:2,5 4": 21,
    "telegraph gossip tree:2,2 6": 11,
    "telegraph gossip tree:3,2 8": 16,
    "telephone gossip hypercube:3 3": 3,
}


@pytest.mark.parametrize(("line", "value"), VALUES.items())
def test_values_by_number(line: str, value: int) -> None:
    """Optima of the paper and of the documentation; the two cases in which a longer period is worse among
    them.
    """
    assert proven(posed(line)) == value


def test_growth_with_a_period() -> None:
    """With period 1 a source informs one node; with period 2 two nodes a round join, in round 1 one; with 3
    the numbers of new nodes add up like Fibonacci's, with the source's last call besides.
    """
    assert period_growth(posed("telegraph broadcast complete:2 1", source=0)) == 1
    few = posed("telegraph broadcast complete:3 1", source=0)
    assert period_growth(few) == horizon(few) + 1
    for n in range(3, 12):
        assert period_growth(posed(f"telephone broadcast complete:{n} 2", source=0)) == (n + 1) // 2
    assert [period_growth(posed(f"telegraph gossip complete:{n} 3")) for n in (4, 5, 8, 9, 14, 15)] == [
        2, 3, 3, 4, 4, 5
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "algorithm", "value", "lower"),
    [
        ("telephone gossip tree:2,3 3", "theorem-4.2", 12, 11),
        ("telephone gossip tree:2,3 9", "theorem-4.4", 11, 11),
        ("telephone gossip tree:2,3 18", "theorem-4.4", 11, 11),
        ("telephone gossip tree:3,2 8", "theorem-4.3", 11, 11),
        ("telegraph gossip tree:2,5 18", "theorem-4.6", 21, 20),
        ("telegraph gossip tree:2,5 21", "theorem-4.7", 20, 20),
        ("telegraph gossip path:7 6", "path-program", 10, 8),
        ("telephone gossip path:6 2", "theorem-3.1", 5, 5),
    ],
)
def test_algorithms_by_name(line: str, algorithm: str, value: int, lower: int) -> None:
    """The schemes of the paper through `construct`, on the networks of their examples, against what
    they take without a period.
    """
    problem = posed(line)
    (built,) = construct(problem, algorithm)
    assert (built.value, replay(problem, built.schedule).violation) == (value, None)
    assert tree_gossip(without_period(problem)) == lower


@pytest.mark.parametrize("task", ["gossip", "broadcast", "accumulation"])
@pytest.mark.parametrize("model", ["telegraph", "telephone"])
def test_one_and_two_nodes(model: str, task: str) -> None:
    """One node needs no round with any period; two need one round, or two for one-way gossip, which one slot
    does not allow.
    """
    for period in (1, 2, 3):
        assert proven(posed(f"{model} {task} path:1 {period}")) == 0
        both = model == "telegraph" and task == "gossip"
        problem = posed(f"{model} {task} path:2 {period}")
        assert complaint(problem, solve(problem), None if both and period == 1 else 1 + both) == ""


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("telephone gossip star:5 3", {}),
        ("telegraph gossip star:5 7", {}),
        ("telephone gossip petersen 1", {}),
        ("telegraph gossip grid:3x3 1", {}),
        ("telephone broadcast tree:3,2 3", {"source": 0}),
        ("telegraph broadcast grid:2x3 1", {"source": 0}),
        ("telegraph accumulation cycle:5 1", {"root": 0}),
        ("telephone broadcast path:3 1", {"source": "max"}),
        ("telephone broadcast cycle:5 1", {"source": "min"}),
        ("telegraph gossip path:4 9", {"edge_colouring": True}),
        ("telephone gossip star:6 4", {"edge_colouring": True}),
    ],
)
def test_a_period_that_is_too_short(line: str, options: dict[str, Any]) -> None:
    """When no number of rounds suffices the result is infeasible, with no value and no schedule, proven by
    either backend.
    """
    problem = posed(line, **options)
    for backend in (None, "sat", "cpsat"):
        assert complaint(problem, solve(problem, Options(backend=backend)), None) == "", backend


def test_edge_colourings_by_number() -> None:
    """On a two-way path an edge colouring costs nothing; K4 gossips in two of its matchings; a one-way
    triangle has only its cycle.
    """
    for n in range(2, 9):
        problem = posed(f"telephone gossip path:{n} 2")
        assert proven(problem.with_parameters(edge_colouring=True)) == proven(problem) == n - 1 + n % 2
    for line, value in (
        ("telephone gossip complete:4 2", 2),
        ("telephone gossip complete:4 3", 2),
        ("telegraph gossip cycle:3 3", 4),
    ):
        assert proven(posed(line, edge_colouring=True)) == value, line


def test_decisions_about_a_number_of_rounds() -> None:
    """--rounds M with a period: feasible at the optimum, infeasible one below, and however many rounds when
    nothing helps.
    """
    problem = posed("telegraph gossip path:7 6")
    at, below = (solve(problem.with_parameters(rounds=rounds)) for rounds in (10, 9))
    assert (at.status, at.value, below.status, below.value) == (Status.FEASIBLE, 10, Status.INFEASIBLE, None)
    assert solve(posed("telephone gossip star:5 3", rounds=10**6)).status is Status.INFEASIBLE


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("telephone broadcast cycle:5 min", {"source": "max"}),
        ("telephone gossip cycle:5 min", {"rounds": 3}),
        ("telephone gossip cycle:5 min", {"edge_colouring": True}),
    ],
)
def test_what_a_least_period_does_not_go_with(line: str, options: dict[str, Any]) -> None:
    """The worst source, a number of rounds, and an edge colouring are refused."""
    with pytest.raises(InputError, match="period min"):
        posed(line, **options)


def test_the_model_is_chosen_by_the_period() -> None:
    """With a period the systolic variant answers, without one the model without a period."""
    assert model_of(posed("telephone gossip cycle:5 3")).variant == "period"
    assert model_of(posed("telephone gossip cycle:5")).variant != "period"
