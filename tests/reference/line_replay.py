"""A replay of calls along paths, written from the definition with sets of items; no code of the package is
used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

Call = tuple[int, int, bool, Sequence[int]]
"""From where, to where, whether both ends learn, and along which path; an empty one is to be found."""
Items = Sequence[Collection[int]]


def second_replay(
    links: Collection[tuple[int, int]],
    directed: bool,
    ports: int | None,
    rounds: Sequence[Sequence[Call]],
    start: Items,
    goal: Items,
) -> bool:
    """Whether a schedule is legal and complete, written again from the definition: item sets, counters, and a
    walk for a missing path.

    ports: None for any number. start, goal: for every node the items that it holds at first, and those that
    it must hold in the end.
    """
    n = len(start)
    arcs = set(links) | (set() if directed else {(v, u) for u, v in links})
    known = [set(items) for items in start]
    for calls in rounds:
        routes = []
        for sender, receiver, two_way, path in calls:
            route = list(path) or walk(arcs, n, sender, receiver, directed)
            if route is None or len(route) < 2 or route[0] != sender or route[-1] != receiver:
                return False
            if max(Counter(route).values()) > 1 or (directed and two_way):
                return False
            routes.append(route)
        steps = [step for route in routes for step in pairwise(route)]
        lines = Counter(step if directed else tuple(sorted(step)) for step in steps)
        busy = Counter(v for route in routes for v in (route[0], route[-1]))
        if (
            not arcs.issuperset(steps)
            or any(k > 1 for k in lines.values())
            or (ports is not None and any(k > ports for k in busy.values()))
        ):
            return False
        learnt = [(receiver, set(known[sender])) for sender, receiver, _, _ in calls]
        learnt += [(sender, set(known[receiver])) for sender, receiver, two_way, _ in calls if two_way]
        for v, items in learnt:
            known[v] |= items
    return all(items.issuperset(wanted) for items, wanted in zip(known, goal, strict=True))


def walk(arcs: set[tuple[int, int]], n: int, start: int, end: int, directed: bool) -> list[int] | None:
    """The path that a call without one takes: the edge between its ends, or the only path of a tree."""
    if (start, end) in arcs:
        return [start, end]
    if directed or len(arcs) != 2 * (n - 1):
        return None
    stack = [[start]]
    while stack:
        route = stack.pop()
        if route[-1] == end:
            return route
        stack += [[*route, v] for u, v in arcs if u == route[-1] and v not in route]
    return None
