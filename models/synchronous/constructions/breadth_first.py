"""Allgather in breadth-first order: a chunk crosses distance t in step t.

Zhao, Zhang, Krishnamurthy, Hao (NSDI 2025): when every node gets its chunks by shortest ways, what a node
receives in step t depends on nothing else, and is balanced over its links by a flow. Step t lasts as long as
the node that needs longest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, lcm

from schedsolve.modelkit.formulas.flows import FlowNetwork
from schedsolve.network.automorphisms import Automorphism
from schedsolve.network.graph import Network

from ..bounds.translations import node_representatives, translations
from ..claims.hops import hop_distances, neighbours
from ..rules.steps import Send, Step, StepSchedule


@dataclass(frozen=True)
class Arrivals:
    """What one node receives in one step.

    For every neighbour that can send, the origins whose chunks it can send.
    """

    receiver: int
    step: int
    senders: dict[int, tuple[int, ...]]


@lru_cache(maxsize=4)
def arrivals(network: Network) -> list[Arrivals]:
    """Return the arrivals at one receiver of every orbit under `translations`, by step; without switches."""
    near = neighbours(network)
    distance = {v: hop_distances(near, v) for v in network.compute_nodes}
    found = []
    for v in node_representatives(network.compute_nodes, translations(network)):
        by_step: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for origin in network.compute_nodes:
            if origin != v:
                step = distance[origin][v]
                for u in network.predecessors[v]:
                    if distance[origin].get(u) == step - 1:
                        by_step[step][u].append(origin)
        for step, senders in sorted(by_step.items()):
            found.append(Arrivals(v, step, {u: tuple(origins) for u, origins in senders.items()}))
    return found


@lru_cache(maxsize=4)
def breadth_first_rounds(network: Network) -> list[Fraction]:
    """Return the rounds per chunk of every step, as many as the diameter."""
    longest: dict[int, Fraction] = defaultdict(Fraction)
    for arrival in arrivals(network):
        longest[arrival.step] = max(longest[arrival.step], least_rounds(network, arrival))
    return [longest[step] for step in sorted(longest)]


def least_rounds(network: Network, arrival: Arrivals) -> Fraction:
    """Return the least rounds per chunk in which an arrival can pass.

    By the binding set of links, found by Newton steps on cuts.
    """
    origins = {origin for group in arrival.senders.values() for origin in group}
    bandwidth = {u: Fraction(network.bandwidth_of[u, arrival.receiver]) for u in arrival.senders}
    value = Fraction(len(origins)) / sum(bandwidth.values(), Fraction(0))
    while True:
        unit = lcm(*((b * value).denominator for b in bandwidth.values()))
        _, stuck = _spread(arrival, {u: int(b * value * unit) for u, b in bandwidth.items()}, unit)
        if not stuck:
            return value
        confined = {u for u in arrival.senders if not stuck.isdisjoint(arrival.senders[u])}
        value = Fraction(len(stuck)) / sum((bandwidth[u] for u in confined), Fraction(0))


def _spread(
    arrival: Arrivals, room: Mapping[int, int], amount: int
) -> tuple[dict[tuple[int, int], int], set[int]]:
    """Return a largest flow of `amount` from every origin over the senders that have the chunk.

    Each sender has so much room. The flow is by (origin, sender); with it come the origins of a set that has
    too little room, none when all pass.
    """
    pairs = [(origin, u) for u, group in arrival.senders.items() for origin in group]
    origins = dict.fromkeys(sorted({origin for origin, _ in pairs}))
    place = {origin: i for i, origin in enumerate(origins, 2)}
    at = {u: i for i, u in enumerate(arrival.senders, 2 + len(origins))}
    arcs = [(0, place[origin]) for origin in origins]
    arcs += [(place[origin], at[u]) for origin, u in pairs] + [(at[u], 1) for u in at]
    # No least cut separates an origin from a sender.
    whole = amount * len(origins)
    capacities = [*(amount for _ in origins), *(whole for _ in pairs), *(room[u] for u in at)]
    network = FlowNetwork(2 + len(origins) + len(at), arcs, capacities)
    value, near = network.cut([0], [1])
    flow = dict(zip(pairs, network.flow()[len(origins) :], strict=False))
    return flow, {v for v in origins if place[v] in near} if value < whole else set()


def breadth_first_allgather(network: Network, chunks: int | None, steps: int) -> StepSchedule:
    """Return the schedule of an allgather in which chunks spread breadth-first.

    It has the given number of chunks or one for which no rounding is needed, and so many steps, the diameter
    or more: later steps of several rounds are divided, or followed by empty ones.
    """
    needed = breadth_first_rounds(network)
    if chunks is None:
        chunks = lcm(*(r.denominator for r in needed))
        chunks *= max(1, ceil(Fraction(steps) / (chunks * sum(needed, Fraction(0)))))
    by_step: dict[int, list[Arrivals]] = defaultdict(list)
    for arrival in arrivals(network):
        by_step[arrival.step].append(arrival)
    place = {v: i for i, v in enumerate(network.compute_nodes)}
    built = []
    for step, longest in enumerate(needed, 1):
        rounds = ceil(longest * chunks)
        sends = []
        while True:
            spread = [
                _spread(
                    arrival,
                    {u: int(network.bandwidth_of[u, arrival.receiver] * rounds) for u in arrival.senders},
                    chunks,
                )
                for arrival in by_step[step]
            ]
            if not any(stuck for _, stuck in spread):
                break
            rounds += 1
        for arrival, (flow, _) in zip(by_step[step], spread, strict=True):
            sends += _sends(arrival, flow, chunks, place, translations(network))
        built.append(Step(rounds, tuple(sends)))
    return StepSchedule(tuple(divided(network, built, steps)), chunks)


def _sends(
    arrival: Arrivals,
    flow: Mapping[tuple[int, int], int],
    chunks: int,
    place: dict[int, int],
    group: Sequence[Automorphism],
) -> list[Send]:
    """Return the sends of an arrival and of its images."""
    given: dict[int, int] = defaultdict(int)
    carried: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for (origin, u), amount in sorted(flow.items()):
        for _ in range(amount):
            carried[u].append((origin, given[origin]))
            given[origin] += 1
    return [
        Send(
            image[u],
            image[arrival.receiver],
            tuple(sorted(place[image[origin]] * chunks + j for origin, j in items)),
        )
        for image in group
        for u, items in sorted(carried.items())
    ]


def divided(network: Network, built: Sequence[Step], steps: int) -> list[Step]:
    """Return the steps, as many as asked for.

    The last ones of several rounds are divided until there are so many, or empty ones added.
    """
    whole = list(built)
    while len(whole) < steps:
        for at in reversed(range(len(whole))):
            halves = _halves(network, whole[at])
            if halves:
                whole[at : at + 1] = halves
                break
        else:
            return [*whole, *(Step(1, ()) for _ in range(steps - len(whole)))]
    return whole


def _halves(network: Network, step: Step) -> list[Step]:
    """Return a first round and the others, when the step has several and its sends can be divided so."""
    first, rest = [], []
    for send in step.sends:
        if step.rounds == 1 or send.switches:
            return []
        bandwidth = Fraction(network.bandwidth_of[send.sender, send.receiver])
        now = max(0, len(send.chunks) - int(bandwidth * (step.rounds - 1) // 1))
        if now > bandwidth:
            return []
        first.append(send._replace(chunks=send.chunks[:now]))
        rest.append(send._replace(chunks=send.chunks[now:]))
    return [
        Step(1, tuple(send for send in first if send.chunks)),
        Step(step.rounds - 1, tuple(send for send in rest if send.chunks)),
    ]
