"""The graphs of the literature that the named families have: trees, grids, cube-like graphs and others.

Each function maps the parameters of a family (`schedsolve.network.named.families`) to the node count and the
edges, and raises InputError with the one condition that the parameters violate.
"""

from __future__ import annotations

from schedsolve.network.all_pairs import AllPairs
from schedsolve.network.graph import Edges
from schedsolve.network.sizes import at_least, check_size
from schedsolve.runtime.errors import InputError


def _two_to_the(d: int, least: int) -> int:
    """Return 2^d for a dimension d of at least `least`."""
    at_least(least, D=d)
    check_size(1 << min(d, 60), 0)
    return 1 << d


def _simple(pairs: Edges) -> set[tuple[int, int]]:
    """Return the undirected edges that the pairs name, without loops and repetitions."""
    return {(min(u, v), max(u, v)) for u, v in pairs if u != v}


def path(n: int) -> tuple[int, Edges]:
    """Return the path 0-1-...-(n-1)."""
    at_least(1, N=n)
    check_size(n, n)
    return n, ((v, v + 1) for v in range(n - 1))


def cycle(n: int) -> tuple[int, Edges]:
    """Return the cycle 0-1-...-(n-1)-0."""
    at_least(3, N=n)
    check_size(n, n)
    return n, ((v, (v + 1) % n) for v in range(n))


def complete(n: int) -> tuple[int, Edges]:
    """Return the graph with every two of n nodes joined."""
    at_least(1, N=n)
    check_size(n, n * (n - 1) // 2)
    return n, AllPairs(n)


def star(n: int) -> tuple[int, Edges]:
    """Return n nodes of which node 0 is joined to the others."""
    at_least(1, N=n)
    check_size(n, n)
    return n, ((0, v) for v in range(1, n))


def tree(arity: int, height: int) -> tuple[int, Edges]:
    """Return the complete tree of an arity and a height, numbered level by level from the root."""
    at_least(1, K=arity)
    at_least(0, H=height)
    check_size(height, height)
    n = level = 1
    for _ in range(height):
        level *= arity
        n += level
        check_size(n, n)
    return n, (((v - 1) // arity, v) for v in range(1, n))


def grid(rows: int, columns: int) -> tuple[int, Edges]:
    """Return a grid of rows and columns; row r, column c is node r * columns + c."""
    at_least(1, R=rows, C=columns)
    n = rows * columns
    check_size(n, 2 * n - rows - columns)
    across = ((v, v + 1) for v in range(n) if (v + 1) % columns)
    down = ((v, v + columns) for v in range(n - columns))
    return n, (*across, *down)


def hypercube(d: int) -> tuple[int, Edges]:
    """Return 2^d bit vectors, joined where they differ in one bit."""
    n = _two_to_the(d, least=0)
    check_size(n, n * d // 2)
    return n, ((x, x ^ (1 << i)) for x in range(n) for i in range(d) if not (x >> i) & 1)


def cube_connected_cycles(d: int) -> tuple[int, Edges]:
    """Return the hypercube with a cycle of d nodes in place of each; node d x + i is position i at x."""
    n = d * _two_to_the(d, least=3)
    check_size(n, n * 3 // 2)
    cycles = ((v, v + 1 if (v + 1) % d else v + 1 - d) for v in range(n))
    cube = ((d * x + i, d * (x ^ (1 << i)) + i) for x in range(n // d) for i in range(d) if not (x >> i) & 1)
    return n, (*cycles, *cube)


def butterfly(d: int) -> tuple[int, Edges]:
    """Return the wrapped butterfly of d levels; node d x + i is level i in row x."""
    n = d * _two_to_the(d, least=3)
    check_size(n, 2 * n)
    places = ((x, i, (i + 1) % d) for x in range(n // d) for i in range(d))
    return n, ((d * x + i, d * y + after) for x, i, after in places for y in (x, x ^ (1 << i)))


def de_bruijn(d: int) -> tuple[int, Edges]:
    """Return the undirected de Bruijn graph: x is joined to 2x and 2x + 1 modulo 2^d."""
    n = _two_to_the(d, least=1)
    check_size(n, 2 * n)
    return n, _simple((x, (2 * x + bit) % n) for x in range(n) for bit in (0, 1))


def shuffle_exchange(d: int) -> tuple[int, Edges]:
    """Return the bit vectors of length d, joined where the last bit differs or one is the other rotated."""
    n = _two_to_the(d, least=1)
    check_size(n, 2 * n)
    rotated = ((2 * x % n) | (x >> (d - 1)) for x in range(n))
    return n, _simple((*((x, x ^ 1) for x in range(n)), *enumerate(rotated)))


def harary(k: int, n: int) -> tuple[int, Edges]:
    """Return the k-connected graph of n nodes with the fewest edges (Harary 1962)."""
    at_least(1, K=k)
    if k >= n:
        raise InputError(f"K must be less than N, and {k} is not less than {n}")
    check_size(n, (k * n + 1) // 2)
    if k == 1:
        return path(n)
    circulant = [(v, (v + step) % n) for step in range(1, k // 2 + 1) for v in range(n)]
    # One edge to the opposite node each; with n odd too, one node gets two, for the degrees cannot all be
    # odd.
    across = [(v, v + n // 2) for v in range((n + 1) // 2)] if k % 2 else []
    return n, circulant + across


def knodel(delta: int, n: int) -> tuple[int, Edges]:
    """Return the Knödel graph of an even number n of nodes and degree delta (Knödel 1975)."""
    if n < 2 or n % 2:
        raise InputError(f"N must be even and at least 2, not {n}")
    most = n.bit_length() - 1
    if not 1 <= delta <= most:
        raise InputError(f"DELTA must be from 1 to {most}, the floor of log2 {n}, not {delta}")
    check_size(n, delta * n // 2)
    half = n // 2
    return n, ((j, half + (j + (1 << k) - 1) % half) for j in range(half) for k in range(delta))


def petersen() -> tuple[int, Edges]:
    """Return the Petersen graph: outer cycle 0..4, node v joined to v + 5."""
    return 10, [edge for v in range(5) for edge in ((v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5))]


def fat_tree(n: int) -> tuple[int, Edges]:
    """Return the binary tree whose leaves are processors 0..n-1; the switches follow, the root last."""
    if n < 2 or n & (n - 1):
        raise InputError(f"N must be a power of two of at least 2, not {n}")
    check_size(2 * n, 2 * n)
    return 2 * n - 1, ((v, n + v // 2) for v in range(2 * n - 2))


def graph6(text: str) -> tuple[int, Edges]:
    """Return the graph of a graph6 string."""
    from schedsolve.network.files.graph6 import network_from_graph6

    network = network_from_graph6(text)
    return network.node_count, network.edges
