"""The covering relaxation in compiled code, against its definition."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.models.matching.claims import covering_value
from schedsolve.models.matching.search import compiled_covering as compiled
from schedsolve.models.matching.search import loose_trees
from schedsolve.models.matching.search.compile_searches import compile_searches
from schedsolve.models.matching.search.covering_ascents import CoveringAscents
from schedsolve.network.graph import Network
from tests.models.matching.small_broadcasts import problems

Given = tuple[Network, list[int], list[int]]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(problems(), st.integers(1, 4), st.data())
def test_values_are_the_definition(problem: Given, rounds: int, data: st.DataObject) -> None:
    """And visits add up to the value."""
    network, sources, _ = problem
    n = network.node_count
    weights = [0 if v in sources else data.draw(st.integers(0, 9)) for v in range(n)]
    value, visits = _value_and_visits(network, sources, weights, rounds)
    assert value == covering_value(network, sources, weights, rounds)
    assert sum(visits[v] * weights[v] for v in range(n)) == value


def _value_and_visits(
    network: Network, sources: Collection[int], weights: Sequence[int], rounds: int
) -> tuple[float, list[float]]:
    n = network.node_count
    ascents = CoveringAscents(network, range(n), rounds)
    arcs, tables = ascents._arcs, ascents._tables
    informed = np.isin(np.arange(n), list(sources))
    distance, order = np.empty(n, int), np.empty(n, int)
    order = order[: compiled.distances(arcs, informed, distance, order)]
    value = compiled.reached(arcs, tables, np.array(weights, float), distance, order, rounds)
    visits, called = np.zeros(n), np.zeros(len(ascents.arcs))
    compiled.count_visits(arcs, tables, distance, order, rounds, visits, called)
    return value, visits.tolist()


def test_a_hub_calls_by_falling_gain() -> None:
    """The best way to call where all gains but the first are alike, and whoever is called by a leaf calls
    the others.
    """
    star = Network.from_spec("star:20")
    for source in (0, 3):
        weights = [(7 * v) % 13 * (v != source) for v in range(20)]
        value, visits = _value_and_visits(star, [source], weights, 5)
        assert value == covering_value(star, [source], weights, 5)
        assert sum(visits) == 5


def test_an_ascent_refutes_what_weights_refute() -> None:
    """Three rounds are too few from an end of a path of five, and the calls are those of the path."""
    path = Network.from_spec("path:5")
    ascents = CoveringAscents(path, range(5), 4)
    refuted = ascents.ascend([0], 3, None, steps=30)
    weights = [round(1000 * w) for w in refuted.weights]
    assert refuted.gap > 0.5
    assert covering_value(path, [0], weights, 3) < sum(weights)
    assert ascents.ascend([0], 4, None, steps=30).gap <= 0
    assert [a for a, called in zip(ascents.arcs, refuted.called, strict=True) if called] == [(0, 1)]


def test_what_setup_compiles_serves_every_ascent_and_tree() -> None:
    """With few callees and many, weights given or not, and directed links: nothing more is compiled."""
    compile_searches()
    functions: list[Any] = [compiled.ascend, loose_trees.move_about]
    assert [len(function.signatures) for function in functions] == [1, 1]
    for spec in ("star:20", "kautz:2,2"):
        network = Network.from_spec(spec)
        ascents = CoveringAscents(network, range(network.node_count), 3)
        weights = ascents.ascend([0], 3, None, steps=2).weights
        ascents.ascend([0, 1], 2, weights, steps=2)
        loose_trees.LooseTrees(network, [0], [[(0, 1)]], 3, Random(0)).anneal(9, 2.0)
    assert [len(function.signatures) for function in functions] == [1, 1]
