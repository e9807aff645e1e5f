"""Sets of networks that one text of a problem list names.

A set is one record in `_SETS`; its members are connected, one of every isomorphism class. Besides, the
numbers of a family may be ranges ("cycle:3..9", "random-regular:3,20,0..9"), and a graph6 file may hold
many graphs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import cos, gcd, pi
from pathlib import Path
from typing import TYPE_CHECKING

from schedsolve.network.classes.canonical_form import nodes_of
from schedsolve.network.classes.geng import geng_lines, geng_program
from schedsolve.network.classes.graph_generation import GraphClass, connected_graphs
from schedsolve.network.files.graph6 import network_from_graph6
from schedsolve.network.graph import Network
from schedsolve.network.named.families import is_family
from schedsolve.network.other_libraries import plain_graph
from schedsolve.runtime.errors import InputError, cut, shown
from schedsolve.runtime.limits.budget import naming

if TYPE_CHECKING:
    import networkx

ATLAS_NODES = 7
"""The most nodes of the graphs in networkx's atlas."""
MOST_TREE_NODES, MOST_GRAPH_NODES, MOST_CIRCULANT_NODES = 22, 11, 24
MOST_COUNTED_NODES, MOST_CUBIC_NODES, MOST_QUARTIC_NODES, MOST_REGULAR_NODES = 8, 12, 9, 8
"""Limits that keep every set below some millions of members and a minute of generation."""
MOST_GENERATED_NODES = 14
"""The most nodes of regular graphs that geng makes."""
MOST_MEMBERS = 1_000_000
"""The most members of the ranges of one text."""


@dataclass(frozen=True)
class NetworkSet:
    """All connected graphs of a kind with N nodes, one of every isomorphism class.

    `members` maps N, between 1 and `most`, and other numbers where `form` has them, to the graphs;
    `description` is one line for errors.
    """

    form: str
    most: int
    description: str
    members: Callable[..., Iterable[Network]]


def networks_of(spec: str, *, directed: bool = False, folder: Path = Path()) -> Iterator[Network]:
    """Yield the networks that a text names, in a fixed order.

    The text is a family with numbers or ranges A..B, a set, or a file.

    Parameters
    ----------
    spec
        The text.
    directed
        Whether an edge list is read as arcs.
    folder
        The folder to which file names are relative.

    Raises
    ------
    InputError
        If the text names none of these, or if the family rejects a member.
    """
    if not isinstance(spec, str):
        raise InputError(f"the text of networks is such as trees:8; not {shown(spec)}")
    name, colon, numbers = spec.partition(":")
    if not (is_family(spec) or name in _SETS):
        yield from _networks_in_file(str(folder / spec), directed=directed)
        return
    for member in _each_number(numbers) if name != "graph6" else [numbers]:
        if name in _SETS:
            yield from _members(_SETS[name], member)
        else:
            yield Network.from_spec(f"{name}{colon}{member}", directed=directed)


def _each_number(numbers: str) -> Iterator[str]:
    """Yield the text with each range A..B replaced by its numbers; the last range varies fastest."""
    parts = re.split(r"([0-9]+)\.\.([0-9]+)", numbers)
    if any(len(part) > 18 for part in (*parts[1::3], *parts[2::3])):
        raise InputError(f"'{cut(numbers, 60)}' has a number of more than 18 digits")
    ranges = [range(int(first), int(last) + 1) for first, last in zip(parts[1::3], parts[2::3], strict=True)]
    members = 1
    for one in ranges:
        members *= len(one)
    if not 1 <= members <= MOST_MEMBERS:
        raise InputError(f"'{numbers:.60}' has {members} members; a range is A..B with A <= B, such as 3..9")
    for chosen in product(*ranges):
        yield parts[0] + "".join(f"{value}{text}" for value, text in zip(chosen, parts[3::3], strict=True))


def _networks_in_file(path: str, *, directed: bool) -> Iterator[Network]:
    """Yield the network of a file, or every network of a graph6 file, named by its own string."""
    lines: list[str] = []
    if path.lower().endswith(".g6"):
        try:
            lines = [line for line in Path(path).read_text(encoding="ascii").splitlines() if line.strip()]
        except (OSError, ValueError):
            lines = []
    if len(lines) < 2:
        yield Network.from_spec(path, directed=directed)
        return
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix(">>graph6<<")
        with naming(f"{path}: line {number}"):
            yield replace(network_from_graph6(text), name=f"graph6:{text}")


def is_set(spec: str) -> bool:
    """Return whether a text names a set of networks."""
    return spec.partition(":")[0] in _SETS


def _members(chosen: NetworkSet, text: str) -> Iterator[Network]:
    name, _, numbers = chosen.form.partition(":")
    names, given = numbers.split(","), text.split(",")
    right = len(names) == len(given) and all(re.fullmatch("[0-9]{1,4}", number) for number in given)
    if not right or not 1 <= int(given[names.index("N")]) <= chosen.most:
        raise InputError(
            f"'{name}:{text:.40}' is refused: it is {chosen.form}, and N is from 1 to {chosen.most};"
            f" {chosen.description}"
        )
    yield from chosen.members(*map(int, given))


def _named(graph: networkx.Graph) -> Network:
    """Return the network of a graph on the nodes 0..n-1, named by its graph6 string."""
    import networkx

    network = Network(graph.number_of_nodes(), tuple(graph.edges()))
    text = networkx.to_graph6_bytes(plain_graph(network), header=False).decode().strip()
    return replace(network, name=f"graph6:{text}")


def _trees(n: int) -> Iterator[Network]:
    import networkx

    return map(_named, networkx.nonisomorphic_trees(n))


