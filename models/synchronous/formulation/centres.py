"""Schedules of many chunks: each is added up at a centre where the task is a sum, and copied from there.

A centre is a compute node, or 2, 4, 8, ... of them. In the first t steps the contributions to a chunk come
together along trees that end at the nodes of its centre; where these are 2^k, they exchange their sums in k
steps, in each with another node; then the result goes out along trees from them. With more nodes there is
enough time for many more centres: in a network in which every node is D hops from some other, one node takes
2 D steps, two ends of a link often 2 D - 1, and a cube of dimension D as a whole D.

A shipment of an allgather or a broadcast is copied from its origin, its only centre; no contributions come
together. Shipments of one orbit under a group of translations are sent alike. The buffer of an allreduce is
cut into as many equal parts as the group has translations, and each part is added up and copied as its
translation moves the first; likewise that of a broadcast, by automorphisms that keep the source.

The program gives weights to such plans, which add up to 1 for every shipment, and minimises the rounds per
chunk. Plans enter by column generation. Their trees are grown (`tree_growth`), not the cheapest ones, so the
program's value is what can be reached and no bound. Chunks are shared out among the plans by rounding and a
local search.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import Any, Literal, NamedTuple

from schedsolve.backends.growing_lp import GrowingLp
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.network.automorphisms import Automorphism
from schedsolve.runtime.errors import InputError

from ..claims.hops import neighbours, routes
from ..claims.orbits import link_orbits, shipment_images
from ..rules.collective import collective_of
from ..rules.steps import Send, Step, StepSchedule
from .centre_nodes import COPYING, Centre, centres_of
from .tree_growth import TreeGrowth

MOST_ROUTES, MOST_TRIED = 20_000, 60
"""The most routes between compute nodes; the most centres with their times that one pass goes through."""
MOST_SENT = 300_000
"""Chunks times destinations beyond which no schedule is built."""
CENTRE_SECONDS = 3.0, 12.0
"""CPU seconds for plans, before schedules are made of them."""
CHUNKS = (1, 12, 60, 240)
"""Numbers of chunks that are tried where none is given, beside one for which all weights are whole."""
MOST_IMAGES = 200
"""So many automorphisms are tried that move a plan."""
FITTING = 6
"""So many numbers of chunks are tried besides, for which whole rounds lose the least."""
MOST_WHOLE = 720
"""The greatest such number."""
BLURS = (0.0, *(0.01, 0.1, 0.3, 1.0) * 15)
"""By how much prices are changed at random for growing trees, until a cheaper plan is found."""
SHARPNESS, PASSES, FEWEST = (5.0, 10.0, 20.0, 40.0, 80.0, 160.0), 4, 200
NOISE, LIGHT, TINY, MUCH, MOST_PASSES = 1e-7, 1e-6, 1e-9, 1000, 6
Style = Literal["plain", "detour", "relays"]
"""How trees are grown: node after node, by way of a random node, or first to nodes that save most."""
STYLES: tuple[Style, ...] = ("plain", "detour", "relays", "relays")


class Plan(NamedTuple):
    """The sends of a chunk of a shipment: step, number of the route, and whether the receiver adds."""

    shipment: int
    sends: tuple[tuple[int, int, bool], ...]


class CentreProgram:
    """The program with the plans so far.

    Parameters
    ----------
    problem
        An allreduce, or a task that copies from every origin.
    group
        Automorphisms under which shipments, or parts of the buffer, are sent alike; None for no two.
    seed
        For the random number generator.
    """

    def __init__(self, problem: Problem, group: Sequence[Automorphism] | None = None, seed: int = 0) -> None:
        import numpy

        network = problem.network
        self.problem = problem
        self.steps: int = problem.parameters["steps"]
        self.random = numpy.random.RandomState(seed)
        self.growth = TreeGrowth(network)
        self.group = list(group or [tuple(range(network.node_count))])
        self.centres = list(centres_of(problem, self.group))
        self.sums = problem.task not in COPYING
        self.parts = len(self.group) if self.sums or problem.task == "broadcast" else 1
        self.ranks = ranks = ranks_of(problem)
        copied = {} if problem.task not in COPYING else dict(enumerate(collective_of(problem).shipments))
        self.wanted = (
            {c.shipment: copied[c.shipment].destinations for c in self.centres} if copied else {0: ranks}
        )
        orbits = link_orbits(network.arcs, self.group)
        number = {link: i for i, link in enumerate(dict.fromkeys(orbits.values()))}
        size = Counter(orbits.values())
        self.bandwidths = [Fraction(network.bandwidth_of[link]) for link in number]
        self.orbit = numpy.array([number[orbits[link]] for link in self.growth.links])
        self.times = [len(self.group) // size[link] for link in number]
        self.lp = GrowingLp()
        self.rounds = [self.lp.variable(1) for _ in range(self.steps)]
        self.rows: dict[tuple[int, int], int] = {}
        self.whole = {shipment: self.lp.row({}, ">=", 1) for shipment in self.wanted}
        self.plans: dict[Plan, int] = {}

    @staticmethod
    def fits(problem: Problem) -> bool:
        """Whether there are few enough routes."""
        whole = problem.task in ("allreduce", *COPYING) and not problem.parameters.get("ordered")
        pairs = sum(map(len, neighbours(problem.network).values()))
        if not whole or pairs > MOST_ROUTES:
            return False
        try:
            return len(routes(problem.network)) <= MOST_ROUTES
        except InputError:
            return False

    def improve(self, seconds: float) -> Iterator[float | None]:
        """Add plans until none is cheaper or so many CPU seconds are up; yield the value after every pass."""
        import numpy

        end = time.process_time() + seconds
        if self.centres and not self.plans:
            yield from self._spread(min(end, time.process_time() + seconds / 2))
        while time.process_time() < end:
            value = self.lp.solve()
            yield value
            if value is None:
                return
            duals = self.lp.duals()
            price = numpy.zeros((self.steps, len(self.times)))
            for (orbit, step), row in self.rows.items():
                price[step - 1, orbit] = abs(duals[row]) * self.times[orbit]
            costs = price[:, self.orbit]
            if not any(self._cheaper_plans(costs, duals, blur, end) for blur in BLURS):
                return

    def _spread(self, end: float) -> Iterator[None]:
        """Add plans that avoid what the plans before them load, for every centre once or more."""
        import numpy

        load = numpy.zeros((self.steps, len(self.times)))
        scale = numpy.array([times / float(b) for times, b in zip(self.times, self.bandwidths, strict=True)])
        for sharpness in SHARPNESS * max(PASSES, ceil(FEWEST / len(self.centres) / len(SHARPNESS))):
            for number in self.random.permutation(len(self.centres)):
                whole = max(float(load.max(axis=1).sum()), TINY)
                price = numpy.exp(sharpness * (load - load.max(axis=1, keepdims=True)) / whole)
                price = price / price.sum(axis=1, keepdims=True) * scale
                noise = 1 + 0.1 * self.random.random_sample((self.steps, len(self.orbit)))
                costs = list(price[:, self.orbit] * noise)
                plan = self.planned(self.centres[number], costs, self._style())[1]
                self._add(plan)
                for (orbit, step), count in self._loads(plan).items():
                    load[step - 1, orbit] += count / float(self.bandwidths[orbit])
                if time.process_time() > end and len(self.plans) >= len(self.wanted):
                    return
                yield None

    def _style(self) -> Style:
        """Return how the next plan is grown, at random."""
        styles = [style for style in STYLES if self._suits(style)]
        return styles[self.random.randint(len(styles))]

    def _suits(self, style: Style) -> bool:
        """Whether trees of the problem can be grown so."""
        if style == "detour":
            return self.steps > 1 and self.problem.task in COPYING
        return style == "plain" or self.growth.sees_far

    def _cheaper_plans(self, costs: Any, duals: Sequence[float], blur: float, end: float) -> int:
        """Add plans that are cheaper than what their shipments pay, grown at changed prices; how many."""
        new = 0
        first: Style = "relays" if self._suits("relays") else "plain"
        for number in self.random.permutation(len(self.centres))[:MOST_TRIED]:
            if time.process_time() > end:
                break
            factors = 1 + blur * self.random.random_sample((self.steps, len(self.orbit)))
            # Noise, so that equal prices do not always give the same tree.
            shown = [*(costs * factors + NOISE * self.random.random_sample(factors.shape))]
            plan = self.planned(self.centres[number], shown, self._style() if blur else first)[1]
            links = ((step, link) for step, i, _ in plan.sends for link in self.growth.route_links[i])
            price = sum(costs[step - 1][link] for step, link in links)
            new += bool(price < abs(duals[self.whole[plan.shipment]]) - 1e-6) and self._add(plan)
        return new

    def planned(self, centre: Centre, costs: Sequence[Any], style: Style = "plain") -> tuple[float, Plan]:
        """Return a cheap plan for a centre, and its price; costs: of every link, step by step."""
        hops, wanted = self.growth.hops(costs), self.wanted[centre.shipment]
        t, relayed = centre.steps, style == "relays"
        inward = self.growth.inward(centre.nodes, wanted, hops[:t], relayed=relayed) if t else []
        sends = [(step, i, True) for step, i in inward]
        for pairs in centre.exchanges:
            cheapest = (min(self.growth.between[ends], key=hops[t].__getitem__) for ends in pairs)
            sends += [(t + 1, i, True) for i in cheapest]
            t += 1
        left = hops[t:]
        via = (
            (int(self.random.choice(self.ranks)), self.random.randint(1, len(left)))
            if style == "detour"
            else None
        )
        outward = self.growth.outward(centre.nodes, wanted, left, via, relayed=relayed)
        sends += [(t + step, i, False) for step, i in outward]
        return sum(hops[step - 1][i] for step, i, _ in sends), Plan(centre.shipment, tuple(sorted(sends)))

    def _add(self, plan: Plan) -> bool:
        """Add a plan; whether it is new."""
        if plan in self.plans:
            return False
        variable = self.plans[plan] = self.lp.variable()
        self.lp.enter(self.whole[plan.shipment], variable, 1)
        for (orbit, step), count in self._loads(plan).items():
            if (orbit, step) not in self.rows:
                least = {self.rounds[step - 1]: -self.bandwidths[orbit]}
                self.rows[orbit, step] = self.lp.row(least, "<=", 0)
            self.lp.enter(self.rows[orbit, step], variable, count)
        return True

    def _loads(self, plan: Plan) -> Counter[tuple[int, int]]:
        """Return how often a plan and its images use each link of every orbit, by step."""
        load: Counter[tuple[int, int]] = Counter()
        for step, i, _ in plan.sends:
            for link in self.growth.route_links[i]:
                orbit = int(self.orbit[link])
                load[orbit, step] += self.times[orbit]
        return load

    def take(self, schedule: StepSchedule) -> None:
        """Add plans that send a chunk as a schedule of one does, moved by automorphisms of the network."""
        routes = self.growth.routes
        number = {(route.sender, route.receiver, route.switches): i for i, route in enumerate(routes)}
        hops = [(t, send) for t, step in enumerate(schedule.steps, 1) for send in step.sends]
        image = tuple(range(self.problem.network.node_count))
        known: set[frozenset[tuple[tuple[int, int], int]]] = set()
        generators = automorphism_generators(self.problem.network)
        for _ in range(MOST_IMAGES if generators else 1):
            moved = (
                (t, (image[s.sender], image[s.receiver], tuple(image[v] for v in s.switches)), s.adds)
                for t, s in hops
            )
            plan = Plan(0, tuple(sorted((t, number[ends], adds) for t, ends, adds in moved)))
            if (loads := frozenset(self._loads(plan).items())) not in known:
                known.add(loads)
                self._add(plan)
            if generators:
                next_one = generators[self.random.randint(len(generators))]
                image = tuple(next_one[v] for v in image)

    def schedules(self) -> Iterator[StepSchedule | None]:
        """Yield schedules of the program's plans, for the given number of chunks or some; None in between."""
        if self.lp.solve() is None:
            return
        values = self.lp.values()
        used = {plan: values[x] for plan, x in self.plans.items() if values[x] > LIGHT}
        given = self.problem.parameters.get("chunks")
        if given is not None:
            if given % self.parts:
                return
            given //= self.parts
        each = len(self.group) * sum(map(len, self.wanted.values()))
        whole = lcm(*(Fraction(weight).limit_denominator(MOST_WHOLE).denominator for weight in used.values()))
        rounds = [values[x] for x in self.rounds]
        fitting = fitting_chunks(rounds, min(MOST_WHOLE, MOST_SENT // each))
        for chunks in sorted({*CHUNKS, whole, *fitting}) if given is None else (given,):
            yield None
            if chunks * each <= MOST_SENT and chunks <= max(MOST_WHOLE, given or 0):
                yield self._packed(used, chunks)

    def _packed(self, weights: Mapping[Plan, float], chunks: int) -> StepSchedule:
        """Return a schedule of so many chunks: as the weights say, rounded down, the rest one by one.

        Each chunk of the rest gets the plan with which the fullest links of the steps carry the least; then
        single chunks change their plans as long as that helps.
        """
        import numpy

        plans = list(weights)
        takes = numpy.zeros((len(plans), self.steps, len(self.bandwidths)))
        for number, plan in enumerate(plans):
            for (orbit, step), count in self._loads(plan).items():
                takes[number, step - 1, orbit] = count / float(self.bandwidths[orbit])
        # Where no links are full a program may give a shipment more than it needs.
        paid: defaultdict[int, float] = defaultdict(float)
        for plan, weight in weights.items():
            paid[plan.shipment] += weight
        shares = [weight / max(1, paid[plan.shipment]) for plan, weight in weights.items()]
        times = numpy.array([int(share * chunks + TINY) for share in shares])
        load = numpy.tensordot(times, takes, 1)
        alike = {n: numpy.array([i for i, p in enumerate(plans) if p.shipment == n]) for n in self.wanted}

        def crowded(loads: Any) -> Any:
            return loads.max(axis=-1).sum(axis=-1) + (loads**2).sum(axis=(-1, -2)) / (MUCH * chunks)

        def best(without: Any, shipment: int) -> int:
            own = alike[shipment]
            return int(own[numpy.argmin(crowded(without + takes[own]))])

        for shipment, own in alike.items():
            for _ in range(chunks - int(times[own].sum())):
                number = best(load, shipment)
                times[number] += 1
                load = load + takes[number]
        for _ in range(MOST_PASSES):
            before = crowded(load)
            for number in map(int, numpy.nonzero(times)[0]):
                without = load - takes[number]
                other = best(without, plans[number].shipment)
                if crowded(without + takes[other]) < crowded(load) - TINY:
                    times[number] -= 1
                    times[other] += 1
                    load = without + takes[other]
            if crowded(load) >= before - TINY:
                break
        return self._schedule(dict(zip(plans, map(int, times), strict=True)), chunks)

    def _schedule(self, times: Mapping[Plan, int], chunks: int) -> StepSchedule:
        """Return the schedule with so many chunks along every plan, in as few rounds as the links allow."""
        images = [(image, {0: number}) for number, image in enumerate(self.group)]
        if self.parts == 1 and not self.sums:
            moved = shipment_images(collective_of(self.problem), self.group)
            images = [(image, dict(enumerate(to))) for image, to in zip(self.group, moved, strict=True)]
        sends: dict[tuple[int, int, int, tuple[int, ...], bool], list[int]] = defaultdict(list)
        loads: Counter[tuple[int, int]] = Counter()
        sent = dict.fromkeys(self.wanted, 0)
        for plan, count in times.items():
            first = sent[plan.shipment]
            sent[plan.shipment] += count
            for place, uses in self._loads(plan).items():
                loads[place] += uses * count
            for image, number in images:
                begin = number[plan.shipment] * chunks + first
                for step, i, adds in plan.sends:
                    route = self.growth.routes[i]
                    way = tuple(image[v] for v in route.switches)
                    hop = step, image[route.sender], image[route.receiver], way, adds
                    sends[hop].extend(range(begin, begin + count))
        rounds = [1] * self.steps
        for (orbit, step), count in loads.items():
            rounds[step - 1] = max(rounds[step - 1], ceil(count / self.bandwidths[orbit]))
        steps: list[list[Send]] = [[] for _ in rounds]
        # What takes the place of a value comes before what is added to it.
        for (step, u, v, way, adds), numbers in sorted(
            sends.items(), key=lambda of: (of[0][0], of[0][4], of)
        ):
            if numbers:
                steps[step - 1].append(Send(u, v, tuple(sorted(numbers)), way, adds))
        made = (Step(length, tuple(own)) for length, own in zip(rounds, steps, strict=True))
        return StepSchedule(tuple(made), chunks * self.parts)


def fitting_chunks(rounds: Sequence[float], most: int) -> list[int]:
    """Return numbers of chunks, at most `most`, with which the rounds per chunk grow least when rounded up.

    rounds: per chunk, of every step, which lasts a round or more.
    """

    def rounded(chunks: int) -> float:
        return sum(max(1, ceil(chunks * r - LIGHT)) for r in rounds) / chunks

    return sorted(range(1, most + 1), key=rounded)[:FITTING]


def planned_schedules(
    program: CentreProgram, seconds: float, left: Callable[[], float]
) -> Iterator[StepSchedule | None]:
    """Yield schedules after so many CPU seconds for plans, and None in between, while time is left."""
    if not program.centres and not program.plans:
        return
    for _ in program.improve(min(seconds, left())):
        yield None
    for schedule in program.schedules():
        if left() <= 0:
            return
        yield schedule
