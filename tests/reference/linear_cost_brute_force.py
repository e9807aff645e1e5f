"""The least cost of a broadcast by trying everything, in floats: all sequences of sets of links, all ways
that a packet can take, and the linear programme of their weights. It shares no code with the package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from ortools.linear_solver import pywraplp

Links = tuple[tuple[int, int], ...]


def least_cost(nodes: int, links: Links, source: int, ports: int, rounds: int) -> float:
    """The least cost in so many rounds; infinite when they do not suffice."""
    sets = _largest_sets(nodes, links, ports)
    return min(_packed(nodes, chosen, source) for chosen in product(sets, repeat=rounds))


def _largest_sets(nodes: int, links: Links, ports: int) -> list[Links]:
    """The sets of links with at most so many at a node that no link can be added to."""
    fitting = [
        frozenset(chosen)
        for size in range(len(links) + 1)
        for chosen in combinations(links, size)
        if all(sum(v in link for link in chosen) <= ports for v in range(nodes))
    ]
    return [tuple(sorted(one)) for one in fitting if not any(one < other for other in fitting)]


def _ways(nodes: int, chosen: Sequence[Links], source: int) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """All ways of a packet: by node the round and the sender of its first receipt."""
    others = [v for v in range(nodes) if v != source]
    options = [
        [
            (t, u, v)
            for t, links in enumerate(chosen, 1)
            for a, b in links
            for u, w in ((a, b), (b, a))
            if w == v
        ]
        for v in others
    ]
    for receipts in product(*options):
        when = {v: t for t, _, v in receipts} | {source: 0}
        if all(when[u] < t for t, u, _ in receipts):
            yield receipts


def _packed(nodes: int, chosen: Sequence[Links], source: int) -> float:
    """The least cost with these sets of links."""
    ways, rounds = list(_ways(nodes, chosen, source)), len(chosen)
    if not ways:
        return float("inf")
    solver = pywraplp.Solver.CreateSolver("GLOP")
    costs = [solver.NumVar(0, 1, "") for _ in range(rounds)]
    weights = [solver.NumVar(0, 1, "") for _ in ways]
    solver.Add(sum(weights) == 1)
    users: dict[tuple[int, int, int], list[int]] = {}
    for j, way in enumerate(ways):
        for arc in way:
            users.setdefault(arc, []).append(j)
    for arc, by in users.items():
        solver.Add(sum(weights[j] for j in by) <= costs[arc[0] - 1])
    solver.Minimize(sum(costs))
    assert solver.Solve() == solver.OPTIMAL
    return float(solver.Objective().Value())
