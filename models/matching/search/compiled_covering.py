"""The covering relaxation compiled by numba, for searches that ask it thousands of times.

`covering_value` says what the relaxation is; `covering.Ascent` is the same ascent in numpy, which is there at
once, where numba takes some tenths of a second. Nothing that is computed here is trusted. A state is an arc:
its head, called by its tail. A node of many callees calls them by falling gain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..constructions.compiled_sets import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Small = npt.NDArray[np.int8]
    Flags = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]

EXACT_CALLEES = 8
"""Up to so many callees the best order of calls is computed; their sets are bit masks."""
NONE = -1
BITS = np.array([mask.bit_count() for mask in range(1 << EXACT_CALLEES)])
LOWEST = np.array([(mask & -mask).bit_length() - 1 for mask in range(1 << EXACT_CALLEES)])
LEAST_WEIGHT = 1e-3
STEP, SHRINKING, PATIENCE = 0.1, 0.7, 10
"""The steps of the ascent: by how much a weight changes where all steps agree, and what multiplies it after
so many steps that do not help.
"""
MEAN_RATE, SQUARE_RATE, LEAST_SQUARE = 0.2, 0.05, 1e-3
"""How fast the averages of a node's misses and their squares follow, and what keeps the divisor above 0."""
MEMORY = 0.9
"""What a call counts of what it counts a step later."""


class Arcs(NamedTuple):
    """A network for the functions here.

    Attributes
    ----------
    first, head
        The arcs of node v are those from first[v] to first[v + 1], to these heads.
    first_into, into
        The arcs to node v, likewise.
    opposite
        For every arc the place of the opposite arc among its node's, or NONE.
    start
        For every node of few callees where its choices begin, for others NONE.
    """

    first: Integers
    head: Integers
    first_into: Integers
    into: Integers
    opposite: Integers
    start: Integers


class Tables(NamedTuple):
    """What a pass through the relaxation fills in.

    Attributes
    ----------
    value, times
        By the rounds that are left after a call and arc: what the head reaches, and how often it is called.
    last
        By node, rounds left and set of callees: which of them is called last.
    ranked
        By rounds left and arc, for nodes of many callees: the places of those they call one after the other.
    """

    value: Floats
    times: Floats
    last: Small
    ranked: Integers


@compiled
def distances(arcs: Arcs, informed: Flags, distance: Integers, order: Integers) -> int:
    """Fill in the distances from the informed, and the nodes in their order; return how many are reached."""
    n = len(distance)
    found = 0
    for v in range(n):
        distance[v] = n
        if informed[v]:
            distance[v] = 0
            order[found] = v
            found += 1
    looked = 0
    while looked < found:
        u = order[looked]
        looked += 1
        for a in range(arcs.first[u], arcs.first[u + 1]):
            v = arcs.head[a]
            if distance[v] == n:
                distance[v] = distance[u] + 1
                order[found] = v
                found += 1
    return found


@compiled
def _exact(arcs: Arcs, tables: Tables, v: int, left: int, best: Floats) -> int:
    """Fill in what each set of callees is worth, and who is called last; return the set of all."""
    begin = arcs.first[v]
    count = arcs.first[v + 1] - begin
    choices = arcs.start[v] + (left << count)
    gains = best[1 << EXACT_CALLEES :]
    for c in range(1, count + 1):
        for j in range(count):
            gains[c * count + j] = tables.value[left - c, begin + j] if left >= c else 0.0
    best[0] = 0.0
    for mask in range(1, 1 << count):
        row = BITS[mask] * count
        most, chosen = -1.0, 0
        rest = mask
        while rest:
            j = LOWEST[rest]
            rest &= rest - 1
            worth = best[mask & ~(1 << j)] + gains[row + j]
            if worth > most:
                most, chosen = worth, j
        best[mask] = most
        tables.last[choices + mask] = chosen
    return int((1 << count) - 1)


@compiled
def _by_rank(arcs: Arcs, tables: Tables, v: int, left: int, without: Floats) -> float:
    """Fill in what the calls by falling gain are worth without each callee; return that with all."""
    begin = arcs.first[v]
    count = arcs.first[v + 1] - begin
    full = 0.0
    last_gain, last = np.inf, NONE
    # One more than can be called, who comes in where one of them is left out.
    for i in range(min(count, left + 1)):
        gain, chosen = -1.0, NONE
        for j in range(count):
            x = tables.value[max(0, left - 1), begin + j]
            if x > gain and (x < last_gain or (x == last_gain and j > last)):
                gain, chosen = x, j
        last_gain, last = gain, chosen
        tables.ranked[left, begin + i] = chosen
        if i < left:
            full += tables.value[left - 1 - i, begin + chosen]
    without[:count] = full
    # Behind the one left out all are called a round earlier.
    more = 0.0
    for i in range(min(count, left + 1) - 1, -1, -1):
        chosen = tables.ranked[left, begin + i]
        if i < left:
            more -= tables.value[left - 1 - i, begin + chosen]
        without[chosen] = full + more
        if i > 0:
            more += tables.value[left - i, begin + chosen]
    return full


