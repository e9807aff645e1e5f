"""A replay of calls along paths, written from the definition with sets of items."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from schedsolve.problem import Problem
from schedsolve.schedule import Call


def second_replay(problem: Problem, rounds: list[list[Call]]) -> bool:
    """Whether a schedule is legal and complete, written anew from the definition: item sets, counters, and a
    walk for a missing path.
    """
    network, ports = problem.network, problem.parameters["ports"]
    n = network.node_count
    arcs = set(network.edges) | (set() if network.directed else {(v, u) for u, v in network.edges})
    known: list[set[int]] = [{v} for v in range(n)]
    if problem.task in ("broadcast", "multicast"):
        known = [{0} if v in problem.sources else set() for v in range(n)]
    for calls in rounds:
        routes = []
        for call in calls:
            route = list(call.payload) or walk(arcs, n, call.sender, call.receiver, network.directed)
            if route is None or len(route) < 2 or route[0] != call.sender or route[-1] != call.receiver:
                return False
            if max(Counter(route).values()) > 1 or (network.directed and call.two_way):
                return False
            routes.append(route)
        steps = [step for route in routes for step in pairwise(route)]
        lines = Counter(step if network.directed else tuple(sorted(step)) for step in steps)
        busy = Counter(v for route in routes for v in (route[0], route[-1]))
        if (
            not arcs.issuperset(steps)
            or any(k > 1 for k in lines.values())
            or (ports != "all" and any(k > ports for k in busy.values()))
        ):
            return False
        learnt = [(call.receiver, set(known[call.sender])) for call in calls]
        learnt += [(call.sender, set(known[call.receiver])) for call in calls if call.two_way]
        for v, items in learnt:
            known[v] |= items
    if problem.task == "gossip":
        return all(items == set(range(n)) for items in known)
    if problem.task == "accumulation":
        return known[problem.sources[0]] == set(range(n))
    return all(known[v] for v in problem.targets)


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
