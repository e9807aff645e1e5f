"""Classes of networks from which a design is chosen, and their members by the number of links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import chain, takewhile
from typing import Any, TypedDict

from schedsolve.network.automorphism_generators import is_vertex_transitive
from schedsolve.network.classes.canonical_form import CanonicalForm, Rows, canonical_form, nodes_of
from schedsolve.network.classes.cayley import MOST_ELEMENTS, cayley_graphs
from schedsolve.network.classes.geng import geng_graphs, geng_knows
from schedsolve.network.classes.graph_generation import GraphClass, connected_graphs, is_bipartite
from schedsolve.network.classes.regular_generation import connected_regular_graphs
from schedsolve.network.classes.sets import networks_of
from schedsolve.network.files.graph6 import network_from_graph6
from schedsolve.network.files.graph_formats import compose_digraph6, compose_graph6, parse_digraph6
from schedsolve.network.files.reading import Reading
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, did_you_mean, shown
from schedsolve.runtime.files.number_reader import whole_number

_NO_LIMIT = 10**12
MOST_NODES = 62
"""Graph6 and digraph6 strings of more nodes begin otherwise, and no exhaustive search comes so far."""


class Properties(TypedDict, total=False):
    """The properties of a class of networks, as keywords; see `NetworkClass`."""

    max_degree: int | None
    regular: int | None
    bipartite: bool
    directed: bool
    circulant: bool
    cayley: bool
    planar: bool
    vertex_transitive: bool


def class_of(nodes: int, properties: Mapping[str, Any]) -> NetworkClass:
    """Return the class of networks with properties by name.

    Raises
    ------
    InputError
        For an unknown property, and as the class does.
    """
    known = [each.name for each in fields(NetworkClass) if each.name != "nodes"]
    for name in properties:
        if name not in known:
            raise InputError(
                f"networks have no property {name}; there are {', '.join(known)}{did_you_mean(name, known)}"
            )
    return NetworkClass(nodes, **properties)


@dataclass(frozen=True)
class NetworkClass:
    """All connected networks with given properties.

    Attributes
    ----------
    nodes
        The number of nodes.
    directed
        Whether the links are arcs; degrees are then those of the arcs that leave and that enter, each.
    max_degree
        The greatest degree, None for any.
    regular
        The degree of every node, None for any.
    bipartite
        Whether every link joins two sides.
    circulant
        Whether the network is a circulant.
    cayley
        Whether it is a Cayley graph.
    planar
        Whether it can be drawn in the plane without crossings; of a directed one its links count.
    vertex_transitive
        Whether automorphisms take every node to every other.
    """

    nodes: int
    directed: bool = False
    max_degree: int | None = None
    regular: int | None = None
    bipartite: bool = False
    circulant: bool = False
    cayley: bool = False
    planar: bool = False
    vertex_transitive: bool = False

    def __post_init__(self) -> None:
        if whole_number(self.nodes, 2, MOST_NODES) is None:
            raise InputError(f"--nodes takes a number from 2 to {MOST_NODES}, not {shown(self.nodes)}")
        for option, degree in (("max-degree", self.max_degree), ("regular", self.regular)):
            if degree is not None and whole_number(degree, 1, self.nodes - 1) is None:
                raise InputError(f"--{option} takes a degree from 1 to {self.nodes - 1}, not {shown(degree)}")
        if self.regular is not None and self.regular * self.nodes % 2 and not self.directed:
            raise InputError(
                f"no network has {self.nodes} nodes of degree {self.regular}: an odd number of ends"
            )
        if self.regular is not None and self.max_degree is not None and self.regular > self.max_degree:
            raise InputError("--regular asks for a larger degree than --max-degree allows")
        for option, asked in (
            ("circulant", self.circulant),
            ("cayley", self.cayley),
            ("vertex-transitive", self.vertex_transitive),
        ):
            if asked and self.directed:
                raise InputError(f"--{option} is for undirected networks")
        if self.cayley and self.nodes > MOST_ELEMENTS:
            raise InputError(f"--cayley takes at most {MOST_ELEMENTS} nodes, not {self.nodes}")

    @property
    def limited(self) -> bool:
        """Whether a link more may lead out of the class."""
        degrees = self.max_degree is not None or self.regular is not None
        return degrees or self.bipartite or self.listed or self.planar or self.vertex_transitive

    @property
    def largest_degree(self) -> int:
        """The largest degree that a node may have."""
        limits = [d for d in (self.max_degree, self.regular) if d is not None]
        return min(limits, default=self.nodes - 1)

    @property
    def listed(self) -> bool:
        """Whether the networks are listed at once, as circulants and Cayley graphs are."""
        return self.circulant or self.cayley

    @property
    def by_geng(self) -> bool:
        """Whether nauty's geng is installed and generates the class; regular graphs take it too long."""
        special = self.listed or self.vertex_transitive or self.regular is not None
        return not special and geng_knows(self._graphs(0))

    def edge_counts(self, most: int | None = None) -> list[int]:
        """Return the numbers of links that members may have, ascending, at most `most`."""
        n = self.nodes
        if self.listed:
            counts = sorted({sum(map(int.bit_count, rows)) // 2 for rows in self._list()})
        elif self.regular is not None:
            counts = [n * self.regular // (1 if self.directed else 2)]
        else:
            counts = list(range(n - 1, self._graphs(0).most_edges + 1))
        if self.vertex_transitive:
            counts = [m for m in counts if 2 * m % n == 0]
        if self.planar and n > 2:
            counts = [m for m in counts if m <= (3 * n - 6) * (2 if self.directed else 1)]
        return [m for m in counts if most is None or m <= most]

    def members(
        self,
        edges: int,
        *,
        min_degree: int = 0,
        residue: int = 0,
        modulus: int = 1,
        geng: bool = False,
        within: int | None = None,
    ) -> Iterator[Rows]:
        """Yield the members with a number of links, in canonical form, one of every isomorphism class.

        Parameters
        ----------
        edges
            The number of links.
        min_degree
            Leave out those that have a node with fewer links.
        residue, modulus
            Yield one of so many parts.
        geng
            Let nauty's geng generate them, if it does so (see `by_geng`).
        within
            Leave out regular networks in which a node is farther than this from another.
        """
        least = max(min_degree, self.regular or 0)
        degree = 2 * edges // self.nodes if self.vertex_transitive else None
        if degree is not None and least > degree:
            return
        if self.listed:
            found = (
                rows
                for rows in self._list()
                if sum(map(int.bit_count, rows)) == 2 * edges and rows[0].bit_count() >= least
            )
            candidates = (rows for i, rows in enumerate(found) if i % modulus == residue)
        else:
            kind = self._graphs(least if degree is None else degree, degree)
            part = kind, edges, residue, modulus
            forms = geng_graphs(*part) if geng else _generated(*part, within)
            candidates = (form.rows for form in forms)
        yield from (rows for rows in candidates if self._unlike(rows) is None)

    def why_not(self, network: Network) -> str | None:
        """Return why a network is not a member, None if it is one."""
        if network.node_count != self.nodes or network.directed != self.directed:
            return f"it is no {'directed' if self.directed else 'undirected'} network of {self.nodes} nodes"
        rows, back = rows_of(network), rows_of(network.reversed())
        if not network.is_plain or not _is_connected(rows, back):
            return "it is not a connected network without bandwidths"
        degrees = [row.bit_count() for row in (*rows, *back)]
        smallest, largest = self.regular or 0, min(self.regular or self.nodes, self.max_degree or self.nodes)
        if not smallest <= min(degrees) <= max(degrees) <= largest:
            return f"its nodes have degrees from {min(degrees)} to {max(degrees)}"
        if self.bipartite and not is_bipartite(rows):
            return "it is not bipartite"
        if self.listed and canonical_form(rows).rows not in self._list():
            return f"it is not a {'circulant' if self.circulant else 'Cayley graph'}"
        return self._unlike(rows)

    def _unlike(self, rows: Rows) -> str | None:
        """Return which property that no generation heeds is missing, None if none is."""
        if self.planar and not is_planar(rows):
            return "it is not planar"
        if self.vertex_transitive and not _is_vertex_transitive(rows):
            return "it is not vertex-transitive"
        return None

    def to_json(self) -> dict[str, bool | int]:
        """Return the properties asked for, as they stand in a file."""
        return {name: value for name, value in vars(self).items() if value and name != "nodes"}

    def _graphs(self, min_degree: int, most: int | None = None) -> GraphClass:
        limits = [d for d in (self.max_degree, self.regular, most) if d is not None]
        return GraphClass(self.nodes, self.directed, min(limits, default=10**6), min_degree, self.bipartite)

    def _list(self) -> tuple[Rows, ...]:
        """Return the circulants, or the Cayley graphs, of the class; circulants are Cayley graphs."""
        limits = [d for d in (self.max_degree, self.regular) if d is not None]
        most = min(limits, default=self.nodes)
        if self.circulant:
            listed = _circulants(self.nodes, most)
        else:
            degrees = [self.regular] if self.regular is not None else range(1, min(most, self.nodes - 1) + 1)
            listed = tuple(chain.from_iterable(_cayley_graphs(self.nodes, degree) for degree in degrees))
        return tuple(
            rows
            for rows, bipartite in listed
            if rows[0].bit_count() <= most
            and (self.regular is None or rows[0].bit_count() == self.regular)
            and (bipartite or not self.bipartite)
        )


@lru_cache(maxsize=4)
def _circulants(n: int, most: int) -> tuple[tuple[Rows, bool], ...]:
    """Return the connected circulants of at least all degrees up to `most`.

    They are in canonical form, each with whether it is bipartite.
    """
    # They come by their numbers of jumps; k jumps give degree 2k, or 2k - 1 where one of them is n/2.
    few = takewhile(lambda c: 2 * len(c.edges) <= (most + 1) * n, networks_of(f"circulants:{n}"))
    return tuple((rows, is_bipartite(rows)) for rows in (canonical_form(rows_of(c)).rows for c in few))


def _cayley_graphs(n: int, degree: int) -> tuple[tuple[Rows, bool], ...]:
    return tuple((rows, is_bipartite(rows)) for rows in cayley_graphs(n, degree))


def _generated(
    kind: GraphClass, edges: int, residue: int, modulus: int, within: int | None = None
) -> Iterator[CanonicalForm]:
    """Yield one of so many parts of a class; regular graphs, in one part, by completing nodes.

    Of regular graphs only those in which no node is farther than `within` from another.
    """
    degree = kind.min_degree
    regular = kind.max_degree == degree and 2 * edges == kind.nodes * degree and not kind.directed
    if regular and modulus == 1:
        return connected_regular_graphs(kind.nodes, degree, bipartite=kind.bipartite, within=within)
    return connected_graphs(kind, edges, residue, modulus)


def _is_connected(rows: Rows, reversed_rows: Rows) -> bool:
    reached = layer = 1
    while layer:
        following = 0
        for v in nodes_of(layer):
            following |= rows[v] | reversed_rows[v]
        layer = following & ~reached
        reached |= layer
    return reached == (1 << len(rows)) - 1


def is_planar(rows: Rows) -> bool:
    """Whether the graph can be drawn in the plane without crossings."""
    import networkx

    graph = networkx.Graph((u, v) for u, row in enumerate(rows) for v in nodes_of(row))
    planar: bool = networkx.check_planarity(graph)[0]
    return planar


def _is_vertex_transitive(rows: Rows) -> bool:
    """Whether automorphisms of an undirected graph take every node to every other; never given up."""
    return is_vertex_transitive(network_of(rows), steps=_NO_LIMIT) is True


def rows_of(network: Network) -> Rows:
    """Return a bit mask of successors for every node."""
    return tuple(sum(1 << w for w in after) for after in network.successors)


def network_of(rows: Rows, *, directed: bool = False) -> Network:
    """Return the network of some rows, named by its graph6 string if it is undirected."""
    edges = tuple((u, v) for u, row in enumerate(rows) for v in nodes_of(row) if directed or u < v)
    network = Network(len(rows), edges, directed)
    return network if directed else network_from_graph6(compose_graph6(network).decode())


def graph_text(rows: Rows, *, directed: bool = False) -> str:
    """Return the graph6 string of an undirected graph, the digraph6 string of a directed one."""
    network = network_of(rows, directed=True) if directed else network_of(rows)
    return compose_digraph6(network).decode().strip() if directed else network.name.partition(":")[2]


def network_from_text(text: str) -> Network:
    """Return the network of a graph6 or digraph6 string.

    Raises
    ------
    InputError
        If it is neither.
    """
    if text.startswith("&"):
        return parse_digraph6(text.encode("ascii", "replace"), Reading(True))
    return network_from_graph6(text)
