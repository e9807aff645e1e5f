"""Positions of the nodes: a tailored layout per family, and a reasonable default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, hypot, pi, sin

from schedsolve.drawing.pictures.planar import MOST_NODES, has_crossings, planar_points, spread
from schedsolve.drawing.pictures.tiers import tiers
from schedsolve.network.graph import Network
from schedsolve.network.named.derived import is_derived, without_holes
from schedsolve.network.named.families import family_network
from schedsolve.runtime.errors import InputError

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Positions of the nodes, x to the right and y upwards, about one unit apart.

    `order` lists the nodes along a line, for diagrams over time.
    """

    points: tuple[Point, ...]
    order: tuple[int, ...]

    @property
    def size(self) -> Point:
        """The width and height of the smallest rectangle that holds all points."""
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return max(xs) - min(xs), max(ys) - min(ys)

    @cached_property
    def least_distance(self) -> float:
        """The least distance of two points; 1 for a single point."""
        import numpy as np

        points = np.array(sorted(self.points))
        least = 1.0
        for shift in range(1, min(len(points), NEAR + 1)):
            steps = points[shift:] - points[:-shift]
            least = min(least, float(np.sqrt((steps**2).sum(axis=1)).min()))
        return least


LEAST_DISTANCE = 0.6
"""Of nodes in a drawing of a machine without crossings."""
NEAR = 200
"""The number of following points, from left to right, with which each point is compared."""
MAJORISATIONS = 200
LARGEST_FORCED = 150
"""The most nodes of a network without a family that is laid out by distances.

Larger networks are drawn on a circle, in an order that keeps neighbors close.
"""
LARGEST_RING, LEAST_CLEARANCE = 12, 0.25
"""The most nodes, and the least clearance, of a network that is drawn on a circle.

The circle replaces a layout by distances in which a line passes closer to another node.
"""


def layout_of(network: Network, *, straight: bool = False) -> Layout:
    """Return the layout of a network.

    It uses the positions in the network's file, else the family of its name if the network is of that
    family, else its shape.

    Parameters
    ----------
    network
        The network.
    straight
        For pictures that do not bend lines around nodes: a small network is drawn on a circle if a line
        would cross another node.
    """
    if len(network.positions) == network.node_count:
        points = spread(network.positions)
        return Layout(tuple(points), _line_order(network, points))
    points = list(_of_family(network))
    if len(points) == network.node_count:
        return Layout(tuple(points), _line_order(network, points))
    if network.is_tree:
        points = _layered(network, _centre(network))
    elif rows := _rows(network):
        points = rows
    elif network.node_count <= LARGEST_FORCED:
        points = _by_distances(network)
        if network.node_count <= MOST_NODES and has_crossings(network, points):
            points = planar_points(network) or points
        if straight and network.node_count <= LARGEST_RING and _clearance(network, points) < LEAST_CLEARANCE:
            points = max(points, _ring(_near_order(network)), key=lambda found: _clearance(network, found))
    else:
        points = _ring(_near_order(network))
    return Layout(tuple(points), _line_order(network, points))


def _rows(network: Network) -> list[Point]:
    """Return the rows of a machine, unless a drawing without crossings has as much room for the nodes."""
    points = tiers(network)
    if points and network.node_count <= MOST_NODES and has_crossings(network, points):
        planar = planar_points(network)
        if planar and Layout(tuple(planar), ()).least_distance >= LEAST_DISTANCE:
            return []
    return points


def _of_family(network: Network) -> Sequence[Point]:
    """Return the positions that the family of the network's name gives, or none; holes leave gaps."""
    name = without_holes(network.name)
    family, _, parameters = network.name.partition(":")
    if name is not None and _is_what_it_is_called(network):
        whole = family_network(name)
        points = _of_family(whole)
        return [points[whole.node(label)] for label in network.labels] if points else ()
    place = _FAMILIES.get(family)
    if is_derived(network.name) or place is None or not _is_what_it_is_called(network):
        return ()
    numbers = [int(p) for p in parameters.replace("x", ",").split(",") if p.isdigit()]
    return place(network, numbers)


def _is_what_it_is_called(network: Network) -> bool:
    """Return whether the edges are those of the family that the network's name states."""
    try:
        return network.edges == family_network(network.name).edges
    except InputError:
        return False


def _line_order(network: Network, points: Sequence[Point]) -> tuple[int, ...]:
    """Return the nodes along a line: a path from end to end, a tree from left to right, others by number."""
    if network.is_tree:
        return tuple(sorted(range(network.node_count), key=lambda v: (points[v][0], -points[v][1])))
    return tuple(range(network.node_count))


