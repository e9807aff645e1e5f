"""Out-trees packed into links with whole capacities, as Edmonds' theorem says.

Whenever every cut lets out what is needed, trees can be grown one link after the other so that it goes on
doing so.

References
----------
Edmonds 1973 (Edge-disjoint branchings); Berczi, Frank 2010 (Packing arborescences) for trees of many copies
at a time; Zhao et al., ForestColl (arXiv 2402.06787).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from schedsolve.backends.max_flow import MaximumFlows

from ..rules.demand import Link


@dataclass
class Tree:
    """Copies of a growing out-tree.

    Reached nodes with their depths, in the order in which they were reached, and its links.
    """

    root: int
    copies: int
    depths: dict[int, int]
    links: list[Link] = field(default_factory=list)


def pack_trees(
    compute: Sequence[int], capacities: Mapping[Link, int], roots: Mapping[int, int]
) -> Iterator[Tree | float]:
    """Yield trees that span the compute nodes, as many from every root as asked for.

    Together they use no link beyond its capacity. While a tree grows, the share of all links that have been
    chosen is yielded after each.

    capacities: whole numbers, of links between compute nodes. roots: how many trees start where. Every set of
    compute nodes that is not all of them must have leaving capacity of at least the number of trees that
    start in it.
    """
    left = dict(capacities)
    waiting = [
        Tree(root, copies, {root: 0}) for root, copies in sorted(roots.items(), reverse=True) if copies
    ]
    chosen, links = 0, max(1, sum(roots.values()) * (len(compute) - 1))
    while waiting:
        tree = waiting.pop()
        growth = _Growth(compute, left, tree, waiting)
        while len(tree.depths) < len(compute):
            chosen += growth.step()
            yield chosen / links
        yield tree


class _Growth:
    """One tree that grows; the others do not change meanwhile.

    A link that can take a copy of the tree no more will never do so again: cuts only get tighter.
    """

    def __init__(
        self, compute: Sequence[int], left: dict[Link, int], tree: Tree, waiting: list[Tree]
    ) -> None:
        self.left, self.tree, self.waiting = left, tree, waiting
        self.most = dict.fromkeys(left, tree.copies)
        self.leaving: dict[int, list[int]] = {v: [] for v in compute}
        for u, v in left:
            self.leaving[u].append(v)
        # Shallow nodes first, for trees of small depth.
        self.frontier = [(u, v) for u in tree.depths for v in self.leaving[u]]
        self._prepare()

    def _prepare(self) -> None:
        """Prepare the flows in what is left of the links.

        Every other tree that a cut does not touch must still enter it: from the start of the link in
        question, by way of a hub and, when it has grown already, of a node of its own.
        """
        self.others = sum(other.copies for other in self.waiting)
        self.largest = self.others + sum(self.left.values())
        hub = spare = 1 + max(self.leaving)
        arcs = dict(self.left)
        arcs.update({(v, hub): 0 for v in self.leaving})
        for other in self.waiting:
            if len(other.depths) == 1:
                arcs[hub, other.root] = arcs.get((hub, other.root), 0) + other.copies
            else:
                spare += 1
                arcs[hub, spare] = other.copies
                arcs.update({(spare, v): self.largest for v in other.depths})
        self.number = {arc: i for i, arc in enumerate(arcs)}
        self.hub = hub
        tails, heads = [u for u, _ in arcs], [v for _, v in arcs]
        self.flows = MaximumFlows(tails, heads, list(arcs.values()), self.largest)

    def step(self) -> int:
        """Grow by one link: the first that takes all copies, else the one that takes most; return how many.

        The copies that it does not take wait as a tree of their own.
        """
        tree = self.tree
        best: tuple[int, Link] | None = None
        useful: list[Link] = []
        looked_at = 0
        for link in self.frontier:
            looked_at += 1
            most = 0 if link[1] in tree.depths else min(self.most[link], self.left.get(link, 0))
            if most and (best is None or most > best[0]):
                most = self._addable(link)
                if most and (best is None or most > best[0]):
                    best = (most, link)
            if most:
                useful.append(link)
            if most == tree.copies:
                break
        self.frontier[:looked_at] = useful
        if best is None:
            raise ValueError("a cut of the links lets out less than the trees need")
        self._take(*best)
        return best[0]

    def _take(self, amount: int, link: Link) -> None:
        """Add the link to so many copies."""
        tree = self.tree
        rest = tree.copies - amount
        if rest:
            self.waiting.append(Tree(tree.root, rest, dict(tree.depths), list(tree.links)))
            tree.copies = amount
        u, v = link
        tree.depths[v] = tree.depths[u] + 1
        tree.links.append(link)
        self.frontier += [(v, w) for w in self.leaving[v]]
        self.left[link] -= amount
        self.flows.set_capacity(self.number[link], self.left[link])
        if not self.left[link]:
            del self.left[link]
        if rest:
            self._prepare()

    def _addable(self, link: Link) -> int:
        """How many copies can take the link.

        What is left of it, and what the cuts around it leave beside the other trees, if there are any.
        """
        room = min(self.tree.copies, self.left.get(link, 0))
        if room and self.waiting:
            u, v = link
            self.flows.set_capacity(self.number[u, self.hub], self.largest)
            room = min(room, self.flows.value(u, v) - self.others)
            self.flows.set_capacity(self.number[u, self.hub], 0)
        self.most[link] = room
        return room
