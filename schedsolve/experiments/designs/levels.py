"""Designs: which networks of a class a model's task takes at most so many rounds on.

The model brings a fast decision for one small network; here it is applied to all networks of a class that
have a number of links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol

from schedsolve.experiments.designs.leaves_apart import core_sizes, with_leaves
from schedsolve.modelkit.search import RunningSearch
from schedsolve.runtime.errors import InputError

if TYPE_CHECKING:
    from schedsolve.modelkit.problem import Problem
    from schedsolve.network.classes.canonical_form import Rows
    from schedsolve.network.classes.network_class import NetworkClass

DESIGN_FORMAT = "schedsolve-design/2"
Choice = Literal["min", "max"]
"""Whether one source of a broadcast, or every one, is to take so many rounds."""


def _no_search(question: Question, edges: int) -> None:
    """Search for nothing."""


def _no_links(task: str, nodes: int, rounds: int, choice: Choice) -> int:
    """Exclude no number of links."""
    return 0


def _no_network(task: str, rows: Rows, directed: bool, rounds: int, choice: Choice) -> bool:
    """Refuse to decide a network where no number of rounds is given, as a forged file may ask."""
    raise InputError("a design of a model of times has no level of rounds or steps")


def _no_time(problem: Problem) -> Fraction:
    """Say nothing of the time in a network."""
    return Fraction(0)


def _nothing_of_leaves(task: str, nodes: int, rounds: int) -> bool:
    """Say nothing of leaves."""
    return False


@dataclass(frozen=True)
class Designs:
    """What a model brings for designs.

    Attributes
    ----------
    limit
        The parameter that is given: "rounds" or "steps"; or "time" in a model of times, in which no number is
        given and the network of the least time is looked for.
    tasks
        The tasks, each with whether it has a source.
    suffices
        Whether a task takes at most so many rounds in a network, given by its rows and whether it is
        directed, from a source of this choice. Exhaustive, so that "no" is a proof.
    least_degree
        A least degree of every node of any undirected network with so many nodes in which the task takes at
        most so many rounds, 0 where nothing is said.
    fewest_links
        A number of links that any undirected network has in which the task takes at most so many rounds, by
        the degrees of nodes and of their neighbours.
    leaves_apart
        Whether it is proven that every undirected network with so many nodes in which the task takes at most
        so many rounds has at most one leaf at a node, which then has two more links at least, and that the
        task takes as few rounds without any of the leaves.
    search
        Looks for a network with at most so many links on which a question holds, and for its schedule where
        there is a single one; None for a class that it does not know.
    distance
        Whether the limit is on distances: no node is farther than it from another.
    least_time
        Where a network has a time, in so many steps or alone: a lower bound of a task's for all connected
        networks, by the number of nodes and the most links of a node and in all.
    look
        In a model of times: a lower bound of the time that a task takes in its network, from one look at it.
    undirected
        Whether arcs are refused.
    parameters
        Further parameters of the problems on its networks, such as the number of ports.
    with_ports
        The same for another number of ports; raises InputError if it is none. None where there are no ports.
    """

    limit: str
    tasks: dict[str, bool]
    suffices: Callable[[str, Rows, bool, int, Choice], bool] = _no_network
    least_degree: Callable[[str, int, int, Choice], int] = _no_links
    fewest_links: Callable[[str, int, int, Choice], int] = _no_links
    leaves_apart: Callable[[str, int, int], bool] = _nothing_of_leaves
    search: Callable[[Question, int], RunningSearch | None] = _no_search
    distance: bool = False
    least_time: Callable[[str, int, int, int], Fraction] | None = None
    look: Callable[[Problem], Fraction] = _no_time
    undirected: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    with_ports: Callable[[Any], Designs] | None = None

    def for_ports(self, ports: Any) -> Designs:
        """Return these designs for a number of ports, themselves for None.

        Raises
        ------
        InputError
            If there are no ports, or not so many.
        """
        if ports is None:
            return self
        if self.with_ports is None:
            raise InputError("--ports means nothing for designs in this model, whose nodes have no ports")
        return self.with_ports(ports)

    def bound(self, task: str, members: NetworkClass, edges: int | None) -> Fraction:
        """Return a lower bound of the time in every network of the class that has at most so many links."""
        if self.least_time is None:
            return Fraction(0)
        most = max(members.edge_counts(edges), default=0)
        return self.least_time(task, members.nodes, members.largest_degree, most)


@dataclass(frozen=True)
class Question:
    """Which networks of a class a task takes at most a number of rounds on.

    Attributes
    ----------
    designs
        Of the model.
    task
        The task.
    choice
        Of the source.
    members
        The class.
    limit
        The number of rounds or steps.
    """

    designs: Designs
    task: str
    choice: Choice
    members: NetworkClass
    limit: int

    @property
    def least_degree(self) -> int:
        """The least degree that every node of a network that answers the question has."""
        directed = self.members.directed
        counted = self.designs.least_degree
        least = 0 if directed else counted(self.task, self.members.nodes, self.limit, self.choice)
        return max(least, self._degree_for_distance) if self.designs.distance else least

    @property
    def _degree_for_distance(self) -> int:
        """The least d with 1 + d (1 + (D - 1) + ... + (D - 1)^(S-1)) >= n; n if D, the largest, is too small.

        So many nodes at most are within a distance of S from one of degree d (Moore's bound). With arcs D
        stands for D - 1, as none leads back, and d for the arcs that leave a node or that enter it.
        """
        largest = self.members.largest_degree
        onwards = largest if self.members.directed else largest - 1
        near = sum(onwards**i for i in range(self.limit))
        n = self.members.nodes
        return next((d for d in range(1, largest + 1) if 1 + d * near >= n), n)

    @property
    def regular(self) -> bool:
        """Whether all networks that may answer it have one degree, so that regular ones are generated."""
        return not self.members.directed and self.members.largest_degree == self.least_degree

    @property
    def by_geng(self) -> bool:
        """Whether nauty's geng is installed and fit to generate the networks."""
        return self.members.by_geng and not self.regular

    @property
    def fewest_links(self) -> int:
        """Fewer links are excluded by counting degrees."""
        if self.members.directed:
            return 0
        return self.designs.fewest_links(self.task, self.members.nodes, self.limit, self.choice)

    @property
    def leaves_apart(self) -> bool:
        """Whether leaves matter and only networks whose leaves are apart can answer it."""
        members = self.members
        if members.directed or members.limited or self.least_degree > 1:
            return False
        return self.designs.leaves_apart(self.task, members.nodes, self.limit)

    def holds_for(self, rows: Rows) -> bool:
        """Whether the task takes so few rounds in a network."""
        return self.designs.suffices(self.task, rows, self.members.directed, self.limit, self.choice)


@dataclass(frozen=True)
class Level:
    """All networks of a class with a number of links, decided one by one.

    Attributes
    ----------
    limit
        The number of rounds or steps.
    edges
        The number of links.
    least_degree
        What `Question.least_degree` says.
    graphs
        How many networks there are, one of every isomorphism class, whose nodes have at least that degree.
    digest
        Of their canonical forms, in hexadecimal: the sum of the SHA-256 hashes of the forms modulo 2^256,
        which does not depend on their order.
    found
        Those on which so few rounds suffice, in canonical form.
    parts
        The number and the digest of each part, where the level was decided in parts.
    geng
        Whether nauty's geng generated the networks; parts are then its own.
    leaves_apart
        Whether leaves were added to networks without any (`leaves_apart.py`); `graphs` and `digest`
        are then of all networks that were decided, of those with fewer nodes too.
    """

    limit: int
    edges: int
    least_degree: int
    graphs: int
    digest: str
    found: tuple[Rows, ...] = ()
    parts: tuple[tuple[int, str], ...] = ()
    geng: bool = False
    leaves_apart: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the level as it stands in a file: without what was found."""
        return {
            "limit": self.limit,
            "edges": self.edges,
            "least_degree": self.least_degree,
            "graphs": self.graphs,
            "digest": self.digest,
            **({"geng": True} if self.geng else {}),
            **({"leaves_apart": True} if self.leaves_apart else {}),
            **({"parts": [list(part) for part in self.parts]} if self.parts else {}),
        }


def form_hash(rows: Rows) -> int:
    """Return the SHA-256 of a canonical form: of its rows as numbers in hexadecimal, joined by commas."""
    from hashlib import sha256

    return int.from_bytes(sha256(",".join(f"{row:x}" for row in rows).encode()).digest())


def decided(
    question: Question,
    edges: int,
    *,
    first: bool = False,
    watch: Callable[[int], None] = lambda _: None,
    residue: int = 0,
    modulus: int = 1,
    geng: bool = False,
    leaves_apart: bool = False,
) -> Level:
    """Return the level of all networks with a number of links, or a part of it, each decided.

    Parameters
    ----------
    question
        What is asked.
    edges
        The number of links.
    first
        Stop at the first network on which so few rounds suffice; the count and the digest are then of those
        so far.
    watch
        Told the number of networks so far now and then; what it raises ends the work.
    residue, modulus
        Decide one of so many parts of the level.
    geng
        Let nauty's geng generate the networks.
    leaves_apart
        Decide only networks whose leaves are apart, for a question of which that is enough.
    """
    graphs, total = 0, 0
    found: list[Rows] = []
    part = {"residue": residue, "modulus": modulus}
    decisions = (_with_leaves_apart if leaves_apart else _one_by_one)(question, edges, geng, part)
    for rows, holds in decisions:
        if graphs % 64 == 0:
            watch(graphs)
        graphs += 1
        total += form_hash(rows)
        if holds and len(rows) == question.members.nodes:
            found.append(rows)
            if first:
                break
    digest = digest_of(total)
    return Level(
        question.limit, edges, question.least_degree, graphs, digest, tuple(found), (), geng, leaves_apart
    )


def _one_by_one(
    question: Question, edges: int, geng: bool, part: Mapping[str, int]
) -> Iterator[tuple[Rows, bool]]:
    """Decide all networks of a part of a level."""
    least = question.least_degree
    within = question.limit if question.designs.distance else None
    for rows in question.members.members(edges, min_degree=least, geng=geng, within=within, **part):
        yield rows, question.holds_for(rows)


def _with_leaves_apart(
    question: Question, edges: int, geng: bool, part: Mapping[str, int]
) -> Iterator[tuple[Rows, bool]]:
    """Decide the leafless networks of this part and every network obtained by attaching leaves to one."""
    nodes = question.members.nodes
    for size, links in core_sizes(nodes, edges):
        for core in replace(question.members, nodes=size).members(links, min_degree=2, geng=geng, **part):
            yield from with_leaves(core, nodes, question.holds_for)


def joined(parts: Sequence[Level]) -> Level:
    """Return the level of which these are all parts, in the order of their residues."""
    one = parts[0]
    if len(parts) == 1:
        return one
    return replace(
        one,
        graphs=sum(part.graphs for part in parts),
        digest=digest_of(sum(int(part.digest, 16) for part in parts)),
        found=tuple(sorted(rows for part in parts for rows in part.found)),
        parts=tuple((part.graphs, part.digest) for part in parts),
    )


def digest_of(total: int) -> str:
    """Return the sum of hashes modulo 2^256, in hexadecimal."""
    return f"{total % (1 << 256):064x}"


class PartStore(Protocol):
    """A store of the parts of levels, from which an interrupted design resumes."""

    def parts(self, level: str) -> Mapping[int, Any]:
        """Return the JSON data of the parts of a level, which is identified by a text, by their residues."""

    def add_part(self, level: str, residue: int, data: Any) -> None:
        """Store a part."""
