"""The exact least rounds per chunk of copying tasks, over all numbers of chunks: trees in time, packed.

Every chunk is sent along a tree in time, which reaches all its destinations within S steps. The program
gives weights to trees so that the weights of a shipment add up to 1 and the links can carry them, and
minimises the rounds per chunk. Trees enter by column generation: under the links' dual prices the cheapest
tree of a shipment is found by dynamic programming over sets of destinations. When no tree is cheaper than
its shipment pays, the prices prove the optimum.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.network.automorphisms import Automorphism

from ..claims.hops import Pair, Route
from ..claims.orbits import orbit_representatives
from ..claims.prices import tree_price_bound
from ..claims.trees import MOST_DESTINATIONS, cheapest_tree
from ..rules.collective import collective_of
from .step_program import FlowBound, StepProgram, price_to_data

PRICE_SCALE = 10**8


@dataclass(frozen=True)
class TimedTree:
    """A tree in time of a shipment: (number of the route, step), by step."""

    shipment: int
    sends: tuple[tuple[int, int], ...]


class TreeProgram(StepProgram):
    """The program with the trees so far."""

    def __init__(self, problem: Problem, group: Sequence[Automorphism]) -> None:
        super().__init__(problem, group)
        self.link_rows = {
            (link, step): self.lp.row({self.rounds[step - 1]: -problem.network.bandwidth_of[link]}, "<=", 0)
            for step in range(1, self.steps + 1)
            for link in self.orbit_size
        }
        self.shipment_rows = {
            shipment: self.lp.row({}, ">=", 1)
            for shipment in orbit_representatives(self.collective, self.group)
        }
        self.trees: dict[TimedTree, int] = {}

    @staticmethod
    def fits(problem: Problem) -> bool:
        """Whether the cheapest trees of the problem can be found."""
        collective = collective_of(problem)
        return all(len(shipment.destinations) <= MOST_DESTINATIONS for shipment in collective.shipments)

    def loads(self, tree: TimedTree) -> Counter[tuple[Pair, int]]:
        """For every orbit of links and step, what the tree and its images load on each link of it."""
        load: Counter[tuple[Pair, int]] = Counter()
        for i, step in tree.sends:
            for link in self.routes[i].links:
                orbit = self.orbit[link]
                load[orbit, step] += len(self.group) // self.orbit_size[orbit]
        return load

    def add(self, tree: TimedTree) -> bool:
        """Add a tree; whether it is new."""
        if tree in self.trees:
            return False
        variable = self.trees[tree] = self.lp.variable()
        self.lp.enter(self.shipment_rows[tree.shipment], variable, 1)
        for place, times in self.loads(tree).items():
            self.lp.enter(self.link_rows[place], variable, times)
        return True

    def prices(self) -> list[dict[Pair, Fraction]]:
        """Return the links' dual prices, step by step, rounded."""
        duals = self.lp.duals()
        found: list[dict[Pair, Fraction]] = [{} for _ in range(self.steps)]
        for (orbit, step), row in self.link_rows.items():
            price = Fraction(round(abs(duals[row]) / self.orbit_size[orbit] * PRICE_SCALE), PRICE_SCALE)
            found[step - 1][orbit] = price
        return [{link: step[orbit] for link, orbit in self.orbit.items()} for step in found]

    def cheapest(self, prices: Sequence[dict[Pair, Fraction]]) -> Iterator[tuple[TimedTree, Fraction]]:
        """Yield the cheapest tree of every shipment, and its price."""
        hops: list[dict[Pair, Fraction]] = []
        best: list[dict[Pair, int]] = []
        for links in prices:
            cost: dict[Pair, Fraction] = {}
            choice: dict[Pair, int] = {}
            for i, route in enumerate(self.routes):
                price = sum((links[link] for link in route.links), Fraction(0))
                ends = route.sender, route.receiver
                if ends not in cost or price < cost[ends]:
                    cost[ends], choice[ends] = price, i
            hops.append(cost)
            best.append(choice)
        for shipment in self.shipment_rows:
            goods = self.collective.shipments[shipment]
            price, sends = cheapest_tree(goods.origin, goods.destinations, hops)
            chosen = [(best[step - 1][u, v], step) for step, u, v in sends]
            yield TimedTree(shipment, self._needed(goods.origin, goods.destinations, chosen)), price

    def _needed(
        self, origin: int, destinations: Sequence[int], sends: Sequence[tuple[int, int]]
    ) -> tuple[tuple[int, int], ...]:
        """Return the sends that somebody needs.

        They leave out those to a node that already holds the chunk.
        """
        held, kept = {origin}, []
        for step in sorted({step for _, step in sends}):
            arrived: set[int] = set()
            for i, when in sends:
                route: Route = self.routes[i]
                if when == step and route.receiver not in held | arrived and route.sender in held:
                    arrived.add(route.receiver)
                    kept.append((i, step))
            held |= arrived
        useful, needed = set(destinations), []
        for i, step in reversed(kept):
            if self.routes[i].receiver in useful:
                useful.add(self.routes[i].sender)
                needed.append((i, step))
        return tuple(sorted(needed, key=lambda send: (send[1], send[0])))

    def solve(self, seconds: float) -> Iterator[float | None]:
        """Add trees until none is cheaper than what its shipment pays.

        The value after every pass, None when the solver fails.

        The last one is the optimum unless the time is up.
        """
        end = time.process_time() + seconds
        uniform = [dict.fromkeys(self.problem.network.arcs, Fraction(1)) for _ in range(self.steps)]
        for tree, _ in self.cheapest(uniform):
            self.add(tree)
        while True:
            value = self.lp.solve()
            yield value
            if value is None or time.process_time() > end:
                return
            duals = self.lp.duals()
            new = False
            for tree, price in self.cheapest(self.prices()):
                pays = duals[self.shipment_rows[tree.shipment]] / len(self.group)
                if len(self.group) * price < len(self.group) * pays - 1e-6:
                    new |= self.add(tree)
            if not new:
                return

    def flow_bound(self) -> FlowBound | None:
        """Return what the present prices prove, with the evidence."""
        value = self.lp.solve()
        if value is None:
            return None
        prices = [
            (link, step, x) for step, of in enumerate(self.prices(), 1) for link, x in sorted(of.items())
        ]

        def evidence(exact: Sequence[Fraction]) -> dict[str, Any]:
            links = [
                [*link, step, price_to_data(price)]
                for (link, step, _), price in zip(prices, exact, strict=True)
                if price
            ]
            return {"kind": "tree-prices", "links": links}

        weights = [float(x) * len(self.group) for _, _, x in prices]
        return self.exact_bound(weights, value, evidence, tree_price_bound)
