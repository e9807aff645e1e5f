"""The cheapest packing of arborescences into given call graphs of few nodes, exact.

The way of one packet, first receipts only, is a spanning time-respecting arborescence: every node but the
source receives it once, from a node that received it in an earlier round. So with given call graphs a
broadcast is a choice of weights of arborescences, and the least cost is the value of the packing program

- The weights are at least 0 and sum to 1.
- For every arc and round the weights of the arborescences that use it sum to at most the round's cost.
- Minimise the sum of the costs of the rounds.

Its dual: prices of the arcs over time, at least 0, that sum to at most 1 in every round; they prove the least
price of an arborescence as a lower bound. Weaker is the flow bound (`constructions.flow_costs`): a flow of 1
to every node, each for itself. The arborescence of least price is found by going through all sets of informed
nodes, so for up to ten nodes the optimum is reached, with prices that prove it.

Source: Beauquier, Delmas, Perennes (INRIA RR-3827, 1999), section 2, for the model; the program is the
fractional packing of Edmonds' branchings (1973) over time, where cuts and packings may differ.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from schedsolve.backends.lp import solve_lp
from schedsolve.modelkit.formulas.linear_program import LinearProgram

from ..claims.call_graph_tree import Prefix, Setting, TimedArc, cheapest_arborescence
from ..constructions.flow_costs import LARGEST_DENOMINATOR
from ..constructions.protocol import Message, Protocol

Arborescence = tuple[TimedArc, ...]
"""Its arcs over time, sorted."""

SCALE = 10**9
"""Prices are rounded to multiples of its inverse when an arborescence is looked for."""
MOST_PACKETS, ROUGH_PACKETS = 10**5, 2520
"""Packets up to which weights are kept exactly, and the number of packets to which they are rounded
otherwise.
"""


@dataclass(frozen=True)
class LeafPacking:
    """Weighted arborescences, their cost, and prices of the arcs over time that prove the bound."""

    weights: Mapping[Arborescence, Fraction]
    cost: Fraction
    prices: Mapping[TimedArc, Fraction]


def pack(setting: Setting, prefix: Prefix, end: float) -> LeafPacking | None:
    """Return the cheapest packing for a prefix of all rounds.

    None when somebody cannot be reached, or nothing is found until `end` of the processor clock.
    """
    columns: dict[Arborescence, None] = {}
    prices: dict[TimedArc, Fraction] = {}
    best: LeafPacking | None = None
    while time.process_time() < end or best is None:
        whole = {arc: int(price * SCALE) for arc, price in prices.items()}
        found = cheapest_arborescence(setting, prefix, whole)
        if found is None or found[1] in columns:
            return best
        columns[found[1]] = None
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
    """Return the sum over the rounds of the fullest arc's load."""
    costs = [Fraction(0)] * (setting.rounds + 1)
    for (t, _, _), load in arc_loads(weights).items():
        costs[t] = max(costs[t], load)
    return sum(costs, Fraction(0))


def protocol_of(weights: Mapping[Arborescence, Fraction], rounds: int) -> Protocol:
    """Return the broadcast in which each packet takes the way of one arborescence; the weights sum to 1."""
    count = lcm(*(weight.denominator for weight in weights.values()))
    sends: list[dict[tuple[int, int], list[int]]] = [{} for _ in range(rounds)]
    first = 0
    for arborescence, weight in weights.items():
        packets = range(first, first + int(weight * count))
        for t, u, v in arborescence:
            sends[t - 1].setdefault((u, v), []).extend(packets)
        first = packets.stop
    messages: list[tuple[Message, ...]] = [
        tuple((u, v, tuple(p)) for (u, v), p in sorted(of_round.items())) for of_round in sends
    ]
    return Protocol(count, tuple(messages))


def simple_fractions(floats: Mapping[Arborescence, float]) -> dict[Arborescence, Fraction]:
    """Return the weights as the simple fractions that they seem to be.

    None when these do not sum to 1, or need too many packets.
    """
    near = {a: Fraction(x).limit_denominator(LARGEST_DENOMINATOR) for a, x in floats.items() if x > 1e-9}
    weights = {a: weight for a, weight in near.items() if weight}
    fits = (
        sum(weights.values()) == 1
        and lcm(*(weight.denominator for weight in weights.values())) <= MOST_PACKETS
    )
    return weights if fits else {}


def apportioned(floats: Mapping[Arborescence, float]) -> dict[Arborescence, Fraction]:
    """Return the weights rounded to whole packets, the largest remainders up, so that they sum to 1."""
    total = sum(floats.values())
    whole = {a: int(x / total * ROUGH_PACKETS) for a, x in floats.items()}
    left = ROUGH_PACKETS - sum(whole.values())
    for a in sorted(floats, key=lambda a: whole[a] - floats[a] / total * ROUGH_PACKETS)[:left]:
        whole[a] += 1
    return {a: Fraction(count, ROUGH_PACKETS) for a, count in whole.items() if count}


def arc_loads(weights: Mapping[Arborescence, Fraction]) -> dict[TimedArc, Fraction]:
    """For every arc and round the sum of the weights of the arborescences that use it."""
    loads: dict[TimedArc, Fraction] = {}
    for arborescence, weight in weights.items():
        for arc in arborescence:
            loads[arc] = loads.get(arc, Fraction(0)) + weight
    return loads
