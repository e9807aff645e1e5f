"""Maximum-weight matchings in bipartite graphs, by OR-tools."""

from __future__ import annotations

from collections.abc import Mapping

from schedsolve.backends.shared_highs import give_own_highs

LARGEST_COST = 10**9


def heaviest_matching(weights: Mapping[tuple[int, int], float]) -> list[tuple[int, int]]:
    """Return pairs (left, right), no two with an end in common, of the greatest total weight.

    Of equally heavy matchings, one with the most pairs is returned.

    Parameters
    ----------
    weights
        The weight of every pair that may be chosen, at least 0, rounded to a 10^9-th of the greatest. Left
        and right ends are numbered independently.
    """
    give_own_highs("ortools")
    from ortools.graph.python.linear_sum_assignment import SimpleLinearSumAssignment

    lefts = {u: i for i, u in enumerate(dict.fromkeys(u for u, _ in weights))}
    rights = {v: i for i, v in enumerate(dict.fromkeys(v for _, v in weights))}
    scale = (LARGEST_COST - 1) / max([*weights.values(), 1e-9])
    problem = SimpleLinearSumAssignment()
    # The solver wants a perfect matching, so every end gets a dummy partner on the other side with which it
    # stays unmatched; the dummies of a matched pair are matched with each other at no cost.
    for (u, v), weight in weights.items():
        problem.add_arc_with_cost(lefts[u], rights[v], -1 - int(weight * scale))
        problem.add_arc_with_cost(len(lefts) + rights[v], len(rights) + lefts[u], 0)
    for i in lefts.values():
        problem.add_arc_with_cost(i, len(rights) + i, 0)
    for j in rights.values():
        problem.add_arc_with_cost(len(lefts) + j, j, 0)
    status = problem.solve()
    assert status == problem.OPTIMAL, "the matching of all ends with their dummies is feasible"
    nodes = list(rights)
    mates = ((u, problem.right_mate(i)) for u, i in lefts.items())
    return [(u, nodes[j]) for u, j in mates if j < len(nodes)]
