"""The paper's algorithms: closed forms, recurrences, legality for all shapes and tables, and size."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Effort
from schedsolve.models.fat_tree.claims.lower_bounds import least_height_sum, needed_heights
from schedsolve.models.fat_tree.command.growth import CLAIMED, replayed_time
from schedsolve.models.fat_tree.command.recurrences import broadcast_time, pipelined_time, shaped_tree
from schedsolve.models.fat_tree.constructions.algorithms import ALGORITHMS
from schedsolve.models.fat_tree.constructions.associative import Planned, product_plan
from schedsolve.models.fat_tree.constructions.broadcasts import (
    broadcast,
    only_first_messages,
    without_conflicts,
)
from schedsolve.models.fat_tree.rules import replay
from schedsolve.models.fat_tree.rules.tree import SHAPES
from schedsolve.runtime.errors import InputError
from schedsolve.solving.constructions import construct
from studies.fat_tree_growth import main, read_rows
from tests.models.fat_tree.problems import CLOCK, ROUNDS, posed, random_table

BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}


def value(name: str, problem: Problem) -> int:
    """The replayed time of an algorithm, whose schedule must be legal and complete."""
    seen = replay(problem, BY_NAME[name].build(problem, Effort()))
    assert seen.violation is None
    return int(seen.value)


@pytest.mark.parametrize("height", range(1, 11))
def test_constant_capacity_in_rounds(height: int) -> None:
    """With w = 1, Algorithm 1 takes log N (log N + 1), and both round bounds say that nothing is faster."""
    tree = shaped_tree("const", height)
    assert value("algorithm-1", posed("broadcast", 1 << height, timing="rounds")) == height * (height + 1)
    assert 2 * needed_heights(tree) == 2 * least_height_sum(tree) == height * (height + 1)


def test_the_papers_gap_with_linear_capacity() -> None:
    """16 processors, w(n) = n: Algorithm 1 takes 24 in rounds."""
    assert value("algorithm-1", posed("broadcast", 16, capacity="linear", timing="rounds")) == 24


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_the_recurrences(shape: str) -> None:
    """Algorithm 1 takes at most what (3) says, and the pipelined variant at most what (4) says; with w = 1
    exactly.
    """
    for height in range(1, 9):
        tree = shaped_tree(shape, height)
        measured = [
            replayed_time(shape, height, "algorithm-1", "rounds"),
            replayed_time(shape, height, "pipelined", "clock"),
        ]
        said = [broadcast_time(tree, height), pipelined_time(tree, height)]
        assert all(time <= bound for time, bound in zip(measured, said, strict=True))
        assert shape != "const" or measured == said


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from(["clock", "rounds"]), st.data())
def test_every_algorithm_is_legal(seed: int, height: int, timing: str, data: Any) -> None:
    """On random capacities, from random processors, every broadcast is legal and complete."""
    n = 1 << height
    table = random_table(height, random.Random(seed))
    source = data.draw(st.integers(0, n - 1))
    found = construct(posed("broadcast", n, capacity_table=table, timing=timing, source=source), seconds=0.0)
    assert len(found) == (7 if timing == "clock" else 2)
    times = {c.algorithm.name: c.value for c in found}
    assert timing == "rounds" or times["eager-algorithm-1"] <= times["algorithm-1"]


@pytest.mark.parametrize("timing", ["clock", "rounds"])
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_products_and_prefixes(shape: str, timing: str) -> None:
    """For every shape and both ends of the row the product keeps the order; the prefix takes at most twice as
    long.
    """
    for n in (2, 4, 8, 16, 32, 64, 128):
        product = value("algorithm-1", posed("product", n, capacity=shape, timing=timing))
        assert value("algorithm-1", posed("product", n, capacity=shape, timing=timing, root=n - 1)) == product
        assert value("algorithm-1", posed("prefix", n, capacity=shape, timing=timing)) <= 2 * product
        if timing == "clock":
            assert product == value("algorithm-1", posed("broadcast", n, capacity=shape, timing=timing))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from(["clock", "rounds"]), st.data())
def test_products_keep_the_order_for_every_root(seed: int, height: int, timing: str, data: Any) -> None:
    """On random capacities, to any root, Algorithm 1 run backwards joins adjacent runs only; so does the
    prefix.
    """
    options = {"capacity_table": random_table(height, random.Random(seed)), "timing": timing}
    value(
        "algorithm-1",
        posed("product", 1 << height, root=data.draw(st.integers(0, (1 << height) - 1)), **options),
    )
    value("algorithm-1", posed("prefix", 1 << height, **options))


@pytest.mark.parametrize("timing", ["clock", "rounds"])
@pytest.mark.parametrize("name", ["chain", "brent-kung"])
def test_textbook_products_and_prefixes(name: str, timing: str) -> None:
    """On random capacities, to every root; with w = 1 the sweeps take the rounds of their heights."""
    for height in range(1, 5):
        n, table = 1 << height, random_table(height, random.Random(height))
        value(name, posed("prefix", n, capacity_table=table, timing=timing))
        for root in range(n):
            value(name, posed("product", n, capacity_table=table, timing=timing, root=root))
    assert value("brent-kung", posed("product", 16, timing="rounds", root=15)) == 2 + 4 + 6 + 8
    assert value("brent-kung", posed("prefix", 16, timing="rounds")) == 20 + 3 * 8
    assert value("chain", posed("prefix", 8, timing="rounds")) == 2 * (1 + 2 + 1 + 3 + 1 + 2 + 1)


def test_an_order_that_is_not_kept_is_refused() -> None:
    """A broadcast that, run backwards, has a processor send operands 1 and 3 together gives no product."""
    plan = [Planned(0, 2, 0, 4), Planned(0, 1, 2, 4), Planned(1, 3, 4, 8)]
    with pytest.raises(InputError, match="not consecutive"):
        product_plan(plan, 4, 0)
    with pytest.raises(InputError, match="does not bring every operand"):
        product_plan(plan[:2], 4, 0)


def test_what_is_printed_sends_to_the_informed() -> None:
    """As printed, with w = n some processor of 8 sends and receives at once; then it receives what it
    held.
    """
    raw = broadcast(shaped_tree("linear", 3), 0, 3)
    clashes = [step for step in raw if {u for u, v in step if u != v} & {v for u, v in step if u != v}]
    assert clashes
    assert all(not {u for u, _ in step} & {v for _, v in step} for step in only_first_messages(raw, 0))
    for step in clashes:
        split = without_conflicts(step)
        assert all(not {u for u, _ in part} & {v for _, v in part} for part in split)
        assert sorted(send for part in split for send in part) == sorted((u, v) for u, v in step if u != v)


def test_algorithms_and_optima() -> None:
    """No algorithm is below an optimum; in rounds with w = 1 Algorithm 1 meets it."""
    for timing, optima in (("clock", CLOCK), ("rounds", ROUNDS)):
        for shape in SHAPES:
            for height, optimum in enumerate(optima[shape], 1):
                problem = posed("broadcast", 1 << height, capacity=shape, timing=timing)
                best = min(c.value for c in construct(problem, seconds=0.01))
                assert best >= optimum
                assert (timing, shape) != ("rounds", "const") or best == optimum


def test_4096_processors() -> None:
    """Built and replayed in a second."""
    assert value("algorithm-1", posed("broadcast", 1 << 12, capacity="linear", timing="rounds")) == 112


@pytest.mark.slow
def test_65536_processors() -> None:
    """A large size: built and replayed."""
    assert value("algorithm-1", posed("broadcast", 1 << 16, capacity="linear", timing="rounds")) == 160


def test_the_table_of_growth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One row for every shape; the bounds are below the times, and nothing is measured twice."""
    data, picture = tmp_path / "growth.json", tmp_path / "growth.png"
    main([str(data), "--heights", "3"])
    written = data.read_bytes()
    main([str(data), "--heights", "3", "--picture", str(picture)])
    assert data.read_bytes() == written
    rows = list(read_rows(data))
    assert [row.shape for row in rows] == list(CLAIMED)
    for row in rows:
        assert row.round_bound <= row.height_beam <= row.algorithm_1 <= row.recurrence_3
        assert row.clock_bound <= row.groups <= row.pipelined <= row.recurrence_4
    assert capsys.readouterr().out.count("| 2^3 |") == 2 * len(rows)
    assert picture.read_bytes().startswith(b"\x89PNG")
