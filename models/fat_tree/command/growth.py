"""What is measured of one fat-tree: replayed algorithms, the recurrences, bounds, and Table 1's growth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log2

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Result
from schedsolve.modelkit.search import Effort
from schedsolve.modelkit.theorem_bounds import theorem_bounds
from schedsolve.network.named.families import family_network

from ..claims import THEOREM_BOUNDS
from ..claims.lower_bounds import least_height_sum, needed_heights
from ..constructions.algorithms import ALGORITHMS
from ..rules import replay
from .recurrences import broadcast_time, pipelined_time, shaped_tree, sparse_time

TALLEST_BEAM = 10
"""log N up to which the beam over heights is run, and the bound over all sequences of heights: seconds."""
Solver = Callable[[Problem], Result]


@dataclass(frozen=True)
class Sides:
    """The least time that is proven, and that of the fastest broadcast known."""

    lower: int
    upper: int

    @property
    def exact(self) -> int | None:
        """The optimum, where both sides meet."""
        return self.upper if self.lower == self.upper else None


@dataclass(frozen=True)
class Growth:
    """What is known of N = 2^height processors.

    capacity: w(N). recurrences: by the paper's number, S(N), T(N), T'(N). times: of the algorithms, replayed,
    by name. rounds, clock: both sides.
    """

    height: int
    capacity: int
    recurrences: dict[int, int]
    times: dict[str, int]
    rounds: Sides
    clock: Sides


def growth(shape: str, height: int, solve: Solver | None) -> Growth:
    """Return what is measured; `solve` seeks the optima, if it is given."""
    tree = shaped_tree(shape, height)
    names = [("algorithm-1", "rounds"), ("pipelined", "clock"), ("groups", "clock")]
    names += [("height-beam", "rounds")] if height <= TALLEST_BEAM else []
    times = {name: replayed_time(shape, height, name, timing) for name, timing in names}
    best = {
        timing: min(time for name, time in times.items() if dict(names)[name] == timing)
        for timing in ("rounds", "clock")
    }
    sums = least_height_sum if height <= TALLEST_BEAM else needed_heights
    theorems = theorem_bounds(THEOREM_BOUNDS)(posed_broadcast(shape, height, "clock"))
    lower = {
        "rounds": 2 * sums(tree),
        "clock": max([2 * height, *(int(b.value) for b in theorems if b.side == "lower")]),
    }
    sides = {}
    for timing in ("rounds", "clock"):
        sides[timing] = Sides(lower[timing], best[timing])
        if solve is not None and sides[timing].exact is None:
            result = solve(posed_broadcast(shape, height, timing))
            upper = best[timing] if result.value is None else int(result.value)
            sides[timing] = Sides(max(lower[timing], int(result.lower_bound or 0)), min(best[timing], upper))
    recurrences = {
        2: sparse_time(tree, height),
        3: broadcast_time(tree, height),
        4: pipelined_time(tree, height),
    }
    return Growth(height, tree.capacities[height], recurrences, times, sides["rounds"], sides["clock"])


def posed_broadcast(shape: str, height: int, timing: str) -> Problem:
    """Return the broadcast from processor 0 of 2^height."""
    parameters = {"source": 0, "capacity": shape, "timing": timing}
    return Problem("fat-tree", "broadcast", family_network(f"fat-tree:{1 << height}"), parameters)


def replayed_time(shape: str, height: int, algorithm: str, timing: str) -> int:
    """Return the time of an algorithm's broadcast, as the referee sees it."""
    problem = posed_broadcast(shape, height, timing)
    build = next(a.build for a in ALGORITHMS if a.name == algorithm)
    seen = replay(problem, build(problem, Effort()))
    assert seen.violation is None
    return int(seen.value)


def _over_loglog(m: float) -> float:
    return m * m / max(1.0, log2(m))


def _times_loglog(m: float) -> float:
    return m * max(1.0, log2(m))


CLAIMED: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "const": (lambda m: m * m, _over_loglog),
    "log": (_over_loglog, _over_loglog),
    "two-to-root-log": (lambda m: m**1.5, lambda m: m**1.5),
    "loglog-root": (_times_loglog, _times_loglog),
    "sqrt": (_times_loglog, _times_loglog),
    "two-thirds": (_times_loglog, _times_loglog),
    "linear": (_times_loglog, _times_loglog),
}
"""For every shape the growth of Table 1's upper bounds, in rounds and by the clock, as functions of log N; in
the order of Table 1.
"""
