"""The covering relaxation in compiled code, against its definition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.models.matching.claims import covering_value
from schedsolve.models.matching.search import compiled_covering as compiled
from schedsolve.models.matching.search.covering_ascents import CoveringAscents
from schedsolve.network.graph import Network
from tests.models.matching.small_broadcasts import problems

Given = tuple[Network, list[int], list[int]]


def value_by_definition(
    network: Network,
    sources: Collection[int],
    weights: Sequence[int],
    rounds: int,
    barred: Callable[[int, int], bool],
) -> int:
    """Return the covering value without calls that are barred, by the node called and the rounds left."""

    @cache
    def reached(v: int, parent: int, left: int) -> int:
        callees = [u for u in network.successors[v] if u != parent and u not in sources]
        gains = {
            (u, after): 0 if barred(u, after) else weights[u] + reached(u, v, after)
            for u in callees
            for after in range(left)
        }
        return max(
            sum(gains[u, left - i] for i, u in enumerate(order, 1))
            for order in permutations(callees, min(left, len(callees)))
        )

    return sum(reached(s, -1, rounds) for s in sources)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(problems(), st.integers(1, 4), st.data())
def test_values_are_the_definition(problem: Given, rounds: int, data: st.DataObject) -> None:
    """With calls in the first round only, and never in it; and visits add up to the value."""
    network, sources, _ = problem
    n = network.node_count
    weights = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    when = data.draw(st.lists(st.sampled_from([0, 0, compiled.NOW, compiled.LATER]), min_size=n, max_size=n))
    value, visits = _value_and_visits(network, sources, weights, rounds, when)

    def barred(v: int, left: int) -> bool:
        return (when[v] == compiled.NOW) != (left == rounds - 1) if when[v] else False

    assert value == value_by_definition(network, sources, weights, rounds, barred)
    uninformed = [v for v in range(n) if v not in sources]
    assert sum(visits[v] * weights[v] for v in uninformed) == value


def _value_and_visits(
    network: Network, sources: Collection[int], weights: Sequence[int], rounds: int, when: Sequence[int]
) -> tuple[float, list[float]]:
    n = network.node_count
    ascents = CoveringAscents(network, range(n), rounds)
    arcs, tables = ascents._arcs, ascents._tables
    informed = np.isin(np.arange(n), list(sources))
    distance, order = np.empty(n, int), np.empty(n, int)
    order = order[: compiled.distances(arcs, informed, distance, order)]
    flags = np.array(when, np.int8)
    value = compiled.reached(arcs, tables, flags, np.array(weights, float), distance, order, rounds)
    visits, called = np.zeros(n), np.zeros(len(ascents.arcs))
    compiled.count_visits(arcs, tables, flags, distance, order, rounds, visits, called)
    return value, visits.tolist()


def test_a_hub_calls_by_falling_gain() -> None:
    """The best way to call where all gains but the first are alike, and whoever is called by a leaf calls
    the others.
    """
    star = Network.from_spec("star:20")
    for source in (0, 3):
        weights = [(7 * v) % 13 * (v != source) for v in range(20)]
        value, visits = _value_and_visits(star, [source], weights, 5, [0] * 20)
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
