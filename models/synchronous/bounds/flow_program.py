"""The exact least rounds per chunk of tasks without copies, over all numbers of chunks.

A linear program of flows through the steps, whose dual prices the links.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from schedsolve.network.automorphisms import Automorphism
from schedsolve.problem import Problem

from ..claims.prices import price_bound
from .commodities import FlowNetwork, commodities
from .step_program import FlowBound, StepProgram, price_to_data

MOST_ARCS = 200_000
"""Programs with more arcs are not built."""


def unshared_flow_bound(problem: Problem, group: Sequence[Automorphism]) -> FlowBound | None:
    """Return the bound with its evidence; None when the program is too large or the solver fails."""
    network, program = problem.network, StepProgram(problem, group)
    flow = FlowNetwork(network, program.routes, program.steps)
    for number, commodity in enumerate(commodities(program.collective, group)):
        flow.add(number, commodity)
        if len(flow.arcs) > MOST_ARCS:
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
    value = lp.solve()
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
    return program.exact_bound(weights, value, evidence, price_bound)
