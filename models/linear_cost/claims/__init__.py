"""What a lower bound of the linear cost model claims.

For every kind of evidence, how to compute its bound again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.modelkit.evidence import EvidenceKind, Holds, Kinds, fields
from schedsolve.modelkit.formulas.linear_program import dual_bound
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value
from schedsolve.runtime.errors import ClaimError

from ..rules import shape_of
from .aggregated import MOST_ROUNDS, aggregated_program, tidy
from .call_graph_evidence import call_graphs
from .dual_evidence import multipliers_of
from .staircase import staircase
from .table import table
from .timed_program import steady, timed


def derived(problem: Problem, _: Mapping[str, Any]) -> Value:
    """Return the best bound of the table."""
    shape = shape_of(problem)
    found = table(shape.ports, shape.nodes).f(shape.extra_rounds)
    if found is None:
        raise ClaimError("no rule says anything of this problem")
    return found.value


def aggregated(problem: Problem, evidence: Mapping[str, Any]) -> Value:
    """Return the bound that a dual solution of the aggregated program proves, tidied.

    The evidence has the multipliers by number of the row.
    """
    if problem.network.node_count < 2:
        raise ClaimError("with one node there is no program")
    shape = shape_of(problem)
    if shape.rounds > MOST_ROUNDS:
        raise ClaimError(f"the aggregated program is for up to {MOST_ROUNDS} rounds")
    return tidy(dual_bound(aggregated_program(shape), multipliers_of(evidence)))


EVIDENCE: Kinds = {
    "derived": EvidenceKind(fields(), derived),
    "aggregated": EvidenceKind(fields(multipliers=Holds.ROWS), aggregated),
    "call graphs": EvidenceKind(fields("cuts", "proofs", tree=fields("prices")), call_graphs),
    "staircase": EvidenceKind(fields(), staircase),
    "steady state": EvidenceKind(fields("cuts", multipliers=Holds.ROWS), steady),
    "timed program": EvidenceKind(fields("cuts", multipliers=Holds.ROWS), timed),
    "refutation": EvidenceKind(fields()),
}
