"""Broadcasts by the programmes of tiles and of groups, with exact searches for their small subtrees."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from time import monotonic as clock

from schedsolve.modelkit.search import Question
from schedsolve.network.families import family_network
from schedsolve.problem import Problem

from ..formulation import sat_search
from ..rules.tree import FatTree, tree_of
from .associative import Planned
from .group_messages import GroupMessages, Sent
from .groups import GroupProgramme
from .moves import ONE

SEARCHED_HEIGHTS = (4, 5, 6)
"""The heights of subtrees for which a schedule is looked for that is faster than the programme's."""


@cache
def tile_messages(tree: FatTree) -> tuple[Planned, ...]:
    """A broadcast from processor 0 in which every receiver fills a tile alone."""
    return tuple(GroupMessages(GroupProgramme(tree, groups=False), {}).run())


def group_plan(problem: Problem, base_seconds: float, team_seconds: float = 0.0) -> list[Planned]:
    """A broadcast by groups. base_seconds: for the exact searches of small subtrees, all together.
    team_seconds: for teams.
    """
    tree, end = tree_of(problem), clock() + base_seconds
    times: dict[int, int] = {}
    messages: dict[int, list[Sent]] = {}
    for height in SEARCHED_HEIGHTS:
        if height > tree.height:
            break
        small = FatTree(height, tree.capacities[: height + 1])
        time = GroupProgramme(small, times).times[ONE, height]
        while (found := _quicker(small, time - 1, end - clock())) is not None:
            messages[height] = found
            time = times[height] = max(t + 2 * (u ^ v).bit_length() for u, v, t in found)
    return moved_to(
        GroupMessages(GroupProgramme(tree, times, seconds=team_seconds), messages).run(), problem.sources[0]
    )


def _quicker(tree: FatTree, time: int, seconds: float) -> list[Sent] | None:
    """The messages of a broadcast that takes at most so long, found within so many seconds, or None."""
    network = family_network(f"fat-tree:{tree.processors}")
    parameters = {"source": 0, "capacity_table": list(tree.capacities), "timing": "clock"}
    problem = Problem("fat-tree", "broadcast", network, parameters)
    search = sat_search(Question(problem, time, seconds=seconds))
    if search is None or seconds <= 0:
        return None
    end = clock() + seconds
    answer = None
    while answer is None and (left := end - clock()) > 0:
        answer = search.advance(left)
    found = search.found()[1].messages if answer else None
    search.close()
    return None if found is None else [(m.sender, m.receiver, m.start) for m in found]


def moved_to(plan: Iterable[Planned], source: int) -> list[Planned]:
    """A broadcast from processor 0 as one from the source, by an automorphism of the tree."""
    return [m._replace(sender=m.sender ^ source, receiver=m.receiver ^ source) for m in plan]
