"""The network: a simple graph on nodes 0..n-1 that keeps the labels its user knows it by."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise
from operator import lt
from typing import TYPE_CHECKING, ClassVar, Protocol

from schedsolve.errors import InputError, shown
from schedsolve.limits.budget import spend
from schedsolve.network.bandwidths import ATTRIBUTE, SWITCH, Bandwidth, bandwidth_from_data, in_order_of_edges
from schedsolve.network.distances import breadth_first, farthest

if TYPE_CHECKING:
    import networkx

Label = int | str
Edges = Iterable[tuple[int, int]]

SIZE_LIMIT = 10_000_000
"""The greatest number of nodes, and of edges, that a network may have."""


def check_size(nodes: int, edges: int) -> None:
    """Raise InputError when a network of so many nodes and edges is beyond SIZE_LIMIT, OverBudgetError when
    it is beyond what the file being read may ask for.
    """
    spend("nodes", nodes)
    spend("edges", edges)
    if max(nodes, edges) > SIZE_LIMIT:
        raise InputError(f"the network would be too large; the limit is {SIZE_LIMIT} nodes and as many edges")


def at_least(least: int, **parameters: int) -> None:
    """Raise InputError, naming the first parameter that is less."""
    for name, value in parameters.items():
        if value < least:
            raise InputError(f"{name} must be at least {least}, not {value}")


class SpecReader(Protocol):
    """What reads the text that names a network; see `schedsolve.network.spec`."""

    def __call__(self, spec: str, *, directed: bool = False) -> Network:
        """The network that the text asks for."""


@dataclass(frozen=True)
class Network:
    """A simple graph, undirected or directed.

    node_count: the number n of nodes, at least 1; nodes are 0..n-1.
    edges: pairs (u, v) of nodes; undirected edges are stored once with u < v, arcs of a directed network as
    (from, to); sorted.
    directed: whether the edges are arcs.
    labels: the users' names of the nodes, in node order; 0..n-1 when not given. Labels are distinct.
    name: how the network was asked for ("cycle:9"), or its file's name; for display only.
    default_sources: the source nodes a file names, used when a problem names none.
    bandwidths: one for every edge, in the order in which the edges are given (stored in the order of the
    sorted edges): positive integers or fractions. An undirected edge has its bandwidth in each direction.
    None at all stands for 1 everywhere, and that is also how bandwidths that are all 1 are stored.
    switches: the nodes that only forward; the others are compute nodes.
    understood: what the reader of a machine's file understood of it, in a line for display.
    positions: where pictures draw the nodes, x to the right and y upwards; none at all where nobody says.

    Raises InputError for an empty network, a self-loop, an edge outside the nodes, a double edge, labels that
    are not distinct, a bandwidth that is not positive or of no edge, or a switch outside the nodes.
    """

    node_count: int
    edges: tuple[tuple[int, int], ...]
    directed: bool = False
    labels: tuple[Label, ...] = ()
    name: str = field(default="", compare=False)
    default_sources: tuple[int, ...] = ()
    bandwidths: tuple[Bandwidth, ...] = ()
    switches: frozenset[int] = frozenset()
    understood: str = field(default="", compare=False, repr=False)
    positions: tuple[tuple[float, float], ...] = field(default=(), compare=False, repr=False)

    from_spec: ClassVar[SpecReader]
    """The network that a text asks for: `schedsolve.network.spec.network_from_spec`, which the package puts
    here.
    """

    def __post_init__(self) -> None:
        n = self.node_count
        if n < 1:
            raise InputError("the network is empty; it needs at least one node")
        if not self.labels:
            object.__setattr__(self, "labels", tuple(range(n)))
        if len(self.labels) != n or len(set(self.labels)) != n:
            raise InputError(f"a network of {n} nodes needs {n} distinct labels")
        if not self._edges_in_order:
            self._order_edges()
        object.__setattr__(self, "switches", frozenset(self.switches))
        if any(not 0 <= v < n for v in self.switches):
            raise InputError(f"a switch is outside the nodes 0..{n - 1}")
        if any(not 0 <= s < n for s in self.default_sources):
            raise InputError(f"a default source is outside the nodes 0..{n - 1}")

    @property
    def _edges_in_order(self) -> bool:
        """Whether the edges are already stored as they should be, which large families see to."""
        edges = self.edges
        if self.bandwidths or not isinstance(edges, tuple):
            return False
        if not edges:
            return True
        if not all(map(lt, edges, islice(edges, 1, None))):
            return False
        tails, heads = zip(*edges, strict=True)
        inside = tails[0] >= 0 and tails[-1] < self.node_count and max(heads) < self.node_count
        return inside and not self.directed and all(map(lt, tails, heads))

    def _order_edges(self) -> None:
        """Sort the edges, each undirected one by its ends; raises InputError for what is no edge."""
        n = self.node_count
        for u, v in self.edges:
            if not (0 <= u < n and 0 <= v < n):
                raise InputError(f"edge {u}-{v} is outside the nodes 0..{n - 1}")
            if u == v:
                raise InputError(f"self-loop at node {self.labels[u]}: remove it, a node cannot call itself")
        ordered = self.edges if self.directed else tuple((min(e), max(e)) for e in self.edges)
        edges, bandwidths = in_order_of_edges(ordered, self.bandwidths)
        for one, other in pairwise(edges):
            if one == other:
                raise InputError(
                    f"edge {self.labels[one[0]]}-{self.labels[one[1]]} is given twice; give every edge once"
                )
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "bandwidths", bandwidths)

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
        """A network from labelled edges.

        nodes: labels in order of appearance; labels that only edges name are appended. Nodes are numbered in
        sorted order when every label is an integer, else in order of appearance.
        edges: pairs of labels. default_sources, switches: labels. bandwidths: in the order of the edges.
        Raises InputError as the class does.
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
        switches = tuple(switches)
        for role, names in (("source", default_sources), ("switch", switches)):
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
    def from_networkx(cls, graph: networkx.Graph, name: str = "") -> Network:
        """The network of a networkx Graph or DiGraph; its node objects become the labels (anything but an
        integer as text), the edges' attribute "bandwidth" the bandwidths, and the nodes with a true attribute
        "switch" the switches.

        ```pycon
        >>> import networkx
        >>> Network.from_networkx(networkx.cycle_graph(4)).edges
        ((0, 1), (0, 3), (1, 2), (2, 3))

        ```

        Raises InputError for a multigraph, and as the class does.
        """
        if graph.is_multigraph():
            raise InputError(
                "a multigraph has several edges between two nodes; convert it to a Graph or DiGraph first"
            )
        as_label = {v: v if isinstance(v, int) and not isinstance(v, bool) else str(v) for v in graph}
        if len(set(as_label.values())) < len(as_label):
            raise InputError("two nodes of the graph have the same text as label; relabel them first")
        return cls.from_labels(
            as_label.values(),
            [(as_label[u], as_label[v]) for u, v in graph.edges()],
            directed=graph.is_directed(),
            name=name or str(graph.name),
            bandwidths=[bandwidth_from_data(data.get(ATTRIBUTE, 1)) for _, _, data in graph.edges(data=True)],
            switches=[as_label[v] for v, data in graph.nodes(data=True) if data.get(SWITCH, False) is True],
        )

    def to_networkx(self) -> networkx.Graph:
        """The same graph as a networkx Graph or DiGraph on the nodes 0..n-1, with the attributes that
        `from_networkx` reads.
        """
        import networkx

        graph: networkx.Graph = networkx.DiGraph() if self.directed else networkx.Graph()
        graph.add_nodes_from(range(self.node_count))
        graph.add_edges_from(self.edges)
        for (u, v), bandwidth in zip(self.edges, self.bandwidths, strict=False):
            graph.edges[u, v][ATTRIBUTE] = bandwidth
        for v in self.switches:
            graph.nodes[v][SWITCH] = True
        return graph

    @property
    def is_plain(self) -> bool:
        """Whether every bandwidth is 1 and no node is a switch."""
        return not self.bandwidths and not self.switches

    def plain(self) -> Network:
        """The same graph with bandwidth 1 everywhere and without switches."""
        return replace(self, bandwidths=(), switches=frozenset())

    @cached_property
    def bandwidth_of(self) -> Mapping[tuple[int, int], Bandwidth]:
        """The bandwidth of every arc in `arcs`."""
        given = dict(zip(self.edges, self.bandwidths or (1,) * len(self.edges), strict=True))
        return given if self.directed else {(u, v): given[min(u, v), max(u, v)] for u, v in self.arcs}

    @cached_property
    def compute_nodes(self) -> tuple[int, ...]:
        """The nodes that are no switches, ascending."""
        return tuple(v for v in range(self.node_count) if v not in self.switches)

    def node(self, label: Label) -> int:
        """The node with this label; digits stand for an integer label too. Raises InputError when there is
        none.
        """
        if isinstance(label, bool) or not isinstance(label, int | str):
            raise InputError(f"a node is named by its label, a number or a text; not {shown(label)}")
        found = self._number.get(label)
        if found is None and isinstance(label, str) and re.fullmatch("-?[0-9]{1,18}", label):
            found = self._number.get(int(label))
        if found is None:
            raise InputError(f"'{label}' is not a node of the network; {self._label_range}")
        return found

    @cached_property
    def _number(self) -> dict[Label, int]:
        return {label: i for i, label in enumerate(self.labels)}

    @property
    def _label_range(self) -> str:
        labels = self.labels
        if (
            labels == tuple(range(labels[0], labels[0] + len(labels)))
            if isinstance(labels[0], int)
            else False
        ):
            return f"its nodes are {labels[0]}..{labels[-1]}"
        shown = ", ".join(str(label) for label in labels[:4])
        return f"its nodes are {shown}" + (", ..." if len(labels) > 4 else "")

    @cached_property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        """Every direction in which a message can cross one edge, sorted."""
        if self.directed:
            return self.edges
        return tuple(sorted(self.edges + tuple((v, u) for u, v in self.edges)))

    @cached_property
    def arc_set(self) -> frozenset[tuple[int, int]]:
        """`arcs` as a set."""
        return frozenset(self.arcs)

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """For every node the nodes it can send to, ascending (its neighbours when undirected)."""
        if self.is_complete:
            nodes = tuple(range(self.node_count))
            return tuple(nodes[:v] + nodes[v + 1 :] for v in nodes)
        out: list[list[int]] = [[] for _ in range(self.node_count)]
        # The edges are sorted, and so are the neighbours then, the lower ones before the higher ones.
        for u, v in self.edges:
            out[u].append(v)
            if not self.directed:
                out[v].append(u)
        return tuple(map(tuple, out))

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """For every node the nodes it can hear, ascending (its neighbours when undirected)."""
        if not self.directed:
            return self.successors
        into: list[list[int]] = [[] for _ in range(self.node_count)]
        for u, v in self.edges:
            into[v].append(u)
        return tuple(map(tuple, into))

    @cached_property
    def eccentricities(self) -> tuple[int | None, ...]:
        """For every node the greatest distance to any node; None when there is one it cannot reach."""
        if self.is_tree:
            # Farthest from any node of a tree is one of the ends of a longest path.
            there = [self.distances_from([0])]
            for _ in range(2):
                there.append(
                    self.distances_from([max(range(self.node_count), key=lambda v: there[-1][v] or 0)])
                )
            return tuple(max(one or 0, other or 0) for one, other in zip(there[1], there[2], strict=True))
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
        """Whether every node reaches every node (strongly, when directed)."""
        return None not in self.distances_from([0]) and None not in self.reversed().distances_from([0])

    @cached_property
    def is_tree(self) -> bool:
        """Whether the network is an undirected tree."""
        return not self.directed and len(self.edges) == self.node_count - 1 and self.is_connected

    def reversed(self) -> Network:
        """The network with every arc turned round; an undirected one is its own reverse."""
        if not self.directed:
            return self
        turned = tuple((v, u) for u, v in self.edges)
        return replace(self, edges=turned)

    def distances_to(self, sources: Collection[int], targets: Collection[int]) -> list[int | None]:
        """`distances_from` the sources, for a broadcast that must reach the targets.

        Raises InputError when there is no source, a node is outside the network, or no source reaches some
        target.
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
        """For every node the least number of arcs on a path from the nearest source; None where there is no
        path.
        """
        if self.is_complete:
            starts = set(sources)
            return [0 if v in starts else 1 if starts else None for v in range(self.node_count)]
        return breadth_first(self.successors, sources)
