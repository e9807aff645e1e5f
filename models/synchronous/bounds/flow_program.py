"""The exact least rounds per chunk of tasks without copies, over all numbers of chunks.

A linear program of flows through the steps, whose dual prices the links.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from schedsolve.backends.growing_lp import GrowingLp
from schedsolve.network.automorphisms import Automorphism
from schedsolve.problem import Problem

from ..claims.hops import routes
from ..claims.orbits import link_orbits
from ..claims.prices import price_bound
from ..rules.collective import collective_of
from .commodities import FlowNetwork, commodities
from .cut_program import FlowBound, price_to_data
from .rounding import exact_prices

MOST_ARCS = 200_000
"""Programs with more arcs are not built."""


def unshared_flow_bound(problem: Problem, group: Sequence[Automorphism]) -> FlowBound | None:
    """Return the bound with its evidence; None when the program is too large or the solver fails."""
    collective, steps = collective_of(problem), int(problem.parameters["steps"])
    network = problem.network
    flow = FlowNetwork(network, routes(network), steps)
    for number, commodity in enumerate(commodities(collective, group)):
        flow.add(number, commodity)
        if len(flow.arcs) > MOST_ARCS:
            return None
    lp = GrowingLp()
    chunks = problem.parameters.get("chunks")
    rounds = [lp.variable(1, Fraction(1, chunks) if chunks else 0) for _ in range(steps)]
    amount = [lp.variable() for _ in flow.arcs]
    for place, arcs in flow.balance.items():
        row = {amount[j]: sign for j, sign in arcs.items()}
        lp.row(row, "=", flow.excess.get(place, 0))
    orbit = link_orbits(network.arcs, group)
    rows = {}
    for (link, step), load in flow.loads(orbit, len(group)).items():
        row = {amount[j]: times for j, times in load.items()}
        rows[link, step] = lp.row({**row, rounds[step - 1]: -network.bandwidth_of[link]}, "<=", 0)
    value = lp.solve()
    if value is None:
        return None
    size = {link: sum(o == link for o in orbit.values()) for link in set(orbit.values())}

    def evidence(weights: Sequence[Fraction]) -> dict[str, Any]:
        price = dict(zip(rows, weights, strict=True))
        links = [
            [u, v, step, price_to_data(price[orbit[u, v], step])]
            for step in range(1, steps + 1)
            for u, v in network.arcs
            if price.get((orbit[u, v], step))
        ]
        return {"kind": "prices", "links": links}

    duals = lp.duals()
    weights = [abs(duals[row]) / size[link] * len(group) for (link, _), row in rows.items()]
    found = exact_prices(weights, value, evidence, lambda data: price_bound(problem, data))
    values = lp.values()
    return None if found is None else FlowBound(*found, tuple(values[r] for r in rounds))