@compiled
def reached(
    arcs: Arcs,
    tables: Tables,
    weights: Floats,
    distance: Integers,
    order: Integers,
    rounds: int,
) -> float:
    """Fill in the values; return what the informed reach together.

    order: of the nodes that are reached, by their distances.
    """
    best = np.zeros(max((1 << EXACT_CALLEES) + (EXACT_CALLEES + 1) ** 2, len(distance) + 1))
    total = 0.0
    for left in range(rounds + 1):
        for i in range(len(order)):
            v = order[i]
            if distance[v] > rounds - left:
                break
            if distance[v] == 0 and left < rounds:
                continue
            few = arcs.start[v] != NONE
            if few:
                everybody = _exact(arcs, tables, v, left, best)
                full = best[everybody]
            else:
                full = _by_rank(arcs, tables, v, left, best)
            if distance[v] == 0:
                total += full
                continue
            for i_into in range(arcs.first_into[v], arcs.first_into[v + 1]):
                a = arcs.into[i_into]
                j = arcs.opposite[a]
                worth = full
                if j != NONE:
                    worth = best[everybody ^ (1 << j)] if few else best[j]
                tables.value[left, a] = weights[v] + worth
    return total


@compiled
def _call(arcs: Arcs, tables: Tables, v: int, left: int, but: int, number: float) -> int:
    """Count the calls of a node with so many rounds left, but not to one; return who is called first."""
    begin = arcs.first[v]
    count = arcs.first[v + 1] - begin
    first = NONE
    if arcs.start[v] != NONE:
        choices = arcs.start[v] + (left << count)
        mask = (1 << count) - 1
        if but != NONE:
            mask ^= 1 << but
        while mask:
            j = tables.last[choices + mask]
            after = left - BITS[mask]
            if after >= 0:
                tables.times[after, begin + j] += number
                first = j
            mask ^= 1 << j
        return first
    after = left
    for i in range(min(count, left + 1)):
        j = tables.ranked[left, begin + i]
        if j != but and after > 0:
            after -= 1
            tables.times[after, begin + j] += number
            if first == NONE:
                first = j
    return first


@compiled
def count_visits(
    arcs: Arcs,
    tables: Tables,
    distance: Integers,
    order: Integers,
    rounds: int,
    visits: Floats,
    called: Floats,
) -> None:
    """Count how often every node is informed, and which arcs the informed call first, after `reached`."""
    tables.times[:] = 0.0
    visits[:] = 0.0
    for left in range(rounds, -1, -1):
        for i in range(len(order)):
            v = order[i]
            if distance[v] > rounds - left:
                break
            if distance[v] == 0:
                if left == rounds:
                    j = _call(arcs, tables, v, left, NONE, 1.0)
                    if j != NONE:
                        called[arcs.first[v] + j] += 1.0
                continue
            for i_into in range(arcs.first_into[v], arcs.first_into[v + 1]):
                a = arcs.into[i_into]
                if tables.times[left, a] > 0:
                    visits[v] += tables.times[left, a]
                    _call(arcs, tables, v, left, arcs.opposite[a], tables.times[left, a])


@compiled
def ascend(
    arcs: Arcs,
    tables: Tables,
    informed: Flags,
    wanted: Flags,
    rounds: int,
    steps: int,
    weights: Floats,
    called: Floats,
) -> float:
    """Climb by subgradient steps scaled as in RMSprop, and return the greatest gap; the weights become its.

    A gap is that of `covering.Ascent`. `wanted` are the nodes that must be informed. `called` becomes how
    often the informed call each arc first, with late steps counted more than early ones.
    """
    n = len(weights)
    distance, order = np.empty(n, np.int64), np.empty(n, np.int64)
    order = order[: distances(arcs, informed, distance, order)]
    uninformed = [v for v in range(n) if wanted[v] and not informed[v]]
    now = np.zeros(n)
    for v in uninformed:
        now[v] = max(LEAST_WEIGHT, weights[v])
    now *= len(uninformed) / now.sum()
    mean, square, visits = np.zeros(n), np.zeros(n), np.zeros(n)
    tables.value[:] = 0.0
    called[:] = 0.0
    best_gap, mark, mark_step, length = -np.inf, -np.inf, 0, STEP
    for step in range(steps):
        gap = 1 - reached(arcs, tables, now, distance, order, rounds) / len(uninformed)
        if gap > best_gap:
            best_gap = gap
            weights[:] = now
        if gap > mark + 1e-4:
            mark, mark_step = gap, step
        elif (step - mark_step) % PATIENCE == PATIENCE - 1:
            length *= SHRINKING
        called *= MEMORY
        count_visits(arcs, tables, distance, order, rounds, visits, called)
        for v in uninformed:
            missed = 1 - visits[v]
            mean[v] += MEAN_RATE * (missed - mean[v])
            square[v] += SQUARE_RATE * (missed * missed - square[v])
            now[v] = max(0.0, now[v] + length * mean[v] / np.sqrt(square[v] + LEAST_SQUARE))
        if now.sum() <= 0:
            break
        now *= len(uninformed) / now.sum()
    return float(best_gap)
