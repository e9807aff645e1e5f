"""Two rounds of a gossip by calls along paths: the edges that they take, against what they make known
(docs/theorems.md, Theorem 9).

Node v knows the item of u after two rounds if and only if some node w is u or calls it in round 1, and is v
or calls it in round 2. So w makes known at most as many pairs as its star of round 1, itself included, times
that of round 2; and the calls of a round have no more edges than there are. Prices weigh the one against the
other: for an edge, and for each pair by the distance of its nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from math import comb
from typing import TYPE_CHECKING, Any

from schedsolve.errors import ClaimError
from schedsolve.modelkit.refutation import used_symmetries
from schedsolve.network.automorphisms import is_automorphism
from schedsolve.network.graph import Network
from schedsolve.network.orbits import first_of_orbit
from schedsolve.problem import Problem

from ..rules import ports_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_NODES = 100
"""Nodes up to which stars are looked at, and distances computed."""
MOST_STARS = 5_000_000
"""Stars of round 1, of all nodes that are no images of others, up to which all are gone through."""
BLOCK = 50_000
"""Stars that are gone through at a time."""
LARGEST_PRICE = 10**9


@dataclass(frozen=True)
class Prices:
    """What an edge costs, and what a pair of nodes at distance 0, 1, ... is worth; whole numbers."""

    edge: int
    pairs: tuple[int, ...]


@dataclass(frozen=True)
class Stars:
    """The nodes that a node calls in round 1, and in round 2."""

    first: tuple[int, ...]
    second: tuple[int, ...]


@dataclass(frozen=True)
class TwoRounds:
    """A gossip in two rounds, as far as it is seen from each node.

    most: calls that a node can make in a round.
    """

    network: Network
    most: tuple[int, ...]

    @classmethod
    def of(cls, problem: Problem) -> TwoRounds:
        """The problem in two rounds. Raises ClaimError for one that is no gossip of an undirected network."""
        if problem.task != "gossip" or problem.network.directed:
            raise ClaimError("'two-rounds' is for gossips in undirected networks")
        ports = problem.network.node_count if (asked := ports_of(problem)) is None else asked
        return cls(problem.network, tuple(min(ports, len(near)) for near in problem.network.successors))

    @cached_property
    def least(self) -> int:
        """The calls that every node makes in each round, at least.

        Those whom v calls in round 2 and v itself know all items before it, and each of them not more than
        its most calls and one. Run backwards, the same holds of round 1.
        """
        # All nodes together reach n: each counts itself.
        wanted, callers = self.network.node_count, 0
        for most in sorted(self.most, reverse=True):
            if wanted <= 0:
                break
            wanted, callers = wanted - 1 - most, callers + 1
        return callers - 1

    @property
    def possible(self) -> bool:
        """Whether every node can make so many calls, and items can come far enough.

        Where these calls leave no node two edges, through which a call could pass, all calls go between
        neighbours, and no item comes further than two steps.
        """
        if self.least > min(self.most):
            return False
        near = self.network.successors
        return any(len(around) - self.least > 1 for around in near) or all(
            len({w, *near[w], *(v for u in near[w] for v in near[u])}) == len(near) for w in range(len(near))
        )

    @cached_property
    def distances(self) -> NDArray[np.int64]:
        """From every node to every node."""
        import numpy as np

        n = self.network.node_count
        return np.array([self.network.distances_from([w]) for w in range(n)], dtype=np.int64)

    def affords(self, nodes: Iterable[int]) -> bool:
        """Whether all stars that these nodes can have in a round can be gone through."""
        others, stars = self.network.node_count - 1, 0
        if others >= MOST_NODES:
            return False
        for w in nodes:
            for calls in range(self.least, self.most[w] + 1):
                stars += comb(others, calls)
                if stars > MOST_STARS:
                    return False
        return True

    def ends(self, w: int, calls: int) -> int:
        """How many edges a round can use at w if it makes so many calls: those that pass take two."""
        return calls + 2 * ((len(self.network.successors[w]) - calls) // 2)

    def worth(self, prices: Prices) -> int:
        """Of all pairs of nodes."""
        return sum(prices.pairs[k] for row in self.distances.tolist() for k in row)

    def richest(self, w: int, prices: Prices) -> tuple[int, Stars]:
        """The most that the stars of w are worth, with stars that are: the pairs that they make known, and
        for both rounds the edges used at w less the distances of those whom it calls.

        For every star of round 1 the best one of round 2 is found call by call, as what a call of round 2
        adds does not depend on the others.
        """
        import numpy as np

        pairs = np.array(prices.pairs, dtype=np.int64)[self.distances]
        cost = prices.edge * self.distances[w]
        best: tuple[int, Stars] | None = None
        calls_made = range(self.least, self.most[w] + 1)
        for calls in calls_made:
            for first in self._first_stars(w, calls):
                gains = pairs[first].sum(axis=1) + pairs[w]
                alone = gains[:, w] + prices.edge * self.ends(w, calls) - cost[first].sum(axis=1)
                added = gains - cost
                added[:, w] = np.iinfo(np.int64).min // (2 * len(cost))
                totals = np.cumsum(-np.sort(-added, axis=1)[:, : self.most[w]], axis=1)
                for others in calls_made:
                    value = alone + prices.edge * self.ends(w, others)
                    value = value + totals[:, others - 1] if others else value
                    row = value.argmax().item()
                    if best is None or value[row] > best[0]:
                        second = np.argsort(-added[row], kind="stable")[:others]
                        best = value[row].item(), Stars(tuple(first[row].tolist()), tuple(second.tolist()))
        assert best is not None, "every node can make the least number of calls"
        return best

    def _first_stars(self, w: int, calls: int) -> Iterator[NDArray[np.int64]]:
        """All sets of so many other nodes, a row for each, in blocks."""
        import numpy as np

        stars = combinations([v for v in range(self.network.node_count) if v != w], calls)
        while block := list(islice(stars, BLOCK)):
            yield np.array(block, dtype=np.int64).reshape(len(block), calls)


def two_rounds(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """Three, if two rounds of a gossip do not suffice by these prices: what all nodes together are worth at
    most is less than all pairs (Theorem 9).

    evidence: "edge" and "pairs", the prices, and "symmetries", automorphisms: of nodes that they map to one
    another one is looked at. Raises ClaimError when the prices do not prove it.
    """
    seen = TwoRounds.of(problem)
    if not seen.possible:
        return 3
    images = used_symmetries(evidence)
    classes = node_classes(problem.network, images) if seen.affords([]) else {}
    if not seen.affords(classes):
        raise ClaimError("'two-rounds' would have too many stars to go through")
    prices = _prices(evidence, seen.distances.max().item())
    earned = sum(size * seen.richest(w, prices)[0] for w, size in classes.items())
    if earned >= seen.worth(prices):
        raise ClaimError(f"by these prices two rounds may suffice: {earned}, and {seen.worth(prices)} wanted")
    return 3


def node_classes(network: Network, images: Sequence[Sequence[int]]) -> dict[int, int]:
    """Of the nodes that automorphisms map to one another the first, with how many they are. Raises ClaimError
    for an image that is no automorphism.
    """
    if not all(is_automorphism(network, image) for image in images):
        raise ClaimError("a symmetry is no automorphism of the network")
    return Counter(first_of_orbit(network.node_count, images))


def _prices(evidence: Mapping[str, Any], farthest: int) -> Prices:
    edge, pairs = evidence.get("edge"), evidence.get("pairs")
    numbers = [edge, *pairs] if isinstance(pairs, list) else []
    if len(numbers) != farthest + 2 or not all(
        type(price) is int and 0 <= price <= LARGEST_PRICE for price in numbers
    ):
        raise ClaimError(
            'prices are whole numbers: "edge", and "pairs" for each distance from 0 to the greatest one'
        )
    return Prices(numbers[0], tuple(numbers[1:]))
