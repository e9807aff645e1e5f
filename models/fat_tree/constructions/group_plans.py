"""Broadcasts by the programs of tiles and of groups, with exact searches for their small subtrees."""

from __future__ import annotations

from functools import cache
from time import process_time as clock

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Question
from schedsolve.network.named.families import family_network

from ..rules.tree import FatTree, tree_of
from .associative import Planned, moved_to
from .group_messages import GroupMessages, Sent
from .groups import GroupProgram
from .moves import ONE
from .searched_broadcast import sat_search

SEARCHED_HEIGHTS, SEARCHED_BESIDE_TEAMS = (4, 5, 6), (4, 5)
"""The heights of subtrees for which a schedule is sought that is faster than the program's."""
TEAM_EFFORTS = 0.002
"""The time of the search for teams, in units of the effort's seconds times the height to the power of 4."""
BASE_EFFORTS = 10.0
"""The time of the search for small subtrees, as a multiple of the effort's seconds."""


@cache
def tile_messages(tree: FatTree) -> tuple[Planned, ...]:
    """Return a broadcast from processor 0 in which every receiver fills a tile alone."""
    return tuple(GroupMessages(GroupProgram(tree, groups=False), {}).run())


def group_plan(problem: Problem, seconds: float, *, teams: bool = False) -> list[Planned]:
    """Return a broadcast by groups, or by groups and teams.

    Parameters
    ----------
    problem
        The problem.
    seconds
        The base time unit of the searches for small subtrees and for teams, in seconds.
    teams
        Whether to search for teams.
    """
    tree, end = tree_of(problem), clock() + BASE_EFFORTS * seconds
    times: dict[int, int] = {}
    messages: dict[int, list[Sent]] = {}
    for height in SEARCHED_BESIDE_TEAMS if teams else SEARCHED_HEIGHTS:
        if height > tree.height:
            break
        small = FatTree(height, tree.capacities[: height + 1])
        time = GroupProgram(small, times).times[ONE, height]
        while (found := _quicker(small, time - 1, end - clock())) is not None:
            messages[height] = found
            time = times[height] = max(t + 2 * (u ^ v).bit_length() for u, v, t in found)
    team_seconds = TEAM_EFFORTS * tree.height**4 * seconds if teams else 0.0
    program = GroupProgram(tree, times, seconds=team_seconds)
    return moved_to(GroupMessages(program, messages).run(), problem.sources[0])


def _quicker(tree: FatTree, time: int, seconds: float) -> list[Sent] | None:
    """Return the messages of a broadcast that takes at most `time`, or None if not found in `seconds`."""
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
