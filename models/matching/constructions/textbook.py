"""Textbook rivals: broadcasts by flooding, by rank and by dimension, and gossips dimension by dimension.

They are what a first lecture or a library does, and are there to be compared with the optimum.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod

from schedsolve.network.graph import Network
from schedsolve.network.named.machines import torus
from schedsolve.runtime.errors import InputError

from . import gossip_families
from .trees import broadcast_centre, tree_broadcast

Rounds = list[list[tuple[int, int]]]


def flooding(network: Network, sources: Collection[int], targets: Collection[int]) -> Rounds:
    """Return a broadcast in which nodes call in the order in which they were informed.

    Each calls its neighbour of greatest degree that nobody has informed or called; of equal ones the first.
    """
    degree = [len(near) for near in network.successors]
    waiting = {v: _by_degree(network, degree, v) for v in dict.fromkeys(sources)}
    informed = set(waiting)
    missed = set(targets) - informed
    rounds = []
    while missed:
        calls = []
        for v in list(waiting):
            receiver = next((w for w in waiting[v] if w not in informed), None)
            if receiver is None:
                del waiting[v]
            else:
                informed.add(receiver)
                calls.append((v, receiver))
        missed.difference_update(w for _, w in calls)
        waiting |= {w: _by_degree(network, degree, w) for _, w in calls}
        rounds.append(calls)
    return rounds


def _by_degree(network: Network, degree: Sequence[int], v: int) -> Iterator[int]:
    """Return the neighbours of a node, those with most neighbours first."""
    return iter(sorted(network.successors[v], key=lambda w: (-degree[w], w)))


def rank_doubling(network: Network, source: int, targets: Collection[int]) -> Rounds:
    """Return the broadcast of MPI's binomial tree, over shortest paths where there is no link.

    The source has rank 0, the targets the ranks after it, from the next number round to the one before it. In
    phase i each rank r below 2^i sends to rank r + 2^i. A message takes each hop in the first round in which
    both ends are idle, phase by phase and rank by rank; a hop to a node that is informed already is not made.
    """
    n = network.node_count
    near = [sorted(ends) for ends in network.successors]
    ranks = sorted({source, *targets}, key=lambda v: (v - source) % n)
    informed = {source: 0}
    busy: dict[int, set[int]] = {}
    rounds: Rounds = []
    step = 1
    while step < len(ranks):
        for sender, receiver in zip(ranks[:step], ranks[step : 2 * step], strict=False):
            path = _shortest_path(network, near, sender, receiver)
            for u, w in pairwise(path):
                if w in informed:
                    continue
                taken = busy.setdefault(u, set()) | busy.setdefault(w, set())
                t = informed[u] + 1
                while t in taken:
                    t += 1
                informed[w] = t
                busy[u].add(t)
                busy[w].add(t)
                rounds += [[] for _ in range(t - len(rounds))]
                rounds[t - 1].append((u, w))
        step *= 2
    return rounds


def _shortest_path(network: Network, near: Sequence[Sequence[int]], start: int, end: int) -> list[int]:
    """Return the nodes of a shortest path, found breadth first with the lowest numbers first.

    near: the successors of each node, in order.
    """
    before = {start: start}
    queue = [start]
    for v in queue:
        if end in before:
            break
        for w in near[v]:
            if w not in before:
                before[w] = v
                queue.append(w)
    if end not in before:
        ends = network.labels[start], network.labels[end]
        raise InputError(f"there is no path from node {ends[0]} to node {ends[1]}, which are ranks that call")
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


@dataclass(frozen=True)
class Lattice:
    """The sides of a grid or torus in its usual numbering, in which the last coordinate varies fastest.

    Attributes
    ----------
    cyclic
        Whether its lines are cycles.
    """

    sides: tuple[int, ...]
    cyclic: bool

    @property
    def node_count(self) -> int:
        """The number of its nodes."""
        return prod(self.sides)

    @cached_property
    def strides(self) -> list[int]:
        """For every dimension the difference of the numbers of neighbours."""
        return [prod(self.sides[i + 1 :]) for i in range(len(self.sides))]

    def before(self, v: int, source: int) -> int:
        """Return the last node before `v` on the dimension-order route from the source."""
        for side, stride in zip(reversed(self.sides), reversed(self.strides), strict=True):
            here, start = v // stride % side, source // stride % side
            if here != start:
                ahead = (here - start) % side <= (start - here) % side if self.cyclic else here > start
                return v + ((here + (-1 if ahead else 1)) % side - here) * stride
        return v


def lattice_of(network: Network) -> Lattice | None:
    """Return the sides of a grid or torus of at least two dimensions; None for every other network."""
    near, n = set(network.successors[0]), network.node_count
    # A torus of d dimensions has 3^d nodes or more, and each has 2d neighbours.
    if network.directed or not 2 <= len(near) <= 2 * n.bit_length():
        return None
    columns = max(near)
    if len(near) == 2 and n % columns == 0 and columns < n:
        grid = Network.from_spec(f"grid:{n // columns}x{columns}")
        if grid.edges == network.edges:
            return Lattice((n // columns, columns), cyclic=False)
    for sides in _torus_sides(near, n, 1):
        if len(near) == 2 * len(sides) > 2 and torus(*sides).edges == network.edges:
            return Lattice(sides, cyclic=True)
    return None


def _torus_sides(near: Collection[int], n: int, below: int) -> Iterator[tuple[int, ...]]:
    """Yield the sides of tori of n nodes in which node 0 has these neighbours among others.

    The last sides are left out, whose product is `below`.
    """
    if below == n:
        yield ()
    for last in near if below in near else ():
        side = last // below + 1
        if last % below == 0 and side >= 3 and n % (below * side) == 0:
            yield from ((*sides, side) for sides in _torus_sides(near, n, below * side))


def dimension_order(lattice: Lattice, source: int, targets: Collection[int]) -> Rounds:
    """Return the broadcast along dimension-order routes.

    A route corrects the first coordinate, then the second and so on, each the shorter way. The routes make a
    tree, in which the calls are made in the best order.
    """
    edges = [(lattice.before(v, source), v) for v in range(lattice.node_count) if v != source]
    return tree_broadcast(Network(lattice.node_count, tuple(edges)), source, targets)


def dimension_gossip(lattice: Lattice, two_way: bool) -> Rounds:
    """Return the gossip of all lines of the first dimension, then of the second, and so on."""
    rounds = []
    for side, stride in zip(lattice.sides, lattice.strides, strict=True):
        starts = [v for v in range(lattice.node_count) if v // stride % side == 0]
        for calls in _line_gossip(side, lattice.cyclic, two_way):
            rounds.append([(v + u * stride, v + w * stride) for u, w in calls for v in starts])
    return rounds


def _line_gossip(side: int, cyclic: bool, two_way: bool) -> Rounds:
    """Return a gossip on one path or cycle."""
    if cyclic:
        return gossip_families.two_way_cycle(side) if two_way else gossip_families.one_way_cycle(side)
    if two_way:
        return gossip_families.two_way_path(side)
    path = Network.from_spec(f"path:{side}")
    broadcast = tree_broadcast(path, broadcast_centre(path), range(side))
    return gossip_families.accumulate_then_broadcast(broadcast, two_way=False)
