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

from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

from ..rules.collective import Collective, collective_of
from ..rules.mirror import mirrored, spreading
from .hops import least_steps


def worst_rounds_per_chunk(problem: Problem) -> int:
    """Return the horizon of rounds per chunk.

    If there is a schedule in so many steps, of whatever chunks and rounds, there is one of so many rounds per
    chunk, of as many chunks.

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
    """More than the horizon: the steps are too few, as a chunk makes one hop in each at most.

    Raises
    ------
    ClaimError
        If they are not.
    """
    needed, steps = least_steps(collective_of(spreading(problem))), problem.parameters["steps"]
    if steps >= needed:
        raise ClaimError(f"no destination is more than {needed} hops away, and there are {steps} steps")
    return worst_rounds_per_chunk(problem) + 1


def bandwidth_bound(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """Return the best of the bandwidth bounds at all nodes, and over all links for tasks without copies."""
    collective = collective_of(problem)
    received = Counter(v for shipment in collective.wanted for v in shipment.destinations)
    sent = Counter(shipment.origin for shipment in collective.wanted)
    into, out = (bandwidth_at(problem.network, end) for end in (1, 0))
    bounds = [count / into[v] for v, count in received.items()]
    bounds += [count / out[v] for v, count in sent.items()]
    if not collective.copies:
        bounds.append(_all_links(collective))
    return whole_rounds(problem, max(bounds))


def whole_rounds(problem: Problem, rounds_per_chunk: Fraction) -> Fraction:
    """Return the bound for whole rounds, one a step at least, where the number of chunks is given."""
    chunks = problem.parameters.get("chunks")
    if chunks is None:
        return rounds_per_chunk
    return Fraction(max(problem.parameters["steps"], ceil(chunks * rounds_per_chunk)), chunks)


def bandwidth_at(network: Network, end: int) -> dict[int, Fraction]:
    """For every compute node the bandwidth of its links in (end 1) or out (end 0), together."""
    total = dict.fromkeys(network.compute_nodes, Fraction(0))
    for link, bandwidth in network.bandwidth_of.items():
        if link[end] in total:
            total[link[end]] += bandwidth
    return total


def _all_links(collective: Collective) -> Fraction:
    """Return the links that all chunks have to cross together, against what all links take in."""
    network = collective.network
    away = {s.origin: network.distances_from([s.origin]) for s in collective.wanted}
    crossed = Fraction(0)
    for shipment in collective.wanted:
        for v in shipment.destinations:
            links = away[shipment.origin][v]
            assert links is not None
            crossed += links
    return crossed / sum(network.bandwidth_of.values())
