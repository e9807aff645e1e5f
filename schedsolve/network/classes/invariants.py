"""Invariants of a network, by name: properties that do not depend on the numbering of its nodes.

Degrees, and whatever is built on them, count neighbors in either direction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isinf

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
    "planar": "whether the undirected graph can be drawn in the plane without crossings",
    "vertex_transitive": "whether automorphisms carry every node to every other",
}
"""The names of the invariants, each with its meaning in one line."""
TRUTHS = frozenset({"directed", "connected", "tree", "bipartite", "planar", "vertex_transitive"})
"""The invariants that are true or false."""
MOST_WORK = 20_000_000
"""The product of nodes and edges above which invariants that take time of this order are None."""

Invariant = int | str | bool | None


def invariants(network: Network) -> dict[str, Invariant]:
    """Return every invariant of a network.

    A value is None if the invariant does not exist (the diameter of a disconnected network, the girth of a
    forest) or takes too much work.
    """
    import networkx

    from schedsolve.network.other_libraries import plain_graph

    graph = networkx.Graph(plain_graph(network))
    degrees = sorted(degree for _, degree in graph.degree)
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
        "girth": _finite(networkx.girth(graph)) if small else None,
        "triangles": sum(networkx.triangles(graph).values()) // 3,
        "cut_vertices": sum(1 for _ in networkx.articulation_points(graph)),
        "tree": network.is_tree,
        "bipartite": networkx.is_bipartite(graph),
        "planar": networkx.check_planarity(graph)[0] if small else None,
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


def _finite(number: float) -> int | None:
    return None if isinf(number) else int(number)
