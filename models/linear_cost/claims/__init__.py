"""What a lower bound of the linear cost model claims: for every kind of evidence, how to compute its bound
anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.formulas.linear_program import dual_bound
from schedsolve.problem import Problem
from schedsolve.result import Value

from ..rules import shape_of
from .aggregated import aggregated_program, tidy
from .call_graph_evidence import call_graphs
from .dual_evidence import multipliers_of
from .staircase import staircase
from .table import table
from .timed_program import steady, timed


def derived(problem: Problem, _: Mapping[str, Any]) -> Value:
    """The best bound of the table."""
    shape = shape_of(problem)
    found = table(shape.ports, shape.nodes).f(shape.extra_rounds)
    if found is None:
        raise ClaimError("no rule says anything of this problem")
    return found.value


def by_rule(problem: Problem, evidence: Mapping[str, Any]) -> Value:
    """The best bound that one rule gives; the evidence names the rule."""
    shape = shape_of(problem)
    values = [
        d.value
        for d in table(shape.ports, shape.nodes).all_f(shape.extra_rounds)
        if d.rule == evidence.get("rule")
    ]
    if not values:
        raise ClaimError(f"there is no rule {evidence.get('rule')!r:.60} for this problem")
    return max(values)


def aggregated(problem: Problem, evidence: Mapping[str, Any]) -> Value:
    """The bound that a dual solution of the aggregated programme proves, tidied; the evidence has the
    multipliers by number of the row.
    """
    if problem.network.node_count < 2:
        raise ClaimError("with one node there is no programme")
    return tidy(dual_bound(aggregated_program(shape_of(problem)), multipliers_of(evidence)))


CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], Value]] = {
    "derived": derived,
    "by rule": by_rule,
    "aggregated": aggregated,
    "call graphs": call_graphs,
    "staircase": staircase,
    "steady state": steady,
    "timed programme": timed,
}
