"""The covering relaxation in floating point, for those who look for weights, of which nothing is trusted: its
values, and how often it informs every node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..claims.covering_levels import ExactGroup, Relaxation, best_sets, levels, subsets_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..claims.covering_levels import EstimatedGroup

    Floats = npt.NDArray[np.float64]
    Numbers = npt.NDArray[np.int64]


def value_table(relaxation: Relaxation, weights: Floats, rounds: int) -> Floats:
    """The values V of `covering_value`: a row for every number of rounds left from 0, a column for every
    state.
    """
    import numpy as np

    return np.array(list(levels(relaxation, weights, rounds)))


def value_of(relaxation: Relaxation, table: Floats) -> float:
    """What the sources reach by a table."""
    return float(table[-1, relaxation.roots].sum())


def refutes(relaxation: Relaxation, weights: Floats, rounds: int) -> bool:
    """Whether so many rounds reach less than all of the weights, as far as floating point says."""
    *_, last = levels(relaxation, weights, rounds)
    return float(last[relaxation.roots].sum()) < float(weights.sum())


def visits_of(relaxation: Relaxation, table: Floats) -> Floats:
    """How often every node is informed in a way to call that attains the value; where that is estimated, in a
    likely good one.
    """
    import numpy as np

    rounds = len(table) - 1
    times = np.zeros_like(table)
    times[rounds, relaxation.roots] = 1
    for left in range(rounds, 0, -1):
        if left < rounds:
            # A call of the informed gains nothing, and may as well be left out.
            times[left, relaxation.idle] = 0
        for group, *_ in relaxation.groups:
            if not len(group.callees):
                continue
            if isinstance(group, ExactGroup):
                _visit_exactly(table, times, group, left)
            else:
                _visit_by_rank(table, times, group, left)
    times[0, relaxation.idle] = 0
    total = np.bincount(relaxation.nodes, weights=times.sum(axis=0))
    return total.astype(np.float64)


class _Calls(NamedTuple):
    """Ways to call, each for a column of a group: so many times, the set called, as in `Subsets`."""

    columns: Numbers
    times: Floats
    chosen: Numbers


def _visit_exactly(table: Floats, times: Floats, group: ExactGroup, left: int) -> None:
    """Count the visits by the best orders of calls of a group's states."""
    import numpy as np

    count = len(group.callees)
    by_parent = times[left, np.concatenate([group.own, group.root[None]])]
    columns = np.flatnonzero(by_parent.any(axis=0))
    if not len(columns):
        return
    callees, by_parent = group.callees[:, columns], by_parent[:, columns]
    before = list(table[left - 1 :: -1])
    best = best_sets(before, callees, left)
    subsets = subsets_of(count)
    # By the number of calls: those that leave out the parent, or nobody.
    ways: dict[int, list[_Calls]] = {}
    for j in range(count + 1):
        used = np.flatnonzero(by_parent[j])
        c = min(left, count if j == count else count - 1)
        if not len(used) or not c:
            continue
        sets = subsets.without[c][j] if j < count else np.arange(len(best[c]))
        chosen = sets[best[c][sets[:, None], used].argmax(axis=0)]
        ways.setdefault(c, []).append(_Calls(used, by_parent[j, used], chosen))
    for c, same in ways.items():
        used, number, chosen = (np.concatenate(parts) for parts in zip(*same, strict=True))
        for call in range(c, 0, -1):
            smaller = subsets.smaller[call][chosen]
            called = callees[subsets.members[call][chosen], used[:, None]]
            pick = (best[call - 1][smaller, used[:, None]] + before[call - 1][called]).argmax(axis=1)[:, None]
            np.add.at(times[left - call], np.take_along_axis(called, pick, axis=1)[:, 0], number)
            chosen = np.take_along_axis(smaller, pick, axis=1)[:, 0]


def _visit_by_rank(table: Floats, times: Floats, group: EstimatedGroup, left: int) -> None:
    """Count the visits if the states of a group call by falling gain."""
    import numpy as np

    columns = np.flatnonzero(times[left, group.states])
    callees = group.callees[:, columns]
    order = (-table[left - 1][callees]).argsort(axis=0, kind="stable")
    for call in range(1, min(left, len(callees)) + 1):
        called = np.take_along_axis(callees, order[call - 1 : call], axis=0)[0]
        np.add.at(times[left - call], called, times[left, group.states[columns]])
