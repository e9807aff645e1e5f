"""The bound that a refutation proves, its proof replayed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.certify.propagation import replay_refutation
from schedsolve.modelkit.formulas.proof import proof_lines
from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.claims.refutations import refuted

FAILS = "does not follow|not a clause over|without a contradiction"
"""What is said of a proof that does not follow from its formula."""


def proven(problem: Problem, evidence: Mapping[str, Any]) -> int:
    bound, cnf = refuted(problem, evidence)
    replay_refutation(cnf.clauses, cnf.variable_count, proof_lines(evidence))
    return bound
