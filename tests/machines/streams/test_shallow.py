"""Trees made shallower: the same links, loaded as before, and never a deeper sum of squares."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve import build_problem, solve
from schedsolve.machines.streams.shallow import shallower
from schedsolve.models import model_of
from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule, WeightedTree


def loads(trees: tuple[WeightedTree, ...]) -> dict[tuple[int, int], Fraction]:
    """Return what every link carries."""
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for tree in trees:
        for path in (*tree.paths, *tree.inward):
            for link in pairwise(path):
                found[link] += tree.weight
    return found


def depths(tree: WeightedTree) -> dict[int, int]:
    """Return the depth of every node; a path whose start was not reached before it raises KeyError."""
    found = {tree.root: 0}
    for path in tree.paths:
        assert path[-1] not in found
        found[path[-1]] = found[path[0]] + 1
    return found


def squares(trees: tuple[WeightedTree, ...]) -> Fraction:
    """Return the sum of the squared depths, by weight."""
    return sum((t.weight * sum(d * d for d in depths(t).values()) for t in trees), Fraction(0))


def chain(root: int, *nodes: int) -> WeightedTree:
    """Return the tree of weight 1 in which the nodes stand one behind the other, behind switch 9."""
    return WeightedTree(root, Fraction(1), tuple((u, 9, v) for u, v in pairwise((root, *nodes))))


def test_chains_through_a_switch_become_stars() -> None:
    """Two chains that end with the hop that the other's root could make: each root makes its own."""
    chains = chain(0, 1, 2), chain(1, 0, 2)
    found = shallower(chains)
    assert [depths(tree) for tree in found] == [{0: 0, 1: 1, 2: 1}, {1: 0, 0: 1, 2: 1}]
    assert loads(found) == loads(chains)


def test_weights_are_split() -> None:
    """Where a tree of weight 1 exchanges hops with one of weight 1/3, the rest of it stays as it was."""
    chains = chain(0, 1, 2), replace(chain(1, 0, 2), weight=Fraction(1, 3))
    found = shallower(chains)
    assert [(t.root, t.weight, max(depths(t).values())) for t in found] == [
        (0, Fraction(1, 3), 1),
        (1, Fraction(1, 3), 1),
        (0, Fraction(2, 3), 2),
    ]
    assert loads(found) == loads(chains)


def test_one_tree_alone_keeps_its_links() -> None:
    """Two hops of one tree are exchanged too; a path graph leaves nothing to exchange."""
    path = WeightedTree(0, Fraction(1), ((0, 1), (1, 2), (2, 3)))
    assert shallower((path,)) == (path,)
    assert shallower(()) == ()


def test_a_search_ends_within_a_sweep() -> None:
    """With few comparisons left only the deepest hops are exchanged, and the trees stay whole."""
    chains = tuple(chain(r, *((r + i) % 6 for i in range(1, 6))) for r in range(6))
    found = shallower(chains, most_compared=60)
    assert squares(shallower(chains)) < squares(found) < squares(chains)
    assert loads(found) == loads(chains)


@pytest.mark.parametrize(
    ("task", "network"),
    [
        ("allgather", "a100:1"),
        ("allreduce", "leaf-spine:2,2,1"),
        ("allreduce", "torus:3x3"),
        ("reduce-scatter", "kautz:2,2"),
        ("broadcast", "amd4"),
    ],
)
def test_optimal_schedules_stay_optimal(task: str, network: str) -> None:
    """The referee accepts them with the same time, and every link carries what it carried."""
    options = {"source": "0"} if task == "broadcast" else {}
    problem = build_problem("pipelined", task, network, options)
    schedule = solve(problem).indexed
    assert isinstance(schedule, PipelinedSchedule)
    trees = schedule.trees or pytest.skip("its trees stand for others")
    found = shallower(trees)
    replayed = model_of(problem).replay(problem, PipelinedSchedule(schedule.time, found))
    assert replayed.legal, replayed.violation
    assert replayed.value == schedule.time
    assert loads(found) == loads(trees)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_trees(data: st.DataObject) -> None:
    """Of complete graphs and switches: roots keep their weight, links their load, and nothing gets deeper."""
    trees: list[WeightedTree] = []
    for _ in range(data.draw(st.integers(1, 5))):
        order = data.draw(st.permutations(range(5)))
        paths: list[tuple[int, ...]] = []
        for place, v in enumerate(order[1:], 1):
            u = order[data.draw(st.integers(0, place - 1))]
            paths.append((u, *data.draw(st.sampled_from([(), (8,), (8, 9), (9,)])), v))
        weight = data.draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2, 3)]))
        trees.append(WeightedTree(order[0], weight, tuple(paths)))
    before, after = tuple(trees), shallower(tuple(trees))
    assert loads(after) == {link: load for link, load in loads(before).items() if load}
    for root in range(5):
        weights = [sum(t.weight for t in trees if t.root == root) for trees in (before, after)]
        assert weights[0] == weights[1]
    for tree in after:
        assert set(depths(tree)) == set(range(5))
    assert squares(after) <= squares(before)
    turned = shallower(tuple(tree.turned() for tree in before))
    assert {tree.turned() for tree in turned} == set(after)
