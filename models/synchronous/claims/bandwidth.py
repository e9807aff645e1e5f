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
    """Rounds per chunk that suffice whenever the steps do: every step sends whatever any tree of shortest
    ways of any shipment sends, one chunk over a link after another; of an allreduce, a chunk that every node
    sends to every other.
    """
    least = min(map(Fraction, problem.network.bandwidth_of.values()), default=Fraction(1))
    steps: int = problem.parameters["steps"]
    nodes = len(problem.network.compute_nodes)
    if problem.task == "allreduce":
        return steps * (ceil(nodes * nodes / least) + 1)
    return steps * (ceil(len(collective_of(mirrored(problem)).wanted) / least) + 1)


def distance_bound(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """More than suffices whenever the steps do: there are too few. Raises ClaimError when there are not."""
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
