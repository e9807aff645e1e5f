"""Problems of the matching models, and whether a result is their optimum."""

from __future__ import annotations

from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Result, Status
from schedsolve.models import build_problem, get_model
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve

MODES = ("telegraph", "telephone")


def posed(model: str, task: str, network: Network | str, **options: Any) -> Problem:
    return build_problem(
        model, task, Network.from_spec(network) if isinstance(network, str) else network, options
    )


def solved(model: str, task: str, network: Network | str, **options: Any) -> int:
    """The optimum, which must be proven on both sides, by a schedule that the referee accepts."""
    problem = posed(model, task, network, **options)
    result = solve(problem)
    assert problems_of(problem, result) == ""
    assert isinstance(result.value, int)
    return result.value


def problems_of(problem: Problem, result: Result, value: int | None = None) -> str:
    """What is wrong with a result that should be optimal (with this value); empty when nothing is."""
    if (
        result.status is not Status.OPTIMAL
        or result.value != result.lower_bound
        or value not in (None, result.value)
    ):
        return f"{result.status}, value {result.value}, lower bound {result.lower_bound}"
    assert result.schedule is not None
    placed = problem if result.node is None else problem.at_node(result.node)
    seen = get_model(problem.model).replay(placed, result.schedule)
    if seen.violation or seen.value != result.value:
        return f"the schedule takes {seen.value} rounds, {seen.violation}"
    if problem.choice == "max":
        replays = [
            get_model(problem.model).replay(problem.at_node(v), s) for v, s in result.schedules.items()
        ]
        if len(replays) < problem.network.node_count or any(
            r.violation or r.value > seen.value for r in replays
        ):
            return "not every node has a schedule that is short enough"
    return ""
