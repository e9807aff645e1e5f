"""Gossip in complete trees with any period: the recursion over branches, its schedules, and
`explore periods --value`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem
from schedsolve.models.systolic.bounds.tree_values import least_value
from schedsolve.network.graph import Network
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.command_line import Cli, refused
from tests.models.systolic.heights import FIRST_FAILURES


def gossip(arity: int, height: int, two_way: bool, period: int) -> Problem:
    """Gossip in a complete tree with a period."""
    network = Network.from_spec(f"tree:{arity},{height}")
    return build_problem("telephone" if two_way else "telegraph", "gossip", network, {"period": period})


@pytest.mark.parametrize("height", range(1, 7))
@pytest.mark.parametrize("arity", [2, 3, 4, 5])
def test_the_remark_of_open_problem_2(arity: int, height: int) -> None:
    """One-way, the period 2k + 2 takes at most 3kh - (k - 1) rounds; the referee replays small trees."""
    if arity**height > 700:
        return
    (built,) = construct(gossip(arity, height, False, 2 * arity + 2), "tree-recursion")
    assert built.value <= 3 * arity * height - (arity - 1)


@pytest.mark.parametrize("height", [1, 2, 3, 4, 5])
def test_values_with_the_period_of_the_remark(height: int) -> None:
    """One-way with period 2k + 2: for k >= 3 it is (2k + 2) h from height 2 on, for k = 2 about 6h."""
    assert least_value(2, height, False, 6) == [4, 11, 16, 23, 28][height - 1]
    if 2 <= height <= 4:
        assert least_value(3, height, False, 8) == 8 * height
    if height == 2:
        assert least_value(4, height, False, 10) == 10 * height


@pytest.mark.parametrize(
    ("arity", "height", "two_way", "periods"),
    [
        (2, 1, True, range(2, 6)),
        (2, 1, False, range(3, 7)),
        (2, 2, True, range(2, 9)),
        (2, 2, False, range(4, 10)),
        (2, 3, True, range(3, 7)),
        (2, 3, False, (6, 8)),
        (3, 1, False, range(5, 8)),
        (3, 2, True, range(3, 8)),
        (3, 2, False, (8, 10)),
    ],
)
def test_sat_finds_the_same_values(arity: int, height: int, two_way: bool, periods: Iterable[int]) -> None:
    """The product's decisions, which know no branches, agree on both sides of the value."""
    for period in periods:
        value = least_value(arity, height, two_way, period)
        problem = gossip(arity, height, two_way, period)
        if value is None:
            assert solve(problem).status == "infeasible"
            continue
        assert solve(problem.with_parameters(rounds=value)).status == "feasible", period
        assert solve(problem.with_parameters(rounds=value - 1)).status == "infeasible", period


def test_the_values_are_optimal_where_the_heights_say_so() -> None:
    """Against the recursion of types, which is written apart: the optimum without a period or more."""
    for (arity, two_way), rows in FIRST_FAILURES.items():
        for period, fails in rows.items():
            for height in range(1, 4) if arity <= 3 and period <= 7 else ():
                optimum = 2 * arity * height - (1 if two_way else 0)
                value = least_value(arity, height, two_way, period)
                assert (value == optimum) == (fails is None or height < fails), (arity, period, height)


@pytest.mark.parametrize(
    ("arity", "height", "two_way", "period"),
    [
        (2, 4, True, 3),
        (2, 3, True, 7),
        (2, 4, False, 7),
        (2, 3, False, 11),
        (3, 3, True, 5),
        (3, 2, False, 9),
    ],
)
def test_schedules_take_the_least_rounds(arity: int, height: int, two_way: bool, period: int) -> None:
    """With the root as centre the value is reached in these trees, and the referee confirms it."""
    (built,) = construct(gossip(arity, height, two_way, period), "tree-recursion")
    assert built.value == least_value(arity, height, two_way, period)


def test_a_period_that_never_serves(cli: Cli) -> None:
    """One-way an inner node below the root needs 2k + 2 slots."""
    assert least_value(2, 2, False, 5) is None
    assert least_value(2, 0, False, 5) == 0
    seen = cli("construct telegraph gossip tree:2,2 --period 5 --algorithm tree-recursion")
    assert "no number of rounds suffices" in refused(seen)


def test_explore_periods_prints_values(cli: Cli) -> None:
    """A row for every period and a column for every height; as JSON one entry for each."""
    seen = cli("explore periods --arity 2 --period 5..6 --value --heights 1..3")
    assert (seen.status, seen.err) == (0, "")
    assert [line.split() for line in seen.out.splitlines()[2:]] == [
        ["5", "4", "none", "none"],
        ["6", "4", "11", "16"],
    ]
    data = json.loads(cli("explore periods --arity 2 --period 6 --value --heights 2 --json").out)
    assert data["rows"] == [{"period": 6, "height": 2, "value": 11}]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("--period 6 --heights 1..3", "--heights goes with --value"),
        ("--period 6 --value --heights 0..3", "--heights takes A..B"),
        ("--period 6 --value -o p.json", "saves no file"),
    ],
)
def test_bad_input_is_told_in_one_line(cli: Cli, options: str, reason: str) -> None:
    """Exit status 2 and what would be right."""
    assert reason in refused(cli(f"explore periods --arity 2 {options}"))
