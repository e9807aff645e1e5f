"""Sets of networks: what one text of a list of problems stands for.

A set is one record in `_SETS`; its members are connected, one of every class of isomorphic graphs. Besides,
the numbers of a family may be ranges ("cycle:3..9", "random-regular:3,20,0..9"), and a graph6 file may hold
many graphs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import cos, gcd, pi
from pathlib import Path
from typing import TYPE_CHECKING

from schedsolve.errors import InputError, cut
from schedsolve.network.families import is_family
from schedsolve.network.graph import Network
from schedsolve.network.graph6 import network_from_graph6

if TYPE_CHECKING:
    import networkx

ATLAS_NODES = 7
"""The most nodes of the graphs that networkx has a list of."""
GENERATORS = ("geng", "nauty-geng")
"""The names under which nauty's generator of graphs is installed."""
MOST_TREE_NODES, MOST_GRAPH_NODES, MOST_CIRCULANT_NODES = 22, 11, 24
"""So that no set has more than some millions of members, or takes more than a minute to make."""
MOST_MEMBERS = 1_000_000
"""Of the ranges of one text."""


@dataclass(frozen=True)
class NetworkSet:
    """All connected graphs of a kind with N nodes, one of every class of isomorphic ones.

    members: from N, between 1 and most. description: one line for a listing.
    """

    name: str
    most: int
    description: str
    members: Callable[[int], Iterable[Network]]


def network_sets() -> tuple[NetworkSet, ...]:
    """Every set, in the order in which a listing shows them."""
    return tuple(_SETS.values())


def networks_of(spec: str, *, directed: bool = False, folder: Path = Path()) -> Iterator[Network]:
    """The networks that a text stands for, in a fixed order: a family with numbers or ranges A..B for them, a
    set, or a file.

    directed: read an edge list as arcs. folder: where files are looked for.
    Raises InputError for a text that names none of these, or a member that its family refuses.
    """
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
    """The text with every range A..B replaced by each of its numbers, those of the last range fastest."""
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
    """The network of a file, or all of a graph6 file, each then named by its own string."""
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
        try:
            yield replace(network_from_graph6(text), name=f"graph6:{text}")
        except InputError as error:
            raise InputError(f"{path}: line {number}: {error}") from None


def _members(chosen: NetworkSet, text: str) -> Iterator[Network]:
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= chosen.most:
        raise InputError(
            f"'{chosen.name}:{text:.40}' is refused: N is from 1 to {chosen.most}; {chosen.description}"
        )
    yield from chosen.members(int(text))


def _named(graph: networkx.Graph) -> Network:
    """The network of a graph on the nodes 0..n-1, named by its graph6 string."""
    import networkx

    network = Network(graph.number_of_nodes(), tuple(graph.edges()))
    text = networkx.to_graph6_bytes(network.to_networkx(), header=False).decode().strip()
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
    program = next(filter(None, map(shutil.which, GENERATORS)), None)
    if program is None:
        raise InputError(
            f"'graphs:{n}' takes the program geng, which is not installed (it comes with nauty);"
            f" up to {ATLAS_NODES} nodes do without"
        )
    with subprocess.Popen(
        [program, "-c", "-q", str(n)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            yield replace(network_from_graph6(line), name=f"graph6:{line.strip()}")
    if running.returncode:
        raise InputError(f"'graphs:{n}' cannot be made: {program} ended with {running.returncode}")


def _circulants(n: int) -> Iterator[Network]:
    """Jumps that a multiplication by a unit carries into each other give isomorphic circulants; the converse
    fails (Elspas and Turner, 1970), so those with equal spectra are compared besides.
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
            graph, alike = network.to_networkx(), found[_spectrum(jumps, n)]
            if not any(networkx.is_isomorphic(graph, other) for other in alike):
                alike.append(graph)
                yield network


def _multiplied(jumps: tuple[int, ...], unit: int, n: int) -> tuple[int, ...]:
    return tuple(sorted(min(jump * unit % n, -jump * unit % n) for jump in jumps))


def _spectrum(jumps: tuple[int, ...], n: int) -> tuple[float, ...]:
    """The eigenvalues of the circulant, ascending and rounded."""
    return tuple(
        sorted(
            round(sum((1 if 2 * jump == n else 2) * cos(2 * pi * k * jump / n) for jump in jumps), 6) + 0.0
            for k in range(n)
        )
    )


_RECORDS = (
    NetworkSet("trees", MOST_TREE_NODES, "all trees with N nodes", _trees),
    NetworkSet(
        "graphs",
        MOST_GRAPH_NODES,
        f"all connected graphs with N nodes; beyond {ATLAS_NODES} made by nauty's geng",
        _graphs,
    ),
    NetworkSet("circulants", MOST_CIRCULANT_NODES, "all connected circulants with N nodes", _circulants),
)
_SETS = {record.name: record for record in _RECORDS}
