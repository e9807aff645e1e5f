"""Trees through relays, as the referee has them: a relay gets a part once, keeps it and passes it on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of, relays_of

from ..rules.schedule import Path, PipelinedSchedule, WeightedTree


def at_relays(problem: Problem, schedule: PipelinedSchedule) -> PipelinedSchedule:
    """Return a schedule whose paths went through relays as through switches, cut there.

    Where a part came to a relay more than once it comes once, and nothing goes to a relay that passes nothing
    on, so that no link carries more than before. Sums that come in are the same backwards.
    """
    relays, ranks = relays_of(problem), ranks_of(problem)
    if not relays or not schedule.trees:
        return schedule
    trees = []
    for tree in schedule.trees:
        paths = _cut(tree.paths, tree.root, relays, ranks)
        backwards = WeightedTree(tree.root, tree.weight, (), tree.inward).turned()
        inward = _cut(backwards.paths, tree.root, relays, ranks)
        turned = WeightedTree(tree.root, tree.weight, inward).turned().inward
        trees.append(WeightedTree(tree.root, tree.weight, paths, turned))
    return replace(schedule, trees=tuple(trees))


def _cut(
    paths: tuple[Path, ...], root: int, relays: Collection[int], ranks: Collection[int]
) -> tuple[Path, ...]:
    """Return the paths of a tree away from its root, with relays as nodes of it."""
    reached = {root}
    hops: list[Path] = []
    for path in paths:
        stops = [i for i, v in enumerate(path) if i in (0, len(path) - 1) or v in relays]
        for one, other in pairwise(stops):
            if path[other] not in reached:
                reached.add(path[other])
                hops.append(path[one : other + 1])
    while idle := [hop for hop in hops if hop[-1] not in ranks and hop[-1] not in {h[0] for h in hops}]:
        hops = [hop for hop in hops if hop not in idle]
    return tuple(hops)
