"""The named families of networks, such as `path:8` or `random-tree:20,7`.

The builder of a family raises InputError with the one condition that the parameters violate.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations

from schedsolve.errors import InputError
from schedsolve.limits.budget import OverBudgetError
from schedsolve.network import machines
from schedsolve.network.graph import Edges, Network
from schedsolve.network.random_graphs import random_regular, random_tree
from schedsolve.network.sizes import at_least, check_size

MOST_PARAMETERS = 26
"""The most parameters of a family that takes any number of them."""


@dataclass(frozen=True)
class Family:
    """A named family of networks.

    Attributes
    ----------
    name
        The text before the colon.
    form
        How a member is written, with its parameters by name: "grid:RxC".
    description
        One line: the ranges of the parameters, and the numbering of the nodes.
    builder
        Maps the parameters, integers (for graph6 the text), to the node count and edges, or the network.
    seeded
        Whether the last parameter is a random seed, 0 if omitted.
    least
        The least number of parameters if it varies, else 0.
    """

    name: str
    form: str
    description: str
    builder: Callable[..., tuple[int, Edges] | Network]
    seeded: bool = False
    least: int = 0


def families() -> tuple[Family, ...]:
    """Return every family in the order of the listing."""
    return tuple(_FAMILIES.values())


def is_family(spec: str) -> bool:
    """Return whether the text before the first colon of `spec`, or all of it, is the name of a family."""
    return spec.partition(":")[0] in _FAMILIES


def family_network(spec: str) -> Network:
    """Return the network that a text such as "grid:4x4" names, with the node numbers as labels.

    Raises
    ------
    InputError
        If the family is unknown, if parameters are missing, superfluous, not integers or out of range, or
        if the network has more than SIZE_LIMIT nodes or edges.
    """
    name, colon, text = spec.partition(":")
    family = _FAMILIES.get(name)
    if family is None:
        raise InputError(f"'{name}' is no family of networks; the families are {', '.join(_FAMILIES)}")
    try:
        with _no_garbage():
            built = family.builder(*_parameters(family, colon + text))
            return replace(built, name=spec) if isinstance(built, Network) else _named(spec, *built)
    except OverBudgetError:
        raise
    except InputError as error:
        raise InputError(
            f"'{spec}' is refused: {error}; the form is {family.form}: {family.description}"
        ) from None


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Disable garbage collection in this context; it takes most of the time for millions of new edges."""
    looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looking:
            gc.enable()


def _named(spec: str, node_count: int, edges: Edges) -> Network:
    return Network(node_count, tuple(edges), name=spec)


def _parameters(family: Family, text: str) -> list[int] | list[str]:
    """Return the parameters in `text`, which starts with the colon or is empty."""
    if family.name == "graph6":
        return [text[1:]]
    form = family.form.partition(":")[2]
    separator = "x" if "x" in form else ","
    names = [name.strip("[].") for name in form.split(separator)] if form else []
    if not names and text:
        raise InputError("it takes no parameter")
    parts = text[1:].split(separator) if names else []
    least = family.least or len(names) - family.seeded
    most = MOST_PARAMETERS if family.least else len(names)
    if parts == [""] or not least <= len(parts) <= most:
        given = 0 if parts == [""] else len(parts)
        wanted = " and ".join(names[:least]) + (" and more" if family.least else "")
        raise InputError(f"it takes {wanted}{' and optionally SEED' * family.seeded}; {given} given")
    for part in parts:
        if not re.fullmatch("-?[0-9]+", part):
            raise InputError(f"'{part}' is not an integer")
        if len(part) > 18:
            raise InputError("a parameter has more than 18 digits")
    return [int(part) for part in parts]


def _two_to_the(d: int, least: int) -> int:
    """Return 2^d for a dimension d of at least `least`."""
    at_least(least, D=d)
    check_size(1 << min(d, 60), 0)
    return 1 << d


def _simple(pairs: Edges) -> set[tuple[int, int]]:
    """Return the undirected edges that the pairs name, without loops and repetitions."""
    return {(min(u, v), max(u, v)) for u, v in pairs if u != v}


def _path(n: int) -> tuple[int, Edges]:
    at_least(1, N=n)
    check_size(n, n)
    return n, ((v, v + 1) for v in range(n - 1))


def _cycle(n: int) -> tuple[int, Edges]:
    at_least(3, N=n)
    check_size(n, n)
    return n, ((v, (v + 1) % n) for v in range(n))


