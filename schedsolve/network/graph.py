"""The network: a simple graph on nodes 0..n-1 with its users' labels."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from schedsolve.network.all_pairs import AllOthers, AllPairs
from schedsolve.network.assumptions import Assumption
from schedsolve.network.bandwidths import ATTRIBUTE, Bandwidth, stored_edges
from schedsolve.network.distances import breadth_first, farthest, farthest_in_tree
from schedsolve.network.foreign_graphs import GraphLike, MatrixLike
from schedsolve.network.hardware import Hardware
from schedsolve.network.sizes import check_size
from schedsolve.runtime.display.presentation import DisplayedNetwork
from schedsolve.runtime.errors import InputError, shown

if TYPE_CHECKING:
    import networkx

Label = int | str
Edges = Iterable[tuple[int, int]]


class SpecReader(Protocol):
    """Reads the text that names a network; see `schedsolve.network.named.spec`."""

    def __call__(self, spec: str, *, directed: bool = ..., bandwidth: str = ..., pcie: str = ...) -> Network:
        """Return the network that the text names."""


@dataclass(frozen=True, repr=False)
class Network(DisplayedNetwork):
    """A simple graph, undirected or directed.

    Attributes
    ----------
    node_count
        The number n of nodes, at least 1; the nodes are 0..n-1.
    edges
        Pairs (u, v) of nodes, sorted; an undirected edge is stored once with u < v, an arc of a directed
        network as (from, to). A tuple; of a complete network with many nodes, a sequence that lists none.
    directed
        Whether the edges are arcs.
    labels
        The names of the nodes in files and texts, in node order and distinct; 0..n-1 if not given.
    name, understood
        The text ("cycle:9") or file that it is from, and how a machine's file was interpreted; for display.
    default_sources
        The source nodes that a file names, used if a problem names none.
    bandwidths
        One for every edge, in the order in which the edges are given (stored in the order of the sorted
        edges): positive integers or fractions. An undirected edge has its bandwidth in each direction. An
        empty tuple stands for 1 everywhere, and bandwidths that are all 1 are stored as an empty tuple.
    switches
        The nodes that only forward; the others are compute nodes.
    positions
        Where pictures draw the nodes, x to the right and y upwards; empty if not given.
    nodes
        The users' own objects for the nodes, such as tuples, in node order; the labels if not given.
    attributes
        What a networkx graph had besides (`schedsolve.network.other_libraries.Attributes`), or None.
    hardware, assumptions
        What is known of the machine, if it is one; what the reader of its file left out or assumed.

    Raises
    ------
    InputError
        If the network is empty, an edge is a loop, is given twice or has an end outside the nodes, labels
        are not distinct, a bandwidth is not positive or belongs to no edge, or a switch is not a node.
    """

    node_count: int
    edges: Sequence[tuple[int, int]] = ()
    directed: bool = False
    labels: tuple[Label, ...] = ()
    name: str = field(default="", compare=False)
    default_sources: tuple[int, ...] = ()
    bandwidths: tuple[Bandwidth, ...] = ()
    switches: frozenset[int] = frozenset()
    understood: str = field(default="", compare=False)
    positions: tuple[tuple[float, float], ...] = field(default=(), compare=False)
    nodes: tuple[Hashable, ...] = field(default=(), compare=False)
    attributes: object = field(default=None, compare=False)
    hardware: Hardware | None = field(default=None, compare=False)
    assumptions: tuple[Assumption, ...] = field(default=(), compare=False)

    from_spec: ClassVar[SpecReader]
    """Returns the network that a text names (`schedsolve.network.named.spec`), set by the package."""
    conversions: ClassVar[ModuleType]
    """What makes networks of other objects, and these of networks, `schedsolve.network.other_libraries`."""

    def __post_init__(self) -> None:
        n = self.node_count
        if not isinstance(n, int):
            raise InputError(f"nodes are counted; Network.of takes a graph, edges or a text; not {shown(n)}")
        if n < 1:
            raise InputError("the network is empty; it needs at least one node")
        if not self.labels:
            object.__setattr__(self, "labels", tuple(range(n)))
        if len(self.labels) != n or len(set(self.labels)) != n:
            raise InputError(f"a network of {n} nodes needs {n} distinct labels")
        if not self.nodes:
            object.__setattr__(self, "nodes", self.labels)
        if len(self.nodes) != n:
            raise InputError(f"a network of {n} nodes needs {n} node objects")
        edges, bandwidths = stored_edges(self.edges, self.bandwidths, self.labels, self.directed)
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "bandwidths", bandwidths)
        object.__setattr__(self, "switches", frozenset(self.switches))
        if any(not 0 <= v < n for v in self.switches):
            raise InputError(f"a switch is outside the nodes 0..{n - 1}")
        if any(not 0 <= s < n for s in self.default_sources):
            raise InputError(f"a default source is outside the nodes 0..{n - 1}")

    @classmethod
    def from_labels(
        cls,
        nodes: Iterable[Label],
        edges: Iterable[tuple[Label, Label]],
        *,
        directed: bool = False,
        name: str = "",
        default_sources: Sequence[Label] = (),
        bandwidths: Sequence[Bandwidth] = (),
        switches: Iterable[Label] = (),
    ) -> Network:
        """Return a network from labeled edges.

        Parameters
        ----------
        nodes
            Labels in order of appearance; labels that only edges name are appended. Nodes are numbered in
            sorted order if every label is an integer, else in order of appearance.
        edges
            Pairs of labels.
        directed
            Whether the edges are arcs.
        name
            The network's name, for display.
        default_sources
            Labels of the source nodes that are used if a problem names none.
        bandwidths
            One for every edge, in the order of the edges, or none.
        switches
            Labels of the nodes that only forward.

        Raises
        ------
        InputError
            As the class does.
        """
        edges = list(edges)
        appearing = dict.fromkeys(nodes)
        for u, v in edges:
            appearing.setdefault(u)
            appearing.setdefault(v)
        labels = list(appearing)
        check_size(len(labels), len(edges))
        if all(isinstance(label, int) for label in labels):
            labels.sort()
        number = {label: i for i, label in enumerate(labels)}
        for role, names in (("source", default_sources), ("switch", switches := tuple(switches))):
            unknown = [s for s in names if s not in number]
            if unknown:
                raise InputError(f"{role} {unknown[0]} is not a node of the network")
        return cls(
            node_count=len(labels),
            edges=tuple((number[u], number[v]) for u, v in edges),
            directed=directed,
            labels=tuple(labels),
            name=name,
            default_sources=tuple(number[s] for s in default_sources),
            bandwidths=tuple(bandwidths),
            switches=frozenset(number[s] for s in switches),
        )

    @classmethod
    def of(
        cls, given: NetworkLike, *, weight: str | None = ATTRIBUTE, directed: bool = False, name: str = ""
    ) -> Network:
        """Return the network of a text, a file, a networkx graph, edges or a matrix: see `network_of`."""
        made: Network = cls.conversions.network_of(given, weight=weight, directed=directed, name=name)
        return made

    @classmethod
    def from_file(
        cls, file: str | PathLike[str], *, weight: str = ATTRIBUTE, directed: bool = False, name: str = ""
    ) -> Network:
        """Return the network in a file of any format that the command line reads; keywords as of `of`.

        Raises
        ------
        InputError
            If there is no such file, or it holds no network.
        """
        if not Path(file).is_file():
            raise InputError(f"there is no file {shown(str(file))}")
        return cls.of(Path(file), weight=weight, directed=directed, name=name)

    @classmethod
    def from_networkx(cls, graph: GraphLike, name: str = "", *, weight: str | None = ATTRIBUTE) -> Network:
        """Return the network of a networkx Graph or DiGraph.

        Its node objects are the `nodes`; the edge attribute `weight` gives the bandwidths, a true node
        attribute "switch" a switch, and "pos" the positions. All attributes are kept for `to_networkx`. A
        small graph without a name is named by its graph6 string, with the nodes in the graph's order.

        ```pycon
        >>> import networkx
        >>> Network.from_networkx(networkx.cycle_graph(4)).edges
        ((0, 1), (0, 3), (1, 2), (2, 3))

        ```

        Raises
        ------
        InputError
            If the graph is a multigraph, and as the class does.
        """
        network: Network = cls.conversions.network_of_graph(graph, name, weight)
        return network

    def to_networkx(self, *, indices: bool = False) -> networkx.Graph:
        """Return the networkx Graph or DiGraph on the users' nodes, or with `indices` on 0..n-1.

        It has the name, the positions and every attribute that the graph of `from_networkx` had.
        """
        return self.conversions.graph_of_network(self, indices=indices)

    @property
    def is_plain(self) -> bool:
        """Whether every bandwidth is 1 and no node is a switch."""
        return not self.bandwidths and not self.switches

    def plain(self) -> Network:
        """Return the same graph with bandwidth 1 everywhere and without switches."""
        return replace(self, bandwidths=(), switches=frozenset(), hardware=None)

    @cached_property
    def bandwidth_of(self) -> Mapping[tuple[int, int], Bandwidth]:
        """The bandwidth of every arc in `arcs`."""
        given = dict(zip(self.edges, self.bandwidths or (1,) * len(self.edges), strict=True))
        return given if self.directed else {(u, v): given[min(u, v), max(u, v)] for u, v in self.arcs}

    @cached_property
    def compute_nodes(self) -> tuple[int, ...]:
        """The nodes that are not switches, ascending."""
        return tuple(v for v in range(self.node_count) if v not in self.switches)

    def node(self, label: Hashable) -> int:
        """Return the number of a node, given by its label or the user's object; digits match a whole number.

        Raises
        ------
        InputError
            If there is no such node.
        """
        if isinstance(label, bool) or not isinstance(label, int | str):
            found = self._index[label] if self.has_node(label) else None
        else:
            found = self._number.get(label, self._index.get(label))
        if found is None and isinstance(label, str) and re.fullmatch("-?[0-9]{1,18}", label):
            found = self._number.get(int(label))
        if found is None:
            raise InputError(f"{shown(str(label))} is not a node of the network; {self._label_range}")
        return found

    def has_node(self, given: object) -> bool:
        """Return whether this is one of the users' node objects; True and 1.0, equal to 1, are not node 1."""
        try:
            v = self._index.get(given)
        except TypeError:
            return False
        return v is not None and (not isinstance(given, bool | float) or type(self.nodes[v]) is type(given))

    @cached_property
    def _index(self) -> dict[Hashable, int]:
        return {node: v for v, node in enumerate(self.nodes)}

    @cached_property
    def _number(self) -> dict[Label, int]:
        return {label: i for i, label in enumerate(self.labels)}

    @property
    def _label_range(self) -> str:
        labels = self.labels
        if isinstance(labels[0], int) and labels == (*range(labels[0], labels[0] + len(labels)),):
            return f"its nodes are {labels[0]}..{labels[-1]}"
        return f"its nodes are {', '.join(map(str, labels[:4]))}" + (", ..." if len(labels) > 4 else "")

    @cached_property
    def arcs(self) -> Sequence[tuple[int, int]]:
        """Every direction in which a message can cross an edge, sorted."""
        if self.directed or not self.edges:
            return self.edges
        if isinstance(self.edges, AllPairs):
            return AllPairs(self.node_count, ordered=True)
        return tuple(sorted((*self.edges, *((v, u) for u, v in self.edges))))

    @cached_property
    def arc_set(self) -> frozenset[tuple[int, int]]:
        """`arcs` as a set."""
        return frozenset(self.arcs)

    def has_arc(self, u: int, v: int) -> bool:
        """Return whether a message can cross from a node to another; it makes no set of all arcs."""
        near = self.successors[u] if 0 <= u < self.node_count else ()
        return near[(i := bisect_left(near, v)) : i + 1] == (v,)

    @cached_property
    def successors(self) -> Sequence[Sequence[int]]:
        """For every node, the nodes it can send to, ascending (its neighbors if undirected)."""
        if isinstance(self.edges, AllPairs):
            return tuple(AllOthers(self.node_count, v) for v in range(self.node_count))
        out: list[list[int]] = [[] for _ in range(self.node_count)]
        # The edges are sorted, and so are the neighbours then, the lower ones before the higher ones.
        for u, v in self.edges:
            out[u].append(v)
            if not self.directed:
                out[v].append(u)
        return tuple(map(tuple, out))

    @cached_property
    def predecessors(self) -> Sequence[Sequence[int]]:
        """For every node, the nodes it can receive from, ascending (its neighbors if undirected)."""
        return self.reversed().successors

    @cached_property
    def eccentricities(self) -> tuple[int | None, ...]:
        """For every node, the greatest distance to any node, or None if it does not reach all nodes."""
        if self.is_tree:
            return farthest_in_tree(self.successors)
        if self.is_complete:
            return (min(1, self.node_count - 1),) * self.node_count
        return farthest(self.successors)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every node has an arc to every other."""
        ends = 1 if self.directed else 2
        return ends * len(self.edges) == self.node_count * (self.node_count - 1)

    @cached_property
    def is_connected(self) -> bool:
        """Whether every node reaches every other (strongly, if directed)."""
        return None not in self.distances_from([0]) and None not in self.reversed().distances_from([0])

    @cached_property
    def is_tree(self) -> bool:
        """Whether the network is an undirected tree."""
        return not self.directed and len(self.edges) == self.node_count - 1 and self.is_connected

    def reversed(self) -> Network:
        """Return the network with every arc reversed; an undirected network is its own reverse."""
        if not self.directed:
            return self
        return replace(self, edges=tuple((v, u) for u, v in self.edges), attributes=None)

    def distances_to(self, sources: Collection[int], targets: Collection[int]) -> list[int | None]:
        """Return `distances_from` the sources, for a broadcast that must reach the targets.

        Raises
        ------
        InputError
            If there is no source, a node is outside the network, or no source reaches some target.
        """
        if not sources or not all(0 <= v < self.node_count for v in (*sources, *targets)):
            raise InputError(
                "broadcasting needs at least one source, and sources and targets among the nodes"
                f" 0..{self.node_count - 1}"
            )
        distances = self.distances_from(sources)
        unreached = [v for v in targets if distances[v] is None]
        if unreached:
            raise InputError(f"node {self.labels[unreached[0]]} cannot be reached from the sources")
        return distances

    def distances_from(self, sources: Iterable[int]) -> list[int | None]:
        """Return the distance of every node from the nearest source, or None if there is no path."""
        if self.is_complete:
            starts = set(sources)
            return [0 if v in starts else 1 if starts else None for v in range(self.node_count)]
        return breadth_first(self.successors, sources)


Neighbors = Mapping[Any, Iterable[Any]]
NetworkLike = Network | str | PathLike[str] | GraphLike | MatrixLike | Iterable[Sequence[Any]] | Neighbors
"""A network, the text of one ("cycle:9"), a file, a networkx graph, edges, neighbors, or a matrix."""
