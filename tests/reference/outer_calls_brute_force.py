"""Which calls the second round of a one-way gossip and its last but one can have, by trying all rounds; no
code of the package is used.

After the first of M rounds the items of nodes that did not call in it are at these nodes alone, and before
the last round all must be at the nodes that are not called in it. So for a set O of the former and a set D of
the latter all items of O come to all of D in the rounds 2 to M - 1, whatever the first and the last round
are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tests.reference.brute_force import Arc, State, all_rounds, maximal_states

Ends = tuple[int, ...]
"""The nodes of O, or of D."""


def outer_calls(
    n: int, arcs: tuple[Arc, ...], origins: Ends, destinations: Ends, rounds: int
) -> set[tuple[int, int]]:
    """For all rounds 2 to M - 1, M >= 4, that bring every item of O to all of D: how many calls of round 2 go
    from O to O, and how many of round M - 1 from D to D.
    """
    backwards = tuple((v, u) for u, v in arcs)
    between = rounds - 4
    first = _after(n, arcs, origins, between - between // 2)
    last = _after(n, backwards, destinations, between // 2)
    all_met = (1 << len(origins) * len(destinations)) - 1
    met = _meetings(len(origins), len(destinations))

    def fits(known: State, reached: State) -> bool:
        found = 0
        for x, y in zip(known, reached, strict=True):
            found |= met[x][y]
        return found == all_met

    return {
        (c, d)
        for c, states in first.items()
        for d, others in last.items()
        if any(fits(x, y) for x in states for y in others)
    }


@cache
def _meetings(items: int, destinations: int) -> list[list[int]]:
    """For the items known to a node and the destinations reached from it the pairs of both, as bits."""
    return [
        [sum(y << i * destinations for i in range(items) if x >> i & 1) for y in range(1 << destinations)]
        for x in range(1 << items)
    ]


@cache
def _after(n: int, arcs: tuple[Arc, ...], origins: Ends, more: int) -> dict[int, set[State]]:
    """What nodes can know of the items of `origins` after one round and so many more, those states that no
    other contains, by the number of calls of the first of these rounds between two of `origins`.
    """
    start = [0] * n
    for i, v in enumerate(origins):
        start[v] = 1 << i
    inside, all_calls = set(origins), list(all_rounds(arcs, two_way=False))
    found: dict[int, set[State]] = {}
    for calls in all_calls:
        inner = sum(u in inside and v in inside for u, v in calls)
        found.setdefault(inner, set()).add(_told(start, calls))
    for inner, states in found.items():
        found[inner] = maximal_states(states)
        for _ in range(more):
            found[inner] = maximal_states({_told(s, calls) for s in found[inner] for calls in all_calls})
    return found


def _told(state: Sequence[int], calls: Sequence[Arc]) -> State:
    held = list(state)
    for u, v in calls:
        held[v] = state[u] | state[v]
    return tuple(held)
