"""When two rounds do not suffice for a gossip by calls along paths (docs/theorems.md, Theorem 9).

1. Node v knows the item of u after two rounds if and only if some node w is u or calls it in round 1, and
   is v or calls it in round 2. So w makes known at most as many pairs as its star of round 1, w included,
   times that of round 2.
2. The paths of a round's calls share no edge. So, summed over all nodes, the most edges that can be used at
   a node are at least as many as the distances from the node to those that it calls.
3. Every node makes at least `TwoRounds.least` calls in each round.
4. Prices, of an edge and of each pair by the distance of its nodes, weigh 1 against 2. The worth of w is
   the sum of the prices of the pairs that it makes known, plus, for each of the two rounds, the price of an
   edge times the difference of 2: the most edges that can be used at w minus the distances from w to the
   nodes that it calls. If two rounds suffice, all nodes together are worth at least as much as all pairs.
5. So three rounds are needed if the greatest worth of each node, over all its stars that satisfy 3, adds
   up to less than the worth of all pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from math import comb
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import used_symmetries
from schedsolve.network.automorphisms import is_automorphism
from schedsolve.network.graph import Network
from schedsolve.network.orbits import first_of_orbit
from schedsolve.runtime.errors import ClaimError

from ..rules import ports_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_NODES = 100
"""The most nodes for which stars are enumerated and distances computed."""
MOST_STARS = 5_000_000
"""The most stars of round 1 that are enumerated, for one node of each orbit."""
BLOCK = 50_000
"""Batch size for the enumeration of stars."""
LARGEST_PRICE = 10**9


@dataclass(frozen=True)
class Prices:
    """The price of an edge, and of a pair of nodes at distance 0, 1, ...; integers."""

    edge: int
    pairs: tuple[int, ...]


@dataclass(frozen=True)
class Stars:
    """The nodes that a node calls in round 1, and in round 2."""

    first: tuple[int, ...]
    second: tuple[int, ...]


@dataclass(frozen=True)
class TwoRounds:
    """A gossip in two rounds, seen from each node; most[w] is the most calls that w can make in a round."""

    network: Network
    most: tuple[int, ...]

    @classmethod
    def of(cls, problem: Problem) -> TwoRounds:
        """Return the two rounds of a problem.

        Raises
        ------
        ClaimError
            If it is not a gossip in an undirected network.
        """
        if problem.task != "gossip" or problem.network.directed:
            raise ClaimError("'two-rounds' is for gossips in undirected networks")
        ports = problem.network.node_count if (asked := ports_of(problem)) is None else asked
        return cls(problem.network, tuple(min(ports, len(near)) for near in problem.network.successors))

    @cached_property
    def least(self) -> int:
        """The least number of calls that every node makes in each round (step 3 of the proof above).

        The nodes that v calls in round 2, and v itself, together know all items before it, and each
        of them knows at most one item more than its most calls. Run backwards, the same holds for
        round 1.
        """
        # Every node counts itself, so all nodes together reach n.
        wanted, callers = self.network.node_count, 0
        for most in sorted(self.most, reverse=True):
            if wanted <= 0:
                break
            wanted, callers = wanted - 1 - most, callers + 1
        return callers - 1

    @property
    def possible(self) -> bool:
        """Whether every node can make `least` calls, and items can travel far enough.

        If these calls leave no node with two edges, through which a call could pass, then all calls
        are between neighbours and no item travels further than two steps.
        """
        if self.least > min(self.most):
            return False
        near = self.network.successors
        return any(len(around) - self.least > 1 for around in near) or all(
            len({w, *near[w], *(v for u in near[w] for v in near[u])}) == len(near) for w in range(len(near))
        )

    @cached_property
    def distances(self) -> NDArray[np.int64]:
        """The distances from every node to every node."""
        import numpy as np

        n = self.network.node_count
        return np.array([self.network.distances_from([w]) for w in range(n)], dtype=np.int64)

    def affords(self, nodes: Iterable[int]) -> bool:
        """Return whether all stars that these nodes can have in a round are few enough to enumerate."""
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
        """Return the most edges a round can use at w if w makes `calls` calls; a passing call takes two."""
        return calls + 2 * ((len(self.network.successors[w]) - calls) // 2)

    def worth(self, prices: Prices) -> int:
        """Return the sum of the prices of all ordered pairs of nodes, including (w, w)."""
        return sum(prices.pairs[k] for row in self.distances.tolist() for k in row)

    def richest(self, w: int, prices: Prices) -> tuple[int, Stars]:
        """Return the greatest worth of w, as step 4 of the proof defines it, and stars that have it.

        For every star of round 1 the best star of round 2 is found call by call, because the worth
        that a call of round 2 adds does not depend on the others.
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
        """Yield all sets of `calls` other nodes, a row for each, in batches."""
        import numpy as np

        stars = combinations([v for v in range(self.network.node_count) if v != w], calls)
        while block := list(islice(stars, BLOCK)):
            yield np.array(block, dtype=np.int64).reshape(len(block), calls)


def two_rounds(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """Return three, if prices prove that two rounds do not suffice for a gossip (step 5 of the proof).

    Parameters
    ----------
    problem
        A gossip in an undirected network.
    evidence
        "edge" and "pairs", the prices, and "symmetries", automorphisms; only one node of each orbit is
        examined.

    Raises
    ------
    ClaimError
        If the prices do not prove it.
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
    """Return the first node of each orbit under the automorphisms, with the size of the orbit.

    Raises
    ------
    ClaimError
        If an image is not an automorphism of the network.
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
