"""Prefixes by crossed tiles: their times, that they are legal with capacities of all kinds, and the parts."""

from __future__ import annotations

import random

import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Effort
from schedsolve.models import model_of
from schedsolve.models.fat_tree.constructions.crossed_tiles import Tiled, staircase
from schedsolve.models.fat_tree.rules import replay
from tests.models.fat_tree.problems import posed, random_table


def crossed(problem: Problem, seconds: float = 60.0) -> int:
    """The time of the best schedule, which is replayed."""
    algorithm = next(a for a in model_of(problem).algorithms if a.name == "crossed-tiles")
    assert algorithm.refuse(problem) is None
    seen = replay(problem, algorithm.build(problem, Effort(seconds=seconds)))
    assert seen.violation is None
    return int(seen.value)


@pytest.mark.parametrize(("n", "time"), [(2, 2), (4, 6), (8, 12), (16, 18), (32, 26), (64, 35)])
def test_their_times_with_narrow_channels(n: int, time: int) -> None:
    """Much less than a product and then a broadcast; for 2 and 4 processors the optimum."""
    assert crossed(posed("prefix", n)) == time


@pytest.mark.parametrize("seed", range(4))
def test_they_are_legal_with_any_capacities(seed: int) -> None:
    """And no slower than a product and then a broadcast, by one tile each."""
    rng = random.Random(seed)
    height = rng.randint(2, 5)
    problem = posed("prefix", 1 << height, capacity_table=random_table(height, rng))
    assert 2 * height <= crossed(problem, 0.0) <= 2 * height * (height + 1)


def test_the_parts_and_tiles() -> None:
    """Of four processors one is sent operand 0 and operand 1, the other their product, or both are sent
    that.
    """
    assert staircase([0, 2, 5], 2, 1, 1) == [Tiled(0, 0, 0), Tiled(2, 1, 0)]
    assert staircase([0, 2, 5], 2, 0, 1) == [Tiled(2, 1, 0), Tiled(3, 1, 0)]
    covered = sum(1 << tiled.tile for tiled in staircase([0, 2, 5, 8, 13, 17], 5, 3, 1))
    assert covered >= 16
