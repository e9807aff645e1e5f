"""Broadcasts built round by round from what the covering relaxation calls: finds, never refutes.

The ascent that finds the relaxation's weights plays one best way to call after the other. How often an
informed node calls another first, over the steps, is nearly a fractional optimum; a round is a matching of
the most frequent calls. The gap of the weights says how much room a set of informed nodes leaves: of many
rounds those are kept that leave the most.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from schedsolve.backends.assignment import heaviest_matching
from schedsolve.network.graph import Network

from ..search.covering_ascents import Ascended, CoveringAscents

if TYPE_CHECKING:
    from ..bounds.covering_visits import Floats

Rounds = list[list[tuple[int, int]]]

FIRST_STEPS, STEPS, MORE_STEPS = 300, 10, 20
"""Steps of the ascent for the sources, for a set of informed nodes, and for one that is kept."""
TRIES = 6
"""Rounds tried after each that is kept: the one of the most frequent calls, and others with noise."""
STEPS_OF_NODES, TRIES_OF_NODES = 300_000, 8_000
"""In larger networks the first steps and the tries are so many divided by the number of nodes."""
LEAST_STEPS = 40
NOISE = 0.6


class _Kept(NamedTuple):
    """A beginning of a schedule.

    Attributes
    ----------
    gap
        Of the ascent, at most 0 while the rest may suffice.
    """

    gap: float
    informed: frozenset[int]
    weights: Floats
    called: Floats
    rounds: Rounds


def covering_beam(
    network: Network,
    sources: Collection[int],
    targets: Collection[int],
    *,
    rounds: int,
    width: int,
    seed: int,
) -> Iterator[Rounds]:
    """Yield a schedule of so many rounds that informs most targets, for another search to mend.

    One is yielded after each step, at first with fewer rounds; the last one is the result.

    Parameters
    ----------
    network
        Undirected or directed.
    sources, targets
        Nodes from 0; the sources know the message before round 1.
    rounds
        At least 1.
    width
        The beginnings kept after each round.
    seed
        Of the random numbers.
    """
    rng = random.Random(seed)
    wanted = frozenset(targets)
    yield []
    if wanted <= frozenset(sources):
        return
    ascents = CoveringAscents(network, wanted, rounds)
    n = network.node_count
    steps = max(LEAST_STEPS, min(FIRST_STEPS, STEPS_OF_NODES // n))
    tries = min(TRIES, max(1 if width == 1 else 2, TRIES_OF_NODES // n))
    choice = width > 1 or tries > 1
    first = ascents.ascend(sources, rounds, None, steps=steps)
    kept = [_Kept(first.gap, frozenset(sources), first.weights, first.called, [])]
    for left in range(rounds, 0, -1):
        found: dict[frozenset[int], _Kept] = {}
        for beginning in kept:
            for attempt in range(tries):
                calls = _round(ascents, beginning, rng if attempt else None)
                informed = beginning.informed.union(v for _, v in calls)
                if informed not in found:
                    after = beginning._replace(informed=informed, rounds=[*beginning.rounds, calls])
                    found[informed] = _judged(ascents, after, wanted, left - 1, STEPS if choice else 0)
                yield beginning.rounds
        best = sorted(found.values(), key=_by_gap_then_informed)[:width]
        kept = sorted(
            [_judged(ascents, each, wanted, left - 1, MORE_STEPS) for each in best], key=_by_gap_then_informed
        )
        yield kept[0].rounds
        if wanted <= kept[0].informed:
            return


def _by_gap_then_informed(beginning: _Kept) -> tuple[float, int]:
    return beginning.gap, -len(beginning.informed)


def _round(ascents: CoveringAscents, beginning: _Kept, rng: random.Random | None) -> list[tuple[int, int]]:
    """Return a matching of frequent calls."""
    informed = beginning.informed
    return heaviest_matching(
        {
            (u, v): called + (NOISE * rng.random() if rng else 0.0)
            for (u, v), called in zip(ascents.arcs, beginning.called.tolist(), strict=True)
            if u in informed and v not in informed
        }
    )


def _judged(
    ascents: CoveringAscents, beginning: _Kept, wanted: frozenset[int], left: int, steps: int
) -> _Kept:
    """With what an ascent of some steps finds; the part of the targets missed when no round is left."""
    missing = len(wanted - beginning.informed)
    if not steps:
        return beginning
    if not left or not missing:
        return beginning._replace(gap=missing / len(wanted) if missing else -len(wanted))
    found: Ascended = ascents.ascend(beginning.informed, left, beginning.weights, steps=steps)
    return beginning._replace(gap=found.gap, weights=found.weights, called=found.called)
