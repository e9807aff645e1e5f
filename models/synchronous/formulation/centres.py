"""Allreduces of which every chunk is added up at a centre and copied from there.

A centre is a compute node, or two at the ends of a hop, both ways. In the first t steps the contributions to
a chunk come together along trees that end at the nodes of its centre; where these are two, they exchange
their sums in step t + 1; then the result goes out along trees from them. With two there is enough time for
many more centres: in a network in which every node is D hops from some other, one node takes 2 D steps, two
ends of a link often 2 D - 1.

The program gives weights to such plans, which add up to 1, and minimises the rounds per chunk. Plans enter by
column generation. The cheapest trees under the links' prices would be Steiner trees in time; they are grown
instead: the node that is cheapest to reach from what is reached already is next. So the program's value is
what can be reached and no bound. Chunks are shared out among the plans by rounding and a local search.

A broadcast is copied from its source, its only centre; no contributions come together.

References
----------
Takahashi, Matsuyama 1980 (An approximate solution for the Steiner problem in graphs) for growing trees.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import ceil
from typing import Any, NamedTuple

from schedsolve.backends.growing_lp import GrowingLp
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.problem import Problem

from ..claims.hops import hop_distances, neighbours, routes
from ..rules.steps import Send, Step, StepSchedule

MOST_ROUTES, MOST_TRIED = 20_000, 60
"""The most routes between compute nodes; the most centres with their times that one pass goes through."""
CENTRE_SECONDS = 3.0, 12.0
"""CPU seconds for plans, before schedules are made of them."""
CHUNKS = (1, 12, 60, 240)
"""Numbers of chunks that are tried, one after the other, where none is given."""
NOISE, LIGHT, TINY, MUCH, MOST_PASSES = 1e-7, 1e-6, 1e-9, 1000, 6


class Centre(NamedTuple):
    """One node, or two that exchange their sums, and the number of steps before that."""

    nodes: tuple[int, ...]
    steps: int


class Plan(NamedTuple):
    """The sends of a chunk: step, number of the route, and whether the receiver adds."""

    sends: tuple[tuple[int, int, bool], ...]


class CentreProgram:
    """The program with the plans so far.

    Parameters
    ----------
    problem
        An allreduce or a broadcast.
    seed
        For the random number generator.
    """

    def __init__(self, problem: Problem, seed: int = 0) -> None:
        import numpy

        self.problem = problem
        self.steps: int = problem.parameters["steps"]
        self.ranks = ranks_of(problem)
        self.random = numpy.random.RandomState(seed)
        self.routes = routes(problem.network)
        self.tails = numpy.array([route.sender for route in self.routes])
        self.heads = numpy.array([route.receiver for route in self.routes])
        self.links = list(problem.network.arcs)
        number = {link: i for i, link in enumerate(self.links)}
        self.route_links = [[number[link] for link in route.links] for route in self.routes]
        self.copies_only = problem.task == "broadcast"
        self.centres = list(_centres(problem))
        self.lp = GrowingLp()
        self.rounds = [self.lp.variable(1) for _ in range(self.steps)]
        self.rows: dict[tuple[int, int], int] = {}
        self.whole = self.lp.row({}, ">=", 1)
        self.plans: dict[Plan, int] = {}

    @staticmethod
    def fits(problem: Problem) -> bool:
        """Whether there are few enough routes."""
        near = neighbours(problem.network)
        pairs = sum(map(len, near.values()))
        ways = pairs if not problem.network.switches else pairs * len(problem.network.switches)
        whole = problem.task in ("allreduce", "broadcast") and not problem.parameters.get("ordered")
        return whole and ways <= MOST_ROUTES

    def improve(self, seconds: float) -> Iterator[float | None]:
        """Add plans until none is cheaper or so many CPU seconds are up; yield the value after every pass."""
        end = time.process_time() + seconds
        costs = [1 + self.random.random_sample(len(self.links)) for _ in range(self.steps)]
        for centre in self.centres if not self.plans else ():
            self._add(self.planned(centre, costs)[1])
            if time.process_time() > end:
                break
            yield None
        while time.process_time() < end:
            value = self.lp.solve()
            yield value
            if value is None:
                return
            duals = self.lp.duals()
            # Noise, so that equal prices do not always give the same tree.
            costs = [NOISE * self.random.random_sample(len(self.links)) for _ in range(self.steps)]
            for (link, step), row in self.rows.items():
                costs[step - 1][link] += abs(duals[row])
            new = 0
            for number in self.random.permutation(len(self.centres))[:MOST_TRIED]:
                price, plan = self.planned(self.centres[number], costs)
                new += price < abs(duals[self.whole]) - 1e-6 and self._add(plan)
                if time.process_time() > end:
                    break
            if not new:
                return

    def planned(self, centre: Centre, costs: Sequence[Any]) -> tuple[float, Plan]:
        """Return a cheap plan for a centre, and its price; costs: of every link, step by step."""
        import numpy

        hops = [numpy.array([sum(c[link] for link in links) for links in self.route_links]) for c in costs]
        t, exchanging = centre.steps, len(centre.nodes) - 1
        inward = [] if self.copies_only else self._grown(centre.nodes, hops[:t][::-1], self.heads, self.tails)
        outward = self._grown(centre.nodes, hops[t + exchanging :], self.tails, self.heads)
        sends = [(t + 1 - step, i, True) for step, i in inward]
        if exchanging:
            both = (centre.nodes, centre.nodes[::-1])
            sends += [(t + 1, min(self._between(*ends), key=hops[t].__getitem__), True) for ends in both]
        sends += [(t + exchanging + step, i, False) for step, i in outward]
        return sum(hops[step - 1][i] for step, i, _ in sends), Plan(tuple(sorted(sends)))

    def _between(self, u: int, v: int) -> list[int]:
        return [i for i, route in enumerate(self.routes) if (route.sender, route.receiver) == (u, v)]

    def _grown(
        self, origins: Sequence[int], hops: Sequence[Any], tails: Any, heads: Any
    ) -> list[tuple[int, int]]:
        """Return the sends (step, route) of trees from the origins to all ranks, step by step.

        Parameters
        ----------
        origins
            Where the trees begin.
        hops
            For every step the cost of every route.
        tails, heads
            Of the routes, in the direction of the trees.
        """
        import numpy

        arrival = dict.fromkeys(origins, 0)
        sends: list[tuple[int, int]] = []
        missing = set(self.ranks) - set(origins)
        while missing:
            reached = numpy.full(self.problem.network.node_count, numpy.inf)
            reached[[v for v, step in arrival.items() if step == 0]] = 0
            by: list[Any] = []
            for step, cost in enumerate(hops, 1):
                offered = reached[tails] + cost
                order = numpy.argsort(-offered, kind="stable")
                # Of the assignments to one node the last, which is the cheapest, stays.
                best, route = numpy.full(len(reached), numpy.inf), numpy.full(len(reached), -1)
                best[heads[order]], route[heads[order]] = offered[order], order
                route[best >= reached] = -1
                reached = numpy.minimum(best, reached)
                for v in (v for v, when in arrival.items() if when <= step):
                    reached[v], route[v] = 0, -1
                by.append(route)
            v = min(missing, key=lambda w: (reached[w], w))
            step = len(hops)
            while v not in arrival or arrival[v] > step:
                i = int(by[step - 1][v])
                if i >= 0:
                    sends.append((step, i))
                    arrival[v] = min(step, arrival.get(v, step))
                    missing.discard(v)
                    v = int(tails[i])
                step -= 1
        return _needed(sends, origins, set(self.ranks), tails, heads)

    def _add(self, plan: Plan) -> bool:
        """Add a plan; whether it is new."""
        if plan in self.plans:
            return False
        variable = self.plans[plan] = self.lp.variable()
        self.lp.enter(self.whole, variable, 1)
        for (link, step), count in self._loads(plan).items():
            if (link, step) not in self.rows:
                bandwidth = self.problem.network.bandwidth_of[self.links[link]]
                self.rows[link, step] = self.lp.row({self.rounds[step - 1]: -bandwidth}, "<=", 0)
            self.lp.enter(self.rows[link, step], variable, count)
        return True

    def _loads(self, plan: Plan) -> Counter[tuple[int, int]]:
        """Return how often a plan uses every link in every step."""
        return Counter((link, step) for step, i, _ in plan.sends for link in self.route_links[i])

    def schedules(self) -> Iterator[StepSchedule | None]:
        """Yield schedules of the program's plans, for the given number of chunks or some; None in between."""
        if self.lp.solve() is None:
            return
        values = self.lp.values()
        used = {plan: values[x] for plan, x in self.plans.items() if values[x] > LIGHT}
        given = self.problem.parameters.get("chunks")
        for chunks in CHUNKS if given is None else (given,):
            yield None
            yield self._packed(used, chunks)

    def _packed(self, weights: Mapping[Plan, float], chunks: int) -> StepSchedule:
        """Return a schedule of so many chunks: as the weights say, rounded down, the rest one by one.

        Each chunk of the rest gets the plan with which the fullest links of the steps carry the least; then
        single chunks change their plans as long as that helps.
        """
        import numpy

        plans = list(weights)
        bandwidths = [float(self.problem.network.bandwidth_of[link]) for link in self.links]
        takes = numpy.zeros((len(plans), self.steps, len(self.links)))
        for number, plan in enumerate(plans):
            for (link, step), count in self._loads(plan).items():
                takes[number, step - 1, link] = count / bandwidths[link]
        times = numpy.array([int(weight * chunks + TINY) for weight in weights.values()])
        load = numpy.tensordot(times, takes, 1)

        def crowded(loads: Any) -> Any:
            return loads.max(axis=-1).sum(axis=-1) + (loads**2).sum(axis=(-1, -2)) / (MUCH * chunks)

        for _ in range(chunks - int(times.sum())):
            number = int(numpy.argmin(crowded(load + takes)))
            times[number] += 1
            load = load + takes[number]
        for _ in range(MOST_PASSES):
            before = crowded(load)
            for number in map(int, numpy.nonzero(times)[0]):
                without = load - takes[number]
                other = int(numpy.argmin(crowded(without + takes)))
                if crowded(without + takes[other]) < crowded(load) - TINY:
                    times[number] -= 1
                    times[other] += 1
                    load = without + takes[other]
            if crowded(load) >= before - TINY:
                break
        return self._schedule([plan for plan, n in zip(plans, times, strict=True) for _ in range(n)])

    def _schedule(self, of_chunk: Sequence[Plan]) -> StepSchedule:
        """Return the schedule with a plan for every chunk, in as few rounds as the links allow."""
        sends: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
        loads: Counter[tuple[int, int]] = Counter()
        for chunk, plan in enumerate(of_chunk):
            loads.update(self._loads(plan))
            for send in plan.sends:
                sends[send].append(chunk)
        rounds = [1] * self.steps
        for (link, step), count in loads.items():
            bandwidth = Fraction(self.problem.network.bandwidth_of[self.links[link]])
            rounds[step - 1] = max(rounds[step - 1], ceil(count / bandwidth))
        steps: list[list[Send]] = [[] for _ in rounds]
        for (step, i, adds), chunks in sorted(sends.items()):
            route = self.routes[i]
            steps[step - 1].append(Send(route.sender, route.receiver, tuple(chunks), route.switches, adds))
        made = (Step(length, tuple(own)) for length, own in zip(rounds, steps, strict=True))
        return StepSchedule(tuple(made), len(of_chunk))


