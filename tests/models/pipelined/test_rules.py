"""The referee names the first broken rule; the form reads what it wrote and refuses the rest."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from schedsolve.models import build_problem
from schedsolve.models.pipelined.rules import replay
from schedsolve.models.pipelined.rules.schedule import FORM, Flow, PipelinedSchedule, WeightedTree
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from tests.models.pipelined.problems import TASKS, found, posed

HALF = Fraction(1, 2)
ONE = Fraction(1)
BOX = Network(4, ((0, 3), (1, 3), (2, 3)), switches=frozenset({3}))
"""Three compute nodes at one switch."""


def violation(task: str, network: Network | str, schedule: PipelinedSchedule) -> str:
    """The first broken rule; empty when none is."""
    return replay(posed(task, network), schedule).violation or ""


def one_tree(*paths: tuple[int, ...], weight: Fraction = ONE, root: int = 0) -> WeightedTree:
    return WeightedTree(root, weight, paths)


def test_a_broadcast_by_hand() -> None:
    """Around a triangle both ways, half the unit each: all links at half their bandwidth in time 1, full in
    1/2.
    """
    trees = (one_tree((0, 1), (1, 2), weight=HALF), one_tree((0, 2), (2, 1), weight=HALF))
    assert violation("broadcast", "cycle:3", PipelinedSchedule(HALF, trees)) == ""
    assert "the link from 0 to 1 carries 1/2" in violation(
        "broadcast", "cycle:3", PipelinedSchedule(Fraction(1, 3), trees)
    )


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (one_tree((0, 1)), "node 2 does not get the part"),
        (one_tree((0, 1), (1, 2), (0, 2)), "node 2 gets the part twice"),
        (one_tree((0, 1), (1, 0)), "node 0 gets the part twice"),
        (one_tree((1, 2), (0, 1)), "node 1 passes the part on and does not have it"),
        (one_tree((0, 1), (0, 1, 2)), "goes through node 1, which is no switch"),
        (one_tree((0,)), "a path has at least two nodes"),
        (one_tree((0, 1), (1, 2), weight=HALF), "add up to 1/2, not to 1"),
        (one_tree((1, 0), (0, 2), root=1), "nothing is said of node 0"),
    ],
)
def test_broken_trees(tree: WeightedTree, words: str) -> None:
    """Each rule of trees, broken."""
    assert words in violation("broadcast", "complete:3", PipelinedSchedule(ONE, (tree,)))


def test_a_path_keeps_to_links() -> None:
    """From one end of a path to the other there is none."""
    schedule = PipelinedSchedule(ONE, (one_tree((0, 2), (2, 1)),))
    assert "the path 0-2 uses a link that is not" in violation("broadcast", "path:3", schedule)


def test_switches_neither_copy_nor_keep() -> None:
    """A path may not end at a switch, and two paths through it load its link twice."""
    ends = one_tree((0, 3), (3, 1), (3, 2))
    assert "ends at a switch" in violation("broadcast", BOX, PipelinedSchedule(ONE, (ends,)))
    star = one_tree((0, 3, 1), (0, 3, 2))
    assert "from 0 to 3 carries 2" in violation("broadcast", BOX, PipelinedSchedule(ONE, (star,)))
    assert violation("broadcast", BOX, PipelinedSchedule(Fraction(2), (star,))) == ""


@pytest.mark.parametrize(
    ("task", "links", "words"),
    [
        ("scatter", [(0, 1, 2), (1, 2, 1)], ""),
        ("scatter", [(0, 1, 1), (1, 2, 1)], "node 0 gets -1 more than it sends"),
        ("scatter", [(0, 1, 2), (2, 1, 1)], "node 1 gets 3 more than it sends"),
        ("scatter", [(1, 0, 2), (2, 1, 1)], "node 0 gets 2 more than it sends"),
        ("gather", [(1, 0, 2), (2, 1, 1)], ""),
        ("gather", [(0, 1, 2), (1, 2, 1)], "node 0 gets -2 more than it sends"),
        ("scatter", [(0, 2, 2), (2, 1, 1)], "there is no link from 0 to 2"),
    ],
)
def test_flows(task: str, links: list[tuple[int, int, int]], words: str) -> None:
    """A flow leaves one unit at every node, in the right direction."""
    flow = Flow(0, tuple((u, v, Fraction(x)) for u, v, x in links))
    broken = violation(task, "path:3", PipelinedSchedule(Fraction(2), flows=(flow,)))
    assert words in broken
    assert bool(words) == bool(broken)


def test_trees_and_flows_are_of_different_tasks() -> None:
    """Each task has schedules of one kind, whatever else they hold."""
    trees = (one_tree((0, 1), (1, 2)),)
    flow = Flow(0, ((0, 1, Fraction(2)), (1, 2, ONE)))
    for kinds in (PipelinedSchedule(ONE, trees, (flow,)), PipelinedSchedule(ONE, (), (flow,))):
        assert "is made of trees" in violation("broadcast", "path:3", kinds)
    twice = PipelinedSchedule(Fraction(2), flows=(flow, flow))
    assert violation("scatter", "path:3", twice) == "a node has two flows"
    for kinds in (PipelinedSchedule(Fraction(2), trees, (flow,)), PipelinedSchedule(Fraction(2), trees)):
        assert "is made of flows" in violation("scatter", "path:3", kinds)


def test_symmetries_stand_for_all() -> None:
    """One flow for a whole cycle; not under a turn that is no automorphism, nor twice for one orbit."""
    network = Network.from_spec("cycle:4")
    turn = (1, 2, 3, 0)
    links = ((0, 1, Fraction(3, 2)), (1, 2, HALF), (0, 3, Fraction(3, 2)), (3, 2, HALF))
    schedule = PipelinedSchedule(Fraction(2), flows=(Flow(0, links),), symmetries=(turn,))
    assert violation("alltoall", network, schedule) == ""
    assert "no automorphism" in violation("alltoall", "path:4", schedule)
    for other in ((1, 2, 3), (1, 2, 3, 0, 4), (1, 2, 3, 4), (1, 2, 3, -4)):
        assert "no automorphism" in violation("alltoall", network, replace(schedule, symmetries=(other,)))
    doubled = replace(schedule, flows=(Flow(0, links), Flow(1, links)))
    assert "are of one orbit" in violation("alltoall", network, doubled)
    assert "nothing is said of node 1" in violation("alltoall", network, replace(schedule, symmetries=()))
    assert "node 1 has nothing to send" in violation("scatter", network, schedule)
    assert "carries" in violation("alltoall", network, replace(schedule, time=Fraction(19, 10)))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("network", ["dgx1", "leaf-spine:2,2,1"])
def test_files(task: str, network: str) -> None:
    """A schedule is read back as it was written, in the network's labels; lines tell it to people."""
    problem = posed(task, network)
    _, schedule = found(problem)
    assert schedule is not None
    labels = problem.network.labels
    assert FORM.read(schedule.to_json(labels), problem.network) == schedule
    assert schedule.lines(labels)
    assert schedule.without_empty_end() == schedule


