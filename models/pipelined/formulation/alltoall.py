"""Alltoall: the linear program of flows.

The flows of one source are taken together, with one source and one load for every orbit; lengths and flows
are in fractions.

Variables: the time T, and x[s, e] >= 0, what link e carries of the flow of source s. Minimise T.

- Every other compute node gets 1 unit of the flow more than it sends, or what the sizes say; a switch sends
  what it gets; nothing comes back to the source.
- The links of an orbit carry T times their bandwidths at most, when every source stands for its orbit.

With the group's means in place of any solution nothing is lost: they solve the program too, in the same
time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from time import process_time

from schedsolve.backends.lp import FloatSolution, float_solution
from schedsolve.modelkit.formulas.linear_program import LinearProgram
from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network
from schedsolve.runtime.limits.own_limits import met

from ..claims.lengths import distances_from
from ..rules import link_loads
from ..rules.demand import Link, flow_ends, flow_units
from ..rules.orbits import Orbits, orbits
from ..rules.schedule import Flow, PipelinedSchedule
from .exact_flows import exact_flows, rounded_flows

ALL_AT_ONCE = 6000
"""Variables up to which the simplex method gets the whole program; else a first-order method says which of
them are worth it."""
LARGEST_PROGRAM = 600_000
SLACKNESS = 1e-4
"""Relative to the longest length: a variable is worth it when its link is no longer than a shortest way by so
much.
"""
TINY = 1e-7
"""What a float solution carries below it is nothing, and a load that is nearer to its limit, relative to it,
is full.
"""
DENOMINATORS = (60, 1000, 10**6)
"""Lengths are rounded to fractions with these denominators at most; the best are kept."""


@dataclass(frozen=True)
class Sources:
    """The sources that stand for all.

    Attributes
    ----------
    network
        Without relays.
    orbits
        Of its nodes and links under some automorphisms.
    sizes
        The first compute node of every orbit that sends something, with its orbit's size.
    units
        What each of them sends to others.
    """

    network: Network
    orbits: Orbits
    sizes: Mapping[int, int]
    units: Mapping[int, Mapping[int, int]]

    @classmethod
    def of(cls, problem: Problem, symmetries: Sequence[Sequence[int]] = ()) -> Sources:
        """Those of an alltoall, perhaps with sizes, without relays; automorphisms keep it."""
        of = orbits(problem.network, symmetries)
        sizes = {v: of.node_count[v] for v in flow_ends(problem) if v in of.node_count}
        return cls(problem.network, of, sizes, {v: flow_units(problem, v) for v in sizes})

    @property
    def variable_count(self) -> int:
        """Of the whole program, about."""
        return len(self.sizes) * len(self.network.arcs)


def alltoall_program(
    sources: Sources, kept: Mapping[int, Sequence[Link]]
) -> tuple[LinearProgram, dict[tuple[int, Link], int], dict[Link, int]]:
    """Return the program with the kept links of every source.

    The variables of its flows, and its rows of loads by the first link of the orbit.

    Variable 0 is the time.
    """
    network, orbits = sources.network, sources.orbits
    program = LinearProgram()
    program.variable(cost=1)
    loads: dict[Link, dict[int, Fraction | int]] = {
        first: {0: count * network.bandwidth_of[first]} for first, count in orbits.link_count.items()
    }
    variables: dict[tuple[int, Link], int] = {}
    for source, size in sources.sizes.items():
        balance: list[dict[int, Fraction | int]] = [{} for _ in range(network.node_count)]
        for u, v in kept[source]:
            variables[source, (u, v)] = x = program.variable()
            balance[v][x] = 1
            balance[u][x] = -1
            row = loads[orbits.link[u, v]]
            row[x] = row.get(x, 0) - size
        for v, row in enumerate(balance):
            if v != source:
                program.add(row, "=", sources.units[source].get(v, 0))
    rows = {first: program.add(row, ">=", 0) for first, row in loads.items()}
    return program, variables, rows


@dataclass(frozen=True)
class AlltoallFlows:
    """lengths: of the first link of every orbit.

    Attributes
    ----------
    bound
        The time that they prove.
    flows
        Of every source, amounts by link, which conserve exactly; none when rounding spoilt them.
    time
        That the flows take.
    """

    lengths: Mapping[Link, Fraction]
    bound: Fraction
    flows: Mapping[int, Mapping[Link, Fraction]]
    time: Fraction


def alltoall_flows(sources: Sources, seconds: float) -> Iterator[AlltoallFlows | None]:
    """Lengths and flows, the last ones the best, and None in between.

    None when the program is too large or not solved in so many seconds.
    """
    end = process_time() + seconds
    network = sources.network
    whole = {s: [(u, v) for u, v in network.arcs if v != s] for s in sources.sizes}
    if sources.variable_count > LARGEST_PROGRAM:
        met("variables", LARGEST_PROGRAM)
        return
    kept: dict[int, list[Link]] = whole
    if sources.variable_count > ALL_AT_ONCE:
        program, _, rows = alltoall_program(sources, whole)
        yield None
        rough = float_solution(program, end - process_time(), first_order=True)
        if rough is None:
            return
        lengths = _float_lengths(rough, rows)
        kept = {s: _worth_it(sources, lengths, s) for s in sources.sizes}
    while process_time() < end:
        yield None
        program, variables, rows = alltoall_program(sources, kept)
        solution = float_solution(program, end - process_time())
        if solution is None:
            return
        lengths = _float_lengths(solution, rows)
        yield None
        found = _in_fractions(sources, lengths, solution, variables)
        missed = {s: set(_worth_it(sources, lengths, s)) - set(kept[s]) for s in sources.sizes}
        done = kept is whole or not any(missed.values())
        if done and found.time == found.bound and len(variables) <= ALL_AT_ONCE:
            yield None
            found = _with_fewest_hops(sources, found, kept, end - process_time())
        yield found
        if done:
            met("as a denominator of lengths", DENOMINATORS[-1])
            return
        kept = {s: [*kept[s], *sorted(missed[s])] for s in sources.sizes}
    met("seconds", seconds)


def _with_fewest_hops(
    sources: Sources, found: AlltoallFlows, kept: Mapping[int, Sequence[Link]], seconds: float
) -> AlltoallFlows:
    """Return flows of the same time that load the links least in all; the given ones unless they are exact.

    They make fewer messages, and leave more links something that needs not arrive first.
    """
    program, variables, _ = alltoall_program(sources, kept)
    program.costs = [0, *(sources.sizes[source] for source, _ in variables)]
    program.add({0: 1}, "=", found.bound)
    solution = float_solution(program, seconds)
    if solution is None:
        return found
    flows, time = _flows_near(sources, solution, variables, found.bound)
    return replace(found, flows=flows) if time == found.time else found


def _in_fractions(
    sources: Sources,
    lengths: Mapping[Link, float],
    solution: FloatSolution,
    variables: Mapping[tuple[int, Link], int],
) -> AlltoallFlows:
    """Return what fractions near the solution prove."""
    rounded = [
        {first: Fraction(x).limit_denominator(most) for first, x in lengths.items()} for most in DENOMINATORS
    ]
    bound, best = max(((_bound(sources, x), x) for x in rounded), key=lambda pair: pair[0])
    flows, time = _flows_near(sources, solution, variables, bound)
    return AlltoallFlows(best, bound, flows, time)


def _flows_near(
    sources: Sources, solution: FloatSolution, variables: Mapping[tuple[int, Link], int], bound: Fraction
) -> tuple[Mapping[int, Mapping[Link, Fraction]], Fraction]:
    """Return flows in fractions near the solution, and their time: the bound, if they can have it."""
    network, orbits = sources.network, sources.orbits
    about: dict[int, dict[Link, float]] = {s: {} for s in sources.sizes}
    for (s, link), x in variables.items():
        if solution.values[x] > TINY:
            about[s][link] = solution.values[x]
    carried: dict[Link, float] = dict.fromkeys(orbits.link_count, 0.0)
    for s, flow in about.items():
        for link, amount in flow.items():
            carried[orbits.link[link]] += sources.sizes[s] * amount
    full = [
        first
        for first, load in carried.items()
        if load > orbits.link_count[first] * network.bandwidth_of[first] * solution.values[0] * (1 - TINY)
    ]
    flows = exact_flows(network, orbits, sources.units, about, full, bound) or rounded_flows(
        network, sources.units, about
    )
    schedule = PipelinedSchedule(bound, flows=flows_of(flows))
    time = time_of_loads(network, link_loads(network, schedule, orbits)) if flows else Fraction(0)
    return flows, time


def flows_of(flows: Mapping[int, Mapping[Link, Fraction]]) -> tuple[Flow, ...]:
    """Flows as a schedule has them."""
    return tuple(
        Flow(s, tuple((u, v, x) for (u, v), x in sorted(flow.items()))) for s, flow in sorted(flows.items())
    )


def time_of_loads(network: Network, loads: Mapping[Link, Fraction]) -> Fraction:
    """Return the least time in which no link is above its bandwidth."""
    return max(
        (load / Fraction(network.bandwidth_of[link]) for link, load in loads.items()), default=Fraction(0)
    )


def _bound(sources: Sources, lengths: Mapping[Link, Fraction]) -> Fraction:
    """Return the time that the lengths prove."""
    network, orbits = sources.network, sources.orbits
    unit = lcm(*(x.denominator for x in lengths.values()))
    whole = {link: int(lengths[orbits.link[link]] * unit) for link in network.arcs}
    capacity = sum((Fraction(b) * whole[link] for link, b in network.bandwidth_of.items()), Fraction(0))
    if not capacity:
        return Fraction(0)
    total = 0
    for s, size in sources.sizes.items():
        distance = distances_from(network, whole, [s])
        total += size * sum(x * distance[v] for v, x in sources.units[s].items())
    return total / capacity


def _float_lengths(solution: FloatSolution, rows: Mapping[Link, int]) -> dict[Link, float]:
    """Return the multipliers of the loads' rows, the longest 1."""
    lengths = {first: max(0.0, solution.multipliers[i]) for first, i in rows.items()}
    longest = max(lengths.values())
    return {first: x / longest for first, x in lengths.items()} if longest else lengths


def _worth_it(sources: Sources, lengths: Mapping[Link, float], source: int) -> list[Link]:
    """Return the links that lie on about shortest ways from the source."""
    network = sources.network
    length = {link: lengths[sources.orbits.link[link]] for link in network.arcs}
    distance = distances_from(network, length, [source])
    return [
        (u, v)
        for u, v in network.arcs
        if v != source and u in distance and distance[u] + length[u, v] <= distance[v] + SLACKNESS
    ]
