"""The heights for which an optimal gossip in complete k-ary trees can have a period, by recursion over types.

docs/theorems.md, section 2; the types are those of `..claims.tree_types`. Costs grow with the height.
If the slacks and costs are cut off in favour of the answer "no" (strict), a root that fits the
fixpoint gives a scheme for every height; if in favour of "yes" (relaxed), a root that does not fit
refutes the height and all above.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.models.matching.rules import is_two_way
from schedsolve.network.classes.bipartite import full_matching

from ..claims.complete_trees import complete_tree
from ..claims.tree_types import Child, NodeType, TypeList
from ..rules import is_edge_colouring, period_of

MOST_STEPS = 400
"""The most heights for which a table is computed."""
LONGEST_REFUTED = 24
"""The longest period for which a problem's own height is examined."""


@dataclass
class Recursion:
    """The least costs of all types for the height reached, cut off.

    `slack` is A: there are rows for the slacks 0 .. A + p - 1. `most` is B, the greatest cost that is
    distinguished. `strict` says whether what is cut off counts as impossible; otherwise it counts as
    free. `costs` are by slack and delay; B + 1 stands for "more" in a strict table. `chosen` holds
    children that attain the cost.
    """

    arity: int
    two_way: bool
    period: int
    slack: int
    most: int
    strict: bool
    costs: list[list[int]] = field(default_factory=list)
    chosen: dict[tuple[int, int], tuple[Child, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.costs = [[0] * self.period for _ in range(self.slack + self.period)]

    def grow(self) -> bool:
        """Go one height up, and return whether any cost has changed."""
        before = [list(row) for row in self.costs]
        for slack in range(len(before)):
            best = self._best_children(before, slack)
            for delay in range(0 if self.two_way else 1, self.period):
                self.costs[slack][delay] = self._cost(best, slack, delay)
        return self.costs != before

    def _best_children(self, costs: Sequence[Sequence[int]], slack: int) -> list[list[Child]]:
        """Return for every slot up and every delay of a child its least cost, and the slack that has it."""
        p, k = self.period, self.arity
        free = not self.strict and slack >= self.slack
        top = len(costs) - 1 if free else min(slack + k - 1, len(costs) - 1)
        best: list[list[Child]] = [[(2 * self.most + 4 * p, -1)] * p for _ in range(p)]
        for below in range(top + 1):
            row, up = costs[below], best[(below - slack - k) % p]
            for delay in range(p):
                if row[delay] <= up[delay][0]:
                    up[delay] = row[delay], below
        return best

    def _cost(self, best: Sequence[Sequence[Child]], slack: int, delay: int) -> int:
        """Return the least cost of a type that is not below its present cost."""
        now = self.costs[slack][delay]
        if now > self.most:
            return now
        kept = self.chosen.get((slack, delay))
        if kept is not None and all(self._keeps(best, slack, delay, child, now) for child in kept):
            return now
        for cost in range(now, self.most + 1):
            chosen = self._children(best, delay, cost)
            if chosen is not None:
                self.chosen[slack, delay] = chosen
                return cost
            if not self.strict and cost == self.most:
                return cost
        return self.most + 1

    def _keeps(
        self, best: Sequence[Sequence[Child]], slack: int, delay: int, child: Child, cost: int
    ) -> bool:
        """Return whether a child that was chosen before still keeps the cost."""
        up = (child[0] - slack - self.arity) % self.period
        least, below = best[up][(child[1] - up) % self.period]
        late = (child[1] - delay) % self.period
        return below == child[0] and least <= self.most and late + least <= cost + self.arity

    def _children(self, best: Sequence[Sequence[Child]], delay: int, cost: int) -> tuple[Child, ...] | None:
        """Return k children with different slots that keep the cost; None if there are none."""
        p, k = self.period, self.arity
        pairs: dict[tuple[int, int], Child] = {}
        free = [slot for slot in range(1, p) if slot != delay]
        for up in free:
            offered = best[up]
            for down in free:
                least, below = offered[(down - up) % p]
                late = (down - delay) % p + least > cost + k or (self.strict and least > self.most)
                if not (late or below < 0 or (up == down and not self.two_way)):
                    pairs[up, down] = below, down
        taken = disjoint_pairs(frozenset(pairs), k)
        return None if taken is None else tuple(pairs[pair] for pair in taken)

    def root(self) -> tuple[tuple[int, int], ...] | None:
        """Return rounds U and D of the root's children that fit, from k (h - 1) + 1; None if none do."""
        k = self.arity
        if self.two_way:
            return self._root(range(k - 1), (k - 1, k - 1), range(k, 2 * k - 1))
        found = self._root(range(k - 1), (k - 1, None), range(k, 2 * k))
        return found or self._root(range(k - 1), (k, k - 1), range(k + 1, 2 * k))

    def _root(
        self, ups: Sequence[int], last: tuple[int, int | None], downs: Sequence[int]
    ) -> tuple[tuple[int, int], ...] | None:
        """Give every child a round down by a matching; the last child takes the one named, if any."""
        p, limit = self.period, 2 * self.arity - (2 if self.two_way else 1)
        fixed = [] if last[1] is None else [(last[0], last[1])]
        open_ups = list(ups) if fixed else [*ups, last[0]]
        rounds_up, rounds_down = [*ups, last[0]], [*downs, *(down for _, down in fixed)]
        if len({u % p for u in rounds_up}) < len(rounds_up) or len({d % p for d in rounds_down}) < len(
            rounds_down
        ):
            return None

        def fits(up: int, down: int) -> bool:
            shared = [u for u in rounds_up if u != up and (u - down) % p == 0]
            shared += [d for d in rounds_down if d != down and (d - up) % p == 0]
            if shared or (not self.two_way and (up - down) % p == 0):
                return False
            if up >= len(self.costs):
                return not self.strict
            return down + self.costs[up][(down - up) % p] <= limit

        if not all(fits(*pair) for pair in fixed):
            return None
        owner = full_matching(open_ups, lambda up: (down for down in downs if fits(up, down)))
        if owner is None:
            return None
        return tuple(sorted([*fixed, *((up, down) for down, up in owner.items())]))

    def types(self) -> TypeList:
        """Return the list of types reached from the root's children, at a fixpoint whose root fits."""
        root = self.root()
        assert root is not None
        found = TypeList(self.arity, self.two_way, self.period, root, {})
        wanted = [(up, (down - up) % self.period) for up, down in root]
        for slack, delay in wanted:
            if (slack, delay) not in found.kinds:
                chosen = self.chosen[slack, delay]
                found.kinds[slack, delay] = NodeType(self.costs[slack][delay], chosen)
                wanted += [found.child(slack, child) for child in chosen]
        return found


def every_height(arity: int, two_way: bool, period: int) -> TypeList | None:
    """Return types that work for every height; None if no cut yields any."""
    found = (_strict_heights(arity, two_way, period, *cut)[1] for cut in _cuts(arity, period))
    return next((types for types in found if types is not None), None)


def _cuts(arity: int, period: int) -> tuple[tuple[int, int], ...]:
    """Return the cuts of slacks and costs, in the order in which they are tried."""
    return (arity, arity), (period, 2 * arity), (2 * period, 4 * arity)


def _strict_heights(
    arity: int, two_way: bool, period: int, slack: int, most: int, highest: int = MOST_STEPS
) -> tuple[int, TypeList | None]:
    """Return the greatest height for which a strict table works, and types that work for every height.

    The height is at most `highest`; the types are None if no fixpoint is reached.
    """
    strict = Recursion(arity, two_way, period, slack, most, strict=True)
    works = 0
    while strict.root() is not None and works < highest:
        works += 1
        if not strict.grow():
            return works, strict.types()
    return works, None


@dataclass(frozen=True)
class Heights:
    """The heights for which a period works.

    `works` is the greatest height for which it is known to work; None for every height, which `types`
    then prove. `fails` is the least height that is refuted, with all above; None if there is none.
    `slack` and `most` are the cuts that refute.
    """

    works: int | None
    fails: int | None
    types: TypeList | None = None
    slack: int = 0
    most: int = 0

    @property
    def settled(self) -> bool:
        """Whether every height is decided."""
        return self.works is None or self.fails == self.works + 1


def heights_of(arity: int, two_way: bool, period: int) -> Heights:
    """Return the heights for which an optimal gossip in the complete tree can have the period.

    The cuts are widened until every height is decided or all cuts are used.
    """
    answer = Heights(0, None)
    for slack, most in _cuts(arity, period):
        works, types = _strict_heights(arity, two_way, period, slack, most)
        if types is not None:
            return Heights(None, None, types)
        fails = _refuted(Recursion(arity, two_way, period, slack, most, strict=False))
        works = max(works, answer.works or 0)
        answer = Heights(works, fails, slack=slack, most=most)
        if answer.settled:
            break
    return answer


def _refuted(relaxed: Recursion, highest: int = MOST_STEPS) -> int | None:
    """Return the least height up to `highest` whose root does not fit the relaxed costs; None for none."""
    for height in range(1, highest + 1):
        if relaxed.root() is None:
            return height
        if not relaxed.grow():
            return None
    return None


def tree_period_bound(problem: Problem) -> Bound | None:
    """Return the bound that no gossip in a complete tree with this period reaches the optimum without one.

    None if the recursion does not refute it.
    """
    tree = complete_tree(problem.network) if problem.task == "gossip" else None
    if tree is None or tree.height == 0 or is_edge_colouring(problem):
        return None
    arity, two_way, period = tree.arity, is_two_way(problem), period_of(problem)
    optimum = 2 * arity * tree.height - (1 if two_way else 0)
    if not arity < period < min(optimum, LONGEST_REFUTED + 1):
        return None
    for slack, most in _cuts(arity, period):
        relaxed = Recursion(arity, two_way, period, slack, most, strict=False)
        if _refuted(relaxed, tree.height) is not None:
            evidence = {"kind": "tree-period", "slack": slack, "most": most}
            reason = "theorem: the types of a complete tree with this period do not serve for this height"
            return Bound("lower", optimum + 1, f"{reason} (docs/theorems.md, section 2)", evidence)
        if _strict_heights(arity, two_way, period, slack, most, tree.height)[0] >= tree.height:
            return None
    return None


@lru_cache(maxsize=10_000)
def disjoint_pairs(pairs: frozenset[tuple[int, int]], count: int) -> tuple[tuple[int, int], ...] | None:
    """Return `count` of the pairs of which no two share a number; None if there are fewer such.

    The two numbers of a pair may be the same. Nodes of many heights ask for the same.
    """
    in_order = sorted(pairs)
    loops = [up for up, down in in_order if up == down][:count]
    near: dict[int, set[int]] = {x: set() for pair in in_order for x in pair if x not in loops}
    for up, down in in_order:
        if up != down and up in near and down in near:
            near[up].add(down)
            near[down].add(up)
    wanted = count - len(loops)
    taken = [pair if pair in pairs else pair[::-1] for pair in matching(near, wanted)]
    found = (*((up, up) for up in loops), *taken[:wanted])
    return found if len(found) == count else None


def matching(near: Mapping[int, set[int]], wanted: int) -> list[tuple[int, int]]:
    """Return a matching of a graph with `wanted` edges or more, or a maximum one if there is none."""
    mate: dict[int, int] = {}
    for v in sorted(near, key=lambda v: len(near[v])):
        free = [] if v in mate else [w for w in near[v] if w not in mate]
        if free:
            w = min(free, key=lambda w: len(near[w]))
            mate[v], mate[w] = w, v
    if len(mate) >= 2 * wanted:
        return [(v, w) for v, w in mate.items() if v < w]
    import networkx

    graph = networkx.Graph((v, w) for v in near for w in near[v])
    return list(networkx.max_weight_matching(graph, maxcardinality=True))
