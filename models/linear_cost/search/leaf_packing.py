"""The cheapest packing of arborescences into given call graphs of few nodes, exact.

The programme of `arborescences`: weights that sum to 1, in every round the load of an arc at most the round's
cost, the sum of the costs least. Here the arborescence of least price is found by going through all sets of
informed nodes, so for up to ten nodes the optimum is reached, with prices that prove it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedsolve.backends.lp import solve_lp
from schedsolve.formulas.linear_program import LinearProgram

from ..claims.call_graph_tree import Prefix, Setting
from .arborescences import apportioned, arc_loads, simple_fractions
from .least_arborescence import Arborescence, TimedArc

SCALE = 10**9


@dataclass(frozen=True)
class LeafPacking:
    """Weighted arborescences, their cost, and prices of the arcs over time that prove the bound."""

    weights: Mapping[Arborescence, Fraction]
    cost: Fraction
    prices: Mapping[TimedArc, Fraction]


def pack(setting: Setting, prefix: Prefix, end: float) -> LeafPacking | None:
    """The cheapest packing for a prefix of all rounds; None when somebody cannot be reached, or nothing is
    found until `end` of the monotonic clock.
    """
    columns: dict[Arborescence, None] = {}
    prices: dict[TimedArc, Fraction] = {}
    best: LeafPacking | None = None
    while time.monotonic() < end or best is None:
        fresh = _cheapest(setting, prefix, prices)
        if fresh is None or fresh in columns:
            return best
        columns[fresh] = None
        program = LinearProgram([1] * setting.rounds, [1] * setting.rounds)
        weights = [program.variable(0, 1) for _ in columns]
        users: dict[TimedArc, list[int]] = {}
        for x, column in zip(weights, columns, strict=True):
            for arc in column:
                users.setdefault(arc, []).append(x)
        program.add(dict.fromkeys(weights, 1), "=", 1)
        loads = {
            arc: program.add({arc[0] - 1: 1, **dict.fromkeys(by, -1)}, ">=", 0) for arc, by in users.items()
        }
        solution = solve_lp(program)
        if solution is None:
            return best
        prices = {arc: solution.multipliers[row] for arc, row in loads.items() if row in solution.multipliers}
        floats = dict(zip(columns, solution.values[setting.rounds :], strict=True))
        for fractions in (simple_fractions(floats), apportioned(floats)):
            cost = _cost(setting, fractions)
            if fractions and (best is None or cost <= best.cost):
                best = LeafPacking(fractions, cost, prices)
    return best


def _cost(setting: Setting, weights: Mapping[Arborescence, Fraction]) -> Fraction:
    costs = [Fraction(0)] * (setting.rounds + 1)
    for (t, _, _), load in arc_loads(weights).items():
        costs[t] = max(costs[t], load)
    return sum(costs, Fraction(0))


def _cheapest(setting: Setting, prefix: Prefix, prices: Mapping[TimedArc, Fraction]) -> Arborescence | None:
    """The arborescence of least price, prices rounded to multiples of 1/SCALE; among equal ones the first
    found.
    """
    whole = {arc: int(price * SCALE) for arc, price in prices.items()}
    known: dict[int, int] = {1 << setting.source: 0}
    steps: list[dict[int, tuple[int, tuple[TimedArc, ...]]]] = []
    for t, graph in enumerate(prefix.call_graphs, 1):
        after = dict(known)
        step: dict[int, tuple[int, tuple[TimedArc, ...]]] = {}
        for informed, price in known.items():
            cheapest: dict[int, tuple[int, TimedArc]] = {}
            for u, v in graph:
                if informed >> u & 1 and not informed >> v & 1:
                    x = whole.get((t, u, v), 0)
                    if v not in cheapest or x < cheapest[v][0]:
                        cheapest[v] = (x, (t, u, v))
            grown: list[tuple[int, int, tuple[TimedArc, ...]]] = [(informed, price, ())]
            for v, (x, arc) in cheapest.items():
                grown += [(one | 1 << v, total + x, (*arcs, arc)) for one, total, arcs in grown]
            for one, total, arcs in grown:
                if one not in after or total < after[one]:
                    after[one] = total
                    step[one] = (informed, arcs)
        known = after
        steps.append(step)
    at = (1 << setting.network.node_count) - 1
    if at not in known:
        return None
    chosen: list[TimedArc] = []
    for step in reversed(steps):
        if at in step:
            at, arcs = step[at]
            chosen += arcs
    return tuple(sorted(chosen))
