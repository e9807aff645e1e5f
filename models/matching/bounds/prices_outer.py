"""Prices for the second and the last but one round of a one-way gossip in networks of small degree.

Computed by linear programming once, and shipped; `make prices` computes them again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from schedsolve.modelkit.problem import Problem

from ..claims.market import greatest_degree

SHIPPED = Path(__file__).with_name("prices_outer.json")


def outer_call_prices(problem: Problem, rounds: int) -> Sequence[Mapping[str, Any]]:
    """Return the shipped prices that apply to a one-way gossip in so many rounds, for the least degree."""
    n, degree = problem.network.node_count, greatest_degree(problem.network)
    fitting = [
        shipped
        for shipped in shipped_prices()
        if (shipped["rounds"], shipped["nodes"]) == (rounds, n) and shipped["degree"] >= degree
    ]
    entries: Sequence[Mapping[str, Any]] = min(
        fitting, key=lambda shipped: int(shipped["degree"]), default={"outer_calls": []}
    )["outer_calls"]
    return entries


@cache
def shipped_prices() -> tuple[Mapping[str, Any], ...]:
    """Return the prices that come with the package.

    For every question its numbers, and the entries as "outer_calls".
    """
    return tuple(json.loads(SHIPPED.read_text(encoding="utf-8")))
