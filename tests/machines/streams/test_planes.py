"""Hops spread over planes of switches, and the images of trees: loads, results, and few chunks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedsolve import build_problem, replay
from schedsolve.machines.movement.saved_schedule import movement_of
from schedsolve.machines.streams.images import with_images
from schedsolve.machines.streams.planes import equitable, planes_of
from schedsolve.machines.timing import timing
from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule, WeightedTree
from schedsolve.network.graph import Network
from schedsolve.network.named.families import family_network
from tests.machines.streams.test_streams import FREE, ends_right

FEW = 30
"""Messages that a program may have, which the trees of one plane each exceed."""


def behind_planes(nodes: int, planes: int, wider: int = 1) -> Network:
    """Return nodes with a link to each of some switches, that to the last one of another bandwidth."""
    switches = range(nodes, nodes + planes)
    links = [(v, w) for v in range(nodes) for w in switches]
    bandwidths = tuple(wider if w == switches[-1] else 1 for _, w in links)
    return Network(nodes + planes, tuple(links), bandwidths=bandwidths, switches=frozenset(switches))


def star(root: int, switch: int, nodes: int, weight: Fraction, task: str) -> WeightedTree:
    """Return the tree in which a root sends to everybody, after everybody has sent to it if it adds up."""
    others = [v for v in range(nodes) if v != root]
    outward = tuple((root, switch, v) for v in others)
    inward = tuple((v, switch, root) for v in others)
    return WeightedTree(
        root, weight, () if task == "reduce-scatter" else outward, () if task == "allgather" else inward
    )


def stars(task: str, nodes: int, planes: int) -> PipelinedSchedule:
    """Return a star for every root and plane, all of the same weight."""
    shares = planes * (nodes if task == "allreduce" else 1)
    time = Fraction(nodes - 1, planes) * (Fraction(2, nodes) if task == "allreduce" else 1)
    switches = range(nodes, nodes + planes)
    trees = tuple(star(r, w, nodes, Fraction(1, shares), task) for r in range(nodes) for w in switches)
    return PipelinedSchedule(time, trees)


@pytest.mark.parametrize("task", ["allgather", "reduce-scatter", "allreduce"])
@pytest.mark.parametrize(("nodes", "planes"), [(5, 2), (7, 3), (5, 4)])
def test_few_trees_load_all_planes(task: str, nodes: int, planes: int) -> None:
    """Exactly the optimum, with one tree for each root instead of one for each root and plane."""
    problem, schedule = (
        build_problem("pipelined", task, behind_planes(nodes, planes)),
        stars(task, nodes, planes),
    )
    assert not replay(problem, schedule).violation
    made = movement_of(problem, schedule, most_transfers=FEW)
    assert made.chunks == (nodes if task == "allreduce" else 1)
    assert ends_right(made)
    assert timing(made, FREE).seconds == schedule.time
    # Where there is room for all of them, nothing is merged.
    assert movement_of(problem, schedule).chunks % planes == 0


def test_uneven_planes() -> None:
    """Where the hops of a node do not come out even, no link carries a chunk more than it has to."""
    problem, schedule = build_problem("pipelined", "allgather", behind_planes(6, 3)), stars("allgather", 6, 3)
    made = movement_of(problem, schedule, most_transfers=FEW)
    load = Counter(link for step in made.steps for t in step.transfers for link in t.links)
    assert (made.chunks, max(load.values())) == (1, 2)
    assert timing(made, FREE).seconds == 2


def test_planes() -> None:
    """Components of the switches into which all nodes have equal links."""
    assert list(map(sorted, planes_of(behind_planes(4, 3)))) == [[4], [5], [6]]
    assert [len(plane) for plane in planes_of(family_network("dgx2"))] == [2] * 6
    assert len(planes_of(family_network("nvl72"))) == 18
    for none in ("a100:2", "leaf-spine:2,2,2", "torus:3x3", "h100:1"):
        assert planes_of(family_network(none)) == ()
    assert planes_of(behind_planes(4, 3, wider=2)) == ()


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=60), st.integers(1, 7))
def test_equitable_colourings(hops: list[tuple[int, int]], colours: int) -> None:
    """Of two colours every node sends, and receives, as many, or one more of one of them."""
    found = equitable(hops, colours)
    assert len(found) == len(hops)
    assert set(found) <= set(range(colours))
    counts = Counter((side, pair[side], c) for pair, c in zip(hops, found, strict=True) for side in (0, 1))
    for side in (0, 1):
        for v in range(7):
            for one, other in combinations(range(colours), 2):
                assert abs(counts[side, v, one] - counts[side, v, other]) <= 1


@pytest.mark.parametrize("task", ["allgather", "allreduce"])
def test_images(task: str) -> None:
    """The images of a star are those of all roots and planes, and the referee finds the same time."""
    nodes, planes = 4, 3
    network, whole = behind_planes(nodes, planes), stars(task, 4, 3)
    turn = (1, 2, 3, 0, 5, 6, 4)
    first = replace(whole.trees[0], weight=whole.trees[0].weight * planes)
    few = PipelinedSchedule(whole.time, (first,), symmetries=(turn,))
    problem = build_problem("pipelined", task, network)
    assert replay(problem, few).value == whole.time
    found = with_images(network, few, 12)
    assert found is not None
    assert not found.symmetries
    assert {(t.root, t.weight, frozenset(t.paths), frozenset(t.inward)) for t in found.trees} == {
        (t.root, t.weight, frozenset(t.paths), frozenset(t.inward)) for t in whole.trees
    }
    seen = replay(problem, found)
    assert (seen.violation, seen.value) == (None, whole.time)
    assert with_images(network, few, 11) is None


def test_a_rack_in_few_chunks() -> None:
    """An NVL72's symmetric allgather is cut into one chunk, each sent once to everybody."""
    network = family_network("nvl72")
    rack = replace(stars("allgather", 72, 18).trees[0], weight=Fraction(1))
    turns = (
        (*range(1, 72), 0, *range(72, 90)),
        (*range(72), *range(73, 90), 72),
    )
    schedule = PipelinedSchedule(Fraction(71, 18), (rack,), symmetries=turns)
    made = movement_of(build_problem("pipelined", "allgather", network), schedule)
    assert (made.chunks, made.messages) == (1, 72 * 71)
    load = Counter(
        link
        for step in made.steps
        for t in step.transfers
        for link in pairwise((t.sender, *t.between, t.receiver))
    )
    assert max(load.values()) == 4
    assert timing(made, FREE).seconds <= Fraction(102, 100) * schedule.time
