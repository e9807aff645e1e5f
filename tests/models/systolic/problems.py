"""Systolic problems and their stored optima, and whether a result is one."""

from __future__ import annotations

from functools import cache
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Result, Status
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.models.systolic.rules import replay
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve
from tests.reference.brute_force import arcs_of
from tests.reference.systolic_brute_force import Optimum
from tests.reference.systolic_optima import stored_optima

SMALL = 3  # of graphs with so many nodes every stored optimum is taken


STRIDE = 17  # of larger ones every 17th, so that all periods occur


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
