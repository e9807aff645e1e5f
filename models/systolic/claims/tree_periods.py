"""A refutation of periods: no optimal gossip in complete k-ary trees of a height or above has the period.

docs/theorems.md, section 2; types, slacks and delays are those of `.tree_types`. It is the recursion
over types in which everything that is cut off counts as free:

1. The table holds, for slacks 0 .. A + p - 1 and delays, a lower bound on the cost.
2. Slacks from A on stand for all greater ones that are the same mod p, so their children may have any
   slack. Bounds end at B.
3. Going one height up, the bound of a type is raised while fewer than k children with different slots
   keep it; a maximum matching of slots counts them.
4. A root that does not fit the bounds refutes the height, and all above, since the bounds only grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.rules import is_two_way
from schedsolve.runtime.errors import ClaimError

from ..rules import is_edge_colouring, period_of
from .complete_trees import complete_tree

LARGEST_TABLE = 6000
"""The most types in a table that is examined."""
LARGEST_COST = 1000
"""The greatest number at which costs may be cut."""

Pair = tuple[int, int]


class RelaxedCosts:
    """Lower bounds on the costs of the types, for the height reached (steps 1 and 2 above)."""

    def __init__(self, arity: int, two_way: bool, period: int, slack: int, most: int) -> None:
        if (
            arity < 2
            or period < arity
            or slack < 1
            or not 0 <= most <= LARGEST_COST
            or (slack + period) * period > LARGEST_TABLE
        ):
            raise ClaimError(
                f"a table of types has arity 2 or more, a period of {arity} or more, a cut of slacks of 1 or"
                f" more and of costs of {LARGEST_COST} or less, and {LARGEST_TABLE} types at most"
            )
        self.arity, self.two_way, self.period = arity, two_way, period
        self.slack, self.most = slack, most
        delays = range(period) if two_way else range(1, period)
        self.numbers = {(a, d): 0 for a in range(slack + period) for d in delays}
        self._kept: dict[Pair, list[tuple[Pair, int]]] = {}

    def rise(self) -> bool:
        """Go one height up, and return whether any number has changed (step 3)."""
        below = dict(self.numbers)
        for (slack, delay), number in below.items():
            while number < self.most and not self._enough(below, slack, delay, number):
                number += 1  # noqa: PLW2901
            self.numbers[slack, delay] = number
        return self.numbers != below

    def _enough(self, below: Mapping[Pair, int], slack: int, delay: int, number: int) -> bool:
        """Return whether k children with different slots keep the number (step 3)."""
        room = number + self.arity
        if all(
            below[kind] + late <= room for kind, late in self._kept.get((slack, delay), [((0, 1), room + 1)])
        ):
            return True
        fitting: dict[Pair, tuple[Pair, int]] = {}
        top = self.slack + self.period - 1
        for child in range((top if slack >= self.slack else min(top, slack + self.arity - 1)) + 1):
            up = (child - slack - self.arity) % self.period
            if up in (0, delay):
                continue
            for down in range(self.period):
                kind = child, (down - up) % self.period
                late = (down - delay) % self.period
                if down not in (0, delay) and kind in below and below[kind] + late <= room:
                    fitting[up, down] = kind, late
        chosen = _different(frozenset(fitting), self.arity)
        if len(chosen) < self.arity:
            return False
        self._kept[slack, delay] = [fitting[pair] for pair in chosen]
        return True

    def fits_root(self) -> bool:
        """Return whether the root of a tree one higher can have children of these costs (step 4).

        By Lemma A of section 2 the calls with the root are in consecutive rounds. Counted from
        k (h - 1) + 1, the children call up in rounds 0 .. k - 1 and are called down from round k on, the
        last two-way at once; one-way the last one may also be called down in round k - 1 and call up in
        round k.
        """
        k = self.arity
        if self.two_way:
            return self._fits([*range(k)], [*range(k - 1, 2 * k - 1)], {k - 1: k - 1}, 2 * k - 2)
        plain = self._fits([*range(k)], [*range(k, 2 * k)], {}, 2 * k - 1)
        crossed = self._fits([*range(k - 1), k], [k - 1, *range(k + 1, 2 * k)], {k: k - 1}, 2 * k - 1)
        return plain or crossed

    def _fits(self, ups: list[int], downs: list[int], given: Mapping[int, int], last: int) -> bool:
        """Return whether every child, named by its round up, can be given a round down."""
        import networkx

        p = self.period
        # With k slots or more, two rounds down share a slot if and only if two rounds up do.
        if len({u % p for u in ups}) < len(ups):
            return False
        graph = networkx.Graph()
        for u in ups:
            for d in downs:
                named = given.get(u, d) == d
                # Over all children, these are all pairs of a round up and the round down of another child.
                shared = any(v % p == d % p for v in ups if v != u)
                same = u % p == d % p and not self.two_way
                if named and not shared and not same and d + self._number(u, (d - u) % p) <= last:
                    graph.add_edge(("up", u), ("down", d))
        return len(networkx.max_weight_matching(graph, maxcardinality=True)) == self.arity

    def _number(self, slack: int, delay: int) -> int:
        while (slack, delay) not in self.numbers:
            slack -= self.period
        return self.numbers[slack, delay]


@lru_cache(maxsize=10_000)
def _different(pairs: frozenset[Pair], wanted: int) -> tuple[Pair, ...]:
    """Return `wanted` of the pairs, or as many as possible, with no number in two of them.

    Nodes of many heights ask for the same.
    """
    import networkx

    chosen = sorted(pair for pair in pairs if pair[0] == pair[1])[:wanted]
    seen = {x for x, _ in chosen}
    others = {pair for pair in pairs if not seen & {*pair}}
    greedy, busy = list(chosen), set(seen)
    for pair in sorted(others):
        if not busy & {*pair} and len(greedy) < wanted:
            greedy.append(pair)
            busy |= {*pair}
    if len(greedy) == wanted:
        return tuple(greedy)
    # The constructor Graph(pairs) would import pandas.
    graph = networkx.Graph()
    graph.add_edges_from(others)
    edges = networkx.max_weight_matching(graph, maxcardinality=True)
    chosen += [edge if edge in others else edge[::-1] for edge in edges]
    return tuple(chosen[:wanted])


def refuted_height(arity: int, two_way: bool, period: int, slack: int, most: int, height: int) -> int | None:
    """Return the least height up to `height` that the relaxed table refutes, with all above; None for none.

    References
    ----------
    docs/theorems.md, section 2 (step 4 above).
    """
    if period < arity + (height > 1):
        return 1 if period < arity else 2
    costs = RelaxedCosts(arity, two_way, period, slack, most)
    for reached in range(1, height + 1):
        if not costs.fits_root():
            return reached
        if not costs.rise():
            return None
    return None


def tree_period_claim(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """Return the optimum without a period plus 1, in a complete tree whose height is refuted.

    Parameters
    ----------
    problem
        A gossip in a complete tree, with a period.
    evidence
        "slack" and "most", the numbers A and B at which the table is cut.

    Raises
    ------
    ClaimError
        If nothing is refuted.
    """
    tree = complete_tree(problem.network) if problem.task == "gossip" else None
    slack, most = evidence.get("slack"), evidence.get("most")
    if tree is None or tree.height == 0 or is_edge_colouring(problem):
        raise ClaimError("types are for gossip in complete trees of height 1 or more, without edge colouring")
    if type(slack) is not int or type(most) is not int:
        raise ClaimError('a table of types is cut at "slack" and "most", whole numbers')
    two_way, period = is_two_way(problem), period_of(problem)
    optimum = 2 * tree.arity * tree.height - (1 if two_way else 0)
    if period >= optimum or refuted_height(tree.arity, two_way, period, slack, most, tree.height) is None:
        raise ClaimError(f"the table does not refute {optimum} rounds with period {period}")
    return optimum + 1
