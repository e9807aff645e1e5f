"""Looking for schedules of copying tasks with given chunks and rounds.

The rounds of the steps are fixed, enumerated outward from what a program proposes, and a plain formula is
solved for each, with chunks that are sent alike under a group of translations first.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import floor

from schedsolve.backends.sat import decide
from schedsolve.network.automorphisms import Automorphism

from ..claims.compositions import Terms, is_excluded
from ..claims.formula import steps_formula
from ..claims.hops import Route
from ..rules.collective import Collective
from ..rules.steps import StepSchedule

FIRST_SECONDS = 0.3
LARGEST_FORMULA = 4_000_000
"""Chunks times routes times steps beyond which a formula is not built."""
LARGEST_COUNTERS = 4_000_000
"""Places in the counters of what crosses links beyond which a formula is not built."""
MOST_LOOKED_AT = 20_000


def outward(rounds: int, hint: Sequence[float]) -> Iterator[tuple[int, ...]]:
    """Yield the compositions of the rounds into as many steps as the hint has, those near it first."""
    steps = len(hint)
    if rounds < steps:
        return
    scale = rounds / (sum(hint) or 1.0)
    aim = [max(1.0, h * scale) for h in hint]
    start = [max(1, floor(h)) for h in aim]
    while sum(start) != rounds:
        lift = sum(start) < rounds
        movable = [i for i in range(steps) if lift or start[i] > 1]
        i = max(movable, key=lambda i: (aim[i] - start[i]) * (1 if lift else -1))
        start[i] += 1 if lift else -1

    def distance(composition: tuple[int, ...]) -> float:
        return sum(abs(a - r) for a, r in zip(aim, composition, strict=True))

    queue = [(distance(tuple(start)), tuple(start))]
    seen = {tuple(start)}
    for _ in range(MOST_LOOKED_AT):
        if not queue:
            return
        _, composition = heapq.heappop(queue)
        yield composition
        for i in range(steps):
            for j in range(steps):
                if i != j and composition[i] > 1:
                    moved = list(composition)
                    moved[i] -= 1
                    moved[j] += 1
                    if tuple(moved) not in seen:
                        seen.add(tuple(moved))
                        heapq.heappush(queue, (distance(tuple(moved)), tuple(moved)))


def find_packing(
    collective: Collective,
    routes: Sequence[Route],
    chunks: int,
    rounds: int,
    hint: Sequence[float],
    terms: Sequence[Terms],
    groups: Sequence[Sequence[Automorphism]],
    left: Callable[[], float],
) -> Iterator[StepSchedule | None]:
    """Look for a schedule of so many chunks and rounds; None after every try, the schedule last.

    Parameters
    ----------
    collective
        The collective.
    routes
        The routes between compute nodes.
    chunks
        The number of chunks.
    rounds
        The number of rounds.
    hint
        Rounds of the steps that are likely.
    terms
        Of prices, which exclude compositions.
    groups
        Of translations, the likely first.
    left
        The seconds left.
    """
    fitting = [g for g in groups if _is_short(collective, routes, chunks, rounds, len(hint), len(g))]
    refuted: set[tuple[tuple[int, ...], int]] = set()
    trivial = next((place for place, group in enumerate(fitting) if len(group) == 1), -1)
    seconds, most = FIRST_SECONDS, 4
    while fitting and left() > 0:
        looked = 0
        for composition in outward(rounds, hint):
            if is_excluded(composition, chunks, terms) or (composition, trivial) in refuted:
                continue
            looked += 1
            if looked > most:
                break
            for place, group in enumerate(fitting):
                if left() <= 0:
                    return
                if (composition, place) in refuted:
                    continue
                formula = steps_formula(collective, routes, composition, chunks, group)
                answer, model = decide(formula.cnf, min(seconds, left()))
                yield formula.schedule(model) if answer else None
                if answer:
                    return
                if answer is False:
                    refuted.add((composition, place))
        if looked == 0 or seconds > left():
            return
        seconds *= 2
        most *= 3


def _is_short(
    collective: Collective, routes: Sequence[Route], chunks: int, rounds: int, steps: int, alike: int
) -> bool:
    """Whether a formula is short, with so many shipments sent alike: its variables, and its counters."""
    items = len(collective.wanted) * chunks // alike
    crossing = Counter(link for route in routes for link in route.links)
    bandwidth_of = collective.network.bandwidth_of
    counters = sum(
        steps * items * times * min(items * times, floor(bandwidth_of[link] * Fraction(rounds, steps)))
        for link, times in crossing.items()
    )
    return items * len(routes) * steps <= LARGEST_FORMULA and counters <= LARGEST_COUNTERS
