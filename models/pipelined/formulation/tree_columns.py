"""Trees by column generation: weights of trees that load the links for the shortest time.

The program: the trees of every unit weigh 1 together, or its size, and load every link with its bandwidth
times T at most; T is least. Trees enter when they are cheaper, under the links' dual prices, than what their
unit pays: the cheapest tree to a root and from it, where the root is free the best of all roots. When none is
cheaper no other trees do better, but with relays and switches that copy not all trees are looked at. Floats
propose the trees; their weights are solved for in fractions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, pairwise
from time import monotonic

from schedsolve.backends.growing_lp import GrowingLp
from schedsolve.formulas.exact_equations import solve_exactly
from schedsolve.modelkit.ranks import ranks_of, relays_of
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

from ..constructions.relays import at_relays
from ..constructions.shortest_ways import with_least_time
from ..rules.demand import MIRRORED, REDUCTIONS, Link, root_units, tree_roots
from ..rules.schedule import Path, PipelinedSchedule, WeightedTree
from .arborescences import cheapest_arborescence
from .ordered_trees import OrderedTrees

MOST_NODES, MOST_SUBSETS = 40, 3
"""Compute nodes up to which trees are searched for, and switches up to which all sets of them are tried."""
MOST_NEW = 4
"""New trees of a unit at a time."""
TINY = 1e-9
CLOSE = 1e-7
ROUGH = 2000
"""The largest denominator of weights that are only near."""

Lengths = Mapping[Link, float]
Priced = tuple[float, dict[int, int]]
"""A tree as the parent of every node, and its price."""


@dataclass(frozen=True)
class Shape:
    """What the trees of a unit are.

    Attributes
    ----------
    roots
        Where they may have their root.
    inward, outward
        What they do.
    units
        What they weigh together.
    """

    roots: tuple[int, ...]
    inward: bool
    outward: bool
    units: int = 1


def shapes(problem: Problem) -> list[Shape]:
    """Return the shape of every unit of a problem."""
    inward, outward = problem.task in REDUCTIONS, problem.task not in MIRRORED
    if problem.task == "allreduce":
        return [Shape(tree_roots(problem), inward, outward)]
    return [Shape((root,), inward, outward, units) for root, units in root_units(problem).items()]


class TreeColumns:
    """The program with the trees so far.

    lengths: the links' dual prices, by their bandwidths before the first solution.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.network = problem, problem.network
        self.shapes = shapes(problem)
        self.lp = GrowingLp()
        self.time = self.lp.variable(1)
        self.link_rows = {
            link: self.lp.row({self.time: bandwidth}, ">=", 0)
            for link, bandwidth in self.network.bandwidth_of.items()
        }
        self.unit_rows = [self.lp.row({}, ">=", shape.units) for shape in self.shapes]
        self.trees: dict[tuple[int, WeightedTree], int] = {}
        self.turn = 0
        self.lengths: Lengths = {link: 1 / float(b) for link, b in self.network.bandwidth_of.items()}

    def add(self, unit: int, tree: WeightedTree) -> bool:
        """Add a tree, whatever its weight; whether it is new."""
        key = unit, WeightedTree(tree.root, Fraction(1), tree.paths, tree.inward)
        if key in self.trees:
            return False
        variable = self.trees[key] = self.lp.variable()
        self.lp.enter(self.unit_rows[unit], variable, 1)
        for link, times in tree_loads(tree).items():
            self.lp.enter(self.link_rows[link], variable, -times)
        return True

    def solve(self, seconds: float, enough: Fraction | None) -> Iterator[None]:
        """Add trees until none helps, or none can do better than a time that is known."""
        end = monotonic() + seconds
        pays = [float("inf")] * len(self.shapes)
        while monotonic() < end:
            yield None
            pricing = Pricing(self.problem, {link: x + TINY for link, x in self.lengths.items()})
            cheapest, new = 0.0, False
            for unit, paid in enumerate(pays):
                price, added = self._priced(pricing, unit, paid)
                cheapest, new = cheapest + price * self.shapes[unit].units, new or added
            capacity = sum(float(b) * self.lengths[link] for link, b in self.network.bandwidth_of.items())
            least = cheapest / capacity if capacity else 0.0
            value = self.lp.solve() if new else None
            if value is None or (enough is not None and least > float(enough) * (1 - CLOSE)):
                return
            duals = self.lp.duals()
            self.lengths = {link: max(0.0, duals[row]) for link, row in self.link_rows.items()}
            pays = [duals[row] for row in self.unit_rows]

    def _priced(self, pricing: Pricing, unit: int, paid: float) -> tuple[float, bool]:
        """Add the cheapest trees at the roots of a unit that cost less than is paid, up to a few of them.

        What the cheapest one costs, or 0 when not all roots were looked at, and whether some tree is new.
        """
        roots = self.shapes[unit].roots
        self.turn += 1
        cheapest, new = float("inf"), 0
        for i in range(len(roots)):
            found = pricing.tree(self.shapes[unit], roots[(i + self.turn) % len(roots)])
            if found is not None:
                cheapest = min(cheapest, found[0])
                new += found[0] < paid - TINY and self.add(unit, found[1])
            if new == MOST_NEW:
                return 0.0, True
        return (cheapest if cheapest < float("inf") else 0.0), new > 0

    def schedule(self) -> PipelinedSchedule | None:
        """Return the trees with their weights in the present optimum, in fractions."""
        if self.lp.solve() is None:
            return None
        values = self.lp.values()
        used = {key: values[j] for key, j in self.trees.items() if values[j] > TINY}
        weights = self._exact(used, values[self.time]) or self._near(used)
        trees = tuple(
            WeightedTree(tree.root, weight, tree.paths, tree.inward)
            for (_, tree), weight in weights.items()
            if weight
        )
        return with_least_time(self.problem, PipelinedSchedule(Fraction(1), trees))

    def _exact(
        self, used: Mapping[tuple[int, WeightedTree], float], time: float
    ) -> dict[tuple[int, WeightedTree], Fraction] | None:
        """Return the weights at the corner.

        With the full links as equations; None when these do not say them.
        """
        number = {key: j for j, key in enumerate(used, 1)}
        loads: dict[Link, dict[int, int]] = {}
        for key, j in number.items():
            for link, times in tree_loads(key[1]).items():
                loads.setdefault(link, {})[j] = times
        rows, right = [], []
        for link, row in loads.items():
            bandwidth = Fraction(self.network.bandwidth_of[link])
            carried = sum(times * weight for times, weight in zip(row.values(), _of(used, row), strict=True))
            if carried > float(bandwidth) * time * (1 - CLOSE):
                full = [0] * (len(used) + 1)
                full[0] = -bandwidth.numerator
                for j, times in row.items():
                    full[j] = times * bandwidth.denominator
                rows.append(full)
                right.append(0)
        for unit in range(len(self.shapes)):
            rows.append([0, *(int(key[0] == unit) for key in used)])
            right.append(self.shapes[unit].units)
        solution = solve_exactly(rows, right)
        if solution is None or any(x < 0 for x in solution):
            return None
        return {key: solution[j] for key, j in number.items()}

    def _near(
        self, used: Mapping[tuple[int, WeightedTree], float]
    ) -> dict[tuple[int, WeightedTree], Fraction]:
        """Weights near the present ones that are together what every unit weighs."""
        near = {key: Fraction(weight).limit_denominator(ROUGH) for key, weight in used.items()}
        total = [Fraction(0)] * len(self.shapes)
        for (unit, _), weight in near.items():
            total[unit] += weight
        return {key: weight * self.shapes[key[0]].units / total[key[0]] for key, weight in near.items()}


