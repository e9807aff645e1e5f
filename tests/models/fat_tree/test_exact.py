"""Optima on the fat-tree: both backends against brute force and each other, the paper's sizes, and every
bound below the optimum.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.search import Options, Question, RunningSearch
from schedsolve.models import model_of
from schedsolve.models.fat_tree.constructions.searched_broadcast import sat_search
from schedsolve.models.fat_tree.formulation import ordered_tree_search, runs_search, searched_bound
from schedsolve.models.fat_tree.rules import replay
from schedsolve.models.fat_tree.rules.tree import SHAPES
from schedsolve.solving.solve import solve
from tests.models.decisions import cpsat_search
from tests.models.fat_tree.problems import CLOCK, ROUNDS, posed, random_table
from tests.reference.fat_tree_brute_force import associative_round_optimum, round_optimum
from tests.reference.fat_tree_clock_search import clock_optimum

SEARCHES: dict[str, Callable[[Question], RunningSearch | None]] = {"sat": sat_search, "cpsat": cpsat_search}


def decided(search: RunningSearch | None) -> bool:
    """The answer of a search."""
    assert search is not None
    answer = search.advance(60)
    assert answer is not None
    if answer:
        problem, schedule = search.found()
        assert replay(problem, schedule).violation is None
    search.close()
    return answer


def least(problem: Problem, decide: Callable[[Question], RunningSearch | None]) -> int:
    """The least time that a search finds, going up from 0."""
    step = 2 if problem.parameters["timing"] == "rounds" else 1
    return next(time for time in range(0, 100, step) if decided(decide(Question(problem, time))))


@pytest.mark.parametrize("backend", sorted(SEARCHES))
@pytest.mark.parametrize("table", [[1, 1, 1], [1, 1, 2], [1, 2, 2], [1, 2, 3], [1, 2, 4], [2, 3, 3]])
def test_four_processors_against_brute_force(table: list[int], backend: str) -> None:
    """Both backends find the brute-forced optimum on four processors, in both timings, from every source."""
    for n in (2, 4):
        capacities = table[: n.bit_length()]
        for source in (0, n - 1):
            for timing, brute_force in (("clock", clock_optimum), ("rounds", round_optimum)):
                problem = posed("broadcast", n, capacity_table=capacities, timing=timing, source=source)
                assert least(problem, SEARCHES[backend]) == brute_force(n, capacities, source)


@pytest.mark.parametrize("table", [[1, 1, 1, 1], [1, 2, 2, 2], [1, 2, 4, 8]])
def test_eight_processors_against_brute_force_in_rounds(table: list[int]) -> None:
    """Both backends find the brute-forced optimum on eight processors in rounds."""
    problem = posed("broadcast", 8, capacity_table=table, timing="rounds", source=5)
    best = round_optimum(8, table)
    for search in SEARCHES.values():
        assert decided(search(Question(problem, best)))
        assert not decided(search(Question(problem, best - 1)))


@pytest.mark.parametrize("timing", ["clock", "rounds"])
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_the_shapes_up_to_32_processors(shape: str, timing: str) -> None:
    """The optima that the documentation lists, with all bounds below them; some of the largest are left out
    for time.
    """
    for height, value in enumerate((CLOCK if timing == "clock" else ROUNDS)[shape], 1):
        if height == 5 and shape not in ("const", "sqrt", "linear"):
            continue
        result = solve(posed("broadcast", 1 << height, capacity=shape, timing=timing), Options(time_limit=60))
        assert (result.status, result.value) == (Status.OPTIMAL, value)
        assert max(bound.value for bound in model_of(result.problem).bounds(result.problem)) <= value


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        ("const", 22),
        ("linear", 20),
        pytest.param("log", 20, marks=pytest.mark.slow),
        pytest.param("sqrt", 21, marks=pytest.mark.slow),
        pytest.param("two-thirds", 21, marks=pytest.mark.slow),
    ],
)
def test_64_processors_by_the_clock(shape: str, value: int) -> None:
    """The optima for 64 processors are reached; that nothing is faster is what the bound by lineages says."""
    assert decided(sat_search(Question(posed("broadcast", 64, capacity=shape), value)))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["clock", "rounds"]), st.integers(1, 4))
def test_random_tables(seed: int, timing: str, height: int) -> None:
    """On random capacities both backends agree, and every bound and algorithm is on its side of the
    optimum.
    """
    problem = posed(
        "broadcast", 1 << height, capacity_table=random_table(height, random.Random(seed)), timing=timing
    )
    result = solve(problem, Options(time_limit=60))
    assert result.status is Status.OPTIMAL
    assert isinstance(result.value, int)
    assert decided(cpsat_search(Question(problem, result.value)))
    assert not decided(cpsat_search(Question(problem, result.value - 1)))
    assert max(bound.value for bound in model_of(problem).bounds(problem)) <= result.value


@pytest.mark.parametrize("table", [[1, 1, 1], [1, 2, 4]])
def test_products_and_prefixes_against_brute_force(table: list[int]) -> None:
    """In rounds on two and four processors; what is found is never worse than what any sending of any
    products can do.
    """
    for n in (2, 4):
        capacities = table[: n.bit_length()]
        for root in (0, 1):
            problem = posed("product", n, capacity_table=capacities, timing="rounds", root=root)
            best = associative_round_optimum(n, capacities, {root: (0, n - 1)})
            assert (
                least(problem, runs_search)
                == least(problem, ordered_tree_search)
                == solve(problem).value
                == best
            )
        if n == 2 or table[-1] == 4:
            problem = posed("prefix", n, capacity_table=capacities, timing="rounds")
            best = associative_round_optimum(n, capacities, {p: (0, p) for p in range(n)})
            assert least(problem, runs_search) == solve(problem).value == best


@pytest.mark.parametrize(
    ("task", "n", "options", "value"),
    [
        ("product", 4, {"root": 2}, 5),
        ("product", 8, {}, 8),
        ("product", 16, {"capacity": "log"}, 12),
        ("product", 16, {"capacity": "linear", "timing": "rounds"}, 20),
        ("prefix", 2, {}, 2),
        ("prefix", 4, {}, 6),
        ("prefix", 4, {"capacity": "linear"}, 5),
        ("prefix", 4, {"timing": "rounds"}, 8),
    ],
)
def test_products_and_prefixes(task: str, n: int, options: dict[str, str], value: int) -> None:
    """Optima of products and prefixes, proven."""
    result = solve(posed(task, n, **options), Options(time_limit=60))
    assert (result.status, result.value) == (Status.OPTIMAL, value)


def test_the_broadcast_bounds_a_prefix() -> None:
    """A prefix gets the optimum of its broadcast as a bound, and a schedule."""
    problem = posed("prefix", 16)
    result = solve(problem, Options(time_limit=1))
    assert 12 in {bound.value for bound in result.bounds if bound.side == "lower"}
    assert result.schedule is not None
    assert searched_bound(posed("broadcast", 16), 0, 1.0) is None


def test_times_in_rounds_are_even() -> None:
    """What refutes an odd time in rounds proves the next even one."""
    model = model_of(posed("broadcast", 4))
    assert [model.next_value(posed("broadcast", 4, timing="rounds"), value) for value in (4, 5)] == [6, 6]
    assert model.next_value(posed("broadcast", 4), 4) == 5
