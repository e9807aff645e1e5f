"""Systolic optima against the stored ones on tiny networks, the plain formulas both ways, and values of the
paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.search import Options, Question, RunningSearch
from schedsolve.models.systolic.claims.formula import horizon, systolic_formula, without_period
from schedsolve.models.systolic.claims.paths import path_gossip
from schedsolve.models.systolic.formulation import sat_search
from schedsolve.models.systolic.rules import replay
from schedsolve.solving.solve import solve
from tests.models.decisions import cpsat_search
from tests.models.systolic.problems import (
    STRIDE,
    complaint,
    described,
    everything_stored,
    posed,
    problem_of,
    proven,
    sample,
)
from tests.reference.brute_force import arcs_of
from tests.reference.systolic_brute_force import Optimum
from tests.reference.systolic_optima import PERIODS, stored_optima

pytestmark = pytest.mark.usefixtures("little_time_for_heuristics")

SEARCHES: dict[str, Callable[[Question], RunningSearch | None]] = {"sat": sat_search, "cpsat": cpsat_search}


def decided(value: int | None, most: int) -> list[tuple[int, bool]]:
    """Numbers of rounds, with whether they suffice: the optimum, and one less; when nothing helps, the
    horizon and one less.
    """
    asked = [(most - 1, False), (most, False)] if value is None else [(value - 1, False), (value, True)]
    return [(rounds, answer) for rounds, answer in asked if rounds >= 0]


def satisfiable(cnf: Cnf) -> bool:
    """Whether the formula has a model."""
    from pysat.solvers import Solver

    with Solver(name="glucose4", bootstrap_with=cnf.clauses) as solver:
        return bool(solver.solve())


@pytest.mark.parametrize("stride", [4 * STRIDE - 1, pytest.param(STRIDE, marks=pytest.mark.slow)])
@pytest.mark.parametrize("backend", SEARCHES)
def test_solve_finds_the_stored_optima(backend: str, stride: int) -> None:
    """Value and lower bound are the stored optimum, or the problem is infeasible, by either backend; the
    schedules replay.
    """
    wrong = []
    for found in sample(stride):
        problem = problem_of(found)
        what = complaint(problem, solve(problem, Options(backend=backend)), found.value)
        if what:
            wrong.append(f"{described(found)}: {what}")
    assert wrong == []


@pytest.mark.parametrize("stride", [6 * STRIDE + 1, pytest.param(2 * STRIDE + 1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("backend", SEARCHES)
def test_searches_decide_as_stored(backend: str, stride: int) -> None:
    """A search, which uses no bound, finds a schedule of least length and refutes one round less; at the
    horizon what is infeasible.
    """
    wrong, answered = [], 0
    for found in sample(stride):
        problem = problem_of(found)
        for rounds, expected in decided(found.value, horizon(problem)):
            search = SEARCHES[backend](Question(problem, rounds))
            if search is None:
                continue
            answer = search.advance(60)
            answered += 1
            if answer is not expected:
                wrong.append(f"{described(found)}: {rounds} rounds: {answer}")
            elif answer:
                placed, schedule = search.found()
                seen = replay(placed, schedule)
                if seen.violation or seen.value > rounds:
                    wrong.append(f"{described(found)}: found {schedule}, {seen.violation}")
            search.close()
    assert wrong == []
    assert answered > 6000 // stride


def test_the_plain_formula_means_what_it_says() -> None:
    """Without symmetry breaking and windows it has a model at the optimum, none one round below, and none
    when nothing helps.
    """
    wrong = []
    for found in sample(2 * STRIDE - 1):
        problem = problem_of(found)
        for rounds, expected in decided(found.value, horizon(problem)):
            if satisfiable(systolic_formula(problem, rounds).cnf) is not expected:
                wrong.append(f"{described(found)}: {rounds} rounds")
    assert wrong == []


def best_nodes() -> Iterator[tuple[Optimum, int | None, int | None]]:
    """For graphs, tasks and periods an optimum of some node, and the least and the greatest over all nodes;
    None: infeasible.
    """
    rows: dict[tuple[object, ...], list[Optimum]] = {}
    for found in stored_optima():
        if found.node is not None:
            rows.setdefault(
                (len(found.graph), arcs_of(found.graph), found.two_way, found.task, found.period), []
            ).append(found)
    for row in rows.values():
        values = [found.value for found in row]
        known = [value for value in values if value is not None]
        yield row[0], min(known, default=None), None if None in values else max(known)


def test_the_best_and_the_worst_source() -> None:
    """`min` and `max` for the source or root are the least and the greatest stored optimum over the nodes; in
    the formula the least too.
    """
    wrong = []
    for found, least, greatest in list(best_nodes())[::11]:
        name = "root" if found.task == "accumulation" else "source"
        for choice, value in (("min", least), ("max", greatest)):
            problem = problem_of(found, **{name: choice})
            what = complaint(problem, solve(problem), value)
            if what:
                wrong.append(f"{described(found)} {choice}: {what}")
        problem = problem_of(found, **{name: "min"})
        for rounds, expected in decided(least, horizon(problem)):
            if satisfiable(systolic_formula(problem, rounds).cnf) is not expected:
                wrong.append(f"{described(found)}: {rounds} rounds for the best node")
    assert wrong == []


def test_the_least_period_of_stored_optima() -> None:
    """`--period min` has the optimum without a period, and the first period that reaches it, each shorter one
    with a proof.
    """
    rows: dict[tuple[object, ...], list[Optimum]] = {}
    for found in everything_stored():
        if not found.edge_colouring:
            rows.setdefault(
                (found.graph.is_directed(), len(found.graph), arcs_of(found.graph), *found[1:4]), []
            ).append(found)
    wrong = []
    for row in list(rows.values())[::19]:
        values = [found.value for found in row]
        free = values[-1]  # period 8 asks for nothing where 8 rounds do
        assert free is not None
        assert free <= PERIODS[-1]
        least = values.index(free) + 1
        problem = problem_of(row[0], period="min")
        result = solve(problem)
        assert proven(problem.with_parameters(period=100)) == free
        assert solve(without_period(problem)).value == free
        assert result.schedule is not None
        got = (result.status, result.value, result.schedule.period, sorted(result.shorter_periods))
        if got != (Status.OPTIMAL, free, least, list(range(1, least))):
            wrong.append(f"{described(row[0])}: {got} instead of {free} rounds with period {least}")
        if complaint(problem.with_parameters(period=least), result, free):
            wrong.append(
                f"{described(row[0])}: {complaint(problem.with_parameters(period=least), result, free)}"
            )
    assert wrong == []


def test_a_period_longer_than_the_schedule_asks_for_nothing() -> None:
    """The optimum is that of the model without a period, which the model without a period finds."""
    for line in (
        "telegraph gossip complete:5",
        "telephone gossip cycle:7",
        "telephone broadcast grid:3x3",
        "telegraph accumulation tree:2,3",
    ):
        free = solve(posed(line))
        assert free.status is Status.OPTIMAL
        assert isinstance(free.value, int)
        assert [proven(posed(f"{line} {period}")) for period in (free.value, free.value + 1, 10**6)] == [
            free.value
        ] * 3


@pytest.mark.parametrize(
    "line",
    [
        "telegraph gossip cycle:6",
        "telephone gossip grid:2x3",
        "telephone broadcast ccc:3",
        "telegraph broadcast star:5",
    ],
)
def test_no_period_beats_none(line: str) -> None:
    """A systolic optimum is not below the one without a period, and for one message equal from the largest
    degree on.
    """
    free = solve(posed(line)).value
    assert isinstance(free, int)
    largest = max(len(near) for near in posed(line).network.successors)
    for period in range(1, 6):
        result = solve(posed(f"{line} {period}"))
        assert result.status in (Status.OPTIMAL, Status.INFEASIBLE)
        assert result.value is None or result.value >= free
        assert "gossip" in line or period < largest or result.value == free


@pytest.mark.parametrize("period", range(4, 9))
def test_the_program_for_paths_against_sat(period: int) -> None:
    """On one-way paths the dynamic program's value is found by a search, and one round less is refuted by
    it.
    """
    for n in range(2, 13):
        problem = posed(f"telegraph gossip path:{n} {period}")
        value = path_gossip(problem)
        assert value is not None
        for rounds, expected in decided(value, horizon(problem)):
            assert satisfiable(systolic_formula(problem, rounds).cnf) is expected, (n, rounds)


@pytest.mark.parametrize("model", ["telegraph", "telephone"])
@pytest.mark.parametrize("colouring", [False, True])
def test_the_program_for_paths_in_other_modes(model: str, colouring: bool) -> None:
    """Two-way, with short periods, and with edge colouring the program agrees with the formula too; too
    short a period included.
    """
    for n, period in [(n, period) for n in range(2, 9) for period in (1, 2, 3, 5)]:
        problem = posed(f"{model} gossip path:{n} {period}", edge_colouring=colouring)
        value = path_gossip(problem)
        assert value is not None
        for rounds, expected in decided(None if value > horizon(problem) else value, horizon(problem)):
            assert satisfiable(systolic_formula(problem, rounds).cnf) is expected, (n, period, rounds)
