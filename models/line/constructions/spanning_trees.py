"""Broadcasts and multicasts in any network through a spanning tree, improved by local search.

Sources: the optimal algorithm in trees is Cohen's (Theorem 1); ceil(log2 n) rounds with one port are
Farley's (1980).
"""

from __future__ import annotations

import random
import time
from collections.abc import Collection

from schedsolve.modelkit.search import Effort
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from ..claims.trees import tree_multicast_time
from .one_port import one_port_multicast
from .tree_broadcast import Rounds, tree_multicast

RESTART_AFTER = 60
"""Non-improving moves per node before the local search restarts from another tree."""


def one_port_tree_broadcast(network: Network, source: int, targets: Collection[int]) -> Rounds:
    """Return a broadcast or multicast with one port in ceil(log2 k) rounds, in a breadth-first tree.

    Here k is the number of nodes among the source and the targets.

    Raises
    ------
    InputError
        If the network is directed or not connected, or if a node is outside it.

    References
    ----------
    Farley 1980.
    """
    if network.directed:
        raise InputError("the 1-port protocol needs an undirected network: its calls go up and down a tree")
    return one_port_multicast(_as_tree(network, _breadth_first(network, source)), source, targets)


def tree_based_broadcast(network: Network, source: int, targets: Collection[int], effort: Effort) -> Rounds:
    """Return a broadcast or multicast with all ports that is optimal in the best spanning tree found.

    The search starts from a breadth-first tree (seed 0) or a random one, and moves the part below a
    node to another neighbour if that needs no more rounds. After RESTART_AFTER non-improving moves
    per node it restarts from another random tree.

    Parameters
    ----------
    network
        The network; arcs of a directed network are used along their direction.
    source
        The source, which must reach every node.
    targets
        The nodes to inform.
    effort
        How long to improve on the first tree, and when to stop.

    Raises
    ------
    InputError
        If the source does not reach every node.

    References
    ----------
    Cohen, Theorem 1.
    """
    end = time.process_time() + effort.seconds
    generator = random.Random(effort.seed)
    parent = _breadth_first(network, source) if effort.seed == 0 else _random_tree(network, source, generator)
    current = best = _time(network, parent, source, targets)
    best_parent, vain = list(parent), 0
    while best > effort.goal and time.process_time() < end and network.node_count > 1:
        if vain > RESTART_AFTER * network.node_count:
            parent, vain = _random_tree(network, source, generator), 0
            current = _time(network, parent, source, targets)
        changed = _rehung(network, parent, source, generator)
        rounds = _time(network, changed, source, targets)
        vain = 0 if rounds < current else vain + 1
        if rounds <= current:
            parent, current = changed, rounds
        if current < best:
            best, best_parent = current, list(parent)
    return tree_multicast(_as_tree(network, best_parent), source, targets)


def _time(network: Network, parent: list[int], source: int, targets: Collection[int]) -> int:
    return tree_multicast_time(_as_tree(network, parent), source, targets)


def _as_tree(network: Network, parent: list[int]) -> Network:
    """Return the spanning tree in which every node but the root has the given parent."""
    edges = tuple((u, v) for v, u in enumerate(parent) if u >= 0)
    return Network(network.node_count, edges, directed=network.directed)


def _breadth_first(network: Network, source: int) -> list[int]:
    """Return the parents in a tree of shortest paths from the source; -1 at the source."""
    return _grown(network, source, None)


def _random_tree(network: Network, source: int, generator: random.Random) -> list[int]:
    """Return the parents in a tree that grows from the source by random arcs; -1 at the source."""
    return _grown(network, source, generator)


def _grown(network: Network, source: int, generator: random.Random | None) -> list[int]:
    parent = [-1] * network.node_count
    reached = {source}
    open_arcs = [(source, v) for v in network.successors[source]]
    first = 0
    while first < len(open_arcs):
        if generator is not None:
            other = generator.randrange(first, len(open_arcs))
            open_arcs[first], open_arcs[other] = open_arcs[other], open_arcs[first]
        u, v = open_arcs[first]
        first += 1
        if v not in reached:
            reached.add(v)
            parent[v] = u
            open_arcs += [(v, w) for w in network.successors[v] if w not in reached]
    if len(reached) < network.node_count:
        raise InputError("a spanning tree needs a source that reaches every node")
    return parent


def _rehung(network: Network, parent: list[int], source: int, generator: random.Random) -> list[int]:
    """Return the parents after moving the part below a random node to another of its neighbours.

    The tree is returned unchanged if the neighbour chosen lies within that part, or if there is no
    other neighbour.
    """
    changed = list(parent)
    v = generator.randrange(network.node_count)
    near = [u for u in network.predecessors[v] if u != parent[v]]
    if v == source or not near:
        return changed
    u = top = generator.choice(near)
    while top not in (v, source):
        top = parent[top]
    if top == source:
        changed[v] = u
    return changed
