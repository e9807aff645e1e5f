"""Periodic two-way gossip in stars: the centre calls one leaf after another."""

from __future__ import annotations

from collections.abc import Sequence

from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.rules import is_two_way

from ..rules import period_of

Edge = tuple[int, int]


def refuse_star(problem: Problem) -> str | None:
    """Why no star's turns are built; None when they can be."""
    leaves = problem.network.node_count - 1
    degree = max(map(len, problem.network.successors))
    if leaves < 3 or degree < leaves or not (problem.network.is_tree and is_two_way(problem)):
        return "it is for telephone calls on a star with three leaves or more"
    return None if period_of(problem) >= leaves else "a call with each leaf takes a longer period"


def star_turns(edges: Sequence[Edge], period: int, *, once: bool) -> list[Edge]:
    """Return the edge that is called in each of the first rounds of the period.

    With L leaves the gossip takes 2 L - 1 rounds, the least: the centre knows all after L calls at the
    earliest, and then L - 1 leaves still need one. Let m rounds of the period be left beside one call with
    each leaf, at most L - 1. The order is L - 1 - m leaves, the m others, one last leaf, and the m others
    again. After the last leaf's call, the L-th, the centre and this leaf know all; the m others hear it in
    the rounds that end the period, and the rest in the first L - 1 - m rounds of the next.

    Parameters
    ----------
    edges
        The edges of the star.
    period
        The period, at least their number.
    once
        Whether every edge is to be used once in the period.
    """
    *others, last = edges
    again = 0 if once else min(period - len(edges), len(others))
    return [*others[again:], *others[:again], last, *others[:again]]
