"""Connected graphs by their number of links, one of every isomorphism class.

By canonical augmentation (McKay, Isomorph-free exhaustive generation, 1998): every connected graph with more
links than a tree has a link without which it stays connected. A canonical one of them, up to automorphisms,
is taken away, which gives each class one parent class with a link less. So the children of a parent that are
kept are those whose new link is the canonical one, and no class is met twice. The trees come from networkx.

Properties of a class of graphs that taking links away preserves (a greatest degree, being bipartite), and
a least degree that must still be reachable with the links that are left, cut the tree of parents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from schedsolve.network.classes.canonical_form import (
    CanonicalForm,
    Permutation,
    Rows,
    canonical_form,
    nodes_of,
    reversed_rows,
)

Link = tuple[int, int]


@dataclass(frozen=True)
class GraphClass:
    """Which connected graphs are meant.

    Attributes
    ----------
    nodes
        The number n of nodes.
    directed
        Whether the links are arcs; connected then means that the graph without directions is.
    max_degree
        The greatest degree allowed, in a directed graph of the arcs that leave a node and of those that enter
        it, each; n - 1 allows all.
    min_degree
        The least number of links at a node, counted likewise.
    bipartite
        Whether the nodes must have two sides such that every link joins both.
    """

    nodes: int
    directed: bool = False
    max_degree: int = 10**6
    min_degree: int = 0
    bipartite: bool = False

    @property
    def most_edges(self) -> int:
        """The largest number of links that a graph of the class can have."""
        n, largest = self.nodes, min(self.max_degree, self.nodes - 1)
        most = n * largest if self.directed else n * largest // 2
        sides = (n // 2) * (n - n // 2) * (2 if self.directed else 1)
        return min(most, sides) if self.bipartite else most


def connected_graphs(
    kind: GraphClass, edges: int, residue: int = 0, modulus: int = 1
) -> Iterator[CanonicalForm]:
    """Yield the canonical form of every connected graph of a class with a number of links.

    One of each isomorphism class, in a fixed order. Every graph belongs to one residue: that of the place of
    its ancestor with n links (its own, of a tree) in their order.

    Parameters
    ----------
    kind
        The class.
    edges
        The number of links.
    residue, modulus
        Yield the graphs of one of so many parts.
    """
    n = kind.nodes
    if not n - 1 <= edges <= kind.most_edges or not _can_reach(kind, (0,) * n, edges):
        return
    ancestors = islice(_ancestors(kind, edges), residue, None, modulus)
    for ancestor in ancestors:
        yield from _descendants(kind, ancestor, max(0, edges - n))


def _ancestors(kind: GraphClass, edges: int) -> Iterator[CanonicalForm]:
    """Yield the trees, or for more links the graphs with n links, that may have descendants."""
    more = edges - kind.nodes + 1
    for tree in _trees(kind):
        if _can_reach(kind, tree, more):
            yield from _descendants(kind, canonical_form(tree, directed=kind.directed), min(1, more), more)


def _descendants(
    kind: GraphClass, parent: CanonicalForm, more: int, to_come: int | None = None
) -> Iterator[CanonicalForm]:
    """Yield the graphs that descend from a parent, in canonical form, by a number of links more.

    `to_come` links, or else as many, are still to be added to reach the least degree.
    """
    if not more:
        yield parent
        return
    left = (more if to_come is None else to_come) - 1
    for child in _children(kind, parent, left):
        yield from _descendants(kind, child, more - 1, left)


def _trees(kind: GraphClass) -> Iterator[Rows]:
    """Yield the trees of a class, or of a directed class all orientations of trees, one of each class."""
    import networkx

    if kind.nodes == 1:
        yield (0,)
        return
    for tree in networkx.nonisomorphic_trees(kind.nodes):
        links = sorted((min(e), max(e)) for e in tree.edges())
        seen: set[Rows] = set()
        for turned in product((False, True), repeat=len(links) if kind.directed else 0):
            rows = [0] * kind.nodes
            for i, (u, v) in enumerate(links):
                if not (kind.directed and turned[i]):
                    rows[u] |= 1 << v
                if not (kind.directed and not turned[i]):
                    rows[v] |= 1 << u
            form = canonical_form(tuple(rows), directed=True).rows if kind.directed else tuple(rows)
            if form not in seen and _within(kind, form):
                seen.add(form)
                yield form


def _degrees(kind: GraphClass, rows: Rows) -> list[int]:
    """Return the degrees that the class limits."""
    out = [row.bit_count() for row in rows]
    return out if not kind.directed else out + [row.bit_count() for row in reversed_rows(rows)]


def _within(kind: GraphClass, rows: Rows) -> bool:
    return max(_degrees(kind, rows)) <= kind.max_degree


def _can_reach(kind: GraphClass, rows: Rows, more: int) -> bool:
    """Whether as many links more can give every node the least degree."""
    if not kind.min_degree:
        return True
    missing = sum(max(0, kind.min_degree - d) for d in _degrees(kind, rows))
    return missing <= 2 * more


def _children(kind: GraphClass, parent: CanonicalForm, left: int) -> Iterator[CanonicalForm]:
    """Yield the children of a graph in canonical form; `left` more links are to follow."""
    rows, generators = _renumbered(parent)
    for u, v in _orbit_representatives(_free(kind, rows), generators, kind.directed):
        child = list(rows)
        child[u] |= 1 << v
        if not kind.directed:
            child[v] |= 1 << u
        made = tuple(child)
        if not _can_reach(kind, made, left):
            continue
        form = _accepted(kind, made, (u, v))
        if form is not None:
            yield form


def _renumbered(form: CanonicalForm) -> tuple[Rows, list[Permutation]]:
    """Return the canonical rows and the generators on their numbering."""
    back = [0] * len(form.image)
    for v, x in enumerate(form.image):
        back[x] = v
    return form.rows, [tuple(form.image[g[back[x]]] for x in range(len(back))) for g in form.generators]


def _free(kind: GraphClass, rows: Rows) -> list[Link]:
    """Return the links that may be added, in order."""
    n = kind.nodes
    full = [row.bit_count() >= kind.max_degree for row in rows]
    full_in = full if not kind.directed else [r.bit_count() >= kind.max_degree for r in reversed_rows(rows)]
    side = _sides(rows) if kind.bipartite else 0
    return [
        (u, v)
        for u in range(n)
        if not full[u]
        for v in range(0 if kind.directed else u + 1, n)
        if u != v
        and not (rows[u] >> v & 1)
        and not full_in[v]
        and (not kind.bipartite or (side >> u ^ side >> v) & 1)
    ]


def _sides(rows: Rows) -> int:
    """Return one side of a connected bipartite graph, directions left aside: that without node 0."""
    return odd_distances(tuple(a | b for a, b in zip(rows, reversed_rows(rows), strict=True)), 0)


def odd_distances(rows: Rows, node: int) -> int:
    """Return the nodes at an odd distance from one, in an undirected graph."""
    reached = layer = 1 << node
    odd, parity = 0, False
    while layer:
        following = 0
        for v in nodes_of(layer):
            following |= rows[v]
        layer = following & ~reached
        reached |= layer
        parity = not parity
        if parity:
            odd |= layer
    return odd


def is_bipartite(rows: Rows) -> bool:
    """Whether every link of a connected graph, directions left aside, joins two sides."""
    side = _sides(rows)
    return all(not row & (side if side >> v & 1 else ~side) for v, row in enumerate(rows))


def _orbit_representatives(
    links: list[Link], generators: list[Permutation], directed: bool
) -> Iterator[Link]:
    """Yield one of the links of every orbit under a group."""
    if not generators:
        yield from links
        return
    seen: set[Link] = set()
    for link in links:
        if link not in seen:
            yield link
            seen |= _orbit(link, generators, directed)


def _orbit(link: Link, generators: list[Permutation] | tuple[Permutation, ...], directed: bool) -> set[Link]:
    orbit, waiting = {link}, [link]
    while waiting:
        u, v = waiting.pop()
        for g in generators:
            image = (g[u], g[v]) if directed or g[u] < g[v] else (g[v], g[u])
            if image not in orbit:
                orbit.add(image)
                waiting.append(image)
    return orbit


def _accepted(kind: GraphClass, rows: Rows, added: Link) -> CanonicalForm | None:
    """Return the canonical form of a child if its new link is the canonical one, else None.

    The canonical link is, of those without which the graph stays connected, one with the largest invariant,
    and of these the one with the largest image in the canonical numbering.
    """
    neighbours = (
        rows if not kind.directed else tuple(a | b for a, b in zip(rows, reversed_rows(rows), strict=True))
    )
    weight = [row.bit_count() for row in neighbours]
    around = [sum(weight[w] for w in nodes_of(row)) for row in neighbours]
    out = [row.bit_count() for row in rows]

    def invariant(u: int, v: int) -> tuple[int, ...]:
        common = (neighbours[u] & neighbours[v]).bit_count()
        if kind.directed:
            return weight[u] + weight[v], out[u], weight[u], common, out[v], around[u], around[v]
        return weight[u] + weight[v], weight[u] * weight[v], around[u] + around[v], common

    own = invariant(*added)
    ties = []
    for u, row in enumerate(rows):
        for v in nodes_of(row if kind.directed else row >> u + 1 << u + 1):
            value = own if (u, v) == added else invariant(u, v)
            if value >= own and (u, v) != added and _is_removable(rows, kind.directed, u, v):
                if value > own:
                    return None
                ties.append((u, v))
    form = canonical_form(rows, directed=kind.directed)
    if ties:
        image = form.image

        def place(link: Link) -> Link:
            u, v = image[link[0]], image[link[1]]
            return (u, v) if kind.directed or u < v else (v, u)

        chosen = max([*ties, added], key=place)
        if chosen != added and chosen not in _orbit(added, form.generators, kind.directed):
            return None
    return form


def _is_removable(rows: Rows, directed: bool, u: int, v: int) -> bool:
    """Whether the graph without a link, directions left aside, is connected."""
    near = list(rows)
    near[u] &= ~(1 << v)
    if directed:
        near = [a | b for a, b in zip(near, reversed_rows(tuple(near)), strict=True)]
    else:
        near[v] &= ~(1 << u)
    reached = layer = 1 << u
    while layer:
        low = layer & -layer
        layer ^= low
        fresh = near[low.bit_length() - 1] & ~reached
        reached |= fresh
        layer |= fresh
        if reached >> v & 1:
            return True
    return False
