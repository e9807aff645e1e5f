"""The moves of `gossip_annealing`, compiled by numba: orbits of calls are put into a schedule and taken out.

Whoever imports this module waits for numba, as for `mending_moves`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .compiled_sets import ZERO, below, compiled, compiled_within, drawn, ones

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Nodes = npt.NDArray[np.uint32]
    Words = npt.NDArray[np.uint64]

NONE = -1
"""No slot: an idle node's, or the opposite of one that has none."""
TIME, FROM, TO = 0, 1, 2
"""A call's parts: its round, from 0, and its ends."""
TAKEN_OUT, LEFT_IDLE = 2, 4
"""The most slots that a move takes out, and the most of their first calls' ends, which it may leave idle."""


class State(NamedTuple):
    """A schedule and what is known of it.

    Attributes
    ----------
    two_way
        Whether calls are two-way.
    first, calls
        TIME, FROM and TO of all calls; those of slot s are from first[s] to first[s + 1], the earliest first.
    opposite
        For every slot that of the opposite one-way calls, or NONE.
    start, touching
        The slots with a call of node v in round t are those from start[t n + v] to start[t n + v + 1].
    used
        By round and node: the slot of the node's call, or NONE.
    source
        By round and node: from whom it hears, else itself.
    sets
        Which of two, number of rounds before, and word: for every node that word of the items it has.
    newest
        For every number of rounds before: which of the two sets is that of the schedule.
    missing
        The pairs (node, item) that are missing in the end.
    random
        The state of the random numbers.
    """

    two_way: bool
    first: Integers
    calls: Integers
    opposite: Integers
    start: Integers
    touching: Integers
    used: Integers
    source: Nodes
    sets: Words
    newest: Integers
    missing: Integers
    random: Words


@compiled_within
def _put(two_way: bool, first: Integers, calls: Integers, used: Integers, source: Nodes, slot: int) -> None:
    for i in range(first[slot], first[slot + 1]):
        t, u, v = calls[TIME, i], calls[FROM, i], calls[TO, i]
        used[t, u] = used[t, v] = slot
        source[t, v] = u
        if two_way:
            source[t, u] = v


@compiled_within
def _drop(first: Integers, calls: Integers, used: Integers, source: Nodes, slot: int) -> None:
    for i in range(first[slot], first[slot + 1]):
        t, u, v = calls[TIME, i], calls[FROM, i], calls[TO, i]
        used[t, u] = used[t, v] = NONE
        source[t, u], source[t, v] = u, v


@compiled_within
def _is_free(first: Integers, calls: Integers, used: Integers, slot: int) -> bool:
    """Return whether a slot's nodes are idle: if those of its first call are, so are their images."""
    i = first[slot]
    t = calls[TIME, i]
    return bool(used[t, calls[FROM, i]] == NONE and used[t, calls[TO, i]] == NONE)


@compiled_within
def _free_slot(
    first: Integers,
    calls: Integers,
    start: Integers,
    touching: Integers,
    used: Integers,
    random: Words,
    t: int,
    x: int,
) -> int:
    """Return a random slot with a call of a node all of whose nodes are idle; NONE if there is none."""
    free, chosen = 0, NONE
    if used[t, x] == NONE:
        end = t * used.shape[1] + x
        for j in range(start[end], start[end + 1]):
            if _is_free(first, calls, used, touching[j]):
                free += 1
                if below(random, free) == 0:
                    chosen = touching[j]
    return chosen


@compiled_within
def _follow(source: Nodes, sets: Words, newest: Integers, t: int) -> int:
    """Follow the items from a round on, into the older sets; return how many pairs there are in the end."""
    rounds, n = source.shape
    words = sets.shape[2]
    which = newest[t]
    for s in range(t, rounds):
        other, heard = 1 - newest[s + 1], source[s]
        for k in range(words):
            before, after = sets[which, s, k], sets[other, s + 1, k]
            for v in range(n):
                after[v] = before[v] | before[heard[v]]
        which = other
    pairs = 0
    for k in range(words):
        last = sets[which, rounds, k]
        for v in range(n):
            pairs += ones(last[v])
    return pairs


@compiled_within
def _keep(newest: Integers, t: int) -> None:
    """Take over what was followed from a round on."""
    for s in range(t + 1, len(newest)):
        newest[s] = 1 - newest[s]


@compiled
def begin(state: State, order: Integers, pairs: int) -> None:
    """Begin with the slots that are free, taken in an order, and follow so many pairs."""
    two_way, first, calls, _, _, _, used, source, sets, newest, missing, _ = state
    for slot in order:
        if _is_free(first, calls, used, slot):
            _put(two_way, first, calls, used, source, slot)
    missing[0] = pairs - _follow(source, sets, newest, ZERO)
    _keep(newest, ZERO)


@compiled_within
def _displace(
    two_way: bool,
    first: Integers,
    calls: Integers,
    start: Integers,
    touching: Integers,
    used: Integers,
    source: Nodes,
    random: Words,
    slot: int,
    changed: Integers,
) -> None:
    """Put a slot in; list what it takes out, two slots or NONE, and what fills the nodes left idle."""
    i = first[slot]
    t = calls[TIME, i]
    changed[:] = NONE
    changed[0] = used[t, calls[FROM, i]]
    if used[t, calls[TO, i]] != changed[0]:
        changed[1] = used[t, calls[TO, i]]
    for old in changed[:TAKEN_OUT]:
        if old != NONE:
            _drop(first, calls, used, source, old)
    _put(two_way, first, calls, used, source, slot)
    at = TAKEN_OUT
    for old in changed[:TAKEN_OUT]:
        if old != NONE:
            for end in (FROM, TO):
                x = calls[end, first[old]]
                changed[at] = _free_slot(first, calls, start, touching, used, random, t, x)
                if changed[at] != NONE:
                    _put(two_way, first, calls, used, source, changed[at])
                at += 1


@compiled
def anneal(state: State, pairs: int, moves: int, hot: float, cold: float) -> None:
    """Try so many moves, while some of so many pairs are missing; the temperature falls from hot to cold.

    A move puts a slot in, in place of those that share a node with it, or turns it round if it is there; the
    nodes that are left idle get others; it is kept, or all is put back.
    """
    two_way, first, calls, opposite, start, touching, used, source, sets, newest, missing, random = state
    changed = np.empty(TAKEN_OUT + LEFT_IDLE, np.int64)
    for move in range(moves):
        if not missing[0]:
            return
        slot = below(random, len(opposite))
        t = calls[TIME, first[slot]]
        if used[t, calls[FROM, first[slot]]] == slot:
            slot = opposite[slot]
            if slot == NONE:
                continue
        _displace(two_way, first, calls, start, touching, used, source, random, slot, changed)
        now = pairs - _follow(source, sets, newest, t)
        more = now - missing[0]
        # Metropolis step
        if more <= 0 or drawn(random) < np.exp(-more / (hot + (cold - hot) * move / moves)):
            missing[0] = now
            _keep(newest, t)
            continue
        # undo
        _drop(first, calls, used, source, slot)
        for new in changed[TAKEN_OUT:]:
            if new != NONE:
                _drop(first, calls, used, source, new)
        for old in changed[:TAKEN_OUT]:
            if old != NONE:
                _put(two_way, first, calls, used, source, old)