def _graphs(n: int) -> Iterator[Network]:
    import networkx

    if n <= ATLAS_NODES:
        for graph in networkx.graph_atlas_g():
            if graph.number_of_nodes() == n and networkx.is_connected(graph):
                yield _named(graph)
        return
    if n <= MOST_COUNTED_NODES and geng_program() is None:
        yield from _generated(n)
        return
    yield from _by_generator(f"graphs:{n}", MOST_COUNTED_NODES, str(n))


def _by_generator(text: str, most: int, *arguments: str) -> Iterator[Network]:
    """Yield the connected graphs that geng prints.

    Raises
    ------
    InputError
        If it is not installed or fails; up to `most` nodes do without.
    """
    if geng_program() is None:
        raise InputError(
            f"'{text}' takes the program geng, which is not installed (it comes with nauty); up to {most}"
            " nodes do without"
        )
    for line in geng_lines(["-c", "-q", *arguments]):
        yield replace(network_from_graph6(line), name=f"graph6:{line}")


def _generated(n: int) -> Iterator[Network]:
    """Yield the connected graphs with n nodes, those with the fewest edges first."""
    for edges in range(n - 1, n * (n - 1) // 2 + 1):
        yield from _with_edges(n, edges)


def _of_class(kind: GraphClass, edges: int) -> Iterator[Network]:
    """Yield the connected graphs of a class with so many links, in their canonical numbering."""
    import networkx

    if kind.nodes == 1:
        yield from [Network.from_spec("path:1")] if edges == 0 else []
        return
    for form in connected_graphs(kind, edges):
        links = [(u, v) for u, row in enumerate(form.rows) for v in nodes_of(row) if u < v]
        yield _named(networkx.Graph(links))


def _with_edges(n: int, edges: int) -> Iterator[Network]:
    if n <= MOST_COUNTED_NODES:
        yield from _of_class(GraphClass(n), edges)
    elif n - 1 <= edges <= n * (n - 1) // 2:
        text = f"connected-graphs:{n},{edges}"
        yield from _by_generator(text, MOST_COUNTED_NODES, str(n), f"{edges}:{edges}")


def _regular(degree: int, n: int) -> Iterator[Network]:
    """Yield the connected graphs of n nodes whose degrees are all the same.

    None where the degree times n is odd, or there are too few nodes.
    """
    most = MOST_CUBIC_NODES if degree <= 3 else MOST_QUARTIC_NODES if degree == 4 else MOST_REGULAR_NODES
    edges = degree * n // 2
    if degree * n % 2 or degree >= n:
        return
    if n <= most:
        yield from _of_class(GraphClass(n, max_degree=degree, min_degree=degree), edges)
        return
    arguments = f"-d{degree}", f"-D{degree}", str(n), f"{edges}:{edges}"
    yield from _by_generator(f"regular:{degree},{n}", most, *arguments)


def _cubic(n: int) -> Iterator[Network]:
    return _regular(3, n)


def _circulants(n: int) -> Iterator[Network]:
    """Yield the connected circulants with n nodes, one of every isomorphism class.

    Jumps that multiplication by a unit maps to each other give isomorphic circulants; the converse fails
    (Elspas and Turner, 1970), so circulants with equal spectra are also compared.
    """
    import networkx

    units = [u for u in range(1, n + 1) if gcd(u, n) == 1]
    found: dict[tuple[float, ...], list[networkx.Graph]] = defaultdict(list)
    for size in range(n // 2 + 1):
        for jumps in combinations(range(1, n // 2 + 1), size):
            if gcd(n, *jumps) > 1 or any(_multiplied(jumps, u, n) < jumps for u in units):
                continue
            network = (
                Network.from_spec(f"circulant:{n},{','.join(map(str, jumps))}")
                if jumps
                else Network.from_spec("path:1")
            )
            graph, alike = plain_graph(network), found[_spectrum(jumps, n)]
            if not any(networkx.is_isomorphic(graph, other) for other in alike):
                alike.append(graph)
                yield network


def _multiplied(jumps: tuple[int, ...], unit: int, n: int) -> tuple[int, ...]:
    return tuple(sorted(min(jump * unit % n, -jump * unit % n) for jump in jumps))


def _spectrum(jumps: tuple[int, ...], n: int) -> tuple[float, ...]:
    """Return the eigenvalues of the circulant, ascending and rounded."""
    return tuple(
        sorted(
            round(sum((1 if 2 * jump == n else 2) * cos(2 * pi * k * jump / n) for jump in jumps), 6) + 0.0
            for k in range(n)
        )
    )


_RECORDS = (
    NetworkSet("trees:N", MOST_TREE_NODES, "all trees with N nodes", _trees),
    NetworkSet(
        "graphs:N",
        MOST_GRAPH_NODES,
        f"all connected graphs with N nodes; beyond {ATLAS_NODES} made by nauty's geng, without it N is"
        f" up to {MOST_COUNTED_NODES}",
        _graphs,
    ),
    NetworkSet(
        "connected-graphs:N,M",
        MOST_GRAPH_NODES,
        f"all connected graphs with N nodes and M edges; beyond {MOST_COUNTED_NODES} by nauty's geng",
        _with_edges,
    ),
    NetworkSet(
        "regular:K,N",
        MOST_GENERATED_NODES,
        f"all connected graphs with N nodes of degree K; beyond {MOST_CUBIC_NODES}, with K = 4"
        f" {MOST_QUARTIC_NODES}, with more {MOST_REGULAR_NODES}, by nauty's geng",
        _regular,
    ),
    NetworkSet("cubic:N", MOST_GENERATED_NODES, "all connected graphs with N nodes of degree 3", _cubic),
    NetworkSet("circulants:N", MOST_CIRCULANT_NODES, "all connected circulants with N nodes", _circulants),
)
_SETS = {record.form.partition(":")[0]: record for record in _RECORDS}
