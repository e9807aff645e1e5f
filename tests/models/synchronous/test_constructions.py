"""The named algorithms: closed forms, where they fit, and schedules that the referee replays."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log2
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve import Network, build_problem
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Effort
from schedsolve.models.synchronous.constructions.algorithms import ALGORITHMS
from schedsolve.models.synchronous.constructions.reductions import with_reductions
from schedsolve.models.synchronous.constructions.scatter_allgather import scatter_allgather
from schedsolve.models.synchronous.rules import replay

BY_NAME = {algorithm.name: algorithm for algorithm in (*ALGORITHMS, scatter_allgather(ALGORITHMS))}


ONE_WAY = Network(3, ((0, 1), (1, 2)), directed=True)


PLANES = Network(
    14,
    tuple((v, s) for v in range(8) for s in range(8, 14)),
    switches=frozenset(range(8, 14)),
)


def posed(task: str, spec: str, **options: Any) -> Problem:
    return build_problem("synchronous", task, Network.from_spec(spec), options)


def built(name: str, problem: Problem) -> tuple[int, int, int]:
    """(C, S, R) of an algorithm's schedule, replayed."""
    algorithm = BY_NAME[name]
    assert problem.task in algorithm.tasks
    assert algorithm.refuse(problem) is None
    schedule = algorithm.build(problem, Effort())
    assert replay(problem, schedule).violation is None
    return schedule.chunks, len(schedule.steps), schedule.rounds