def _line(network: Network, _: Sequence[int]) -> list[Point]:
    return [(float(v), 0.0) for v in range(network.node_count)]


def _circle(network: Network, _: Sequence[int]) -> list[Point]:
    return _ring(range(network.node_count))


def _ring(order: Sequence[int]) -> list[Point]:
    """Return positions on a circle in this order, clockwise from the top."""
    n = len(order)
    radius = max(1.0, n / (2 * pi))
    points: list[Point] = [(0.0, 0.0)] * n
    for i, v in enumerate(order):
        points[v] = (radius * sin(2 * pi * i / n), radius * cos(2 * pi * i / n))
    return points


def _star(network: Network, _: Sequence[int]) -> list[Point]:
    return [(0.0, 0.0), *_ring(range(network.node_count - 1))] if network.node_count > 1 else [(0.0, 0.0)]


def _petersen(_: Network, __: Sequence[int]) -> list[Point]:
    outer = _ring(range(5))
    return [(2 * x, 2 * y) for x, y in outer] + outer


def _tree(network: Network, _: Sequence[int]) -> list[Point]:
    return _layered(network, 0)


def _fat_tree(network: Network, _: Sequence[int]) -> list[Point]:
    return _layered(network, network.node_count - 1)


def _grid(_: Network, numbers: Sequence[int]) -> list[Point]:
    rows, columns = numbers
    return [(float(c), float(-r)) for r in range(rows) for c in range(columns)]


def _hypercube(_: Network, numbers: Sequence[int]) -> list[Point]:
    """Return a projection of a hypercube.

    Up to four dimensions are nested squares seen at an angle; five and six are seen from where edges pass
    farthest from other nodes; more are a grid in Gray code order.
    """
    dimension = numbers[0]
    steps: Sequence[Point] = ((2.0, 0.0), (0.0, 2.0), (0.8, 0.6), (4.2, 0.4))
    steps = _SEEN_ASKEW.get(dimension, steps)
    if dimension <= len(steps):
        return [
            (
                sum(steps[i][0] for i in range(dimension) if v >> i & 1),
                sum(steps[i][1] for i in range(dimension) if v >> i & 1),
            )
            for v in range(2**dimension)
        ]
    low = (dimension + 1) // 2
    return [(float(_gray_rank(v % 2**low)), -float(_gray_rank(v >> low))) for v in range(2**dimension)]


_SEEN_ASKEW: dict[int, Sequence[Point]] = {
    5: ((3.3, 2.9), (3.9, -0.1), (-1.8, 2.6), (2.6, -0.6), (0.5, -1.6)),
    6: ((1.93, 0.4), (-0.57, -7.06), (1.11, -3.49), (-4.79, -1.64), (-5.73, -0.42), (5.38, -1.01)),
}
"""The steps of the bits for dimensions five and six.

They were found by a random search for the greatest distance between an edge and another node.
"""


def _gray_rank(code: int) -> int:
    rank = 0
    while code:
        rank ^= code
        code >>= 1
    return rank


def _torus(_: Network, numbers: Sequence[int]) -> list[Point]:
    """Return a grid whose rows and columns are bent so that wraparound edges avoid the other nodes.

    A torus with more than two sides has no such layout; the result is empty.
    """
    if len(numbers) != 2:
        return []
    rows, columns = numbers
    middle, centre = (rows - 1) / 2, (columns - 1) / 2
    return [
        (c + 0.5 * ((r - middle) / middle) ** 2, -r - 0.5 * ((c - centre) / centre) ** 2)
        for r in range(rows)
        for c in range(columns)
    ]


