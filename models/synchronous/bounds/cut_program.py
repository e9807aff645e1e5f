"""The flow bound of copying tasks, from cuts in time.

Let tau give every compute node the number of steps after which it counts as reached: 0 for the origin of a
shipment, more than S for a destination. Each of the shipment's chunks crosses the cut: some send of it goes,
in a step s, from a node with tau <= s - 1 to one with tau > s. The program minimises the rounds per chunk
under all such cuts; a violated one is found as a minimum cut of the layered network. By duality of flows and
cuts its value is that of the flow program, one unit flow for every origin and destination below the sends.
With a group of translations, shipments of one orbit are sent alike.

References
----------
Ben-Ameur, Neto 2007 (Acceleration of cutting-plane and column generation algorithms), for where cuts are
sought.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from schedsolve.backends.time_cuts import minimum_cuts_in_time
from schedsolve.modelkit.problem import Problem
from schedsolve.network.automorphisms import Automorphism
from schedsolve.runtime.limits.own_limits import met

from ..claims.hops import Pair, Route, hop_costs, hop_distances, neighbours, routes
from ..claims.orbits import orbit_representatives
from ..claims.prices import price_bound, table_shares
from ..rules.collective import collective_of
from .rounding import exact_prices
from .step_program import FlowBound, StepProgram, price_to_data

SCALE = 10**7
MOST_VARIABLES = 100_000
"""Programs with more sends are not built."""
KEPT = 0.8
"""How much of the mean of optima stays when the next one joins it."""


@dataclass(frozen=True)
class Cut:
    """A cut in time of a shipment's way to a destination: tau by node."""

    shipment: int
    destination: int
    tau: dict[int, int]

    @property
    def key(self) -> tuple[int, ...]:
        """What tells it from others: the shipment, and tau of all nodes in the same order."""
        return self.shipment, *self.tau.values()

    def crosses(self, route: Route, step: int) -> bool:
        """Whether a send over the route in the step crosses the cut."""
        return self.tau[route.sender] <= step - 1 and self.tau[route.receiver] > step


class Proof(NamedTuple):
    """Of the last program solved: the value, the weights of cuts and links, the rounds of steps."""

    value: float
    cuts: list[float]
    links: list[float]
    step_rounds: tuple[float, ...]


