"""How a linear cost problem is solved.

Lower bounds by derivation and by linear programming, constructions, and searches for protocols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import Finding, Improvement, Question
from schedsolve.runtime.errors import InputError, counted

from .bounds import (
    PROGRAM_SECONDS,
    aggregated_bound,
    no_steady_program,
    no_timed_program,
    steady_bound,
    timed_bound,
    too_large_to_aggregate,
)
from .claims.staircase import certain_rounds, staircase
from .claims.table import table
from .constructions.algorithms import ALGORITHMS, placed
from .constructions.least_rounds import rounds_decided
from .constructions.packed_algorithms import PACKED_ALGORITHMS
from .rules import rounds_allowed, shape_of
from .search.branching import branching, no_enumeration
from .search.coordinate_orders import search
from .search.equal_packets import equal_packets_search, too_many_arcs

ALL_ALGORITHMS = (*reversed(ALGORITHMS), *PACKED_ALGORITHMS)
SEARCH_SECONDS = 60.0
"""How long protocols are searched for without a time limit."""


def derived_bounds(problem: Problem) -> Iterator[Bound]:
    """Yield the staircase, and the best bound of every rule, the greatest first, which has the evidence.

    Where there are fewer rounds than any broadcast needs, a bound that no cost reaches.
    """
    shape = shape_of(problem)
    least = certain_rounds(problem.network, problem.sources[0], problem.parameters["ports"])
    if least > rounds_allowed(problem):
        why = f"a broadcast takes {counted(least, 'round')} or more; give --total-rounds {least} or more"
        yield Bound("lower", staircase(problem, {}), why, {"kind": "staircase"})
        return
    for number, derived in enumerate(table(shape.ports, shape.nodes).all_f(shape.extra_rounds)):
        yield Bound("lower", derived.value, derived.rule, {"kind": "derived"} if number == 0 else None)
    amounts = table(shape.ports, shape.nodes).g(shape.extra_rounds)
    if amounts is not None:
        why = f"g_T(r) <= f_T(r), amounts alone (Definition 18, Property 19): {amounts.rule}"
        yield Bound("lower", amounts.value, why)
    value = staircase(problem, {})
    yield Bound("lower", value, "staircase: sent late or received late", {"kind": "staircase"})


def _once(bound: Callable[[Problem, float], Bound | None]) -> Callable[[Question], Iterator[Finding]]:
    """Return the search that yields one bound, given so many seconds at most."""

    def search(question: Question) -> Iterator[Finding]:
        yield bound(question.problem, min(question.seconds, PROGRAM_SECONDS))

    return search


def rounds_search(question: Question) -> Iterator[Finding]:
    """Where no schedule is known: a broadcast of the whole message, or that there are too few rounds."""
    if question.best is None:
        yield rounds_decided(question.problem, min(question.seconds, SEARCH_SECONDS))


def call_graph_search(question: Question) -> Iterator[Finding]:
    """For few nodes: all sequences of call graphs, exactly."""
    best = None if question.best is None else Fraction(question.best)
    yield from branching(question.problem, best, question.seconds)


def coordinate_order_search(question: Question) -> Iterator[Finding]:
    """Among (K + 1)^T nodes: orders of the coordinates by flow programs, their protocols packed by SAT."""
    problem, shape = question.problem, shape_of(question.problem)
    below = Fraction(shape.dimension + 1) if question.best is None else Fraction(question.best)
    for protocol, _ in search(shape, below, min(question.seconds, SEARCH_SECONDS), question.seed):
        with suppress(InputError):
            yield problem, placed(problem, protocol)


def _no_coordinates(problem: Problem) -> str | None:
    shape = shape_of(problem)
    fits = shape.dimension > 0 and shape.is_perfect
    return None if fits else f"{shape.nodes} nodes are not (k+1)^T, with {shape.ports} for k"


IMPROVEMENTS = (
    Improvement("plain formula of the rounds", "sat", rounds_search, names_limits=True),
    Improvement(
        "aggregated program",
        "lp",
        _once(lambda problem, _: aggregated_bound(shape_of(problem))),
        refuse=lambda problem: too_large_to_aggregate(shape_of(problem)),
        names_limits=True,
    ),
    Improvement(
        "steady state's program", "lp", _once(steady_bound), refuse=no_steady_program, names_limits=True
    ),
    Improvement("equal packets", "sat", equal_packets_search, refuse=too_many_arcs, names_limits=True),
    Improvement("timed program", "lp", _once(timed_bound), refuse=no_timed_program, names_limits=True),
    Improvement("call graphs, packing", "lp", call_graph_search, refuse=no_enumeration),
    Improvement("coordinate orders, flow program", "sat", coordinate_order_search, refuse=_no_coordinates),
)
