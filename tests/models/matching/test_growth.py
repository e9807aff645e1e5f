"""Theorem 3 of docs/theorems.md: the certificate for the growth of knowledge with degree 3, and its bound."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import networkx
import pytest

from schedsolve.errors import ClaimError
from schedsolve.models import build_problem
from schedsolve.models.matching.claims.growth import (
    CERTIFICATE,
    cubic_growth,
    proven_growth,
    verified_growth,
)
from schedsolve.network.graph import Network
from schedsolve.problem import Problem


def gossip(network: Network, model: str = "telegraph") -> Problem:
    """A gossip problem."""
    return build_problem(model, "gossip", network)


def test_the_certificate_is_verified() -> None:
    """The rate beats the golden ratio, 1.618."""
    assert proven_growth() == (Fraction(1596, 1000), Fraction(584587, 100000))


def _lower_rate(data: dict[str, Any]) -> None:
    data["rate"] = [1590, 1000]


def _other_form(data: dict[str, Any]) -> None:
    data["forms"][2]["KI"] += 10_000


def _no_multiplier(data: dict[str, Any]) -> None:
    row = data["calls"][4]
    row[row.index(max(row))] = 0


def _negative(data: dict[str, Any]) -> None:
    data["calls"][0][0] = -1


def _fewer(data: dict[str, Any]) -> None:
    data["squares"].pop()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_lower_rate, "do not prove the inequality"),
        (_other_form, "do not prove the inequality"),
        (_no_multiplier, "a call over an edge last used in"),
        (_negative, "whole numbers of 0 or more"),
        (_fewer, "18 kinds of call"),
    ],
)
def test_a_changed_certificate_is_refused(change: Callable[[dict[str, Any]], None], reason: str) -> None:
    """The inequality that fails is named."""
    data = json.loads(CERTIFICATE.read_text(encoding="utf-8"))
    change(data)
    with pytest.raises(ClaimError, match=reason):
        verified_growth(data)


def test_where_it_says_something() -> None:
    """Degree 3 at most, one-way, gossip; the least M with n <= 2.418 * 1.596^M."""
    assert cubic_growth(gossip(Network.from_spec("petersen"))) == 4
    assert cubic_growth(gossip(Network.from_spec("ccc:4"))) == 8
    assert cubic_growth(gossip(Network.from_spec("path:1"))) == 0
    assert cubic_growth(gossip(Network.from_spec("hypercube:4"))) is None
    assert cubic_growth(gossip(Network.from_spec("petersen"), "telephone")) is None


def test_the_forms_grow_no_faster_along_schedules() -> None:
    """Random schedules in random cubic graphs, with the states of the covering tree: the sum of q grows by
    rate^2 a round at most, and every q is K^2 at least.
    """
    data = json.loads(CERTIFICATE.read_text(encoding="utf-8"))
    random = Random(3)

    def form(known: int, edges: list[tuple[bool, int]]) -> int:
        into, out = [x for came, x in edges if came], [x for came, x in edges if not came]
        values = {
            "KK": known * known,
            "KI": known * sum(into),
            "KO": known * sum(out),
            "II": sum(x * x for x in into),
            "OO": sum(x * x for x in out),
            "IJ": (sum(into) ** 2 - sum(x * x for x in into)) // 2,
            "OP": (sum(out) ** 2 - sum(x * x for x in out)) // 2,
            "IO": sum(into) * sum(out),
        }
        return sum(weight * values[name] for name, weight in data["forms"][len(into)].items())

    for trial in range(20):
        graph = networkx.random_regular_graph(3, 14, seed=trial)
        known = dict.fromkeys(graph, 1)
        batch = {arc: 1 for u, v in graph.edges for arc in ((u, v), (v, u))}
        last_in = {(u, v): u < v for u, v in batch}
        sums = []
        for _ in range(14):
            states = {v: [(last_in[v, w], batch[v, w]) for w in graph[v]] for v in graph}
            values = {v: form(known[v], states[v]) for v in graph}
            assert all(values[v] >= data["unit"] * known[v] ** 2 for v in graph)
            sums.append(sum(values.values()))
            free = set(graph)
            for u, v in sorted(batch, key=lambda arc: random.random() * batch[arc], reverse=True):
                if {u, v} <= free and batch[u, v]:
                    free -= {u, v}
                    brought, batch[u, v] = batch[u, v], 0
                    known[v] += brought
                    for w in graph[v]:
                        batch[v, w] += brought if w != u else 0
                    last_in[u, v], last_in[v, u] = False, True
        assert all(later * 10**6 <= before * 1596**2 for before, later in pairwise(sums))
