"""How a linear cost problem is solved: lower bounds by derivation and by linear programming, constructions,
and a search for protocols.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from schedsolve.backends.lp import solve_lp
from schedsolve.errors import InputError
from schedsolve.modelkit.search import Effort
from schedsolve.problem import Problem
from schedsolve.result import LEAST_COST, Bound, Result, Status
from schedsolve.schedule import Schedule

from .claims.aggregated import aggregated_program, tidy
from .claims.table import table
from .constructions.algorithms import ALGORITHMS, placed
from .rules import Shape, replay, shape_of
from .search.arborescences import pack_arborescences
from .search.call_graphs import best_call_graphs
from .search.search import search

LARGEST_PROGRAM_ROUNDS = 40
"""Rounds beyond which the aggregated programme is not solved."""
MOST_NODES_OF_CALL_GRAPHS = 9
"""Nodes up to which call graphs are chosen too."""
SEARCH_SECONDS = 60.0
"""How long protocols are searched for without a time limit."""


def derived_bounds(problem: Problem) -> Iterator[Bound]:
    """The best bound of every rule, the greatest first."""
    shape = shape_of(problem)
    for number, derived in enumerate(table(shape.ports, shape.nodes).all_f(shape.extra_rounds)):
        evidence = {"kind": "derived"} if number == 0 else {"kind": "by rule", "rule": derived.rule}
        yield Bound("lower", derived.value, derived.rule, evidence)


def aggregated_bound(shape: Shape) -> Bound | None:
    """The bound of the aggregated linear programme, exact, with its dual solution; None when the programme is
    too large or trivial.
    """
    if shape.dimension == 0 or shape.rounds > LARGEST_PROGRAM_ROUNDS:
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


def searched_bound(problem: Problem, start: int, _: float) -> Bound | None:
    """The aggregated programme's bound where it is above `start`."""
    found = aggregated_bound(shape_of(problem))
    return found if found is not None and found.value > start else None


def solve_linear_cost(problem: Problem, options: Any) -> Result:
    """The bounds, the cheapest schedule of the constructions, and while they differ the search, within the
    options' time limit.

    options: `schedsolve.solving.pursuit.Options`. A KeyboardInterrupt ends the search with what is known.
    Raises InputError when some node is further away from the source than there are rounds.
    """
    shape = shape_of(problem)
    far = max(d or 0 for d in problem.network.distances_from(problem.sources))
    if far > shape.rounds:
        raise InputError(
            f"some node is {far} links away from the source, but there are only T + r = {shape.dimension} +"
            f" {shape.extra_rounds} rounds; give --extra-rounds {far - shape.dimension} or more"
        )
    run = _Solve(problem, options)
    interrupted = False
    try:
        run.bound()
        run.construct()
        run.search()
    except KeyboardInterrupt:
        interrupted = True
    return run.result(interrupted)


class _Solve:
    """What is known while a problem is solved."""

    def __init__(self, problem: Problem, options: Any) -> None:
        self.problem = problem
        self.options = options
        self.shape = shape_of(problem)
        self.begun = time.monotonic()
        self.bounds: list[Bound] = []
        self.lower = Fraction(0)
        self.value: Fraction | None = None
        self.schedule: Schedule | None = None

    @property
    def left(self) -> float:
        """The seconds until the time limit, or those for searching without one."""
        limit = SEARCH_SECONDS if self.options.time_limit is None else self.options.time_limit
        return float(limit - (time.monotonic() - self.begun))

    @property
    def settled(self) -> bool:
        """Whether both sides meet."""
        return self.value is not None and self.value <= self.lower

    def bound(self) -> None:
        """Compute the bounds by rules."""
        for bound in derived_bounds(self.problem):
            self._raise(bound)

    def _raise(self, bound: Bound) -> None:
        self.bounds.append(bound)
        self.lower = max(self.lower, Fraction(bound.value))

    def construct(self) -> None:
        """Run the constructions that fit, the most promising first; then the linear programme, when the two
        sides still differ.
        """
        for algorithm in reversed(ALGORITHMS):
            if algorithm.refuse(self.problem) is None and not self.settled and self.left > 0:
                with suppress(InputError):
                    schedule = algorithm.build(self.problem, Effort()).without_empty_end()
                    self._offer(schedule, f"construction {algorithm.name}: {algorithm.source}")
        found = aggregated_bound(self.shape) if not self.settled and self.left > 0 else None
        if found is not None and found.value > self.lower:
            self._raise(found)

    def _offer(self, schedule: Schedule, reason: str) -> None:
        seen = replay(self.problem, schedule)
        if seen.violation:
            raise AssertionError(f"{reason} built an illegal schedule: {seen.violation}")
        if self.value is None or seen.value < self.value:
            self.value, self.schedule = Fraction(seen.value), schedule
            self.bounds.append(Bound("upper", seen.value, reason, by="construction"))

    def search(self) -> None:
        """Look for cheaper protocols while the two sides differ: of few nodes for all call graphs, then for
        orders of the coordinates.
        """
        if self.settled or self.left <= 0 or self.shape.dimension == 0:
            return
        if self.shape.nodes <= MOST_NODES_OF_CALL_GRAPHS and self._is_complete:
            self._search_call_graphs()
        if self.settled or self.left <= 0 or not self.shape.is_perfect:
            return
        below = Fraction(self.shape.dimension + 1) if self.value is None else self.value
        for protocol, _ in search(self.shape, below, self.left, self.options.seed):
            with suppress(InputError):
                self._offer(
                    placed(self.problem, protocol), "found by search (coordinate orders, flow programme, sat)"
                )
            if self.settled:
                return

    @property
    def _is_complete(self) -> bool:
        n = self.shape.nodes
        return len(self.problem.network.edges) == n * (n - 1) // 2

    def _search_call_graphs(self) -> None:
        """Choose call graphs by mixed integer programming, and pack arborescences in the best ones found."""
        weak = bool(self.problem.parameters.get("weak_ports"))
        graphs = best_call_graphs(self.shape, self.left / 2, weak_ports=weak, at_least=self.lower)
        packing = (
            None
            if graphs is None
            else pack_arborescences(self.shape.nodes, graphs.call_graphs, max(1.0, self.left))
        )
        if packing is not None:
            self._offer(
                placed(self.problem, packing.protocol()), "found by search (call graphs, arborescences)"
            )

    def result(self, interrupted: bool) -> Result:
        """What is known, as a result."""
        return Result(
            problem=self.problem,
            status=Status.OPTIMAL if self.settled else Status.BOUNDED,
            objective=LEAST_COST,
            value=self.value,
            lower_bound=self.lower,
            bounds=tuple(self.bounds),
            schedule=self.schedule,
            runtime_seconds=time.monotonic() - self.begun,
            interrupted=interrupted,
            exhausted=not interrupted and self.left > 0,
        )
