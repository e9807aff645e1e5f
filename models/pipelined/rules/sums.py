"""The trees of reductions: how the contributions to a part are added up, one operand after another.

Every rank has a sum, at first its own contribution; relays have one too, at first without any. Along every
inward path, in order, the sum of the path's start goes to its end and is added up there; the start has it no
more. At the end the root has the contributions of all ranks, each once. With "ordered" every sum is one over
consecutive compute nodes in their order. Where switches copy and add up ("switches_copy"), they have sums
too, at first without any contribution.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of

from .demand import REDUCTIONS
from .paths import broken_path
from .schedule import Path, WeightedTree


def broken_sum(problem: Problem, tree: WeightedTree) -> str | None:
    """Return the first rule that the inward paths of a tree break.

    None when the root gets the result, or the task has none.
    """
    if problem.task not in REDUCTIONS:
        return None
    network = problem.network
    own = {v: 1 << rank for rank, v in enumerate(ranks_of(problem))}
    sums = dict.fromkeys(range(network.node_count), 0) | own
    passed = {tree.root}
    for path in tree.inward:
        broken = broken_path(problem, path) or _broken_pass(problem, tree, sums, passed, path)
        if broken:
            return broken
        passed.add(path[0])
        sums[path[-1]] |= sums[path[0]]
    left_out = sum(own.values()) & ~sums[tree.root]
    return f"the contribution of {_names(problem, left_out)} is left out" if left_out else None


def _broken_pass(
    problem: Problem, tree: WeightedTree, sums: Mapping[int, int], passed: Collection[int], path: Path
) -> str | None:
    """Why the start of a path cannot pass on its sum to the end; None when it can.

    Parameters
    ----------
    problem
        The problem.
    tree
        The tree.
    sums
        What each node has added up so far.
    passed
        The root, and the nodes that have passed on theirs.
    path
        The path over which the sum is passed.
    """
    labels = problem.network.labels
    start, end = path[0], path[-1]
    if start in passed:
        passes = "is the root, and passes on" if start == tree.root else "passes on once more"
        return f"node {labels[start]} {passes} contributions that would count twice"
    if not sums[start]:
        return f"node {labels[start]} has nothing to pass on"
    if end in passed and end != tree.root:
        return f"node {labels[end]} gets a sum from {labels[start]} that it does not pass on any more"
    if problem.parameters.get("ordered") and not is_run(sums[start] | sums[end]):
        one, other = (_names(problem, sums[v]) for v in (start, end))
        return (
            f"node {labels[end]} adds the contributions of {one} to those of {other}, against the order of"
            " the nodes"
        )
    return None


def is_run(mask: int) -> bool:
    """Whether the ranks of a sum follow one another without a gap."""
    return mask & (mask + (mask & -mask)) == 0


def _names(problem: Problem, mask: int) -> str:
    labels = problem.network.labels
    names = [str(labels[v]) for rank, v in enumerate(ranks_of(problem)) if mask >> rank & 1]
    return ", ".join(names)
