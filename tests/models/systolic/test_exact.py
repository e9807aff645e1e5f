"""Systolic optima against the stored ones on tiny networks, the plain formulas both ways, and values of the
paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from schedsolve.errors import InputError
from schedsolve.formulas.cnf import Cnf
from schedsolve.modelkit.search import Options, Question, Search
from schedsolve.models import build_problem, model_of
from schedsolve.models.systolic.claims.formula import horizon, systolic_formula, without_period
from schedsolve.models.systolic.claims.lower_bounds import complete_tree_gossip
from schedsolve.models.systolic.claims.paths import path_gossip
from schedsolve.models.systolic.formulation import cpsat_search, sat_search
from schedsolve.models.systolic.rules import replay
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.result import Result, Status
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.reference.brute_force import arcs_of
from tests.reference.systolic_brute_force import PERIODS, Optimum, stored_optima

SMALL = 3  # of graphs with so many nodes every stored optimum is taken
STRIDE = 17  # of larger ones every 17th, so that all periods occur
SEARCHES: dict[str, Callable[[Question], Search | None]] = {"sat": sat_search, "cpsat": cpsat_search}


@pytest.fixture(autouse=True)
def _little_time_for_heuristics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searching heuristics get a moment only."""
    monkeypatch.setattr("schedsolve.solving.pursuit.FIRST_EFFORT_SECONDS", 0.02)


def posed(line: str, **options: Any) -> Problem:
    """The problem in a line like "telegraph gossip path:7 6", the period last; or none, then it has none."""
    model, task, network, *period = line.split()
    return build_problem(
        model, task, Network.from_spec(network), options | ({"period": period[0]} if period else {})
    )


def problem_of(found: Optimum, **changes: Any) -> Problem:
    """The problem that a stored optimum answers."""
    options: dict[str, Any] = {"period": found.period}
    if found.node is not None:
        options["root" if found.task == "accumulation" else "source"] = found.node
    if found.edge_colouring:
        options["edge_colouring"] = True
    model = "telephone" if found.two_way else "telegraph"
    return build_problem(model, found.task, Network.from_networkx(found.graph), options | changes)


def described(found: Optimum) -> str:
    """An optimum in words."""
    return f"{arcs_of(found.graph)} {found[1:]}"


@cache
def everything_stored() -> list[Optimum]:
    """Graphs and digraphs."""
    return [*stored_optima(), *stored_optima(directed=True)]


def sample(stride: int = STRIDE) -> list[Optimum]:
    """All optima of small graphs, and some of the larger ones."""
    small = [found for found in stored_optima() if len(found.graph) <= SMALL]
    return small + [found for found in everything_stored() if len(found.graph) > SMALL][::stride]


def complaint(problem: Problem, result: Result, value: int | None) -> str:
    """What is wrong with a result that should have this value, None for infeasible; empty when nothing is."""
    if value is None:
        right = (result.status, result.value, result.lower_bound, result.schedule) == (
            Status.INFEASIBLE,
            None,
            None,
            None,
        )
        return "" if right else f"{result.status}, value {result.value}, lower bound {result.lower_bound}"
    if (result.status, result.value, result.lower_bound) != (
        Status.OPTIMAL,
        value,
        value,
    ) or result.schedule is None:
        return f"{result.status}, value {result.value}, lower bound {result.lower_bound}"
    seen = replay(problem if result.node is None else problem.at_node(result.node), result.schedule)
    return (
        ""
        if (seen.violation, seen.value) == (None, value)
        else f"the schedule takes {seen.value} rounds: {seen.violation}"
    )


def proven(problem: Problem, backend: str | None = None) -> int:
    """The optimum, proven on both sides, by a schedule that the referee accepts."""
    result = solve(problem, Options(backend=backend))
    assert isinstance(result.value, int)
    assert complaint(problem, result, result.value) == ""
    return result.value


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


@pytest.mark.parametrize("backend", SEARCHES)
def test_solve_finds_the_stored_optima(backend: str) -> None:
    """Value and lower bound are the stored optimum, or the problem is infeasible, by either backend; the
    schedules replay.
    """
    wrong = []
    for found in sample():
        problem = problem_of(found)
        what = complaint(problem, solve(problem, Options(backend=backend)), found.value)
        if what:
            wrong.append(f"{described(found)}: {what}")
    assert wrong == []


@pytest.mark.parametrize("backend", SEARCHES)
def test_searches_decide_as_stored(backend: str) -> None:
    """A search, which uses no bound, finds a schedule of least length and refutes one round less; at the
    horizon what is infeasible.
    """
    wrong, answered = [], 0
    for found in sample(2 * STRIDE + 1):
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
    assert answered > 200


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
def test_the_programme_for_paths_against_sat(period: int) -> None:
    """On one-way paths the dynamic programme's value is found by a search, and one round less is refuted by
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
def test_the_programme_for_paths_in_other_modes(model: str, colouring: bool) -> None:
    """Two-way, with short periods, and with edge colouring the programme agrees with the formula too; too
    short a period included.
    """
    for n, period in [(n, period) for n in range(2, 9) for period in (1, 2, 3, 5)]:
        problem = posed(f"{model} gossip path:{n} {period}", edge_colouring=colouring)
        value = path_gossip(problem)
        assert value is not None
        for rounds, expected in decided(None if value > horizon(problem) else value, horizon(problem)):
            assert satisfiable(systolic_formula(problem, rounds).cnf) is expected, (n, period, rounds)


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


@pytest.mark.parametrize(
    ("line", "algorithm", "value", "lower"),
    [
        ("telephone gossip tree:2,3 3", "theorem-4.2", 12, 11),
        ("telephone gossip tree:2,3 9", "theorem-4.4", 11, 11),
        ("telephone gossip tree:2,3 18", "theorem-4.4", 11, 11),
        ("telephone gossip tree:3,2 8", "theorem-4.3", 11, 11),
        ("telegraph gossip tree:2,5 18", "theorem-4.6", 21, 20),
        ("telegraph gossip tree:2,5 21", "theorem-4.7", 20, 20),
        ("telegraph gossip path:7 6", "path-programme", 10, 8),
        ("telephone gossip path:6 2", "theorem-3.1", 5, 0),
    ],
)
def test_algorithms_by_name(line: str, algorithm: str, value: int, lower: int) -> None:
    """The schemes of the paper through `construct`, on the networks of their examples, against Proposition
    4.1.
    """
    problem = posed(line)
    (built,) = construct(problem, algorithm)
    assert (built.value, replay(problem, built.schedule).violation) == (value, None)
    assert (complete_tree_gossip(problem) or lower) == lower


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
    for backend in (None, *SEARCHES):
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
    with pytest.raises(InputError, match="--period min"):
        posed(line, **options)


def test_the_model_is_chosen_by_the_period() -> None:
    """With a period the systolic variant answers, without one the model without a period."""
    assert model_of(posed("telephone gossip cycle:5 3")).variant == "period"
    assert model_of(posed("telephone gossip cycle:5")).variant != "period"
