"""Lower bounds that need no evidence: distance, one round a step, and what must cross the links at a node.

- Distance: a chunk makes at most one hop a step, so that fewer steps than the greatest distance never do.
- Steps: with C chunks, S steps of one round or more are S / C rounds per chunk.
- Bandwidth: what a node must receive comes in over its links, and what only it has goes out over its links; a
  chunk without copies crosses a link in every hop of its way, and all links together take in their bandwidths
  each round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.problem import Problem

from ..rules.collective import Collective, collective_of
from ..rules.mirror import mirrored, spreading
from .hops import Pair, hop_costs, least_steps


def worst_rounds_per_chunk(problem: Problem) -> int:
    """The horizon: if there is a schedule in so many steps, of whatever chunks and rounds, there is one of so
    many rounds per chunk, of as many chunks.

    Proof. What becomes of a chunk does not depend on other chunks. So of any schedule keep, of each of the U
    units (shipments; of a reduce-scatter the nodes' parts; an allreduce and an ordered reduce have one), the
    sends of its first chunk, but none from a node to itself, which changes nothing. That is a schedule of one
    chunk a unit in the same steps. Let it load a link in a step with D times U chunks at most. Steps of
    ceil(U D / b) rounds each, b the least bandwidth, then carry all of it, and with each chunk cut into C as
    many rounds per chunk do for C chunks.

    D: a send crosses a link at most once, as it passes no switch twice. Without switches a link is the way of
    one sender to one receiver, which sends it a chunk at most once in a step: D = 1. With switches, D is at
    most the number of sends of a chunk in a step. In a copying task every one of the n compute nodes but the
    origin is sent the chunk at most once, n - 1; unordered reduces and reduce-scatters are copying tasks run
    backwards (`rules.mirror`). Where sums are formed otherwise each node is sent it by every other node at
    most once, n (n - 1).
    """
    least = min(map(Fraction, problem.network.bandwidth_of.values()))
    nodes, steps = len(problem.network.compute_nodes), int(problem.parameters["steps"])
    sums = problem.task == "allreduce" or "ordered" in problem.parameters
    units = 1 if problem.task == "allreduce" else len(collective_of(mirrored(problem)).wanted)
    crossings = 1 if not problem.network.switches else (nodes - 1) * (nodes if sums else 1)
    return steps * ceil(units * crossings / least)


def distance_bound(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """More than the horizon: the steps are too few, as a chunk makes one hop in each at most. Raises
    ClaimError when they are not.
    """
    needed, steps = least_steps(collective_of(spreading(problem))), problem.parameters["steps"]
    if steps >= needed:
        raise ClaimError(f"no destination is more than {needed} hops away, and there are {steps} steps")
    return worst_rounds_per_chunk(problem) + 1


def steps_bound(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """One round a step. Raises ClaimError when the number of chunks is not given."""
    chunks = problem.parameters.get("chunks")
    if chunks is None:
        raise ClaimError("without a number of chunks the steps bound nothing")
    return Fraction(problem.parameters["steps"], chunks)


def bandwidth_bound(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """The best of the bandwidth bounds at all nodes, and over all links for tasks without copies."""
    collective = collective_of(problem)
    into, out = _sums(problem, 1), _sums(problem, 0)
    received = Counter(v for shipment in collective.wanted for v in shipment.destinations)
    sent = Counter(shipment.origin for shipment in collective.wanted)
    best = max(
        [Fraction(0)]
        + [count / into[v] for v, count in received.items() if v in into]
        + [count / out[v] for v, count in sent.items() if v in out]
    )
    if not collective.copies:
        best = max(best, _all_links(collective))
    return whole_rounds(problem, best)


def whole_rounds(problem: Problem, rounds_per_chunk: Fraction) -> Fraction:
    """The bound for whole rounds, where the number of chunks is given."""
    chunks = problem.parameters.get("chunks")
    if chunks is None:
        return rounds_per_chunk
    return Fraction(max(problem.parameters["steps"], ceil(chunks * rounds_per_chunk)), chunks)


def _sums(problem: Problem, end: int) -> dict[int, Fraction]:
    """For every node the bandwidth of its links in (end 1) or out (end 0), together."""
    total: dict[int, Fraction] = {}
    for link, bandwidth in problem.network.bandwidth_of.items():
        total[link[end]] = total.get(link[end], Fraction(0)) + bandwidth
    return total


def _all_links(collective: Collective) -> Fraction:
    """The links that all chunks have to cross together, against what all links take in."""
    network = collective.network
    ones: dict[Pair, Fraction] = dict.fromkeys(network.arcs, Fraction(1))
    hops = hop_costs(network, ones)
    near: dict[int, list[tuple[int, Fraction]]] = {}
    for (u, v), cost in hops.items():
        near.setdefault(u, []).append((v, cost))
    ways = {
        origin: _cheapest_ways(near, origin) for origin in {shipment.origin for shipment in collective.wanted}
    }
    crossed = sum(
        (ways[s.origin].get(v, Fraction(0)) for s in collective.wanted for v in s.destinations), Fraction(0)
    )
    return crossed / sum(network.bandwidth_of.values(), Fraction(0))


def _cheapest_ways(near: Mapping[int, list[tuple[int, Fraction]]], origin: int) -> dict[int, Fraction]:
    """The least sum of costs of hops from the origin to every node, however many hops."""
    cost = {origin: Fraction(0)}
    frontier = {origin}
    while frontier:
        improved = set()
        for u in frontier:
            for v, step in near.get(u, []):
                if v not in cost or cost[u] + step < cost[v]:
                    cost[v] = cost[u] + step
                    improved.add(v)
        frontier = improved
    return cost
