"""Lower bounds of the line model that can be recomputed: counting bounds, and exact values in trees."""

from __future__ import annotations

from collections.abc import Sequence

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.theorem_bounds import LowerBound, odd_gossip_rounds

from ..rules import ports_of
from .trees import gossip_edge_bound, is_tree_shaped, tree_broadcast_times, tree_multicast_time
from .two_rounds import TwoRounds


def degree_growth(problem: Problem) -> int | None:
    """Return the bound by growth: a node makes at most one call per round for each edge (and port).

    It is counted as if the nodes with the most edges were informed first. A gossip contains a broadcast from
    a node with the fewest edges.
    """
    network, ports = problem.broadcast_network, ports_of(problem)
    calls = [len(out) if ports is None else min(len(out), ports) for out in network.successors]
    if problem.task == "gossip" or problem.choice:
        pick = max if problem.choice == "min" else min
        return growth([pick(range(len(calls)), key=lambda v: calls[v])], len(calls), calls)
    return growth(problem.sources, len(set(problem.sources) | set(problem.targets)), calls)


def growth(sources: Sequence[int], wanted: int, calls: Sequence[int]) -> int | None:
    """Return the least number of rounds until `wanted` nodes can be informed; None if that never happens."""
    others = sorted((calls[v] for v in range(len(calls)) if v not in sources), reverse=True)
    informed, able, rounds = len(sources), sum(calls[v] for v in sources), 0
    while informed < wanted:
        fresh = others[informed - len(sources) :][:able]
        if not fresh:
            return None
        informed, able, rounds = informed + len(fresh), able + sum(fresh), rounds + 1
    return rounds


def odd_order(problem: Problem) -> int | None:
    """Return ceil(log2 n) + 1 for a gossip with one port among an odd number n >= 3 of nodes.

    The proof is that of `odd_gossip_rounds`.
    """
    if problem.task != "gossip" or ports_of(problem) != 1:
        return None
    return odd_gossip_rounds(problem.network.node_count)


def two_round_capacity(problem: Problem) -> int | None:
    """Return three for a gossip for which two rounds lack capacity (Theorem 9); None otherwise.

    That is the case if in two rounds some node has to make more calls than it can, or if no call can pass
    through a node and some nodes are more than two steps apart.
    """
    if problem.task != "gossip" or problem.network.directed:
        return None
    return None if TwoRounds.of(problem).possible else 3


def tree_message(problem: Problem) -> int | None:
    """Return the exact time of a broadcast, multicast or accumulation in a tree with all ports.

    References
    ----------
    Cohen, Theorem 1 and Corollaries 1 and 2.
    """
    network = problem.broadcast_network
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
    """Return the exact time of a gossip in a tree with all ports.

    References
    ----------
    After Cohen, Lemmas 4 and 5; the proof is that of `trees.gossip_edge_bound`.
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
        "odd-order",
        "counting: with one port and an odd number of nodes somebody is idle in the last round",
        odd_order,
    ),
    LowerBound(
        "crowded-rounds",
        "theorem: two rounds leave no edges to pass through nodes (docs/theorems.md, Theorem 9)",
        two_round_capacity,
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