@pytest.mark.parametrize("task", TASKS)
def test_a_mutated_schedule_is_refused(task: str) -> None:
    """Less time, or a part left out, and the referee says no."""
    problem = posed(task, "leaf-spine:2,2,1")
    _, schedule = found(problem)
    assert schedule is not None
    assert replay(problem, replace(schedule, time=schedule.time * Fraction(99, 100))).violation
    assert replay(problem, replace(schedule, trees=schedule.trees[1:], flows=schedule.flows[1:])).violation
    if schedule.flows:
        shorter = replace(schedule.flows[0], links=schedule.flows[0].links[1:])
        assert replay(problem, replace(schedule, flows=(shorter, *schedule.flows[1:]))).violation
    else:
        less = replace(schedule.trees[0], paths=schedule.trees[0].paths[:-1])
        assert replay(problem, replace(schedule, trees=(less, *schedule.trees[1:]))).violation


TREE = {"root": 0, "weight": 1, "paths": [[0, 1], [1, 2]]}


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"rounds": []},
        {"time": 1},
        {"time": 1, "trees": [], "flows": []},
        {"time": 1, "trees": [TREE], "period": 3},
        {"time": 0, "trees": [TREE]},
        {"time": "1/0", "trees": [TREE]},
        {"time": 1.5, "trees": [TREE]},
        {"time": True, "trees": [TREE]},
        {"time": 1, "trees": TREE},
        {"time": 1, "trees": [{**TREE, "root": 9}]},
        {"time": 1, "trees": [{**TREE, "weight": "-1/2"}]},
        {"time": 1, "trees": [{**TREE, "paths": [0, 1]}]},
        {"time": 1, "trees": [{**TREE, "more": 1}]},
        {"time": 1, "flows": [{"node": 0, "links": [[0, 1]]}]},
        {"time": 1, "flows": [{"node": 0}]},
        {"time": 1, "flows": [{"node": 0, "links": [[0, 1, "x"]]}]},
        {"time": 1, "flows": [{"node": [0], "links": []}]},
    ],
)
def test_malformed_files(data: Any) -> None:
    """Another shape is refused in one line."""
    with pytest.raises(InputError) as refused:
        FORM.read(data, Network.from_spec("path:3"))
    assert "\n" not in str(refused.value)


def test_switches_that_copy_begin_and_end_paths() -> None:
    """A part comes to the switch once, and goes on to both others; where switches do not copy it may not."""
    tree = one_tree((0, 3), (3, 1), (3, 2))
    copying = build_problem("pipelined", "broadcast", BOX, {"source": 0, "switches_copy": True})
    assert replay(copying, PipelinedSchedule(ONE, (tree,))).violation is None
    plain = build_problem("pipelined", "broadcast", BOX, {"source": 0})
    for path, words in (((0, 3), "ends at a switch"), ((3, 2), "starts at a switch")):
        assert words in (replay(plain, PipelinedSchedule(ONE, (one_tree(path),))).violation or "")
    assert "passes the part on and does not have it" in (
        replay(copying, PipelinedSchedule(ONE, (one_tree((3, 2)),))).violation or ""
    )


def test_a_part_comes_twice_through_a_switch() -> None:
    """Where a path ends counts, and not where it passes."""
    trees = (one_tree((0, 3, 1), (0, 3, 2), (1, 3, 2)),)
    assert "node 2 gets the part twice" in violation("broadcast", BOX, PipelinedSchedule(Fraction(9), trees))


@pytest.mark.parametrize("nodes", [[0, True], [0, 1.0], [0, None], 3, "01"])
def test_nodes_of_a_file_are_labels(nodes: Any) -> None:
    data = {"time": 1, "trees": [{"root": 0, "weight": 1, "paths": [nodes]}]}
    with pytest.raises(InputError):
        FORM.read(data, Network.from_spec("complete:2"))
