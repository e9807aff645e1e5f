"""Times of the pipelined model against the oracle of tests/reference."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from tests.reference.allreduce_strength import least_time as strength
from tests.reference.machines_ways import machine, reversed_machine
from tests.reference.pipelined_oracle import least_time
from tests.soak.collectives import PIPELINED, small_question, try_question


@pytest.mark.parametrize("part", range(4))
def test_a_sample_agrees_with_the_oracle(part: int) -> None:
    """Small questions of every kind: status, value and both bounds."""
    outcomes = Counter[str]()
    for number in range(25):
        random = Random(f"pipelined {part} {number}")
        outcome, finding = try_question(small_question(random, PIPELINED), number)
        assert not finding
        outcomes[outcome] += 1
    assert outcomes["agreed"] > 12


def test_the_oracle_by_hand() -> None:
    """A switch with one link in and two out, which copies or does not; a path, its ends and its order."""
    links = [(0, 3, 1), (3, 1, 1), (3, 2, 1), (1, 0, 1), (2, 0, 1)]
    unbalanced = machine(4, [3], links, directed=True)
    assert least_time("broadcast", unbalanced, 0) == 2
    assert least_time("broadcast", unbalanced, 0, copying=True) == 1
    assert least_time("reduce", reversed_machine(unbalanced), 0) == 2
    assert least_time("reduce", reversed_machine(unbalanced), 0, copying=True) == 1
    path = machine(4, [], [(0, 1, 1), (1, 2, 1), (2, 3, 1)], directed=False)
    times = {"allgather": 3, "alltoall": 4, "reduce-scatter": 3, "allreduce": 1}
    assert {task: least_time(task, path) for task in times} == times
    star = machine(4, [], [(0, 1, 1), (0, 2, 1), (0, 3, 1)], directed=False)
    assert least_time("reduce", star, 1) == 1
    assert least_time("reduce", star, 1, ordered=True) is None
    assert least_time("broadcast", machine(2, [], [(0, 1, 0)], directed=False), 0) is None


def test_the_oracle_and_the_strength_of_networks() -> None:
    """On undirected networks without switches an allreduce takes what some partition of the nodes proves."""
    random = Random(5)
    for count in (2, 3, 3, 4, 4, 4):
        edges = {(random.randrange(v), v): random.randint(1, 3) for v in range(1, count)}
        edges |= {(0, count - 1): 2}
        links = [(u, v, Fraction(b)) for (u, v), b in edges.items()]
        of = machine(count, [], links, directed=False)
        assert least_time("allreduce", of) == strength(count, [(u, v, b) for (u, v), b in edges.items()])
