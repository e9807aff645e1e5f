"""Allgather in breadth-first order: a chunk crosses distance t in step t.

Zhao, Zhang, Krishnamurthy, Hao (NSDI 2025): when every node gets its chunks by shortest ways, what a node
receives in step t depends on nothing else, and is balanced over its links by a flow. Step t lasts as long as
the node that needs longest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, lcm

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
    origins = sorted({origin for group in arrival.senders.values() for origin in group})
    bandwidth = {u: Fraction(network.bandwidth_of[u, arrival.receiver]) for u in arrival.senders}
    value = Fraction(len(origins)) / sum(bandwidth.values(), Fraction(0))
    while True:
        flow = _spread(arrival, {u: b * value for u, b in bandwidth.items()}, Fraction(1))
        stuck = flow[1]
        if not stuck:
            return value
        confined = {u for u in arrival.senders if any(o in stuck for o in arrival.senders[u])}
        value = Fraction(len(stuck)) / sum((bandwidth[u] for u in confined), Fraction(0))


def _spread(
    arrival: Arrivals, room: dict[int, Fraction], amount: Fraction
) -> tuple[dict[tuple[int, int], Fraction], set[int]]:
    """Return a largest flow of `amount` from every origin over the senders that have the chunk.

    Each sender has so much room. The flow is by (origin, sender); with it come the origins of a set that has
    too little room, none when all pass.
    """
    has: dict[int, list[int]] = defaultdict(list)
    for u, group in arrival.senders.items():
        for origin in group:
            has[origin].append(u)
    flow: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    used: dict[int, Fraction] = defaultdict(Fraction)
    for origin in sorted(has):
        missing = amount
        while missing > 0:
            way = _augmenting_way(origin, has, flow, used, room)
            if isinstance(way, set):
                return flow, way
            step = min(missing, room[way[-1][1]] - used[way[-1][1]])
            for (_, u), (other, _) in pairwise(way):
                step = min(step, flow[other, u])
            for place, (one, u) in enumerate(way):
                flow[one, u] += step
                if place + 1 < len(way):
                    flow[way[place + 1][0], u] -= step
            used[way[-1][1]] += step
            missing -= step
    return flow, set()


def _augmenting_way(
    origin: int,
    has: dict[int, list[int]],
    flow: dict[tuple[int, int], Fraction],
    used: dict[int, Fraction],
    room: dict[int, Fraction],
) -> list[tuple[int, int]] | set[int]:
    """Return a way that ends at a sender with room, or the origins that are stuck together.

    It is (origin, sender), (other, its sender), ..., each next origin giving way at the sender before.
    """
    before: dict[int, tuple[int, int] | None] = {origin: None}
    via: dict[int, int] = {}
    frontier = [origin]
    seen: set[int] = set()
    for current in frontier:
        for u in has[current]:
            if u in seen:
                continue
            seen.add(u)
            via[u] = current
            if used[u] < room[u]:
                way = [(current, u)]
                while before[current] is not None:
                    current, taken = before[current]  # type: ignore[misc]  # noqa: PLW2901
                    way.append((current, taken))
                return way[::-1]
            for other in has:
                if other not in before and flow[other, u] > 0:
                    before[other] = (current, u)
                    frontier.append(other)
    return set(before)


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
                    {
                        u: Fraction(network.bandwidth_of[u, arrival.receiver] * rounds // 1)
                        for u in arrival.senders
                    },
                    Fraction(chunks),
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
    flow: dict[tuple[int, int], Fraction],
    chunks: int,
    place: dict[int, int],
    group: Sequence[Automorphism],
) -> list[Send]:
    """Return the sends of an arrival and of its images."""
    given: dict[int, int] = defaultdict(int)
    carried: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for (origin, u), amount in sorted(flow.items()):
        for _ in range(int(amount)):
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
