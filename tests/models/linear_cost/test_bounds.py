"""The lower bounds of the linear cost model: known values, and real protocols, which no bound and no row of a
program may contradict.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.backends.lp import solve_lp
from schedsolve.modelkit.formulas.linear_program import LinearProgram, dual_bound
from schedsolve.models.linear_cost.bounds import aggregated_bound
from schedsolve.models.linear_cost.claims.aggregated import aggregated_program, tidy
from schedsolve.models.linear_cost.claims.small_program import least_sum
from schedsolve.models.linear_cost.claims.table import table
from schedsolve.models.linear_cost.constructions.exchange import exchange_over, greedy, recursive_exchange
from schedsolve.models.linear_cost.constructions.pipelined import pipelined_trees, unequal_costs
from schedsolve.models.linear_cost.constructions.plans import best_plan
from schedsolve.models.linear_cost.constructions.protocol import Protocol
from schedsolve.models.linear_cost.rules import Shape
from tests.models.linear_cost.random_protocols import random_protocol
from tests.reference.linear_cost_replay import second_replay

GRID = [(k, n) for k in range(1, 5) for n in range(1, 6) if k * n < 11]
LARGE = [pytest.param(k, n, marks=pytest.mark.slow) for k, n in ((3, 4), (3, 5), (4, 3), (4, 4), (4, 5))]


def f(ports: int, dimension: int, extra: int) -> Fraction:
    """The table's bound on f_T(r) for (k+1)^T nodes."""
    derived = table(ports, (ports + 1) ** dimension).f(extra)
    assert derived is not None
    return derived.value


@pytest.mark.parametrize("ports", [1, 2, 3, 4, 7])
def test_no_and_one_extra_round(ports: int) -> None:
    """f_T(0) = T and f_T(1) = (T+1)/(k+1)."""
    for dimension in range(1, 9):
        assert f(ports, dimension, 0) == dimension
        assert f(ports, dimension, 1) == Fraction(dimension + 1, ports + 1)


@pytest.mark.parametrize("ports", [1, 2, 3])
def test_small_dimensions_are_settled(ports: int) -> None:
    """For T <= 3 and r >= T the table meets the pipelined trees, so Conjecture 31 is a theorem there."""
    for dimension in (1, 2, 3):
        for extra in range(dimension, 11):
            assert (
                f(ports, dimension, extra)
                == best_plan(ports, dimension, extra).cost
                == Fraction(dimension + extra, ports * extra + 1)
            )


@pytest.mark.parametrize(
    ("ports", "dimension", "extra", "value"),
    [
        *((1, 4, r, value) for r, value in enumerate(["4", "5/2", "2", "7/4", "8/5", "3/2", "10/7", "11/8"])),
        (1, 5, 3, "2"),
        (1, 5, 4, "9/5"),
        (1, 6, 4, "2"),
        (1, 6, 5, "11/6"),
        (1, 6, 9, "3/2"),
        (2, 4, 3, "1"),
        (3, 4, 7, "1/2"),
    ],
)
def test_known_values(ports: int, dimension: int, extra: int, value: str) -> None:
    """Values of f_T(r) that the lemmas and the constructions settle."""
    assert f(ports, dimension, extra) == best_plan(ports, dimension, extra).cost == Fraction(value)


@pytest.mark.parametrize(("ports", "dimension"), [*((k, n) for k, n in GRID if n > 1), *LARGE])
def test_the_lemmas(ports: int, dimension: int) -> None:
    """Lemma A for r = T - 1, Lemma B for up to j(T-1) - 1 extra rounds, or one more for k >= 2, and Lemma C
    for r = 2T - 1 and k >= 3.
    """
    least = 2 - Fraction(1, dimension) if ports == 1 else Fraction(2, ports)
    assert f(ports, dimension, dimension - 1) >= least
    for j in range(1, 5):
        for extra in range(min(j * (dimension - 1) + (ports > 1), 2 * dimension + 5)):
            assert f(ports, dimension, extra) >= Fraction(j + 1, j * ports)
    assert ports < 3 or f(ports, dimension, 2 * dimension - 1) >= Fraction(3, 2 * ports)
    assert f(1, 4, 3) < Fraction(2), "for k = 1 the longer range of Lemma B is false"


def test_more_rounds_never_make_a_bound_greater() -> None:
    """For perfect and other numbers of nodes, for f and for g, which is never above f."""
    for ports, nodes in [(k, (k + 1) ** n) for k, n in GRID] + [
        (1, 3),
        (1, 7),
        (2, 5),
        (2, 26),
        (3, 17),
        (5, 2),
    ]:
        bounds = table(ports, nodes)
        values = [(bounds.f(r), bounds.g(r)) for r in range(11)]
        for before, after in pairwise(values):
            for old, new in zip(before, after, strict=True):
                assert old is not None
                assert new is not None
                assert old.value >= new.value >= Fraction(1, ports)
        assert all(one and two and one.value >= two.value for one, two in values)
        assert bounds.f(-1) is bounds.g(-1) is None


