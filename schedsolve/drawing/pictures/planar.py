"""Planar networks drawn without crossings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import cos, hypot, pi, sin
from typing import Any

from schedsolve.network.graph import Network

Point = tuple[float, float]
MOST_NODES = 60
"""Up to here crossings are looked for pair by pair."""
LEAST_DISTANCE = 0.3
"""Of two nodes, when nodes are one unit from their nearest neighbors in the mean."""
TOUCHING = 1e-9


def has_crossings(network: Network, points: Sequence[Point]) -> bool:
    """Return whether two edges without a common end cross when they are drawn as straight lines."""
    lines = {(min(e), max(e)) for e in network.edges}
    return any(
        not {*a} & {*b} and _cross(*(points[v] for v in (*a, *b))) for a, b in combinations(sorted(lines), 2)
    )


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return max(side(a, b, c) * side(a, b, d), side(c, d, a) * side(c, d, b)) < -TOUCHING


def planar_points(network: Network) -> list[Point] | None:
    """Return points at which straight edges do not cross, with nodes about one unit from their nearest.

    None where the network is not planar or not connected, and where nodes would be too close together.

    References
    ----------
    W. T. Tutte, "How to draw a graph", 1963. M. Chrobak, T. H. Payne, "A linear-time algorithm for drawing
    a planar graph on a grid", 1995 (networkx).
    """
    import networkx

    n = network.node_count
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(network.edges)
    if not 4 <= n <= MOST_NODES or not networkx.is_connected(graph):
        return None
    is_planar, embedding = networkx.check_planarity(graph)
    if not is_planar:
        return None
    on_grid = networkx.combinatorial_embedding_to_pos(embedding)
    drawn = [spread(_tutte_embedding(embedding)), spread([on_grid[v] for v in range(n)])]
    apart = [_least_distance(points) if not has_crossings(network, points) else 0.0 for points in drawn]
    best = max(range(len(drawn)), key=apart.__getitem__)
    return drawn[best] if apart[best] >= LEAST_DISTANCE else None


def _tutte_embedding(embedding: Any) -> list[Point]:
    """Return a longest face as a regular polygon, and every other node at the barycentre of its neighbors.

    The neighbors are those in a triangulation of the inner faces (Tutte).
    """
    import numpy as np
    from networkx.algorithms.planar_drawing import triangulate_embedding

    triangulation, outer = triangulate_embedding(embedding, fully_triangulate=False)
    n = len(triangulation)
    matrix, right = np.eye(n), np.zeros((n, 2))
    for v in range(n):
        near = list(triangulation.neighbors(v))
        if v not in outer:
            matrix[v, near] = -1.0 / len(near)
    for i, v in enumerate(outer):
        angle = pi / 2 - 2 * pi * i / len(outer)
        right[v] = cos(angle), sin(angle)
    return [(float(x), float(y)) for x, y in np.linalg.solve(matrix, right)]


def _least_distance(points: Sequence[Point]) -> float:
    return min(hypot(a - c, b - d) for (a, b), (c, d) in combinations(points, 2))


def spread(positions: Sequence[Point]) -> list[Point]:
    """Return the positions, scaled so that nodes are about one unit from their nearest neighbors."""
    import numpy as np

    points = np.array(positions, dtype=float)
    points = points - points.min(axis=0)
    if len(points) > 1:
        steps = points[:, None, :] - points[None, :, :]
        apart = np.sqrt((steps**2).sum(axis=2))
        np.fill_diagonal(apart, np.inf)
        points = points / apart.min(axis=1).mean()
    return [(float(x), float(y)) for x, y in points]
