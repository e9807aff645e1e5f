"""The covering relaxation in floating point tables over all states (node, parent) at once: for those who look
for weights, of which nothing is trusted.

`covering_value` in the claims says what the tables hold; it computes the same in integers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedsolve.network.graph import Network

from ..claims import ANYONE, EXACT_CALLEES, PARENT_CALLEES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Group:
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
class Relaxation:
    """The states (node, parent) of `covering_value`, numbered; the sources' states and the node of each
    state.
    """

    node_count: int
    distances: Sequence[int | None]
    nodes: Numbers
    sources: Numbers
    groups: tuple[Group, ...]


def relaxation_of(network: Network, sources: Collection[int]) -> Relaxation:
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
        groups.append(Group(exact, *columns))
    nodes = np.array([v for v, _ in number])
    return Relaxation(network.node_count, distances, nodes, np.arange(len(informed)), tuple(groups))


def value_table(relaxation: Relaxation, weights: Floats, rounds: int) -> Floats:
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


def visits_of(relaxation: Relaxation, table: Floats) -> Floats:
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


def value_of(relaxation: Relaxation, table: Floats) -> float:
    """What the sources reach by a table."""
    return float(table[-1, relaxation.sources].sum())


def refutes(relaxation: Relaxation, weights: Floats, rounds: int) -> bool:
    """Whether so many rounds reach less than all of the weights, as far as floating point says."""
    return value_of(relaxation, value_table(relaxation, weights, rounds)) < float(weights.sum())
