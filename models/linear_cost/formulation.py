"""How a linear cost problem is solved: lower bounds by derivation and by linear programming, constructions,
and searches for protocols.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from schedsolve.errors import InputError
from schedsolve.modelkit.search import Finding, Improvement, Question
from schedsolve.problem import Problem
from schedsolve.result import Bound

from .claims.staircase import certain_rounds, staircase
from .claims.table import table
from .constructions.algorithms import ALGORITHMS, placed
from .rules import rounds_allowed, shape_of
from .search.improve import branching, programme_bounds
from .search.packed_algorithms import PACKED_ALGORITHMS
from .search.search import search

ALL_ALGORITHMS = (*reversed(ALGORITHMS), *PACKED_ALGORITHMS)
SEARCH_SECONDS = 60.0
"""How long protocols are searched for without a time limit."""


def derived_bounds(problem: Problem) -> Iterator[Bound]:
    """The staircase, and the best bound of every rule, the greatest first; where there are fewer rounds than
    any broadcast needs, a bound that no cost reaches.
    """
    shape = shape_of(problem)
    least = certain_rounds(problem.network, problem.sources[0], problem.parameters["ports"])
    if least > rounds_allowed(problem):
        why = f"a broadcast takes {least} rounds or more; give --total-rounds {least} or more"
        yield Bound("lower", staircase(problem, {}), why, {"kind": "staircase"})
        return
    for number, derived in enumerate(table(shape.ports, shape.nodes).all_f(shape.extra_rounds)):
        evidence = {"kind": "derived"} if number == 0 else {"kind": "by rule", "rule": derived.rule}
        yield Bound("lower", derived.value, derived.rule, evidence)
    value = staircase(problem, {})
    yield Bound("lower", value, "staircase: sent late or received late", {"kind": "staircase"})


def programme_search(question: Question) -> Iterator[Finding]:
    """The linear programmes: aggregated, in the steady state, over time."""
    yield from programme_bounds(question.problem, question.seconds)


def call_graph_search(question: Question) -> Iterator[Finding]:
    """For few nodes: all sequences of call graphs, exactly."""
    best = None if question.best is None else Fraction(question.best)
    yield from branching(question.problem, best, question.seconds)


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
    Improvement("linear programmes", "lp", programme_search),
    Improvement("call graphs, packing", "lp", call_graph_search),
    Improvement("coordinate orders, flow programme", "sat", coordinate_order_search),
)