def _of(used: Mapping[tuple[int, WeightedTree], float], row: Mapping[int, int]) -> list[float]:
    weights = list(used.values())
    return [weights[j - 1] for j in row]


def tree_loads(tree: WeightedTree) -> dict[Link, int]:
    """How often a tree crosses every link."""
    loads: dict[Link, int] = {}
    for path in (*tree.inward, *tree.paths):
        for link in pairwise(path):
            loads[link] = loads.get(link, 0) + 1
    return loads


class Pricing:
    """The cheapest trees under lengths of the links."""

    def __init__(self, problem: Problem, lengths: Lengths) -> None:
        self.problem, self.network, self.lengths = problem, problem.network, lengths
        self.ranks, self.relays = ranks_of(problem), relays_of(problem)
        self.hops = cheapest_hops(self.network, lengths, self.relays)
        self.costs = {ends: cost for ends, (cost, _) in self.hops.items()}
        self.turned = {(v, u): cost for (u, v), cost in self.costs.items()}
        ordered = problem.parameters.get("ordered") and problem.task in REDUCTIONS
        self.ordered = OrderedTrees(self.network.compute_nodes, self.costs) if ordered else None

    def tree(self, shape: Shape, root: int) -> tuple[float, WeightedTree] | None:
        """Return the cheapest tree of the shape at a root, and its price; None when there is none."""
        inward: tuple[Path, ...] | None = ()
        paths: tuple[Path, ...] | None = ()
        if shape.inward:
            inward = self._ordered_inward(root) if self.ordered else self._spanning(root, inward=True)
        if shape.outward:
            paths = self._spanning(root, inward=False)
        if inward is None or paths is None:
            return None
        made = PipelinedSchedule(Fraction(1), (WeightedTree(root, Fraction(1), paths, inward),))
        (tree,) = at_relays(self.problem, made).trees
        return sum(times * self.lengths[link] for link, times in tree_loads(tree).items()), tree

    def _ordered_inward(self, root: int) -> tuple[Path, ...] | None:
        assert self.ordered is not None
        if self.ordered.cost(root) == float("inf"):
            return None
        return tuple(self.hops[ends][1] for ends in self.ordered.hops(root))

    def _spanning(self, root: int, *, inward: bool) -> tuple[Path, ...] | None:
        """Return the paths of the cheapest tree that spans the ranks, of those tried.

        It branches at relays, and over switches that copy where they do.
        """
        hops = self.turned if inward else self.costs
        best = self._cheaper(None, root, (), hops)
        for nodes in _sets(sorted(self.relays)):
            best = self._cheaper(best, root, nodes, hops)
        if self.problem.parameters.get("switches_copy"):
            links = {(v, u): x for (u, v), x in self.lengths.items()} if inward else self.lengths
            for nodes in _sets(sorted(self.network.switches | self.relays)):
                best = self._cheaper(best, root, nodes, links)
        return None if best is None else self._paths(best[1], root, inward)

    def _cheaper(
        self, best: Priced | None, root: int, nodes: Collection[int], costs: Lengths
    ) -> Priced | None:
        """Return the cheapest tree that spans the ranks, the root and some nodes, if it is better."""
        wanted = {*self.ranks, root}
        parents = cheapest_arborescence(wanted | set(nodes), costs, root)
        if parents is None:
            return best
        parents = _without_idle(parents, wanted)
        price = sum(costs[u, v] for v, u in parents.items())
        return (price, parents) if best is None or price < best[0] else best

    def _paths(self, parents: Mapping[int, int], root: int, inward: bool) -> tuple[Path, ...]:
        """Return the paths in the order in which a part goes out, or the sums come in."""
        children: dict[int, list[int]] = {}
        for v, u in parents.items():
            children.setdefault(u, []).append(v)
        order = [root]
        for u in order:
            order += children.get(u, [])
        if inward:
            return tuple(self._path(v, parents[v]) for v in reversed(order[1:]))
        return tuple(self._path(parents[v], v) for v in order[1:])

    def _path(self, u: int, v: int) -> Path:
        if (u, v) in self.hops and not {u, v} & self.network.switches:
            return self.hops[u, v][1]
        return u, v


