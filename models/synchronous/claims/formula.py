"""The plain formula for "with these rounds in every step, C chunks a shipment get where they are wanted".

Variables, for every chunk c: has(c, v, s), "node v holds c after step s", and sent(c, route, s). The
constraints, a sentence each:
- a chunk is held after a step by those who held it before, or to whom it is sent in the step; before step 1
  by its origin only;
- who sends a chunk in a step held it before;
- over a link of bandwidth b go at most b r chunks in a step of r rounds;
- after the last step every destination holds the chunk.

With a group of translations the chunks of one shipment of every orbit stand for all, and a link carries what
is sent over any link of its orbit; such a formula only finds schedules, and its refutation proves nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import floor

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.network.automorphisms import Automorphism

from ..rules.collective import Collective, Shipment
from ..rules.steps import Send, Step, StepSchedule
from .hops import Route, hop_distances, neighbours
from .orbits import link_orbits, orbit_representatives, shipment_images

Item = tuple[int, int]
"""A chunk of a representative: the number of the shipment, and which of its chunks."""


@dataclass(frozen=True)
class StepsFormula:
    """The formula with the meaning of its variables.

    Attributes
    ----------
    sent
        The variable of every chunk, route and step that can be of use.
    """

    cnf: Cnf
    collective: Collective
    routes: Sequence[Route]
    step_rounds: tuple[int, ...]
    chunks: int
    group: Sequence[Automorphism]
    sent: Mapping[tuple[Item, int, int], int]

    def schedule(self, true: Collection[int]) -> StepSchedule:
        """Return the schedule in a model given by its true variables.

        Of all that is sent, what arrives first.
        """
        images = list(zip(self.group, shipment_images(self.collective, self.group), strict=True))
        held = {
            (self.collective.shipments[shipment].origin, (shipment, j))
            for shipment, j in {item for item, _, _ in self.sent}
        }
        steps: list[list[Send]] = []
        for step in range(1, len(self.step_rounds) + 1):
            sends: dict[tuple[int, int, tuple[int, ...]], list[int]] = defaultdict(list)
            arrived: set[tuple[int, Item]] = set()
            for (item, i, when), variable in self.sent.items():
                route = self.routes[i]
                if when != step or variable not in true or (route.receiver, item) in held | arrived:
                    continue
                arrived.add((route.receiver, item))
                for image, numbers in images:
                    way = tuple(image[v] for v in route.switches)
                    sends[image[route.sender], image[route.receiver], way].append(
                        numbers[item[0]] * self.chunks + item[1]
                    )
            held |= arrived
            steps.append([Send(u, v, tuple(sorted(c)), way) for (u, v, way), c in sorted(sends.items())])
        return StepSchedule(
            tuple(Step(r, tuple(sends)) for r, sends in zip(self.step_rounds, steps, strict=True)),
            self.chunks,
        )


def steps_formula(
    collective: Collective,
    routes: Sequence[Route],
    step_rounds: Sequence[int],
    chunks: int,
    group: Sequence[Automorphism],
) -> StepsFormula:
    """Return the formula for a collective with `chunks` chunks a shipment and the rounds of every step."""
    cnf = Cnf()
    network = collective.network
    near = neighbours(network)
    last = len(step_rounds)
    sent: dict[tuple[Item, int, int], int] = {}
    by_receiver: dict[int, list[tuple[int, Route]]] = defaultdict(list)
    for i, route in enumerate(routes):
        by_receiver[route.receiver].append((i, route))
    for shipment in orbit_representatives(collective, group):
        goods = collective.shipments[shipment]
        distance = hop_distances(near, goods.origin)
        for j in range(chunks):
            _add_chunk(cnf, sent, (shipment, j), goods, distance, by_receiver, last)
    formula = StepsFormula(cnf, collective, routes, tuple(step_rounds), chunks, group, sent)
    _limit_links(formula)
    return formula


def _add_chunk(
    cnf: Cnf,
    sent: dict[tuple[Item, int, int], int],
    item: Item,
    goods: Shipment,
    distance: Mapping[int, int],
    by_receiver: Mapping[int, Sequence[tuple[int, Route]]],
    last: int,
) -> None:
    """How one chunk spreads."""
    has: dict[tuple[int, int], int] = {}
    for v in sorted(distance):
        for step in range(distance[v], last + 1):
            has[v, step] = cnf.new()
    cnf.add(has[goods.origin, 0])
    for v in sorted(distance):
        for step in range(max(1, distance[v]), last + 1):
            reasons = [has[v, step - 1]] if (v, step - 1) in has else []
            for i, route in by_receiver[v]:
                if v != goods.origin and (route.sender, step - 1) in has:
                    variable = sent[item, i, step] = cnf.new()
                    cnf.add(-variable, has[route.sender, step - 1])
                    reasons.append(variable)
            cnf.add(-has[v, step], *reasons)
    for v in goods.destinations:
        if (v, last) in has:
            cnf.add(has[v, last])
        else:
            cnf.add()


def _limit_links(formula: StepsFormula) -> None:
    """Over every link go at most as many chunks as its bandwidth and the rounds of the step allow."""
    network, group = formula.collective.network, formula.group
    orbit = link_orbits(network.arcs, group)
    size: dict[tuple[int, int], int] = defaultdict(int)
    for link in network.arcs:
        size[orbit[link]] += 1
    crossing: dict[tuple[tuple[int, int], int], list[int]] = defaultdict(list)
    for (_, i, step), variable in formula.sent.items():
        for link in formula.routes[i].links:
            crossing[orbit[link], step].append(variable)
    for (link, step), literals in crossing.items():
        weight = len(group) // size[link]
        most = floor(network.bandwidth_of[link] * formula.step_rounds[step - 1]) // weight
        if most == 0:
            for literal in literals:
                formula.cnf.add(-literal)
        else:
            formula.cnf.at_most(literals, most)
