"""Invariants of a network, by name: properties that do not depend on the numbering of its nodes.

Degrees, and whatever is built on them, count neighbors in either direction.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence

from schedsolve.network.automorphism_generators import is_vertex_transitive
from schedsolve.network.graph import Network

INVARIANTS: Mapping[str, str] = {
    "n": "number of nodes",
    "m": "number of edges or arcs",
    "directed": "whether the edges are arcs",
    "min_degree": "least degree",
    "max_degree": "greatest degree",
    "degrees": "the degrees, ascending, repeated ones as 2*3 for three times 2",
    "leaves": "number of nodes of degree 1",
    "connected": "whether every node reaches every node",
    "diameter": "greatest distance",
    "radius": "least greatest distance from a node",
    "centres": "number of nodes with that distance",
    "girth": "length of a shortest cycle of the undirected graph; empty for a forest",
    "triangles": "number of triangles of the undirected graph",
    "cut_vertices": "number of nodes without which the graph falls apart",
    "tree": "whether it is an undirected tree",
    "bipartite": "whether two colours suffice for the undirected graph",
    "vertex_transitive": "whether automorphisms carry every node to every other",
}
"""The names of the invariants, each with its meaning in one line."""
TRUTHS = frozenset({"directed", "connected", "tree", "bipartite", "vertex_transitive"})
"""The invariants that are true or false."""
MOST_WORK = 20_000_000
"""The product of nodes and edges above which invariants that take time of this order are None."""

Invariant = int | str | bool | None
Neighbours = Sequence[Sequence[int]]


def invariants(network: Network) -> dict[str, Invariant]:
    """Return every invariant of a network.

    A value is None if the invariant does not exist (the diameter of a disconnected network, the girth of a
    forest) or takes too much work.
    """
    near = [
        sorted({*after, *before})
        for after, before in zip(network.successors, network.predecessors, strict=True)
    ]
    degrees = sorted(map(len, near))
    small = network.node_count * len(network.edges) <= MOST_WORK
    finite = [e for e in network.eccentricities if e is not None] if small or network.is_tree else []
    known = len(finite) == network.node_count
    found: dict[str, Invariant] = {
        "n": network.node_count,
        "m": len(network.edges),
        "directed": network.directed,
        "min_degree": degrees[0],
        "max_degree": degrees[-1],
        "degrees": _counted(degrees),
        "leaves": degrees.count(1),
        "connected": network.is_connected,
        "diameter": max(finite) if known else None,
        "radius": min(finite) if finite else None,
        "centres": finite.count(min(finite)) if finite else None,
        "girth": _girth(near) if small else None,
        "triangles": _triangles(near),
        "cut_vertices": _cut_vertices(near),
        "tree": network.is_tree,
        "bipartite": _is_bipartite(near),
        "vertex_transitive": _vertex_transitive(network, degrees),
    }
    return found


def _vertex_transitive(network: Network, degrees: Sequence[int]) -> bool | None:
    """Return whether the network is vertex-transitive, or None if that takes too much work.

    Unequal degrees and complete graphs decide it at once; otherwise a search does.
    """
    n, m, most = network.node_count, len(network.edges), degrees[-1]
    if degrees[0] < most:
        return False
    if not network.directed and network.is_plain and 2 * m == n * (n - 1):
        return True
    return is_vertex_transitive(network) if n * m * most <= MOST_WORK else None


def _counted(degrees: Sequence[int]) -> str:
    """Return sorted numbers as text, with repeated ones as "2*3"."""
    return " ".join(str(d) if count == 1 else f"{d}*{count}" for d, count in Counter(degrees).items())


def _girth(near: Neighbours) -> int | None:
    """Return the girth, or None for a forest, by a breadth-first search from every node.

    An edge between nodes at known distances closes a walk, which is a shortest cycle for some start.
    """
    best: int | None = None
    for start in range(len(near)):
        distance, parent, queue = {start: 0}, {start: -1}, deque([start])
        while queue and (best is None or 2 * distance[queue[0]] + 1 < best):
            v = queue.popleft()
            for w in near[v]:
                if w not in distance:
                    distance[w], parent[w] = distance[v] + 1, v
                    queue.append(w)
                elif w != parent[v]:
                    length = distance[v] + distance[w] + 1
                    best = length if best is None else min(best, length)
    return best


def _triangles(near: Neighbours) -> int:
    later = [{w for w in ws if w > v} for v, ws in enumerate(near)]
    return sum(len(later[v] & later[w]) for v in range(len(near)) for w in later[v])


def _is_bipartite(near: Neighbours) -> bool:
    side: dict[int, int] = {}
    for start in range(len(near)):
        if start not in side:
            side[start] = 0
            queue = deque([start])
            while queue:
                v = queue.popleft()
                for w in near[v]:
                    if w not in side:
                        side[w] = 1 - side[v]
                        queue.append(w)
    return all(side[v] != side[w] for v, ws in enumerate(near) for w in ws)


def _cut_vertices(near: Neighbours) -> int:
    """Return the number of cut vertices (Hopcroft and Tarjan, 1973).

    A node other than a root is a cut vertex if it has a child from which no later node is adjacent to an
    earlier one; a root is a cut vertex if it has two children.
    """
    place: dict[int, int] = {}
    low: dict[int, int] = {}
    cutting: set[int] = set()
    for root in range(len(near)):
        if root in place:
            continue
        place[root] = low[root] = len(place)
        children = 0
        stack = [(root, -1, iter(near[root]))]
        while stack:
            v, parent, rest = stack[-1]
            w = next(rest, None)
            if w is None:
                stack.pop()
                if parent >= 0:
                    low[parent] = min(low[parent], low[v])
                    if parent != root and low[v] >= place[parent]:
                        cutting.add(parent)
            elif w not in place:
                place[w] = low[w] = len(place)
                children += v == root
                stack.append((w, v, iter(near[w])))
            elif w != parent:
                low[v] = min(low[v], place[w])
        if children > 1:
            cutting.add(root)
    return len(cutting)
