"""What bounds of the pipelined model claim."""

from __future__ import annotations

from schedsolve.modelkit.evidence import EvidenceKind, Kinds, fields

from .counting import counting_claim
from .cuts import cut_claim
from .existence import flows_claim, flows_fields
from .lengths import lengths_claim

EVIDENCE: Kinds = {
    "cut": EvidenceKind(fields("nodes"), cut_claim),
    "counting": EvidenceKind(fields("groups"), counting_claim),
    "lengths": EvidenceKind(fields("lengths", "symmetries"), lengths_claim),
    "flows": EvidenceKind(flows_fields, existence=flows_claim),
}
