"""Lower bounds of the line model that anybody can recompute: counting arguments, and the exact values in
trees.
"""

from __future__ import annotations

from collections.abc import Sequence

from schedsolve.modelkit.theorem_bounds import LowerBound
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

from ..rules import ports_of
from .trees import gossip_edge_bound, is_tree_shaped, tree_broadcast_times, tree_multicast_time
from .two_rounds import TwoRounds


def as_broadcast(problem: Problem) -> Network:
    """The network on which the problem is a broadcast: turned round for an accumulation."""
    return problem.network.reversed() if problem.task == "accumulation" else problem.network


def degree_growth(problem: Problem) -> int | None:
    """An informed node makes at most as many calls in a round as it has edges (and ports).

    Counted as if the nodes with the most edges were informed first. A gossip contains a broadcast from a node
    with the fewest edges.
    """
    network, ports = as_broadcast(problem), ports_of(problem)
    calls = [len(out) if ports is None else min(len(out), ports) for out in network.successors]
    if problem.task == "gossip" or problem.choice:
        pick = max if problem.choice == "min" else min
        return _growth([pick(range(len(calls)), key=lambda v: calls[v])], len(calls), calls)
    return _growth(problem.sources, len(set(problem.sources) | set(problem.targets)), calls)


def _growth(sources: Sequence[int], wanted: int, calls: Sequence[int]) -> int | None:
    """Rounds until `wanted` nodes can be informed; None when that never happens."""
    others = sorted((calls[v] for v in range(len(calls)) if v not in sources), reverse=True)
    informed, able, rounds = len(sources), sum(calls[v] for v in sources), 0
    while informed < wanted:
        fresh = others[informed - len(sources) :][:able]
        if not fresh:
            return None
        informed, able, rounds = informed + len(fresh), able + sum(fresh), rounds + 1
    return rounds


def odd_order(problem: Problem) -> int | None:
    """With one port, a gossip among an odd number n >= 3 of nodes takes at least ceil(log2 n) + 1 rounds.

    Some node is idle in the last round M, and before it a node knows at most 2^(M-1) items; so n <= 2^(M-1).
    """
    n = problem.network.node_count
    if problem.task != "gossip" or ports_of(problem) != 1 or n < 3 or n % 2 == 0:
        return None
    return (n - 1).bit_length() + 1


def knowledge_growth(problem: Problem) -> int | None:
    """With K ports, what a node knows grows by a factor of K + 1 at most in a round; with any number, of its
    degree + 1.
    """
    if problem.task != "gossip":
        return None
    n, ports = problem.network.node_count, ports_of(problem)
    most = max(len(near) for near in problem.network.successors)
    factor = 1 + (most if ports is None else min(most, ports))
    known, rounds = 1, 0
    while known < n and factor > 1:
        known, rounds = known * factor, rounds + 1
    return rounds


def crowded_rounds(problem: Problem) -> int | None:
    """Three rounds for a gossip, if in two some node has to make more calls than it can, or no call can pass
    through a node and some nodes are more than two steps apart (Theorem 9).
    """
    if problem.task != "gossip" or problem.network.directed:
        return None
    return None if TwoRounds.of(problem).possible else 3


def tree_message(problem: Problem) -> int | None:
    """In a tree, the exact time of a broadcast, multicast or accumulation with all ports (Cohen, Theorem 1
    and Corollaries 1 and 2).
    """
    network = as_broadcast(problem)
    if problem.task == "gossip" or not is_tree_shaped(network) or (network.directed and problem.choice):
        return None
    if problem.choice:
        times = tree_broadcast_times(network)
        return min(times) if problem.choice == "min" else max(times)
    return (
        tree_multicast_time(network, problem.sources[0], problem.targets)
        if len(problem.sources) == 1
        else None
    )


def tree_gossip(problem: Problem) -> int | None:
    """In a tree, the exact time of a gossip with all ports (after Cohen, Lemmas 4 and 5; see
    `trees.gossip_edge_bound`).
    """
    return (
        gossip_edge_bound(problem.network) if problem.task == "gossip" and problem.network.is_tree else None
    )


LOWER_BOUNDS = (
    LowerBound(
        "degree-growth",
        "counting: an informed node makes at most one call for each of its edges and ports",
        degree_growth,
    ),
    LowerBound(
        "knowledge-growth",
        "counting: a node learns at most from all of its edges and ports",
        knowledge_growth,
    ),
    LowerBound(
        "odd-order",
        "counting: with one port and an odd number of nodes somebody is idle in the last round",
        odd_order,
    ),
    LowerBound(
        "crowded-rounds",
        "theorem: two rounds leave no edges to pass through nodes (docs/theorems.md, Theorem 9)",
        crowded_rounds,
    ),
    LowerBound(
        "tree-message", "theorem: broadcasting and multicasting in trees (Cohen, Theorem 1)", tree_message
    ),
    LowerBound(
        "tree-gossip",
        "theorem: gossiping in trees, counted from the two sides of an edge (after Cohen, Lemmas 4 and 5)",
        tree_gossip,
    ),
)
