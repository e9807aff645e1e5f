"""The covering relaxation in tables over all states (node, parent), one for every number of rounds left.

`covering_value` says what the relaxation is. Whole numbers in, whole numbers out; those who look for weights
use the same tables in floating point.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from schedsolve.network.graph import Network

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Table = npt.NDArray[Any]
    Numbers = npt.NDArray[np.int64]

EXACT_CALLEES = 10
"""Up to so many callees the best order of calls is computed, beyond it is estimated."""
PARENT_CALLEES = 16
"""A node of more callees may call its parent back."""
MOST_COLUMNS = 512
"""Nodes that are handled at once; more would only fill the memory."""


@dataclass(frozen=True)
class ExactGroup:
    """Nodes of equally many callees, few enough for the best order of calls: a column each.

    Attributes
    ----------
    nodes
        Of the columns, and so their states as called by nobody, or by anybody not in `own`.
    callees
        For every callee, the first index, its state as called by the node.
    own
        The node's state as called by that callee, or the unused state.
    """

    nodes: Numbers
    callees: Numbers
    own: Numbers


@dataclass(frozen=True)
class EstimatedGroup:
    """States whose nodes have too many callees, equally many that they may call: a column each.

    Attributes
    ----------
    nodes
        Of the states.
    callees
        The states that each can call.
    states
        Their own numbers.
    """

    nodes: Numbers
    callees: Numbers
    states: Numbers


Group = ExactGroup | EstimatedGroup


@dataclass(frozen=True)
class Relaxation:
    """The relaxation from given sources.

    Attributes
    ----------
    nodes
        The node of every state; the last state is unused.
    roots
        The sources' states, by which they are called by nobody.
    idle
        All states of the sources, and the unused one.
    distances
        Of all nodes from the sources.
    groups
        Each with its columns in the order of their distances, those, and how many are of sources; without
        what no source reaches.
    """

    nodes: Numbers
    roots: Numbers
    idle: Numbers
    distances: Sequence[int | None]
    groups: tuple[tuple[Group, Numbers, int], ...]


def relaxation_of(network: Network, sources: Collection[int]) -> Relaxation:
    """Return the relaxation of a broadcast in the network from the sources, nodes from 0."""
    import numpy as np

    states = _states_of(network, EXACT_CALLEES, PARENT_CALLEES)
    distances = network.distances_from(sources)
    far = network.node_count
    distance = np.array([far if d is None else d for d in distances])
    groups = []
    for group in states.groups:
        of_columns = distance[group.nodes]
        order = of_columns.argsort(kind="stable")
        order = order[: (of_columns < far).sum().item()]
        ordered: Group
        if isinstance(group, ExactGroup):
            ordered = ExactGroup(group.nodes[order], group.callees[:, order], group.own[:, order])
        else:
            ordered = EstimatedGroup(group.nodes[order], group.callees[:, order], group.states[order])
        groups.append((ordered, of_columns[order], (of_columns == 0).sum().item()))
    informed = np.array(sorted(set(sources)), np.int64)
    idle = np.append(np.flatnonzero(np.isin(states.nodes, informed)), len(states.nodes) - 1)
    return Relaxation(states.nodes, informed, idle, distances, tuple(groups))


def levels(relaxation: Relaxation, weights: Table, rounds: int) -> Iterator[Table]:
    """V(v, p, t) of `covering_value` for t = 0, ..., rounds, every time for all states.

    Parameters
    ----------
    relaxation
        The covering relaxation.
    weights
        Of all nodes; their type is that of the tables. With fewer than all rounds left the informed count
        nothing, and what cannot be informed by then is left 0; with all left only the states of the sources'
        columns are set.
    rounds
        The number of rounds.
    """
    import numpy as np

    before: deque[Table] = deque(maxlen=max(1, EXACT_CALLEES))
    slots: dict[tuple[int, int], Table] = {}
    for left in range(rounds + 1):
        level = np.zeros(len(relaxation.nodes), weights.dtype)
        for number, (group, distances, source_count) in enumerate(relaxation.groups):
            last = source_count if left == rounds else distances.searchsorted(rounds - left, "right").item()
            if isinstance(group, EstimatedGroup):
                for columns in _pieces(0, last):
                    key = number, columns.start
                    gains = before[0][group.callees[:, columns]] if left else group.callees[:0, columns]
                    slots[key] = _slots(gains, slots.get(key))
                    level[group.states[columns]] = weights[group.nodes[columns]] + slots[key].sum(axis=0)
                continue
            for columns in _pieces(0 if left == rounds else source_count, last):
                nodes, callees = group.nodes[columns], group.callees[:, columns]
                own, best = weights[nodes], best_sets(before, callees, left)
                level[nodes] = own + best[-1].max(axis=0)
                if len(callees):
                    level[group.own[:, columns]] = own + best_without_each(best, len(callees), left)
        if left < rounds:
            level[relaxation.idle] = 0
        before.appendleft(level)
        yield level


def _pieces(start: int, end: int) -> list[slice]:
    return [slice(i, min(end, i + MOST_COLUMNS)) for i in range(start, end, MOST_COLUMNS)]


def best_sets(before: Sequence[Table], callees: Numbers, left: int) -> list[Table]:
    """For c = 0, 1, ... the best sum of gains for every set of c callees, as in `Subsets`, and every column.

    Parameters
    ----------
    before
        The levels of left - 1, left - 2, ... rounds. Gains never grow with the round, so c callees are called
        in the first c rounds: the last of them in round c.
    callees
        The states that can be called.
    left
        The rounds that are left.
    """
    import numpy as np

    subsets = subsets_of(len(callees))
    best = [np.zeros((1, callees.shape[1]), before[0].dtype if left else np.int64)]
    for c in range(1, min(left, len(callees)) + 1):
        # best(C) = max over the last callee j of best(C - j) + gain(j, round |C|)
        gains = before[c - 1][callees]
        options = best[-1][subsets.smaller[c]] + gains[subsets.members[c]]
        best.append(options.max(axis=1))
    return best


def best_without_each(best: Sequence[Table], count: int, left: int) -> Table:
    """Return the best sum that does without callee j, for every j and column."""
    c = min(left, count - 1)
    without: Table = best[c][subsets_of(count).without[c]].max(axis=1)
    return without


class Subsets(NamedTuple):
    """The sets of c of the callees 0, 1, ..., numbered for every c.

    Attributes
    ----------
    members, smaller
        By c, for every set its members and, for each of them, the number of the set without it.
    without
        By c, for every callee the numbers of the sets that it is not in, a row each.
    """

    members: list[Numbers]
    smaller: list[Numbers]
    without: list[Numbers]


@cache
def subsets_of(count: int) -> Subsets:
    """Return the sets of so many callees, by their numbers of members."""
    import numpy as np

    sets = [list(combinations(range(count), c)) for c in range(count + 1)]
    number = {chosen: i for same in sets for i, chosen in enumerate(same)}
    smaller = [[[number[x[:i] + x[i + 1 :]] for i in range(c)] for x in same] for c, same in enumerate(sets)]
    without = [[[number[x] for x in same if j not in x] for j in range(count)] for same in sets]
    return Subsets(*[[np.array(same, np.int64) for same in by_size] for by_size in (sets, smaller, without)])


def _slots(gains: Table, slots_before: Table | None) -> Table:
    """Return upper estimates of the gains of rounds 1, 2, ... for every column.

    Their sum is at least the best sum of gains by distinct callees.

    gains: of every callee in round 1. slots_before: the slots when one round fewer is left, which is how
    rounds 2, 3, ... look from round 1. With g(l, j) the j-th largest gain in round l, slot i is the least of
    g(l, i - l + 1) for l = 1..i.

    Why: let n(l) be the number of callees with a gain of x or more in round l; it never grows with l. Calls
    of gain x or more number at most l - 1 + n(l) for every l: those before round l, and distinct callees from
    then on. Slot i is x or more if i <= l - 1 + n(l) for all l <= i, so at least as many slots as calls are x
    or more. This for all x = 1, 2, ... bounds the sum.
    """
    import numpy as np

    ranked: Table = -np.sort(-gains, axis=0)
    if slots_before is None:
        return ranked[:1]
    now = ranked[1 : 1 + len(slots_before)]
    return np.concatenate([ranked[:1], np.minimum(now, slots_before[: len(now), : gains.shape[1]])])


class _States(NamedTuple):
    """The nodes of all states of a network, and their groups."""

    nodes: Numbers
    groups: tuple[Group, ...]


@lru_cache(maxsize=2)
def _states_of(network: Network, exact_callees: int, parent_callees: int) -> _States:
    """Return a state (v, p) for every p that calls v and that v could call back.

    State v stands for all others.
    """
    import numpy as np

    n = network.node_count
    successors = network.successors
    nodes = list(range(n))
    called_by: dict[tuple[int, int], int] = {}
    for v in range(n):
        if len(successors[v]) <= parent_callees:
            for p in sorted({*successors[v]}.intersection(network.predecessors[v])):
                called_by[v, p] = len(nodes)
                nodes.append(v)
    unused = len(nodes)
    exact: dict[int, list[int]] = {}
    estimated: dict[int, list[tuple[int, int, list[int]]]] = {}
    for v, callees in enumerate(successors):
        if len(callees) <= exact_callees:
            exact.setdefault(len(callees), []).append(v)
            continue
        states = {v: v} | {p: called_by[v, p] for p in callees if (v, p) in called_by}
        for p, state in states.items():
            called = [called_by.get((u, v), u) for u in callees if u != p]
            estimated.setdefault(len(called), []).append((v, state, called))
    groups: list[Group] = []
    for count, same in sorted(exact.items()):
        callees_of = np.array([[called_by.get((u, v), u) for u in successors[v]] for v in same], np.int64)
        own = np.array([[called_by.get((v, u), unused) for u in successors[v]] for v in same], np.int64)
        shape = (len(same), count)
        nodes_of = np.array(same, np.int64)
        groups.append(ExactGroup(nodes_of, callees_of.reshape(shape).T, own.reshape(shape).T))
    for _, rows in sorted(estimated.items()):
        columns = [np.array(column, np.int64) for column in zip(*rows, strict=True)]
        groups.append(EstimatedGroup(columns[0], columns[2].T, columns[1]))
    return _States(np.array([*nodes, 0]), tuple(groups))
