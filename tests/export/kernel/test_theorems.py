"""The table of theorems, the forms of data, and bounds where no model poses the problem."""

from __future__ import annotations

from typing import Any

import pytest

from schedsolve.kernel.chunk_bounds import bandwidth_bound
from schedsolve.kernel.chunk_trees import part_by_bandwidth
from schedsolve.kernel.distances import distance_bound
from schedsolve.kernel.network import network_of
from schedsolve.kernel.theorems import THEOREMS
from schedsolve.kernel.wrong import WrongError, require_form
from tests.soak.forged_bundles import FUNCTIONS


def test_the_table_names_functions() -> None:
    """Words, referees and bounds are those of the kernel."""
    for words, (referees, bounds, _, _) in THEOREMS.items():
        assert {words, *referees.split(), *bounds.split()} <= set(FUNCTIONS)


@pytest.mark.parametrize(("data", "form"), [
    (-1, int), (True, int), (1.0, int), ("-1", (int, str)), ([], [int]), ([1, ""], [int, ...]),
    ({}, [int, ...]), ({"b": 1}, {"a": int, "b?": int}), ({"a": 1, "c": 1}, {"a": int}), ([], {"a?": int}),
])  # fmt: skip
def test_what_is_out_of_form(data: Any, form: Any) -> None:
    """Numbers from 0 on, which are no truth values; lists of one or of any number; exact keys."""
    require_form({"a": [1, 2], "c": [None]}, {"a": [int, ...], "b?": int, "c": [(int, type(None))]})
    with pytest.raises(WrongError):
        require_form(data, form)


def test_the_best_root_of_a_digraph() -> None:
    """To node 0 all others have one arc; from it a path leads, of which no accumulation has need."""
    arcs = [(1, 0), (2, 0), (3, 0), (0, 1), (1, 2), (2, 3)]
    network = network_of(4, [(u, v, 1) for u, v in arcs], True)
    assert distance_bound({"task": "accumulation", "sources": [0], "open": True}, network, {}) == 1


def test_a_switch_has_nothing_to_send() -> None:
    """Neither alone with one compute node, nor as the source of a part of an allreduce."""
    claim = {"task": "allreduce", "steps": 1, "evidence": {"task": "broadcast", "node": 1, "evidence": {}}}
    with pytest.raises(WrongError):
        bandwidth_bound(claim, network_of(2, [(0, 1, 1)], False, [1]), {})
    with pytest.raises(WrongError):
        part_by_bandwidth(claim, network_of(3, [(0, 1, 1), (1, 2, 1)], False, [1]), {})
