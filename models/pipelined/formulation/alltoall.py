"""Alltoall: the linear programme of flows, those of one source taken together, one source and one load for every
orbit; its lengths and flows in fractions.

Variables: the time T, and x[s, e] >= 0, what link e carries of the flow of source s. Minimise T.

- Every other compute node gets 1 unit of the flow more than it sends; a switch sends what it gets; nothing comes back
  to the source.
- The links of an orbit carry T times their bandwidths at most, when every source stands for its orbit.

With the group's means in place of any solution nothing is lost: they solve the programme too, in the same time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from schedsolve.backends.lp import FloatSolution, float_solution
from schedsolve.formulas.linear_program import LinearProgram
from schedsolve.network.graph import Network

from ..rules.demand import Link
from ..rules.orbits import Orbits

ALL_AT_ONCE = 6000
"""Variables up to which the simplex method gets the whole programme; else a first-order method says which of them
are worth it."""
LARGEST_PROGRAM = 600_000
SLACKNESS = 1e-4
"""Relative to the longest length: a variable is worth it when its link is no longer than a shortest way by so much."""


@dataclass(frozen=True)
class Sources:
    """The sources that stand for all: the first compute node of every orbit, with its orbit's size, and orbits."""

    network: Network
    orbits: Orbits
    sizes: Mapping[int, int]

    @classmethod
    def of(cls, network: Network, orbits: Orbits) -> Sources:
        """Those of a network with the orbits of some automorphisms."""
        sizes = {v: size for v, size in orbits.node_count.items() if v not in network.switches}
        return cls(network, orbits, sizes)

    @property
    def variable_count(self) -> int:
        """Of the whole programme, about."""
        return len(self.sizes) * len(self.network.arcs)


def alltoall_program(
    sources: Sources, kept: Mapping[int, Sequence[Link]]
) -> tuple[LinearProgram, dict[tuple[int, Link], int], dict[Link, int]]:
    """The programme with the kept links of every source; the variables of its flows, and its rows of loads by the
    first link of the orbit. Variable 0 is the time.
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
                program.add(row, "=", 0 if v in network.switches else 1)
    rows = {first: program.add(row, ">=", 0) for first, row in loads.items()}
    return program, variables, rows


@dataclass(frozen=True)
class AlltoallFlows:
    """lengths: of the first link of every orbit. flows: of every source, amounts by link, in fractions that
    conserve exactly.
    """

    lengths: Mapping[Link, Fraction]
    flows: Mapping[int, Mapping[Link, Fraction]]


def alltoall_flows(sources: Sources, seconds: float) -> Iterator[AlltoallFlows | None]:
    """Lengths and flows, each better than the last, and None in between; none when the programme is too large or
    not solved in so many seconds.
    """
    end = time.monotonic() + seconds
    network = sources.network
    whole = {s: [(u, v) for u, v in network.arcs if v != s] for s in sources.sizes}
    if sources.variable_count > LARGEST_PROGRAM:
        return
    kept: dict[int, list[Link]] = whole
    if sources.variable_count > ALL_AT_ONCE:
        program, _, rows = alltoall_program(sources, whole)
        yield None
        rough = float_solution(program, end - time.monotonic(), first_order=True)
        if rough is None:
            return
        lengths = _float_lengths(sources, rough, rows)
        kept = {s: _worth_it(sources, lengths, s) for s in sources.sizes}
    while time.monotonic() < end:
        yield None
        program, variables, rows = alltoall_program(sources, kept)
        solution = float_solution(program, end - time.monotonic())
        if solution is None:
            return
        lengths = _float_lengths(sources, solution, rows)
        yield AlltoallFlows(_rounded_lengths(lengths), _rounded_flows(sources, solution, variables))
        missed = {s: set(_worth_it(sources, lengths, s)) - set(kept[s]) for s in sources.sizes}
        if kept is whole or not any(missed.values()):
            return
        kept = {s: [*kept[s], *sorted(missed[s])] for s in sources.sizes}


def _float_lengths(sources: Sources, solution: FloatSolution, rows: Mapping[Link, int]) -> dict[Link, float]:
    lengths = {first: max(0.0, solution.multipliers[i]) for first, i in rows.items()}
    longest = max(lengths.values())
    return {first: x / longest for first, x in lengths.items()} if longest else lengths


def _worth_it(sources: Sources, lengths: Mapping[Link, float], source: int) -> list[Link]:
    """The links that lie on about shortest ways from the source."""
    from heapq import heappop, heappush

    network = sources.network
    length = {link: lengths[sources.orbits.link[link]] for link in network.arcs}
    distance: dict[int, float] = {}
    queue = [(0.0, source)]
    while queue:
        d, u = heappop(queue)
        if u not in distance:
            distance[u] = d
            for v in network.successors[u]:
                if v not in distance:
                    heappush(queue, (d + length[u, v], v))
    return [
        (u, v)
        for u, v in network.arcs
        if v != source and distance[u] + length[u, v] <= distance[v] + SLACKNESS
    ]


def _rounded_lengths(lengths: Mapping[Link, float]) -> dict[Link, Fraction]:
    return {first: Fraction(x).limit_denominator(1000) for first, x in lengths.items()}


def _rounded_flows(
    sources: Sources, solution: FloatSolution, variables: Mapping[tuple[int, Link], int]
) -> dict[int, dict[Link, Fraction]]:
    flows: dict[int, dict[Link, Fraction]] = {s: {} for s in sources.sizes}
    for (s, link), x in variables.items():
        amount = Fraction(solution.values[x]).limit_denominator(10**4)
        if amount > 0:
            flows[s][link] = amount
    return flows