def centre_schedules(problem: Problem, left: Callable[[], float]) -> Iterator[StepSchedule | None]:
    """Yield better and better schedules over centres, and None in between, while time is left."""
    if not CentreProgram.fits(problem):
        return
    program = CentreProgram(problem)
    for seconds in CENTRE_SECONDS if program.centres else ():
        for _ in program.improve(min(seconds, left())):
            yield None
        for schedule in program.schedules():
            if left() <= 0:
                return
            yield schedule


def _centres(problem: Problem) -> Iterator[Centre]:
    """Yield the centres for which the steps suffice, with every time at which they may have all."""
    steps, ranks, network = problem.parameters["steps"], ranks_of(problem), problem.network
    if problem.task == "broadcast":
        yield Centre(problem.sources, 0)
        return
    near, back = neighbours(network), neighbours(network.reversed())
    out, into = ({v: hop_distances(ways, v) for v in ranks} for ways in (near, back))
    mutual = [(u, v) for u in ranks for v in near[u] if u < v and v in into and u in near[v]]
    for nodes in (*((v,) for v in ranks), *mutual):
        far = [max(min(away[c].get(v, steps + 1) for c in nodes) for v in ranks) for away in (into, out)]
        for t in range(far[0], steps - far[1] - len(nodes) + 2):
            yield Centre(nodes, t)


def _needed(
    sends: Sequence[tuple[int, int]], origins: Sequence[int], wanted: set[int], tails: Any, heads: Any
) -> list[tuple[int, int]]:
    """Return the sends without those to a node that has the chunk, and those that nobody needs."""
    held, kept = set(origins), []
    for _, group in groupby(sorted(set(sends)), key=lambda send: send[0]):
        arrived: set[int] = set()
        for step, i in group:
            if heads[i] not in held | arrived and tails[i] in held:
                arrived.add(int(heads[i]))
                kept.append((step, i))
        held |= arrived
    useful, found = set(wanted), []
    for step, i in reversed(kept):
        if heads[i] in useful:
            useful.add(int(tails[i]))
            found.append((step, i))
    return found[::-1]
