"""Lower bounds on broadcasting from the covering relaxation.

Weights of which too little can be reached in the rounds given.

`covering_value` in the claims says what such weights prove; here they are found. The search works on floating
point tables over all states (node, caller) at once. Nothing that it computes is trusted: every bound is
confirmed by `covering_value` in integers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import TYPE_CHECKING

from schedsolve.network.graph import Network

from ..claims import covering_value
from ..claims.covering_levels import EXACT_CALLEES, PARENT_CALLEES, Relaxation, relaxation_of
from .covering_visits import refutes, value_of, value_table, visits_of

if TYPE_CHECKING:
    from .covering_visits import Floats

# In seconds; the tables of what takes longer to confirm would fill the memory.
LONGEST_CONFIRMATION = 10.0
MOST_STEPS = 200
STEP, SHRINKING = 0.1, 0.7
"""By what a weight changes in a step where all steps agree; what multiplies it when they do not help."""
STALLED_STEPS = 25
FAR_LAYERS = 6
SCALES = (1, 3, 10, 30, 100, 300, 1000, 10_000, 100_000)
LEAST_ROUNDED_GAP = 0.1
"""A scale is not tried when this times its inverse exceeds the gap: rounding would lose it."""
LEAST_WEIGHT = 1e-3
# Measured for `covering_value`, on the safe side.
SECONDS_PER_CALLEE, SECONDS_PER_SET, SECONDS_PER_STEP = 3e-7, 3e-9, 1e-4


@dataclass(frozen=True)
class CoveringBound:
    """A lower bound on the rounds of a broadcast or multicast.

    Attributes
    ----------
    rounds
        The bound.
    weights
        One integer for every node that proves it, as the `covering_value` of rounds - 1 rounds is below their
        sum; None when the bound is no more than what was known at the start.
    """

    rounds: int
    weights: tuple[int, ...] | None


def covering_bound(
    network: Network, sources: Collection[int], targets: Collection[int], start: int, *, time_limit: float
) -> CoveringBound:
    """Return the best lower bound that distances and the covering relaxation prove.

    It is found in the time given, and never below `start`.

    The weights tried are one for every target, one for the targets farthest from the sources, and then those
    of a subgradient ascent of (sum of weights - covering value), in which a node gains weight while the
    relaxation fails to visit it.

    network: undirected or directed. sources, targets: nodes from 0; the sources know the message before round
    1, the targets must learn it. start: a lower bound that is already known. time_limit: seconds; numbers of
    rounds that would take more than half of it to confirm are not tried.
    Raises InputError for no sources, nodes outside the network, or a target that no source reaches.
    Source: Held and Karp's subgradient ascent, with steps after Kingma and Ba (Adam), for the relaxation of
    `covering_value`.
    """
    began = process_time()
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
    needed = partial(_confirmation_seconds, network, distances)
    most_rounds = bisect_right(range(network.node_count), seconds, key=needed) - 1
    if known.rounds > most_rounds:
        return known
    tried = range(known.rounds, most_rounds + 1)
    for claim in reversed(list(_claims(network, sources, wanted, tried, began + time_limit / 2))):
        assert claim.weights is not None
        if confirmed(network, sources, claim.rounds - 1, claim.weights):
            return claim
    return known


def confirmation_seconds(network: Network, sources: Collection[int], rounds: int) -> float:
    """About how long `covering_value` takes for so many rounds."""
    return _confirmation_seconds(network, network.distances_from(sources), rounds)


class Ascent:
    """Subgradient ascent of (sum of weights - covering value) / sum of weights, a step at a time.

    network: undirected or directed. sources, targets: nodes from 0. rounds: that weights are to refute.
    start: weights of all nodes to begin with; None for one of every target, or of the targets in the last few
    layers, counted by the distance from the sources, whichever is best.
    best_gap: the greatest value of the quotient so far, about; weights refute when it is above 0.
    best_weights: that have it.
    """

    def __init__(
        self,
        network: Network,
        sources: Collection[int],
        targets: Collection[int],
        rounds: int,
        start: Floats | None = None,
    ) -> None:
        import numpy as np

        self.relaxation = relaxation_of(network, sources)
        self._wanted = sorted(set(targets) - set(sources))
        self._rounds = rounds
        first = self._first_weights() if start is None else np.maximum(start, LEAST_WEIGHT)
        self.best_weights = np.zeros(network.node_count)
        self.best_weights[self._wanted] = first[self._wanted]
        self.best_weights *= len(self._wanted) / float(self.best_weights.sum())
        self.best_gap = -np.inf

    def steps(self, most_steps: int = MOST_STEPS) -> Iterator[Floats | None]:
        """None after every step without success.

        Whole weights of the targets with which the relaxation reaches too little as the last, if they are
        found.
        """
        import numpy as np

        relaxation, wanted, rounds = self.relaxation, self._wanted, self._rounds
        weights = self.best_weights
        visited, mean, square = np.zeros(len(weights)), np.zeros(len(wanted)), np.zeros(len(wanted))
        best_gap, best_step, length = -np.inf, 0, STEP
        for step in range(most_steps):
            table = value_table(relaxation, weights, rounds)
            gap = 1 - value_of(relaxation, table) / float(weights.sum())
            if gap > self.best_gap:
                self.best_gap, self.best_weights = gap, weights
            if gap > 0 and (found := _whole_weights(relaxation, weights, rounds, gap)) is not None:
                yield found
                return
            if gap > best_gap + 1e-4:
                best_gap, best_step = gap, step
            elif (step - best_step) % 10 == 9:
                length *= SHRINKING
            visits = visits_of(relaxation, table)
            visited += visits
            # Weights w that refute have a positive sum of w (1 - visits), whatever the visits: none do if the
            # mean visits are 1 or more.
            if visited[wanted].min() > step or step - best_step > STALLED_STEPS:
                return
            missed = 1 - visits[wanted]
            mean += 0.2 * (missed - mean)
            square += 0.05 * (missed**2 - square)
            weights = weights.copy()
            weights[wanted] = np.maximum(0, weights[wanted] + length * mean / np.sqrt(square + 1e-3))
            if not weights.any():
                return
            weights *= len(wanted) / weights.sum()
            yield None

    def _first_weights(self) -> Floats:
        import numpy as np

        relaxation, wanted = self.relaxation, self._wanted
        distances = np.array([relaxation.distances[v] for v in wanted])
        best, best_gap = np.zeros(len(relaxation.distances)), -np.inf
        for layers in (*range(1, FAR_LAYERS + 1), self._rounds + 1):
            weights = np.zeros(len(best))
            weights[wanted] = distances > distances.max() - layers
            gap = 1 - value_of(relaxation, value_table(relaxation, weights, self._rounds)) / weights.sum()
            if gap > best_gap:
                best, best_gap = weights, gap
        return best


def confirmed(network: Network, sources: Collection[int], rounds: int, weights: Iterable[int]) -> bool:
    """Whether so many rounds reach less than all of the whole weights, by `covering_value`."""
    whole = [int(w) for w in weights]
    return covering_value(network, sources, whole, rounds) < sum(whole)


def _confirmation_seconds(network: Network, distances: Sequence[int | None], rounds: int) -> float:
    left = [0 if d is None else max(0, rounds + 1 - d) for d in distances]
    degrees = [len(out) for out in network.successors]
    seconds = [
        k * (SECONDS_PER_CALLEE + SECONDS_PER_SET * 2**k)
        if k <= EXACT_CALLEES
        else k * SECONDS_PER_CALLEE * (k if k <= PARENT_CALLEES else 1)
        for k in range(max(degrees) + 1)
    ]
    steps = SECONDS_PER_STEP * rounds * len(set(degrees))
    return steps + sum(t * seconds[k] for t, k in zip(left, degrees, strict=True))


def _claims(
    network: Network, sources: Collection[int], wanted: Sequence[int], tried: range, deadline: float
) -> Iterator[CoveringBound]:
    """Yield better and better bounds, yet to be confirmed, until the time is over.

    They refute some of the numbers of rounds to be tried.
    """
    rounds = tried.start
    while rounds in tried:
        ascent = Ascent(network, sources, wanted, rounds)
        weights = next((w for w in ascent.steps() if w is not None or process_time() > deadline), None)
        if weights is None:
            return
        step = 1
        # The same weights may refute many more rounds, on a star for example.
        while step and process_time() < deadline:
            if rounds + step in tried and refutes(ascent.relaxation, weights, rounds + step):
                rounds, step = rounds + step, 2 * step
            else:
                step //= 2
        rounds += 1
        yield CoveringBound(rounds, tuple(int(w) for w in weights))


def _whole_weights(relaxation: Relaxation, weights: Floats, rounds: int, gap: float) -> Floats | None:
    """Return the weights rounded to small whole numbers that still refute, or None."""
    for scale in SCALES:
        if scale * gap > LEAST_ROUNDED_GAP:
            whole: Floats = (weights * (scale / float(weights.max()))).round()
            if refutes(relaxation, whole, rounds):
                return whole
    return None
