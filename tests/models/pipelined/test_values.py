"""Known values, closed forms, and what must hold of every network."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve import InputError, build_problem
from schedsolve.models.pipelined.bounds.cuts import tree_bottleneck
from schedsolve.models.pipelined.constructions.shortest_ways import shared_ways, shortest_ways
from schedsolve.models.pipelined.formulation import explicit
from schedsolve.models.pipelined.formulation.alltoall import Sources, alltoall_flows
from schedsolve.models.pipelined.rules import replay
from schedsolve.network.graph import Network
from tests.models.pipelined.problems import TASKS, UNBALANCED, found, optimum, posed


@pytest.mark.parametrize(
    ("network", "time"),
    [
        ("dgx1", "7/6"), ("a100:2", "3/65"), ("mi250:1", "7/150"), ("path:4", "3"), ("complete:2", "1"),
        ("path:2", "1"), ("leaf-spine:3,2,2", "5"),
    ],
)  # fmt: skip
def test_allgather(network: str, time: str) -> None:
    """The times per shard of machines: the cut and the packed trees meet."""
    assert optimum(posed("allgather", network)) == Fraction(time)


@pytest.mark.parametrize(
    ("network", "time"),
    [
        ("a100:2", "8/25"), ("petersen", "5"), ("hypercube:5", "16"), ("torus:16x16", "512"),
        ("torus:8x8x8", "512"), ("path:4", "4"), ("genkautz:4,32", "85/4"), ("complete:6", "1"),
    ],
)  # fmt: skip
def test_alltoall(network: str, time: str) -> None:
    """The times per unit a pair; large ones by symmetry."""
    assert optimum(posed("alltoall", network)) == Fraction(time)


@pytest.mark.parametrize("n", range(2, 9))
def test_closed_forms(n: int) -> None:
    """Cycles, complete graphs, paths and stars: what enters a node, and what must cross the middle."""
    assert optimum(posed("allgather", f"complete:{n}")) == 1
    assert optimum(posed("allgather", f"path:{n}")) == n - 1
    assert optimum(posed("broadcast", f"star:{n}")) == 1
    assert optimum(posed("alltoall", f"path:{n}")) == (n // 2) * ((n + 1) // 2)
    if n > 2:
        assert optimum(posed("allgather", f"cycle:{n}")) == Fraction(n - 1, 2)
        assert optimum(posed("broadcast", f"cycle:{n}")) == Fraction(1, 2)
        assert optimum(posed("alltoall", f"cycle:{n}")) == Fraction((n * n) // 4, 2)
        assert optimum(posed("scatter", f"cycle:{n}")) == optimum(posed("gather", f"cycle:{n}"))


def test_thousand_nodes() -> None:
    """The optimum of an allgather on 1024 GPUs: 8 of every box must leave it over 200."""
    network = Network.from_spec("a100:128")
    assert tree_bottleneck(network, dict.fromkeys(network.compute_nodes, 1)).time == Fraction(127, 25)


def test_an_alltoall_without_its_symmetries() -> None:
    """The whole program, after a first-order method, gives the same time, exactly."""
    network = Network.from_spec("dragonfly:3,2")
    expected = optimum(posed("alltoall", network))
    *_, last = alltoall_flows(Sources.of(posed("alltoall", network)), 60)
    assert last is not None
    assert last.bound == last.time == expected


def test_an_unbalanced_switch_is_not_called_optimal() -> None:
    """Without copies the broadcast takes 2, and the cuts say 1; a third is not to be had by rounding."""
    for task, low, high in (("broadcast", 1, 2), ("allgather", 2, 4)):
        lower, schedule = found(posed(task, UNBALANCED))
        assert schedule is not None
        assert lower.value == low
        assert schedule.time == high


def test_a_weaker_link_makes_the_trees_fail_by_name() -> None:
    """The trees of DGX-1 use every link up to its bandwidth; one less, and the referee names the link."""
    problem = posed("allgather", "dgx1")
    _, schedule = found(problem)
    assert schedule is not None
    network = problem.network
    for i, (u, v) in enumerate(network.edges):
        weaker = tuple(b - Fraction(1, 2) if i == j else b for j, b in enumerate(network.bandwidths))
        broken = replay(replace(problem, network=replace(network, bandwidths=weaker)), schedule).violation
        assert broken is not None
        assert f"from {u} to {v}" in broken or f"from {v} to {u}" in broken


NETWORKS = ("dgx1", "path:4", "kautz:2,1", "leaf-spine:2,2,1", "hypercube:3", "amd4")


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(TASKS), st.sampled_from(NETWORKS), st.randoms(use_true_random=False))
def test_relabelling_changes_nothing(task: str, spec: str, rng) -> None:  # type: ignore[no-untyped-def]
    """The optimum is that of the renumbered network, and a moved schedule stays legal."""
    problem = posed(task, spec)
    network = problem.network
    image = list(range(network.node_count))
    rng.shuffle(image)
    moved = Network(
        network.node_count,
        tuple((image[u], image[v]) for u, v in network.edges),
        network.directed,
        bandwidths=network.bandwidths,
        switches=frozenset(image[v] for v in network.switches),
    )
    other = posed(task, moved, image[0])
    assert optimum(other) == optimum(problem)
    _, schedule = found(problem)
    assert schedule is not None
    assert replay(other, schedule.moved(image)).violation is None


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(TASKS), st.sampled_from(NETWORKS), st.integers(0, 50), st.integers(1, 3))
def test_more_bandwidth_never_hurts(task: str, spec: str, place: int, more: int) -> None:
    """And no schedule is better than the bound, nor the simple construction better than the search."""
    problem = posed(task, spec)
    network = problem.network
    bandwidths = list(network.bandwidths or [1] * len(network.edges))
    bandwidths[place % len(bandwidths)] += more
    wider = posed(task, replace(network, bandwidths=tuple(bandwidths)))
    lower, schedule = found(wider)
    assert schedule is not None
    assert lower.value <= schedule.time <= optimum(problem) <= shortest_ways(problem).time


@pytest.mark.parametrize(
    ("task", "network", "time"),
    [
        ("alltoall", "torus:4x4", Fraction(8)),
        ("alltoall", "mi300x", Fraction(1)),
        ("alltoall", "dgx2", Fraction(5, 2)),
        ("scatter", "torus:3x3", Fraction(2)),
        ("gather", "torus:3x3", Fraction(2)),
        ("gather", "kautz:2,2", Fraction(6)),
    ],
)
def test_all_shortest_ways_of_a_pair(task: str, network: str, time: Fraction) -> None:
    """Flows shared out over them are legal, and the best there are where all links are alike."""
    ends = {"scatter": {"source": "1"}, "gather": {"root": "1"}}
    problem = build_problem("pipelined", task, network, ends.get(task, {}))
    schedule = shared_ways(problem)
    assert schedule.time == time
    seen = replay(problem, schedule)
    assert (seen.violation, seen.value) == (None, time)


def test_a_switch_whose_flows_are_alike_needs_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flows that take the least time are written out without solving for them again."""
    problem = build_problem("pipelined", "alltoall", "leaf-spine:2,2,2")
    monkeypatch.setattr(explicit, "alltoall_flows", lambda *_: ())
    assert explicit.explicit_schedule(problem, Fraction(3)).time == 3
    with pytest.raises(InputError, match="no list of trees or flows"):
        explicit.explicit_schedule(problem)


def test_a_cut_without_bandwidth() -> None:
    """The root sends to nobody, and a node that is out of reach counts."""
    arcs = {(0, 1): 1, (0, 2): 4, (1, 0): 2, (1, 4): 4, (3, 4): 2, (4, 1): 4, (4, 3): 1}
    network = Network(5, tuple(arcs), True, bandwidths=tuple(arcs.values()), switches=frozenset({3, 4}))
    assert tree_bottleneck(network, {2: 2}).rate == 0