def _cube_connected_cycles(_: Network, numbers: Sequence[int]) -> list[Point]:
    """Return a small ring for every corner of the cube.

    The dimensions alternate between horizontal and vertical, with growing distances.
    """
    dimension = numbers[0]
    ring = _ring(range(dimension))
    size = 3.2 * max(1.0, dimension / 5)
    points = []
    for v in range(dimension * 2**dimension):
        corner, place = divmod(v, dimension)
        x, y = ring[place]
        for i in range(dimension):
            if corner >> i & 1:
                far, aside = size * 2.3 ** (i // 2), 0.35 * size * (i // 2)
                x, y = (x + far, y + aside) if i % 2 == 0 else (x + aside, y + far)
        points.append((x, y))
    return points


def _butterfly(_: Network, numbers: Sequence[int]) -> list[Point]:
    """Return one ring per level, rotated so that no edge passes through a node."""
    dimension = numbers[0]
    rows = 2**dimension
    inner = max(1.0, rows / (4 * pi))
    points = []
    for v in range(dimension * rows):
        row, level = divmod(v, dimension)
        angle, radius = 2 * pi * (row / rows + 0.3 * level / rows), inner + level
        points.append((radius * sin(angle), radius * cos(angle)))
    return points


_IN_CIRCLES = ("cycle", "complete", "harary", "circulant", "debruijn", "shuffle-exchange", "nvl72")
_FAMILIES: dict[str, Callable[[Network, Sequence[int]], list[Point]]] = {
    **dict.fromkeys(_IN_CIRCLES, _circle),
    "path": _line,
    "star": _star,
    "petersen": _petersen,
    "tree": _tree,
    "fat-tree": _fat_tree,
    "grid": _grid,
    "torus": _torus,
    "hypercube": _hypercube,
    "ccc": _cube_connected_cycles,
    "butterfly": _butterfly,
}


def _centre(network: Network) -> int:
    """Return a node of least eccentricity; of a path its first node, so that it is drawn straight."""
    if all(len(near) <= 2 for near in network.successors):
        return min(range(network.node_count), key=lambda v: (len(network.successors[v]), v))
    return min(range(network.node_count), key=lambda v: (network.eccentricities[v] or 0, v))


def _layered(network: Network, root: int) -> list[Point]:
    """Return a tree with its root on top, and every node above the middle of its children."""
    parent = [-1] * network.node_count
    depth = [0] * network.node_count
    order = [root]
    for v in order:
        for w in network.successors[v]:
            if w != parent[v]:
                parent[w], depth[w] = v, depth[v] + 1
                order.append(w)
    children: list[list[int]] = [[] for _ in parent]
    for v in order[1:]:
        children[parent[v]].append(v)
    left: dict[int, float] = {}
    stack, column = [root], 0.0
    while stack:
        v = stack.pop()
        if not children[v]:
            left[v] = column
            column += 1.0
        stack += reversed(children[v])
    for v in reversed(order):
        if children[v]:
            left[v] = (left[children[v][0]] + left[children[v][-1]]) / 2
    if len(children) > 1 and max(map(len, children)) == 1:
        return [(float(depth[v]), 0.0) for v in range(network.node_count)]
    return [(left[v], -1.5 * depth[v]) for v in range(network.node_count)]


def _by_distances(network: Network) -> list[Point]:
    """Return points whose distances approximate those in the network, starting from a circle.

    References
    ----------
    E. Gansner, Y. Koren, S. North, "Graph drawing by stress majorization", 2004.
    """
    import numpy as np

    n = network.node_count
    both_ways = Network(n, tuple({(min(e), max(e)) for e in network.edges}))
    far = float(n)
    wanted = np.array(
        [[far if d is None else max(d, 1) for d in both_ways.distances_from([v])] for v in range(n)],
        dtype=float,
    )
    weights = wanted**-2.0
    np.fill_diagonal(weights, 0.0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    points = np.array(_ring(_near_order(network)))
    for _ in range(MAJORISATIONS if n > 1 else 0):
        steps = points[:, None, :] - points[None, :, :]
        apart = np.maximum(np.sqrt((steps**2).sum(axis=2)), 1e-9)
        ratios = weights * wanted / apart
        points = inverse @ (np.diag(ratios.sum(axis=1)) - ratios) @ points
    return [(float(x), float(y)) for x, y in points]


def _clearance(network: Network, points: Sequence[Point]) -> float:
    """Return the least distance of a node from an edge that does not end there."""
    least = 1.0
    for u, v in network.edges:
        (ux, uy), (vx, vy) = points[u], points[v]
        dx, dy = vx - ux, vy - uy
        for w, (x, y) in enumerate(points):
            if w not in (u, v):
                along = ((x - ux) * dx + (y - uy) * dy) / max(dx * dx + dy * dy, 1e-9)
                along = min(max(along, 0.0), 1.0)
                least = min(least, hypot(x - ux - along * dx, y - uy - along * dy))
    return least


def _near_order(network: Network) -> list[int]:
    """Return the nodes in depth-first order."""
    order: list[int] = []
    seen: set[int] = set()
    for first in range(network.node_count):
        stack = [first]
        while stack:
            v = stack.pop()
            if v not in seen:
                seen.add(v)
                order.append(v)
                stack += [w for w in reversed(network.successors[v]) if w not in seen]
    return order
