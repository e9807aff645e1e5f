"""Prices for the rounds of a one-way gossip between the first and the last, in networks of small degree.

Computed by linear programming once, and shipped; `make prices` computes them again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound

from ..claims.market import greatest_degree
from ..rules import is_two_way

SHIPPED = Path(__file__).with_name("prices_between.json")


def price_between_bound(problem: Problem) -> Bound | None:
    """Return the best bound that shipped prices prove for a one-way gossip, with them as evidence.

    None when none do.
    """
    network = problem.network
    if problem.task != "gossip" or is_two_way(problem):
        return None
    degree = greatest_degree(network)
    fitting = [
        evidence
        for evidence in shipped_prices()
        if evidence["degree"] >= degree and 2 * evidence["wanted"] <= network.node_count + 1
    ]
    if not fitting:
        return None
    evidence = max(fitting, key=lambda evidence: (evidence["rounds"], -evidence["degree"]))
    reason = (
        f"theorem: prices show that with degree {evidence['degree']}, {2 * evidence['wanted'] - 1} nodes or"
        f" more {evidence['rounds']} rounds do not suffice (docs/theorems.md, Theorem 6)"
    )
    return Bound("lower", evidence["rounds"] + 1, reason, {"kind": "prices-between", **evidence})


@cache
def shipped_prices() -> tuple[Mapping[str, Any], ...]:
    """Return the evidence that comes with the package."""
    return tuple(json.loads(SHIPPED.read_text(encoding="utf-8")))
