"""Schedules of tasks without copies, as flows of whole chunks through the steps (CP-SAT).

The constraints, a sentence each: of every commodity, at every node and between any two steps, what comes in
goes out; over a link of bandwidth b go at most b r chunks in a step of r rounds; a step has at least one
round; the rounds add up to what is asked at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from schedsolve.backends.cpsat import CpModel, least_solution
from schedsolve.modelkit.problem import Problem
from schedsolve.network.automorphisms import Automorphism
from schedsolve.runtime.limits.own_limits import met

from ..bounds.commodities import FlowNetwork, Hops, commodities, ways_of_chunks
from ..claims.hops import routes
from ..claims.orbits import link_orbits
from ..rules.collective import Collective, collective_of
from ..rules.steps import StepSchedule, steps_of_sends

MOST_ARCS = 200_000


def whole_flow_schedule(
    problem: Problem, chunks: int, rounds: int, group: Sequence[Automorphism], seconds: float
) -> StepSchedule | None:
    """Return a schedule of `chunks` chunks a shipment and so many rounds at most, invariant under the group.

    None when none is found in so many seconds.
    """
    collective, steps = collective_of(problem), int(problem.parameters["steps"])
    network = problem.network
    flow = FlowNetwork(network, routes(network), steps)
    parts = commodities(collective, group)
    for number, commodity in enumerate(parts):
        flow.add(number, commodity)
        if len(flow.arcs) > MOST_ARCS:
            return None
    most = chunks * len(collective.wanted)
    model = CpModel()
    amount = [model.integer(0, most) for _ in flow.arcs]
    longest = most * max(b.denominator for b in map(Fraction, network.bandwidth_of.values()))
    length = [model.integer(1, max(longest, rounds)) for _ in range(steps)]
    for place, arcs in flow.balance.items():
        out = chunks * flow.excess.get(place, 0)
        model.linear({amount[j]: sign for j, sign in arcs.items()}, "=", out)
    orbit = link_orbits(network.arcs, group)
    for (link, step), load in flow.loads(orbit, len(group)).items():
        bandwidth = Fraction(network.bandwidth_of[link])
        terms = {amount[j]: times * bandwidth.denominator for j, times in load.items()}
        model.linear({**terms, length[step - 1]: -bandwidth.numerator}, "<=", 0)
    model.linear(dict.fromkeys(length, 1), "<=", rounds)
    found = least_solution(model, {}, seconds)
    if found is None:
        met("seconds for whole flows", seconds)
        return None
    ways = (
        way
        for number, commodity in enumerate(parts)
        for way in ways_of_chunks(flow, number, commodity, chunks, lambda j: found.value(amount[j]))
    )
    sends = sends_of_ways(collective, chunks, flow, ways, group)
    return StepSchedule(steps_of_sends(sends, [found.value(x) for x in length]), chunks)


Sends = dict[int, dict[tuple[int, int, tuple[int, ...]], list[int]]]
"""By step: the chunks by sender, receiver and the switches between them."""
Way = tuple[int, int, Hops]
"""Of a chunk: its origin, its destination and its hops."""


def sends_of_ways(
    collective: Collective,
    chunks: int,
    flow: FlowNetwork,
    ways: Iterable[Way],
    group: Sequence[Automorphism],
) -> Sends:
    """Return the sends of chunks along ways, and of their images under the group."""
    sends: Sends = defaultdict(lambda: defaultdict(list))
    numbering = _numbering(collective, chunks)
    for origin, destination, hops in ways:
        for image in group:
            chunk = next(numbering[image[origin], image[destination]])
            for i, step in hops:
                route = flow.routes[i]
                way = tuple(image[v] for v in route.switches)
                sends[step][image[route.sender], image[route.receiver], way].append(chunk)
    return sends


def _numbering(collective: Collective, chunks: int) -> dict[tuple[int, int], Iterator[int]]:
    """For every origin and destination, the numbers of the chunks that go there, one after another."""
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, shipment in enumerate(collective.shipments):
        if shipment.destinations:
            numbers = range(number * chunks, (number + 1) * chunks)
            found[shipment.origin, shipment.destinations[0]] += numbers
    return {ends: iter(numbers) for ends, numbers in found.items()}
