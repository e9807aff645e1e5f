"""What improves the bounds and the schedules of a problem, one after the other: linear programmes, and for
few nodes the exact search over call graphs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

from schedsolve.problem import Problem
from schedsolve.result import Bound
from schedsolve.schedule import Schedule

from ..claims.aggregated import aggregated_program, tidy
from ..claims.call_graph_tree import MOST_NODES, Setting, TooManyCallGraphsError
from ..rules import Shape, shape_of
from .branching import Branching
from .timed_bounds import steady_bound, timed_bound

LARGEST_PROGRAM_ROUNDS = 40
"""Rounds beyond which the aggregated programme is not solved."""
PROGRAM_SECONDS = 30.0

Found = Bound | tuple[Problem, Schedule] | None


def programme_bounds(problem: Problem, seconds: float) -> Iterator[Bound | None]:
    """The bounds of the linear programmes, the quickest first; None where one is too large."""
    shape = shape_of(problem)
    limit = min(seconds, PROGRAM_SECONDS)
    yield aggregated_bound(shape)
    yield steady_bound(problem, limit)
    yield timed_bound(problem, limit)


def aggregated_bound(shape: Shape) -> Bound | None:
    """The bound of the aggregated linear programme, exact, with its dual solution; None when the programme is
    too large or trivial.
    """
    from schedsolve.backends.lp import solve_lp

    if too_large_to_aggregate(shape) is not None:
        return None
    solution = solve_lp(aggregated_program(shape))
    if solution is None:
        return None
    multipliers = {str(row): str(y) for row, y in sorted(solution.multipliers.items())}
    return Bound(
        "lower",
        tidy(solution.bound),
        "dual of the aggregated linear programme",
        {"kind": "aggregated", "multipliers": multipliers},
        by="relaxation",
    )


def too_large_to_aggregate(shape: Shape) -> str | None:
    """Why the aggregated programme is not solved; None when it is."""
    if shape.dimension == 0 or shape.extra_rounds < 0:
        return "there is nothing to send, or no time"
    most = LARGEST_PROGRAM_ROUNDS
    return f"it is for up to {most} rounds" if shape.rounds > most else None


def no_enumeration(problem: Problem) -> str | None:
    """Why the call graphs are not gone through; None when they are."""
    nodes = problem.network.node_count
    if not 2 <= nodes <= MOST_NODES:
        return f"call graphs are enumerated for 2 to {MOST_NODES} nodes"
    try:
        Setting.of(problem).call_graphs((1 << nodes) - 1)
    except TooManyCallGraphsError as error:
        return str(error)
    return None


def branching(problem: Problem, upper: Fraction | None, seconds: float) -> Iterator[Found]:
    """The exact search of a small network: cheaper schedules than `upper`, and in the end the bound that is
    proven.

    seconds: how much time is left.
    """
    if no_enumeration(problem) is not None:
        return
    setting = Setting.of(problem)
    search = Branching(setting, Fraction(setting.rounds + 1) if upper is None else upper)
    for protocol in search.run(time.monotonic() + seconds):
        yield None if protocol is None else (problem, protocol.schedule(lambda x: x))
    lower, evidence = search.evidence()
    yield Bound("lower", lower, f"search of all call graphs, {search.nodes} prefixes", evidence, by="search")
