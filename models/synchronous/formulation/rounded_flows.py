"""Schedules of tasks without copies for many chunks: the flows of the linear program, rounded.

The flow of every commodity falls apart into weighted routes in time. Of C chunks a route gets its weight
times C, rounded down; each chunk that is left takes the route of its pair on which the fullest link is the
least full, in parts of what the program lets pass there. With more chunks less is lost.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from schedsolve.modelkit.problem import Problem
from schedsolve.network.automorphisms import Automorphism
from schedsolve.network.bandwidths import rounds_needed

from ..bounds.commodities import Hops, weighted_ways
from ..bounds.flow_program import UnsharedFlow
from ..claims.hops import Pair
from ..rules.collective import collective_of
from ..rules.steps import StepSchedule, steps_of_sends
from .whole_flows import Way, sends_of_ways

CHUNKS = (1, 4, 12, 60, 240)
"""Numbers of chunks that are tried, one after the other, where none is given."""
MOST_SENT = 200_000
"""Chunks of all shipments beyond which no schedule is built."""
TINY = 1e-6


def rounded_flows(
    problem: Problem, found: UnsharedFlow, group: Sequence[Automorphism]
) -> Iterator[StepSchedule]:
    """Yield schedules along the program's flows, for the given number of chunks or some."""
    collective, given = collective_of(problem), problem.parameters.get("chunks")
    choices = [
        (pair, ways)
        for number, commodity in enumerate(found.parts)
        for pair, ways in _of_pairs(weighted_ways(found.flow, number, commodity, found.amounts)).items()
    ]
    demand = Counter((s.origin, s.destinations[0]) for s in collective.wanted)
    for chunks in CHUNKS if given is None else (given,):
        if chunks * len(collective.wanted) <= MOST_SENT:
            ways = _rounded(found, choices, demand, chunks)
            sends = sends_of_ways(collective, chunks, found.flow, ways, group)
            yield StepSchedule(steps_of_sends(sends, _rounds(problem, sends)), chunks)


Choices = Sequence[tuple[Pair, Mapping[Hops, float]]]


def _of_pairs(ways: Mapping[tuple[int, int, Hops], float]) -> dict[Pair, dict[Hops, float]]:
    """Return the weights of the ways by origin and destination."""
    found: dict[Pair, dict[Hops, float]] = defaultdict(lambda: defaultdict(float))
    for (origin, destination, hops), weight in ways.items():
        found[origin, destination][hops] += weight
    return found


def _rounded(found: UnsharedFlow, choices: Choices, demand: Mapping[Pair, int], chunks: int) -> Iterator[Way]:
    """Yield a way for every chunk of every pair."""
    room = {place: max(most * chunks, TINY) for place, most in found.room.items()}
    load: Counter[tuple[Pair, int]] = Counter()
    left: list[tuple[Pair, list[Hops]]] = []
    for pair, weights in choices:
        whole, total = demand[pair] * chunks, sum(weights.values())
        times = {hops: int(weight / total * whole + TINY) for hops, weight in weights.items()}
        for hops, count in times.items():
            for place, use in found.loads(hops).items():
                load[place] += use * count
            for _ in range(count):
                yield *pair, hops
        left += [(pair, list(weights))] * (whole - sum(times.values()))
    for pair, ways in left:

        def fullest(hops: Hops) -> tuple[float, float]:
            shares = [(load[place] + use) / room[place] for place, use in found.loads(hops).items()]
            return max(shares), sum(shares)

        hops = min(ways, key=fullest)
        load.update(found.loads(hops))
        yield *pair, hops


def _rounds(
    problem: Problem, sends: Mapping[int, Mapping[tuple[int, int, tuple[int, ...]], Sequence[int]]]
) -> list[int]:
    """Return how many rounds every step needs."""
    bandwidth_of, rounds = problem.network.bandwidth_of, [1] * int(problem.parameters["steps"])
    for step, own in sends.items():
        load: Counter[Pair] = Counter()
        for (u, v, switches), numbers in own.items():
            nodes = (u, *switches, v)
            load.update(dict.fromkeys(pairwise(nodes), len(numbers)))
        rounds[step - 1] = max(1, rounds_needed(load, bandwidth_of))
    return rounds
