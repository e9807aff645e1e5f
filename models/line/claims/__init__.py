"""The verifiers of the line model's lower bounds.

Each computes, for one kind of evidence, the bound that the evidence proves.
"""

from __future__ import annotations

from schedsolve.modelkit.evidence import EvidenceKind, Kinds, fields

from .lower_bounds import LOWER_BOUNDS
from .two_rounds import two_rounds

__all__ = ["EVIDENCE"]

EVIDENCE: Kinds = {
    **{bound.name: EvidenceKind(fields(), bound.claim) for bound in LOWER_BOUNDS},
    "two-rounds": EvidenceKind(fields("edge", "pairs", "symmetries"), two_rounds),
    "refutation": EvidenceKind(fields("symmetries")),
}
