"""Lower bounds of the line model that need a search: prices for two rounds of a gossip (Theorem 9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

from schedsolve.backends.lp import float_solution
from schedsolve.modelkit.formulas.linear_program import LinearProgram
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import Question
from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.runtime.errors import ClaimError

from .claims.two_rounds import Prices, Stars, TwoRounds, node_classes

REASON = "theorem: what two rounds make known takes more edges than there are (docs/theorems.md, Theorem 9)"
UNIT = 1000
"""The sum of the prices, before they are rounded to integers."""


def two_round_bounds(question: Question) -> Iterator[Bound | None]:
    """Yield the bound of three rounds for a gossip, if prices prove that two rounds do not suffice.

    The search generates rows: a linear program yields prices under which no node is worth much by the stars
    seen so far; for each node the stars of the greatest worth under these prices are added, and so on, until
    all nodes together are worth too little or no prices are left. Yields None after every node.

    References
    ----------
    docs/theorems.md, Theorem 9.
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
        program = _PriceProgram(seen, classes)
        while (prices := program.prices()) is not None:
            earned = 0
            for w, size in classes.items():
                value, stars = seen.richest(w, prices)
                earned += size * value
                program.look_at(w, stars)
                yield None
            if earned < seen.worth(prices):
                found = {**evidence, "edge": prices.edge, "pairs": list(prices.pairs)}
                yield Bound("lower", 3, REASON, found, by="relaxation")
                return


@dataclass
class _PriceProgram:
    """The search for prices under which all nodes together are worth less than all pairs.

    `looked_at` holds for every star seen the node and the star's number of everything that has a price:
    edges, and pairs at distance 0, 1, ...
    """

    seen: TwoRounds
    classes: dict[int, int]
    looked_at: set[tuple[int, tuple[int, ...]]] = field(default_factory=set)
    grown: bool = True

    def look_at(self, w: int, stars: Stars) -> None:
        """Add the stars of node w to the rows."""
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
        """Return the best prices, rounded, or equal prices at first.

        None if no prices prove the bound, or if no star was added since the last prices.
        """
        if not self.looked_at:
            return Prices(1, (0, *(1 for _ in self.wanted[1:])))
        return self._computed() if self.grown else None

    @cached_property
    def wanted(self) -> list[int]:
        """The number of pairs at distance 0, 1, ..."""
        distances = self.seen.distances
        return [int((distances == k).sum()) for k in range(int(distances.max()) + 1)]

    def _computed(self) -> Prices | None:
        """Return the prices that minimise the worth of all nodes minus the worth of all pairs.

        The worth of a node is the greatest over its stars seen so far. None if no prices make the difference
        negative.
        """
        self.grown = False
        program = LinearProgram()
        priced = [program.variable(), *(program.variable(-count) for count in self.wanted)]
        program.add(dict.fromkeys(priced, 1), "=", UNIT)
        program.add({priced[1]: 1}, "=", 0)
        # The worth of a node may be negative, but variables are at least 0: they stand for the worth minus
        # this lower bound.
        low = -UNIT * max(max(0, -counts[0]) for _, counts in self.looked_at)
        worth = {w: program.variable(size) for w, size in self.classes.items()}
        for w, counts in sorted(self.looked_at):
            row = {x: -count for x, count in zip(priced, counts, strict=True)}
            program.add({worth[w]: 1, **row}, ">=", -low)
        solution = float_solution(program, inf)
        if solution is None:
            return None
        least = sum(cost * value for cost, value in zip(program.costs, solution.values, strict=True))
        if least + low * self.seen.network.node_count >= 0:
            return None
        edge, *pairs = (round(solution.values[x]) for x in priced)
        return Prices(edge, tuple(pairs))