def _sets(nodes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield sets of nodes at which trees may branch.

    All, where there are few; else everything and single ones.
    """
    if len(nodes) > MOST_SUBSETS:
        yield tuple(nodes)
        yield from ((w,) for w in nodes)
        return
    for mask in range(1, 1 << len(nodes)):
        yield tuple(w for i, w in enumerate(nodes) if mask >> i & 1)


def _without_idle(parents: Mapping[int, int], wanted: Collection[int]) -> dict[int, int]:
    """Return the tree without nodes that nothing hangs on and nobody wants."""
    kept = dict(parents)
    while idle := [w for w in kept if w not in wanted and w not in kept.values()]:
        for w in idle:
            del kept[w]
    return kept


def cheapest_hops(
    network: Network, lengths: Lengths, relays: Collection[int] = ()
) -> dict[Link, tuple[float, Path]]:
    """Return the cheapest way between every two compute nodes, and its length.

    A way goes over a link or through switches and relays.
    """
    found: dict[Link, tuple[float, Path]] = {}
    for u in network.compute_nodes:
        done: set[int] = set()
        ticket = count()
        queue: list[tuple[float, int, Path]] = [(0.0, next(ticket), (u,))]
        while queue:
            cost, _, way = heappop(queue)
            v = way[-1]
            if v in done:
                continue
            done.add(v)
            if v != u and v not in network.switches:
                found[u, v] = cost, way
                if v not in relays:
                    continue
            for w in network.successors[v]:
                if w not in done:
                    heappush(queue, (cost + lengths[v, w], next(ticket), (*way, w)))
    return found