@pytest.mark.parametrize("n", range(3, 10))
def test_closed_forms(n: int) -> None:
    """Rings on cycles; Bruck and the binomial tree on complete graphs; waves down a path."""
    steps = ceil(log2(n))
    assert built("rings", posed("allgather", f"cycle:{n}", steps=n - 1)) == (2, n - 1, n - 1)
    assert built("rings", posed("allgather", f"cycle:{n}", steps=n // 2)) == (2, n // 2, n - 1)
    assert built("bruck", posed("allgather", f"complete:{n}", steps=steps)) == (1, steps, n - 1)
    crossing = sum(sum(way >> bit & 1 for way in range(n)) for bit in range(steps))
    assert built("bruck", posed("alltoall", f"complete:{n}", steps=steps)) == (1, steps, crossing)
    assert built("binomial-tree", posed("broadcast", f"complete:{n}", steps=steps)) == (1, steps, steps)
    for task in ("scatter", "gather"):
        assert built("binomial-tree", posed(task, f"complete:{n}", steps=steps))[:2] == (1, steps)
    assert built("tree-pipeline", posed("broadcast", f"path:{n}", steps=n + 3)) == (5, n + 3, n + 3)


@pytest.mark.parametrize("d", range(1, 6))
def test_recursive_doubling_on_cubes(d: int) -> None:
    """With a chunk for every dimension all links are full: (d, d, 2^d - 1), the optimum."""
    assert built("recursive-doubling", posed("allgather", f"hypercube:{d}", steps=d)) == (d, d, 2**d - 1)


def test_rings_of_a_machine() -> None:
    """dgx1 has six rings: 7 rounds for 6 chunks, the optimum, in 7 steps, and in 4 as they turn round."""
    assert built("rings", posed("allgather", "dgx1", steps=7)) == (6, 7, 7)
    assert Fraction(*built("rings", posed("allgather", "dgx1", steps=4))[::-2]) == Fraction(7, 6)


@pytest.mark.parametrize(
    ("name", "task", "spec", "steps", "words"),
    [
        ("rings", "allgather", "path:4", 5, "no ring"),
        ("rings", "allgather", "cycle:8", 3, "it takes 4 steps"),
        ("rings", "allgather", "torus:20x20", 400, "more than 100000 chunks"),
        ("recursive-doubling", "allgather", "cycle:6", 5, "2, 4, 8"),
        ("recursive-doubling", "allgather", "cycle:8", 5, "no route from 0 to 2"),
        ("bruck", "alltoall", "complete:5", 2, "it takes 3 steps"),
        ("binomial-tree", "broadcast", "path:4", 3, "no route from 0 to 2"),
    ],
)
def test_where_they_do_not_fit(name: str, task: str, spec: str, steps: int, words: str) -> None:
    """One line says why."""
    assert words in (BY_NAME[name].refuse(posed(task, spec, steps=steps)) or "")


NETWORKS = (
    "complete:4",
    "complete:6",
    "dgx1",
    "leaf-spine:2,3,1",
    "leaf-spine:2,2,3",
    "kautz:2,1",
    "circulant:7,1,2",
)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(NETWORKS),
    st.sampled_from(("allgather", "broadcast", "gather", "scatter", "alltoall")),
    st.integers(2, 9),
    st.none() | st.integers(1, 5),
)
def test_whatever_is_built_is_legal(spec: str, task: str, steps: int, chunks: int | None) -> None:
    """On machines too, with any number of chunks and steps that are not refused."""
    problem = posed(task, spec, steps=steps, **({} if chunks is None else {"chunks": chunks}))
    for name, algorithm in BY_NAME.items():
        if task in algorithm.tasks and algorithm.refuse(problem) is None:
            counts = built(name, problem)
            assert counts[1] == steps
            assert chunks in (None, counts[0])


@pytest.mark.parametrize("n", range(3, 9))
def test_scatter_and_allgather_on_complete_graphs(n: int) -> None:
    """In S steps S - 1 waves of a part for each of the n - 1 others, a round a step."""
    for steps in (2, 3, 5):
        problem = posed("broadcast", f"complete:{n}", steps=steps)
        assert built("scatter-allgather", problem) == ((n - 1) * (steps - 1), steps, steps)


def test_scatter_and_allgather_behind_switches() -> None:
    """A tree would send the whole message from one host to each; parts are sent by all hosts at once."""
    chunks, steps, rounds = built("scatter-allgather", posed("broadcast", "leaf-spine:4,4,2", steps=3))
    assert (Fraction(rounds, chunks), steps) == (Fraction(61, 30), 3)
    for task, spec in (("reduce", "torus:3x3"), ("reduce", "kautz:2,2"), ("broadcast", "kautz:2,2")):
        problem = posed(task, spec, steps=7, **{"root" if task == "reduce" else "source": 4})
        algorithm = next(a for a in with_reductions(ALGORITHMS) if a.name == "scatter-allgather")
        assert algorithm.refuse(problem) is None
        assert replay(problem, algorithm.build(problem, Effort())).violation is None


@pytest.mark.parametrize(
    ("spec", "options", "reason"),
    [
        ("complete:5", {"steps": 1}, "it takes 2 steps, and 1 are given"),
        ("complete:5", {"steps": 2, "chunks": 6}, "6 chunks cannot be shared out among 4 destinations"),
        ("complete:2", {"steps": 2}, "it takes two destinations or more"),
        (ONE_WAY, {"steps": 4}, "there is no path from node 1 to 0"),
    ],
)
def test_where_scatter_and_allgather_do_not_fit(spec: Any, options: dict[str, int], reason: str) -> None:
    problem = build_problem("synchronous", "broadcast", spec, options)
    assert BY_NAME["scatter-allgather"].refuse(problem) == reason


def test_scatter_and_allgather_of_chunks_given() -> None:
    """Eight chunks for four others: two waves of one, or one of two."""
    assert built("scatter-allgather", posed("broadcast", "complete:5", steps=3, chunks=8)) == (8, 3, 3)
    assert built("scatter-allgather", posed("broadcast", "complete:5", steps=4, chunks=8))[0] == 8


def test_parallel_switches_carry_a_chunk_each() -> None:
    """Behind 6 planes of switches, as many chunks share the links evenly: 7/6, the bound, in one step."""
    assert built("shortest-ways", build_problem("synchronous", "allgather", PLANES, {"steps": 1})) == (
        6,
        1,
        7,
    )


@pytest.mark.parametrize(
    ("task", "spec", "steps", "value"),
    [
        ("gather", "torus:4x4", 8, Fraction(15, 4)),
        ("alltoall", "leaf-spine:4,3,1", 2, Fraction(27)),
        ("alltoall", "torus:4x4", 4, Fraction(163, 20)),
    ],
)
def test_priced_ways_share_out_links_and_steps(task: str, spec: str, steps: int, value: Fraction) -> None:
    """15 chunks over the root's 4 links; 9 times 3 over each leaf's link; 8 for an alltoall on the torus."""
    chunks, _, rounds = built("priced-ways", posed(task, spec, steps=steps))
    assert Fraction(rounds, chunks) == value


def test_priced_ways_use_every_step() -> None:
    """12 chunks over the first link: what goes far leaves first, and what goes near waits."""
    waits = built("priced-ways", posed("scatter", "path:4", steps=6, chunks=4))
    assert waits[0] == 4
    assert waits[2] == 12
    assert built("shortest-ways", posed("scatter", "path:4", steps=6, chunks=4))[2] > 12


def test_priced_ways_refuse_what_takes_long() -> None:
    problem = posed("alltoall", "torus:8x8", steps=8, chunks=20)
    assert BY_NAME["priced-ways"].refuse(problem) == "it would look for ways too many times"
