"""The brute forces against values from papers and against one another."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import pytest

from tests.reference import brute_force, fat_tree_brute_force, fat_tree_clock_search, line_brute_force
from tests.reference.linear_cost_brute_force import (
    Links,
    least_cost,
    least_cost_of_packets,
    least_rounds,
    least_time,
    maximum,
)
from tests.reference.routing_reference import least_rounds as routing_rounds
from tests.reference.routing_reference import pattern_messages
from tests.reference.systolic_brute_force import systolic_broadcast_rounds, systolic_multicast_rounds

TRIANGLE: Links = ((0, 1), (0, 2), (1, 2))
K4: Links = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
APART = nx.Graph([(0, 1)])
APART.add_node(2)


def test_costs_of_complete_networks() -> None:
    """2, 3/2, 4/3 among four nodes (Beauquier, Delmas, Perennes); two ports among three: 1, 2/3, 3/5."""
    assert [least_cost(4, K4, 0, 1, rounds) for rounds in (1, 2, 3, 4)] == [
        None,
        2,
        Fraction(3, 2),
        Fraction(4, 3),
    ]
    assert [least_cost(3, TRIANGLE, 2, 2, rounds) for rounds in (1, 2, 3)] == [
        1,
        Fraction(2, 3),
        Fraction(3, 5),
    ]
    assert least_rounds(4, K4, 3, 1) == 2
    assert least_rounds(3, ((0, 1),), 0, 1) is None


@pytest.mark.parametrize("weak", [False, True])
def test_packets_cost_no_less_than_fractions(weak: bool) -> None:
    """The least cost is that of some number of packets, and no number of them costs less."""
    for rounds in range(2, 5):
        least = least_cost(3, TRIANGLE, 0, 1, rounds, weak=weak)
        costs = [least_cost_of_packets(3, TRIANGLE, 0, 1, rounds, k, weak=weak) for k in (1, 2, 3, 4)]
        assert None not in (least, *costs)
        assert least == min(cost for cost in costs if cost is not None)


def test_the_best_number_of_rounds() -> None:
    """On an edge one round is best; on a triangle dear rounds want few and cheap ones many."""
    one, few, many = Fraction(1), Fraction(4), Fraction(1, 4)
    assert least_time(2, ((0, 1),), 0, 1, one, one, most=4) == (2 * one, 1)
    assert least_time(3, TRIANGLE, 0, 1, few, one, most=4) == (few * 2 + 2, 2)
    found = least_time(3, TRIANGLE, 0, 1, many, one, most=6)
    assert found is not None
    assert found[1] > 2


def test_a_linear_program() -> None:
    """3x + 2y at most, where x + y <= 4, x + 3y <= 6 and x <= 3: 11 at (3, 1)."""
    rows = [[1, 1], [1, 3], [1, 0]]
    exact = [[Fraction(a) for a in row] for row in rows]
    assert maximum(exact, [Fraction(4), Fraction(6), Fraction(3)], [Fraction(3), Fraction(2)]) == 11


def test_operations_on_four_processors() -> None:
    """A product takes as long as a broadcast, and a prefix where the channels are wide; rounds take no less
    than the clock.
    """
    prefix = {p: (0, p) for p in range(4)}
    for capacities in ([1, 1, 4], [1, 2, 4]):
        broadcast = fat_tree_clock_search.clock_optimum(4, capacities, 2)
        product = fat_tree_clock_search.associative_clock_optimum(4, capacities, {2: (0, 3)})
        assert broadcast == product == 5
        assert fat_tree_brute_force.round_optimum(4, capacities, 2) >= broadcast
    assert fat_tree_clock_search.associative_clock_optimum(4, [1, 2, 4], prefix) == 5


def test_nobody_out_of_reach() -> None:
    """A message that cannot arrive never does, in each of the brute forces."""
    start, goal = (1, 0, 0), (1, 1, 1)
    assert brute_force.least_rounds(3, brute_force.arcs_of(APART), False, start, [goal]) == [None]
    assert line_brute_force.least_rounds(APART, 1, start, [goal, (1, 1, 0)]) == [None, 1]
    assert systolic_broadcast_rounds(APART, True, 2, 0) is None
    assert systolic_multicast_rounds(APART, True, 2, [0], [1]) == 1


def test_a_period_that_is_too_short_for_a_path() -> None:
    """One round again and again informs one node of a path; from both ends it informs the middle."""
    path = nx.path_graph(3)
    assert systolic_broadcast_rounds(path, False, 1, 0) is None
    assert systolic_multicast_rounds(path, False, 1, [0, 2], [1]) == 1
    assert systolic_multicast_rounds(path, False, 2, [0], [2]) == 2


def test_patterns() -> None:
    """A transpose swaps the halves of the digits, a reversal all of them; permutations take one round."""
    assert pattern_messages("transpose", 4) == [(1, 2), (2, 1)]
    assert pattern_messages("bit-reversal", 8) == [(1, 4), (3, 6), (4, 1), (6, 3)]
    assert routing_rounds(8, pattern_messages("shift:3", 8)) == 1
    assert routing_rounds(4, pattern_messages("all-to-one", 4)) == 3
    assert routing_rounds(4, [(0, 1), (0, 1)]) == 2
