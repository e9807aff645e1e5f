"""The covering relaxation in floating point, for those who look for weights, of which nothing is trusted.

Its values, and how often it informs every node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..claims.covering_levels import (
    ExactGroup,
    Relaxation,
    best_sets,
    levels,
    subsets_of,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..claims.covering_levels import EstimatedGroup, Table

    Floats = npt.NDArray[np.float64]
    Numbers = npt.NDArray[np.int64]


def value_table(relaxation: Relaxation, weights: Floats, rounds: int) -> Floats:
    """Return the values V of `covering_value`.

    A row for every number of rounds left from 0, a column for every state.
    """
    import numpy as np

    return np.array(list(levels(relaxation, weights, rounds)))


def value_of(relaxation: Relaxation, table: Floats) -> float:
    """Return what the sources reach by a table."""
    return float(table[-1, relaxation.roots].sum())


def refutes(relaxation: Relaxation, weights: Floats, rounds: int) -> bool:
    """Whether so many rounds reach less than all of the weights, as far as floating point says."""
    *_, last = levels(relaxation, weights, rounds)
    return float(last[relaxation.roots].sum()) < float(weights.sum())


def visits_of(relaxation: Relaxation, table: Floats) -> Floats:
    """How often every node is informed in a way to call that attains the value.

    Where that is estimated, in a likely good one.
    """
    import numpy as np

    rounds = len(table) - 1
    times = np.zeros_like(table)
    times[rounds, relaxation.roots] = 1
    for left in range(rounds, -1, -1):
        if left < rounds:
            # A call of the informed gains nothing, and may as well be left out.
            times[left, relaxation.idle] = 0
        for group, *_ in relaxation.groups:
            if not left or not len(group.callees):
                continue
            if isinstance(group, ExactGroup):
                _visit_exactly(table, times, group, left)
            else:
                _visit_by_rank(table, times, group, left)
    total = np.bincount(relaxation.nodes, weights=times.sum(axis=0))
    return total.astype(np.float64)


def _visit_exactly(table: Floats, times: Floats, group: ExactGroup, left: int) -> None:
    """Count the visits by the best orders of calls of a group's states."""
    import numpy as np

    count = len(group.callees)
    by_parent = times[left, group.own]
    by_nobody = times[left, group.nodes]
    columns = np.flatnonzero(by_parent.any(axis=0) | (by_nobody > 0))
    if not len(columns):
        return
    callees, by_parent, by_nobody = group.callees[:, columns], by_parent[:, columns], by_nobody[columns]
    some = _Columns(callees, best_sets(list(table[left - 1 :: -1]), callees, left), left)
    if (parents := by_parent.nonzero())[0].size and count > 1:
        size = min(left, count - 1)
        parent, column = parents
        sets = subsets_of(count).without[size][parent]
        chosen = sets[np.arange(len(sets)), some.best[size][sets, column[:, None]].argmax(axis=1)]
        _add_calls(table, times, some, size, column, by_parent[parents], chosen)
    if (column := by_nobody.nonzero()[0]).size:
        size = min(left, count)
        chosen = some.best[size][:, column].argmax(axis=0)
        _add_calls(table, times, some, size, column, by_nobody[column], chosen)


class _Columns(NamedTuple):
    """Some columns of a group, with so many rounds left: their callees, and `best_sets` of them."""

    callees: Numbers
    best: list[Table]
    left: int


def _add_calls(
    table: Floats, times: Floats, some: _Columns, size: int, column: Numbers, number: Floats, chosen: Numbers
) -> None:
    """Count the visits of sets called in the best order.

    Parameters
    ----------
    table
        The values by state and rounds.
    times
        The rounds that are left.
    some
        The states looked at.
    size
        Of the sets.
    column, number, chosen
        Of every set the column that calls it, how often, and the number of the set.
    """
    import numpy as np

    subsets, rows = subsets_of(len(some.callees)), np.arange(len(column))
    for call in range(size, 0, -1):
        smaller = subsets.smaller[call][chosen]
        called = some.callees[subsets.members[call][chosen], column[:, None]]
        gains = table[some.left - call][called]
        pick = (some.best[call - 1][smaller, column[:, None]] + gains).argmax(axis=1)
        np.add.at(times[some.left - call], called[rows, pick], number)
        chosen = smaller[rows, pick]


def _visit_by_rank(table: Floats, times: Floats, group: EstimatedGroup, left: int) -> None:
    """Count the visits if the states of a group call by falling gain."""
    import numpy as np

    columns = np.flatnonzero(times[left, group.states])
    callees = group.callees[:, columns]
    order = (-table[left - 1][callees]).argsort(axis=0, kind="stable")
    for call in range(1, min(left, len(callees)) + 1):
        called = np.take_along_axis(callees, order[call - 1 : call], axis=0)[0]
        np.add.at(times[left - call], called, times[left, group.states[columns]])
