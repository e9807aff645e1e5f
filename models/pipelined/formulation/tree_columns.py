"""Trees by column generation: weights of trees that load the links for the shortest time.

The program: the trees of every unit weigh 1 together, or its size, and load every link with its bandwidth
times T at most; T is least. Trees enter when they are cheaper, under the links' dual prices, than what their
unit pays. When none is cheaper no other trees do better, where the prices are of the cheapest trees. Floats
propose the trees; their weights are solved for in fractions.

Under symmetries the trees are those of one node of every orbit and stand for their images, so that the links
of an orbit share a row: the mean over a group of an optimum is an optimum. Where the links have one bandwidth
both ways and an allreduce may go down and up the same tree, a link and its reverse share a row too: half of
every tree turned round loads both with the mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from time import process_time

from schedsolve.backends.growing_lp import GrowingLp
from schedsolve.modelkit.formulas.exact_equations import solve_exactly
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.limits.own_limits import met

from ..constructions.shortest_ways import with_least_time
from ..rules.demand import Link
from ..rules.orbits import orbits
from ..rules.schedule import PipelinedSchedule, WeightedTree
from .grown_trees import Lengths, Shape, tree_loads

MOST_NEW = 4
"""New trees of a unit at a time."""
MIXTURES = (0.3, 0.7, 0.9)
"""How much of the best lengths so far is mixed into the last ones, for further trees."""
TINY = 1e-9
CLOSE = 1e-7
ROUGH = 2000
"""The largest denominator of weights that are only near."""

Key = tuple[int, frozenset[tuple[Link, int]]]
"""A unit, and how often its tree loads each row."""
PricedTree = Callable[[Shape, int], tuple[float, WeightedTree] | None]
"""Returns a tree of a shape at a root, and its price; None when there is none."""


class TreeColumns:
    """The program with the trees so far.

    Parameters
    ----------
    problem
        The problem.
    shapes
        Of every unit, or one of each orbit of units.
    pricing
        Returns, under lengths of the links, what prices trees.
    proves
        Whether these are the cheapest trees, so that their prices bound the time of all trees.
    both_ways
        Whether a link and its reverse share a row.
    symmetries
        Automorphisms under whose images the trees are complete.

    Attributes
    ----------
    lengths
        The links' dual prices, by their bandwidths before the first solution.
    best
        Those with the best ratio of the cheapest trees to what the links cost.
    value
        The time of the last solution.
    """

    def __init__(
        self,
        problem: Problem,
        shapes: Sequence[Shape],
        pricing: Callable[[Lengths], PricedTree],
        *,
        proves: bool,
        both_ways: bool = False,
        symmetries: Sequence[Sequence[int]] = (),
    ) -> None:
        self.problem, self.network = problem, problem.network
        self.shapes, self.pricing, self.proves, self.both_ways = shapes, pricing, proves, both_ways
        self.symmetries = tuple(tuple(image) for image in symmetries)
        self.of = orbits(self.network, self.symmetries)
        self.row_of = {link: self._first(link) for link in self.network.arcs}
        self.links_of = Counter(self.row_of.values())
        self.lp = GrowingLp()
        self.time = self.lp.variable(1)
        self.rows = {
            first: self.lp.row({self.time: self.network.bandwidth_of[first] * links}, ">=", 0)
            for first, links in self.links_of.items()
        }
        self.unit_rows = [self.lp.row({}, ">=", shape.units) for shape in self.shapes]
        self.trees: dict[tuple[int, frozenset[tuple[Link, int]]], tuple[int, WeightedTree]] = {}
        self.turn = 0
        self.value: float | None = None
        self.pays = [float("inf")] * len(self.shapes)
        self.lengths: Lengths = {link: 1 / float(b) for link, b in self.network.bandwidth_of.items()}
        self.best, self.least = self.lengths, 0.0

    def _first(self, link: Link) -> Link:
        """Return the link whose row a link shares."""
        first = self.of.link[link]
        return min(first, self.of.link[link[::-1]]) if self.both_ways else first

    def add(self, unit: int, tree: WeightedTree) -> bool:
        """Add a tree, whatever its weight; whether one that loads the rows likewise is new."""
        loads = Counter[Link]()
        for link, times in tree_loads(tree).items():
            loads[self.row_of[link]] += times * self.shapes[unit].copies
        key = unit, frozenset(loads.items())
        if key in self.trees:
            return False
        variable = self.lp.variable()
        self.trees[key] = variable, WeightedTree(tree.root, Fraction(1), tree.paths, tree.inward)
        self.lp.enter(self.unit_rows[unit], variable, 1)
        for first, times in loads.items():
            self.lp.enter(self.rows[first], variable, -times)
        return True

    def solve(self, seconds: float, enough: Fraction | None) -> Iterator[None]:
        """Add trees until none helps, none can do better than a time that is known, or the time is over."""
        end = process_time() + seconds
        while process_time() < end:
            yield None
            new, least = self._priced_at(self.lengths)
            self.least = max(self.least, least)
            if enough is not None and self.least > float(enough) * (1 - CLOSE):
                return
            if self.both_ways and self.value is not None and self.least < self.value * (1 - CLOSE):
                for share in MIXTURES:
                    mixed = {e: share * self.best[e] + (1 - share) * x for e, x in self.lengths.items()}
                    found, least = self._priced_at(mixed)
                    self.least, new = max(self.least, least), new or found
            elif self.both_ways and self.value is not None:
                return
            self.value = self.lp.solve() if new else None
            if self.value is None:
                return
            duals = self.lp.duals()
            self.lengths = {link: max(0.0, duals[self.rows[row]]) for link, row in self.row_of.items()}
            self.pays = [duals[row] for row in self.unit_rows]
        met("seconds for cheaper trees", seconds)

    def _priced_at(self, lengths: Lengths) -> tuple[bool, float]:
        """Add the cheapest trees under lengths.

        Returns
        -------
        tuple[bool, float]
            Whether some tree is new, and the least time that the lengths prove for all trees.
        """
        lengths = {link: x + TINY for link, x in lengths.items()}
        priced = self.pricing(lengths)
        cheapest, new = 0.0, False
        for unit, paid in enumerate(self.pays):
            price, added = self._priced(priced, unit, paid)
            shape = self.shapes[unit]
            cheapest, new = cheapest + price * shape.copies * shape.units, new or added
        capacity = sum(float(b) * lengths[link] for link, b in self.network.bandwidth_of.items())
        least = cheapest / capacity if self.proves else 0.0
        if least > self.least:
            self.best = {link: x / capacity for link, x in lengths.items()}
        return new, least

    def _priced(self, priced: PricedTree, unit: int, paid: float) -> tuple[float, bool]:
        """Add the cheapest trees at the roots of a unit that cost less than is paid, up to a few of them.

        Returns
        -------
        tuple[float, bool]
            What the cheapest one costs, or 0 when not all roots were looked at, and whether some tree is new.
        """
        roots, copies = self.shapes[unit].roots, self.shapes[unit].copies
        self.turn += 1
        cheapest, new = float("inf"), 0
        for i in range(len(roots)):
            found = priced(self.shapes[unit], roots[(i + self.turn) % len(roots)])
            if found is not None:
                cheapest = min(cheapest, found[0])
                new += (self.both_ways or found[0] * copies < paid - TINY) and self.add(unit, found[1])
            if new == MOST_NEW:
                return 0.0, True
        return (cheapest if cheapest < float("inf") else 0.0), new > 0

    def schedule(self) -> PipelinedSchedule | None:
        """Return the trees with their weights in the present optimum, in fractions."""
        if self.lp.solve() is None:
            return None
        values = self.lp.values()
        used = {key: values[j] for key, (j, _) in self.trees.items() if values[j] > TINY}
        weights = self._exact(used, values[self.time]) or self._near(used)
        trees = []
        for key, weight in weights.items():
            tree = self.trees[key][1]
            parts = self.of.node_count[self.of.node[tree.root]] if self.problem.task == "allreduce" else 1
            if weight:
                trees.append(WeightedTree(tree.root, weight / parts, tree.paths, tree.inward))
        schedule = PipelinedSchedule(Fraction(1), tuple(trees), symmetries=self.symmetries)
        return with_least_time(self.problem, schedule)

    def _exact(self, used: Mapping[Key, float], time: float) -> dict[Key, Fraction] | None:
        """Return the weights at the corner.

        With the full links as equations; None when these do not say them.
        """
        number = {key: j for j, key in enumerate(used, 1)}
        loads: dict[Link, dict[Key, int]] = {}
        for key in used:
            for link, times in key[1]:
                loads.setdefault(link, {})[key] = times
        rows, right = [], []
        for link, row in loads.items():
            bandwidth = self.network.bandwidth_of[link] * Fraction(self.links_of[link])
            if sum(times * used[key] for key, times in row.items()) > float(bandwidth) * time * (1 - CLOSE):
                full = [0] * (len(used) + 1)
                full[0] = -bandwidth.numerator
                for key, times in row.items():
                    full[number[key]] = times * bandwidth.denominator
                rows.append(full)
                right.append(0)
        for unit in range(len(self.shapes)):
            rows.append([0, *(int(key[0] == unit) for key in used)])
            right.append(self.shapes[unit].units)
        solution = solve_exactly(rows, right)
        if solution is None or any(x < 0 for x in solution):
            return None
        return {key: solution[j] for key, j in number.items()}

    def _near(self, used: Mapping[Key, float]) -> dict[Key, Fraction]:
        """Weights near the present ones that are together what every unit weighs."""
        near = {key: Fraction(weight).limit_denominator(ROUGH) for key, weight in used.items()}
        total = [Fraction(0)] * len(self.shapes)
        for (unit, _), weight in near.items():
            total[unit] += weight
        return {key: weight * self.shapes[key[0]].units / total[key[0]] for key, weight in near.items()}
