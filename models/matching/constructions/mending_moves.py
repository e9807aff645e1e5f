"""The moves of `gossip_mending`, compiled by numba.

Whoever imports this module waits for numba, some tenths of a second; what it compiles it keeps in a cache.
All that a move needs stands in the arrays of a `State`. They are handed on one by one, because to take one
out of a tuple costs as much as a small function does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .compiled_sets import LOG_WORD, WORD, ZERO, below, bits, compiled, compiled_within, drawn, holds, int64

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Words = npt.NDArray[np.uint64]

IDLE = int64(-1)
"""In `State.calls`: the node has nobody there."""
HEARS, TELLS = 0, 1
"""Two parts of `State.calls`: from whom a node hears, whom it tells."""
SENDS, RECEIVES, BOTH = 0, 1, 2
"""What a node does in a call."""
ORIGINS, DESTINATIONS, CHANGED = int64(0), int64(1), int64(2)
"""The kinds of sets that a state has."""
MARK, LISTED = 0, 1
"""Two parts of `State.changes`."""
MOVES, MISSING = 0, 1
"""What `State.numbers` holds: of the moves, and of the pairs (node, item) that are missing in the end."""
FOCUS = 0.2
"""The share of the moves that begin at a missing pair."""
WALKS = 8
"""So many walks look for a call that brings a missing pair together, before a call is drawn."""
TOUCHED = 16
"""The most nodes whose calls a move changes, and more."""


class State(NamedTuple):
    """A schedule and what is known of it; sets are rows of words.

    Attributes
    ----------
    calls
        HEARS and TELLS by round and node.
    first, options
        The calls of node v are those from first[v] to first[v + 1]: with whom, and what v does in them.
    sets
        By kind, number of rounds before, and node: whose items the node has; whom an item reaches that the
        node then has; and what a move makes of one of the two.
    lacks
        For every node, how many items it misses in the end.
    changes
        By the number of rounds before: the nodes whose sets a move changes, each marked by the number of the
        move, and a list of them, whose length is its last entry.
    touched
        The nodes whose calls a move changes, from whom they heard, and whom they told.
    numbers
        MOVES and MISSING.
    random
        The state of the random numbers.
    """

    calls: Integers
    first: Integers
    options: Integers
    sets: Words
    lacks: Integers
    changes: Integers
    touched: Integers
    numbers: Integers
    random: Words


@compiled_within
def _follow(calls: Integers, sets: Words, kind: int) -> None:
    """Follow all items through all rounds, or all destinations back."""
    rounds, n = calls.shape[1:]
    part, level, step = (HEARS, 0, 1) if kind == ORIGINS else (TELLS, rounds, -1)
    for v in range(n):
        for k in range(sets.shape[3]):
            sets[kind, level, v, k] = 0
        sets[kind, level, v, v >> LOG_WORD] = np.uint64(1) << np.uint64(v & (WORD - 1))
    for _ in range(rounds):
        t = level if kind == ORIGINS else level - 1
        for v in range(n):
            u = calls[part, t, v]
            for k in range(sets.shape[3]):
                word = sets[kind, level, v, k]
                sets[kind, level + step, v, k] = word if u == IDLE else word | sets[kind, level, u, k]
        level += step


@compiled_within
def _put(calls: Integers, options: Integers, t: int, x: int, call: int) -> None:
    """Give a node one of its calls."""
    y, way = options[0, call], options[1, call]
    if way != RECEIVES:
        calls[TELLS, t, x] = y
        calls[HEARS, t, y] = x
    if way != SENDS:
        calls[HEARS, t, x] = y
        calls[TELLS, t, y] = x


@compiled_within
def _is_idle(calls: Integers, t: int, x: int) -> bool:
    return bool(calls[HEARS, t, x] == IDLE and calls[TELLS, t, x] == IDLE)


@compiled_within
def _touch(calls: Integers, touched: Integers, t: int, x: int, number: int) -> int:
    """Remember the call of a node that a move changes; return how many nodes it has."""
    for i in range(number):
        if touched[0, i] == x:
            return number
    touched[0, number] = x
    touched[1, number], touched[2, number] = calls[HEARS, t, x], calls[TELLS, t, x]
    return number + 1


@compiled_within
def _release(calls: Integers, touched: Integers, t: int, x: int, number: int) -> int:
    """Remove the call of a node; return how many nodes are touched."""
    y = max(calls[HEARS, t, x], calls[TELLS, t, x])
    number = _touch(calls, touched, t, x, number)
    if y != IDLE:
        number = _touch(calls, touched, t, y, number)
        for part in (HEARS, TELLS):
            calls[part, t, x] = calls[part, t, y] = IDLE
    return number


@compiled_within
def _fill(
    calls: Integers,
    first: Integers,
    options: Integers,
    touched: Integers,
    random: Words,
    t: int,
    x: int,
    number: int,
) -> int:
    """Give an idle node a call with another idle node, if it can; return how many nodes are touched."""
    if not _is_idle(calls, t, x):
        return number
    free, chosen = 0, IDLE
    for call in range(first[x], first[x + 1]):
        if _is_idle(calls, t, options[0, call]):
            free += 1
            if below(random, free) == 0:
                chosen = call
    if chosen != IDLE:
        number = _touch(calls, touched, t, options[0, chosen], number)
        _put(calls, options, t, x, chosen)
    return number


@compiled_within
def _missing_pair(sets: Words, lacks: Integers, random: Words) -> tuple[int, int]:
    """Return an item and a node that misses it."""
    n, last = len(lacks), sets.shape[1] - 1
    v = below(random, n)
    while not lacks[v]:
        v = v + 1 if v + 1 < n else 0
    i = below(random, n)
    while holds(sets, ORIGINS, last, v, i):
        i = i + 1 if i + 1 < n else 0
    return i, v


@compiled_within
def _focused(
    calls: Integers, first: Integers, options: Integers, sets: Words, lacks: Integers, random: Words, t: int
) -> tuple[int, int]:
    """Return a node and a call of it in a round by which a missing pair meets; IDLE if none is found.

    One of its ends has the item, found by a walk from its origin; from the other it reaches the node that
    misses it, found by a walk back from there. The walk is for the end that fewer nodes can be.
    """
    item, node = _missing_pair(sets, lacks, random)
    rounds = calls.shape[1]
    ahead = 2 * t < rounds
    for _ in range(WALKS):
        x = item if ahead else node
        part, s, step = (TELLS, 0, 1) if ahead else (HEARS, rounds - 1, -1)
        while s != t:
            if calls[part, s, x] != IDLE and drawn(random) < 0.5:
                x = calls[part, s, x]
            s += step
        call = first[x] + below(random, first[x + 1] - first[x])
        y = options[0, call]
        if ahead:
            meets = options[1, call] != RECEIVES and holds(sets, DESTINATIONS, t + 1, y, node)
        else:
            meets = options[1, call] != SENDS and holds(sets, ORIGINS, t, y, item)
        if meets:
            return x, call
    return IDLE, IDLE


@compiled_within
def _unite(
    sets: Words,
    changes: Integers,
    move: int,
    kind: int,
    level: int,
    x: int,
    before: int,
    one: int,
    u: int,
    other: int,
) -> None:
    """Unite sets of a node x, of the kind `one`, and of u, of the kind `other`, to the set of x at a level.

    It is listed if it is not what it was.
    """
    differs = False
    for k in range(sets.shape[3]):
        word = sets[one, before, x, k] | sets[other, before, u, k]
        sets[CHANGED, level, x, k] = word
        if word != sets[kind, level, x, k]:
            differs = True
    if differs:
        changes[MARK, level, x] = move
        changes[LISTED, level, changes[LISTED, level, -1]] = x
        changes[LISTED, level, -1] += 1


@compiled_within
def _propagate(
    calls: Integers,
    sets: Words,
    changes: Integers,
    touched: Integers,
    numbers: Integers,
    t: int,
    number: int,
    kind: int,
) -> int:
    """Follow what a change of the touched nodes' calls in a round changes; return the last level reached.

    Origins ahead, level by level up to the last; destinations back, down to level 0.
    """
    rounds, n = calls.shape[1:]
    ahead = kind == ORIGINS
    before, level, step, end = (t, t + 1, 1, rounds) if ahead else (t + 1, t, -1, 0)
    hears, tells = (HEARS, TELLS) if ahead else (TELLS, HEARS)
    numbers[MOVES] += 1
    move = numbers[MOVES]
    changes[LISTED, level, n] = 0
    for i in range(number):
        x = touched[0, i]
        u = x if calls[hears, t, x] == IDLE else calls[hears, t, x]
        _unite(sets, changes, move, kind, level, x, before, kind, u, kind)
    while changes[LISTED, level, n] and level != end:
        after, s = level + step, level if ahead else level - 1
        changes[LISTED, after, n] = 0
        for i in range(changes[LISTED, level, n]):
            x = changes[LISTED, level, i]
            u, y = calls[hears, s, x], calls[tells, s, x]
            if u == IDLE:
                u = x
            other = CHANGED if changes[MARK, level, u] == move else kind
            _unite(sets, changes, move, kind, after, x, level, CHANGED, u, other)
            if y != IDLE and changes[MARK, level, y] != move:
                _unite(sets, changes, move, kind, after, y, level, kind, x, CHANGED)
        level = after
    return level


@compiled_within
def _keep(sets: Words, changes: Integers, lacks: Integers, t: int, last: int, kind: int) -> None:
    """Take over what was followed from a round to a level."""
    n, end = len(lacks), sets.shape[1] - 1
    level, step = (t + 1, 1) if kind == ORIGINS else (t, -1)
    while level != last + step:
        for i in range(changes[LISTED, level, n]):
            x = changes[LISTED, level, i]
            for k in range(sets.shape[3]):
                sets[kind, level, x, k] = sets[CHANGED, level, x, k]
            if kind == ORIGINS and level == end:
                lacks[x] = n - bits(sets, kind, level, x)
        level += step


@compiled_within
def _more(sets: Words, changes: Integers, last: int, kind: int) -> int:
    """Return how many more pairs are missing after what was followed to a level."""
    more = 0
    if last == (sets.shape[1] - 1 if kind == ORIGINS else 0):
        for i in range(changes[LISTED, last, -1]):
            x = changes[LISTED, last, i]
            more += bits(sets, kind, last, x) - bits(sets, CHANGED, last, x)
    return more


@compiled
def begin(state: State) -> None:
    """Give idle nodes calls, and follow all items."""
    calls, sets, lacks = state.calls, state.sets, state.lacks
    rounds, n = calls.shape[1:]
    for t in range(rounds):
        shift = below(state.random, n)
        for v in range(n):
            _fill(calls, state.first, state.options, state.touched, state.random, t, (v + shift) % n, ZERO)
    _follow(calls, sets, ORIGINS)
    _follow(calls, sets, DESTINATIONS)
    for v in range(n):
        lacks[v] = n - bits(sets, ORIGINS, rounds, v)
    state.numbers[MISSING] = lacks.sum()


@compiled
def anneal(state: State, moves: int, hot: float, cold: float) -> None:
    """Try so many moves, while pairs are missing; the temperature falls from `hot` to `cold`.

    A move puts a call into a round, in place of those of its nodes; it is kept, or all is put back.
    """
    calls, first, options, sets, lacks, changes, touched, numbers, random = state
    rounds, n = calls.shape[1:]
    for move in range(moves):
        if not numbers[MISSING]:
            return
        t, x, call = below(random, rounds), IDLE, IDLE
        if drawn(random) < FOCUS:
            x, call = _focused(calls, first, options, sets, lacks, random, t)
        if x == IDLE:
            x = below(random, n)
            call = first[x] + below(random, first[x + 1] - first[x])
        y = options[0, call]
        if calls[HEARS if options[1, call] == RECEIVES else TELLS, t, x] == y:
            continue
        number = _release(calls, touched, t, y, _release(calls, touched, t, x, ZERO))
        _put(calls, options, t, x, call)
        for i in range(number):
            number = _fill(calls, first, options, touched, random, t, touched[0, i], number)
        kind, other = (ORIGINS, DESTINATIONS) if 2 * t >= rounds else (DESTINATIONS, ORIGINS)
        last = _propagate(calls, sets, changes, touched, numbers, t, number, kind)
        more = _more(sets, changes, last, kind)
        if more <= 0 or drawn(random) < np.exp(-more / (hot * (cold / hot) ** (move / moves))):
            _keep(sets, changes, lacks, t, last, kind)
            last = _propagate(calls, sets, changes, touched, numbers, t, number, other)
            _keep(sets, changes, lacks, t, last, other)
            numbers[MISSING] += more
        else:
            for i in range(number):
                v = touched[0, i]
                calls[HEARS, t, v], calls[TELLS, t, v] = touched[1, i], touched[2, i]
