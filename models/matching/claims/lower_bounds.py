"""Lower bounds of the matching models that anybody can recompute.

Counting and distance arguments, and theorems with their premises.

Every function takes a problem and gives a bound on its least number of rounds, or None where it says nothing.
`LOWER_BOUNDS` names them; a saved bound refers to one by name, and checking it is calling it again.

A broadcast and a multicast are the same in both modes, as a useful call goes one way only. An accumulation
takes as many rounds as a broadcast from its root on the network with all arcs turned round: run it backwards.
"""

from __future__ import annotations

from math import isqrt

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.theorem_bounds import LowerBound, odd_gossip_rounds

from ..rules import is_two_way
from .knowledge_sizes import golden_rounds, least_rounds
from .trees import least_tree_broadcast_time, tree_broadcast_time


def distance(problem: Problem) -> int | None:
    """Return the distance of the farthest target from the sources.

    A message crosses one edge a round.

    For an open source the least or greatest such distance; a gossip contains a broadcast from every node.
    """
    network = problem.broadcast_network
    if problem.task == "gossip" or problem.choice:
        farthest = [d for d in network.eccentricities if d is not None]
        return min(farthest) if problem.choice == "min" else max(farthest)
    distances = network.distances_from(problem.sources)
    return max(distances[v] or 0 for v in problem.targets)


def degree_growth(problem: Problem) -> int | None:
    """Return the bound by counting calls: a called node of degree d informs at most d - 1 others.

    It informs one a round, and a source of degree d at most d. The largest degree of all nodes is taken in
    place of d.
    """
    network = problem.broadcast_network
    sources, wanted = head_count(problem)
    degree = max(map(len, network.successors), default=0)
    relay = degree if network.directed else degree - 1
    return growth_rounds(sources, wanted, degree, relay)


def growth_rounds(sources: int, wanted: int, first: int, relay: int) -> int | None:
    """Return the rounds until `wanted` nodes are informed.

    Every source informs a node in each of the rounds 1 to `first`, and whoever is informed later one in each
    of the next `relay` rounds; None when it never comes to that.
    """
    informed = sources
    fresh: list[int] = []
    while informed < wanted:
        recent = fresh[-relay:] if relay > 0 else []
        calls = (sources if len(fresh) < first else 0) + sum(recent)
        if not calls:
            return None
        fresh.append(calls)
        informed += calls
    return len(fresh)


def head_count(problem: Problem) -> tuple[int, int]:
    """Return the number of nodes informed at the start, and the number that must be informed in the end."""
    if problem.task == "gossip" or problem.choice:
        return 1, len(problem.targets)
    return len(problem.sources), len(set(problem.sources) | set(problem.targets))


def odd_order(problem: Problem) -> int | None:
    """Return ceil(log2 n) + 1 for a two-way gossip among an odd number n >= 3 of nodes.

    The proof is that of `odd_gossip_rounds`.
    """
    if problem.task != "gossip" or not is_two_way(problem):
        return None
    return odd_gossip_rounds(problem.network.node_count)


def golden_ratio(problem: Problem) -> int | None:
    """One-way gossip among n nodes in M rounds needs phi^M >= n, phi = (1 + sqrt 5)/2.

    Let entry (u, v) of a matrix count the ways in which u's item can travel to v, waiting included. It is the
    product, over the rounds, of I + (the calls' matching); such a factor has spectral norm phi at most. After
    a gossip no entry is 0, so the norm is at least n.

    `knowledge_sizes` says as much or more for n >= 2: it is at least 2 + the least t with phi^t >= n/2, and
    phi^2 > 2.
    """
    if problem.task != "gossip" or is_two_way(problem):
        return None
    return golden_rounds(problem.network.node_count)


def knowledge_sizes(problem: Problem) -> int | None:
    """One-way gossip: by how much nodes know, the first two rounds and the last two taken apart."""
    if problem.task != "gossip" or is_two_way(problem) or problem.network.node_count < 2:
        return None
    return least_rounds(problem.network.node_count)


def tree_broadcast(problem: Problem) -> int | None:
    """In a tree, each node calls the child whose subtree takes longest first; no broadcast is faster."""
    if problem.task == "gossip" or not problem.network.is_tree:
        return None
    if problem.choice == "min":
        return least_tree_broadcast_time(problem.network)
    if problem.choice == "max":
        return max(tree_broadcast_time(problem.network, v) for v in range(problem.network.node_count))
    if len(problem.sources) > 1:
        return None
    return tree_broadcast_time(problem.network, problem.sources[0], problem.targets)


def tree_gossip(problem: Problem) -> int | None:
    """In a tree with at least two nodes, r = 2 min b one-way and r_2 = 2 min b - 1 two-way."""
    network = problem.network
    if problem.task != "gossip" or not network.is_tree:
        return None
    if network.node_count == 1:
        return 0
    return 2 * least_tree_broadcast_time(network) - (1 if is_two_way(problem) else 0)


def cycle_gossip(problem: Problem) -> int | None:
    """On the cycle of n nodes: two-way n/2 for even n, (n+3)/2 for odd n, both exact.

    One-way at least n/2 + ceil(sqrt(2n)) - 1 for even n, exact, and at least (n+1)/2 + ceil(sqrt(2n - 1/2)) -
    1 for odd n.
    """
    network, n = problem.network, problem.network.node_count
    # The network of a gossip is connected.
    is_cycle = not network.directed and all(len(near) == 2 for near in network.successors)
    if problem.task != "gossip" or not is_cycle:
        return None
    if is_two_way(problem):
        return n // 2 + 2 * (n % 2)
    # ceil(sqrt(2n - 1/2)) = ceil(sqrt(2n)) = isqrt(2n - 1) + 1: no square lies between 2n - 1/2 and 2n.
    return (n + 1) // 2 + isqrt(2 * n - 1)


LOWER_BOUNDS = (
    LowerBound("distance", "distance: a message crosses one edge a round", distance),
    LowerBound(
        "degree-growth", "counting: a called node of degree d informs at most d - 1 others", degree_growth
    ),
    LowerBound(
        "odd-order", "counting: with an odd number of nodes somebody is idle in the last round", odd_order
    ),
    LowerBound(
        "golden-ratio",
        "counting: knowledge grows by at most the golden ratio a round (one-way)",
        golden_ratio,
        listed=False,
    ),
    LowerBound(
        "knowledge-sizes",
        "theorem: by how much nodes know between the outer rounds (docs/theorems.md, Theorems 5 and 7)",
        knowledge_sizes,
    ),
    LowerBound(
        "tree-broadcast",
        "theorem: broadcasting in trees (Slater, Cockayne, Hedetniemi 1981)",
        tree_broadcast,
        exact=True,
    ),
    LowerBound(
        "tree-gossip",
        "theorem: r = 2 min b, r_2 = 2 min b - 1 on trees (Hromkovic et al., section 2)",
        tree_gossip,
        exact=True,
    ),
    LowerBound(
        "cycle-gossip", "theorem: gossiping in cycles (Hromkovic, Jeschke, Monien 1990)", cycle_gossip
    ),
)
