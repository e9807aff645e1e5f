"""Tiles and groups by the clock: the times reached, legality for any table and source, slots against brute
force.
"""

from __future__ import annotations

import random
from itertools import product as every

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.schedule import Message, Schedule
from schedsolve.modelkit.search import Effort
from schedsolve.models.fat_tree.command.recurrences import shaped_tree
from schedsolve.models.fat_tree.constructions.algorithms import ALGORITHMS
from schedsolve.models.fat_tree.constructions.group_messages import GroupMessages, Placement, bit_reversed
from schedsolve.models.fat_tree.constructions.group_plans import group_plan
from schedsolve.models.fat_tree.constructions.groups import GroupProgram
from schedsolve.models.fat_tree.constructions.moves import ONE, Group, Tile
from schedsolve.models.fat_tree.constructions.slots import farthest_first, slots_by_cpsat
from schedsolve.models.fat_tree.rules import channel_loads, replay, sendings_of
from schedsolve.models.fat_tree.rules.tree import FatTree, tree_of
from tests.models.fat_tree.problems import posed, random_table

BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}


def value(name: str, task: str, n: int, capacity: str = "const", **more: object) -> int:
    """The replayed time of an algorithm."""
    problem = posed(task, n, capacity=capacity, timing="clock", **more)
    seen = replay(problem, BY_NAME[name].build(problem, Effort()))
    assert seen.violation is None
    return int(seen.value)


@pytest.mark.parametrize(("n", "time"), [(2, 2), (4, 5), (8, 8), (16, 13), (32, 17), (64, 22), (256, 34)])
def test_tiles(n: int, time: int) -> None:
    """Tiles take the same for broadcast and product; they use one unit of every channel."""
    assert value("tiles", "broadcast", n) == time
    assert value("tiles", "product", n, "linear", root=n // 2) == time


def test_a_prefix_overlaps_product_and_broadcast() -> None:
    """Sent as early as possible, the two together take less than their sum."""
    assert value("overlapped-tiles", "prefix", 16) == 24 < value("tiles", "prefix", 16) == 26
    assert value("overlapped-tiles", "prefix", 64) == 43 < value("tiles", "prefix", 64) == 44


@pytest.mark.parametrize(("shape", "time"), [("log", 31), ("linear", 31), ("const", 34), ("sqrt", 34)])
def test_groups(shape: str, time: int) -> None:
    """Groups of copies for 256 processors, without exact searches."""
    tree = shaped_tree(shape, 8)
    program = GroupProgram(tree)
    assert replayed(program) == program.times[ONE, 8] == time


def test_an_exact_base_helps() -> None:
    """A subtree of 16 processors takes 12, found by SAT; tiles take 13."""
    problem = posed("broadcast", 16, timing="clock", source=5)
    plan = group_plan(problem, 6.0)
    schedule = Schedule(messages=tuple(Message(m.sender, m.receiver, m.start) for m in plan))
    seen = replay(problem, schedule)
    assert (seen.violation, seen.value) == (None, 12)


@pytest.mark.parametrize(
    ("shape", "height", "before", "time"), [("log", 6, 21, 20), ("two-thirds", 7, 28, 26)]
)
def test_teams(shape: str, height: int, before: int, time: int) -> None:
    """A team sends while it copies itself, and so fills a tree sooner."""
    tree = shaped_tree(shape, height)
    assert GroupProgram(tree).times[ONE, height] == before
    program = GroupProgram(tree, seconds=600.0)
    assert replayed(program) == program.times[ONE, height] == time


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_groups_are_legal_for_any_table(seed: int, height: int) -> None:
    """Whatever the capacities, a broadcast by groups takes no longer than by tiles, nor by teams."""
    tree = FatTree(height, tuple(random_table(height, random.Random(seed))))
    tiles, groups = GroupProgram(tree, groups=False), GroupProgram(tree)
    teams = GroupProgram(tree, seconds=600.0)
    times = [program.times[ONE, height] for program in (teams, groups, tiles)]
    assert times == sorted(times)
    assert [replayed(teams), replayed(groups)] == times[:2]


def replayed(program: GroupProgram) -> int:
    """The time that the messages of a program take, with no violation."""
    plan = GroupMessages(program, {}).run()
    table = list(program.tree.capacities)
    problem = posed("broadcast", program.tree.processors, capacity_table=table, timing="clock")
    schedule = Schedule(messages=tuple(Message(m.sender, m.receiver, m.start) for m in plan))
    seen = replay(problem, schedule)
    assert seen.violation is None
    return int(seen.value)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=2, max_size=2))
def test_slots_against_brute_force(rows: list[list[int]]) -> None:
    """CP-SAT finds slots exactly when some way of giving slots to heights covers all."""
    worth = {(t, j + 1): max(row[t:]) for j, row in enumerate(rows) for t in range(4) if max(row[t:])}
    needs = {2: 4, 1: 3}
    possible = any(
        all(
            sum(worth.get((t, j), 0) for t, given_to in enumerate(ways) if given_to == j) >= need
            for j, need in needs.items()
        )
        for ways in every((0, 1, 2), repeat=4)
    )
    found = slots_by_cpsat(worth, needs, 5.0)
    assert (found is not None) == possible
    if farthest_first(worth, needs) is not None:
        assert possible


def test_places() -> None:
    """Tiles fill their subtree, one after the other far apart; a bit-reversed order spreads any few."""
    place = Placement(8, 3, (1, 1, 2, 2))
    tiles = [Tile(height, ONE, 1) for height in (2, 1, 0, 0, 0)]
    assert [place.put(tile, t) for t, tile in enumerate(tiles)] == [8, 12, 14, 15, None]
    assert bit_reversed(range(8)) == [0, 4, 2, 6, 1, 5, 3, 7]


def test_tiles_do_not_share_full_channels() -> None:
    """Tiles whose messages arrive together lie apart, where a channel has no room for both."""
    leaf, group = Tile(0, ONE, 1), Tile(1, Group(1, 1), 1)
    place = Placement(0, 2, (1, 1, 2))
    assert [place.put(leaf, t) for t in (5, 6, 6, 5)] == [0, 2, 1, 3]
    place = Placement(0, 2, (1, 2, 2))
    assert [place.put(group, 5), place.put(leaf, 5), place.put(leaf, 6)] == [0, 2, 3]


@pytest.mark.parametrize("shape", ["const", "log", "sqrt", "linear"])
def test_a_step_of_a_fat_tree_has_load_factor_one(shape: str) -> None:
    """The premise of Theorem 1: what passes a channel in one step is at most its capacity."""
    problem = posed("broadcast", 64, capacity=shape, timing="clock")
    sendings, _ = sendings_of(BY_NAME["pipelined"].build(problem, Effort()))
    tree = tree_of(problem)
    loads = list(channel_loads(tree, sendings))
    assert len(loads) > 64
    assert all(1 <= load.most <= tree.capacities[load.height] for load in loads)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "time"), [("const", 99), ("log", 87), ("sqrt", 93), ("two-thirds", 88), ("linear", 81)]
)
def test_teams_of_65536(shape: str, time: int) -> None:
    """The largest trees of the documentation."""
    assert value("teams", "broadcast", 2**16, shape) <= time
