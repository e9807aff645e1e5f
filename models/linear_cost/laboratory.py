"""The laboratory for Conjecture 31.

What is proven of f_T(r), what a replayed protocol reaches, what is believed.

Conjecture 31 of Beauquier, Delmas, Perennes (1999): f_T(r) = (T+r)/(kr+1) for all r >= T.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Literal

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.network.graph import Network

from .bounds import aggregated_bound
from .claims.table import table
from .constructions.plans import best_plan
from .constructions.protocol import Protocol
from .rules import Shape, replay
from .search.coordinate_orders import search

Verdict = Literal["proven", "open", "refuted"]


@dataclass(frozen=True)
class Row:
    """What is known of f_T(r) for one number r of extra rounds.

    Attributes
    ----------
    lower
        Certified, with its reason.
    upper
        The cost of the cheapest protocol, replayed, with its reason, and the protocol.
    amounts, amounts_reason
        A certified lower bound on g_T(r), the least cost where amounts alone count (Definition 18), which is
        at most f_T(r) (Property 19), with its reason.
    conjectured
        The value of Conjecture 31; None for r < T, of which it says nothing.
    searched
        The cost of the protocol that the search found from scratch below the conjectured value (or, without
        one, below the constructions); None when it found none or was not asked.
    seconds
        How long the search took until then.
    """

    shape: Shape
    lower: Fraction
    lower_reason: str
    upper: Fraction
    upper_reason: str
    amounts: Fraction
    amounts_reason: str
    schedule: Schedule
    conjectured: Fraction | None
    searched: Fraction | None = None
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """On the conjecture, or for r < T on the value.

        "proven", both sides meeting there; "refuted", by a cheaper protocol; or "open".
        """
        if self.conjectured is not None and self.upper < self.conjectured:
            return "refuted"
        return "proven" if self.lower == self.upper else "open"

    def time(self, alpha: Fraction, tau: Fraction, length: Fraction) -> Fraction:
        """Return the communication time of the protocol (Definition 1).

        Alpha for every round allowed, tau for every unit of a message's size.
        """
        return self.shape.rounds * alpha + self.upper * length * tau

    def least_time(self, alpha: Fraction, tau: Fraction, length: Fraction) -> Fraction:
        """Return what no protocol with so many extra rounds is faster than."""
        return self.shape.rounds * alpha + self.lower * length * tau


def conjecture(ports: int, dimension: int, extra_rounds: int) -> Fraction | None:
    """Return the value of Conjecture 31, for k = ports and T = dimension; None for r < T."""
    if extra_rounds < dimension:
        return None
    return Fraction(dimension + extra_rounds, ports * extra_rounds + 1)


def explore(
    ports: int,
    dimension: int,
    extra_rounds: int,
    *,
    seconds: float = 0.0,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> Row:
    """Return the row for k = ports, T = dimension >= 1 and r = extra_rounds.

    Parameters
    ----------
    ports
        The ports of a node.
    dimension
        T of the network.
    extra_rounds
        The rounds beyond the least number.
    seconds
        How long to search for protocols; 0 for bounds and constructions only.
    seed
        Of the random numbers.
    progress
        Told now and then what is being done.
    """
    shape = Shape(ports, (ports + 1) ** dimension, extra_rounds)
    rules = table(ports, shape.nodes)
    derived, amounts = rules.f(extra_rounds), rules.g(extra_rounds)
    assert derived is not None
    assert amounts is not None
    lower, lower_reason = derived.value, derived.rule
    progress("constructions")
    plan = best_plan(ports, dimension, extra_rounds)
    upper, schedule = _replayed(shape, plan.build())
    upper_reason = f"construction {plan.name}"
    if lower < upper:
        progress("aggregated linear program")
        bound = aggregated_bound(shape)
        if bound is not None and bound.value > lower:
            lower, lower_reason = Fraction(bound.value), bound.reason
    conjectured = conjecture(ports, dimension, extra_rounds)
    searched, begun, took = None, time.monotonic(), 0.0
    if seconds > 0 and lower < (conjectured or upper):
        for protocol, optimum in search(shape, conjectured or upper, seconds, seed, progress):
            searched, found = _replayed(shape, protocol)
            took = time.monotonic() - begun
            if searched < upper:
                upper, schedule, upper_reason = searched, found, "found by search"
            if searched <= max(lower, upper) and searched <= optimum.value:
                break
    known = (shape, lower, lower_reason, upper, upper_reason, amounts.value, amounts.rule, schedule)
    return Row(*known, conjectured, searched, took)


def _replayed(shape: Shape, protocol: Protocol) -> tuple[Fraction, Schedule]:
    """Return the referee's value of a protocol, and its schedule.

    The network is that of all coordinates' lines.
    """
    schedule = protocol.schedule(lambda x: x).without_empty_end()
    parameters = {"source": 0, "ports": shape.ports, "extra_rounds": shape.extra_rounds}
    seen = replay(Problem("linear-cost", "broadcast", hamming_network(shape), parameters), schedule)
    if seen.violation:
        raise AssertionError(f"an illegal protocol was built: {seen.violation}")
    return Fraction(seen.value), schedule


def hamming_network(shape: Shape) -> Network:
    """Return the network on Z_(k+1)^T whose edges join nodes that differ in one coordinate.

    A part of the complete network.

    Parameters
    ----------
    shape
        With (k+1)^T nodes.
    """
    radix = shape.ports + 1
    edges: list[tuple[int, int]] = []
    for i in range(shape.dimension):
        step = radix**i
        for high, low in product(range(0, shape.nodes, step * radix), range(step)):
            edges += combinations(range(high + low, high + low + step * radix, step), 2)
    return Network(shape.nodes, tuple(edges))