@pytest.mark.parametrize(("ports", "dimension"), [*GRID, *LARGE])
def test_the_table_is_below_the_constructions(ports: int, dimension: int) -> None:
    """And its rules come with their values, the greatest first."""
    for extra in range(2 * dimension + 5):
        rules = table(ports, (ports + 1) ** dimension).all_f(extra)
        assert rules[0].value == f(ports, dimension, extra) <= best_plan(ports, dimension, extra).cost
        assert [d.value for d in rules] == sorted((d.value for d in rules), reverse=True)
        assert len({d.rule for d in rules}) == len(rules)


@pytest.mark.parametrize(
    ("ports", "dimension", "most"),
    [(1, 3, 9), (1, 5, 9), (2, 4, 8), (3, 3, 8), (4, 2, 8), (2, 1, 4), (1, 1, 6)],
)
def test_the_aggregated_program_is_below_the_constructions(ports: int, dimension: int, most: int) -> None:
    """Its bound, proven by multipliers that are computed exactly, is never above the cost of a protocol."""
    for extra in range(0, most, 2):
        bound = aggregated_bound(Shape(ports, (ports + 1) ** dimension, extra))
        assert bound is not None
        assert bound.value <= best_plan(ports, dimension, extra).cost


@pytest.mark.parametrize(
    ("ports", "dimension", "extra", "least"),
    [
        (1, 7, 10, "1.5379"),
        (2, 5, 8, "0.7598"),
        (3, 5, 8, "0.5115"),
        (4, 4, 7, "0.3769"),
        (1, 5, 2, "2.231"),
        (2, 4, 2, "1.1029"),
        (3, 4, 3, "0.67"),
    ],
)
def test_brackets_of_f(ports: int, dimension: int, extra: int, least: str) -> None:
    """Where f_T(r) is open, the program proves all but a thousandth part of what a protocol costs, or all
    but a hundredth for r < T; a checker finds the same bound from its multipliers.
    """
    nodes = (ports + 1) ** dimension
    bound = aggregated_bound(Shape(ports, nodes, extra))
    assert bound is not None
    assert bound.evidence is not None
    cost = best_plan(ports, dimension, extra).cost
    assert (
        Fraction(least)
        <= bound.value
        < cost
        < bound.value * (Fraction(1001, 1000) if extra > 3 else Fraction(101, 100))
    )
    multipliers = {int(row): Fraction(y) for row, y in bound.evidence["multipliers"].items()}
    assert tidy(dual_bound(aggregated_program(Shape(ports, nodes, extra)), multipliers)) == bound.value


def quantities(nodes: int, extra: int, protocol: Protocol, length: int) -> list[Fraction]:
    """The values that a protocol gives the program's variables, in order: cost, size, then by class and
    round given, passed, held.
    """
    first: dict[int, int] = {}
    for t, sends in enumerate(protocol.rounds, 1):
        for u, _, packets in sends:
            first |= {p: t for p in packets if u == 0 and p not in first}
    assert sorted(first) == list(range(protocol.packet_count))
    owned = [set[int]() for _ in range(nodes)]
    costs = [Fraction(0)] * length
    copies = {
        name: {(s, t): 0 for s in range(1, length + 1) for t in range(length + 1)}
        for name in ("given", "passed", "held")
    }
    for t in range(1, length + 1):
        sends = protocol.rounds[t - 1] if t <= len(protocol.rounds) else ()
        costs[t - 1] = Fraction(
            max((len(packets) for _, _, packets in sends), default=0), protocol.packet_count
        )
        gained: dict[tuple[int, int], str] = {}
        for u, v, packets in sends:
            for p in packets:
                if v and p not in owned[v] and gained.get((v, p)) != "given":
                    gained[v, p] = "passed" if u else "given"
        for (v, p), name in gained.items():
            copies[name][first[p], t] += 1
            owned[v].add(p)
        for p in (p for held in owned for p in held):
            copies["held"][first[p], t] += 1
    sizes = [
        Fraction(sum(s == t for t in first.values()), protocol.packet_count) for s in range(1, extra + 2)
    ]
    values = [*costs, *sizes]
    for s in range(1, extra + 2):
        for t in range(s, length + 1):
            names = ("given", "held") if t == s else ("given", "passed", "held")
            values += [Fraction(copies[name][s, t], protocol.packet_count * (nodes - 1)) for name in names]
    return values


def assert_feasible(program: LinearProgram, values: Sequence[Fraction]) -> None:
    """Every row and every bound holds for these values, exactly."""
    assert len(values) == len(program.costs)
    assert all(x >= 0 and (high is None or x <= high) for x, high in zip(values, program.upper, strict=True))
    for number, row in enumerate(program.rows):
        total = sum((a * values[j] for j, a in row.coefficients.items()), Fraction(0))
        holds = {">=": total >= row.right, "<=": total <= row.right, "=": total == row.right}
        assert holds[row.sense], f"row {number} of {len(program.rows)}: {row}, but the sum is {total}"