class CutProgram(StepProgram):
    """The program with the cuts so far."""

    def __init__(self, problem: Problem, group: Sequence[Automorphism]) -> None:
        super().__init__(problem, group)
        self.shipments = list(orbit_representatives(self.collective, self.group))
        self.link_rows: dict[tuple[Pair, int], int] = {}
        self.send: dict[tuple[int, int, int], int] = {}
        self._add_sends()
        self._add_links()
        self.cuts: list[Cut] = []
        self.cut_rows: list[int] = []
        self.known: set[tuple[int, ...]] = set()
        self.waiting = list(self.first_cuts())
        self.mean: Any = None
        self.proof: Proof | None = None
        self.settled = False

    def _add_sends(self) -> None:
        near = neighbours(self.problem.network)
        for shipment in self.shipments:
            origin = self.collective.shipments[shipment].origin
            distance = hop_distances(near, origin)
            for i, route in enumerate(self.routes):
                if route.receiver != origin and route.sender in distance:
                    for step in range(distance[route.sender] + 1, self.steps + 1):
                        self.send[shipment, i, step] = self.lp.variable()

    def _add_links(self) -> None:
        """Bound what crosses a link in a step by its bandwidth times the rounds of the step."""
        network, orbit, size = self.problem.network, self.orbit, self.orbit_size
        load: dict[tuple[Pair, int], Counter[int]] = defaultdict(Counter)
        for (_, i, step), variable in self.send.items():
            for link in self.routes[i].links:
                load[orbit[link], step][variable] += len(self.group) // size[orbit[link]]
        for (link, step), loads in load.items():
            bandwidth = network.bandwidth_of[link]
            self.link_rows[link, step] = self.lp.row({**loads, self.rounds[step - 1]: -bandwidth}, "<=", 0)

    def add_cut(self, cut: Cut) -> None:
        """Require that a chunk crosses the cut."""
        crossing = {
            variable: 1
            for (shipment, i, step), variable in self.send.items()
            if shipment == cut.shipment and cut.crosses(self.routes[i], step)
        }
        self.cuts.append(cut)
        self.known.add(cut.key)
        self.cut_rows.append(self.lp.row(crossing, ">=", 1))

    def first_cuts(self) -> Iterator[Cut]:
        """For every destination, that it must receive."""
        for shipment in self.shipments:
            for to in self.collective.shipments[shipment].destinations:
                tau = dict.fromkeys(self.problem.network.compute_nodes, 0)
                yield Cut(shipment, to, {**tau, to: self.steps + 1})

    def violated_cuts(self, values: Any) -> Iterator[Cut]:
        """Yield a minimum cut for every destination that gets less than a whole chunk.

        values: of all variables, as an array or a list.
        """
        import numpy

        for shipment in self.shipments:
            goods = self.collective.shipments[shipment]
            nodes = self.problem.network.compute_nodes
            place = {v: i for i, v in enumerate(nodes)}
            amounts: dict[tuple[int, int, int], int] = defaultdict(int)
            for (owner, i, step), variable in self.send.items():
                if owner == shipment and values[variable] > 1e-9:
                    route = self.routes[i]
                    sent = step, place[route.sender], place[route.receiver]
                    amounts[sent] += int(values[variable] * SCALE)
            arcs = numpy.array(list(amounts), dtype=numpy.int64).reshape(-1, 3)
            room = numpy.array(list(amounts.values()), dtype=numpy.int64)
            ends = [place[to] for to in goods.destinations]
            found = minimum_cuts_in_time(len(nodes), self.steps, arcs, room, place[goods.origin], ends)
            for to, (value, first) in zip(goods.destinations, found, strict=True):
                if value < SCALE * (1 - 1e-6):
                    yield Cut(shipment, to, dict(zip(nodes, first, strict=True)))

    def _new_cuts(self, values: Any) -> list[Cut]:
        """Return the violated cuts that the program does not have, each once: destinations may share one."""
        found = {cut.key: cut for cut in self.violated_cuts(values)}
        return [cut for key, cut in found.items() if key not in self.known]

    def solve(self, seconds: float, left: Callable[[], float]) -> None:
        """Add cuts until none is violated or the time is up: so many CPU seconds, and at most what is left.

        Cuts are sought at a point between the optimum and the mean of those before (in-out separation), as
        many optima with few cuts have little in common. Where that gives no cut that is new, they are sought
        at the optimum, which decides whether there are more.
        """
        import numpy

        end = time.process_time() + seconds
        while True:
            for cut in self.waiting:
                self.add_cut(cut)
            value = self.lp.solve(left())
            if value is None:
                return
            duals, optimum = self.lp.duals(), numpy.array(self.lp.values())
            self.proof = Proof(
                value,
                [abs(duals[row]) for row in self.cut_rows],
                [abs(duals[row]) for row in self.link_rows.values()],
                tuple(float(optimum[r]) for r in self.rounds),
            )
            self.mean = optimum if self.mean is None else KEPT * self.mean + (1 - KEPT) * optimum
            inner = (optimum + self.mean) / 2
            # The mean may violate a cut that was added after most of the optima in it.
            self.waiting = self._new_cuts(inner)
            if not self.waiting:
                self.mean, self.waiting = inner, self._new_cuts(optimum)
            self.settled = not self.waiting
            if self.settled or time.process_time() > end or left() <= 0:
                return

    def flow_bound(self, seconds: float, left: Callable[[], float]) -> FlowBound | None:
        """Return the bound that cuts prove after more time (`solve`); None if the solver finds none."""
        self.solve(seconds, left)
        if self.proof is None:
            return None
        value, cuts, links, step_rounds = self.proof
        # Cuts that were added to a program without a solution in time prove nothing.
        weights = [*cuts, *[0.0] * (len(self.cuts) - len(cuts)), *links]
        found = exact_prices(weights, value, self.evidence, lambda data: price_bound(self.problem, data))
        return None if found is None else FlowBound(*found, step_rounds)

    def evidence(self, weights: Sequence[Fraction]) -> dict[str, Any]:
        """Return the price tables that weights of the cuts, and after them of the links' rows, give."""
        prices: dict[tuple[int, int], dict[tuple[int, int, int], Fraction]] = defaultdict(
            lambda: defaultdict(Fraction)
        )
        sent = {
            (shipment, self.routes[i].sender, self.routes[i].receiver, step)
            for shipment, i, step in self.send
        }
        hops = {(route.sender, route.receiver) for route in self.routes}
        for cut, weight in zip(self.cuts, weights, strict=False):
            if weight > 0:
                table = prices[cut.shipment, cut.destination]
                for u, v in hops:
                    for step in range(cut.tau[u] + 1, min(cut.tau[v], self.steps + 1)):
                        if (cut.shipment, u, v, step) in sent:
                            table[u, v, step] += weight
        tables = [
            {
                "shipment": shipment,
                "to": to,
                "prices": [[*hop, price_to_data(price)] for hop, price in sorted(table.items())],
            }
            for (shipment, to), table in prices.items()
        ]
        evidence = {"kind": "prices", "symmetries": [list(image) for image in self.group], "tables": tables}
        if self.problem.network.switches:
            charged = dict(zip(self.link_rows, weights[len(self.cuts) :], strict=True))
            evidence["links"] = self._covering_links(evidence, charged)
        return evidence

    def _covering_links(
        self, evidence: dict[str, Any], charged: dict[tuple[Pair, int], Fraction]
    ) -> list[list[Any]]:
        """Prices of links near those of their rows, raised until they cover what the tables charge."""
        network = self.problem.network
        prices = [
            {
                link: charged[orbit, step] * len(self.group) / self.orbit_size[orbit]
                for link, orbit in self.orbit.items()
                if charged.get((orbit, step))
            }
            for step in range(1, self.steps + 1)
        ]
        raised = Fraction(1)
        for share, links in zip(table_shares(self.problem, evidence), prices, strict=True):
            costs = hop_costs(network, links)
            raised = max([raised, *(price / costs[hop] for hop, price in share.items() if costs[hop])])
        return [
            [*link, step, price_to_data(price * raised)]
            for step, links in enumerate(prices, 1)
            for link, price in sorted(links.items())
        ]


def cut_program(problem: Problem, group: Sequence[Automorphism]) -> CutProgram | None:
    """Return the program of a copying task; None when it is too large."""
    representatives = len(list(orbit_representatives(collective_of(problem), group)))
    if representatives * len(routes(problem.network)) * problem.parameters["steps"] > MOST_VARIABLES:
        met("variables of cuts", MOST_VARIABLES)
        return None
    return CutProgram(problem, group)
