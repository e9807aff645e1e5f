"""A general gossip heuristic.

Greedy matchings by a potential that looks ahead, or two-way the matchings of an edge colouring in turn, and
restarts from the middle of the best schedule.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit.search import Effort
from schedsolve.modelkit.task import gossip_demand
from schedsolve.network.graph import Network

from .matchings_in_turn import in_turn, is_colourable, matchings

if TYPE_CHECKING:
    from collections.abc import Sequence

Pair = tuple[int, int]

LARGEST_LOOKAHEAD = 400
"""Nodes up to which calls are weighed by the potential; beyond, by the number of items learnt."""

COLOURINGS = 10
"""How many random edge colourings are tried first."""


def search_gossip(network: Network, effort: Effort, *, two_way: bool) -> list[list[Pair]]:
    """Return a gossip schedule, round by round as pairs of nodes; one-way pairs are (sender, receiver).

    Each round takes calls greedily by weight. The weight of a call is how much it lowers a potential: the
    sum, over the items and the nodes that miss them, of BASE^(distance to the nearest node that holds the
    item). A little noise makes runs differ; each further run keeps the first rounds of the best schedule so
    far, up to a random round. Two-way, the matchings of an edge colouring in turn come first. Stops with a
    schedule of the goal's rounds, or when the seconds are over, but not before one run is complete.

    Parameters
    ----------
    network
        Must be connected (strongly, when directed).
    effort
        Its goal is a known lower bound, its seed that of the noise.
    two_way
        Whether calls are two-way.
    """
    end = time.process_time() + effort.seconds
    generator = random.Random(effort.seed)
    weigh = (
        _Potential(network, two_way) if network.node_count <= LARGEST_LOOKAHEAD else _Count(network, two_way)
    )
    best = _in_turn(network, effort.seed) if two_way else []
    limit = len(best) or 4 * network.node_count
    best = _run(network, two_way, weigh, generator, [], 0.0, limit) or best
    while best and len(best) > effort.goal and time.process_time() < end:
        kept = best[: generator.randrange(len(best))] if generator.random() < 0.8 else []
        found = _run(network, two_way, weigh, generator, kept, generator.choice((0.05, 0.2, 0.5)), len(best))
        if found:
            best = found
    return best


def _in_turn(network: Network, seed: int) -> list[list[Pair]]:
    """Return the shortest gossip by the matchings of some edge colourings; empty if none is found."""
    generator, best = random.Random(seed), list[list[Pair]]()
    if not is_colourable(network):
        return []
    for _ in range(COLOURINGS):
        limit = len(best) - 1 if best else 4 * network.node_count
        best = in_turn(network, matchings(network, generator), limit) or best
    return best


def _run(
    network: Network,
    two_way: bool,
    weigh: _Potential | _Count,
    generator: random.Random,
    kept: list[list[Pair]],
    noise: float,
    limit: int,
) -> list[list[Pair]]:
    """Return a schedule that continues the rounds `kept`.

    It is empty when it would take more than `limit` rounds.
    """
    demand = gossip_demand(network.node_count)
    held, everything = list(demand.start), demand.goal[0]
    rounds = [list(calls) for calls in kept]
    for calls in rounds:
        _apply(held, calls, two_way)
    while any(items != everything for items in held):
        if len(rounds) >= limit:
            return []
        weights = weigh(held)
        ranked = sorted(weights, key=lambda call: -weights[call] * (1 + noise * generator.random()))
        busy: set[int] = set()
        calls = []
        for u, v in ranked:
            if u not in busy and v not in busy:
                calls.append((u, v))
                busy |= {u, v}
        _apply(held, calls, two_way)
        rounds.append(calls)
    return rounds


def _apply(held: list[int], calls: Sequence[Pair], two_way: bool) -> None:
    for u, v in calls:
        held[v] |= held[u]
        if two_way:
            held[u] = held[v]


class _Count:
    """Weighs a call by the number of items learnt."""

    def __init__(self, network: Network, two_way: bool) -> None:
        self.links = network.edges if two_way else network.arcs
        self.two_way = two_way

    def __call__(self, held: list[int]) -> dict[Pair, float]:
        if self.two_way:
            return {
                (u, v): float((held[u] ^ held[v]).bit_count()) for u, v in self.links if held[u] != held[v]
            }
        return {(u, v): float((held[u] & ~held[v]).bit_count()) for u, v in self.links if held[u] & ~held[v]}


class _Potential:
    """Weighs a call by how much it lowers a potential.

    The potential is the sum of BASE^(distance to the nearest holder) over all missing items.
    """

    BASE = 2.0

    def __init__(self, network: Network, two_way: bool) -> None:
        import numpy as np

        self.numpy = np
        self.network = network
        self.two_way = two_way
        distances = [network.distances_from([v]) for v in range(network.node_count)]
        # far[v, x]: the cost of x when v is its nearest holder; 0 for x = v.
        far = np.array([[d or 0 for d in row] for row in distances], dtype=float)
        self.far = np.where(far > 0, self.BASE**far, 0.0)

    def __call__(self, held: list[int]) -> dict[Pair, float]:
        np, n = self.numpy, self.network.node_count
        cost = np.empty((n, n))
        for i in range(n):
            holders = [v for v in range(n) if held[v] >> i & 1]
            cost[i] = self.far[holders].min(axis=0)
        gain: dict[Pair, float] = {}
        for u, v in self.network.arcs:
            fresh = held[u] & ~held[v]
            if fresh:
                gain[u, v] = self._drop(cost, v, fresh)
        if not self.two_way:
            return gain
        return {
            (u, v): w
            for u, v in self.network.edges
            if (w := gain.get((u, v), 0.0) + gain.get((v, u), 0.0)) > 0
        }

    def _drop(self, cost: Any, v: int, fresh: int) -> float:
        np = self.numpy
        items = [i for i in range(self.network.node_count) if fresh >> i & 1]
        return float(np.maximum(cost[items] - self.far[v], 0.0).sum())
