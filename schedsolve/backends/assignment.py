"""Heaviest matchings in bipartite graphs, by OR-tools."""

from __future__ import annotations

from collections.abc import Mapping

LARGEST_COST = 10**9


def heaviest_matching(weights: Mapping[tuple[int, int], float]) -> list[tuple[int, int]]:
    """Pairs (left, right), no two with an end in common, of the greatest total weight.

    weights: by pair, at least 0; the numbers of the left and of the right ends are apart from each other.
    They are rounded to a 10^9-th of the greatest. Of equally heavy matchings one with more pairs is taken.
    """
    from ortools.graph.python.linear_sum_assignment import SimpleLinearSumAssignment

    lefts = {u: i for i, u in enumerate(dict.fromkeys(u for u, _ in weights))}
    rights = {v: i for i, v in enumerate(dict.fromkeys(v for _, v in weights))}
    scale = (LARGEST_COST - 1) / max([*weights.values(), 1e-9])
    problem = SimpleLinearSumAssignment()
    # Everybody may stay alone: a left end with a right one of its own, and a right end with a left one; those
    # of a pair are then paired with each other, which costs nothing.
    for (u, v), weight in weights.items():
        problem.add_arc_with_cost(lefts[u], rights[v], -1 - int(weight * scale))
        problem.add_arc_with_cost(len(lefts) + rights[v], len(rights) + lefts[u], 0)
    for i in lefts.values():
        problem.add_arc_with_cost(i, len(rights) + i, 0)
    for j in rights.values():
        problem.add_arc_with_cost(len(lefts) + j, j, 0)
    status = problem.solve()
    assert status == problem.OPTIMAL, "everybody may stay alone"
    nodes = list(rights)
    mates = ((u, problem.right_mate(i)) for u, i in lefts.items())
    return [(u, nodes[j]) for u, j in mates if j < len(nodes)]
