"""Broadcasts built round by round by what the covering relaxation promises: finds, never refutes.

The relaxation with good weights says for every informed node what each of its calls is worth, in the rounds
left, beside its later calls; a round is a matching of the greatest worth. Its gap says how much room a set of
informed nodes leaves: of many rounds those are kept that leave the most.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from schedsolve.backends.assignment import heaviest_matching
from schedsolve.network.graph import Network

from ..bounds.covering import Ascent
from ..bounds.covering_visits import first_call_worths, value_table

if TYPE_CHECKING:
    from ..bounds.covering_visits import Floats

Rounds = list[list[tuple[int, int]]]

FIRST_STEPS, STEPS, MORE_STEPS = 60, 5, 8
"""Steps of the ascent for the sources, for a set of informed nodes, and for one that is kept."""
TRIES = 6
"""Rounds tried after each that is kept: the one of the greatest worth, and others with noise."""
NOISE = 0.05


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
    ascent = Ascent(network, sources, targets, rounds)
    for _ in ascent.steps(FIRST_STEPS):
        yield []
    kept = [_Kept(ascent.best_gap, frozenset(sources), ascent.best_weights, [])]
    for left in range(rounds, 0, -1):
        if wanted <= kept[0].informed:
            return
        found: dict[frozenset[int], _Kept] = {}
        for beginning in kept:
            state = Ascent(network, beginning.informed, wanted, left, beginning.weights)
            worths = first_call_worths(
                state.relaxation, value_table(state.relaxation, state.best_weights, left)
            )
            for attempt in range(TRIES):
                calls = heaviest_matching(
                    {pair: w * (1 + NOISE * rng.random() * (attempt > 0)) for pair, w in worths.items()}
                )
                informed = beginning.informed.union(v for _, v in calls)
                if informed not in found:
                    after = beginning._replace(informed=informed, rounds=[*beginning.rounds, calls])
                    found[informed] = _judged(network, after, wanted, left - 1, STEPS)
                yield beginning.rounds
        best = sorted(found.values(), key=lambda b: (b.gap, -len(b.informed)))[:width]
        kept = [_judged(network, beginning, wanted, left - 1, MORE_STEPS) for beginning in best]
        yield kept[0].rounds


def _judged(network: Network, beginning: _Kept, wanted: frozenset[int], left: int, steps: int) -> _Kept:
    """With the gap and the weights of an ascent; the part of the targets missed when no round is left."""
    missing = len(wanted - beginning.informed)
    if not left or not missing:
        return beginning._replace(gap=missing / len(wanted) if missing else -len(wanted))
    ascent = Ascent(network, beginning.informed, wanted, left, beginning.weights)
    for _ in ascent.steps(steps):
        pass
    return beginning._replace(gap=ascent.best_gap, weights=ascent.best_weights)
