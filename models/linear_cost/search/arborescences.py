"""Given call graphs: the exact least cost of a broadcast, as a packing of time-respecting arborescences.

The call graphs say which arcs may be used in which round; the costs of the rounds are free. The way of one
packet, first receipts only, is a spanning time-respecting arborescence: every node but the source 0 receives
it once, from a node that received it in an earlier round. So a broadcast is a choice of weights of
arborescences, and the least cost is the value of the packing programme

- The weights are at least 0 and sum to 1.
- For every arc and round the weights of the arborescences that use it sum to at most the round's cost.
- Minimise the sum of the costs of the rounds.

Its dual: prices of the arcs over time, at least 0, that sum to at most 1 in every round; they prove the least
price of an arborescence as a lower bound. Weaker is the flow bound (`call_graph_flow`): a flow of 1 to every
node, each for itself. The arborescences are generated: greedy ones first, and where none is cheap enough the
one of least price (`least_arborescence`), which is NP-hard and solved by CP-SAT.

Source: Beauquier, Delmas, Perennes (INRIA RR-3827, 1999), section 2, for the model; the programme is the
fractional packing of Edmonds' branchings (1973) over time, where cuts and packings may differ.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from math import lcm

from schedsolve.backends.lp import LpSolution, solve_lp
from schedsolve.formulas.linear_program import LinearProgram

from ..constructions.protocol import Message, Protocol
from .call_graph_flow import CallGraph, flow_costs
from .cuts import LARGEST_DENOMINATOR, FlowOptimum
from .least_arborescence import Arborescence, TimedArc, greedy_arborescence, least_arborescence, price_of

GREEDY_TRIES = 12
SPREAD, SPREAD_POWER = 200, 6
"""How many greedy arborescences there are to begin with, and how their prices grow with the loads."""
MOST_IMAGES = 64
MOST_PACKETS, ROUGH_PACKETS = 10**5, 2520
"""Packets up to which weights are kept exactly, and the number of packets to which they are rounded
otherwise.
"""
TOLERANCE = Fraction(1, 10**7)


@dataclass(frozen=True)
class Packing:
    """Weighted arborescences, and what is proven about the least cost with these call graphs.

    costs: of the rounds, each the largest load of an arc. weights: of the arborescences, they sum to 1.
    bound: a proven lower bound. flow: the flow optimum, whose value is the bound when there are no prices.
    prices: the dual solution that proves the bound.
    """

    costs: tuple[Fraction, ...]
    weights: Mapping[Arborescence, Fraction]
    bound: Fraction
    flow: FlowOptimum
    prices: Mapping[TimedArc, Fraction]

    @property
    def cost(self) -> Fraction:
        """The sum of the costs of the rounds."""
        return sum(self.costs, Fraction(0))

    @property
    def is_optimal(self) -> bool:
        """Whether the cost is proven to be the least with these call graphs."""
        return self.cost == self.bound

    def protocol(self) -> Protocol:
        """The broadcast in which each packet takes the way of one arborescence."""
        return protocol_of(self.weights, len(self.costs))


def protocol_of(weights: Mapping[Arborescence, Fraction], rounds: int) -> Protocol:
    """The broadcast in which each packet takes the way of one arborescence; the weights sum to 1."""
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


def pack_arborescences(
    node_count: int,
    call_graphs: Sequence[CallGraph],
    seconds: float,
    symmetries: Iterable[Sequence[int]] = (),
    seed: int = 0,
) -> Packing | None:
    """The cheapest packing of arborescences, by column generation.

    seconds: about how long it may take; a packing that is not proven to be the cheapest by then has a smaller
    bound. symmetries: permutations of the nodes under which the arborescences come together, the first 64 are
    used. seed: of the greedy choices.
    Gives None when some node cannot be reached, or when not even the flow optimum is found in time.
    Raises ValueError for a symmetry that moves the source or changes a call graph, and for an arc of other
    nodes than 0..N-1.
    """
    end = time.monotonic() + seconds
    flow = flow_costs(node_count, call_graphs, seconds)
    if flow is None:
        return None
    generation = _Generation(
        node_count, call_graphs, flow, list(islice(symmetries, MOST_IMAGES)), random.Random(seed)
    )
    return generation.run(end)


@dataclass
class _Generation:
    """The arborescences found so far, and the best packing and the best bound that they gave."""

    node_count: int
    call_graphs: Sequence[CallGraph]
    flow: FlowOptimum
    symmetries: Sequence[Sequence[int]]
    generator: random.Random
    columns: dict[Arborescence, None] = field(default_factory=dict)
    best: Packing | None = None

    def __post_init__(self) -> None:
        for image in self.symmetries:
            if image[0] != 0 or any(
                {(image[u], image[v]) for u, v in graph} != set(graph) for graph in self.call_graphs
            ):
                raise ValueError("a symmetry has to keep the source and every call graph")
        self.bound = self.flow.value
        self.prices: Mapping[TimedArc, Fraction] = {}

    def run(self, end: float) -> Packing | None:
        """Add arborescences until none is cheaper than the prices ask for, or the time is up."""
        fresh = self._spread() or self._cheaper({}, None, end)
        while self._add(fresh):
            program, loads = self._packing_program()
            solution = solve_lp(program)
            if solution is None:
                break
            if self.best is None or solution.bound < self.best.cost:
                self._weigh(solution)
            if (self.best is not None and self.best.cost <= self.bound) or time.monotonic() > end:
                break
            fresh = self._cheaper(self._prices(solution, loads), solution.bound, end)
        return self.best and replace(self.best, bound=self.bound, prices=self.prices)

    def _spread(self) -> list[Arborescence]:
        """Greedy arborescences, each under prices that grow with the loads of the arcs by those before,
        relative to the flow costs.
        """
        found: dict[Arborescence, None] = {}
        loads: dict[TimedArc, float] = {}
        for number in range(1, SPREAD + 1):
            prices = {
                arc: (load / number / max(1e-3, float(self.flow.costs[arc[0] - 1]))) ** SPREAD_POWER
                for arc, load in loads.items()
            }
            arborescence = greedy_arborescence(self.node_count, self.call_graphs, prices, self.generator)
            if arborescence is not None:
                found[arborescence] = None
                for arc in arborescence:
                    loads[arc] = loads.get(arc, 0.0) + 1
        return list(found)

    def _add(self, arborescences: Iterable[Arborescence]) -> bool:
        """Remember these and their images; says whether any of them was new."""
        known = len(self.columns)
        for arborescence in arborescences:
            self.columns[arborescence] = None
            for image in self.symmetries:
                self.columns[tuple(sorted((t, image[u], image[v]) for t, u, v in arborescence))] = None
        return len(self.columns) > known

    def _packing_program(self) -> tuple[LinearProgram, dict[TimedArc, int]]:
        """The packing programme with the known arborescences, whose variables come after the rounds' costs,
        and the rows of the arcs.
        """
        rounds = len(self.call_graphs)
        program = LinearProgram([1] * rounds, [1] * rounds)
        users: dict[TimedArc, list[int]] = {}
        weights = [program.variable(0, 1) for _ in self.columns]
        for x, arborescence in zip(weights, self.columns, strict=True):
            for arc in arborescence:
                users.setdefault(arc, []).append(x)
        program.add(dict.fromkeys(weights, 1), "=", 1)
        loads = {
            arc: program.add({arc[0] - 1: 1, **dict.fromkeys(users[arc], -1)}, ">=", 0)
            for arc in sorted(users)
        }
        return program, loads

    def _prices(self, solution: LpSolution, loads: Mapping[TimedArc, int]) -> dict[TimedArc, Fraction]:
        """The multipliers of the arcs, reduced where those of a round sum to more than 1."""
        prices = {arc: solution.multipliers[row] for arc, row in loads.items() if row in solution.multipliers}
        totals = [Fraction(1)] * len(self.call_graphs)
        for t in range(len(totals)):
            totals[t] = max(
                Fraction(1), sum((price for arc, price in prices.items() if arc[0] == t + 1), Fraction(0))
            )
        return {arc: price / totals[arc[0] - 1] for arc, price in prices.items()}

    def _cheaper(
        self, prices: Mapping[TimedArc, Fraction], value: Fraction | None, end: float
    ) -> list[Arborescence]:
        """Arborescences of a price below the value, or any when there is none; none when they do not exist or
        the time is up.
        """
        found = {}
        for _ in range(GREEDY_TRIES):
            arborescence = greedy_arborescence(self.node_count, self.call_graphs, prices, self.generator)
            if arborescence is not None:
                price = price_of(arborescence, prices)
                if value is None or price < value - TOLERANCE:
                    found[arborescence] = price
        if found:
            return sorted(found, key=lambda a: found[a])
        least = least_arborescence(
            self.node_count, self.call_graphs, prices, max(0.0, end - time.monotonic())
        )
        if least is None:
            return []
        if least.bound > self.bound:
            self.bound, self.prices = least.bound, least.prices
        return [least.arborescence] if value is None or least.price < value else []

    def _weigh(self, solution: LpSolution) -> None:
        """Keep the weights of this solution if they cost less, made fractions that sum to 1."""
        floats = dict(zip(self.columns, solution.values[len(self.call_graphs) :], strict=True))
        for weights in (simple_fractions(floats), apportioned(floats)):
            costs = [Fraction(0)] * len(self.call_graphs)
            for (t, _, _), load in arc_loads(weights).items():
                costs[t - 1] = max(costs[t - 1], load)
            if weights and (self.best is None or sum(costs) < self.best.cost):
                self.best = Packing(tuple(costs), weights, self.bound, self.flow, {})


def simple_fractions(floats: Mapping[Arborescence, float]) -> dict[Arborescence, Fraction]:
    """The weights as the simple fractions that they seem to be; none when these do not sum to 1, or need too
    many packets.
    """
    near = {a: Fraction(x).limit_denominator(LARGEST_DENOMINATOR) for a, x in floats.items() if x > 1e-9}
    weights = {a: weight for a, weight in near.items() if weight}
    fits = (
        sum(weights.values()) == 1
        and lcm(*(weight.denominator for weight in weights.values())) <= MOST_PACKETS
    )
    return weights if fits else {}


def apportioned(floats: Mapping[Arborescence, float]) -> dict[Arborescence, Fraction]:
    """The weights rounded to whole packets, the largest remainders up, so that they sum to 1."""
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
