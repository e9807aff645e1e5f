"""Lower bounds of the line model that take a search: prices for two rounds of a gossip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

from schedsolve.backends.lp import float_solution
from schedsolve.errors import ClaimError
from schedsolve.formulas.linear_program import LinearProgram
from schedsolve.modelkit.search import Question
from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.result import Bound

from .claims.two_rounds import Prices, Stars, TwoRounds, node_classes

REASON = "theorem: what two rounds make known takes more edges than there are (docs/theorems.md, Theorem 9)"
UNIT = 1000
"""The sum of the prices, before they are rounded to whole numbers."""


def two_round_bounds(question: Question) -> Iterator[Bound | None]:
    """Three rounds for a gossip, when prices are found that show that two do not suffice.

    Prices are asked for under which no node is worth much by the stars looked at so far; the stars by which
    it is worth most are looked at as well, and so on, until all are worth too little, or no prices are left.
    """
    problem = question.problem
    try:
        seen = TwoRounds.of(problem)
    except ClaimError:
        return
    if question.value > 2 or not seen.possible:
        return
    if not all(seen.affords([w]) for w in range(problem.network.node_count)):
        return
    images = automorphism_generators(problem.network)
    classes = node_classes(problem.network, images)
    if seen.affords(classes):
        evidence = {"kind": "two-rounds", "symmetries": [list(image) for image in images]}
        programme = _PriceProgramme(seen, classes)
        while (prices := programme.prices()) is not None:
            earned = 0
            for w, size in classes.items():
                value, stars = seen.richest(w, prices)
                earned += size * value
                programme.look_at(w, stars)
                yield None
            if earned < seen.worth(prices):
                found = {**evidence, "edge": prices.edge, "pairs": list(prices.pairs)}
                yield Bound("lower", 3, REASON, found, by="relaxation")
                return


@dataclass
class _PriceProgramme:
    """The search for prices under which all nodes together are worth less than all pairs.

    looked_at: for each star the node, and how much it has of everything that has a price: edges, and pairs at
    distance 0, 1, ...
    """

    seen: TwoRounds
    classes: dict[int, int]
    looked_at: set[tuple[int, tuple[int, ...]]] = field(default_factory=set)
    grown: bool = True

    def look_at(self, w: int, stars: Stars) -> None:
        """Have the stars counted from now on."""
        seen, distances = self.seen, self.seen.distances
        counts = [0] * (1 + len(self.wanted))
        for star in (stars.first, stars.second):
            counts[0] += seen.ends(w, len(star)) - int(distances[w, list(star)].sum())
        for u in (w, *stars.first):
            for v in (w, *stars.second):
                counts[1 + int(distances[u, v])] += 1
        self.grown |= (w, tuple(counts)) not in self.looked_at
        self.looked_at.add((w, tuple(counts)))

    def prices(self) -> Prices | None:
        """The best prices, rounded; at first all alike. None when there are none that show anything, or no
        others.
        """
        if not self.looked_at:
            return Prices(1, (0, *(1 for _ in self.wanted[1:])))
        return self._computed() if self.grown else None

    @cached_property
    def wanted(self) -> list[int]:
        """How many pairs there are at distance 0, 1, ..."""
        distances = self.seen.distances
        return [int((distances == k).sum()) for k in range(int(distances.max()) + 1)]

    def _computed(self) -> Prices | None:
        """Prices under which the nodes, each by the stars looked at, and less the worth of all pairs, are
        worth least.
        """
        self.grown = False
        programme = LinearProgram()
        priced = [programme.variable(), *(programme.variable(-count) for count in self.wanted)]
        programme.add(dict.fromkeys(priced, 1), "=", UNIT)
        programme.add({priced[1]: 1}, "=", 0)
        # A node may be worth less than nothing, but variables are 0 or more: they say by how much it is worth
        # more than this.
        low = -UNIT * max(max(0, -counts[0]) for _, counts in self.looked_at)
        worth = {w: programme.variable(size) for w, size in self.classes.items()}
        for w, counts in sorted(self.looked_at):
            row = {x: -count for x, count in zip(priced, counts, strict=True)}
            programme.add({worth[w]: 1, **row}, ">=", -low)
        solution = float_solution(programme, inf)
        if solution is None:
            return None
        least = sum(cost * value for cost, value in zip(programme.costs, solution.values, strict=True))
        if least + low * self.seen.network.node_count >= 0:
            return None
        edge, *pairs = (round(solution.values[x]) for x in priced)
        return Prices(edge, tuple(pairs))
