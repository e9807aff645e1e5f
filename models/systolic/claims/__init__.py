"""The verifiers of the systolic models' lower bounds.

Each computes, for one kind of evidence, the bound that the evidence proves.
"""

from __future__ import annotations

from dataclasses import replace

from schedsolve.modelkit.evidence import EvidenceKind, Kinds, fields, lower_claims
from schedsolve.models.matching.claims import EVIDENCE as MATCHING_EVIDENCE

from .formula import without_period
from .lower_bounds import LOWER_BOUNDS
from .tree_periods import tree_period_claim

__all__ = ["EVIDENCE"]


def _of_matching(kind: str) -> EvidenceKind:
    """Return the evidence of the model without a period, whose bounds hold with a period as well."""
    claim = lower_claims(MATCHING_EVIDENCE)[kind]
    return replace(
        MATCHING_EVIDENCE[kind], lower=lambda problem, evidence: claim(without_period(problem), evidence)
    )


EVIDENCE: Kinds = {
    **{bound.name: EvidenceKind(fields(), bound.claim) for bound in LOWER_BOUNDS},
    "tree-period": EvidenceKind(fields("slack", "most"), tree_period_claim),
    **{kind: _of_matching(kind) for kind in ("covering", "informed-sets", "prices-between")},
    **{kind: known for kind, known in MATCHING_EVIDENCE.items() if "refutation" in kind},
}
