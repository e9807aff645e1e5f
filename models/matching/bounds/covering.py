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
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from schedsolve.network.graph import Network

from ..claims import ANYONE, EXACT_CALLEES, PARENT_CALLEES, covering_value

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Numbers = npt.NDArray[np.int64]

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
        _relaxation(network, sources), wanted, range(known.rounds, most_rounds + 1), began + time_limit / 2
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
    wanted = sorted(set(targets) - set(sources))
    if not wanted:
        return None
    found = _refuting_weights(_relaxation(network, sources), wanted, rounds, inf)
    if found is None:
        return None
    weights = tuple(int(w) for w in found)
    return weights if covering_value(network, sources, weights, rounds) < sum(weights) else None


def _gain_count(network: Network, distances: Sequence[int | None], rounds: int) -> int:
    """About how many gains the tables for that many rounds are made of."""
    left = [0 if d is None else max(0, rounds + 1 - d) for d in distances]
    degrees = [len(out) for out in network.successors]
    return sum(t * k * (k if k <= PARENT_CALLEES else 1) for t, k in zip(left, degrees, strict=True))


def _claims(
    relaxation: _Relaxation, wanted: Sequence[int], tried: range, deadline: float
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
            if rounds + step in tried and _refutes(relaxation, weights, rounds + step):
                rounds, step = rounds + step, 2 * step
            else:
                step //= 2
        rounds += 1
        yield CoveringBound(rounds, tuple(int(w) for w in weights))


def _refuting_weights(
    relaxation: _Relaxation, wanted: Sequence[int], rounds: int, deadline: float
) -> Floats | None:
    """Whole weights on the wanted nodes, found by subgradient ascent, with which the relaxation reaches too
    little; None if not found.
    """
    import numpy as np

    weights = _first_weights(relaxation, wanted, rounds)
    visited, direction = np.zeros(len(weights)), np.zeros(len(weights))
    best_gap, best_step, eagerness = -np.inf, 0, 1.0
    for step in range(MOST_STEPS):
        table = _table(relaxation, weights, rounds)
        gap = 1 - _value(relaxation, table) / weights.sum()
        if gap > 0 and (found := _whole_weights(relaxation, weights, rounds)) is not None:
            return found
        if gap > best_gap + 1e-4:
            best_gap, best_step = gap, step
        elif (step - best_step) % 10 == 9:
            eagerness *= 0.7
        visits = _visits(relaxation, table)
        visited += visits
        # Weights w that refute have a positive sum of w (1 - visits), whatever the visits: none do if the
        # mean visits are 1 or more.
        if visited[wanted].min() > step or step - best_step > STALLED_STEPS or monotonic() > deadline:
            return None
        direction *= 0.7
        direction[wanted] += 0.3 * (1 - visits[wanted])
        length = eagerness * (0.01 - gap) * weights.sum() / max(direction @ direction, 1e-9)
        weights = np.maximum(0, weights + length * direction)
        if not weights.any():
            return None
        weights *= len(wanted) / weights.sum()
    return None


def _first_weights(relaxation: _Relaxation, wanted: Sequence[int], rounds: int) -> Floats:
    """The best of: 1 for all wanted nodes; 1 for those in the last few layers, counted by the distance from
    the sources.
    """
    import numpy as np

    distances = np.array([relaxation.distances[v] for v in wanted])
    best, best_gap = np.zeros(relaxation.node_count), -np.inf
    for layers in (*range(1, FAR_LAYERS + 1), rounds + 1):
        weights = np.zeros(relaxation.node_count)
        weights[wanted] = distances > distances.max() - layers
        gap = 1 - _value(relaxation, _table(relaxation, weights, rounds)) / weights.sum()
        if gap > best_gap:
            best, best_gap = weights, gap
    best *= len(wanted) / float(best.sum())
    return best


def _whole_weights(relaxation: _Relaxation, weights: Floats, rounds: int) -> Floats | None:
    """The weights rounded to small whole numbers that still refute, or None."""
    for scale in SCALES:
        whole: Floats = (weights * (scale / float(weights.max()))).round()
        if _refutes(relaxation, whole, rounds):
            return whole
    return None


@dataclass(frozen=True)
class _Group:
    """The states of equally many callees that are solved alike, ordered by the node's distance from the
    sources.

    exact: whether to maximise, or to estimate. distances, states: of the rows. callees: the states that each
    row's node can call.
    """

    exact: bool
    distances: Numbers
    states: Numbers
    callees: Numbers


@dataclass(frozen=True)
class _Relaxation:
    """The states (node, parent) of `covering_value`, numbered; the sources' states and the node of each
    state.
    """

    node_count: int
    distances: Sequence[int | None]
    nodes: Numbers
    sources: Numbers
    groups: tuple[_Group, ...]


def _relaxation(network: Network, sources: Collection[int]) -> _Relaxation:
    """The states that are reached from the sources."""
    import numpy as np

    informed = frozenset(sources)
    distances = network.distances_from(informed)
    callees = [[u for u in out if u not in informed] for out in network.successors]
    callee_sets = [set(out) if len(out) <= PARENT_CALLEES else set() for out in callees]

    def state(v: int, parent: int) -> tuple[int, int]:
        return (v, parent if parent in callee_sets[v] else ANYONE)

    number = {(s, ANYONE): i for i, s in enumerate(sorted(informed))}
    for p in range(network.node_count):
        for v in callees[p] if distances[p] is not None else ():
            number.setdefault(state(v, p), len(number))
    rows: dict[tuple[int, bool], list[tuple[int, int, list[int]]]] = {}
    for (v, parent), i in number.items():
        called = [number[state(u, v)] for u in callees[v] if u != parent]
        rows.setdefault((len(called), len(callees[v]) <= EXACT_CALLEES), []).append(
            (distances[v] or 0, i, called)
        )
    groups = []
    for (_, exact), members in sorted(rows.items()):
        members.sort()
        columns = [np.array(column, dtype=np.int64) for column in zip(*members, strict=True)]
        groups.append(_Group(exact, *columns))
    nodes = np.array([v for v, _ in number])
    return _Relaxation(network.node_count, distances, nodes, np.arange(len(informed)), tuple(groups))


def _table(relaxation: _Relaxation, weights: Floats, rounds: int) -> Floats:
    """The values V of `covering_value`: a row for every number of rounds left from 0, a column for every
    state.

    Entries that more rounds would be needed to come to are left 0.
    """
    import numpy as np

    own = weights[relaxation.nodes]
    table = np.zeros((rounds + 1, len(own)))
    slots = [np.zeros((len(group.states), 0)) for group in relaxation.groups]
    for left in range(rounds + 1):
        for g, group in enumerate(relaxation.groups):
            count = int(np.searchsorted(group.distances, rounds - left, side="right"))
            states, callees = group.states[:count], group.callees[:count]
            table[left, states] = own[states]
            if not left or not callees.size:
                continue
            if group.exact:
                table[left, states] += _best_calls(table, left, callees)[-1]
            else:
                ranked = -np.sort(-table[left - 1][callees], axis=1)[:, :left]
                ranked[:, 1:] = np.minimum(ranked[:, 1:], slots[g][:count, : ranked.shape[1] - 1])
                slots[g] = ranked
                table[left, states] += ranked.sum(axis=1)
    return table


def _best_calls(table: Floats, left: int, callees: Numbers) -> Floats:
    """For every set of callees, as a bit mask, and every row of callees the best sum of gains when it is
    called.
    """
    import numpy as np

    rows, width = callees.shape
    best = np.zeros((1 << width, rows))
    gains = [table[left - call][callees.T] for call in range(1, min(left, width) + 1)]
    for mask in range(1, 1 << width):
        call = mask.bit_count()
        members = [j for j in range(width) if mask >> j & 1]
        options = [
            best[mask ^ (1 << j)] + gains[call - 1][j] if call <= left else best[mask ^ (1 << j)]
            for j in members
        ]
        for option in options:
            np.maximum(best[mask], option, out=best[mask])
    return best


def _visits(relaxation: _Relaxation, table: Floats) -> Floats:
    """How often every node is informed in a way to call that attains the value; where that is estimated, in a
    likely good one.
    """
    import numpy as np

    rounds = len(table) - 1
    times = np.zeros_like(table)
    times[rounds, relaxation.sources] = 1
    for left in range(rounds, 0, -1):
        for group in relaxation.groups:
            rows = np.flatnonzero(times[left, group.states])
            if not len(rows) or not group.callees.size:
                continue
            callees = group.callees[rows]
            order = (
                _exact_order(table, left, callees) if group.exact else _ranked_order(table[left - 1][callees])
            )
            for call in range(1, min(left, callees.shape[1]) + 1):
                called = np.take_along_axis(callees, order[:, call - 1 : call], axis=1)[:, 0]
                np.add.at(times[left - call], called, times[left, group.states[rows]])
    return np.bincount(relaxation.nodes, weights=times.sum(axis=0), minlength=relaxation.node_count).astype(
        np.float64
    )


def _exact_order(table: Floats, left: int, callees: Numbers) -> Numbers:
    """For every row the callees, as indices, in the order of the rounds they are best called in."""
    import numpy as np

    count, width = callees.shape
    best = _best_calls(table, left, callees)
    rows = np.arange(count)
    mask = np.full(count, (1 << width) - 1)
    order = np.zeros((count, width), dtype=np.int64)
    for call in range(width, 0, -1):
        options = np.full((width, count), -np.inf)
        for j in range(width):
            before = best[mask & ~(1 << j), rows]
            options[j] = np.where(
                mask >> j & 1, before + table[left - call][callees[:, j]] if call <= left else before, -np.inf
            )
        order[:, call - 1] = options.argmax(axis=0)
        mask ^= 1 << order[:, call - 1]
    return order


def _ranked_order(gains: Floats) -> Numbers:
    """For every row the callees, as indices, by falling gain."""
    order: Numbers = (-gains).argsort(axis=1, kind="stable")
    return order


def _value(relaxation: _Relaxation, table: Floats) -> float:
    return float(table[-1, relaxation.sources].sum())


def _refutes(relaxation: _Relaxation, weights: Floats, rounds: int) -> bool:
    return _value(relaxation, _table(relaxation, weights, rounds)) < float(weights.sum())
