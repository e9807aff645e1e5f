"""Arborescences of least price in call graphs: exact, and greedy."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm
from typing import Any

from schedsolve.backends.cpsat import CpModel, least_solution

from .call_graph_flow import CallGraph
from .cuts import UNIT

TimedArc = tuple[int, int, int]
"""Round, from 1, sender, receiver."""
Arborescence = tuple[TimedArc, ...]
"""Its arcs over time, sorted."""

LARGEST_SCALE = 10**12
"""The common denominator of prices up to which they are scaled exactly; beyond it they are rounded down,
which keeps the bound.
"""


@dataclass(frozen=True)
class LeastArborescence:
    """The cheapest arborescence found. price: of it, under `prices`. bound: no arborescence has a smaller
    price.

    prices: those that were asked about, rounded down where their common denominator is too large.
    """

    arborescence: Arborescence
    price: Fraction
    bound: Fraction
    prices: Mapping[TimedArc, Fraction]


def least_arborescence(
    node_count: int, call_graphs: Sequence[CallGraph], prices: Mapping[TimedArc, Fraction], seconds: float
) -> LeastArborescence | None:
    """The spanning time-respecting arborescence of least price; None when there is none, or none is found in
    so many seconds.

    - `used[t, u, v]`: the arborescence uses the arc from u to v of round t.
    - Every node but the source receives exactly once, and the source never.
    - A node other than the source sends in a round only if it received in an earlier one.
    - Minimise the sum of the prices of the arcs used; prices are at least 0, and arcs that are left out have
      0.
    """
    scale = lcm(*(price.denominator for price in prices.values()))
    scale = scale if scale <= LARGEST_SCALE else UNIT
    whole = {arc: int(price * scale) for arc, price in prices.items()}
    model = CpModel()
    used = {
        (t, u, v): model.boolean()
        for t, graph in enumerate(call_graphs, 1)
        for u, v in sorted(graph)
        if v != 0
    }
    entering: list[list[TimedArc]] = [[] for _ in range(node_count)]
    for arc in used:
        entering[arc[2]].append(arc)
    for arcs in entering[1:]:
        model.exactly_one(used[arc] for arc in arcs)
    for (t, u, _), x in used.items():
        if u != 0:
            model.clause([-x, *(used[arc] for arc in entering[u] if arc[0] < t)])
    found = least_solution(
        model, {used[arc]: price for arc, price in whole.items() if arc in used and price}, seconds
    )
    if found is None:
        return None
    arborescence = tuple(sorted(arc for arc, x in used.items() if found.value(x)))
    price = price_of(arborescence, prices)
    return LeastArborescence(
        arborescence,
        price,
        Fraction(found.bound, scale),
        {arc: Fraction(p, scale) for arc, p in whole.items() if p},
    )


def greedy_arborescence(
    node_count: int,
    call_graphs: Sequence[CallGraph],
    prices: Mapping[TimedArc, float | Fraction],
    generator: random.Random,
) -> Arborescence | None:
    """A cheap arborescence: join the nodes one after the other by cheapest paths over time from what there
    is; None when that gets stuck.

    Which of the nearest nodes comes next, and which of equal ways it takes, is left to chance.

    Source: the cheapest path heuristic for Steiner trees, Takahashi and Matsuyama (1980), over time.
    """
    arcs = [
        [(u, v, float(prices.get((t, u, v), 0))) for u, v in graph if v != 0]
        for t, graph in enumerate(call_graphs, 1)
    ]
    for of_round in arcs:
        of_round.sort()
        generator.shuffle(of_round)
    received = {0: 0}
    chosen: list[TimedArc] = []
    while len(received) < node_count:
        distance, last = _cheapest_paths(node_count, arcs, received)
        outside = [v for v in range(node_count) if v not in received]
        near = min(outside, key=lambda v: (distance[v], generator.random()))
        if distance[near] == inf:
            return None
        step = last[near]
        while step is not None:
            arc, step = step
            chosen.append(arc)
            received[arc[2]] = arc[0]
    return tuple(sorted(chosen))


def _cheapest_paths(
    nodes: int, arcs: Sequence[Sequence[tuple[int, int, float]]], received: Mapping[int, int]
) -> tuple[list[float], list[Any]]:
    """The distances over time from the arborescence, and the paths as linked lists of arcs, the last one
    first.
    """
    distance = [0.0 if received.get(v) == 0 else inf for v in range(nodes)]
    last: list[Any] = [None] * nodes
    for t, of_round in enumerate(arcs, 1):
        before, paths = list(distance), list(last)
        for u, v, price in of_round:
            if v not in received and before[u] + price < distance[v]:
                distance[v] = before[u] + price
                last[v] = ((t, u, v), paths[u])
        for v, when in received.items():
            if when == t:
                distance[v] = 0.0
    return distance, last


def price_of(arborescence: Arborescence, prices: Mapping[TimedArc, Fraction]) -> Fraction:
    """The sum of the prices of its arcs; arcs that are left out have 0."""
    return sum((prices.get(arc, Fraction(0)) for arc in arborescence), Fraction(0))
