"""What a lower bound of the matching models claims.

For every kind of evidence, the function that computes the bound it proves.
"""

from __future__ import annotations

from schedsolve.modelkit.evidence import EvidenceKind, Kinds, fields

from .busy_ends import PREMISE as BUSY_ENDS
from .covering import covering_claim, covering_fields, covering_value
from .distant_pairs import PREMISE as DISTANT_PAIRS
from .fewest_calls import PREMISE as FEWEST_CALLS
from .informed_sets import informed_sets_claim
from .inner_rounds import PREMISE as INNER_ROUNDS
from .lower_bounds import LOWER_BOUNDS
from .origins import PREMISE as ORIGINS
from .prices_between import prices_between_claim
from .prices_outer import FIELDS as OUTER_CALLS

__all__ = ["EVIDENCE", "covering_value"]


EVIDENCE: Kinds = {
    **{bound.name: EvidenceKind(fields(), bound.claim) for bound in LOWER_BOUNDS},
    "covering": EvidenceKind(covering_fields, covering_claim),
    "informed-sets": EvidenceKind(
        fields("rounds", "symmetries", "weights", levels=fields("informed", "weights")), informed_sets_claim
    ),
    "prices-between": EvidenceKind(
        fields("degree", "rounds", "wanted", "tags", "prices"), prices_between_claim
    ),
    "refutation": EvidenceKind(fields("symmetries")),
    f"refutation, {ORIGINS}": EvidenceKind(fields("symmetries", "keeping")),
    f"refutation, {FEWEST_CALLS}": EvidenceKind(fields("symmetries", outer_calls=OUTER_CALLS)),
    f"refutation, {INNER_ROUNDS}": EvidenceKind(fields("symmetries", outer_calls=OUTER_CALLS)),
    f"refutation, {DISTANT_PAIRS}": EvidenceKind(fields("pairs")),
    f"refutation, {BUSY_ENDS}": EvidenceKind(fields("symmetries", outer_calls=OUTER_CALLS)),
}