def _complete(n: int) -> tuple[int, Edges]:
    at_least(1, N=n)
    check_size(n, n * (n - 1) // 2)
    return n, combinations(range(n), 2)


def _star(n: int) -> tuple[int, Edges]:
    at_least(1, N=n)
    check_size(n, n)
    return n, ((0, v) for v in range(1, n))


def _tree(arity: int, height: int) -> tuple[int, Edges]:
    at_least(1, K=arity)
    at_least(0, H=height)
    check_size(height, height)
    n = level = 1
    for _ in range(height):
        level *= arity
        n += level
        check_size(n, n)
    return n, (((v - 1) // arity, v) for v in range(1, n))


def _grid(rows: int, columns: int) -> tuple[int, Edges]:
    at_least(1, R=rows, C=columns)
    n = rows * columns
    check_size(n, 2 * n - rows - columns)
    across = ((v, v + 1) for v in range(n) if (v + 1) % columns)
    down = ((v, v + columns) for v in range(n - columns))
    return n, (*across, *down)


def _hypercube(d: int) -> tuple[int, Edges]:
    n = _two_to_the(d, least=0)
    check_size(n, n * d // 2)
    return n, ((x, x ^ (1 << i)) for x in range(n) for i in range(d) if not (x >> i) & 1)


def _cube_connected_cycles(d: int) -> tuple[int, Edges]:
    n = d * _two_to_the(d, least=3)
    check_size(n, n * 3 // 2)
    cycles = ((v, v + 1 if (v + 1) % d else v + 1 - d) for v in range(n))
    cube = ((d * x + i, d * (x ^ (1 << i)) + i) for x in range(n // d) for i in range(d) if not (x >> i) & 1)
    return n, (*cycles, *cube)


def _butterfly(d: int) -> tuple[int, Edges]:
    n = d * _two_to_the(d, least=3)
    check_size(n, 2 * n)
    places = ((x, i, (i + 1) % d) for x in range(n // d) for i in range(d))
    return n, ((d * x + i, d * y + after) for x, i, after in places for y in (x, x ^ (1 << i)))


def _de_bruijn(d: int) -> tuple[int, Edges]:
    n = _two_to_the(d, least=1)
    check_size(n, 2 * n)
    return n, _simple((x, (2 * x + bit) % n) for x in range(n) for bit in (0, 1))


def _shuffle_exchange(d: int) -> tuple[int, Edges]:
    n = _two_to_the(d, least=1)
    check_size(n, 2 * n)
    rotated = ((2 * x % n) | (x >> (d - 1)) for x in range(n))
    return n, _simple((*((x, x ^ 1) for x in range(n)), *enumerate(rotated)))


def _harary(k: int, n: int) -> tuple[int, Edges]:
    at_least(1, K=k)
    if k >= n:
        raise InputError(f"K must be less than N, and {k} is not less than {n}")
    check_size(n, (k * n + 1) // 2)
    if k == 1:
        return _path(n)
    circulant = [(v, (v + step) % n) for step in range(1, k // 2 + 1) for v in range(n)]
    # One edge to the opposite node each; with n odd too, one node gets two, for the degrees cannot all be
    # odd.
    across = [(v, v + n // 2) for v in range((n + 1) // 2)] if k % 2 else []
    return n, circulant + across


def _knodel(delta: int, n: int) -> tuple[int, Edges]:
    if n < 2 or n % 2:
        raise InputError(f"N must be even and at least 2, not {n}")
    most = n.bit_length() - 1
    if not 1 <= delta <= most:
        raise InputError(f"DELTA must be from 1 to {most}, the floor of log2 {n}, not {delta}")
    check_size(n, delta * n // 2)
    half = n // 2
    return n, ((j, half + (j + (1 << k) - 1) % half) for j in range(half) for k in range(delta))


def _petersen() -> tuple[int, Edges]:
    return 10, [edge for v in range(5) for edge in ((v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5))]


def _fat_tree(n: int) -> tuple[int, Edges]:
    if n < 2 or n & (n - 1):
        raise InputError(f"N must be a power of two of at least 2, not {n}")
    check_size(2 * n, 2 * n)
    return 2 * n - 1, ((v, n + v // 2) for v in range(2 * n - 2))


def _graph6(text: str) -> tuple[int, Edges]:
    from schedsolve.network.graph6 import network_from_graph6

    network = network_from_graph6(text)
    return network.node_count, network.edges


_RECORDS = (
    Family("path", "path:N", "the path 0-1-...-(N-1), N >= 1", _path),
    Family("cycle", "cycle:N", "the cycle 0-1-...-(N-1)-0, N >= 3", _cycle),
    Family("complete", "complete:N", "every two of N >= 1 nodes joined", _complete),
    Family("star", "star:N", "N >= 1 nodes, centre 0", _star),
    Family(
        "tree",
        "tree:K,H",
        "the complete K-ary tree of height H, K >= 1, H >= 0; root 0, numbered level by level",
        _tree,
    ),
    Family("grid", "grid:RxC", "R >= 1 rows and C >= 1 columns; node r*C+c", _grid),
    Family(
        "torus",
        "torus:AxBxC",
        "any number of sides of at least 3, closed to cycles; the last coordinate counts fastest",
        machines.torus,
        least=1,
    ),
    Family(
        "hypercube",
        "hypercube:D",
        "2^D nodes, D >= 0; node = bit vector, neighbours differ in one bit",
        _hypercube,
    ),
    Family(
        "ccc",
        "ccc:D",
        "cube-connected cycles, D >= 3; node D*x+i is position i at cube address x",
        _cube_connected_cycles,
    ),
    Family(
        "butterfly",
        "butterfly:D",
        "the wrapped butterfly, D >= 3; node D*x+i is level i in row x",
        _butterfly,
    ),
    Family(
        "debruijn",
        "debruijn:D",
        "2^D nodes, D >= 1; x is joined to 2x and 2x+1 modulo 2^D, undirected",
        _de_bruijn,
    ),
    Family(
        "shuffle-exchange",
        "shuffle-exchange:D",
        "2^D nodes, D >= 1; x is joined to x xor 1 and to x rotated",
        _shuffle_exchange,
    ),
    Family(
        "harary",
        "harary:K,N",
        "K-connected on a circle of N nodes with the fewest edges, 1 <= K < N",
        _harary,
    ),
    Family(
        "knodel",
        "knodel:DELTA,N",
        "N even, 1 <= DELTA <= log2 N; j is joined to N/2 + (j+2^k-1 mod N/2), k < DELTA",
        _knodel,
    ),
    Family("petersen", "petersen", "the Petersen graph; outer cycle 0..4, node v joined to v+5", _petersen),
    Family(
        "random-regular",
        "random-regular:K,N[,SEED]",
        "connected, every degree K < N, K*N even; SEED >= 0",
        random_regular,
        seeded=True,
    ),
    Family(
        "random-tree",
        "random-tree:N[,SEED]",
        "a uniformly random labelled tree, N >= 1; SEED >= 0",
        random_tree,
        seeded=True,
    ),
    Family(
        "fat-tree",
        "fat-tree:N",
        "N = 2^m >= 2 processors 0..N-1, leaves of a binary tree; switches N..2N-2, root last",
        _fat_tree,
    ),
    Family(
        "circulant",
        "circulant:N,J1,J2..",
        "N >= 2 nodes on a circle, v joined to v+J for every jump, 1 <= J <= N/2",
        machines.circulant,
        least=2,
    ),
    Family(
        "kautz",
        "kautz:d,D",
        "arcs: words of D+1 letters 0..d without equal neighbours in order, w to w[1:]+a; d >= 1, D >= 0",
        machines.kautz,
    ),
    Family(
        "genkautz",
        "genkautz:d,n",
        "arcs: u to (-d*u-a) mod n, a = 1..d, no loops, parallel arcs added up; d >= 1, n >= 2",
        machines.generalised_kautz,
    ),
    Family(
        "dragonfly",
        "dragonfly:a,h",
        "routers: a*h+1 complete groups of a, h links a router to other groups; router i of group G is G*a+i",
        machines.dragonfly,
    ),
    Family(
        "leaf-spine",
        "leaf-spine:L,P,U",
        "L leaf switches with P hosts each at 1, every leaf at U to a spine switch; hosts, leaves, spine",
        machines.leaf_spine,
    ),
    Family("dgx1", "dgx1", "NVIDIA DGX-1: 8 accelerators, links of 2 and 1", machines.dgx1),
    Family("amd4", "amd4", "four AMD accelerators in a ring", machines.amd4),
    Family(
        "a100",
        "a100:K",
        "K boxes of 8 at 300 to the box's switch, for K >= 2 at 25 to two network switches; switches last",
        machines.a100,
    ),
    Family(
        "h100",
        "h100:K",
        "K boxes of 8 at 450 to the box's switch, for K >= 2 at 50 to one network switch; switches last",
        machines.h100,
    ),
    Family(
        "mi250",
        "mi250:K",
        "K boxes of 16 AMD accelerators at 200, 100 and 50; for K >= 2 at 16 to a network switch, last",
        machines.mi250,
    ),
    Family("graph6", "graph6:STRING", "the graph that the graph6 string encodes", _graph6),
)
_FAMILIES = {family.name: family for family in _RECORDS}
