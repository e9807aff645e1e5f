"""The exact least rounds per chunk of tasks without copies, over all numbers of chunks.

A linear program of flows through the steps, whose dual prices the links.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.network.automorphisms import Automorphism
from schedsolve.runtime.limits.own_limits import met

from ..claims.hops import Pair
from ..claims.prices import price_bound
from .commodities import Commodity, FlowNetwork, Hops, commodities
from .step_program import FlowBound, StepProgram, price_to_data

MOST_ARCS = 200_000
"""Programs with more arcs are not built."""


@dataclass(frozen=True)
class UnsharedFlow:
    """A solution of the program.

    Attributes
    ----------
    bound
        What its prices prove, with the evidence; None when that is nothing.
    flow, parts, amounts
        The network in time, its commodities, and the flow on each arc, for one chunk a shipment.
    room
        What passes each link of an orbit in each step.
    orbit
        Of every link the one that stands for its orbit.
    """

    bound: FlowBound | None
    flow: FlowNetwork
    parts: Sequence[Commodity]
    amounts: Sequence[float]
    room: Mapping[tuple[Pair, int], float]
    orbit: Mapping[Pair, Pair]

    def loads(self, hops: Hops) -> Counter[tuple[Pair, int]]:
        """How often a way and its images use the links of an orbit in a step, a multiple of each link's."""
        return Counter((self.orbit[e], step) for i, step in hops for e in self.flow.routes[i].links)


def unshared_flow(problem: Problem, group: Sequence[Automorphism], seconds: float) -> UnsharedFlow | None:
    """Return the least rounds per chunk and a flow that takes them.

    None when the program is too large, the solver fails, or the seconds of CPU time do not suffice.
    """
    network, program = problem.network, StepProgram(problem, group)
    flow = FlowNetwork(network, program.routes, program.steps)
    parts = commodities(program.collective, group)
    for number, commodity in enumerate(parts):
        flow.add(number, commodity)
        if len(flow.arcs) > MOST_ARCS:
            met("arcs of flows", MOST_ARCS)
            return None
    lp, orbit = program.lp, program.orbit
    amount = [lp.variable() for _ in flow.arcs]
    for place, arcs in flow.balance.items():
        row = {amount[j]: sign for j, sign in arcs.items()}
        lp.row(row, "=", flow.excess.get(place, 0))
    rows = {}
    for (link, step), load in flow.loads(orbit, len(group)).items():
        row = {amount[j]: times for j, times in load.items()}
        rows[link, step] = lp.row({**row, program.rounds[step - 1]: -network.bandwidth_of[link]}, "<=", 0)
    value = lp.solve(seconds)
    if value is None:
        return None

    def evidence(weights: Sequence[Fraction]) -> dict[str, Any]:
        price = dict(zip(rows, weights, strict=True))
        links = [
            [u, v, step, price_to_data(price[orbit[u, v], step])]
            for step in range(1, program.steps + 1)
            for u, v in network.arcs
            if price.get((orbit[u, v], step))
        ]
        return {"kind": "prices", "links": links}

    duals = lp.duals()
    weights = [abs(duals[row]) / program.orbit_size[link] * len(group) for (link, _), row in rows.items()]
    values = lp.values()
    room = {
        (link, step): values[program.rounds[step - 1]]
        * float(network.bandwidth_of[link])
        * program.orbit_size[link]
        / len(group)
        for link, step in rows
    }
    amounts = [values[x] for x in amount]
    bound = program.exact_bound(weights, value, evidence, price_bound)
    return UnsharedFlow(bound, flow, parts, amounts, room, orbit)
