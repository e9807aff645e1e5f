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

SEARCHED_HEIGHTS, SEARCHED_BESIDE_TEAMS = (4, 5, 6), (4, 5)
"""The heights of subtrees for which a schedule is looked for that is faster than the programme's."""
TEAM_EFFORTS = 0.002
"""For how many times the effort's seconds and the fourth power of the height teams are looked for."""
BASE_EFFORTS = 10.0
"""For how many times the effort's seconds small subtrees are searched for."""


@cache
def tile_messages(tree: FatTree) -> tuple[Planned, ...]:
    """A broadcast from processor 0 in which every receiver fills a tile alone."""
    return tuple(GroupMessages(GroupProgramme(tree, groups=False), {}).run())


def group_plan(problem: Problem, seconds: float, *, teams: bool = False) -> list[Planned]:
    """A broadcast by groups, or by groups and teams.

    seconds: some part of how long small subtrees, and teams, are searched for.
    """
    tree, end = tree_of(problem), clock() + BASE_EFFORTS * seconds
    times: dict[int, int] = {}
    messages: dict[int, list[Sent]] = {}
    for height in SEARCHED_BESIDE_TEAMS if teams else SEARCHED_HEIGHTS:
        if height > tree.height:
            break
        small = FatTree(height, tree.capacities[: height + 1])
        time = GroupProgramme(small, times).times[ONE, height]
        while (found := _quicker(small, time - 1, end - clock())) is not None:
            messages[height] = found
            time = times[height] = max(t + 2 * (u ^ v).bit_length() for u, v, t in found)
    team_seconds = TEAM_EFFORTS * tree.height**4 * seconds if teams else 0.0
    programme = GroupProgramme(tree, times, seconds=team_seconds)
    return moved_to(GroupMessages(programme, messages).run(), problem.sources[0])


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
