"""Lower bounds on broadcasting from the covering relaxation: weights of which too little can be reached in
the rounds given.

`covering_value` in the claims says what such weights prove; here they are found. The search works on floating
point tables over all states (node, caller) at once. Nothing that it computes is trusted: every bound is
confirmed by `covering_value` in integers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from schedsolve.network.graph import Network

from ..claims import PARENT_CALLEES, covering_value
from .covering_tables import Relaxation, refutes, relaxation_of, value_of, value_table, visits_of

if TYPE_CHECKING:
    from .covering_tables import Floats

# In seconds; the tables of what takes longer to confirm would fill the memory.
LONGEST_CONFIRMATION = 10.0
MOST_STEPS = 200
STALLED_STEPS = 25
FAR_LAYERS = 6
SCALES = (1, 3, 10, 30, 100, 300, 1000, 10_000, 100_000)
# Measured for `covering_value`, on the safe side; the float tables are ten times as fast.
SECONDS_PER_GAIN = 2e-6


@dataclass(frozen=True)
class CoveringBound:
    """A lower bound on the rounds of a broadcast or multicast.

    rounds: the bound. weights: one integer for every node that proves it, as the `covering_value` of rounds -
    1 rounds is below their sum; None when the bound is no more than what was known at the start.
    """

    rounds: int
    weights: tuple[int, ...] | None


def covering_bound(
    network: Network, sources: Collection[int], targets: Collection[int], start: int, *, time_limit: float
) -> CoveringBound:
    """The best lower bound that distances and the covering relaxation prove in the time given, never below
    `start`.

    The weights tried are one for every target, one for the targets farthest from the sources, and then those
    of a subgradient ascent of (sum of weights - covering value), in which a node gains weight while the
    relaxation fails to visit it.

    network: undirected or directed. sources, targets: nodes from 0; the sources know the message before round
    1, the targets must learn it. start: a lower bound that is already known. time_limit: seconds; numbers of
    rounds that would take more than half of it to confirm are not tried.
    Raises InputError for no sources, nodes outside the network, or a target that no source reaches.
    Source: Held and Karp's subgradient ascent with Polyak's step, for the relaxation of `covering_value`.
    """
    began = monotonic()
    distances = network.distances_to(sources, targets)
    wanted = sorted(set(targets) - set(sources))
    known = CoveringBound(start, None)
    if not wanted:
        return known
    depth = max(distances[v] or 0 for v in wanted)
    if depth > start:
        # In depth - 1 rounds no state of a node at that distance comes up, so all of this weight is missed.
        farthest = {v for v in wanted if distances[v] == depth}
        known = CoveringBound(depth, tuple(int(v in farthest) for v in range(network.node_count)))
    seconds = min(time_limit / 2, LONGEST_CONFIRMATION)
    most_rounds = (
        bisect_right(
            range(network.node_count),
            seconds / SECONDS_PER_GAIN,
            key=partial(_gain_count, network, distances),
        )
        - 1
    )
    if known.rounds > most_rounds:
        return known
    claims = _claims(
        relaxation_of(network, sources), wanted, range(known.rounds, most_rounds + 1), began + time_limit / 2
    )
    for claim in reversed(list(claims)):
        assert claim.weights is not None
        if covering_value(network, sources, claim.weights, claim.rounds - 1) < sum(claim.weights):
            return claim
    return known


def confirmation_seconds(network: Network, sources: Collection[int], rounds: int) -> float:
    """About how long `covering_value` takes for so many rounds."""
    return _gain_count(network, network.distances_from(sources), rounds) * SECONDS_PER_GAIN


def refuting_weights(
    network: Network, sources: Collection[int], targets: Collection[int], rounds: int
) -> tuple[int, ...] | None:
    """Weights of the targets of which so many rounds reach too little, confirmed by `covering_value`; None
    when none are found, as by `covering_bound`.
    """
    return next(filter(None, search_weights(network, sources, targets, rounds)), None)


def search_weights(
    network: Network, sources: Collection[int], targets: Collection[int], rounds: int
) -> Iterator[tuple[int, ...] | None]:
    """What `refuting_weights` does, step by step: None after every step without success, the weights as the
    last.
    """
    wanted = sorted(set(targets) - set(sources))
    if not wanted:
        return
    for found in _ascent(relaxation_of(network, sources), wanted, rounds):
        yield None
        if found is not None:
            weights = tuple(int(w) for w in found)
            if covering_value(network, sources, weights, rounds) < sum(weights):
                yield weights


def _gain_count(network: Network, distances: Sequence[int | None], rounds: int) -> int:
    """About how many gains the tables for that many rounds are made of."""
    left = [0 if d is None else max(0, rounds + 1 - d) for d in distances]
    degrees = [len(out) for out in network.successors]
    return sum(t * k * (k if k <= PARENT_CALLEES else 1) for t, k in zip(left, degrees, strict=True))


def _claims(
    relaxation: Relaxation, wanted: Sequence[int], tried: range, deadline: float
) -> Iterator[CoveringBound]:
    """Better and better bounds, yet to be confirmed, that refute some of the numbers of rounds to be tried,
    until the time is over.
    """
    rounds = tried.start
    while (
        rounds in tried and (weights := _refuting_weights(relaxation, wanted, rounds, deadline)) is not None
    ):
        step = 1
        # The same weights may refute many more rounds, on a star for example.
        while step and monotonic() < deadline:
            if rounds + step in tried and refutes(relaxation, weights, rounds + step):
                rounds, step = rounds + step, 2 * step
            else:
                step //= 2
        rounds += 1
        yield CoveringBound(rounds, tuple(int(w) for w in weights))


def _refuting_weights(
    relaxation: Relaxation, wanted: Sequence[int], rounds: int, deadline: float
) -> Floats | None:
    """Whole weights on the wanted nodes with which the relaxation reaches too little; None if not found."""
    for found in _ascent(relaxation, wanted, rounds):
        if found is not None or monotonic() > deadline:
            return found
    return None


def _ascent(relaxation: Relaxation, wanted: Sequence[int], rounds: int) -> Iterator[Floats | None]:
    """Subgradient ascent: None after every step without success; at the end, if they are found, whole weights
    on the wanted nodes with which the relaxation reaches too little.
    """
    import numpy as np

    weights = _first_weights(relaxation, wanted, rounds)
    visited, direction = np.zeros(len(weights)), np.zeros(len(weights))
    best_gap, best_step, eagerness = -np.inf, 0, 1.0
    for step in range(MOST_STEPS):
        table = value_table(relaxation, weights, rounds)
        gap = 1 - value_of(relaxation, table) / weights.sum()
        if gap > 0 and (found := _whole_weights(relaxation, weights, rounds)) is not None:
            yield found
            return
        if gap > best_gap + 1e-4:
            best_gap, best_step = gap, step
        elif (step - best_step) % 10 == 9:
            eagerness *= 0.7
        visits = visits_of(relaxation, table)
        visited += visits
        # Weights w that refute have a positive sum of w (1 - visits), whatever the visits: none do if the
        # mean visits are 1 or more.
        if visited[wanted].min() > step or step - best_step > STALLED_STEPS:
            return
        direction *= 0.7
        direction[wanted] += 0.3 * (1 - visits[wanted])
        length = eagerness * (0.01 - gap) * weights.sum() / max(direction @ direction, 1e-9)
        weights = np.maximum(0, weights + length * direction)
        if not weights.any():
            return
        weights *= len(wanted) / weights.sum()
        yield None


def _first_weights(relaxation: Relaxation, wanted: Sequence[int], rounds: int) -> Floats:
    """The best of: 1 for all wanted nodes; 1 for those in the last few layers, counted by the distance from
    the sources.
    """
    import numpy as np

    distances = np.array([relaxation.distances[v] for v in wanted])
    best, best_gap = np.zeros(relaxation.node_count), -np.inf
    for layers in (*range(1, FAR_LAYERS + 1), rounds + 1):
        weights = np.zeros(relaxation.node_count)
        weights[wanted] = distances > distances.max() - layers
        gap = 1 - value_of(relaxation, value_table(relaxation, weights, rounds)) / weights.sum()
        if gap > best_gap:
            best, best_gap = weights, gap
    best *= len(wanted) / float(best.sum())
    return best


def _whole_weights(relaxation: Relaxation, weights: Floats, rounds: int) -> Floats | None:
    """The weights rounded to small whole numbers that still refute, or None."""
    for scale in SCALES:
        whole: Floats = (weights * (scale / float(weights.max()))).round()
        if refutes(relaxation, whole, rounds):
            return whole
    return None
