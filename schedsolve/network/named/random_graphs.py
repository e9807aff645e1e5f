"""Connected random networks from a seed: trees, regular graphs and small worlds."""

from __future__ import annotations

import random
from fractions import Fraction
from heapq import heapify, heappop, heappush

from schedsolve.network.graph import Edges, Network
from schedsolve.network.sizes import at_least, check_size
from schedsolve.runtime.errors import InputError

MOST_DRAWS = 100
"""The most small worlds that are drawn in search of a connected one."""
MOST_DRAWN_EDGES = 10_000_000
"""The most edges of all of them after the first."""


def random_tree(n: int, seed: int = 0) -> tuple[int, Edges]:
    """Return the tree of a uniformly random Prüfer sequence, hence uniform among the labeled trees."""
    at_least(1, N=n)
    at_least(0, SEED=seed)
    check_size(n, n)
    generator = random.Random(seed)
    sequence = [generator.randrange(n) for _ in range(n - 2)]
    degree = [1] * n
    for v in sequence:
        degree[v] += 1
    leaves = [v for v in range(n) if degree[v] == 1]
    heapify(leaves)
    edges = []
    for v in sequence:
        edges.append((heappop(leaves), v))
        degree[v] -= 1
        if degree[v] == 1:
            heappush(leaves, v)
    if n > 1:
        edges.append((heappop(leaves), heappop(leaves)))
    return n, edges


def random_regular(k: int, n: int, seed: int = 0) -> tuple[int, Edges]:
    """Return the node count and the edges of a connected random k-regular graph."""
    at_least(0, K=k, SEED=seed)
    at_least(1, N=n)
    if k >= n:
        raise InputError(f"K must be less than N, and {k} is not less than {n}")
    if k * n % 2:
        raise InputError(f"K*N must be even, and {k}*{n} is odd")
    if k < 2 and n > k + 1:
        raise InputError(f"a network of {n} nodes and degree {k} is not connected; K must be at least 2")
    check_size(n, k * n // 2)
    generator = random.Random(seed)
    if k == 2:
        order = generator.sample(range(n), n)
        return n, zip(order, order[1:] + order[:1], strict=True)
    if 2 * k >= n:
        # Degrees this high make every network connected, and the pairing of the sparse complement rarely
        # meets itself.
        absent = _random_pairing(n - 1 - k, n, generator)
        return n, [(u, v) for u in range(n) for v in range(u + 1, n) if (u, v) not in absent]
    while True:
        edges = _random_pairing(k, n, generator)
        if Network(n, tuple(edges)).is_connected:
            return n, edges


def small_world(k: int, n: int, probability: Fraction, seed: int = 0) -> tuple[int, Edges]:
    """Return the node count and the edges of a connected small world of Watts and Strogatz (1998).

    Node v of a ring is joined to the next K/2 nodes. Then, for every distance j = 1..K/2 and every node v in
    turn, the edge from v to v + j is moved with the given probability: it gets a new far end, uniformly among
    the nodes that v is not joined to; a node joined to all others keeps its edge. If the graph is not
    connected, another one is drawn, as `networkx.connected_watts_strogatz_graph` does (with other random
    numbers: this graph depends on the parameters alone).

    Parameters
    ----------
    k
        The number of nearest nodes that a node is joined to, even and less than n; the average degree.
    n
        The number of nodes.
    probability
        From 0 to 1, exact.
    seed
        The random seed.
    """
    at_least(0, K=k, SEED=seed)
    at_least(1, N=n)
    if k >= n:
        raise InputError(f"K must be less than N, and {k} is not less than {n}")
    if k % 2:
        raise InputError(f"K must be even, not {k}")
    if not 0 <= probability <= 1:
        raise InputError(f"P must be from 0 to 1, not {probability}")
    if k == 0 and n > 1:
        raise InputError(f"a network of {n} nodes without edges is not connected; K must be at least 2")
    check_size(n, k * n // 2)
    generator = random.Random(seed)
    draws = min(MOST_DRAWS, 1 + MOST_DRAWN_EDGES // max(1, k * n // 2))
    for _ in range(draws):
        edges = _rewired_ring(k, n, probability, generator)
        if Network(n, tuple(edges)).is_connected:
            return n, edges
    raise InputError(f"none of {draws} random networks is connected; take a greater K or a smaller P")


def _rewired_ring(k: int, n: int, probability: Fraction, generator: random.Random) -> list[tuple[int, int]]:
    """Return the edges (u, v), u < v, of one small world, which need not be connected."""
    near = [{(v + j) % n for j in range(-(k // 2), k // 2 + 1)} - {v} for v in range(n)]
    for j in range(1, k // 2 + 1):
        for v in range(n):
            moved = generator.randrange(probability.denominator) < probability.numerator
            if not moved or len(near[v]) == n - 1:
                continue
            old, new = (v + j) % n, generator.randrange(n)
            while new == v or new in near[v]:
                new = generator.randrange(n)
            near[v].remove(old)
            near[old].remove(v)
            near[v].add(new)
            near[new].add(v)
    return [(u, v) for u in range(n) for v in sorted(near[u]) if u < v]


def _random_pairing(k: int, n: int, generator: random.Random) -> set[tuple[int, int]]:
    """Return a random k-regular simple graph on 0..n-1 by pairing k points at every node.

    The graph need not be connected. A loop or double edge is repaired by swapping ends with a random edge; if
    the repair does not terminate, another pairing is drawn.
    """
    while True:
        points = [v for v in range(n) for _ in range(k)]
        generator.shuffle(points)
        kept: dict[tuple[int, int], None] = {}
        clashing = []
        for u, v in zip(points[::2], points[1::2], strict=True):
            edge = (min(u, v), max(u, v))
            if u == v or edge in kept:
                clashing.append(edge)
            else:
                kept[edge] = None
        edges = list(kept)
        if _swap_away(clashing, edges, generator):
            return set(edges)


def _swap_away(
    clashing: list[tuple[int, int]], edges: list[tuple[int, int]], generator: random.Random
) -> bool:
    """Merge the clashing pairs into the simple `edges`, in place, preserving all degrees.

    Returns False if that does not terminate.
    """
    present = set(edges)
    tries = 100 * (len(edges) + len(clashing))
    while clashing and edges and tries:
        tries -= 1
        a, b = clashing[-1]
        place = generator.randrange(len(edges))
        c, d = edges[place] if generator.randrange(2) else edges[place][::-1]
        one, other = (min(a, c), max(a, c)), (min(b, d), max(b, d))
        if a == c or b == d or one == other or one in present or other in present:
            continue
        present.remove(edges[place])
        present.update((one, other))
        edges[place] = one
        edges.append(other)
        clashing.pop()
    return not clashing