KNOWN = {
    **{
        f"greedy {k},{n}": (k, n, 0, greedy(k, n))
        for k, n in ((1, 2), (1, 7), (1, 32), (2, 20), (3, 4), (5, 11))
    },
    **{
        f"exchange {k},{n},{r}": (k, (k + 1) ** n, r, recursive_exchange(k, n, r))
        for k, n in ((1, 4), (2, 3), (3, 2))
        for r in range(n + 3)
    },
    **{
        f"pipelined {k},{n},{r}": (k, (k + 1) ** n, r, pipelined_trees(k, n, r))
        for k, n in ((1, 4), (2, 3), (4, 2))
        for r in range(n - 1, 10)
    },
    **{
        f"unequal {k},{n}": (k, (k + 1) ** n, n + 3, unequal_costs(k, n))
        for k, n in ((1, 2), (1, 5), (1, 7), (2, 3), (2, 5), (3, 3), (4, 2))
    },
    **{f"around {k}": (k, (k + 1) ** 3, 7, exchange_over(k, 3, unequal_costs(k, 2))) for k in (1, 2, 3)},
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_protocols_meet_every_row_of_the_aggregated_program(name: str) -> None:
    """What a protocol sends, counted by class and round, is a feasible point of the cost of the protocol."""
    ports, nodes, extra, protocol = KNOWN[name]
    shape = Shape(ports, nodes, extra)
    values = quantities(nodes, extra, protocol, shape.rounds)
    program = aggregated_program(shape)
    assert_feasible(program, values)
    assert sum((c * x for c, x in zip(program.costs, values, strict=True)), Fraction(0)) == protocol.cost


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.integers(0, 10**9))
def test_random_protocols_meet_every_row_and_cost_no_less_than_the_bounds(seed: int) -> None:
    """For any number of nodes and both readings of the ports, whatever was sent."""
    rng = random.Random(seed)
    ports, nodes, weak, protocol = random_protocol(rng)
    seen = second_replay(nodes, None, ports, protocol.packet_count, protocol.rounds, weak=weak)
    assert seen.is_complete(protocol.packet_count)
    extra = len(protocol.rounds) - Shape(ports, nodes, 0).dimension
    for more in (0, rng.randint(1, 3)):
        shape = Shape(ports, nodes, extra + more)
        assert_feasible(aggregated_program(shape), quantities(nodes, extra + more, protocol, shape.rounds))
        assert all(d.value <= protocol.cost for d in table(ports, nodes).all_f(extra + more))


def test_a_protocol_contradicts_a_program_for_fewer_ports() -> None:
    """The tests above can fail: the two rounds of a greedy broadcast by two ports are none for one port, nor
    is a round made cheaper.
    """
    with pytest.raises(AssertionError, match="row"):
        assert_feasible(aggregated_program(Shape(1, 9, 0)), quantities(9, 0, greedy(2, 9), 4))
    values = quantities(9, 4, pipelined_trees(2, 2, 4), 6)
    assert_feasible(aggregated_program(Shape(2, 9, 4)), values)
    for t in range(6):
        with pytest.raises(AssertionError, match="row"):
            assert_feasible(
                aggregated_program(Shape(2, 9, 4)),
                [x - Fraction(1, 9) if j == t else x for j, x in enumerate(values)],
            )


def test_a_program_of_one_class() -> None:
    """Without extra rounds everything is sent first in round 1, and the bound is T."""
    for ports, dimension in ((1, 3), (2, 2), (3, 2)):
        program = aggregated_program(Shape(ports, (ports + 1) ** dimension, 0))
        assert dual_bound(program, {}) == 0
        bound = aggregated_bound(Shape(ports, (ports + 1) ** dimension, 0))
        assert bound is not None
        assert bound.value == dimension


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.integers(0, 10**9))
def test_the_least_sum_of_a_small_program(seed: int) -> None:
    """It is what the simplex method finds, for two or three variables and as many rows."""
    rng = random.Random(seed)
    width = rng.choice((2, 3))
    rows = [
        (
            tuple(Fraction(rng.choice((0, 1, rng.randint(1, 9))), rng.randint(1, 3)) for _ in range(width)),
            Fraction(rng.randint(0, 5)),
        )
        for _ in range(3)
    ]
    rows = [(a if any(a) else (Fraction(1),) * width, b) for a, b in rows]
    program = LinearProgram([1] * width, [None] * width)
    for a, b in rows:
        program.add(dict(enumerate(a)), ">=", b)
    solution = solve_lp(program)
    assert solution is not None
    assert least_sum(rows) == solution.bound


def test_the_table_says_nothing_of_too_few_rounds() -> None:
    """With fewer rounds than T there is no protocol, and no rule speaks of them."""
    assert (table(1, 8).f(-1), table(1, 8).all_f(-1)) == (None, [])
