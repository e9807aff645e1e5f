"""Which small networks a broadcast or a gossip of the line model takes at most M rounds on, for designs.

The paths of the calls of a round share no edge. So at every node some of its edges are joined in pairs, each
pair consecutive on one path, and the others are ends of paths or not used: all rounds come of all such
choices. More calls never hurt, so at every node that has ports for all edges that are not joined, these are
ends of paths. A path that visits a node twice can be shortened; one that ends where it began is no call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from schedsolve.experiments.designs.levels import Choice, Designs
from schedsolve.experiments.designs.small_networks import Arc, CallSets, Gossips
from schedsolve.modelkit.parameters import PORTS
from schedsolve.models.line.claims.lower_bounds import growth
from schedsolve.network.classes.canonical_form import nodes_of
from schedsolve.network.graph import Network

if TYPE_CHECKING:
    from schedsolve.network.classes.canonical_form import Rows

Trails = frozenset[tuple[int, int]]
"""A round in the making: each trail by its two ends, ascending. An end is a node, or the number of an edge
that ends at a node which has not chosen yet: n + 2i at the first node of edge i, n + 2i + 1 at the second.
"""
Pairs = tuple[tuple[int, int], ...]


def call_sets(rows: Rows, ports: int) -> list[tuple[Arc, ...]]:
    """Return the sets of pairs that can call each other in one round, those only that no other contains.

    Parameters
    ----------
    rows
        A bit mask of neighbours for every node.
    ports
        In how many calls a node may take part.
    """
    n = len(rows)
    edges = [(u, v) for u, row in enumerate(rows) for v in nodes_of(row) if u < v]
    rounds: set[Trails] = {frozenset((n + 2 * i, n + 2 * i + 1) for i in range(len(edges)))}
    for v in range(n):
        here = [n + 2 * i + edge.index(v) for i, edge in enumerate(edges) if v in edge]
        rounds = {after for trails in rounds for after in _after_choices(trails, n, v, here, ports)}
    return _largest(tuple(sorted(trails)) for trails in rounds)


def _after_choices(trails: Trails, n: int, v: int, here: list[int], ports: int) -> Iterator[Trails]:
    """Yield the trails after each choice of node v, whose edges have the ends `here`.

    Where more edges than ports are not joined, the trails of the others are not used.
    """
    present = {end for trail in trails for end in trail}
    for pairs in _pairings(tuple(end for end in here if end in present)):
        alone = sorted(present.intersection(here).difference(*pairs))
        for kept in combinations(alone, min(len(alone), ports)):
            yield _joined(trails, n, v, pairs, alone, kept)


def _joined(
    trails: Trails, n: int, v: int, pairs: Pairs, alone: Iterable[int], kept: Iterable[int]
) -> Trails:
    """Return the trails after node v joined edges in pairs and kept some of the others as ends of calls."""
    calls = {trail for trail in trails if trail[1] < n}
    far = {end: other for a, b in trails for end, other in ((a, b), (b, a)) if end >= n}

    def connect(a: int, b: int) -> None:
        if a < n and b < n and a != b:
            calls.add((min(a, b), max(a, b)))
        far.update((end, other) for end, other in ((a, b), (b, a)) if end >= n)

    for one, other in pairs:
        a, b = far.pop(one), far.pop(other)
        if a != other:
            connect(a, b)
    for end in alone:
        beyond = far.pop(end, None)
        if beyond is not None and end in kept:
            connect(beyond, v)
        elif beyond is not None:
            far.pop(beyond, None)
    return frozenset([*calls, *((min(pair), max(pair)) for pair in far.items())])


@cache
def _pairings(ends: tuple[int, ...]) -> list[Pairs]:
    """Return all sets of disjoint pairs."""
    if not ends:
        return [()]
    first, rest = ends[0], ends[1:]
    return [
        *_pairings(rest),
        *(
            ((first, other), *pairs)
            for i, other in enumerate(rest)
            for pairs in _pairings((*rest[:i], *rest[i + 1 :]))
        ),
    ]


def _largest(sets: Iterable[tuple[Arc, ...]]) -> list[tuple[Arc, ...]]:
    """Return the sets that no other one contains."""
    kept: list[tuple[Arc, ...]] = []
    having: dict[Arc, int] = {}
    for calls in sorted(set(sets), key=lambda calls: (-len(calls), calls)):
        containing = (1 << len(kept)) - 1
        for call in calls:
            containing &= having.get(call, 0)
        if not containing:
            for call in calls:
                having[call] = having.get(call, 0) | 1 << len(kept)
            kept.append(calls)
    return kept


def least_degree(ports: int | None, task: str, nodes: int, rounds: int, choice: Choice) -> int:
    """Return the least degree that every node has, for K ports.

    A node of degree d makes at most min(d, K) calls in a round. Whoever it informs with r rounds left
    informs, with those that they inform, at most (K + 1)^r nodes, itself included. So its item comes to at
    most 1 + min(d, K) ((K + 1)^M - 1) / K nodes. A broadcast from one source says nothing of the others.
    """
    if task == "broadcast" and choice == "min":
        return 0
    most = min(ports or nodes, nodes - 1)
    behind = ((most + 1) ** rounds - 1) // most
    return next((d for d in range(most + 1) if 1 + d * behind >= nodes), nodes)


def _suffices(ports: int | None, task: str, rows: Rows, directed: bool, rounds: int, choice: Choice) -> bool:
    """Whether a task takes at most so many rounds in an undirected network; exhaustive."""
    n = len(rows)
    most = min(ports or n, n - 1)
    able = [min(row.bit_count(), most) for row in rows]
    every = all if task == "gossip" or choice == "max" else any
    if not every((growth([v], n, able) or n) <= rounds for v in range(n)):
        return False
    if rounds == 1:
        # So many links and ports lead from every node, or from the best source, to all others.
        return True
    calls = CallSets(call_sets(rows, most), two_way=True)

    @cache
    def alone(knowing: int, left: int) -> bool:
        if knowing == (1 << n) - 1:
            return True
        return left > 0 and any(alone(after, left - 1) for after in calls.after(knowing))

    if not every(alone(1 << v, rounds) for v in range(n)):
        return False
    return task == "broadcast" or Gossips(n, calls, alone).rounds(rounds) is not None


def with_ports(ports: Any) -> Designs:
    """Return the designs for a number of ports, or for "all"; raise InputError for anything else."""
    number = PORTS.read(ports, Network(2, ((0, 1),)))
    most = None if number == "all" else number
    return Designs(
        "rounds",
        {"broadcast": True, "gossip": False},
        partial(_suffices, most),
        partial(least_degree, most),
        undirected=True,
        parameters={"ports": number},
        with_ports=with_ports,
    )


DESIGNS = {"line": with_ports("all")}
