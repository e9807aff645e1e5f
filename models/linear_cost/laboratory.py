"""The laboratory for Conjecture 31: what is proven of f_T(r), what a replayed protocol reaches, what is
believed.

Conjecture 31 of Beauquier, Delmas, Perennes (1999): f_T(r) = (T+r)/(kr+1) for all r >= T.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Literal

from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

from .claims.table import table
from .constructions.plans import best_plan, build
from .constructions.protocol import Protocol
from .rules import Shape, replay
from .search.improve import aggregated_bound
from .search.search import search

Verdict = Literal["proven", "open", "refuted"]


@dataclass(frozen=True)
class Row:
    """What is known of f_T(r) for one number r of extra rounds.

    lower: certified, with its reason. upper: the cost of the cheapest protocol, replayed, with its reason,
    and the protocol.
    conjectured: the value of Conjecture 31; None for r < T, of which it says nothing.
    searched: the cost of the protocol that the search found from scratch below the conjectured value (or,
    without one, below the constructions); None when it found none or was not asked. seconds: how long the
    search took until then.
    """

    shape: Shape
    lower: Fraction
    lower_reason: str
    upper: Fraction
    upper_reason: str
    schedule: Schedule
    conjectured: Fraction | None
    searched: Fraction | None = None
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """On the conjecture, or for r < T on the value: "proven", both sides meeting there; "refuted", by a
        cheaper protocol; or "open".
        """
        if self.conjectured is not None and self.upper < self.conjectured:
            return "refuted"
        return "proven" if self.lower == self.upper else "open"

    def time(self, alpha: Fraction, tau: Fraction, length: Fraction) -> Fraction:
        """The communication time of the protocol (Definition 1): alpha for every round allowed, tau for every
        unit of a message's size.
        """
        return self.shape.rounds * alpha + self.upper * length * tau

    def least_time(self, alpha: Fraction, tau: Fraction, length: Fraction) -> Fraction:
        """What no protocol with so many extra rounds is faster than."""
        return self.shape.rounds * alpha + self.lower * length * tau


def explore(
    ports: int,
    dimension: int,
    extra_rounds: int,
    *,
    seconds: float = 0.0,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> Row:
    """The row for k = ports, T = dimension >= 1 and r = extra_rounds.

    seconds: how long to search for protocols; 0 for bounds and constructions only. progress: told now and
    then what is being done.
    """
    shape = Shape(ports, (ports + 1) ** dimension, extra_rounds)
    derived = table(ports, shape.nodes).f(extra_rounds)
    assert derived is not None
    lower, lower_reason = derived.value, derived.rule
    progress("constructions")
    plan = best_plan(ports, dimension, extra_rounds)
    upper, schedule = _replayed(shape, build(plan, ports, dimension, extra_rounds))
    upper_reason = f"construction {plan.name}"
    if lower < upper:
        progress("aggregated linear programme")
        bound = aggregated_bound(shape)
        if bound is not None and bound.value > lower:
            lower, lower_reason = Fraction(bound.value), bound.reason
    conjectured = (
        Fraction(dimension + extra_rounds, ports * extra_rounds + 1) if extra_rounds >= dimension else None
    )
    searched, begun, took = None, time.monotonic(), 0.0
    if seconds > 0 and lower < (conjectured or upper):
        for protocol, optimum in search(shape, conjectured or upper, seconds, seed, progress):
            searched, found = _replayed(shape, protocol)
            took = time.monotonic() - begun
            if searched < upper:
                upper, schedule, upper_reason = searched, found, "found by search"
            if searched <= max(lower, upper) and searched <= optimum.value:
                break
    return Row(shape, lower, lower_reason, upper, upper_reason, schedule, conjectured, searched, took)


def _replayed(shape: Shape, protocol: Protocol) -> tuple[Fraction, Schedule]:
    """The referee's value of a protocol, and its schedule, on the network of all coordinates' lines."""
    schedule = protocol.schedule(lambda x: x).without_empty_end()
    parameters = {"source": 0, "ports": shape.ports, "extra_rounds": shape.extra_rounds}
    seen = replay(Problem("linear-cost", "broadcast", hamming_network(shape), parameters), schedule)
    if seen.violation:
        raise AssertionError(f"an illegal protocol was built: {seen.violation}")
    return Fraction(seen.value), schedule


def hamming_network(shape: Shape) -> Network:
    """The network on Z_(k+1)^T whose edges join nodes that differ in one coordinate; a part of the complete
    network.

    shape: with (k+1)^T nodes.
    """
    radix = shape.ports + 1
    edges: list[tuple[int, int]] = []
    for i in range(shape.dimension):
        step = radix**i
        for high, low in product(range(0, shape.nodes, step * radix), range(step)):
            edges += combinations(range(high + low, high + low + step * radix, step), 2)
    return Network(shape.nodes, tuple(edges))
