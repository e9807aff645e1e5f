"""How a linear cost problem is solved: lower bounds by derivation and by linear programming, constructions,
and a search for protocols.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from schedsolve.backends.lp import solve_lp
from schedsolve.errors import InputError
from schedsolve.modelkit.search import Finding, Improvement, Question
from schedsolve.problem import Problem
from schedsolve.result import Bound

from .claims.aggregated import aggregated_program, tidy
from .claims.table import table
from .constructions.algorithms import placed
from .rules import Shape, shape_of
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
    """The best bound of every rule, the greatest first.

    Raises InputError when some node is further away from the source than there are rounds.
    """
    shape = shape_of(problem)
    far = max(d or 0 for d in problem.network.distances_from(problem.sources))
    if far > shape.rounds:
        raise InputError(
            f"some node is {far} links away from the source, but there are only T + r = {shape.dimension} +"
            f" {shape.extra_rounds} rounds; give --extra-rounds {far - shape.dimension} or more"
        )
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


def call_graph_search(question: Question) -> Iterator[Finding]:
    """On complete networks of few nodes: choose call graphs by mixed integer programming, and pack
    arborescences in the best ones found.
    """
    problem, shape = question.problem, shape_of(question.problem)
    n = shape.nodes
    complete = len(problem.network.edges) == n * (n - 1) // 2
    if shape.dimension == 0 or n > MOST_NODES_OF_CALL_GRAPHS or not complete:
        return
    end = time.monotonic() + min(question.seconds, SEARCH_SECONDS)
    weak = bool(problem.parameters.get("weak_ports"))
    graphs = best_call_graphs(
        shape, min(question.seconds, SEARCH_SECONDS) / 2, weak_ports=weak, at_least=question.value
    )
    yield None
    if graphs is not None:
        packing = pack_arborescences(n, graphs.call_graphs, max(1.0, end - time.monotonic()))
        if packing is not None:
            yield problem, placed(problem, packing.protocol())


def coordinate_order_search(question: Question) -> Iterator[Finding]:
    """Among (K + 1)^T nodes: orders of the coordinates by flow programmes, their protocols packed by SAT."""
    problem, shape = question.problem, shape_of(question.problem)
    if shape.dimension == 0 or not shape.is_perfect:
        return
    below = Fraction(shape.dimension + 1) if question.best is None else Fraction(question.best)
    for protocol, _ in search(shape, below, min(question.seconds, SEARCH_SECONDS), question.seed):
        with suppress(InputError):
            yield problem, placed(problem, protocol)


IMPROVEMENTS = (
    Improvement("call graphs, arborescences", "mip", call_graph_search),
    Improvement("coordinate orders, flow programme", "sat", coordinate_order_search),
)
