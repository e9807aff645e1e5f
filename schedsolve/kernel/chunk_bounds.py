"""Bounds on collectives in steps that need no prices.

A reduce to a root is a broadcast from it in reverse time, on the network with all links
reversed: of the sends of a chunk that bring contributions to the root, the last ones of every
node form a tree, and in reverse these are a broadcast that does not load the links more. In the
same way a reduce-scatter is an allgather. So bounds of the one are bounds of the other.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from heapq import heappop, heappush
from math import ceil
from typing import Any

from .chunk_steps import shipments
from .network import Network, turned_round
from .steady_cuts import sends_bound
from .wrong import require


def as_copies(claim: dict[str, Any], network: Network) -> tuple[dict[str, Any], Network]:
    """Return the copying task that is the reverse of a task, and its network."""
    copies = {"reduce": "broadcast", "reduce-scatter": "allgather"}
    require(claim["task"] != "allreduce", "an allreduce copies and adds")
    if claim["task"] not in copies:
        return claim, network
    return {**claim, "task": copies[claim["task"]]}, turned_round(network)


def in_whole_rounds(claim: dict[str, Any], bound: Fraction) -> Fraction:
    """Return the bound, in whole rounds and at least one per step if the chunks are given."""
    chunks = claim.get("chunks")
    return Fraction(max(claim["steps"], ceil(chunks * bound)), chunks) if chunks else bound


def hop_costs(network: Network, prices: dict[Any, Fraction]) -> dict[tuple[int, int], Fraction]:
    """Return the least price of a link, or path through switches, between compute nodes."""
    costs: dict[tuple[int, int], Fraction] = {}
    for u in set(range(network.n)) - network.switches:
        done: set[int] = set()
        queue = [(Fraction(0), u)]
        while queue:
            cost, v = heappop(queue)
            if v not in done:
                done.add(v)
                if v != u and v not in network.switches:
                    costs[u, v] = cost
                else:
                    for w in network.heads[v]:
                        heappush(queue, (cost + prices.get((v, w), 0), w))
    return costs


def too_few_steps(claim: dict[str, Any], network: Network, files: dict[str, str]) -> float:
    """Each step moves a chunk by one hop, a link or a path of switches; some chunk needs more."""
    if claim["task"] == "allreduce":
        claim = {**claim, "task": "allgather", "sources": []}
    claim, network = as_copies(claim, network)
    hops = hop_costs(network, {})
    for origin, destinations in shipments(claim, network):
        near = {origin}
        for _ in range(claim["steps"]):
            near |= {v for u, v in hops if u in near}
        if not near.issuperset(destinations):
            return float("inf")
    return 0


def bandwidth_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """Each node receives what it must over its links, and sends over them what only it has.

    A chunk that is not copied takes a link for every hop of its route.
    """
    if claim["task"] == "allreduce":
        nodes = set(range(network.n)) - network.switches
        require(len(nodes) > 1, "a single node has nothing to send")
        sums = [
            sum(b for a, b in network.bandwidth.items() if a[end] == v)
            for v in nodes
            for end in (0, 1)
        ]
        return in_whole_rounds(claim, 1 / Fraction(min(sums)))
    mirrored, network = as_copies(claim, network)
    wanted = shipments(mirrored, network)
    received = Counter(v for _, destinations in wanted for v in destinations)
    sent = Counter(origin for origin, destinations in wanted if destinations)
    bounds = [Fraction(0)]
    for end, counted in ((0, sent), (1, received)):
        for v, count in counted.items():
            bounds.append(
                count / sum((b for a, b in network.bandwidth.items() if a[end] == v), Fraction(0))
            )
    if all(len(destinations) <= 1 for _, destinations in wanted):
        hops = hop_costs(network, dict.fromkeys(network.arcs, Fraction(1)))
        ways = {origin: cheapest_ways(hops, origin) for origin, _ in wanted}
        crossed = sum(ways[origin][v] for origin, destinations in wanted for v in destinations)
        bounds.append(crossed / Fraction(sum(network.bandwidth.values())))
    return in_whole_rounds(claim, max(bounds))


def cheapest_ways(hops: dict[Any, Fraction], origin: int) -> dict[int, Fraction]:
    """Return the least cost of hops from the origin to every node."""
    cost, changed = {origin: Fraction(0)}, True
    while changed:
        changed = False
        for (u, v), price in hops.items():
            if u in cost and (v not in cost or cost[u] + price < cost[v]):
                cost[v], changed = cost[u] + price, True
    return cost


def chunk_sends_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """In an allreduce every chunk is sent at least 2 (K - 1) times between K groups of nodes."""
    return in_whole_rounds(claim, sends_bound(claim, network, files))
