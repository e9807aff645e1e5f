"""Canonical forms of small graphs, and generators of their automorphism groups.

A graph on the nodes 0..n-1 is given by its rows: for every node a bit mask of the nodes that it has links to.
The labelling is found by individualization and refinement, as in McKay, Practical graph isomorphism (1981):
equitable ordered partitions, every leaf of the search tree is compared with the first and the best leaf, and
branches that a known automorphism carries to an explored one are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

Rows = tuple[int, ...]
Permutation = tuple[int, ...]


@dataclass(frozen=True)
class CanonicalForm:
    """A graph's canonical labelling.

    Attributes
    ----------
    rows
        The rows of the relabelled graph; equal for two graphs if, and only if, they are isomorphic.
    image
        The new number of every node.
    generators
        Automorphisms that generate the automorphism group, each by the images of the nodes.
    """

    rows: Rows
    image: Permutation
    generators: tuple[Permutation, ...]


def canonical_form(rows: Rows, *, directed: bool = False) -> CanonicalForm:
    """Return the canonical form of a graph.

    Parameters
    ----------
    rows
        A bit mask of successors for every node; symmetric unless `directed`.
    directed
        Whether the links are arcs.
    """
    return _Search(rows, directed).run()


def reversed_rows(rows: Rows) -> Rows:
    """Return the rows of the graph with every arc reversed."""
    before = [0] * len(rows)
    for u, row in enumerate(rows):
        for v in nodes_of(row):
            before[v] |= 1 << u
    return tuple(before)


@lru_cache(maxsize=1 << 14)
def nodes_of(mask: int) -> tuple[int, ...]:
    """Return the nodes of a bit mask, ascending; small graphs have the same masks again and again."""
    nodes = []
    while mask:
        low = mask & -mask
        nodes.append(low.bit_length() - 1)
        mask ^= low
    return tuple(nodes)


class _Search:
    """The search tree of one graph."""

    def __init__(self, rows: Rows, directed: bool) -> None:
        self.rows = rows
        self.n = len(rows)
        self.relations = (rows, reversed_rows(rows)) if directed else (rows,)
        self.generators: dict[Permutation, None] = {}
        self.first: tuple[Rows, list[int], list[int]] | None = None
        self.best: tuple[Rows, list[int], list[int]] | None = None

    def run(self) -> CanonicalForm:
        every = (1 << self.n) - 1
        self._explore(self._refined([every], [every]), [])
        assert self.best is not None
        rows, order, _ = self.best
        image = [0] * self.n
        for place, v in enumerate(order):
            image[v] = place
        return CanonicalForm(rows, tuple(image), tuple(self.generators))

    def _refined(self, cells: list[int], splitters: list[int]) -> list[int]:
        """Return the coarsest equitable refinement of an ordered partition.

        Any renumbering preserves its order: parts of a cell stand in the order of their numbers of links.
        """
        while splitters and len(cells) < self.n:
            splitter = splitters.pop()
            for row in self.relations:
                refined: list[int] = []
                for cell in cells:
                    if cell & (cell - 1):
                        parts: dict[int, int] = {}
                        rest = cell
                        while rest:
                            low = rest & -rest
                            rest ^= low
                            count = (row[low.bit_length() - 1] & splitter).bit_count()
                            parts[count] = parts.get(count, 0) | low
                        if len(parts) > 1:
                            pieces = [parts[count] for count in sorted(parts)]
                            refined += pieces
                            splitters += pieces
                            continue
                    refined.append(cell)
                cells = refined
        return cells

    def _explore(self, cells: list[int], path: list[int]) -> int:
        """Explore the subtree of a partition whose path individualized some nodes.

        Returns
        -------
        The depth to go back to: less than the path's length if an automorphism shows that the rest of the
        subtree repeats an explored one.
        """
        if len(cells) == self.n:
            return self._leaf([cell.bit_length() - 1 for cell in cells], path)
        place = min(
            (i for i, cell in enumerate(cells) if cell & (cell - 1)), key=lambda i: cells[i].bit_count()
        )
        target = nodes_of(cells[place])
        if self._are_twins(target, cells[place]):
            apart = [*cells[:place], *(1 << v for v in target), *cells[place + 1 :]]
            for u, v in pairwise(target):
                self._swap(u, v)
            depth = len(path)
            back = self._explore(apart, [*path, *target])
            return back if back <= depth else depth
        tried: list[int] = []
        for v in target:
            if tried and self._is_equivalent(v, tried, path):
                continue
            tried.append(v)
            split = [*cells[:place], 1 << v, cells[place] ^ 1 << v, *cells[place + 1 :]]
            back = self._explore(self._refined(split, [1 << v]), [*path, v])
            if back < len(path):
                return back
        return len(path)

    def _are_twins(self, nodes: Sequence[int], cell: int) -> bool:
        """Whether the nodes of a cell have the same neighbours outside it, and all or none inside it."""
        for row in self.relations:
            outside, inside = row[nodes[0]] & ~cell, row[nodes[0]] & cell
            if inside not in (0, cell ^ 1 << nodes[0]):
                return False
            for v in nodes[1:]:
                if row[v] & ~cell != outside or row[v] & cell != (cell ^ 1 << v if inside else 0):
                    return False
        return True

    def _swap(self, u: int, v: int) -> None:
        image = list(range(self.n))
        image[u], image[v] = v, u
        self.generators.setdefault(tuple(image))

    def _is_equivalent(self, v: int, tried: Sequence[int], path: Sequence[int]) -> bool:
        """Whether known automorphisms that fix the path carry v to a node that was tried."""
        fixing = [g for g in self.generators if all(g[x] == x for x in path)]
        if not fixing:
            return False
        reached, waiting = {v}, [v]
        while waiting:
            x = waiting.pop()
            for g in fixing:
                if g[x] not in reached:
                    reached.add(g[x])
                    waiting.append(g[x])
        return any(x in reached for x in tried)

    def _leaf(self, order: list[int], path: list[int]) -> int:
        place = [0] * self.n
        for i, v in enumerate(order):
            place[v] = i
        rows = tuple(sum(1 << place[w] for w in nodes_of(self.rows[v])) for v in order)
        for other in (self.first, self.best):
            if other is not None and other[0] == rows:
                image = [0] * self.n
                for x, y in zip(other[1], order, strict=True):
                    image[x] = y
                self.generators.setdefault(tuple(image))
                return _common(other[2], path)
        leaf = rows, order, list(path)
        if self.first is None:
            self.first = leaf
        if self.best is None or rows > self.best[0]:
            self.best = leaf
        return len(path)


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Return the length of the common beginning."""
    for i, (x, y) in enumerate(zip(one, other, strict=False)):
        if x != y:
            return i
    return min(len(one), len(other))
