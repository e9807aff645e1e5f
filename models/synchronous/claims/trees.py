"""The cheapest tree in time: how a chunk reaches several nodes within S steps when hops have prices.

Dynamic programming over steps and sets of destinations (after Dreyfus and Wagner): cost[v][A] is the least
price at which a chunk at v before step s reaches all of A by the end. In step s, v keeps the chunk, and sends
it over any of its hops; every member of A is reached through exactly one of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

from schedsolve.runtime.errors import ClaimError

Pair = tuple[int, int]
Hop = tuple[int, int, int]
"""A hop of a tree: step, sender, receiver."""

MOST_DESTINATIONS = 10
"""Cheapest trees to more destinations take too long."""


def cheapest_tree(
    origin: int, destinations: Sequence[int], hops: Sequence[dict[Pair, Fraction]]
) -> tuple[Fraction, list[Hop]]:
    """Return the least price of the sends by which a chunk gets to all destinations.

    It starts at its origin; with the price come such sends.

    hops: for every step the price of every hop that there is. Raises ClaimError when a destination is out of
    reach, or there are more than MOST_DESTINATIONS.
    """
    if len(destinations) > MOST_DESTINATIONS:
        raise ClaimError(f"cheapest trees are for at most {MOST_DESTINATIONS} destinations")
    scale = lcm(*(price.denominator for prices in hops for price in prices.values()))
    scaled = [{hop: (price * scale).numerator for hop, price in prices.items()} for prices in hops]
    search = _TreeSearch(destinations, scaled)
    cost = search.cost(0, origin)
    if cost is None:
        raise ClaimError("a destination is out of reach, whatever the prices")
    return Fraction(cost, scale), search.tree(origin)


class _TreeSearch:
    """The tables of the dynamic program, the last step first, as numpy arrays over sets of destinations."""

    def __init__(self, destinations: Sequence[int], hops: Sequence[dict[Pair, int]]) -> None:
        import numpy

        self.destinations = list(destinations)
        self.hops = hops
        nodes = sorted({v for prices in hops for hop in prices for v in hop} | set(destinations))
        self.place = {v: i for i, v in enumerate(nodes)}
        self.far = 1 + sum(sum(prices.values()) for prices in hops)
        if self.far > 2**61:
            raise ClaimError("the prices have too large a common denominator")
        self.full = (1 << len(destinations)) - 1
        self.subsets = _pairs_of_disjoint_sets(len(destinations))
        last = numpy.full((len(nodes), self.full + 1), self.far, dtype=numpy.int64)
        last[:, 0] = 0
        for bit, v in enumerate(destinations):
            last[self.place[v], 1 << bit] = 0
        self.tables = [last]
        for prices in reversed(hops):
            self.tables.append(self._before(self.tables[-1], prices))
        self.tables.reverse()

    def _before(self, after: Any, prices: dict[Pair, int]) -> Any:
        before = after.copy()
        for (u, v), price in prices.items():
            before[self.place[u]] = self._joined(before[self.place[u]], self._sent(after, v, price))
        return before

    def _sent(self, after: Any, receiver: int, price: int) -> Any:
        sent = after[self.place[receiver]] + price
        sent[0] = 0
        return sent

    def _joined(self, one: Any, other: Any) -> Any:
        """For every set the least cost of a part by `one` and the rest by `other`."""
        import numpy

        parts, rests, starts = self.subsets
        best = numpy.minimum.reduceat(one[parts] + other[rests], starts)
        return numpy.minimum(best, self.far)

    def cost(self, layer: int, origin: int) -> int | None:
        """Return the least price from the origin before the step after `layer` steps.

        None when it is out of reach.
        """
        if origin not in self.place:
            return None
        cost = self.tables[layer][self.place[origin], self.full].item()
        return None if cost >= self.far else cost

    def tree(self, origin: int) -> list[Hop]:
        """Return sends of the least price, by step."""
        found: list[Hop] = []
        waiting = [(origin, self.full)]
        for step, prices in enumerate(self.hops, 1):
            after = self.tables[step]
            following: list[tuple[int, int]] = []
            for v, wanted in waiting:
                for receiver, part in self._split(after, prices, v, wanted):
                    following.append((receiver, part))
                    if receiver != v:
                        found.append((step, v, receiver))
            waiting = following
        return found

    def _split(self, after: Any, prices: dict[Pair, int], sender: int, wanted: int) -> list[tuple[int, int]]:
        """How the sender shares out its wanted set in one step: receivers (itself too) and their parts."""
        rows = [after[self.place[sender]]]
        sends = [(v, price) for (u, v), price in prices.items() if u == sender]
        for v, price in sends:
            rows.append(self._joined(rows[-1], self._sent(after, v, price)))
        shared = []
        for (v, price), row, total in reversed(list(zip(sends, rows, rows[1:], strict=False))):
            sent = self._sent(after, v, price)
            part = next(p for p in _parts(wanted) if row[wanted ^ p] + sent[p] == total[wanted])
            if part:
                shared.append((v, part))
                wanted ^= part
        return [*shared, (sender, wanted)]


def _parts(wanted: int) -> list[int]:
    """Return the subsets of a set, the empty one first."""
    parts = [0]
    part = wanted
    while part:
        parts.append(part)
        part = (part - 1) & wanted
    return parts


@cache
def _pairs_of_disjoint_sets(size: int) -> tuple[Any, Any, Any]:
    """For every set in turn all its parts, the rests, and where each set's parts begin."""
    import numpy

    parts: list[int] = []
    rests: list[int] = []
    starts: list[int] = []
    for wanted in range(1 << size):
        starts.append(len(parts))
        for part in _parts(wanted):
            parts.append(part)
            rests.append(wanted ^ part)
    return numpy.array(parts), numpy.array(rests), numpy.array(starts)
