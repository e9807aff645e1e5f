"""Theorem 5 of docs/theorems.md: one-way gossip by the numbers of items that nodes know."""

from __future__ import annotations

from itertools import permutations
from math import ceil

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedsolve.models import build_problem
from schedsolve.models.matching.claims.knowledge_sizes import MOST_SIZES, golden_rounds, least_rounds
from schedsolve.models.matching.claims.lower_bounds import golden_ratio, knowledge_sizes
from schedsolve.network.graph import Network
from tests.reference.brute_force import gossip_rounds


def bound(network: str, model: str = "telegraph") -> int | None:
    """What the claim says of gossip on a network."""
    return knowledge_sizes(build_problem(model, "gossip", Network.from_spec(network)))


def slow_sizes(n: int) -> int:
    """The least rounds that the numbers allow, with every state, every matching, and nothing left out."""
    wanted = (n + 1) // 2
    states, rounds = {(1,) * wanted + (0,) * (n - wanted)}, 2
    while not any(state[wanted - 1] >= wanted for state in states):
        rounds += 1
        states |= {
            tuple(sorted(after, reverse=True)) for state in states for after in _rounds_from(state, wanted)
        }
    return rounds


def _rounds_from(state: tuple[int, ...], wanted: int) -> set[tuple[int, ...]]:
    found = {state}
    for order in set(permutations(state)):
        after = list(order)
        for k in range(len(state) // 2):
            after[2 * k + 1] = min(wanted, order[2 * k] + order[2 * k + 1])
            found.add(tuple(after))
    return found


@pytest.mark.parametrize("n", range(2, 7))
def test_all_that_numbers_can_become(n: int) -> None:
    """Nothing is lost by what the enumeration leaves out."""
    assert least_rounds(n) == slow_sizes(n)


@pytest.mark.parametrize("n", range(2, 6))
def test_against_brute_force(n: int) -> None:
    """The theorem is at most the optimum; the bound equals it on complete networks with up to five nodes."""
    assert bound(f"complete:{n}") == gossip_rounds(networkx.complete_graph(n), False)
    for graph in networkx.graph_atlas_g():
        if graph.number_of_nodes() == n and networkx.is_connected(graph):
            assert least_rounds(n) <= gossip_rounds(graph, False)


def test_values() -> None:
    """Where the numbers say more than the norm."""
    known = {2: 2, 3: 4, 4: 4, 5: 5, 6: 5, 7: 6, 8: 6, 9: 6, 10: 6, 11: 7, 12: 7, 14: 7, 16: 7, 22: 8, 58: 10}
    assert {n: least_rounds(n) for n in known} == known
    better = {n for n in range(2, 61) if least_rounds(n) > golden_rounds(ceil(n / 2)) + 2}
    assert better == {7, 8, 11, 12, 21, 22, 57, 58}
    assert bound("complete:1") is None
    assert bound("complete:8", "telephone") is None


@given(st.integers(2, 10**30))
def test_stronger_than_the_golden_ratio(n: int) -> None:
    """More nodes never need less, and the ends gain where the golden ratio alone says less."""
    assert golden_rounds(n) <= least_rounds(n) <= least_rounds(n + 1)
    problem = build_problem("telegraph", "gossip", Network.from_spec("petersen"))
    assert golden_ratio(problem) == golden_rounds(10)


def test_what_is_too_much_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the outcomes of a round are too many, the norm is left."""
    module = "schedsolve.models.matching.claims.knowledge_sizes"
    monkeypatch.setattr(f"{module}.MOST_SIZES", 5)
    assert MOST_SIZES > 5
    assert least_rounds.__wrapped__(12) == golden_rounds(6) + 2 == 6
