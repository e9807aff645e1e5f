"""Schedules written send by send: which route each takes, and how many rounds a step needs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from ..claims.hops import Pair, Route, routes
from ..rules.steps import Step, StepSchedule, steps_of_sends
from .breadth_first import divided


@lru_cache(maxsize=4)
def routes_between(network: Network) -> dict[Pair, list[Route]]:
    """Return the routes of every pair of compute nodes that has some.

    Raises
    ------
    InputError
        If there are too many.
    """
    found: dict[Pair, list[Route]] = defaultdict(list)
    for route in routes(network):
        found[route.sender, route.receiver].append(route)
    return dict(found)


@lru_cache(maxsize=4)
def too_many_routes(network: Network) -> str | None:
    """Why the routes between compute nodes are not listed; None when they are."""
    try:
        routes_between(network)
    except InputError as error:
        return str(error)
    return None


def width(network: Network, pair: Pair) -> Fraction:
    """Return the bandwidth of the widest route between two compute nodes that have one."""
    return max(
        min(Fraction(network.bandwidth_of[e]) for e in way.links) for way in routes_between(network)[pair]
    )


def fitting_chunks(network: Network, pairs: Iterable[Pair]) -> int:
    """How many chunks pass the narrowest of the pairs in a round, 1 at least."""
    return max(1, floor(min((width(network, pair) for pair in pairs), default=Fraction(1))))


class Steps:
    """Steps to which sends are added."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.sends: dict[int, dict[tuple[int, int, tuple[int, ...]], list[int]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self.load: Counter[tuple[int, Pair]] = Counter()

    def send(self, step: int, sender: int, receiver: int, chunks: Sequence[int]) -> None:
        """Send chunks in a step, each over the route that is the least full then."""
        ways = routes_between(self.network)[sender, receiver]
        for chunk in chunks:
            route = (
                min(ways, key=lambda way: (self.fullest(step, way), len(way.links))) if ways[1:] else ways[0]
            )
            self.add(step, route, chunk)

    def add(self, step: int, route: Route, chunk: int) -> None:
        """Send a chunk in a step over a route."""
        self.sends[step][route[:3]].append(chunk)
        self.load.update((step, link) for link in route.links)

    def fullest(self, step: int, route: Route) -> Fraction:
        """Return the rounds that the fullest link of a route would take in a step with one more chunk."""
        return max(Fraction(self.load[step, e] + 1) / self.network.bandwidth_of[e] for e in route.links)

    def built(self, steps: int) -> tuple[Step[int], ...]:
        """Return so many steps, each as short as its loads allow."""
        rounds = [1] * steps
        for (step, link), count in self.load.items():
            rounds[step - 1] = max(rounds[step - 1], ceil(Fraction(count) / self.network.bandwidth_of[link]))
        return steps_of_sends(self.sends, rounds)

    def schedule(self, chunks: int, steps: int) -> StepSchedule:
        """Return the schedule, stretched to so many steps."""
        built = self.built(max(self.sends, default=0))
        return StepSchedule(tuple(divided(self.network, built, steps)), chunks)
