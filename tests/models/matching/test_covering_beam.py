"""Schedules built by what the covering relaxation promises; the visits behind them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import build_problem, get_model
from schedsolve.models.matching.bounds.covering_visits import (
    value_of,
    value_table,
    visits_of,
)
from schedsolve.models.matching.claims import covering_value
from schedsolve.models.matching.claims.covering_levels import relaxation_of
from schedsolve.models.matching.formulation.covering_beam import covering_beam
from schedsolve.network.graph import Network
from tests.models.matching.small_broadcasts import problems


def _schedule(spec: str, rounds: int, width: int, seed: int) -> tuple[list[list[tuple[int, int]]], set[int]]:
    network = Network.from_spec(spec)
    everyone = range(network.node_count)
    *_, last = covering_beam(network, [0], everyone, rounds=rounds, width=width, seed=seed)
    problem = build_problem("telegraph", "multicast", network, {"source": 0, "targets": "0"})
    replay = get_model("telegraph").replay(problem, Schedule.one_way(last))
    assert replay.violation is None
    assert len(last) <= rounds
    return last, {0, *(v for calls in last for _, v in calls)}


@pytest.mark.parametrize(
    ("spec", "rounds"),
    [("path:2", 1), ("star:6", 5), ("hypercube:5", 5), ("debruijn:5", 6), ("ccc:3", 6), ("complete:12", 4)],
)
def test_easy_broadcasts_are_found(spec: str, rounds: int) -> None:
    """In the least number of rounds, and with more rounds as well."""
    for allowed in (rounds, rounds + 2):
        _, informed = _schedule(spec, allowed, 2, 0)
        assert len(informed) == Network.from_spec(spec).node_count


def test_with_too_few_rounds_many_are_informed() -> None:
    """Nothing is lost by a goal that is out of reach: five rounds inform most of 32 nodes, as many as
    fit.
    """
    rounds, informed = _schedule("debruijn:5", 5, 3, 0)
    assert len(rounds) == 5
    assert 18 <= len(informed) < 32


def test_the_same_seed_builds_the_same() -> None:
    """Nothing but the seed draws random numbers."""
    assert _schedule("debruijn:6", 8, 2, 1) == _schedule("debruijn:6", 8, 2, 1)


Given = tuple[Network, list[int], list[int]]


def _weights(data: st.DataObject, count: int) -> list[int]:
    return data.draw(st.lists(st.integers(0, 9), min_size=count, max_size=count))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(problems(), st.integers(0, 5), st.data())
def test_visits_add_up_to_the_value(problem: Given, rounds: int, data: st.DataObject) -> None:
    """The weights of all visits of a best way to call are the value, the sources' own included."""
    network, sources, _ = problem
    weights = _weights(data, network.node_count)
    relaxation = relaxation_of(network, sources)
    table = value_table(relaxation, np.array(weights, float), rounds)
    assert value_of(relaxation, table) == covering_value(network, sources, weights, rounds)
    assert visits_of(relaxation, table) @ weights == value_of(relaxation, table)


@pytest.mark.parametrize("weights", [[1] * 100, [10**15] * 100, [*[0] * 99, 7]])
def test_values_beyond_64_bits(weights: Sequence[int]) -> None:
    """Long paths and large weights are added up exactly."""
    path = Network.from_spec("path:100")
    assert covering_value(path, [0], weights, 99) == sum(weights)
    assert covering_value(path, [0], weights, 70) == sum(weights[:71])
