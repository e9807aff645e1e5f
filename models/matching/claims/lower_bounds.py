"""Lower bounds of the matching models that anybody can recompute: counting and distance arguments, and
theorems with their premises.

Every function takes a problem and gives a bound on its least number of rounds, or None where it says nothing.
`LOWER_BOUNDS` names them; a saved bound refers to one by name, and checking it is calling it again.

A broadcast and a multicast are the same in both modes, as a useful call goes one way only. An accumulation
takes as many rounds as a broadcast from its root on the network with all arcs turned round: run it backwards.
"""

from __future__ import annotations

from math import isqrt

from schedsolve.modelkit.theorem_bounds import LowerBound
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

from ..rules import is_two_way
from .exhaustive import exhaustive_search
from .knowledge_sizes import golden_rounds, least_rounds
from .trees import least_tree_broadcast_time, tree_broadcast_time


def as_broadcast(problem: Problem) -> Network:
    """The network on which the problem is a broadcast: turned round for an accumulation."""
    return problem.network.reversed() if problem.task == "accumulation" else problem.network


def distance(problem: Problem) -> int | None:
    """The message crosses one edge a round, so the farthest target needs at least its distance from the
    sources.

    For an open source the least or greatest such distance; a gossip contains a broadcast from every node.
    """
    network = as_broadcast(problem)
    if problem.task == "gossip" or problem.choice:
        farthest = [d for d in network.eccentricities if d is not None]
        return min(farthest) if problem.choice == "min" else max(farthest)
    distances = network.distances_from(problem.sources)
    return max(distances[v] or 0 for v in problem.targets)


def doubling(problem: Problem) -> int | None:
    """At most twice as many nodes are informed after a round as before it."""

    sources, informed = head_count(problem)
    return next(t for t in range(informed + 1) if sources << t >= informed)


def degree_growth(problem: Problem) -> int | None:
    """A node of degree d that was called can inform at most d - 1 others, one a round; a source of degree d
    at most d.

    Counted with the largest degree of all nodes in place of d.
    """

    network = as_broadcast(problem)
    sources, wanted = head_count(problem)
    degree = max((len(out) for out in network.successors), default=0)
    relay = degree if network.directed else degree - 1
    return growth_rounds(sources, wanted, degree, relay)


def growth_rounds(sources: int, wanted: int, first: int, relay: int) -> int | None:
    """The rounds until so many nodes are informed when every source informs a node in each of the rounds 1 to
    `first`, and whoever is informed later one in each of the next `relay` rounds; None when it never comes
    to that.
    """
    informed = sources
    fresh: list[int] = []
    while informed < wanted:
        recent = fresh[max(0, len(fresh) - relay) :] if relay > 0 else []
        calls = (sources if len(fresh) < first else 0) + sum(recent)
        if not calls:
            return None
        fresh.append(calls)
        informed += calls
    return len(fresh)


def head_count(problem: Problem) -> tuple[int, int]:
    """The number of nodes informed at the start, and the number that must be informed in the end."""
    if problem.task == "gossip" or problem.choice:
        return 1, len(problem.targets)
    return len(problem.sources), len(set(problem.sources) | set(problem.targets))


def odd_order(problem: Problem) -> int | None:
    """Two-way gossip among an odd number n >= 3 of nodes takes at least ceil(log2 n) + 1 rounds.

    Some node is idle in the last round M, and before it a node knows at most 2^(M-1) items; so n <= 2^(M-1).
    """
    n = problem.network.node_count
    if problem.task != "gossip" or not is_two_way(problem) or n < 3 or n % 2 == 0:
        return None
    return (n - 1).bit_length() + 1


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
    """On the cycle of n nodes: two-way n/2 for even n, (n+3)/2 for odd n, both exact. One-way at least n/2 +
    ceil(sqrt(2n)) - 1 for even n, exact, and at least (n+1)/2 + ceil(sqrt(2n - 1/2)) - 1 for odd n.
    """
    network, n = problem.network, problem.network.node_count
    is_cycle = not network.directed and n >= 3 and len(network.edges) == n and network.is_connected
    if problem.task != "gossip" or not is_cycle or any(len(near) != 2 for near in network.successors):
        return None
    if is_two_way(problem):
        return n // 2 if n % 2 == 0 else (n + 3) // 2
    # ceil(sqrt(2n)) = isqrt(2n - 1) + 1, and ceil(sqrt(2n - 1/2)) = ceil(sqrt(8n - 2) / 2) =
    # ceil(ceil(sqrt(8n - 2)) / 2).
    return n // 2 + isqrt(2 * n - 1) if n % 2 == 0 else (n + 1) // 2 + (isqrt(8 * n - 3) + 2) // 2 - 1


LOWER_BOUNDS = (
    LowerBound("distance", "distance: a message crosses one edge a round", distance),
    LowerBound("doubling", "counting: the informed nodes at most double in a round", doubling),
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
    LowerBound("exhaustive", "exhaustive search, at most four nodes", exhaustive_search, exact=True),
    LowerBound(
        "cycle-gossip", "theorem: gossiping in cycles (Hromkovic, Jeschke, Monien 1990)", cycle_gossip
    ),
)
